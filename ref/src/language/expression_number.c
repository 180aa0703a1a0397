/*
 * language/expression_number.c - integers and floats as sympy prints them (SPEC 4.1.6).
 * A float is a decimal of a limited number of significant digits, in fixed notation
 * while its exponent is small. Whether the digits are the nearest to a binary64 is not
 * checked.
 */
#include "language/expression_reader.h"

const char *ep_expression_digits_end(const char *at, const char *end) {
    if (at != end && *at == '0') {
        return at + 1;
    }
    while (at != end && ep_is_digit(*at)) {
        at++;
    }
    return at;
}

typedef struct decimal {
    ep_bytes whole;
    ep_bytes fraction;
    bool scientific;
    bool negative_exponent;
    size_t exponent;
} decimal;

enum { EXPONENT_DIGITS = 6 };

/* e+15, e-5: a sign always, no leading zero. */
static bool read_exponent(const char **p, const char *end, decimal *d) {
    d->scientific = true;
    ++*p;
    TRY(*p != end && (**p == '+' || **p == '-'));
    d->negative_exponent = **p == '-';
    ++*p;
    TRY(*p != end && **p >= '1' && **p <= '9');
    const char *begin = *p;
    for (; *p != end && ep_is_digit(**p); ++*p) {
        TRY(*p - begin < EXPONENT_DIGITS);
        d->exponent = d->exponent * 10 + (size_t)(**p - '0');
    }
    return true;
}

static bool read_decimal(const char **p, const char *end, decimal *d) {
    const char *begin = *p;
    *p = ep_expression_digits_end(begin, end);
    d->whole = (ep_bytes){begin, (size_t)(*p - begin)};
    TRY(d->whole.size != 0 && *p != end && **p == '.');
    begin = ++*p;
    while (*p != end && ep_is_digit(**p)) {
        ++*p;
    }
    d->fraction = (ep_bytes){begin, (size_t)(*p - begin)};
    return *p == end || **p != 'e' || read_exponent(p, end, d);
}

static size_t leading_zeros(ep_bytes digits) {
    size_t n = 0;
    while (n < digits.size && digits.data[n] == '0') {
        n++;
    }
    return n;
}

static bool ends_in_zero(const decimal *d) {
    return d->fraction.data[d->fraction.size - 1] == '0';
}

/* As few digits as there are, or in INFIX as many as may be. */
static bool has_its_digits(const decimal *d, bool whole_is_zero, size_t digits, bool may_fill) {
    bool bare = d->fraction.size == 1 && d->fraction.data[0] == '0';
    size_t significant = whole_is_zero ? d->fraction.size - leading_zeros(d->fraction)
                                       : d->whole.size + d->fraction.size;
    if (d->fraction.size != 0 && (bare || !ends_in_zero(d))) {
        return (bare ? d->whole.size : significant) <= digits;
    }
    return may_fill && significant == digits;
}

/* Fixed notation for exponents of 10 between -digits / 3 and digits, which are 15 or more. */
static bool has_its_notation(const decimal *d, bool whole_is_zero, size_t digits) {
    size_t smallest = digits / 3;
    if (d->scientific) {
        return !whole_is_zero && d->whole.size == 1 &&
               d->exponent >= (d->negative_exponent ? smallest : digits);
    }
    if (whole_is_zero) { /* 0.0 and 0.01 */
        size_t zeros = leading_zeros(d->fraction);
        return d->fraction.size == 1 || zeros + 1 < smallest;
    }
    return d->whole.size <= digits;
}

const char *ep_expression_float_end(ep_bytes text, size_t digits, bool may_fill,
                                    const char **wrong) {
    decimal d = {.scientific = false};
    const char *p = text.data;
    if (!read_decimal(&p, text.data + text.size, &d)) {
        *wrong = p;
        return NULL;
    }
    bool whole_is_zero = d.whole.data[0] == '0';
    if (digits != 0 && (!has_its_digits(&d, whole_is_zero, digits, may_fill) ||
                        !has_its_notation(&d, whole_is_zero, digits))) {
        *wrong = text.data;
        return NULL;
    }
    return p;
}
