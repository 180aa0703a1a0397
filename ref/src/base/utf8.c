/*
 * base/utf8.c - see utf8.h. The table of RFC 3629 section 4, as ranges of
 * the second byte by the first.
 */
#include "base/utf8.h"

static unsigned char byte_at(const char *p) {
    return (unsigned char)*p;
}

static bool is_continuation(const char *p) {
    return (byte_at(p) & 0xC0) == 0x80;
}

/* How many bytes a first byte announces; 0 for one that cannot be first. */
static size_t length_of(unsigned char first) {
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xC2) { /* a continuation, or an overlong pair */
        return 0;
    }
    if (first < 0xE0) {
        return 2;
    }
    if (first < 0xF0) {
        return 3;
    }
    return first < 0xF5 ? 4 : 0;
}

size_t ep_utf8_read(const char *p, const char *end, uint32_t *scalar) {
    size_t length = p < end ? length_of(byte_at(p)) : 0;
    if (length == 0 || (size_t)(end - p) < length) {
        return 0;
    }
    if (length == 1) {
        *scalar = byte_at(p);
        return 1;
    }
    uint32_t value = byte_at(p) & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (!is_continuation(p + i)) {
            return 0;
        }
        value = value << 6 | (byte_at(p + i) & 0x3F);
    }
    bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (overlong || surrogate || value > 0x10FFFF) { /* SPEC 2.2.2 */
        return 0;
    }
    *scalar = value;
    return length;
}

size_t ep_utf8_write(uint32_t scalar, char *text) {
    if (scalar < 0x80) {
        text[0] = (char)scalar;
        return 1;
    }
    size_t length = scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--) {
        text[i] = (char)(0x80 | (scalar & 0x3F));
        scalar >>= 6;
    }
    text[0] = (char)((0xF00u >> length & 0xFF) | scalar);
    return length;
}
