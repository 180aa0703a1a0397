/*
 * canon/canon.h - the epref form of a program (SPEC 6.2 to 6.8), which is of one version,
 * that of EP_CANON_VERSION. The steps transform a copy of the tree one after the other:
 * members are left out, nodes are put in order, values and symbols are renamed. The
 * strings of the copy refer to the text of the program, with the new names behind it.
 */
#ifndef EP_CANON_H
#define EP_CANON_H

#include "base/error.h"
#include "base/stack.h"
#include "language/target.h"
#include "tree/leaves.h"
#include "tree/maker.h"
#include "tree/signature.h"

/* The version of the form. SPEC 6.1.1 */
#define EP_CANON_VERSION "8.20"

/* The result of ep_canon_make. */
typedef struct ep_canon_made {
    const ep_node *root;
    bool undecided; /* the order of the document broke a tie (SPEC 6.1) */
} ep_canon_made;

/*
 * Makes the epref form of a program of the form's version, which ep_check accepts or
 * migration made of one that it accepts (SPEC 6.1.3). The result is a tree, and the maker
 * holds its texts. The offsets in the tree are those of the program's nodes. The maker
 * has to be closed in any case, also after a failure. Errors: EP_MEMORY, EP_LIMIT_BYTES.
 * The time is linear in the program, times the logarithm of its largest list.
 */
bool ep_canon_make(const ep_program *program, ep_arena *arena, ep_maker *maker, ep_canon_made *made,
                   ep_error *error);
void ep_canon_close(ep_maker *maker);

/* ------------------------------------------------------------ graphs and values */

#define EP_CANON_NONE UINT32_MAX

/* The kind of a node by its effects (SPEC 6.3.1). */
typedef enum ep_effect {
    EP_EFFECT_KNOWN,
    EP_EFFECT_QUIET,
    EP_EFFECT_UNKNOWN,
    EP_EFFECT_MODE
} ep_effect;

/*
 * The graphs of the copy, with their use-def chains. graphs.c makes these structs and
 * initialises all members. A comment above members names the file whose step writes
 * them. Only later steps read them.
 */

/* A value of a graph. */
typedef struct ep_canon_value {
    /* graphs.c */
    uint64_t *slot;   /* of the copy: where it is defined */
    uint64_t entry;   /* its entry in the table; 0: none */
    uint32_t definer; /* the number of a node; none: an input */
    uint32_t place;   /* its index among the definer's values, or among the inputs */
    uint8_t holds;    /* ep_holds */
    uint8_t entry_in; /* the table of that entry */

    /* effects.c */
    uint32_t group; /* union-find of tensors that may share memory: the parent */

    /* rank.c */
    uint32_t met; /* of an input: when a visit met it first; none: never */

    /* order.c */
    uint64_t renamed; /* the new name, a string of the maker */
} ep_canon_value;

/* A use of a value by a node. */
typedef struct ep_canon_use {
    /* graphs.c */
    uint64_t *slot; /* of the copy: where it is named */
    uint32_t value;
    uint32_t argument; /* the index of the input that names it */

    /* effects.c */
    bool written;
} ep_canon_use;

/* The text of a target, parsed once. */
typedef struct ep_canon_target {
    ep_bytes text;
    ep_target target;
    bool is_check; /* listed as CHECK */

    /* effects.c, private; NULL: not known yet */
    const struct ep_canon_behavior *behavior;
} ep_canon_target;

EP_STACK_OF(ep_canon_target_stack, ep_canon_target *);

struct ep_canon_graph;

typedef struct ep_canon_node {
    /* graphs.c */
    ep_node *node;
    ep_canon_target *target;
    struct ep_canon_graph *subgraph; /* the first one */
    uint32_t first_use;
    uint32_t use_count;
    uint32_t first_value; /* its values have consecutive numbers */
    uint32_t value_count;

    /* effects.c */
    uint32_t first_edge; /* to a node that depends on this one */
    uint32_t waits;      /* number of incoming edges; order.c counts it down */
    uint8_t effect;      /* ep_effect */
    bool writes;         /* at least one resource */
    bool writes_world;

    /* rank.c */
    uint32_t rank; /* none: a dead node */
} ep_canon_node;

/* An edge of the dependence graph, in the list of the edges that leave one node. */
typedef struct ep_canon_edge {
    uint32_t to;
    uint32_t next;
} ep_canon_edge;

EP_STACK_OF(ep_canon_values, ep_canon_value);
EP_STACK_OF(ep_canon_uses, ep_canon_use);
EP_STACK_OF(ep_canon_edges, ep_canon_edge);

/* The graph of the program, or a subgraph of a node. */
typedef struct ep_canon_graph {
    /* graphs.c */
    struct ep_canon_graph *next;    /* in the order of discovery: a graph before its subgraphs */
    struct ep_canon_graph *before;  /* the reverse of next */
    struct ep_canon_graph *sibling; /* the next subgraph of the same node */
    ep_node *graph;
    ep_node *argument; /* the GraphArgument that holds it; NULL: the program's graph */
    uint32_t input;    /* the index of the node's input that holds it */
    ep_map names;      /* of values; the map's numbers are theirs */
    ep_canon_values values;
    ep_canon_node *nodes;
    ep_canon_uses uses;
    size_t node_count;

    /* signature.c; NULL in all graphs but the program's */
    const uint32_t *outputs; /* in the order of the visits */

    /* effects.c */
    ep_canon_edges edges;
    uint32_t outside; /* the group of the inputs, or none */
    bool writes;      /* at least one node writes a resource */

    /* rank.c */
    uint32_t *ranked; /* the live nodes by their ranks */
    size_t rank_count;

    /* order.c */
    uint32_t *order; /* the nodes in their final order, without merged ones */
    size_t order_count;
    uint32_t *named; /* the values by their new names, without those of merged nodes */
    size_t named_count;
    uint32_t next_name; /* the number of the next new name */
} ep_canon_graph;

EP_STACK_OF(ep_canon_graph_stack, ep_canon_graph *);

typedef struct ep_canonizer {
    /* canon.c */
    const ep_program *program; /* the caller's */
    ep_arena *arena;
    ep_maker *maker;
    ep_bytes input;

    /* tools.c; code: by any step that fails */
    ep_fields fields;
    ep_code code; /* EP_OK, or the failure */

    /* lists.c, as it makes the copy */
    ep_node *root;             /* of the copy */
    ep_stack expression_slots; /* pointers to the slots of the texts of expressions */

    /* graphs.c */
    ep_canon_graph *graphs;
    ep_canon_graph *last_graph;

    /* symbols.c and name_symbols.c, private */
    struct ep_canon_symbol_table *symbols;

    /* signature.c, private */
    struct ep_canon_sides *signature;

    /* graphs.c, by tools.c */
    ep_map target_texts; /* between quotes */
    ep_canon_target_stack targets;

    /* graphs.c */
    ep_map kept; /* names that no value may get: of constants beside the program */

    /* name_values.c */
    ep_canon_graph_stack graph_order; /* the order of 6.7.4 */

    /* order.c, signature.c and name_symbols.c */
    bool undecided; /* as in ep_canon_made */
} ep_canonizer;

/* Opens the maker. The caller has set program, arena, maker and input. */
bool ep_canon_open(ep_canonizer *c);

/* Makes the copy, without the members that 6.2.1 leaves out. Its strings refer to the input
 * of the program, with the new strings behind it. */
bool ep_canon_copy(ep_canonizer *c);

/* Records a failure; always false. */
bool ep_canon_fail(ep_canonizer *c, ep_code code);

/* An array of count zeroed items. NULL for want of memory, which is recorded as the
 * failure. */
void *ep_canon_array(ep_canonizer *c, size_t count, size_t size);

/* The text of a string of the copy. */
bool ep_canon_text(ep_canonizer *c, ep_ref ref, ep_bytes *text);

/* The target of a node. What the form's version does not have (SPEC 6.1.3) is a
 * higher-order operator by its path in any version, or of the kind EP_TARGET_EXTENSION. */
bool ep_canon_target_of(ep_canonizer *c, const ep_node *node, ep_canon_target **found);

/* The name of an overload: its target without "torch.ops.". */
ep_bytes ep_canon_overload(const ep_canon_target *target);

/* Finds the graphs of the copy, with the values, definitions, uses and table entries
 * of each. */
bool ep_canon_graphs(ep_canonizer *c);
void ep_canon_graphs_free(ep_canonizer *c);

/* ----------------------------------------------------------------------- steps */

/* 6.2.2 to 6.2.4: what nodes leave out. */
bool ep_canon_leave_out(ep_canonizer *c);

/* 6.3: what nodes read and write, and the dependence edges that follow. */
bool ep_canon_effects(ep_canonizer *c, ep_canon_graph *graph);

/* Find of the union-find: a group is represented by the number of its first member. */
uint32_t ep_canon_group(ep_canon_graph *graph, uint32_t value);

/* 6.4.1: the ranks of live nodes. */
bool ep_canon_rank(ep_canonizer *c, ep_canon_graph *graph);

/* 6.4.2 to 6.4.4: the order of all nodes and the names of values. */
bool ep_canon_order(ep_canonizer *c, ep_canon_graph *graph);

/* 6.5. Before the nodes are ranked: the order of the outputs. Afterwards: the order of
 * both, and the specs. */
bool ep_canon_signature(ep_canonizer *c);
bool ep_canon_signature_order(ep_canonizer *c);

/* Makes the next name of a letter and a number that no constant beside the program has. */
bool ep_canon_next_name(ep_canonizer *c, char letter, uint32_t *number, uint64_t *name);

/* Renames the values that a node uses. */
void ep_canon_rename_uses(const ep_canon_graph *graph, const ep_canon_node *node);

/* 6.6: names. */
bool ep_canon_names(ep_canonizer *c);

/* 6.7: symbols and expressions. */
bool ep_canon_symbols_open(ep_canonizer *c);
bool ep_canon_symbols(ep_canonizer *c);
void ep_canon_symbols_free(ep_canonizer *c);

/* The expression of a SymInt, SymFloat or SymBool. 0 if it is a number. */
ep_ref ep_canon_expression_in(const ep_canonizer *c, const ep_node *symbolic);

/* 6.8: the lists and dicts that have an order of their own; the dicts in an argument. */
bool ep_canon_lists(ep_canonizer *c);
bool ep_canon_sort_argument(ep_canonizer *c, const ep_node *argument);

#endif
