/*
 * json/number.h - int64 and binary64 to and from text. Integers only: no
 * floating point arithmetic is done, so that neither the locale, nor the
 * rounding mode, nor the width of a register can change a result.
 *
 * Nothing here judges a document. Callers pass tokens that the lexer has
 * found well-formed, and decide themselves what an overflow means.
 */
#ifndef EP_NUMBER_H
#define EP_NUMBER_H

#include "base/span.h"

/* The most bytes that each of the printers writes. */
enum { EP_INT_TEXT_SIZE = 20, EP_FLOAT_TEXT_SIZE = 24 };

/* Python's repr of a double (SPEC 3.9.4). Returns the length; no closing zero. */
size_t ep_number_print_float(double value, char *text);

/* Returns the length; no closing zero. */
size_t ep_number_print_int(int64_t value, char *text);

/* text is -?[0-9]+. False, and *value untouched, when it is beyond int64. */
bool ep_number_read_int(const char *text, size_t size, int64_t *value);

/*
 * text is a JSON number. The nearest binary64, ties to even; infinite beyond
 * the largest, a zero below the smallest, with the sign that is written.
 * Linear in size.
 */
double ep_number_read_float(const char *text, size_t size);

/* Whether text is a number of RFC 8259, whole. */
bool ep_number_is_json(const char *text, size_t size);

#endif
