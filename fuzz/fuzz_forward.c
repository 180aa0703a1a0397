/*
 * fuzz_forward.c - forward reading (SPEC 3.10) takes what strict reading takes,
 * says the same, and refuses for the same reason; only for the sake of a version
 * it takes more, and of what it left something out of, nothing is made. The input
 * is a program with a tail, which the demanded version is drawn from.
 */
#include "fuzz.h"

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
    FUZZ_PROPERTY(fuzz_same(test_text_bytes(&texts[0]), test_text_bytes(&texts[1])), "same-text");
    test_text_free(&texts[0]);
    test_text_free(&texts[1]);
    fuzz_end(&work);
}

/* Of what something was left out nothing is made; else it is a program. */
static void check_other(const ep_program *program, ep_bytes text, bool partial) {
    fuzz_work work;
    ep_built built;
    test_text encoded = {0};
    ep_canon_options form = {.form = EP_CANON_TORCH};
    fuzz_begin(&work);
    FUZZ_PROPERTY_OF(fuzz_encode(&work, program, &encoded) == !partial, "partial", &work.error);
    if (partial) {
        FUZZ_PROPERTY_OF(work.error.code == EP_ARGUMENT, "partial-code", &work.error);
        FUZZ_PROPERTY(encoded.size == 0, "partial-is-written");
        fuzz_told(&work, ep_check(program, &work.arena, NULL, &work.error), text);
        FUZZ_PROPERTY_OF(work.error.code == EP_ARGUMENT, "partial-checked", &work.error);
        fuzz_told(&work, ep_canon(program, &work.arena, &form, &built, &work.error), text);
        FUZZ_PROPERTY_OF(work.error.code == EP_ARGUMENT, "partial-canonicalized", &work.error);
    }
    test_text_free(&encoded);
    fuzz_end(&work);
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
        check_other(forward, input.text, told.count > 0);
    } else if (!is_of_version(works[0].error.code)) {
        FUZZ_PROPERTY_OF(works[1].error.code == works[0].error.code &&
                             works[1].error.offset == works[0].error.offset,
                         "same-refusal", &works[1].error);
    }
    fuzz_end(&works[0]);
    fuzz_end(&works[1]);
    return 0;
}
