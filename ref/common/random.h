/*
 * random.h - random numbers, Splitmix64: the same from any seed on any machine.
 */
#ifndef COMMON_RANDOM_H
#define COMMON_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct random_source {
    uint64_t state;
} random_source;

static inline uint64_t random_draw(random_source *r) {
    uint64_t z = r->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* A number below n; 0 when n is 0. */
static inline size_t random_below(random_source *r, size_t n) {
    return n == 0 ? 0 : (size_t)((random_draw(r) >> 16) % n);
}

/* True once in n draws. */
static inline bool random_one_in(random_source *r, size_t n) {
    return random_below(r, n) == 0;
}

#endif
