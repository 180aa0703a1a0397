/*
 * mutator/mutator_libfuzzer.c - the mutator for libFuzzer. A share of the mutations stays
 * with libFuzzer's own, which cross inputs without structure too. FUZZ_LAYOUT, when this is
 * compiled, says how inputs are laid out.
 */
#include "mutator/mutate.h"

#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t out_max, unsigned int seed);

/* libFuzzer calls plain functions and hands nothing through: what they keep can
 * only be static. It calls them on one thread, and never says that it ends. */
static fuzz_mutator *mutator_of_engine(void) {
    static fuzz_mutator *mutator; /* NULL: bytes only */
    static bool opened;
    mutator = opened ? mutator : fuzz_mutator_of_environment(FUZZ_LAYOUT);
    opened = true;
    return mutator;
}

/* A byte of an archive that is another breaks a checksum, and all that follows. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    fuzz_mutator *m = mutator_of_engine();
    random_source random = {~(uint64_t)seed};
    mutate_job job = {data, size, max_size, {NULL, 0}, seed};
    bool bytes = m == NULL || random_one_in(&random, fuzz_mutator_has_archives(m) ? 16 : 4);
    size_t now = bytes ? 0 : fuzz_mutate(m, &job);
    return now > 0 ? now : LLVMFuzzerMutate(data, size, max_size);
}

/* The parameters are libFuzzer's. With 0 it goes on to another mutation. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t out_max, unsigned int seed) {
    mutate_job job = {out, a_size, out_max, {(const char *)b, b_size}, seed};
    fuzz_mutator *m = mutator_of_engine();
    if (m == NULL || a_size == 0 || a_size > out_max || b_size == 0) {
        return 0;
    }
    memcpy(out, a, a_size);
    return fuzz_mutate(m, &job);
}
