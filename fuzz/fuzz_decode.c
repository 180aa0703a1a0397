/*
 * fuzz_decode.c - any bytes at all: the decoder says yes or no, in memory that is
 * bounded by the input, and the wire level says what the decoder says of it. The
 * input is the document, all of it.
 */
#include "fuzz.h"

#include "readers.h"

#include <stdlib.h>

/* Memory for each byte of input at its densest, and for the types of a version. */
enum { PER_BYTE = 20, BASE = 64 * 1024 };

/* The code that depends on the type that a value is of, though it is one of the
 * wire level (SPEC 2.7). */
static bool is_of_types(ep_code code) {
    return code == EP_NONFINITE;
}

static bool is_of_wire(ep_code code) {
    return ep_code_level(code) == EP_LEVEL_WIRE && !is_of_types(code);
}

static ep_error judge_wire(ep_bytes text) {
    fuzz_work work;
    fuzz_begin(&work);
    fuzz_told(&work, ep_check_wire(&work.arena, text, NULL, &work.error), text);
    FUZZ_PROPERTY(ep_arena_peak(&work.arena) <= PER_BYTE * text.size + BASE, "wire-memory");
    fuzz_end(&work);
    return work.error;
}

/* Limits that the input itself draws, so that they are often met. */
static ep_limits draw_limits(ep_bytes text) {
    uint64_t h = fuzz_hash(text);
    ep_limits limits = ep_limits_default();
    limits.depth = (size_t)(h >> 8) % 24;
    limits.values = (size_t)(h >> 16) % (text.size / 4 + 2);
    limits.string = (size_t)(h >> 40) % 64;
    switch (h >> 56 & 3) { /* one of them, or all */
    case 0:
        return (ep_limits){limits.bytes, limits.depth, SIZE_MAX, SIZE_MAX};
    case 1:
        return (ep_limits){limits.bytes, SIZE_MAX, limits.values, SIZE_MAX};
    case 2:
        return (ep_limits){limits.bytes, SIZE_MAX, SIZE_MAX, limits.string};
    default:
        return limits;
    }
}

/* Limits only refuse; and both readers of the wire agree on where they are met. */
static void check_limits(ep_bytes text, bool ok) {
    fuzz_work decoding;
    fuzz_work judging;
    const ep_program *program;
    ep_decode_options options = ep_decode_options_default();
    options.limits = draw_limits(text);
    fuzz_begin(&decoding);
    fuzz_begin(&judging);
    bool within = ep_decode(&decoding.arena, text, &options, &program, &decoding.error);
    fuzz_told(&decoding, within, text);
    bool wire = ep_check_wire(&judging.arena, text, &options, &judging.error);
    fuzz_told(&judging, wire, text);
    FUZZ_PROPERTY_OF(ok || !within, "limits-refuse", &decoding.error);
    FUZZ_PROPERTY_OF(wire || !within, "limits-agree", &judging.error);
    FUZZ_PROPERTY_OF(within || !ok || ep_code_level(decoding.error.code) == EP_LEVEL_NONE,
                     "limits-alone", &decoding.error);
    FUZZ_PROPERTY_OF(within || !ok || !wire, "limits-hold", &decoding.error);
    fuzz_end(&decoding);
    fuzz_end(&judging);
}

/* Both readers of the decoder say the same, and both writers write the same, with white space
 * behind the text so that the fast reader reads it to its end. */
static void check_readers(ep_bytes text, const ep_version *version) {
    char *longer = malloc(text.size + READERS_MARGIN);
    if (longer == NULL) {
        return;
    }
    memcpy(longer, text.data, text.size);
    memset(longer + text.size, ' ', READERS_MARGIN);
    const char *what =
        readers_differ((ep_bytes){longer, text.size + READERS_MARGIN}, version, text.size % 2 == 1);
    FUZZ_PROPERTY(what == NULL, "readers-agree");
    free(longer);
}

/* The version of a program, or one that the input draws. */
static const ep_version *version_of(ep_bytes text, const ep_program *program) {
    size_t n = test_version_count();
    return program != NULL ? ep_program_version(program) : ep_version_at(fuzz_hash(text) % n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ep_bytes text = fuzz_bytes(data, size);
    fuzz_work work;
    const ep_program *program;
    fuzz_begin(&work);
    bool ok = fuzz_decode(&work, text, &program);
    FUZZ_PROPERTY(ok == (program != NULL), "program-is-made");
    FUZZ_PROPERTY(ep_arena_peak(&work.arena) <= PER_BYTE * size + BASE, "memory");
    ep_error wire = judge_wire(text);
    FUZZ_PROPERTY_OF(!ok || wire.code == EP_OK, "wire-accepts", &wire);
    FUZZ_PROPERTY_OF(!is_of_wire(wire.code) || work.error.code == wire.code, "wire-first", &wire);
    FUZZ_PROPERTY_OF(!is_of_wire(work.error.code) || work.error.code == wire.code, "wire-refuses",
                     &work.error);
    FUZZ_PROPERTY_OF(!is_of_wire(wire.code) || work.error.offset == wire.offset, "wire-place",
                     &wire);
    check_readers(text, version_of(text, program));
    fuzz_end(&work);
    check_limits(text, ok);
    return 0;
}
