/*
 * json/number_print.c - the shortest text of a double, as Python's repr
 * writes it (SPEC 3.9.4).
 *
 * The method is Schubfach (Raffaello Giulietti, "The Schubfach way to render
 * doubles", 2020). Of all decimals that read back as the double v it takes the
 * ones with the fewest digits, and of these the nearest to v. They lie in the
 * rounding interval, which reaches from v half way to either neighbour. Let
 * 10^k be the largest power of ten that is no wider than the interval:
 *  - at most one multiple of 10^(k+1) is inside; if there is one, it is the
 *    answer, without the zeros at its end;
 *  - else some multiple of 10^k is inside, and so one of the two around v.
 * All is measured in quarters of 10^k, so that v, the ends of the interval and
 * the middle between two multiples are compared as integers.
 */
#include "json/number.h"
#include "json/pow10.h"

_Static_assert(sizeof(double) == sizeof(uint64_t), "double is binary64");

/* digits * 10^exponent */
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

/*
 * n * 2^(h - 128) * g, which is the product n * 2^q * 10^-k that is wanted but
 * for the rounding up of g, made an integer: itself if the wanted product is
 * whole, else the odd one of the two integers around it. Odd stands for "and
 * some more": the order with every even integer stays what it was, and the
 * results are compared with even integers only.
 *
 * g is too large by less than 1, so this is too large by less than 2^-128
 * times n * 2^h, which is below 2^60. A whole product is hence recognized by
 * its fraction; and any other is at least 2^-68 away from whole numbers, for
 * every n and q that doubles have (make_pow10 --check), so that it is neither
 * taken for whole nor carried past the next integer.
 */
static uint64_t scale(uint64_t n, int h, ep_wide g) {
    uint64_t shifted = n << h;
    ep_product product = ep_multiply_wide(shifted, g);
    bool fraction = product.middle != 0 || product.low >= shifted;
    return product.high | fraction;
}

/* Of down and down + 1, both of them in 10^k, the one to take. The interval reaches more
 * than half of 10^k up, or just so from a multiple of 10^k: so down + 1 is inside when it
 * is the nearer one, or down is not. */
static uint64_t nearest(uint64_t down, uint64_t value, uint64_t lower) {
    if (lower > 4 * down) {
        return down + 1;
    }
    uint64_t middle = 4 * down + 2;
    bool tie_up = value == middle && down % 2 != 0; /* a tie goes to the even digit */
    return down + (value > middle || tie_up);
}

static decimal without_zeros(uint64_t digits, int exponent) {
    while (digits % 10 == 0) {
        digits /= 10;
        exponent++;
    }
    return (decimal){.digits = digits, .exponent = exponent};
}

/* The shortest decimal of significand * 2^q. narrow: the neighbour below is
 * only half as far away as the one above. */
static decimal shortest(uint64_t significand, int q, bool narrow) {
    int k = ep_log10_pow2(q, narrow); /* the interval is 2^q wide, or 3/4 of it */
    int h = q + ep_log2_pow10(-k) + 1;
    ep_wide g = ep_pow10(-k);
    uint64_t odd = significand % 2; /* the ends read back as the even neighbour */
    uint64_t lower = scale(4 * significand - (narrow ? 1 : 2), h, g) + odd;
    uint64_t value = scale(4 * significand, h, g);
    uint64_t upper = scale(4 * significand + 2, h, g) - odd;

    uint64_t down = value / 4;
    uint64_t tens = down / 10;
    if (lower <= 40 * tens) {
        return without_zeros(tens, k + 1);
    }
    if (40 * tens + 40 <= upper) {
        return without_zeros(tens + 1, k + 1);
    }
    return without_zeros(nearest(down, value, lower), k);
}

/* ----------------------------------------------------------------- layout */

static char *put(char *p, const char *data, int size) {
    memcpy(p, data, (size_t)size);
    return p + size;
}

static char *put_zeros(char *p, int count) {
    memset(p, '0', (size_t)count);
    return p + count;
}

/* The point stands before digits[point]; repr always has digits around it. */
static char *put_plain(char *p, const char *digits, int count, int point) {
    if (point <= 0) {
        p = put(p, "0.", 2);
        p = put_zeros(p, -point);
        return put(p, digits, count);
    }
    if (point >= count) {
        p = put(p, digits, count);
        p = put_zeros(p, point - count);
        return put(p, ".0", 2);
    }
    p = put(p, digits, point);
    *p++ = '.';
    return put(p, digits + point, count - point);
}

/* The exponent has a sign and at least two digits. */
static char *put_scientific(char *p, const char *digits, int count, int exponent) {
    *p++ = digits[0];
    if (count > 1) {
        *p++ = '.';
        p = put(p, digits + 1, count - 1);
    }
    *p++ = 'e';
    *p++ = exponent < 0 ? '-' : '+';
    int magnitude = exponent < 0 ? -exponent : exponent;
    if (magnitude < 10) {
        *p++ = '0';
    }
    return p + ep_number_print_int(magnitude, p);
}

static char *put_decimal(char *p, decimal number) {
    char digits[EP_INT_TEXT_SIZE];
    int count = (int)ep_number_print_int((int64_t)number.digits, digits);
    int point = count + number.exponent;
    bool plain = point > -4 && point <= 16; /* from 1e-4 to below 1e16 */
    return plain ? put_plain(p, digits, count, point) : put_scientific(p, digits, count, point - 1);
}

size_t ep_number_print_float(double value, char *text) { /* SPEC 3.9.4 */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    int biased = (int)(bits >> 52 & 0x7FF);
    char *p = text;
    if (biased == 0x7FF && fraction != 0) {
        return (size_t)(put(p, "nan", 3) - text); /* repr hides a NaN's sign */
    }
    if (bits >> 63 != 0) {
        *p++ = '-';
    }
    if (biased == 0x7FF) {
        p = put(p, "inf", 3);
    } else if (biased == 0 && fraction == 0) {
        p = put(p, "0.0", 3);
    } else if (biased == 0) {
        p = put_decimal(p, shortest(fraction, -1074, false)); /* subnormal */
    } else {
        /* Below a power of two doubles are twice as dense, except below the
         * smallest normal one, where the subnormals go on at its pace. */
        bool narrow = fraction == 0 && biased > 1;
        p = put_decimal(p, shortest(fraction | (uint64_t)1 << 52, biased - 1075, narrow));
    }
    return (size_t)(p - text);
}

EP_API size_t ep_float_text(double value, char *text) {
    return text == NULL ? 0 : ep_number_print_float(value, text);
}
