/*
 * base/utf8.h - one scalar value of UTF-8, checked (SPEC 2.2.2).
 */
#ifndef EP_UTF8_H
#define EP_UTF8_H

#include "base/span.h"

/*
 * The length in bytes of the scalar value that begins at p, 1 to 4, and the
 * value; 0 when the bytes are no UTF-8: overlong, a surrogate, beyond
 * U+10FFFF, or cut.
 */
size_t ep_utf8_read(const char *p, const char *end, uint32_t *scalar);

/* Writes a scalar value; returns 1 to 4 bytes. */
size_t ep_utf8_write(uint32_t scalar, char *text);

#endif
