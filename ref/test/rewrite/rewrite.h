/*
 * rewrite.h - programs made from a program to try the canonical form on: by rewriting
 * that preserves equivalence (SPEC 6.1), or by a small change of its meaning (mutation).
 * Tests and fuzzers use it; it is no part of the library. All it allocates is in
 * the arena that it is given. The same seed makes the same file on any machine.
 */
#ifndef EP_TEST_REWRITE_H
#define EP_TEST_REWRITE_H

#include "epref.h"

/* The rules of rewriting that preserve equivalence, a bit each. */
enum {
    EP_REWRITE_VALUES = 1 << 0,     /* names of values */
    EP_REWRITE_SUBGRAPHS = 1 << 1,  /* names of subgraphs */
    EP_REWRITE_NODES = 1 << 2,      /* names of nodes */
    EP_REWRITE_SYMBOLS = 1 << 3,    /* names of symbols, which keep their prefixes (6.7.1) */
    EP_REWRITE_PROVENANCE = 1 << 4, /* metadata, torch_version, kinds, names of arguments (6.2) */
    EP_REWRITE_ORDER = 1 << 5,      /* the order of nodes, where 6.3.6 leaves it open */
    EP_REWRITE_DICTS = 1 << 6,      /* the order of the entries of dicts */
    EP_REWRITE_SPECS = 1 << 7,      /* of parameters, buffers, constants; of mutations, gradients */
    EP_REWRITE_TERMS = 1 << 8,      /* of arguments inside expressions, where that means nothing */
    EP_REWRITE_GUARDS = 1 << 9, /* of guards and equality constraints, and of the latter's sides */
    EP_REWRITE_MODULES = 1 << 10, /* of the entries of the module call graph, but for the root */
    EP_REWRITE_ALL = (1 << 11) - 1
};

enum { EP_REWRITE_RULES = 11 };

/* "values"; static storage. NULL for what is no bit. */
const char *ep_rewrite_rule_name(unsigned bit);

/* What to make: an equivalent program by these rules, or a change of this kind. */
typedef struct ep_rewrite_choice {
    uint64_t seed;
    unsigned what;
} ep_rewrite_choice;

/*
 * An equivalent program: the text of a file of the same version, decoded.
 * program has to be one that ep_check accepts; so will the result be. Errors:
 * EP_MEMORY, EP_LIMIT_BYTES, EP_LIMIT_STRING, and what ep_encode and ep_decode
 * say. Time and memory: linear, but for sorting.
 */
bool ep_rewrite_equivalent(const ep_program *program, ep_arena *arena,
                           const ep_rewrite_choice *wish, ep_built *built, ep_error *error);

/* Small things that have a meaning. */
typedef enum ep_change_kind {
    EP_CHANGE_CONSTANT,     /* an int, float, bool or string among a node's arguments */
    EP_CHANGE_OPERATOR,     /* a node's target */
    EP_CHANGE_SWAP,         /* two arguments of a node, for each other */
    EP_CHANGE_EDGE,         /* a node is given another value of the same type */
    EP_CHANGE_DTYPE,        /* of a tensor */
    EP_CHANGE_SIZE,         /* one of its sizes */
    EP_CHANGE_LAYOUT,       /* strides, storage offset, layout */
    EP_CHANGE_DEVICE,       /* or requires_grad */
    EP_CHANGE_CONSTRAINT,   /* an end of a range */
    EP_CHANGE_GUARD,        /* one more, or one less */
    EP_CHANGE_INPUT_ORDER,  /* of two user inputs */
    EP_CHANGE_OUTPUT_ORDER, /* of two user outputs */
    EP_CHANGE_SPEC,         /* what an input or output is for: a parameter's name, persistence */
    EP_CHANGE_TREESPEC,     /* of the call of the program, or of a module */
    EP_CHANGE_MODULE,       /* the name of a module */
    EP_CHANGE_DROP,         /* a node that nobody uses is gone */
    EP_CHANGE_EFFECTS,      /* two nodes whose order means something */
    EP_CHANGE_KINDS
} ep_change_kind;

/* "constant"; static storage. NULL for what is no kind. */
const char *ep_change_kind_name(ep_change_kind kind);

/*
 * A program of the same version that is another one. The result is true, and
 * built->program NULL, when this program has no place for such a change: then
 * each was tried. What is made is accepted by ep_check; and where it is not
 * certain by the change itself that it is another program, nodes are counted by
 * what they are computed from and what has been written before them, which no
 * renaming and reordering changes. Errors as above. Linear for each place that is
 * tried.
 */
bool ep_rewrite_changed(const ep_program *program, ep_arena *arena, const ep_rewrite_choice *wish,
                        ep_built *built, ep_error *error);

/*
 * A number that two programs have in common when they have a canonical form in
 * common; it is not made from that form. False for want of memory.
 */
bool ep_rewrite_invariant(const ep_program *program, ep_arena *arena, uint64_t *number);

#endif
