/*
 * json/keys.c - see keys.h. Few keys are compared in pairs. More are sorted by a hash
 * of 32 bits, and only texts of equal hash are compared. Many equal hashes, which a
 * hostile file can make, are sorted by text. Heapsort throughout: it works in place,
 * without recursion, in n log n in the worst case.
 */
#include "json/keys.h"

enum { FEW = 8 };

/* A sort of words. The order is that of their values, or that of the texts of the keys
 * whose numbers are the low halves, and then of these numbers. */
typedef struct sorter {
    const char *input; /* NULL: by value */
    const ep_ref *refs;
    uint64_t *words;
    size_t n;
} sorter;

static bool less(const sorter *s, uint64_t a, uint64_t b) {
    if (s->input != NULL) {
        int order = ep_text_compare(s->input, s->refs[(uint32_t)a], s->refs[(uint32_t)b]);
        if (order != 0) {
            return order < 0;
        }
    }
    return a < b;
}

static void sift_down(const sorter *s, size_t root, size_t n) {
    uint64_t word = s->words[root];
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && less(s, s->words[child], s->words[child + 1])) {
            child++;
        }
        if (!less(s, word, s->words[child])) {
            break;
        }
        s->words[root] = s->words[child];
    }
    s->words[root] = word;
}

static void sort(const sorter *s) {
    for (size_t i = s->n / 2; i > 0; i--) {
        sift_down(s, i - 1, s->n);
    }
    for (size_t last = s->n; last > 1; last--) {
        uint64_t largest = s->words[0];
        s->words[0] = s->words[last - 1];
        s->words[last - 1] = largest;
        sift_down(s, 0, last - 1);
    }
}

/* The first repeat among neighbours that share a hash; n if there is none. */
static size_t repeat_in_run(const sorter *run, size_t n) {
    size_t second = n;
    bool few = run->n <= FEW;
    if (!few) {
        sort(run);
    }
    for (size_t i = 1; i < run->n; i++) {
        size_t here = (uint32_t)run->words[i];
        for (size_t j = few ? 0 : i - 1; j < i && here < second; j++) {
            if (ep_text_compare(run->input, run->refs[(uint32_t)run->words[j]], run->refs[here]) ==
                0) {
                second = here;
            }
        }
    }
    return second;
}

static size_t repeat_in_sorted(const sorter *all) {
    size_t second = all->n;
    for (size_t start = 0, end; start < all->n; start = end) {
        uint64_t hash = all->words[start] >> 32;
        for (end = start + 1; end < all->n && all->words[end] >> 32 == hash; end++) {
        }
        if (end - start > 1) {
            sorter run = {all->input, all->refs, all->words + start, end - start};
            size_t found = repeat_in_run(&run, all->n);
            second = found < second ? found : second;
        }
    }
    return second;
}

static size_t repeat_in_pairs(const char *input, const ep_ref *refs, size_t n) {
    for (size_t i = 1; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (ep_text_compare(input, refs[i], refs[j]) == 0) {
                return i;
            }
        }
    }
    return n;
}

bool ep_keys_find_repeat(const char *input, const ep_ref *refs, size_t n, ep_stack *scratch,
                         size_t *second) {
    if (n <= FEW) {
        *second = repeat_in_pairs(input, refs, n);
        return true;
    }
    /* LCOV_EXCL_START so many keys take 64 GB */
    TRY(n <= UINT32_MAX && ep_stack_reserve(scratch, n));
    /* LCOV_EXCL_STOP */
    uint64_t *words = scratch->words + scratch->count;
    for (size_t i = 0; i < n; i++) {
        words[i] = (uint64_t)ep_text_hash(input, refs[i]) << 32 | i;
    }
    sorter by_hash = {NULL, refs, words, n};
    sort(&by_hash);
    sorter all = {input, refs, words, n};
    *second = repeat_in_sorted(&all);
    return true;
}
