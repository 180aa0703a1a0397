/*
 * text/search.h - the one binary search.
 */
#ifndef EPCONFORM_SEARCH_H
#define EPCONFORM_SEARCH_H

#include <stdlib.h>

/* An item of a sorted array that compares equal to a key; NULL: it has none. An
 * array of nothing may be NULL, which bsearch does not allow. */
static inline const void *search(const void *key, const void *items, size_t count, size_t size,
                                 int (*compare)(const void *key, const void *item)) {
    return count == 0 ? NULL : bsearch(key, items, count, size, compare);
}

#endif
