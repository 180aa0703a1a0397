/*
 * base/text.h - a JSON string as the tree keeps it. The bytes between the quotes stay
 * in the input. 64 bits hold the offset, the size, and flags that say whether decoding
 * or re-encoding is needed; most strings need neither.
 */
#ifndef EP_TEXT_H
#define EP_TEXT_H

#include "base/span.h"

/* offset (32 bits) | size (29) | flags (3) */
typedef uint64_t ep_ref;

enum {
    EP_REF_ESCAPED = 1, /* holds a backslash: decode before comparing */
    EP_REF_FOREIGN = 2, /* not the text that PyTorch would write: encode anew */
    EP_REF_FLAG_BITS = 3,
    EP_REF_SIZE_BITS = 29
};

#define EP_REF_SIZE_MAX (((size_t)1 << EP_REF_SIZE_BITS) - 1)
#define EP_REF_OFFSET_MAX ((size_t)UINT32_MAX)

static inline ep_ref ep_ref_make(size_t offset, size_t size, unsigned flags) {
    return (uint64_t)offset << 32 | (uint64_t)size << EP_REF_FLAG_BITS | flags;
}

static inline size_t ep_ref_offset(ep_ref ref) {
    return (size_t)(ref >> 32);
}

static inline size_t ep_ref_size(ep_ref ref) {
    return (size_t)(ref >> EP_REF_FLAG_BITS) & EP_REF_SIZE_MAX;
}

static inline unsigned ep_ref_flags(ep_ref ref) {
    return (unsigned)ref & ((1u << EP_REF_FLAG_BITS) - 1);
}

/* The bytes between the quotes, as they stand. */
static inline ep_bytes ep_ref_raw(const char *input, ep_ref ref) {
    return (ep_bytes){input + ep_ref_offset(ref), ep_ref_size(ref)};
}

/* Reads the scalar values of a valid string one after the other. */
typedef struct ep_text_cursor {
    const char *p;
    const char *end;
} ep_text_cursor;

static inline ep_text_cursor ep_text_begin(const char *input, ep_ref ref) {
    ep_bytes raw = ep_ref_raw(input, ref);
    return (ep_text_cursor){raw.data, raw.data + raw.size};
}

/* False at the end. */
bool ep_text_next(ep_text_cursor *cursor, uint32_t *scalar);

/* The decoded text as UTF-8 into a buffer of ep_ref_size bytes, which is
 * always enough. Returns its length. */
size_t ep_text_decode(const char *input, ep_ref ref, char *buffer);

/* Whether the decoded text is these bytes. */
bool ep_text_is(const char *input, ep_ref ref, ep_bytes text);

/* Less, equal or greater, by decoded text: any total order will do. */
int ep_text_compare(const char *input, ep_ref a, ep_ref b);

/* A hash of the decoded text. */
uint32_t ep_text_hash(const char *input, ep_ref ref);

#endif
