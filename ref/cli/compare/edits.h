/*
 * edits.h - which rows of one listing are which rows of another, in order, by equal keys.
 */
#ifndef CLI_COMPARE_EDITS_H
#define CLI_COMPARE_EDITS_H

#include "listing.h"

typedef struct edits_room edits_room;

/* Rows of both listings, from the first to one past the last. */
typedef struct edits_span {
    size_t from[2];
    size_t to[2];
} edits_span;

/* Room for matching; NULL for want of memory. edits_free frees it. */
edits_room *edits_make(void);
void edits_free(edits_room *e);

/* Matches rows of equal keys in a span, as many as are found: match[side][row] becomes the row
 * of the other. Rows out of the span, and rows that are matched with none, are left as they
 * are. Linear in the span. */
void edits_match(edits_room *e, const listing *const sides[2], listing_key key, edits_span span,
                 uint32_t *const match[2]);

#endif
