/*
 * mutator/mutator_afl.c - the mutator for AFL++, as the library that
 * AFL_CUSTOM_MUTATOR_LIBRARY names. AFL++'s own mutations keep their share as
 * long as AFL_CUSTOM_MUTATOR_ONLY is not set. EPREF_FUZZ_MUTATOR=bytes and
 * EPREF_FUZZ_LAYOUT are as in mutator_libfuzzer.c.
 */
#include "mutator/mutate.h"

#include <stdlib.h>
#include <string.h>

/* The interface, by AFL++'s documentation of custom mutators. */
void *afl_custom_init(void *afl, unsigned int seed);
void afl_custom_deinit(void *data);
size_t afl_custom_fuzz(void *data, uint8_t *input, size_t size, uint8_t **out, uint8_t *add,
                       size_t add_size, size_t max_size);
const char *afl_custom_describe(void *data, size_t max_size);
unsigned int afl_custom_fuzz_count(void *data, const uint8_t *input, size_t size);

typedef struct engine {
    fuzz_mutator *mutator; /* NULL: bytes only */
    random_source random;
    uint8_t *out;
    size_t capacity;
    bool crossed; /* what the last output was made by */
} engine;

static bool wants_bytes(void) {
    const char *kind = getenv("EPREF_FUZZ_MUTATOR");
    return kind != NULL && strcmp(kind, "bytes") == 0;
}

void *afl_custom_init(void *afl, unsigned int seed) {
    (void)afl;
    engine *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return NULL;
    }
    e->random.state = seed;
    if (!wants_bytes()) {
        e->mutator = fuzz_mutator_open(mutate_layout_of(getenv("EPREF_FUZZ_LAYOUT")));
        if (e->mutator == NULL) {
            free(e);
            return NULL;
        }
    }
    return e;
}

void afl_custom_deinit(void *data) {
    engine *e = data;
    fuzz_mutator_close(e->mutator);
    free(e->out);
    free(e);
}

/* Nothing to do without structure: then AFL++ goes on to its own stages. */
unsigned int afl_custom_fuzz_count(void *data, const uint8_t *input, size_t size) {
    const engine *e = data;
    (void)input;
    return e->mutator == NULL || size == 0 ? 0 : 256;
}

static bool reserve(engine *e, size_t size) {
    if (size <= e->capacity) {
        return true;
    }
    uint8_t *out = realloc(e->out, size);
    TRY(out != NULL);
    e->out = out;
    e->capacity = size;
    return true;
}

/* The parameters are AFL++'s. */
size_t afl_custom_fuzz(void *data, uint8_t *input, size_t size, uint8_t **out, uint8_t *add,
                       size_t add_size, size_t max_size) {
    engine *e = data;
    *out = NULL;
    if (e->mutator == NULL || size > max_size || !reserve(e, max_size)) {
        return 0;
    }
    uint32_t seed = (uint32_t)random_draw(&e->random);
    size_t now = 0;
    *out = e->out;
    e->crossed = add != NULL && add_size > 0 && random_one_in(&e->random, 5);
    if (e->crossed) {
        mutate_room room = {e->out, max_size};
        now = fuzz_cross(e->mutator, (mutate_input){input, size}, (mutate_input){add, add_size},
                         room, seed);
    }
    if (now == 0) {
        e->crossed = false;
        memcpy(e->out, input, size);
        now = fuzz_mutate(e->mutator, e->out, size, max_size, seed);
    }
    return now;
}

/* A part of the names of files that AFL++ keeps. */
const char *afl_custom_describe(void *data, size_t max_size) {
    const engine *e = data;
    const char *name = e->crossed ? "epref-cross" : "epref-types";
    return strlen(name) < max_size ? name : NULL;
}
