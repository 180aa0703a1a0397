/*
 * fuzz_forward.c - forward reading (SPEC 3.10) takes what strict reading takes,
 * says the same, and refuses for the same reason; only for the sake of a version
 * it takes more, and of what it left something out of, nothing is made, but its values
 * are read. The input is a program with a tail, from which versions are drawn.
 */
#include "reading.h"

/* What was passed over. */
typedef struct warnings {
    size_t count;
    ep_error first;
} warnings;

static void hear(void *context, const ep_error *error) {
    warnings *w = context;
    if (w->count++ == 0) {
        w->first = *error;
    }
}

static void check_strict(const ep_program *strict, const ep_program *forward) {
    fuzz_work work;
    test_text texts[2] = {{0}, {0}};
    fuzz_begin(&work);
    FUZZ_PROPERTY_OF(fuzz_encode(&work, strict, &texts[0]), "strict-encodes", &work.error);
    FUZZ_PROPERTY_OF(fuzz_encode(&work, forward, &texts[1]), "encodes", &work.error);
    FUZZ_SAME(test_text_bytes(&texts[0]), test_text_bytes(&texts[1]), "same-text");
    test_text_free(&texts[0]);
    test_text_free(&texts[1]);
    fuzz_end(&work);
}

/* What is done with a whole program; scripts/house/rules sees to it that no function
 * of epref.h that takes one is missing (the rule "forward"). */
typedef bool stage(fuzz_work *work, const ep_program *program, const ep_version *version);

static bool check(fuzz_work *work, const ep_program *program, const ep_version *version) {
    (void)version;
    return ep_check(program, &work->arena, NULL, &work->error);
}

static void hear_finding(void *context, const ep_finding *finding) {
    (void)context;
    FUZZ_PROPERTY(ep_audit_name(finding->id) != NULL, "finding");
}

static bool audit(fuzz_work *work, const ep_program *program, const ep_version *version) {
    (void)version;
    return ep_audit(program, &work->arena, hear_finding, NULL, &work->error);
}

static bool encode(fuzz_work *work, const ep_program *program, const ep_version *version) {
    test_text text = {0};
    (void)version;
    bool ok = ep_encode(program, &work->arena, test_sink, &text, &work->error);
    FUZZ_PROPERTY(ok || text.size == 0, "partial-is-written");
    test_text_free(&text);
    return ok;
}

static bool migrate(fuzz_work *work, const ep_program *program, const ep_version *version) {
    ep_migrate_options options = {.version = version};
    ep_built built;
    return ep_migrate(program, &work->arena, &options, &built, &work->error);
}

static bool canon_in(fuzz_work *work, const ep_program *program, ep_canon_form form) {
    ep_canon_options options = {.form = form, .constant = test_no_type};
    ep_built built;
    return ep_canon(program, &work->arena, &options, &built, &work->error);
}

static bool canon(fuzz_work *work, const ep_program *program, const ep_version *version) {
    (void)version;
    return canon_in(work, program, EP_CANON_EPREF);
}

static bool canon_torch(fuzz_work *work, const ep_program *program, const ep_version *version) {
    (void)version;
    return canon_in(work, program, EP_CANON_TORCH);
}

static bool diff(fuzz_work *work, const ep_program *program, const ep_version *version) {
    const ep_program *both[2] = {program, program};
    ep_diff_result result;
    (void)version;
    return ep_diff(both, &work->arena, NULL, &result, &work->error);
}

/* Of what something was left out nothing is made, and that is said; of what is whole,
 * what is made is told as of any other program. */
static void check_other(const ep_program *program, ep_bytes text, bool partial,
                        const ep_version *version) {
    static stage *const stages[] = {encode, check, audit, migrate, canon, canon_torch, diff};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        fuzz_work work;
        fuzz_begin(&work);
        bool ok = fuzz_told(&work, stages[i](&work, program, version), text);
        FUZZ_PROPERTY_OF(!partial || (!ok && work.error.code == EP_ARGUMENT), "partial",
                         &work.error);
        fuzz_end(&work);
    }
}

/* The values can be read, whatever was left out. */
static void check_values(fuzz_work *work, const ep_program *program, ep_bytes text, bool partial) {
    fuzz_reading reading = {.work = work, .text = text, .partial = partial};
    FUZZ_PROPERTY(ep_program_version(program) != NULL, "version");
    fuzz_read_values(&reading, program);
    fuzz_read_signature(&reading, program);
    fuzz_read_graph(&reading, program);
}

/* The two refusals that forward reading may turn into a yes. */
static bool is_of_version(ep_code code) {
    return code == EP_VERSION_UNKNOWN || code == EP_VERSION_MISMATCH;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_split(data, size);
    fuzz_work works[2];
    const ep_program *strict;
    const ep_program *forward;
    warnings told = {0};
    ep_decode_options options = ep_decode_options_default();
    options.version = fuzz_below(&input, 2) == 0 ? NULL : fuzz_draw_version(&input);
    fuzz_begin(&works[0]);
    fuzz_begin(&works[1]);
    bool strictly = ep_decode(&works[0].arena, input.text, &options, &strict, &works[0].error);
    fuzz_told(&works[0], strictly, input.text);
    options.forward = true;
    options.warn = hear;
    options.warn_context = &told;
    bool ok = ep_decode(&works[1].arena, input.text, &options, &forward, &works[1].error);
    fuzz_told(&works[1], ok, input.text);
    FUZZ_PROPERTY_OF(ok || !strictly, "takes-what-strict-takes", &works[1].error);
    if (strictly) {
        FUZZ_PROPERTY_OF(told.count == 0, "silent", &told.first);
        check_strict(strict, forward);
    } else if (ok) {
        FUZZ_PROPERTY_OF(is_of_version(works[0].error.code), "beyond-strict", &works[0].error);
        check_other(forward, input.text, told.count > 0, fuzz_draw_version(&input));
        check_values(&works[1], forward, input.text, told.count > 0);
    } else if (!is_of_version(works[0].error.code)) {
        FUZZ_PROPERTY_OF(works[1].error.code == works[0].error.code &&
                             works[1].error.offset == works[0].error.offset,
                         "same-refusal", &works[1].error);
    }
    fuzz_end(&works[0]);
    fuzz_end(&works[1]);
    return 0;
}
