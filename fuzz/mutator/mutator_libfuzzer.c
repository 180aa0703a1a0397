/*
 * mutator/mutator_libfuzzer.c - the mutator for libFuzzer. A share of the mutations stays
 * with libFuzzer's own, of the whole input or of one region of it. The
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

/* Bytes of some region, the rest being moved behind the new ones. */
static size_t mutate_region(uint8_t *data, size_t size, size_t max_size, mutate_random *random) {
    uint8_t region[256];
    size_t at = mutate_below(random, size);
    size_t old = 1 + mutate_below(random, sizeof region / 2);
    old = old < size - at ? old : size - at;
    size_t room = max_size - size + old;
    memcpy(region, data + at, old);
    size_t now = LLVMFuzzerMutate(region, old, room < sizeof region ? room : sizeof region);
    memmove(data + at + now, data + at + old, size - at - old);
    memcpy(data + at, region, now);
    return size - old + now;
}

static size_t mutate_bytes(uint8_t *data, size_t size, size_t max_size, mutate_random *random) {
    if (size > 64 && size <= max_size && mutate_one_in(random, 2)) {
        return mutate_region(data, size, max_size, random);
    }
    return LLVMFuzzerMutate(data, size, max_size);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    fuzz_mutator *m = mutator_of_engine();
    if (m == NULL) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    mutate_random random = {~(uint64_t)seed};
    size_t now =
        mutate_one_in(&random, engine.bytes_in) ? 0 : fuzz_mutate(m, data, size, max_size, seed);
    return now > 0 ? now : mutate_bytes(data, size, max_size, &random);
}

/* A part of one input and a part of another, end to end: what there is to do
 * without structure. */
static size_t cross_bytes(mutate_input a, mutate_input b, mutate_room out, mutate_random *random) {
    size_t first = a.size == 0 ? 0 : 1 + mutate_below(random, a.size);
    first = first < out.size ? first : out.size;
    size_t at = mutate_below(random, b.size);
    size_t second = b.size - at;
    second = second < out.size - first ? second : out.size - first;
    if (first > 0) {
        memcpy(out.data, a.data, first);
    }
    if (second > 0) {
        memcpy(out.data + first, b.data + at, second);
    }
    return first + second;
}

/* The parameters are libFuzzer's. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t out_max, unsigned int seed) {
    mutate_input first = {a, a_size};
    mutate_input second = {b, b_size};
    mutate_room room = {out, out_max};
    mutate_random random = {~(uint64_t)seed};
    fuzz_mutator *m = mutator_of_engine();
    bool plain = m == NULL || mutate_one_in(&random, 8);
    size_t now = plain ? 0 : fuzz_cross(m, first, second, room, seed);
    return now > 0 ? now : cross_bytes(first, second, room, &random);
}
