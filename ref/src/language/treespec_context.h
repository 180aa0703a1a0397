/*
 * language/treespec_context.h - the types of tree specs and their contexts, for
 * treespec.c alone.
 */
#ifndef EP_TREESPEC_CONTEXT_H
#define EP_TREESPEC_CONTEXT_H

#include "language/embedded.h"
#include "language/treespec.h"

/* How many children a node may have. */
typedef struct ep_treespec_arity {
    size_t least;
    size_t most;
} ep_treespec_arity;

/* Finds the type of a node by its name, which begins at a place of the text (SPEC
 * 4.2.3). */
bool ep_treespec_type_find(const ep_embedded *reader, const ep_treespec_options *options,
                           ep_treespec_node *node, const char *at);

/* Checks the context of a node whose type and context are known, reads its keys, and
 * decides which of two rows of a name the type is (SPEC 4.2.4, 4.2.6). */
bool ep_treespec_context_read(const ep_embedded *reader, const ep_treespec_options *options,
                              ep_treespec_node *node, ep_treespec_arity *arity);

#endif
