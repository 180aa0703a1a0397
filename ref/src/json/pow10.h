/*
 * json/pow10.h - powers of ten to 128 bits, and the little integer
 * arithmetic by which number_print.c and number_read.c use them. The bounds
 * that are claimed here are proved by scripts/tables/make_pow10 --check.
 */
#ifndef EP_POW10_H
#define EP_POW10_H

#include "base/span.h"

/*
 * The exponents that matter. Below, a head of nineteen digits is nearer to 0
 * than to the smallest double; above is as far as printing that double goes.
 */
enum { EP_POW10_MIN = -342, EP_POW10_MAX = 324 };

/* high * 2^64 + low */
typedef struct ep_wide {
    uint64_t high;
    uint64_t low;
} ep_wide;

/* high * 2^128 + middle * 2^64 + low */
typedef struct ep_product {
    uint64_t high;
    uint64_t middle;
    uint64_t low;
} ep_product;

/*
 * The g with 2^127 <= g < 2^128 and
 *     g - 1 < 10^exponent * 2^(127 - ep_log2_pow10(exponent)) <= g.
 */
ep_wide ep_pow10(int exponent);

/* Whether g is that number itself: 5^55 is the last that fits 128 bits. */
static inline bool ep_pow10_is_exact(int exponent) {
    return exponent >= 0 && exponent <= 55;
}

/* n * wide: at most (2^64 - 1) * (2^128 - 1), so it fits. */
ep_product ep_multiply_wide(uint64_t n, ep_wide wide);

/* floor(n / 2^22) for n >= -2^34; C leaves the shift of a negative number to
 * the compiler. */
static inline int ep_floor_22(int64_t n) {
    return (int)((n + ((int64_t)1 << 34)) >> 22) - (1 << 12);
}

/* floor(log2(10^exponent)) for EP_POW10_MIN <= exponent <= EP_POW10_MAX. */
static inline int ep_log2_pow10(int exponent) {
    return ep_floor_22((int64_t)exponent * 13933176); /* log2(10) * 2^22 */
}

/* floor(log10(2^exponent)) for -1074 <= exponent <= 971, and the same of
 * 3/4 * 2^exponent. */
static inline int ep_log10_pow2(int exponent, bool three_quarters) {
    int64_t quarter = three_quarters ? 524031 : 0;             /* log10(4/3) * 2^22 */
    return ep_floor_22((int64_t)exponent * 1262611 - quarter); /* log10(2) * 2^22 */
}

#endif
