/*
 * json/keys.c - see keys.h. Few keys are compared in pairs, more are looked up in a table by
 * their hash. Keys that meet too often there, which a hostile file can bring about, are
 * sorted by their texts: heapsort, which works in place, without recursion, in n log n in
 * the worst case.
 */
#include "json/keys.h"

enum {
    FEW = 8,
    WORK = 8,      /* comparisons that each key may cost, on the average */
    WORK_BYTES = 8 /* and one more for so many bytes of it */
};

typedef struct keys {
    const char *input;
    const ep_ref *refs;
    size_t n;
} keys;

static bool is_same(const char *input, ep_ref a, ep_ref b) {
    bool plain = ((ep_ref_flags(a) | ep_ref_flags(b)) & EP_REF_ESCAPED) == 0;
    return !(plain && ep_ref_size(a) != ep_ref_size(b)) && ep_text_compare(input, a, b) == 0;
}

static size_t repeat_in_pairs(const keys *k) {
    for (size_t i = 1; i < k->n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (is_same(k->input, k->refs[i], k->refs[j])) {
                return i;
            }
        }
    }
    return k->n;
}

/* ----------------------------------------------------------------- a table */

/* The slots of the table: a power of two, at least half of them empty. */
static size_t table_size(size_t n) {
    size_t size = 4 * (size_t)FEW;
    while (size / 2 < n) {
        size *= 2;
    }
    return size;
}

/* A slot is 0, or the number of a key from 1 on. False when it takes too much work. */
static bool repeat_in_table(const keys *k, uint32_t *slots, size_t size, size_t *second) {
    size_t allowed = 0;
    memset(slots, 0, size * sizeof *slots);
    for (size_t i = 0; i < k->n; i++) {
        size_t work = 1 + ep_ref_size(k->refs[i]) / WORK_BYTES;
        size_t at = ep_text_hash(k->input, k->refs[i]) & (size - 1);
        allowed += WORK * work;
        for (; slots[at] != 0; at = (at + 1) & (size - 1)) {
            if (is_same(k->input, k->refs[i], k->refs[slots[at] - 1])) {
                *second = i;
                return true;
            }
            TRY(allowed >= work);
            allowed -= work;
        }
        slots[at] = (uint32_t)i + 1;
    }
    *second = k->n;
    return true;
}

/* ------------------------------------------------------------------ a sort */

/* By the texts of keys, equal ones in document order. */
static bool is_less(const keys *k, uint32_t a, uint32_t b) {
    int order = ep_text_compare(k->input, k->refs[a], k->refs[b]);
    return order < 0 || (order == 0 && a < b);
}

static void sift_down(const keys *k, uint32_t *heap, size_t root, size_t n) {
    uint32_t key = heap[root];
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && is_less(k, heap[child], heap[child + 1])) {
            child++;
        }
        if (!is_less(k, key, heap[child])) {
            break;
        }
        heap[root] = heap[child];
    }
    heap[root] = key;
}

static size_t repeat_in_sorted(const keys *k, uint32_t *heap) {
    size_t second = k->n;
    for (size_t i = 0; i < k->n; i++) {
        heap[i] = (uint32_t)i;
    }
    for (size_t i = k->n / 2; i > 0; i--) {
        sift_down(k, heap, i - 1, k->n);
    }
    for (size_t last = k->n; last-- > 1;) { /* heap[last + 1] is the one before */
        uint32_t largest = heap[0];
        heap[0] = heap[last];
        heap[last] = largest;
        sift_down(k, heap, 0, last);
        if (is_same(k->input, k->refs[largest], k->refs[heap[0]]) && largest < second) {
            second = largest;
        }
    }
    return second;
}

bool ep_keys_find_repeat(const char *input, const ep_ref *refs, size_t n, ep_stack *scratch,
                         size_t *second) {
    keys k = {input, refs, n};
    if (n <= FEW) {
        *second = repeat_in_pairs(&k);
        return true;
    }
    size_t size = table_size(n);
    /* LCOV_EXCL_START so many keys take 64 GB */
    TRY(n < UINT32_MAX && ep_stack_reserve(scratch, size / 2));
    /* LCOV_EXCL_STOP */
    uint32_t *words = (uint32_t *)(scratch->words + scratch->count);
    if (!repeat_in_table(&k, words, size, second)) {
        *second = repeat_in_sorted(&k, words);
    }
    return true;
}
