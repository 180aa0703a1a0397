/*
 * json/number.c - the grammar of numbers, and integers. See number.h; floats are in
 * number_print.c and number_read.c. Clauses SPEC 2.6, 3.2.
 */
#include "json/number.h"

static const char *skip_digits(const char *p, const char *end) {
    while (p < end && ep_is_digit(*p)) {
        p++;
    }
    return p;
}

static bool is_at(const char *p, const char *end, char a, char b) {
    return p < end && (*p == a || *p == b);
}

bool ep_number_is_json(const char *text, size_t size) { /* SPEC 2.6 */
    if (size == 0) {
        return false; /* and text may be NULL */
    }
    const char *end = text + size;
    const char *p = text + (*text == '-');
    const char *start = p;
    p = skip_digits(p, end);
    if (p == start || (*start == '0' && p - start > 1)) {
        return false;
    }
    if (is_at(p, end, '.', '.')) {
        start = p + 1;
        p = skip_digits(start, end);
        TRY(p > start);
    }
    if (is_at(p, end, 'e', 'E')) {
        start = p + 1;
        start += is_at(start, end, '+', '-');
        p = skip_digits(start, end);
        TRY(p > start);
    }
    return p == end;
}

bool ep_number_read_int(const char *text, size_t size, int64_t *value) {
    const char *end = text + size;
    bool negative = *text == '-';
    const char *p = text + negative;
    while (p < end && *p == '0') {
        p++;
    }
    TRY(end - p <= 19); /* 10^19 > 2^63; and nineteen digits fit the magnitude */
    uint64_t magnitude = 0;
    for (; p < end; p++) {
        magnitude = magnitude * 10 + (uint64_t)(*p - '0');
    }
    TRY(magnitude <= (uint64_t)INT64_MAX + negative); /* SPEC 3.2 */
    /* int64_t is two's complement by definition: its bits are the residue. */
    uint64_t bits = negative ? 0 - magnitude : magnitude;
    memcpy(value, &bits, sizeof bits);
    return true;
}

size_t ep_number_print_int(int64_t value, char *text) {
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    char digits[EP_INT_TEXT_SIZE];
    char *p = digits + sizeof digits;
    do {
        *--p = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0) {
        *--p = '-';
    }
    size_t size = (size_t)(digits + sizeof digits - p);
    memcpy(text, p, size);
    return size;
}
