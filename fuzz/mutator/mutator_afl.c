/*
 * mutator/mutator_afl.c - the mutator for AFL++, as the library that
 * AFL_CUSTOM_MUTATOR_LIBRARY names. AFL++'s own mutations keep their share as
 * long as AFL_CUSTOM_MUTATOR_ONLY is not set.
 */
#include "mutator/mutate.h"

#include "common/buffer.h"

#include <stdlib.h>
#include <string.h>

/* The interface, by AFL++'s documentation of custom mutators. */
void *afl_custom_init(void *afl, unsigned int seed);
void afl_custom_deinit(void *data);
size_t afl_custom_fuzz(void *data, uint8_t *input, size_t size, uint8_t **out, uint8_t *add,
                       size_t add_size, size_t max_size);
unsigned int afl_custom_fuzz_count(void *data, const uint8_t *input, size_t size);

typedef struct engine {
    fuzz_mutator *mutator; /* NULL: bytes only */
    random_source random;
    buffer out;
} engine;

void *afl_custom_init(void *afl, unsigned int seed) {
    (void)afl;
    engine *e = calloc(1, sizeof *e);
    if (e != NULL) {
        e->random.state = seed;
        e->mutator = fuzz_mutator_of_environment(NULL);
    }
    return e;
}

void afl_custom_deinit(void *data) {
    engine *e = data;
    fuzz_mutator_close(e->mutator);
    buffer_free(&e->out);
    free(e);
}

/* Nothing to do without structure: then AFL++ goes on to its own stages. */
unsigned int afl_custom_fuzz_count(void *data, const uint8_t *input, size_t size) {
    const engine *e = data;
    (void)input;
    return e->mutator == NULL || size == 0 ? 0 : 256;
}

/* The parameters are AFL++'s. */
size_t afl_custom_fuzz(void *data, uint8_t *input, size_t size, uint8_t **out, uint8_t *add,
                       size_t add_size, size_t max_size) {
    engine *e = data;
    buffer_clear(&e->out);
    *out = (uint8_t *)buffer_room(&e->out, max_size);
    if (e->mutator == NULL || size > max_size || *out == NULL) {
        return 0;
    }
    mutate_job job = {
        *out, size, max_size, {(const char *)add, add_size}, (uint32_t)random_draw(&e->random)};
    memcpy(*out, input, size);
    bool crossed = add != NULL && add_size > 0 && random_one_in(&e->random, 5);
    size_t now = crossed ? fuzz_mutate(e->mutator, &job) : 0;
    if (now == 0) {
        job.donor = (ep_bytes){NULL, 0};
        now = fuzz_mutate(e->mutator, &job);
    }
    return now;
}
