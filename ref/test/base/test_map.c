/*
 * test_map.c - numbers for texts: order, growth, refused memory, and texts made
 * to collide. That the last take no longer than others, CTest's time limit
 * guards: with work that grows as the square they would take minutes.
 */
#include "base/map.h"
#include "check.h"
#include "colliding_keys.h"
#include "support.h"

typedef struct fixture {
    test_heap heap;
    ep_arena arena;
    ep_map map;
} fixture;

static void open_map(fixture *f) {
    f->heap = (test_heap){0};
    test_arena(&f->arena, &f->heap, 0);
    ep_map_init(&f->map, &f->arena);
}

static void close_map(fixture *f) {
    ep_map_free(&f->map);
    ep_arena_free(&f->arena);
    CHECK_EQ_INT(f->heap.bytes, 0);
    CHECK_EQ_INT(f->heap.blocks, 0);
}

static void check_put(ep_map *map, ep_bytes text, uint32_t number, bool fresh) {
    uint32_t put = EP_MAP_NONE;
    bool was_fresh = !fresh;
    if (CHECK(ep_map_put(map, text, &put, &was_fresh))) {
        CHECK_EQ_INT(put, number);
        CHECK_EQ_INT(was_fresh, fresh);
    }
}

/* -------------------------------------------------------------------- numbers */

static void test_empty(void) {
    fixture f;
    open_map(&f);
    CHECK_EQ_INT(ep_map_find(&f.map, EP_TEXT("")), EP_MAP_NONE);
    CHECK_EQ_INT(ep_map_find(&f.map, EP_TEXT("x")), EP_MAP_NONE);
    CHECK_EQ_INT(f.heap.calls, 0); /* nothing is allocated yet */
    close_map(&f);
}

/* Every length around those at which the hash changes its way. */
static void test_lengths(void) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    fixture f;
    open_map(&f);
    for (uint32_t size = 0; size < sizeof letters; size++) {
        check_put(&f.map, (ep_bytes){letters, size}, size, true);
    }
    for (uint32_t size = 0; size < sizeof letters; size++) {
        check_put(&f.map, (ep_bytes){letters, size}, size, false);
        CHECK_EQ_INT(ep_map_find(&f.map, (ep_bytes){letters, size}), size);
    }
    CHECK_EQ_INT(f.map.count, sizeof letters);
    CHECK_EQ_INT(ep_map_find(&f.map, EP_TEXT("b")), EP_MAP_NONE);
    close_map(&f);
}

/* A text in memory of exactly its size: nothing beyond it is looked at. */
static void test_exact(void) {
    fixture f;
    open_map(&f);
    for (size_t size = 0; size < 40; size++) {
        test_text text = {0};
        test_add_repeat(&text, "x", size);
        ep_bytes exact = test_text_exact(&text);
        CHECK_EQ_INT(ep_map_find(&f.map, exact), EP_MAP_NONE);
        check_put(&f.map, EP_TEXT("other"), 0, size == 0);
        CHECK_EQ_INT(ep_map_find(&f.map, exact), EP_MAP_NONE);
        test_text_free(&text);
    }
    close_map(&f);
}

/* Each byte of a text counts, zeros too. */
static void test_bytes_count(void) {
    char bytes[24];
    fixture f;
    open_map(&f);
    for (uint32_t size = 1; size <= sizeof bytes; size++) {
        memset(bytes, 0, sizeof bytes);
        ep_map_free(&f.map);
        check_put(&f.map, (ep_bytes){bytes, size}, 0, true);
        for (uint32_t i = 0; i < size; i++) {
            char other[sizeof bytes] = {0};
            other[i] = 1;
            CHECK_EQ_INT(ep_map_find(&f.map, (ep_bytes){other, size}), EP_MAP_NONE);
        }
        CHECK_EQ_INT(ep_map_find(&f.map, (ep_bytes){bytes, size - 1}), EP_MAP_NONE);
    }
    close_map(&f);
}

/* -------------------------------------------------------------------- many texts */

enum { MANY = 100 * 1000 };

static void test_many(void) {
    colliding_keys all = keys_numbered(MANY);
    fixture f;
    open_map(&f);
    for (uint32_t i = 0; i < MANY; i++) {
        check_put(&f.map, colliding_key(&all, i), i, true);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK_EQ_INT(ep_map_find(&f.map, colliding_key(&all, i)), i);
    }
    CHECK_EQ_INT(f.map.count, MANY);
    CHECK(f.map.capacity >= 2 * MANY && f.map.capacity < 5 * MANY);
    CHECK(ep_arena_peak(&f.arena) < (size_t)MANY * 120);
    close_map(&f);
    colliding_free(&all);
}

/* A refused allocation changes nothing: what is there stays, and the same put
 * succeeds when there is memory again. */
static void test_refused(void) {
    colliding_keys all = keys_numbered(300);
    for (size_t n = 1; n <= 8; n++) {
        fixture f;
        open_map(&f);
        f.heap.fail_at = n;
        uint32_t refused = 0;
        for (uint32_t i = 0; i < all.count; i++) {
            uint32_t number;
            bool fresh;
            if (!ep_map_put(&f.map, colliding_key(&all, i), &number, &fresh)) {
                refused++;
                CHECK_EQ_INT(f.map.count, i);
                CHECK_EQ_INT(ep_map_find(&f.map, colliding_key(&all, i)), EP_MAP_NONE);
                CHECK(i == 0 || ep_map_find(&f.map, colliding_key(&all, 0)) == 0);
                i--; /* once more: the next one is not refused */
                continue;
            }
            CHECK(fresh && number == i);
        }
        CHECK_EQ_INT(refused, f.heap.calls >= n);
        close_map(&f);
    }
    colliding_free(&all);
}

/* -------------------------------------------------------------- texts that hurt */

/* A search for what is not there stops soon, though all slots that follow are
 * taken. */
static void test_row(void) {
    enum { ROW = 1 << 17, SEARCHES = 1000 * 1000 };
    colliding_keys all = colliding_row(ROW);
    size_t found = 0;
    fixture f;
    open_map(&f);
    for (uint32_t i = 0; i < ROW; i++) {
        check_put(&f.map, colliding_key(&all, i), i, true);
    }
    for (size_t i = 0; i < SEARCHES; i++) {
        found += ep_map_find(&f.map, colliding_key(&all, ROW)) != EP_MAP_NONE;
    }
    CHECK_EQ_INT(found, 0);
    for (uint32_t i = 0; i < ROW; i++) {
        CHECK_EQ_INT(ep_map_find(&f.map, colliding_key(&all, i)), i);
    }
    check_put(&f.map, colliding_key(&all, ROW), ROW, true);
    CHECK_EQ_INT(ep_map_find(&f.map, colliding_key(&all, ROW)), ROW);
    close_map(&f);
    colliding_free(&all);
}

/* However many texts begin in the same few slots. */
static void test_pile(void) {
    enum { PILE = 1 << 18 };
    colliding_keys all = colliding_pile(PILE);
    fixture f;
    open_map(&f);
    for (uint32_t i = 0; i < PILE; i++) {
        check_put(&f.map, colliding_key(&all, i), i, true);
    }
    for (uint32_t i = 0; i < PILE; i++) {
        check_put(&f.map, colliding_key(&all, i), i, false);
        CHECK_EQ_INT(ep_map_find(&f.map, colliding_key(&all, i)), i);
    }
    CHECK_EQ_INT(f.map.count, PILE);
    CHECK(ep_arena_peak(&f.arena) < (size_t)PILE * 120);
    close_map(&f);
    colliding_free(&all);
}

int main(void) {
    test_empty();
    test_lengths();
    test_exact();
    test_bytes_count();
    test_many();
    test_refused();
    test_row();
    test_pile();
    return check_report();
}
