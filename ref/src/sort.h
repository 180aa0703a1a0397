/*
 * sort.h - layer 1: numbers of things put in order, stable.
 */
#ifndef EP_SORT_H
#define EP_SORT_H

#include "arena.h"

/* Less than 0, 0 or more than 0, as the first thing is before, like or behind
 * the second. */
typedef int ep_sort_compare(const void *context, uint32_t a, uint32_t b);

/* Sorts; what compares equal stays in its order. False for want of memory, the
 * items then being as they were. n log n comparisons. */
bool ep_sort_numbers(ep_arena *arena, uint32_t *items, size_t count, ep_sort_compare *compare,
                     const void *context);

/* Texts by their bytes, which is by their code points. */
int ep_sort_texts(ep_bytes a, ep_bytes b);

#endif
