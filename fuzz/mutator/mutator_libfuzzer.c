/*
 * mutator/mutator_libfuzzer.c - the mutator for libFuzzer. A share of the mutations stays
 * with libFuzzer's own, which cross inputs without structure too. The
 * environment variable EPREF_FUZZ_MUTATOR=bytes leaves all of them to it, to
 * measure what the structure is worth; EPREF_FUZZ_LAYOUT, or FUZZ_LAYOUT when
 * this is compiled, says how inputs are laid out.
 */
#include "mutator/mutate.h"

#include <stdlib.h>
#include <string.h>

#ifndef FUZZ_LAYOUT
#define FUZZ_LAYOUT "calls"
#endif

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t out_max, unsigned int seed);

/* libFuzzer calls plain functions and hands nothing through: what they keep can
 * only be static. It calls them on one thread, and never says that it ends. */
static struct {
    fuzz_mutator *mutator; /* NULL: bytes only */
    size_t bytes_in;       /* one mutation in so many is the engine's */
    bool opened;
} engine;

static fuzz_mutator *mutator_of_engine(void) {
    if (!engine.opened) {
        const char *kind = getenv("EPREF_FUZZ_MUTATOR");
        const char *layout = getenv("EPREF_FUZZ_LAYOUT");
        bool bytes = kind != NULL && strcmp(kind, "bytes") == 0;
        mutate_layout known = mutate_layout_of(layout != NULL ? layout : FUZZ_LAYOUT);
        engine.mutator = bytes ? NULL : fuzz_mutator_open(known);
        /* A byte of an archive that is another breaks a checksum, and all that follows. */
        bool archive = known == MUTATE_LAYOUT_ARCHIVE || known == MUTATE_LAYOUT_STATE;
        engine.bytes_in = archive ? 16 : 4;
        engine.opened = true;
    }
    return engine.mutator;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    fuzz_mutator *m = mutator_of_engine();
    if (m == NULL) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    random_source random = {~(uint64_t)seed};
    size_t now =
        random_one_in(&random, engine.bytes_in) ? 0 : fuzz_mutate(m, data, size, max_size, seed);
    return now > 0 ? now : LLVMFuzzerMutate(data, size, max_size);
}

/* The parameters are libFuzzer's. With 0 it goes on to another mutation. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t out_max, unsigned int seed) {
    mutate_input first = {a, a_size};
    mutate_input second = {b, b_size};
    mutate_room room = {out, out_max};
    fuzz_mutator *m = mutator_of_engine();
    return m == NULL ? 0 : fuzz_cross(m, first, second, room, seed);
}
