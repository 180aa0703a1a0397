/*
 * numbers.c - see numbers.h. A float is a sign, an exponent and a fraction; what its
 * greatest exponent means is a matter of the dtype.
 */
#include "numbers.h"
#include "common/macros.h"

#include <math.h>
#include <string.h>

/* What the bits of all ones in the exponent are. */
typedef enum top {
    TOP_IEEE,    /* infinities and NaN */
    TOP_FINITE,  /* numbers, but that all bits set are NaN */
    TOP_UNSIGNED /* numbers; the sign alone is NaN */
} top;

typedef struct float_row {
    const char *torch;
    int exponent; /* bits */
    int fraction;
    int bias;
    top top;
} float_row;

static const float_row floats[] = {
    {"float16", 5, 10, 15, TOP_IEEE},
    {"bfloat16", 8, 7, 127, TOP_IEEE},
    {"float32", 8, 23, 127, TOP_IEEE},
    {"float64", 11, 52, 1023, TOP_IEEE},
    {"complex32", 5, 10, 15, TOP_IEEE},
    {"complex64", 8, 23, 127, TOP_IEEE},
    {"complex128", 11, 52, 1023, TOP_IEEE},
    {"float8_e4m3fn", 4, 3, 7, TOP_FINITE},
    {"float8_e5m2", 5, 2, 15, TOP_IEEE},
    {"float8_e4m3fnuz", 4, 3, 8, TOP_UNSIGNED},
    {"float8_e5m2fnuz", 5, 2, 16, TOP_UNSIGNED},
};

static bool is_nan(const float_row *row, bool negative, uint64_t exponent, uint64_t fraction) {
    uint64_t most = ((uint64_t)1 << row->exponent) - 1;
    return row->top == TOP_IEEE ? exponent == most
           : row->top == TOP_FINITE
               ? exponent == most && fraction + 1 == (uint64_t)1 << row->fraction
               : negative && exponent == 0 && fraction == 0;
}

/* False where it is no finite number. */
static bool float_of(const float_row *row, uint64_t bits, double *number) {
    bool negative = (bits >> (row->exponent + row->fraction) & 1) != 0;
    uint64_t exponent = bits >> row->fraction & (((uint64_t)1 << row->exponent) - 1);
    uint64_t fraction = bits & (((uint64_t)1 << row->fraction) - 1);
    if (is_nan(row, negative, exponent, fraction)) {
        return false;
    }
    uint64_t whole = exponent == 0 ? fraction : fraction | (uint64_t)1 << row->fraction;
    int power = (exponent == 0 ? 1 : (int)exponent) - row->bias - row->fraction;
    *number = ldexp((double)whole, power) * (negative ? -1 : 1);
    return true;
}

static double distance_of_integers(uint64_t a, uint64_t b, bool is_signed) {
    bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
    return (double)(less ? b - a : a - b);
}

/* An integer of two's complement with its sign in all 64 bits. */
static uint64_t extended(uint64_t bits, size_t size) {
    uint64_t sign = (uint64_t)1 << (8 * size - 1);
    return (bits ^ sign) - sign;
}

static const float_row *float_row_of(const dtype_row *dtype) {
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++) {
        if (strcmp(floats[i].torch, dtype->torch) == 0) {
            return &floats[i];
        }
    }
    return NULL;
}

static bool distance_of_floats(const float_row *row, size_t size, const char *a, const char *b,
                               double *distance) {
    size_t part = (size_t)(1 + row->exponent + row->fraction) / 8;
    *distance = 0;
    for (size_t i = 0; i < size; i += part) {
        double numbers[2];
        TRY(float_of(row, bytes_number(a + i, part), &numbers[0]) &&
            float_of(row, bytes_number(b + i, part), &numbers[1]));
        double apart = fabs(numbers[0] - numbers[1]);
        *distance = apart > *distance ? apart : *distance;
    }
    return isfinite(*distance);
}

bool numbers_distance(const dtype_row *dtype, const char *a, const char *b, double *distance) {
    const float_row *row = float_row_of(dtype);
    uint64_t bits[2] = {bytes_number(a, dtype->size < 8 ? dtype->size : 8),
                        bytes_number(b, dtype->size < 8 ? dtype->size : 8)};
    if (row != NULL) {
        return distance_of_floats(row, dtype->size, a, b, distance);
    }
    if (strcmp(dtype->torch, "float8_e8m0fnu") == 0) { /* a power of two; no sign */
        bool finite = bits[0] != 0xFF && bits[1] != 0xFF;
        *distance = fabs(ldexp(1, (int)bits[0] - 127) - ldexp(1, (int)bits[1] - 127));
        return finite;
    }
    bool is_signed = dtype->torch[0] == 'i';
    if (is_signed) {
        bits[0] = extended(bits[0], dtype->size);
        bits[1] = extended(bits[1], dtype->size);
    }
    *distance = distance_of_integers(bits[0], bits[1], is_signed);
    return true;
}
