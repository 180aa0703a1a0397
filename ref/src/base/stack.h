/*
 * base/stack.h - stacks of items of one type. EP_STACK_OF(name, item) makes the type
 * `name`, and the functions that go with it, so that the compiler checks what is put
 * on a stack and what is taken off:
 *
 *     name_init(stack, arena)    an empty one, which takes no memory
 *     name_free(stack)           gives the memory back; it is empty then
 *     name_reserve(stack, n)     room for n more items; false for want of memory
 *     name_push(stack, item)     likewise
 *     name_pop(stack)            the last item, which is gone then
 *     name_top(stack)            where the last item is, until the next push
 *     name_reverse(stack, from)  the items from that number on, last to first
 *
 * The items are items[0] to items[count - 1]. There has to be one to pop, or to look at.
 */
#ifndef EP_STACK_H
#define EP_STACK_H

#include "base/arena.h"

#define EP_STACK_OF(name, item)                                                                    \
    typedef struct name {                                                                          \
        ep_arena *arena;                                                                           \
        item *items;                                                                               \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    } name;                                                                                        \
                                                                                                   \
    EP_UNUSED static inline void name##_init(name *stack, ep_arena *arena) {                       \
        _Static_assert(_Alignof(item) <= 8, "an arena aligns to 8");                               \
        *stack = (name){.arena = arena};                                                           \
    }                                                                                              \
                                                                                                   \
    EP_UNUSED static inline void name##_free(name *stack) {                                        \
        if (stack->items != NULL) {                                                                \
            ep_arena_give(stack->arena, stack->items, stack->capacity * sizeof(item));             \
        }                                                                                          \
        name##_init(stack, stack->arena);                                                          \
    }                                                                                              \
                                                                                                   \
    EP_UNUSED static inline bool name##_reserve(name *stack, size_t n) {                           \
        if (EP_LIKELY(n <= stack->capacity - stack->count)) {                                      \
            return true;                                                                           \
        }                                                                                          \
        ep_room room = {stack->items, stack->count, stack->capacity, sizeof(item)};                \
        TRY(ep_room_reserve(stack->arena, &room, n));                                              \
        stack->items = room.items;                                                                 \
        stack->capacity = room.capacity;                                                           \
        return true;                                                                               \
    }                                                                                              \
                                                                                                   \
    EP_UNUSED static inline bool name##_push(name *stack, item pushed) {                           \
        if (EP_UNLIKELY(stack->count == stack->capacity)) {                                        \
            TRY(name##_reserve(stack, 1));                                                         \
        }                                                                                          \
        stack->items[stack->count++] = pushed;                                                     \
        return true;                                                                               \
    }                                                                                              \
                                                                                                   \
    EP_UNUSED static inline item name##_pop(name *stack) {                                         \
        return stack->items[--stack->count];                                                       \
    }                                                                                              \
                                                                                                   \
    EP_UNUSED static inline item *name##_top(const name *stack) {                                  \
        return &stack->items[stack->count - 1];                                                    \
    }                                                                                              \
                                                                                                   \
    EP_UNUSED static inline void name##_reverse(name *stack, size_t from) {                        \
        for (size_t last = stack->count; from + 1 < last; from++) {                                \
            item moved = stack->items[from];                                                       \
            stack->items[from] = stack->items[--last];                                             \
            stack->items[last] = moved;                                                            \
        }                                                                                          \
    }                                                                                              \
    struct name /* takes the semicolon */

/* Numbers of things. */
EP_STACK_OF(ep_numbers, uint32_t);

#endif
