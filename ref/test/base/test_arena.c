/*
 * test_arena.c - blocks, caps, marks and the growable array of arena.h; stacks of stack.h.
 */
#include "base/arena.h"
#include "base/stack.h"
#include "check.h"
#include "support.h"

static const uintptr_t alignment = 8;

static void test_alloc(void) {
    test_heap heap = {0};
    ep_arena arena;
    test_arena(&arena, &heap, 0);
    CHECK_EQ_INT(heap.calls, 0);
    CHECK_EQ_INT(ep_arena_peak(&arena), 0);
    unsigned char *last = NULL;
    for (size_t size = 0; size < 3000; size++) {
        unsigned char *memory = ep_arena_alloc(&arena, size);
        if (!CHECK(memory != NULL)) {
            break;
        }
        CHECK((uintptr_t)memory % alignment == 0);
        memset(memory, (int)(size & 0xFF), size); /* a sanitizer sees what is beyond */
        CHECK(size < 2 || last[size - 2] == ((size - 1) & 0xFF));
        last = memory;
    }
    CHECK_EQ_INT(heap.bytes, arena.held);
    CHECK_EQ_INT(ep_arena_peak(&arena), arena.held);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    CHECK_EQ_INT(heap.blocks, 0);
    CHECK(ep_arena_peak(&arena) > 3000 * 2999 / 2);
}

static void test_cap(void) {
    for (size_t cap = 1; cap < 10000; cap += cap < 200 ? 1 : 97) {
        test_heap heap = {0};
        ep_arena arena;
        test_arena(&arena, &heap, cap);
        size_t given = 0;
        while (ep_arena_alloc(&arena, 16) != NULL) {
            given += 16;
        }
        CHECK(arena.held <= cap && heap.bytes <= cap);
        CHECK((given > 0) == (cap >= sizeof(ep_block) + 16));
        /* near the cap every block holds one object, and its header counts */
        CHECK(given / 16 * (16 + sizeof(ep_block)) + 16 + sizeof(ep_block) > cap || given > 4000);
        ep_arena_free(&arena);
        CHECK_EQ_INT(heap.bytes, 0);
    }
}

static void test_huge(void) {
    test_heap heap = {0};
    ep_arena arena;
    test_arena(&arena, &heap, 1 << 20);
    for (size_t less = 0; less < 64; less++) {
        CHECK(ep_arena_alloc(&arena, SIZE_MAX - less) == NULL);
    }
    CHECK(ep_arena_alloc(&arena, SIZE_MAX / 2) == NULL);
    CHECK(ep_arena_alloc(&arena, (1 << 20) + 1) == NULL);
    CHECK_EQ_INT(heap.calls, 0);
    CHECK(ep_arena_alloc(&arena, (1 << 20) - sizeof(ep_block)) != NULL);
    CHECK_EQ_INT(heap.bytes, 1 << 20);
    CHECK(ep_arena_alloc(&arena, 1) == NULL);
    ep_arena_free(&arena);
}

static void test_refusal(void) {
    test_heap heap = {.fail_at = 1};
    ep_arena arena;
    test_arena(&arena, &heap, 0);
    CHECK(ep_arena_alloc(&arena, 8) != NULL); /* the second, smaller, was given */
    CHECK_EQ_INT(heap.calls, 2);
    CHECK_EQ_INT(heap.bytes, sizeof(ep_block) + 8);
    ep_arena_free(&arena);
    heap = (test_heap){.fail_at = 1, .fail_on = true};
    CHECK(ep_arena_alloc(&arena, 8) == NULL);
    CHECK_EQ_INT(arena.held, 0);
}

static void test_marks(void) {
    test_heap heap = {0};
    ep_arena arena;
    test_arena(&arena, &heap, 0);
    ep_arena_mark empty = ep_arena_now(&arena);
    char *kept = ep_arena_alloc(&arena, 8);
    memcpy(kept, "kept it", 8);
    ep_arena_mark mark = ep_arena_now(&arena);
    void *next = ep_arena_alloc(&arena, 8);
    for (int i = 0; i < 100; i++) {
        CHECK(ep_arena_alloc(&arena, 1000) != NULL);
    }
    CHECK(heap.blocks > 1);
    ep_arena_rewind(&arena, mark);
    CHECK_EQ_INT(heap.blocks, 1);
    CHECK_EQ_STR(kept, 7, "kept it");
    CHECK(ep_arena_alloc(&arena, 8) == next);
    ep_arena_rewind(&arena, empty);
    CHECK_EQ_INT(heap.blocks, 0);
    CHECK_EQ_INT(arena.held, 0);
}

typedef struct triple {
    uint64_t word;
    const char *text;
    uint8_t byte;
} triple;

EP_STACK_OF(triples, triple);

/* What cannot be had leaves a stack as it was. */
static void test_typed_refusal(void) {
    test_heap heap = {.fail_at = 2};
    ep_arena arena;
    triples stack;
    test_arena(&arena, &heap, 0);
    triples_init(&stack, &arena);
    size_t pushed = 0;
    while (triples_push(&stack, (triple){pushed, "", 0})) {
        pushed++;
    }
    CHECK_EQ_INT(pushed, 256 * sizeof(uint64_t) / sizeof(triple));
    CHECK_EQ_INT(stack.count, pushed);
    CHECK(!triples_reserve(&stack, SIZE_MAX));
    CHECK(!triples_reserve(&stack, SIZE_MAX / sizeof(triple)));
    CHECK_EQ_INT(triples_top(&stack)->word, pushed - 1);
    triples_free(&stack);
    CHECK_EQ_INT(heap.bytes, 0);
}

static void test_size_of(void) {
    size_t size = 5;
    CHECK(ep_size_of(3, 4, 5, &size) && size == 17);
    CHECK(ep_size_of(SIZE_MAX, 1, 0, &size) && size == SIZE_MAX);
    CHECK(ep_size_of(SIZE_MAX, 0, SIZE_MAX, &size) && size == SIZE_MAX);
    CHECK(!ep_size_of(SIZE_MAX, 1, 1, &size));
    CHECK(!ep_size_of(SIZE_MAX / 2 + 1, 2, 0, &size));
    CHECK(ep_size_of(SIZE_MAX / 2, 2, 1, &size) && size == SIZE_MAX);
}

int main(void) {
    test_alloc();
    test_cap();
    test_huge();
    test_refusal();
    test_marks();
    test_typed_refusal();
    test_size_of();
    return check_report();
}
