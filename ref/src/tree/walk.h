/*
 * tree/walk.h - visits the requested members of a whole tree. Subtrees that lead to
 * none of them are not entered.
 */
#ifndef EP_WALK_H
#define EP_WALK_H

#include "base/arena.h"
#include "schema/fields.h"

/* What to do at a member of a type. */
enum {
    EP_WALK_PAST = 0, /* nothing */
    EP_WALK_INTO = 1, /* a requested member is below it */
    EP_WALK_TELL = 2  /* from here on: call the visitor */
};

typedef struct ep_walk {
    ep_arena *arena;
    const ep_schema *schema;
    uint8_t at[EP_TYPE_COUNT][EP_MEMBERS_MAX];
} ep_walk;

/* The visitor of a member: the struct or union that has it, the value in its slot, and
 * the request. The node may be written to only in a tree that was copied. False stops
 * the walk. */
typedef bool ep_walk_visitor(void *context, ep_node *node, uint8_t member, uint8_t ask);

/* A walk without requests. */
void ep_walk_init(ep_walk *walk, ep_arena *arena, const ep_schema *schema);

/* Requests visits of a member; ask is EP_WALK_TELL or above. Nothing happens where the
 * version has no such member. */
void ep_walk_ask(ep_walk *walk, const ep_fields *fields, ep_field field, uint8_t ask);

/*
 * Visits everything below a node, in no certain order. False when the visitor stopped,
 * or for want of memory; *out_of_memory distinguishes the two. Linear.
 */
bool ep_walk_run(ep_walk *walk, const ep_node *root, ep_walk_visitor *visit, void *context,
                 bool *out_of_memory);

#endif
