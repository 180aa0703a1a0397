/*
 * base/sort.h - a stable sort of the numbers of things.
 */
#ifndef EP_SORT_H
#define EP_SORT_H

#include "base/arena.h"

/* Less than 0, 0 or more than 0, as the first thing comes before, with or after the
 * second. */
typedef int ep_sort_compare(const void *context, uint32_t a, uint32_t b);

/* Sorts; things that compare equal keep their order. False for want of memory; the
 * items are then unchanged. n log n comparisons. */
bool ep_sort_numbers(ep_arena *arena, uint32_t *items, size_t count, ep_sort_compare *compare,
                     const void *context);

/* The numbers below count in their order, in the arena. NULL for want of memory. */
uint32_t *ep_sort_order(ep_arena *arena, size_t count, ep_sort_compare *compare,
                        const void *context);

/* Permutes items; scratch has the same length. */
void ep_sort_apply(const uint32_t *order, uint64_t *items, size_t count, uint64_t *scratch);

/* Texts by their bytes, which is by their code points. */
int ep_sort_texts(ep_bytes a, ep_bytes b);

#endif
