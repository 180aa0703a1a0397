/*
 * cursor.h - a pickle that is read from its beginning. Each function takes a part of it,
 * or returns false where it ends before that.
 */
#ifndef ARCHIVE_CURSOR_H
#define ARCHIVE_CURSOR_H

#include "common/buffer.h"
#include "common/macros.h"

#include <string.h>

typedef struct cursor {
    const char *p;
    const char *end;
} cursor;

static inline cursor cursor_of(ep_bytes bytes) {
    return (cursor){bytes.data, bytes.data + bytes.size};
}

static inline bool cursor_bytes(cursor *c, uint64_t size, ep_bytes *bytes) {
    if (size > (uint64_t)(c->end - c->p)) {
        return false;
    }
    *bytes = (ep_bytes){c->p, (size_t)size};
    c->p += size;
    return true;
}

/* An unsigned number of at most eight bytes, its lowest byte first. */
static inline bool cursor_number(cursor *c, size_t size, uint64_t *number) {
    ep_bytes bytes;
    *number = 0;
    TRY(cursor_bytes(c, size, &bytes));
    *number = bytes_number(bytes.data, size);
    return true;
}

/* A line, without its end. */
static inline bool cursor_line(cursor *c, ep_bytes *line) {
    const char *end = c->p == c->end ? NULL : memchr(c->p, '\n', (size_t)(c->end - c->p));
    if (end == NULL) {
        return false;
    }
    *line = (ep_bytes){c->p, (size_t)(end - c->p)};
    c->p = end + 1;
    return true;
}

#endif
