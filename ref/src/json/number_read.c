/*
 * json/number_read.c - the double nearest to a decimal, ties to even (SPEC 3.3).
 *
 * The problem is Clinger's ("How to read floating point numbers accurately", 1990); as
 * in the method of Eisel and Lemire, a product with a 128-bit power of ten settles
 * nearly all cases. The first nineteen digits give a lower and an upper bound of the
 * number. Rounding is monotonic: when both bounds round to the same double, so does the
 * number. More than 99 in 100 of the numbers with over nineteen digits are settled so.
 * The others lie next to the midpoint of two doubles. They are compared with it in
 * exact integers of bounded size.
 */
#include "json/number.h"
#include "json/pow10.h"

enum {
    HEAD_DIGITS = 19,   /* 10^19 < 2^64 */
    EXACT_DIGITS = 768, /* no middle between two doubles has more */
    LARGEST_POW10 = 308 /* 10^309 is beyond binary64 */
};

/*
 * Exponents stop here. No text is long enough for its digits to outweigh this
 * one, and adding a text's length to it does not overflow.
 */
#define EXPONENT_LIMIT ((int64_t)1 << 62)

#define INFINITY_BITS ((uint64_t)0x7FF << 52)

/* (head, and perhaps some more) * 10^exponent, without the sign */
typedef struct scanned {
    uint64_t head;    /* the nineteen digits, or fewer, from the first that is not 0 */
    int64_t exponent; /* of the last digit of head */
    bool more;        /* a digit after these is not 0 */
    const char *rest; /* where the digits after them begin; a point may be there */
    const char *end;  /* of all digits */
} scanned;

/* The exponent after the digits, if there is one. */
static int64_t read_exponent(const char *p, const char *end) {
    if (p == end) {
        return 0;
    }
    p++; /* the letter */
    bool negative = *p == '-';
    p += *p == '-' || *p == '+';
    int64_t exponent = 0;
    for (; p < end; p++) {
        bool room = exponent < EXPONENT_LIMIT / 10;
        exponent = room ? exponent * 10 + (*p - '0') : EXPONENT_LIMIT;
    }
    return negative ? -exponent : exponent;
}

static scanned scan(const char *p, const char *end) {
    scanned number = {.rest = p};
    int count = 0;
    bool fraction = false;
    for (; p < end && *p != 'e' && *p != 'E'; p++) {
        if (*p == '.') {
            fraction = true;
        } else if (count < HEAD_DIGITS) {
            number.head = number.head * 10 + (uint64_t)(*p - '0');
            count += number.head != 0;
            number.exponent -= fraction;
            number.rest = p + 1;
        } else {
            number.more = number.more || *p != '0';
            number.exponent += !fraction;
        }
    }
    number.end = p;
    number.exponent += read_exponent(p, end);
    return number;
}

/* ------------------------------------------------------------ from bounds */

/*
 * The bits of the double nearest to high * 2^exponent, where high has its top
 * bit set; sticky: to that and a little more, less than one unit of high.
 */
static uint64_t round_to_bits(uint64_t high, bool sticky, int exponent) {
    const uint64_t half = (uint64_t)1 << 63;
    int dropped = 11; /* of 64 bits, to leave 53 */
    int biased = exponent + dropped + 1075;
    if (biased < 1) { /* subnormal numbers share the exponent of 1 */
        dropped += 1 - biased;
        biased = 1;
    }
    if (dropped > 64) {
        return 0; /* it is less than half of the smallest */
    }
    uint64_t kept = dropped < 64 ? high >> dropped : 0;
    uint64_t rest = high << (64 - dropped);
    bool up = rest > half || (rest == half && (sticky || kept % 2 != 0));
    /* The top bit of a normal significand adds 1 to the exponent, and so does a
     * carry: the bits of positive doubles are in the order of their values. */
    uint64_t bits = ((uint64_t)(biased - 1) << 52) + kept + up;
    return bits < INFINITY_BITS ? bits : INFINITY_BITS;
}

/* The bits of the double nearest to n * g * 2^exponent; n is not 0, and g has
 * its top bit set. */
static uint64_t product_bits(uint64_t n, ep_wide g, int exponent) {
    for (int step = 32; step > 0; step /= 2) {
        if (n >> (64 - step) == 0) {
            n <<= step;
            exponent -= step;
        }
    }
    ep_product product = ep_multiply_wide(n, g);
    if (product.high >> 63 == 0) { /* it is 2^190 at least: then the next bit is set */
        product.high = product.high << 1 | product.middle >> 63;
        product.middle <<= 1;
        exponent--;
    }
    bool sticky = product.middle != 0 || product.low != 0;
    return round_to_bits(product.high, sticky, exponent + 128);
}

/* ---------------------------------------------------------- from integers */

/* A natural number: limbs[0] is the least, and the top one is not 0.
 * compare_with_middle shows that 82 limbs are enough. */
enum { LIMBS = 82 };

typedef struct natural {
    int count;
    uint32_t limbs[LIMBS];
} natural;

static void set(natural *n, uint64_t value) { /* not 0 */
    n->limbs[0] = (uint32_t)value;
    n->limbs[1] = (uint32_t)(value >> 32);
    n->count = n->limbs[1] != 0 ? 2 : 1;
}

static void multiply_add(natural *n, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (int i = 0; i < n->count; i++) {
        carry += (uint64_t)n->limbs[i] * factor;
        n->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        n->limbs[n->count++] = (uint32_t)carry;
    }
}

static void multiply_pow5(natural *n, int exponent) {
    for (; exponent >= 13; exponent -= 13) {
        multiply_add(n, 1220703125, 0); /* 5^13, the last below 2^32 */
    }
    for (; exponent > 0; exponent--) {
        multiply_add(n, 5, 0);
    }
}

static void multiply_pow2(natural *n, int exponent) {
    int whole = exponent / 32;
    multiply_add(n, (uint32_t)1 << exponent % 32, 0);
    memmove(n->limbs + whole, n->limbs, (size_t)n->count * sizeof n->limbs[0]);
    memset(n->limbs, 0, (size_t)whole * sizeof n->limbs[0]);
    n->count += whole;
}

/* Negative, 0 or positive as a is less than, equal to or greater than b. */
static int compare(const natural *a, const natural *b) {
    if (a->count != b->count) {
        return a->count - b->count;
    }
    for (int i = a->count - 1; i >= 0; i--) {
        if (a->limbs[i] != b->limbs[i]) {
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
        }
    }
    return 0;
}

/*
 * All digits as one natural number; returns the exponent of the last one. No midpoint
 * has digits beyond the 768th. Of the digits beyond, it only matters whether any is not
 * 0; a single digit 1 stands for them.
 */
static int read_digits(const scanned *number, natural *n) {
    int exponent = (int)number->exponent;
    int count = HEAD_DIGITS; /* or less, and then there is no rest */
    uint32_t chunk = 0;
    uint32_t chunk_pow10 = 1;
    bool more = false;
    set(n, number->head);
    for (const char *p = number->rest; p < number->end; p++) {
        if (*p == '.') {
            continue;
        }
        if (count == EXACT_DIGITS) {
            more = more || *p != '0';
            continue;
        }
        chunk = chunk * 10 + (uint32_t)(*p - '0');
        chunk_pow10 *= 10;
        count++;
        exponent--;
        if (chunk_pow10 == 1000000000) {
            multiply_add(n, chunk_pow10, chunk);
            chunk = 0;
            chunk_pow10 = 1;
        }
    }
    multiply_add(n, chunk_pow10, chunk);
    if (more) {
        multiply_add(n, 10, 1);
        exponent--;
    }
    return exponent;
}

/*
 * Negative, 0 or positive as the number is below, at or above the middle
 * between the doubles of bits and bits + 1, which is where it nearly is: the
 * two differ by less than a factor of 2.
 *
 * Both are integers times powers of 2 and of 5. Negative powers of 5 go to the
 * other side as positive ones, and then the powers of 2 that one side has over
 * the other. Before that step no side has more than 2,592 bits (make_pow10
 * --prove); after it, the two are equal but for that factor of 2, so neither
 * has more than 2,593, which is less than 82 limbs.
 */
static int compare_with_middle(const scanned *number, uint64_t bits) {
    natural decimal;
    natural middle;
    const uint64_t top_bit = (uint64_t)1 << 52;
    bool normal = bits >= top_bit;
    uint64_t significand = normal ? top_bit | (bits & (top_bit - 1)) : bits;
    set(&middle, 2 * significand + 1);
    int exponent2 = (normal ? (int)(bits >> 52) : 1) - 1076;
    int exponent10 = read_digits(number, &decimal);

    multiply_pow5(&decimal, exponent10);
    multiply_pow5(&middle, -exponent10);
    if (exponent10 > exponent2) {
        multiply_pow2(&decimal, exponent10 - exponent2);
    } else {
        multiply_pow2(&middle, exponent2 - exponent10);
    }
    return compare(&decimal, &middle);
}

/* ------------------------------------------------------------------- both */

static uint64_t nearest_bits(const scanned *number) {
    /* Below the table even a head of 10^19 is less than half of the smallest
     * double (make_pow10 --check). */
    if (number->head == 0 || number->exponent < EP_POW10_MIN) {
        return 0;
    }
    if (number->exponent > LARGEST_POW10) {
        return INFINITY_BITS;
    }
    int exponent10 = (int)number->exponent;
    int exponent2 = ep_log2_pow10(exponent10) - 127;
    ep_wide above = ep_pow10(exponent10);
    ep_wide below = above;
    below.low -= !ep_pow10_is_exact(exponent10); /* it is not 0 then */
    uint64_t lower = product_bits(number->head, below, exponent2);
    uint64_t upper = product_bits(number->head + number->more, above, exponent2);
    if (lower == upper) {
        return lower;
    }
    /* The bounds differ by less than one part in 2^58, doubles by more: there
     * is one middle between the bounds, and upper is the double after lower. */
    int order = compare_with_middle(number, lower);
    bool up = order > 0 || (order == 0 && lower % 2 != 0);
    return lower + up;
}

double ep_number_read_float(const char *text, size_t size) { /* SPEC 3.3 */
    bool negative = *text == '-';
    scanned number = scan(text + negative, text + size);
    uint64_t bits = nearest_bits(&number) | (uint64_t)negative << 63;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

EP_API bool ep_float_read(ep_bytes text, double *value) {
    TRY(value != NULL && text.data != NULL && ep_number_is_json(text.data, text.size));
    *value = ep_number_read_float(text.data, text.size);
    return true;
}
