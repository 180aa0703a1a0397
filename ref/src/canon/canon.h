/*
 * canon/canon.h - the epref form of a program (SPEC 6.1 to 6.8). The tree is
 * copied, and the copy is changed step by step: what is left out goes, nodes
 * are put in order, values and symbols get their new names. Its texts are those
 * of the program, and behind them the new ones.
 */
#ifndef EP_CANON_H
#define EP_CANON_H

#include "base/error.h"
#include "base/stack.h"
#include "language/target.h"
#include "tree/leaves.h"
#include "tree/maker.h"
#include "tree/signature.h"

/* A form that was made. */
typedef struct ep_canon_made {
    const ep_node *root;
    bool undecided; /* the order of the document has decided somewhere (SPEC 6.1) */
} ep_canon_made;

/*
 * The epref form of a program that ep_check accepts, as a tree whose texts the
 * maker holds; what is left of offsets are those of the program's nodes. The
 * maker has to be closed in any case. Errors: EP_MEMORY, EP_LIMIT_BYTES. Linear
 * in the program, times the logarithm of its largest list.
 */
bool ep_canon_make(const ep_program *program, ep_arena *arena, ep_maker *maker, ep_canon_made *made,
                   ep_error *error);
void ep_canon_close(ep_maker *maker);

/* The same as a text, of a program that need not have been checked; as ep_canon, for
 * EP_CANON_EPREF. */
bool ep_canon_epref(const ep_program *program, ep_arena *arena, const ep_canon_options *options,
                    ep_built *built, ep_error *error);

/* ------------------------------------------------------------ graphs and values */

#define EP_CANON_NONE UINT32_MAX

/* What a node is for others (SPEC 6.3.1). */
typedef enum ep_effect {
    EP_EFFECT_KNOWN,
    EP_EFFECT_QUIET,
    EP_EFFECT_UNKNOWN,
    EP_EFFECT_MODE
} ep_effect;

/*
 * The graphs of the copy. Above the members of a struct stands the file whose step
 * writes them; the steps behind it read them. graphs.c makes the structs and gives
 * all members their first values.
 */

/* A value of a graph. */
typedef struct ep_canon_value {
    /* graphs.c */
    ep_ref name;
    uint64_t entry;   /* of its table; 0: there is none */
    uint32_t definer; /* a node's number; none: an input, or a constant of version 1 */
    uint32_t place;   /* which of the definer's values it is, or which input */
    uint8_t holds;    /* ep_holds */
    uint8_t entry_in; /* which table */
    bool constant;    /* of version 1 */

    /* effects.c */
    uint32_t group; /* of tensors that may share memory: the next one towards the first */

    /* face.c, for itself */
    struct {
        uint32_t seen_by; /* the last node that uses it whose face was made, and one */
        uint32_t seen_as; /* which value of its kind it is there */
    } face;

    /* name_values.c */
    uint32_t number;  /* of the new name; none: a constant */
    uint64_t renamed; /* the new name, a string of the maker */
} ep_canon_value;

/* A use of a value by a node. */
typedef struct ep_canon_use {
    /* graphs.c */
    uint32_t value;
    uint32_t argument; /* the number of the input that names it */

    /* effects.c */
    uint32_t epoch; /* at the value's group */
    bool written;
} ep_canon_use;

struct ep_canon_graph;

typedef struct ep_canon_node {
    /* graphs.c */
    ep_node *node;
    struct ep_canon_graph *subgraph; /* the first of them */
    uint32_t first_use;
    uint32_t use_count;
    uint32_t first_value; /* its values are next to each other */
    uint32_t value_count;

    /* effects.c */
    uint32_t mode_epoch;
    uint32_t first_edge; /* to a node that has to come later */
    uint32_t waits;      /* for so many edges; rank.c counts them down */
    uint8_t effect;      /* ep_effect */
    bool writes_world;

    /* rank.c and rest.c, by ep_canon_give_rank */
    uint32_t rank;
} ep_canon_node;

/* An edge to a later node, one of a chain. */
typedef struct ep_canon_edge {
    uint32_t to;
    uint32_t next;
} ep_canon_edge;

EP_STACK_OF(ep_canon_edges, ep_canon_edge);

/* A graph, of the program or of a node. */
typedef struct ep_canon_graph {
    /* graphs.c */
    struct ep_canon_graph *next;    /* found after it: outer ones come before */
    struct ep_canon_graph *before;  /* found before it */
    struct ep_canon_graph *sibling; /* the next subgraph of the same node */
    ep_node *graph;
    ep_node *argument; /* the GraphArgument that it stands in; NULL: the program's */
    ep_map names;      /* of values, by their numbers */
    ep_canon_value *values;
    ep_canon_node *nodes;
    ep_canon_use *uses;
    size_t value_count;
    size_t node_count;
    size_t use_count;

    /* signature.c, of the program's graph; else NULL */
    const uint32_t *input_places; /* 6.5.1 */
    const uint32_t *outputs;      /* the order in which they are visited */

    /* effects.c */
    ep_canon_edges edges;
    uint32_t outside; /* the group of the inputs, or none */
    bool writes;      /* a node writes a place */

    /* rank.c and rest.c */
    uint32_t *ranked; /* the nodes by their ranks */
    size_t rank_count;
    uint32_t *order; /* the nodes as they will stand */

    /* face.c */
    uint64_t hash; /* of a subgraph, for the face of its node */

    /* name_values.c */
    uint32_t *by_number; /* values: constants by name, then by their new names */
} ep_canon_graph;

EP_STACK_OF(ep_canon_graph_stack, ep_canon_graph *);

typedef struct ep_canonizer {
    /* canon.c */
    const ep_program *program; /* as it was given */
    ep_arena *arena;
    ep_maker *maker;
    ep_bytes input;

    /* tools.c, when it makes the copy; the failure at any time */
    ep_fields fields;
    ep_node *root; /* of the copy */
    ep_code code;  /* EP_OK, or the failure */

    /* graphs.c */
    ep_canon_graph *graphs;
    ep_canon_graph *last_graph;

    /* symbols.c and name_symbols.c, for themselves */
    struct ep_canon_symbol_table *symbols;

    /* signature.c, for itself */
    struct ep_canon_sides *signature;

    /* name_values.c; graphs.c begins with the names of objects beside the program */
    ep_map kept;                      /* names that no value gets */
    ep_canon_graph_stack graph_order; /* as 6.7.4 goes through them */

    /* rest.c and name_symbols.c */
    bool undecided; /* as in ep_canon_made */
} ep_canonizer;

/* Opens the maker and makes the copy; program, arena, maker and input are there. */
bool ep_canon_open(ep_canonizer *c);

/* Records a failure; always false. */
bool ep_canon_fail(ep_canonizer *c, ep_code code);

/* count things of a size, zeroed. NULL for want of memory, which is recorded. */
void *ep_canon_array(ep_canonizer *c, size_t count, size_t size);

/* The text of a string of the copy. */
bool ep_canon_text(ep_canonizer *c, ep_ref ref, ep_bytes *text);

/* The text of a node's target, and what it is. */
bool ep_canon_target(ep_canonizer *c, const ep_node *node, ep_bytes *text, ep_target *target);

/* The graphs of the copy, with what each defines, lists and uses. */
bool ep_canon_graphs(ep_canonizer *c);
void ep_canon_graphs_free(ep_canonizer *c);

/* ----------------------------------------------------------------------- steps */

/* 6.2: what is left out. */
bool ep_canon_leave_out(ep_canonizer *c);

/* 6.3: what nodes write and read, and which has to come before which. */
bool ep_canon_effects(ep_canonizer *c, ep_canon_graph *graph);

/* The place of a value's group: the number of its first member. */
uint32_t ep_canon_group(ep_canon_graph *graph, uint32_t value);

/* 6.4: ranks, and the order. */
bool ep_canon_rank(ep_canonizer *c, ep_canon_graph *graph);
bool ep_canon_order(ep_canonizer *c, ep_canon_graph *graph);

/* The ranks of the nodes that nothing needs; the next rank for a node. */
bool ep_canon_rank_rest(ep_canonizer *c, ep_canon_graph *graph);
void ep_canon_give_rank(ep_canon_graph *graph, uint32_t node);

/* The number of a node's face (6.4.4), and of a subgraph. */
bool ep_canon_face(ep_canonizer *c, ep_canon_graph *graph, uint32_t node, uint64_t *face);
bool ep_canon_hash_graph(ep_canonizer *c, ep_canon_graph *graph);

/* 6.5: before the nodes are put in order, which input is which, and in which
 * order the outputs are; afterwards, both. */
bool ep_canon_signature(ep_canonizer *c);
bool ep_canon_signature_order(ep_canonizer *c);

/* 6.6: names. */
bool ep_canon_names(ep_canonizer *c);

/* 6.7: symbols and expressions. */
bool ep_canon_symbols_open(ep_canonizer *c);
bool ep_canon_symbols(ep_canonizer *c);
void ep_canon_symbols_free(ep_canonizer *c);

/* What a TensorMeta, or the TensorValue around it, says that may be symbolic. */
typedef struct ep_canon_tensor {
    const ep_node *meta;
    uint64_t dims[2];      /* sizes and strides: lists of SymInts */
    const ep_node *offset; /* NULL: it is an int ... */
    int64_t offset_int;    /* ... this one */
} ep_canon_tensor;

ep_canon_tensor ep_canon_tensor_of(const ep_fields *fields, const ep_node *entry);

/* The expression that a SymInt, SymFloat or SymBool is; 0: it is a number, or
 * has an expr_ast. */
ep_ref ep_canon_expression_in(const ep_canonizer *c, const ep_node *symbolic);

/* An expression in its normal form, symbols by their colours, in srepr. */
bool ep_canon_colored(ep_canonizer *c, ep_ref expression, ep_bytes *text);

/* 6.8: lists and dicts that have an order of their own; the dicts in an argument;
 * equality constraints, once values have their numbers and not yet their names. */
bool ep_canon_lists(ep_canonizer *c);
bool ep_canon_sort_argument(ep_canonizer *c, const ep_node *argument);
bool ep_canon_sort_constraints(ep_canonizer *c);

#endif
