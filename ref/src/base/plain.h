/*
 * base/plain.h - the length of a run of plain string bytes, the hottest loop of the
 * library. It takes 16 bytes at a time with SSE2, elsewhere 8 within one word. A test
 * compares the two.
 */
#ifndef EP_PLAIN_H
#define EP_PLAIN_H

#include "base/span.h"

#if defined(__SSE2__) && defined(__GNUC__) && !defined(EP_PORTABLE)
#include <emmintrin.h>
#define EP_PLAIN_SSE2 1
#endif

enum { EP_PLAIN_RUN = 16 }; /* bytes that ep_plain_run looks at */

static inline bool ep_is_plain(char c) {
    return c >= ' ' && c < 0x7F && c != '"' && c != '\\';
}

static inline const char *ep_plain_tail(const char *p, const char *end) {
    while (p < end && ep_is_plain(*p)) {
        p++;
    }
    return p;
}

#ifdef EP_PLAIN_SSE2

/* Bits of the bytes that are not plain. One more than the byte, signed, is below '!' for
 * control characters, for 0x7F, and for all above. */
static inline unsigned ep_special_16(const char *p) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i next = _mm_add_epi8(bytes, _mm_set1_epi8(1));
    __m128i other = _mm_cmplt_epi8(next, _mm_set1_epi8('!'));
    __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    __m128i slash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(other, _mm_or_si128(quote, slash)));
}

/* How many of EP_PLAIN_RUN bytes from p on are plain before one that is not. */
EP_INLINE size_t ep_plain_run(const char *p) {
    return (unsigned)__builtin_ctz(ep_special_16(p) | 1u << EP_PLAIN_RUN);
}

/* The first byte from p on that is not plain; end if there is none. */
static inline const char *ep_plain_end(const char *p, const char *end) {
    for (; end - p >= 16; p += 16) {
        unsigned special = ep_special_16(p);
        if (special != 0) {
            return p + __builtin_ctz(special);
        }
    }
    return ep_plain_tail(p, end);
}

#else

/* A high bit in every byte that may not be plain. Borrows can mark a plain byte above a
 * special one, but never miss one; the caller checks each mark. */
static inline uint64_t ep_special_8(uint64_t bytes) {
    const uint64_t ones = 0x0101010101010101u;
    const uint64_t highs = ones << 7;
    uint64_t quote = bytes ^ (ones * '"');
    uint64_t slash = bytes ^ (ones * '\\');
    uint64_t low = bytes - ones * ' ';
    uint64_t delete = bytes + ones;
    return (bytes | low | delete | (quote - ones) | (slash - ones)) & highs;
}

/* The first byte from p on that is not plain; end if there is none. */
static inline const char *ep_plain_end(const char *p, const char *end) {
    for (; end - p >= 8; p += 8) {
        if (ep_special_8(ep_load64(p)) != 0) {
            const char *special = ep_plain_tail(p, p + 8);
            if (special != p + 8) {
                return special;
            }
        }
    }
    return ep_plain_tail(p, end);
}

/* How many of EP_PLAIN_RUN bytes from p on are plain before one that is not. */
static inline size_t ep_plain_run(const char *p) {
    return (size_t)(ep_plain_end(p, p + EP_PLAIN_RUN) - p);
}

#endif

#endif
