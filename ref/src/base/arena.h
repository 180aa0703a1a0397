/*
 * base/arena.h - memory that is freed all at once, and one growable array.
 *
 * Every byte that the core uses comes from here and counts against the cap.
 */
#ifndef EP_ARENA_H
#define EP_ARENA_H

#include "base/span.h"

/* Growth. The constants are the first size of a block, of a stack, of a text and of
 * cursors, and the part by which each grows. EP_TIGHT is for scripts/measure/coverage
 * alone: with it nearly nothing is reserved in advance, so that a test can refuse every
 * request for memory. */
#ifdef EP_TIGHT
enum { EP_FIRST_BLOCK = 8, EP_LARGEST_BLOCK = 8, EP_FIRST_WORDS = 1, EP_FIRST_BYTES = 1 };
enum { EP_FIRST_CURSORS = 1, EP_GROWTH = 64 };
#else
enum { EP_FIRST_BLOCK = 4096, EP_LARGEST_BLOCK = 4 << 20, EP_FIRST_WORDS = 256 };
enum { EP_FIRST_BYTES = 256, EP_FIRST_CURSORS = 32, EP_GROWTH = 2 };
#endif

/* A block's header; the contents follow. */
typedef struct ep_block {
    _Alignas(8) struct ep_block *next;
    size_t size; /* of the whole block, this header included; a multiple of 8 */
    size_t used; /* likewise */
} ep_block;

/* A block of size bytes that the arena counts and does not keep. */
void *ep_arena_take(ep_arena *arena, size_t size);
void ep_arena_give(ep_arena *arena, void *memory, size_t size);

/* A block that was taken becomes the arena's own, and what is unused of it can be allocated. */
static inline void ep_arena_adopt(ep_arena *arena, ep_block *block) {
    block->used = (block->used + 7) & ~(size_t)7;
    block->next = arena->blocks;
    arena->blocks = block;
}

/* The slow path of ep_arena_alloc: opens another block. */
void *ep_arena_alloc_more(ep_arena *arena, size_t size);

/* size bytes aligned to 8, uninitialised; NULL when there are none. */
static inline void *ep_arena_alloc(ep_arena *arena, size_t size) {
    ep_block *block = arena->blocks;
    if (EP_LIKELY(block != NULL && size <= block->size - block->used)) {
        void *memory = (char *)block + block->used;
        block->used += (size + 7) & ~(size_t)7; /* what is left is a multiple of 8 too */
        return memory;
    }
    return ep_arena_alloc_more(arena, size);
}

/* Room for count items of a size behind a head of some bytes, uninitialised; NULL
 * when there is none, or no size that large. */
static inline void *ep_arena_array(ep_arena *arena, size_t head, size_t count, size_t size) {
    size_t bytes;
    bool fits = ep_size_of(count, size, head, &bytes);
    return fits ? ep_arena_alloc(arena, bytes) : NULL; /* LCOV_EXCL_BR_LINE 64 bits hold it */
}

/* Resets the arena to a mark: what was allocated since is freed. */
typedef struct ep_arena_mark {
    ep_block *block;
    size_t used;
} ep_arena_mark;

static inline ep_arena_mark ep_arena_now(const ep_arena *arena) {
    ep_block *block = arena->blocks;
    return (ep_arena_mark){block, block == NULL ? 0 : block->used};
}

void ep_arena_rewind(ep_arena *arena, ep_arena_mark mark);

/* ---------------------------------------------------------------- the array */

/* What can grow, its items without a type: a stack of words, and those of stack.h. */
typedef struct ep_room {
    void *items;
    size_t count;
    size_t capacity;
    size_t size; /* of an item */
} ep_room;

/* Makes room for n more items, perhaps elsewhere; false for want of memory. */
bool ep_room_reserve(ep_arena *arena, ep_room *room, size_t n);

/* A growable array of 64-bit words: what a list holds until it is whole. */
typedef struct ep_stack {
    ep_arena *arena;
    uint64_t *words;
    size_t count;
    size_t capacity;
} ep_stack;

void ep_stack_init(ep_stack *stack, ep_arena *arena);
void ep_stack_free(ep_stack *stack);

/* Makes room for n more words; false for want of memory. */
bool ep_stack_reserve(ep_stack *stack, size_t n);

static inline bool ep_stack_push(ep_stack *stack, uint64_t word) {
    if (EP_UNLIKELY(stack->count == stack->capacity)) {
        TRY(ep_stack_reserve(stack, 1));
    }
    stack->words[stack->count++] = word;
    return true;
}

#endif
