/*
 * scan.h - a header of a file of tensors, read from its beginning to its end: what the index
 * of safetensors and the dict of .npy have in common.
 */
#ifndef ARCHIVE_SCAN_H
#define ARCHIVE_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What is left of it. */
typedef struct scan {
    const char *p;
    const char *end;
    const char *blanks; /* that may stand anywhere between */
    const char *form;   /* why it is refused where something else should stand */
    const char *why;    /* what is wrong; NULL: nothing yet */
} scan;

static inline bool scan_fail(scan *c, const char *why) {
    c->why = c->why != NULL ? c->why : why;
    return false;
}

static inline void scan_skip(scan *c) {
    while (c->p < c->end && *c->p != '\0' && strchr(c->blanks, *c->p) != NULL) {
        c->p++;
    }
}

static inline bool scan_is_next(scan *c, char byte) {
    scan_skip(c);
    return c->p < c->end && *c->p == byte;
}

static inline bool scan_take(scan *c, char byte) {
    if (!scan_is_next(c, byte)) {
        return scan_fail(c, c->form);
    }
    c->p++;
    return true;
}

/* An integer from 0 on, without a zero before it. */
static inline bool scan_number(scan *c, int64_t *number) {
    scan_skip(c);
    const char *first = c->p;
    *number = 0;
    for (; c->p < c->end && '0' <= *c->p && *c->p <= '9'; c->p++) {
        int digit = *c->p - '0';
        if (*number > (INT64_MAX - digit) / 10) {
            return scan_fail(c, "a size or an offset is beyond 64 bits");
        }
        *number = *number * 10 + digit;
    }
    bool sound = c->p > first && (*first != '0' || c->p == first + 1);
    return sound || scan_fail(c, "what should be a size or an offset is no integer from 0 on");
}

#endif
