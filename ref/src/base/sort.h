/*
 * base/sort.h - numbers of things put in order, stable.
 */
#ifndef EP_SORT_H
#define EP_SORT_H

#include "base/arena.h"

/* Less than 0, 0 or more than 0, as the first thing is before, like or behind
 * the second. */
typedef int ep_sort_compare(const void *context, uint32_t a, uint32_t b);

/* Sorts; what compares equal stays in its order. False for want of memory, the
 * items then being as they were. n log n comparisons. */
bool ep_sort_numbers(ep_arena *arena, uint32_t *items, size_t count, ep_sort_compare *compare,
                     const void *context);

/* The numbers below count in their order, in the arena. NULL for want of memory. */
uint32_t *ep_sort_order(ep_arena *arena, size_t count, ep_sort_compare *compare,
                        const void *context);

/* Puts items in an order; scratch is as long. */
void ep_sort_apply(const uint32_t *order, uint64_t *items, size_t count, uint64_t *scratch);

/* Texts by their bytes, which is by their code points. */
int ep_sort_texts(ep_bytes a, ep_bytes b);

#endif
