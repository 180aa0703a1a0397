/*
 * base/span.h - what every file of the library uses: bytes of text, unaligned loads,
 * checked sizes. Inline functions without state.
 */
#ifndef EP_SPAN_H
#define EP_SPAN_H

#include "base/never.h"
#include "epref.h"

#include <string.h>

/* Returns false when the expression is false. The only macro that changes the control
 * flow. */
#define TRY(condition)                                                                             \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return false;                                                                          \
    } while (0)

#define EP_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* For branches that hot paths rarely take; a hint for the compiler only. */
#if defined(__GNUC__)
#define EP_LIKELY(x) __builtin_expect(!!(x), 1)
#define EP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define EP_NOINLINE __attribute__((noinline))
#define EP_INLINE static inline __attribute__((always_inline))
#define EP_UNUSED __attribute__((unused))
#else
#define EP_LIKELY(x) (x)
#define EP_UNLIKELY(x) (x)
#define EP_NOINLINE
#define EP_INLINE static inline
#define EP_UNUSED
#endif

static inline uint64_t ep_load64(const char *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* Text that is known when the program is written, as bytes. */
#define EP_TEXT(literal) ((ep_bytes){(literal), sizeof(literal) - 1})

static inline ep_bytes ep_text_of(const char *zero_terminated) {
    ep_bytes text = {zero_terminated, 0};
    while (zero_terminated[text.size] != '\0') {
        text.size++;
    }
    return text;
}

static inline bool ep_text_equal(ep_bytes a, ep_bytes b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* Whether a text is one of an array of words. */
#define EP_TEXT_AMONG(text, words) ep_text_among(text, words, EP_COUNT_OF(words))

static inline bool ep_text_among(ep_bytes text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (ep_text_equal(text, ep_text_of(words[i]))) {
            return true;
        }
    }
    return false;
}

/* A text of up to eight bytes as a word, which no other text of its length is. */
static inline uint64_t ep_load_short(const char *at, size_t size) {
    if (size >= 4) {
        uint32_t first, last;
        memcpy(&first, at, sizeof first);
        memcpy(&last, at + size - 4, sizeof last);
        return first | (uint64_t)last << 32;
    }
    if (size == 0) {
        return 0;
    }
    return (uint64_t)(unsigned char)at[0] << 16 | (uint64_t)(unsigned char)at[size / 2] << 8 |
           (unsigned char)at[size - 1];
}

/* ep_text_equal, without a call for texts as short as most names. */
EP_INLINE bool ep_name_equal(ep_bytes a, ep_bytes b) {
    if (a.size != b.size) {
        return false;
    }
    if (a.size <= 8) {
        return ep_load_short(a.data, a.size) == ep_load_short(b.data, b.size);
    }
    if (a.size <= 16) {
        return ep_load64(a.data) == ep_load64(b.data) &&
               ep_load64(a.data + a.size - 8) == ep_load64(b.data + b.size - 8);
    }
    return memcmp(a.data, b.data, a.size) == 0;
}

/* Whether there is an address where one is needed: no bytes need none. */
static inline bool ep_text_is_there(ep_bytes text) {
    return text.data != NULL || text.size == 0;
}

static inline bool ep_is_digit(char c) {
    return c >= '0' && c <= '9';
}

static inline bool ep_is_word_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool ep_is_word(char c) {
    return ep_is_word_start(c) || ep_is_digit(c);
}

/* The byte behind an identifier that begins at a place; the place itself when none does. */
static inline const char *ep_identifier_end(const char *p, const char *end) {
    const char *at = p;
    while (at != end && (ep_is_word_start(*at) || (at != p && ep_is_digit(*at)))) {
        at++;
    }
    return at;
}

static inline bool ep_is_identifier(ep_bytes text) {
    const char *end = text.data + text.size;
    return text.size > 0 && ep_identifier_end(text.data, end) == end;
}

/* The value of a hexadecimal digit, -1 if it is none. */
static inline int ep_hex_value(char c) {
    if (ep_is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* a * b + c, or false when it does not fit in a size. */
static inline bool ep_size_of(size_t a, size_t b, size_t c, size_t *result) {
    if (b != 0 && a > (SIZE_MAX - c) / b) { /* LCOV_EXCL_BR_LINE in ref/src b is not 0 */
        return false;
    }
    *result = a * b + c;
    return true;
}

#endif
