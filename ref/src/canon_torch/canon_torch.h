/*
 * canon_torch/canon_torch.h - the form that PyTorch's own canonicalize gives a program,
 * release by release, its defects included (SPEC 6.9). It is made on a copy of the tree,
 * whose nodes may be modified.
 */
#ifndef EP_CANON_TORCH_H
#define EP_CANON_TORCH_H

#include "base/error.h"
#include "base/map.h"
#include "base/sort.h"
#include "base/stack.h"
#include "tree/leaves.h"
#include "tree/maker.h"
#include "tree/signature.h"

/* The torch form of a decoded program. Parameters and errors are those of ep_canon
 * with EP_CANON_TORCH. */
bool ep_canon_torch(const ep_program *program, ep_arena *arena, const ep_canon_options *options,
                    ep_built *built, ep_error *error);

/* ------------------------------------------------------------ among the parts */

/* A new name, such as "_0". */
typedef struct ep_torch_name {
    ep_ref ref; /* it begins behind the input's end, in the text of the result */
    ep_bytes text;
} ep_torch_name;

EP_STACK_OF(ep_torch_name_stack, ep_torch_name);

/* The new names of one prefix that were asked for so far. */
typedef struct ep_torch_names {
    const char *prefix;
    ep_torch_name_stack all;
} ep_torch_names;

typedef struct ep_torch_value {
    size_t producer; /* 1 + the number of the node that has it as an output; 0: none */
    uint64_t rank;   /* 1 + the time of its definition; 0: not yet defined */
    ep_ref fresh;    /* its new name; 0: it keeps the old one */
    bool input;      /* of the graph */
    bool constant;   /* its uses do not count */
} ep_torch_value;

EP_STACK_OF(ep_torch_values, ep_torch_value);

/* The names in scope in one graph. */
typedef struct ep_torch_scope {
    ep_map names;
    ep_torch_values values; /* by the map's numbers */
    ep_stack old;           /* the old names of renamed values ... */
    ep_stack fresh;         /* ... and their new names, in the same order */
} ep_torch_scope;

EP_STACK_OF(ep_torch_subgraphs, ep_node *);

typedef struct ep_torch {
    const ep_program *program;
    ep_bytes input;
    ep_fields fields;
    ep_version_number version;
    ep_arena *arena;
    ep_map constants;             /* names that are no values */
    ep_torch_names values;        /* _0, _1, ... */
    ep_torch_names graphs;        /* _g0, _g1, ... */
    ep_growing fresh;             /* the texts of all of them */
    ep_torch_scope scope;         /* of the program's own graph */
    ep_torch_subgraphs subgraphs; /* GraphArguments whose graphs are pending */
    ep_fault fault;
} ep_torch;

/* Facts by release. SPEC 6.9.2 */
typedef enum ep_torch_fact {
    EP_TORCH_PAIRS,       /* a subgraph is stored as a pair */
    EP_TORCH_NEEDS_INPUT, /* a program without inputs is refused */
    EP_TORCH_BOOL_INPUT,  /* a user input may be as_bool */
    EP_TORCH_BOOL_OUTPUT, /* a user output may be as_bool */
    EP_TORCH_OBJECTS,     /* custom objects have names */
    EP_TORCH_CONSTANTS    /* names may be given that are no values */
} ep_torch_fact;

bool ep_torch_has(const ep_torch *t, ep_torch_fact fact);

/* Records a failure, at a node or at a string. Always false. */
bool ep_torch_fail(ep_torch *t, ep_code code, const ep_node *node, const char *expected);
bool ep_torch_fail_name(ep_torch *t, ep_code code, ep_ref name, const char *expected);
bool ep_torch_no_memory(ep_torch *t);

/* The k-th new name. k is at most one more than in any earlier call. */
bool ep_torch_fresh(ep_torch *t, ep_torch_names *names, size_t k, ep_torch_name *name);

/* The slot of a field that the version has, in a node of the copy. */
static inline uint64_t *ep_torch_slot(const ep_torch *t, ep_node *node, ep_field field) {
    return &node->slots[t->fields.slot[field]];
}

/* The items of a list in the copy. */
static inline uint64_t *ep_torch_items(uint64_t list) {
    return list == 0 ? NULL : ep_list_mutable(list)->items;
}

/* A sort key: rank, then text by code points. */
typedef struct ep_torch_key {
    uint64_t rank;
    ep_bytes text;
} ep_torch_key;

/* The indices of the keys in rising order; equal keys keep their order. A comparison
 * of two texts costs no more than the one that goes first, and each text goes once in a
 * pass. The time is therefore the bytes of all texts, times the logarithm of the count.
 * NULL for want of memory, which is recorded. */
uint32_t *ep_torch_order(ep_torch *t, const ep_torch_key *keys, size_t count);

/* Sorts a dict by its keys, or by the texts that are its values; or a list by a text
 * in each item. With EP_F_none the items are texts themselves. */
bool ep_torch_sort_dict(ep_torch *t, uint64_t dict);
bool ep_torch_sort_dict_by_value(ep_torch *t, uint64_t dict);
bool ep_torch_sort_list(ep_torch *t, uint64_t list, ep_field field);

/* Sorts inputs and outputs with their specs; then gives the specs the names that the
 * graph has after renaming. SPEC 6.9.5, 6.9.13 */
bool ep_torch_sort_signature(ep_torch *t, const ep_node *module);
bool ep_torch_rename_signature(ep_torch *t, const ep_node *module);

/* Canonicalizes one graph, in a new scope. Its subgraphs are left on the stack.
 * SPEC 6.9.6 to 6.9.12 */
bool ep_torch_graph(ep_torch *t, ep_torch_scope *scope, ep_node *graph);
void ep_torch_scope_init(ep_torch *t, ep_torch_scope *scope);
void ep_torch_scope_free(ep_torch_scope *scope);

/* The renamed values, as a dict from old names to new ones. */
bool ep_torch_renamed(ep_torch *t, const ep_torch_scope *scope, uint64_t *dict);

/* The value of a name, which is added if it is new. NULL for want of memory. */
ep_torch_value *ep_torch_value_of(ep_torch *t, ep_torch_scope *scope, ep_ref name);

/* The new name of a value; false if it has none. */
bool ep_torch_find(ep_torch *t, const ep_torch_scope *scope, ep_ref name, ep_ref *fresh);

/* Visits the leaves of an argument as PyTorch sees them, including those without a
 * name. SPEC 6.9.3 */
bool ep_torch_leaves(ep_torch *t, ep_node *argument, ep_leaf_visitor *visit, void *context);

/* ---------------------------------------------------------------- ready nodes */

/* The priority queue of the nodes that are ready, by their keys. SPEC 6.9.8 */
typedef struct ep_torch_queue {
    ep_torch *t;
    ep_map texts;     /* targets and names of arguments ... */
    uint64_t *places; /* ... and their positions when sorted, by the map's numbers */
    ep_map steps;     /* interned prefixes of keys: a shorter prefix and the next symbol ... */
    ep_stack symbols; /* ... the symbol, by the map's numbers */
    ep_stack path;    /* the key that is being made, as its prefixes */
    uint64_t **paths; /* by node */
    size_t *lengths;  /* likewise */
    size_t *heap;     /* nodes, the least on top */
    size_t count;     /* of them */
} ep_torch_queue;

/* Opens a queue for the nodes of a graph. It has to be freed in any case, also after a
 * failure. */
bool ep_torch_queue_open(ep_torch_queue *queue, ep_torch *t, uint64_t nodes);
void ep_torch_queue_free(ep_torch_queue *queue);

/* Extends the key that is being made: a text first, then numbers from 1. Each list
 * ends with a 0. */
bool ep_torch_queue_text(ep_torch_queue *queue, ep_ref text);
bool ep_torch_queue_number(ep_torch_queue *queue, uint64_t number);

/* Inserts a node with the key that was made; removes the least node. */
bool ep_torch_queue_put(ep_torch_queue *queue, size_t node);
size_t ep_torch_queue_take(ep_torch_queue *queue);

#endif
