/*
 * base/sort.c - see sort.h. Bottom-up merge sort. qsort is neither stable nor bound to
 * n log n, and may allocate memory.
 */
#include "base/sort.h"

typedef struct merging {
    uint32_t *from;
    uint32_t *to;
    size_t count;
    ep_sort_compare *compare;
    const void *context;
} merging;

/* Merges two adjacent runs. */
static void merge(const merging *m, size_t begin, size_t run) {
    size_t middle = begin + run < m->count ? begin + run : m->count;
    size_t end = middle + run < m->count ? middle + run : m->count;
    size_t left = begin;
    size_t right = middle;
    for (size_t i = begin; i < end; i++) {
        bool first = right == end ||
                     (left < middle && m->compare(m->context, m->from[left], m->from[right]) <= 0);
        m->to[i] = first ? m->from[left++] : m->from[right++];
    }
}

static bool is_sorted(const uint32_t *items, size_t count, ep_sort_compare *compare,
                      const void *context) {
    for (size_t i = 1; i < count; i++) {
        if (compare(context, items[i - 1], items[i]) > 0) {
            return false;
        }
    }
    return true;
}

bool ep_sort_numbers(ep_arena *arena, uint32_t *items, size_t count, ep_sort_compare *compare,
                     const void *context) {
    size_t size;
    if (is_sorted(items, count, compare, context)) {
        return true;
    }
    TRY(ep_size_of(count, sizeof *items, 0, &size)); /* LCOV_EXCL_BR_LINE 64 bits hold the size */
    uint32_t *other = ep_arena_take(arena, size);
    TRY(other != NULL);
    merging m = {items, other, count, compare, context};
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * run) {
            merge(&m, begin, run);
        }
        uint32_t *to = m.to;
        m.to = m.from;
        m.from = to;
    }
    if (m.from != items) {
        memcpy(items, m.from, size);
    }
    ep_arena_give(arena, other, size);
    return true;
}

uint32_t *ep_sort_order(ep_arena *arena, size_t count, ep_sort_compare *compare,
                        const void *context) {
    uint32_t *order = ep_arena_array(arena, 0, count, sizeof *order);
    for (size_t i = 0; order != NULL && i < count; i++) {
        order[i] = (uint32_t)i;
    }
    bool ok = order != NULL && ep_sort_numbers(arena, order, count, compare, context);
    return ok ? order : NULL;
}

void ep_sort_apply(const uint32_t *order, uint64_t *items, size_t count, uint64_t *scratch) {
    for (size_t i = 0; i < count; i++) {
        scratch[i] = items[order[i]];
    }
    for (size_t i = 0; i < count; i++) {
        items[i] = scratch[i];
    }
}

int ep_sort_texts(ep_bytes a, ep_bytes b) {
    size_t size = a.size < b.size ? a.size : b.size;
    int order = size == 0 ? 0 : memcmp(a.data, b.data, size);
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}
