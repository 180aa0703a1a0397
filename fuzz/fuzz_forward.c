/*
 * fuzz_forward.c - forward reading (SPEC 3.10) takes what strict reading takes,
 * says the same, and refuses for the same reason; only for the sake of a version
 * it takes more, and of what it left something out of, nothing is made, but its values
 * are read. The input is a program with a tail, from which versions are drawn.
 */
#include "calls.h"
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
    test_text text = {0};
    fuzz_begin(&work);
    FUZZ_PROPERTY_OF(fuzz_encode(&work, strict, &text), "strict-encodes", &work.error);
    fuzz_encodes_as(forward, test_text_bytes(&text));
    test_text_free(&text);
    fuzz_end(&work);
}

/* A program of which something was left out is refused by what would make another of it; one that
 * is whole is taken as any other is. scripts/house/rules sees to it that no function
 * of epref.h that takes a program is missing in these calls (the rule "forward"). */
static void check_other(const ep_program *program, ep_bytes text, bool partial,
                        const ep_version *version) {
    const call_input input = {text, program, program, text, version, 0};
    for (int id = 0; id < CALLS; id++) {
        fuzz_work work;
        call_result result;
        if (!call_needs_program((call_id)id)) {
            continue;
        }
        fuzz_begin(&work);
        call_run((call_id)id, &input, &work.arena, &result);
        work.error = result.error;
        fuzz_told(&work, result.ok, text);
        FUZZ_PROPERTY_OF(!partial || (!result.ok && work.error.code == EP_ARGUMENT), "partial",
                         &work.error);
        FUZZ_PROPERTY(result.ok || result.written == 0, "partial-is-written");
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
