/*
 * tree/leaves.h - the values and subgraphs that an Argument names, through its lists,
 * lists of lists and dicts.
 */
#ifndef EP_LEAVES_H
#define EP_LEAVES_H

#include "base/arena.h"
#include "schema/fields.h"

/* What a value is; the tables of a graph are by kind. */
typedef enum ep_holds {
    EP_HOLDS_NOTHING = 0,
    EP_HOLDS_TENSOR,
    EP_HOLDS_SYM_INT,
    EP_HOLDS_SYM_FLOAT,
    EP_HOLDS_SYM_BOOL,
    EP_HOLDS_CUSTOM_OBJ,
    EP_HOLDS_GRAPH /* no value: a subgraph */
} ep_holds;

typedef struct ep_leaf {
    ep_holds holds; /* by the tag, not by what the name is defined as */
    bool listed;    /* in a list, or a list of lists */
    uint64_t *name; /* the slot with the ep_ref of its name, to be written to
                       only in a tree that was copied; NULL: it has none */
    ep_node *node;  /* that holds the name, likewise; of a subgraph the GraphArgument */
} ep_leaf;

/* Whether it names a value: neither a subgraph, nor an object of version 1, nor a
 * constant in place of a name, which have none. */
static inline bool ep_leaf_is_value(const ep_leaf *leaf) {
    return leaf->name != NULL && leaf->holds != EP_HOLDS_GRAPH;
}

/* The visitor of leaves. False stops the visit. */
typedef bool ep_leaf_visitor(void *context, const ep_leaf *leaf);

/*
 * Visits all that an Argument names, in the order of the file. What stands in place of a
 * name is visited too, with the union that holds it and without a name: the number of a
 * symbolic argument, the none of an optional tensor. Other constants are not visited, nor
 * is anything inside a subgraph. True when all was visited; false when the visitor
 * stopped, which it has to record, or for want of memory. Linear in the argument.
 */
bool ep_leaves(ep_arena *arena, const ep_fields *fields, const ep_node *argument,
               ep_leaf_visitor *visit, void *context);

#endif
