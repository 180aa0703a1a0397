/*
 * schema/tree.h - the decoded program. All versions share one layout: a value is 64
 * bits whose meaning is given by its ep_shape; structs and unions are nodes, which hold
 * the number of their type and the byte of the input where they began.
 */
#ifndef EP_TREE_H
#define EP_TREE_H

#include "base/text.h"
#include "schema/schema.h"

/*
 * A struct (a slot for each member) or a union (one slot, tag says which).
 * Null and absent slots are 0 with their bit of present clear; so is an open
 * end of a range, whose slot is then its sign.
 */
typedef struct ep_node {
    uint8_t type;     /* from 0 */
    uint8_t tag;      /* of a union: the member's number */
    uint16_t present; /* of a struct: a bit for every slot that holds a value */
    uint32_t offset;  /* of the opening brace */
    uint64_t slots[];
} ep_node;

/* A list or tuple, and the values of a dict. */
typedef struct ep_list {
    uint64_t count;
    uint64_t items[]; /* of a dict: count keys (ep_ref), then count values */
} ep_list;

/* A list of count items in so many words, which are still to be set; NULL for want
 * of memory. */
static inline ep_list *ep_list_make(ep_arena *arena, size_t count, size_t words) {
    ep_list *list = ep_arena_array(arena, sizeof *list, words, sizeof(uint64_t));
    if (list != NULL) {
        list->count = count;
    }
    return list;
}

struct ep_program {
    const ep_schema *schema;
    ep_bytes input;
    const ep_node *root;
    bool partial; /* forward left out what this version cannot hold */
};

static inline uint64_t ep_pointer_bits(const void *pointer) {
    return (uint64_t)(uintptr_t)pointer;
}

static inline const ep_node *ep_node_at(uint64_t bits) {
    return (const ep_node *)(uintptr_t)bits;
}

/* NULL is the empty list: empty ones take no memory. */
static inline const ep_list *ep_list_at(uint64_t bits) {
    return (const ep_list *)(uintptr_t)bits;
}

static inline size_t ep_list_count(uint64_t bits) {
    return bits == 0 ? 0 : (size_t)ep_list_at(bits)->count;
}

static inline double ep_float_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t ep_float_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif
