/*
 * tree/copy.h - a deep copy of a tree, for code that changes it.
 */
#ifndef EP_COPY_H
#define EP_COPY_H

#include "base/arena.h"
#include "schema/tree.h"

/*
 * Copies a tree: nodes and lists are new, texts still point to the input, and
 * offsets stay. NULL for want of memory. Linear.
 */
ep_node *ep_copy_tree(ep_arena *arena, const ep_schema *schema, const ep_node *root);

#endif
