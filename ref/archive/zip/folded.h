/*
 * folded.h - names compared without regard to case, as PyTorch's reader of archives compares
 * them (SPEC 8.1.8).
 */
#ifndef ARCHIVE_FOLDED_H
#define ARCHIVE_FOLDED_H

#include <string.h>

#include "common/buffer.h"

static inline char folded_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool folded_equal(const char *a, const char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (folded_lower(a[i]) != folded_lower(b[i])) {
            return false;
        }
    }
    return true;
}

static inline bool folded_start(ep_bytes text, const char *start) {
    size_t size = strlen(start);
    return text.size >= size && folded_equal(text.data, start, size);
}

static inline bool folded_end(ep_bytes text, const char *end) {
    size_t size = strlen(end);
    return text.size >= size && folded_equal(text.data + text.size - size, end, size);
}

#endif
