/*
 * canon_torch/canon_torch.h - the form that PyTorch's own canonicalize gives a
 * program, release by release, its defects included (SPEC 6.9). It works on a
 * copy of the tree; a copied node may be written to.
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

/* The torch form of a decoded program; as ep_canon, for EP_CANON_TORCH. */
bool ep_canon_torch(const ep_program *program, ep_arena *arena, const ep_canon_options *options,
                    ep_built *built, ep_error *error);

/* ------------------------------------------------------------ among the parts */

/* A name that is given anew: "_0". */
typedef struct ep_torch_name {
    ep_ref ref; /* its place behind the input's end, in the text of the result */
    ep_bytes text;
} ep_torch_name;

EP_STACK_OF(ep_torch_name_stack, ep_torch_name);

/* The new names that begin alike, as many as were asked for so far. */
typedef struct ep_torch_names {
    const char *prefix;
    ep_torch_name_stack all;
} ep_torch_names;

typedef struct ep_torch_value {
    size_t producer; /* the number of the node that has it as an output, and one; 0: none */
    uint64_t rank;   /* when it is defined, and one; 0: not yet */
    ep_ref fresh;    /* its new name; 0: it keeps the old one */
    bool input;      /* of the graph */
    bool constant;   /* counts for nothing where it is used */
} ep_torch_value;

EP_STACK_OF(ep_torch_values, ep_torch_value);

/* The names in a graph. */
typedef struct ep_torch_scope {
    ep_map names;
    ep_torch_values values; /* by the map's numbers */
    ep_stack old;           /* those that were given anew, in that order, as they were ... */
    ep_stack fresh;         /* ... and as they are */
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
    ep_torch_subgraphs subgraphs; /* GraphArguments that are still to be gone through */
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

/* Records a failure, of a node or of a string. Always false. */
bool ep_torch_fail(ep_torch *t, ep_code code, const ep_node *node, const char *expected);
bool ep_torch_fail_name(ep_torch *t, ep_code code, ep_ref name, const char *expected);
bool ep_torch_no_memory(ep_torch *t);

/* The k-th new name, k being at most one more than was asked for before. */
bool ep_torch_fresh(ep_torch *t, ep_torch_names *names, size_t k, ep_torch_name *name);

/* The slot of a field that the version has, in a node of the copy. */
static inline uint64_t *ep_torch_slot(const ep_torch *t, ep_node *node, ep_field field) {
    return &node->slots[t->fields.slot[field]];
}

/* The items of a list in the copy. */
static inline uint64_t *ep_torch_items(uint64_t list) {
    return list == 0 ? NULL : ep_list_mutable(list)->items;
}

/* What a thing is put in order by: rank, then text by code points. */
typedef struct ep_torch_key {
    uint64_t rank;
    ep_bytes text;
} ep_torch_key;

/* The numbers of keys in rising order of these; of equal ones as they stand. To
 * compare two texts takes no longer than the one that goes first is long, and
 * each goes once in a pass, so time is the bytes of all, times the logarithm of
 * the count. NULL for want of memory, recorded. */
uint32_t *ep_torch_order(ep_torch *t, const ep_torch_key *keys, size_t count);

/* Puts a dict in the order of its keys, or of the texts in it, or a list in that
 * of a text in each item; field EP_F_none: the items are texts themselves. */
bool ep_torch_sort_dict(ep_torch *t, uint64_t dict);
bool ep_torch_sort_dict_by_value(ep_torch *t, uint64_t dict);
bool ep_torch_sort_list(ep_torch *t, uint64_t list, ep_field field);

/* Inputs and outputs in order, with their specs; and the names in the specs as
 * the graph has them then. SPEC 6.9.5, 6.9.13 */
bool ep_torch_sort_signature(ep_torch *t, const ep_node *module);
bool ep_torch_rename_signature(ep_torch *t, const ep_node *module);

/* A graph, whose scope is new, without its subgraphs, which are then waiting.
 * SPEC 6.9.6 to 6.9.12 */
bool ep_torch_graph(ep_torch *t, ep_torch_scope *scope, ep_node *graph);
void ep_torch_scope_init(ep_torch *t, ep_torch_scope *scope);
void ep_torch_scope_free(ep_torch_scope *scope);

/* The names that were given anew, as the dict of old to new. */
bool ep_torch_renamed(ep_torch *t, const ep_torch_scope *scope, uint64_t *dict);

/* The value of a name, put in if it is new. NULL for want of memory. */
ep_torch_value *ep_torch_value_of(ep_torch *t, ep_torch_scope *scope, ep_ref name);

/* The new name of a value; false if there is none. */
bool ep_torch_find(ep_torch *t, const ep_torch_scope *scope, ep_ref name, ep_ref *fresh);

/* Tells of the leaves of an argument as PyTorch sees them: those without a name
 * too. SPEC 6.9.3 */
bool ep_torch_leaves(ep_torch *t, ep_node *argument, ep_leaf_visitor *visit, void *context);

/* ---------------------------------------------------------------- ready nodes */

/* Nodes that wait for their turn, by their keys. SPEC 6.9.8 */
typedef struct ep_torch_queue {
    ep_torch *t;
    ep_map texts;     /* targets and names of arguments ... */
    uint64_t *places; /* ... and their places among these, by the map's numbers */
    ep_map steps;     /* a prefix of a key and what follows it ... */
    ep_stack symbols; /* ... the latter by the map's numbers */
    ep_stack path;    /* of the key that is being made: its prefixes */
    uint64_t **paths; /* by node */
    size_t *lengths;  /* likewise */
    size_t *heap;     /* nodes, the least one first */
    size_t count;     /* of them */
} ep_torch_queue;

/* A queue for the nodes of a graph; to be freed in any case. */
bool ep_torch_queue_open(ep_torch_queue *queue, ep_torch *t, uint64_t nodes);
void ep_torch_queue_free(ep_torch_queue *queue);

/* Makes a key: a text, then numbers from 1, each list ended by 0. */
bool ep_torch_queue_text(ep_torch_queue *queue, ep_ref text);
bool ep_torch_queue_number(ep_torch_queue *queue, uint64_t number);

/* Puts in a node with the key that was made; takes out the least. */
bool ep_torch_queue_put(ep_torch_queue *queue, size_t node);
size_t ep_torch_queue_take(ep_torch_queue *queue);

#endif
