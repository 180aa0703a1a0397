/*
 * json/pow10.c - the table of powers of ten, and multiplication by its
 * rows. See pow10.h; the rows are made by scripts/tables/make_pow10.
 */
#include "json/pow10.h"

#define POW10(exponent, high, low) {UINT64_C(high), UINT64_C(low)},
static const ep_wide rows[] = {
#include "json/pow10.def"
};
#undef POW10

_Static_assert(EP_COUNT_OF(rows) == EP_POW10_MAX - EP_POW10_MIN + 1, "a row for each exponent");

ep_wide ep_pow10(int exponent) {
    return rows[exponent - EP_POW10_MIN];
}

/* a * b from products of halves: ISO C has no type of 128 bits. No sum here
 * overflows, as (2^32 - 1)^2 + 2 * (2^32 - 1) = 2^64 - 1. */
static ep_wide multiply(uint64_t a, uint64_t b) {
    const uint64_t half = 0xFFFFFFFF;
    uint64_t low = (a & half) * (b & half);
    uint64_t cross = (a >> 32) * (b & half) + (low >> 32);
    uint64_t other = (a & half) * (b >> 32) + (cross & half);
    uint64_t high = (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
    return (ep_wide){.high = high, .low = other << 32 | (low & half)};
}

ep_product ep_multiply_wide(uint64_t n, ep_wide wide) {
    ep_wide lower = multiply(n, wide.low);
    ep_wide upper = multiply(n, wide.high);
    uint64_t middle = upper.low + lower.high;
    uint64_t carry = middle < lower.high;
    return (ep_product){.high = upper.high + carry, .middle = middle, .low = lower.low};
}
