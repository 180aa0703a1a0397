/*
 * test_sort.c - sort.c against what sorting means: everything is there still, in
 * order, and what is equal as it stood; whatever the size, in orders that hurt
 * other sorts, and without memory.
 */
#include "base/sort.h"

#include "check.h"
#include "support.h"

#include <stdlib.h>

enum { SMALL = 70, LARGE = 100000 };

/* What is sorted: numbers of keys. */
typedef struct keys {
    uint32_t *keys;
    size_t count;
    size_t compared;
} keys;

static keys sorted; /* a comparison counts itself, which its context cannot */

static int compare(const void *context, uint32_t a, uint32_t b) {
    const keys *k = context;
    sorted.compared++;
    return (k->keys[a] > k->keys[b]) - (k->keys[a] < k->keys[b]);
}

/* What each of the orders has at a place. */
typedef enum order {
    RISING,
    FALLING,
    EQUAL,
    SAW,
    ORGAN_PIPE,
    TWO,
    LAST_FIRST,
    DRAWN,
    ORDERS
} order;

static uint32_t key_at(order kind, size_t i, size_t count, uint64_t *draw) {
    switch (kind) {
    case RISING:
        return (uint32_t)i;
    case FALLING:
        return (uint32_t)(count - i);
    case EQUAL:
        return 7;
    case SAW:
        return (uint32_t)(i % 8);
    case ORGAN_PIPE:
        return (uint32_t)(i < count / 2 ? i : count - i);
    case TWO:
        return i + 1 < count ? 1 : 0;
    case LAST_FIRST:
        return i == 0 ? UINT32_MAX : (uint32_t)i;
    case DRAWN:
    case ORDERS:
        break;
    }
    return (uint32_t)test_draw_below(draw, 1 + count / 3);
}

static bool make(keys *k, order kind, size_t count, uint64_t *draw) {
    *k = (keys){malloc((count + 1) * sizeof *k->keys), count, 0};
    for (size_t i = 0; k->keys != NULL && i < count; i++) {
        k->keys[i] = key_at(kind, i, count, draw);
    }
    return CHECK(k->keys != NULL);
}

/* Everything once, rising, and of equal keys the smaller number first. */
static bool is_sorted(const keys *k, const uint32_t *items) {
    bool *seen = calloc(k->count + 1, sizeof *seen);
    bool ok = seen != NULL;
    for (size_t i = 0; ok && i < k->count; i++) {
        ok = items[i] < k->count && !seen[items[i]];
        if (ok && i > 0) {
            uint32_t before = k->keys[items[i - 1]];
            uint32_t now = k->keys[items[i]];
            ok = before < now || (before == now && items[i - 1] < items[i]);
        }
        if (ok) {
            seen[items[i]] = true;
        }
    }
    free(seen);
    return ok;
}

static size_t log_of(size_t count) {
    size_t log = 0;
    while ((size_t)1 << log < count) {
        log++;
    }
    return log;
}

/* Sorts keys; the heap says what it may take. */
static bool sort(const keys *k, uint32_t *items, test_heap *heap) {
    ep_arena arena;
    test_arena(&arena, heap, 0);
    for (uint32_t i = 0; i < k->count; i++) {
        items[i] = i;
    }
    sorted.compared = 0;
    bool ok = ep_sort_numbers(&arena, items, k->count, compare, k);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap->bytes, 0);
    return ok;
}

static void check_order(order kind, size_t count, uint64_t *draw) {
    test_heap heap = {0};
    keys k;
    uint32_t *items = malloc((count + 1) * sizeof *items);
    if (make(&k, kind, count, draw) && CHECK(items != NULL)) {
        CHECK(sort(&k, items, &heap));
        CHECK(is_sorted(&k, items));
        CHECK(sorted.compared <= count * (log_of(count) + 1));
        CHECK(kind != RISING || sorted.compared == (count == 0 ? 0 : count - 1));
    }
    free(k.keys);
    free(items);
}

/* ------------------------------------------------------------------------ tests */

/* Every size up to some runs of merging, and a large one. */
static void test_sizes(void) {
    uint64_t draw = 1;
    for (order kind = RISING; kind < ORDERS; kind++) {
        for (size_t count = 0; count <= SMALL; count++) {
            check_order(kind, count, &draw);
        }
        check_order(kind, LARGE, &draw);
        check_order(kind, LARGE + 1, &draw);
    }
}

/* Without memory the items are as they were; what is in order needs none. */
static void test_refused(void) {
    uint64_t draw = 2;
    for (order kind = RISING; kind < ORDERS; kind++) {
        test_heap heap = {.fail_at = 1, .fail_on = true};
        uint32_t items[SMALL];
        keys k;
        if (!make(&k, kind, SMALL, &draw)) {
            return;
        }
        bool ordered = kind == RISING || kind == EQUAL;
        CHECK_EQ_INT(sort(&k, items, &heap), ordered);
        CHECK_EQ_INT(heap.calls, !ordered);
        for (uint32_t i = 0; i < SMALL; i++) {
            CHECK_EQ_INT(items[i], i);
        }
        free(k.keys);
    }
}

/* The memory is given back: the arena takes it once, however often it sorts. */
static void test_given_back(void) {
    test_heap heap = {0};
    uint64_t draw = 3;
    ep_arena arena;
    uint32_t items[SMALL];
    keys k;
    if (!make(&k, FALLING, SMALL, &draw)) {
        return;
    }
    test_arena(&arena, &heap, 0);
    size_t once = 0;
    for (size_t times = 0; times < 1000; times++) {
        for (uint32_t i = 0; i < SMALL; i++) {
            items[i] = i;
        }
        CHECK(ep_sort_numbers(&arena, items, SMALL, compare, &k));
        once = times == 0 ? ep_arena_peak(&arena) : once;
    }
    CHECK_EQ_INT(ep_arena_peak(&arena), once);
    ep_arena_free(&arena);
    free(k.keys);
}

static int sign(int compared) {
    return (compared > 0) - (compared < 0);
}

/* By bytes, which have no sign; of two texts of which one begins the other, the
 * shorter first. */
static void test_texts(void) {
    static const char *const rising[] = {"", "\x01", "A", "AA", "AB", "B", "a", "\x7F", "\xC3\xA9"};
    const size_t count = sizeof rising / sizeof rising[0];
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            ep_bytes a = {rising[i], strlen(rising[i])};
            ep_bytes b = {rising[j], strlen(rising[j])};
            CHECK_EQ_INT(sign(ep_sort_texts(a, b)), sign((int)i - (int)j));
        }
    }
    CHECK_EQ_INT(ep_sort_texts((ep_bytes){NULL, 0}, (ep_bytes){NULL, 0}), 0);
    CHECK(ep_sort_texts((ep_bytes){NULL, 0}, (ep_bytes){"x", 1}) < 0);
    CHECK(ep_sort_texts((ep_bytes){"a\0b", 3}, (ep_bytes){"a\0a", 3}) > 0);
}

int main(void) {
    test_sizes();
    test_refused();
    test_given_back();
    test_texts();
    return check_report();
}
