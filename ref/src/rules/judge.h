/*
 * rules/judge.h - the state that the rules of the program level share: the program's
 * members by name, the parse results of its strings, the scopes with their values, and
 * the one fault to report. Of several faults that is the one of the lowest clause, and
 * of one clause the first in the file (SPEC 1.5.1). The order of the rules therefore
 * does not matter, and rules go on after a fault.
 */
#ifndef EP_JUDGE_H
#define EP_JUDGE_H

#include "base/error.h"
#include "language/memo.h"
#include "tree/leaves.h"
#include "tree/signature.h"

/* The position at which a value is defined. A node may use values of a lower position
 * than its own. */
enum {
    EP_ORDER_CONSTANT = 1, /* of version 1, in the graph */
    EP_ORDER_INPUT,
    EP_ORDER_NODE /* and its number */
};

/* The first and the second place of something in the file; 0: there is none. */
typedef struct ep_places {
    ep_ref first;
    ep_ref second;
} ep_places;

/* A name in a graph: listed in a table, defined by an input or a node, or both. */
typedef struct ep_definition {
    ep_ref name;       /* where it was met first */
    ep_ref listed_at;  /* the key in the table */
    ep_ref defined_at; /* the name where it is defined */
    ep_ref constant;   /* the key of a constant of version 1 */
    ep_places definitions;
    ep_places listings;
    ep_places nodes; /* that have its name */
    uint64_t value;  /* what the table says: TensorMeta or TensorValue, SymInt ... */
    uint32_t order;  /* 0: not defined; else from when on: EP_ORDER_ */
    uint8_t listed;  /* ep_holds */
    uint8_t defined; /* ep_holds */
} ep_definition;

EP_STACK_OF(ep_definitions, ep_definition);

/* A table of a graph. */
typedef struct ep_table {
    ep_field field;
    ep_holds holds;
} ep_table;

enum { EP_TABLE_COUNT = 5 };
extern const ep_table ep_tables[EP_TABLE_COUNT];

/* A graph with its names. The first scope is the program's own; a subgraph
 * comes after the graph that holds it. */
typedef struct ep_scope {
    struct ep_scope *next;
    const ep_node *graph;
    const struct ep_scope *outer; /* NULL: the program's own graph */
    const ep_node *argument;      /* the GraphArgument */
    bool holds_subgraphs;
    ep_map names;
    ep_definitions entries; /* by the map's numbers */
    size_t expected;        /* the entry that is likely to be defined next */
    ep_stack node_names;    /* of nodes that are not named as their last value is */
} ep_scope;

typedef struct ep_judge {
    const ep_program *program;
    ep_bytes input;
    ep_fields fields;
    ep_version_number version;
    ep_arena *arena;
    ep_memo *memo;    /* the parse results of strings */
    ep_limits limits; /* of what stands inside strings */
    ep_scope *scopes;
    ep_scope **last_scope;  /* where the next one is linked in */
    ep_specs specs;         /* the signature's */
    ep_map symbols;         /* those with a range first, then those that are bound */
    const ep_node **ranges; /* RangeConstraint, by the map's numbers */
    size_t range_count;
    ep_listener notes;     /* receives the notes */
    uint64_t whole_dtypes; /* a bit for each dtype without gradients; 0: not asked yet */
    bool functional;       /* its verifiers forbid operators that write */
    ep_fault fault;        /* code EP_OK: none yet */
    bool out_of_memory;
} ep_judge;

/*
 * Records that a rule is broken: at a node's brace, at a string's quote, or at a dict's
 * key. expected is as in ep_fault.
 * The fault is kept if it precedes the one recorded so far.
 */
void ep_judge_node(ep_judge *judge, ep_code code, const ep_node *node, const char *expected);
void ep_judge_string(ep_judge *judge, ep_code code, ep_ref at, const char *expected);
void ep_judge_key(ep_judge *judge, ep_code code, ep_ref key, const char *expected);

/* Gives a note on what is unusual or cannot be checked, and refuses nothing (SPEC
 * 5.6.9, 5.7.1, 5.7.2): at a node's brace, at a string's quote, or at a dict's key. */
void ep_judge_note_node(ep_judge *judge, ep_code code, const ep_node *node);
void ep_judge_note_string(ep_judge *judge, ep_code code, ep_ref at);
void ep_judge_note_key(ep_judge *judge, ep_code code, ep_ref key);

/* Finds the graphs and their names; to be freed in any case. Linear. */
bool ep_scopes_open(ep_judge *judge, const ep_node *graph);
void ep_scopes_free(ep_judge *judge);

/* Notes a place, of which the first two in the file are kept; those of refs rise with it. */
void ep_judge_place(ep_places *places, ep_ref at);

/* The definition of a name, NULL if its graph neither lists nor defines it. */
ep_definition *ep_judge_find(ep_judge *judge, const ep_scope *scope, ep_ref name);

/* Texts that have to be different. */
typedef struct ep_distinct {
    ep_judge *judge;
    ep_map texts;
} ep_distinct;

void ep_distinct_init(ep_distinct *distinct, ep_judge *judge);
void ep_distinct_free(ep_distinct *distinct);

/* False when the text was there before. */
bool ep_distinct_add(ep_distinct *distinct, ep_ref text);

/* Whether the text is there. */
bool ep_distinct_has(const ep_distinct *distinct, ep_ref text);

/* ------------------------------------------------------------------- values */

/* What an Argument names: a value, or a subgraph. */
typedef struct ep_use {
    ep_holds holds;      /* what it is used as */
    bool listed;         /* in a list */
    ep_ref name;         /* of a value */
    const ep_node *node; /* of a subgraph: the GraphArgument */
} ep_use;

typedef void ep_use_visitor(ep_judge *judge, void *context, const ep_use *use);

/* Visits all that an Argument names, through its lists and dicts, but not inside
 * subgraphs. Linear in the argument. */
void ep_judge_uses(ep_judge *judge, const ep_node *argument, ep_use_visitor *visit, void *context);

/* Whether an argument is a symbolic one with a number in place of a name. */
bool ep_judge_is_number(const ep_judge *judge, const ep_node *argument);

/* Whether an argument may hold a subgraph, decided by its tag alone. */
static inline bool ep_judge_holds_graphs(const ep_judge *judge, const ep_node *argument) {
    ep_field tag = ep_tag(&judge->fields, argument);
    return tag == EP_F_Argument_as_graph || tag == EP_F_Argument_as_string_to_argument;
}

#endif
