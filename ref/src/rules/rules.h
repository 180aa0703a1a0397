/*
 * rules/rules.h - the rules of the program level (SPEC part 5), declared from the rows
 * of rules.def. A rule looks at one thing and reports a fault by ep_judge_node and its
 * like. It never stops other rules.
 */
#ifndef EP_RULES_H
#define EP_RULES_H

#include "language/target.h"
#include "rules/judge.h"

/* The units: the kinds of things that rules look at. */
typedef enum ep_unit {
    EP_UNIT_PROGRAM,      /* the ExportedProgram */
    EP_UNIT_SCOPE,        /* a graph */
    EP_UNIT_DEFINITION,   /* a name of a graph, but that of a value that is listed once and
                             defined once, as the same kind, and names one node at most */
    EP_UNIT_INPUT,        /* an Argument that is an input of a graph */
    EP_UNIT_NODE,         /* a Node */
    EP_UNIT_HIGHER_ORDER, /* a Node that calls a higher-order operator */
    EP_UNIT_CONSTANT, /* an enumerator or a device, an Argument of a node or an output of a graph */
    EP_UNIT_OUTPUT,   /* an Argument that is an output of a node */
    EP_UNIT_RESULT,   /* an Argument that is an output of a graph */
    EP_UNIT_USE,      /* by a node or an output of a graph, but of a value that is defined
                         before, as what it is used as */
    EP_UNIT_META,     /* a TensorMeta */
    EP_UNIT_SYM,      /* a SymInt, SymFloat or SymBool of a value */
    EP_UNIT_RANGE,    /* a RangeConstraint */
    EP_UNIT_ENTRY,    /* a ModuleCallEntry */
    EP_UNIT_COUNT
} ep_unit;

/* What the ranges say of the symbols of an expression. */
typedef struct ep_symbols {
    bool unknown;         /* some have none */
    bool unknown_inputs;  /* and are not created in the graph */
    const ep_node *range; /* of an expression that is a symbol alone */
} ep_symbols;

/* Those of a SymInt, SymFloat or SymBool; NULL for a number, for an expression that is a
 * tree of nodes instead of a text, and for want of memory. */
const ep_symbols *ep_symbols_of(ep_judge *judge, const ep_node *sym);

/* The thing and its context; members that do not apply are NULL or 0. */
typedef struct ep_subject {
    const ep_scope *scope;
    const ep_node *node;             /* the Node, Argument, TensorMeta ...; of UNIT_USE the Node
                                        that uses, or NULL: the graph does */
    const ep_definition *definition; /* of UNIT_DEFINITION, or of what a use names */
    const ep_target *target;         /* of a Node, which was read before the rules */
    ep_memo_entry *called;           /* the entry of that target */
    const ep_node *named;            /* of UNIT_USE by a node: the NamedArgument */
    const ep_symbols *symbols;       /* of UNIT_SYM */
    ep_use use;
    ep_ref key;     /* of UNIT_RANGE */
    uint32_t order; /* of the node that uses, as in ep_definition */
    size_t index;   /* of an entry */
} ep_subject;

typedef void ep_rule(ep_judge *judge, const ep_subject *subject);

#define RULE(code, function, unit, since, until) ep_rule function;
#include "rules/rules.def"
#undef RULE

/* Runs all rules over the program. */
void ep_rules_run(ep_judge *judge);

#endif
