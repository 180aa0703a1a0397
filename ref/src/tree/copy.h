/*
 * tree/copy.h - a deep copy of a tree, for code that changes it.
 */
#ifndef EP_COPY_H
#define EP_COPY_H

#include "tree/walk.h"

/*
 * Copies a tree: nodes and lists are new, texts still point to the input, and
 * offsets stay. NULL for want of memory. Linear.
 */
ep_node *ep_copy_tree(ep_arena *arena, const ep_schema *schema, const ep_node *root);

/*
 * The same with a visit of each requested member of the copy, before what it holds is
 * copied: what the visitor takes away is not. Nodes are visited in no certain order. A
 * Device, a SymInt that is a number, and a list of such are shared with the original and must
 * not be changed. NULL when the visitor stopped, which it has to record, or for want of memory.
 */
ep_node *ep_copy_visited(const ep_walk *walk, const ep_node *root, ep_walk_visitor *visit,
                         void *context);

#endif
