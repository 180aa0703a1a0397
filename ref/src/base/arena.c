/*
 * base/arena.c - see arena.h. A new block is a quarter of what the arena holds, so that
 * the unused end of the last block stays a small part of the whole. The decoder
 * promises a bound on memory per input byte.
 */
#include "base/arena.h"

EP_API void ep_arena_init(ep_arena *arena, const ep_allocator *allocator, size_t cap) {
    if (arena == NULL) {
        return;
    }
    *arena = (ep_arena){.cap = 0}; /* which gives nothing */
    if (allocator != NULL && allocator->allocate != NULL && allocator->release != NULL) {
        *arena = (ep_arena){.allocator = *allocator, .cap = cap == 0 ? SIZE_MAX : cap};
    }
}

void ep_arena_rewind(ep_arena *arena, ep_arena_mark mark) {
    ep_block *block = arena->blocks;
    while (block != mark.block) {
        ep_block *next = block->next;
        ep_arena_give(arena, block, block->size);
        block = next;
    }
    if (block != NULL) {
        block->used = mark.used;
    }
    arena->blocks = block;
}

EP_API void ep_arena_free(ep_arena *arena) {
    if (arena != NULL) {
        ep_arena_rewind(arena, (ep_arena_mark){NULL, 0});
    }
}

EP_API size_t ep_arena_peak(const ep_arena *arena) {
    return arena == NULL ? 0 : arena->peak;
}

void *ep_arena_take(ep_arena *arena, size_t size) {
    if (size > arena->cap - arena->held) {
        return NULL;
    }
    void *memory = arena->allocator.allocate(arena->allocator.context, size);
    if (memory == NULL) {
        return NULL;
    }
    arena->held += size;
    if (arena->held > arena->peak) {
        arena->peak = arena->held;
    }
    return memory;
}

void ep_arena_give(ep_arena *arena, void *memory, size_t size) {
    arena->allocator.release(arena->allocator.context, memory, size);
    arena->held -= size;
}

void *ep_arena_alloc_more(ep_arena *arena, size_t size) {
    size_t least;
    if (size > SIZE_MAX - 8 || !ep_size_of((size + 7) & ~(size_t)7, 1, sizeof(ep_block), &least)) {
        return NULL;
    }
    size_t wanted = arena->held / 4;
    wanted = wanted < EP_FIRST_BLOCK ? EP_FIRST_BLOCK : wanted;
    wanted = wanted > EP_LARGEST_BLOCK ? EP_LARGEST_BLOCK : wanted;
    wanted = (wanted > least ? wanted : least) & ~(size_t)7;

    ep_block *block = ep_arena_take(arena, wanted);
    if (block == NULL && wanted > least) { /* near the cap, take just enough */
        wanted = least;
        block = ep_arena_take(arena, wanted);
    }
    if (block == NULL) {
        return NULL;
    }
    *block = (ep_block){.next = arena->blocks, .size = wanted, .used = least};
    arena->blocks = block;
    return (char *)block + sizeof(ep_block);
}

void ep_stack_init(ep_stack *stack, ep_arena *arena) {
    *stack = (ep_stack){.arena = arena};
}

void ep_stack_free(ep_stack *stack) {
    if (stack->words != NULL) {
        ep_arena_give(stack->arena, stack->words, stack->capacity * sizeof(uint64_t));
    }
    ep_stack_init(stack, stack->arena);
}

bool ep_stack_reserve(ep_stack *stack, size_t n) {
    if (n <= stack->capacity - stack->count) {
        return true;
    }
    size_t capacity;
    size_t size;
    capacity = stack->capacity + stack->capacity / EP_GROWTH; /* of words: far from all bytes */
    TRY(n <= SIZE_MAX - stack->count);
    if (capacity < stack->count + n) {
        capacity = stack->count + n;
    }
    if (capacity < EP_FIRST_WORDS) {
        capacity = EP_FIRST_WORDS;
    }
    TRY(ep_size_of(capacity, sizeof(uint64_t), 0, &size));
    uint64_t *words = ep_arena_take(stack->arena, size);
    TRY(words != NULL);
    if (stack->words != NULL) {
        memcpy(words, stack->words, stack->count * sizeof(uint64_t));
        ep_arena_give(stack->arena, stack->words, stack->capacity * sizeof(uint64_t));
    }
    stack->words = words;
    stack->capacity = capacity;
    return true;
}
