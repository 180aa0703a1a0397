/*
 * rewrite.h - programs made from a program to try the canonical form on: the same
 * one under another guise (SPEC 6.1), or another one that differs in little.
 * Tests and fuzzers use it; it is no part of the library. All it allocates is in
 * the arena that it is given. The same seed makes the same file on any machine.
 */
#ifndef EP_PLAY_H
#define EP_PLAY_H

#include "epref.h"

/* What a guise is made of, a bit each. */
enum {
    EP_PLAY_VALUES = 1 << 0,     /* names of values */
    EP_PLAY_SUBGRAPHS = 1 << 1,  /* names of subgraphs */
    EP_PLAY_NODES = 1 << 2,      /* names of nodes */
    EP_PLAY_SYMBOLS = 1 << 3,    /* names of symbols, which keep their prefixes (6.7.1) */
    EP_PLAY_PROVENANCE = 1 << 4, /* metadata, torch_version, kinds, names of arguments (6.2) */
    EP_PLAY_ORDER = 1 << 5,      /* the order of nodes, where 6.3.6 leaves it open */
    EP_PLAY_DICTS = 1 << 6,      /* the order of the entries of dicts */
    EP_PLAY_SPECS = 1 << 7,      /* of parameters, buffers, constants; of mutations, gradients */
    EP_PLAY_TERMS = 1 << 8,      /* of arguments inside expressions, where that means nothing */
    EP_PLAY_GUARDS = 1 << 9,     /* of guards and equality constraints, and of the latter's sides */
    EP_PLAY_MODULES = 1 << 10,   /* of the entries of the module call graph, but for the root */
    EP_PLAY_ALL = (1 << 11) - 1
};

enum { EP_PLAY_DISGUISES = 11 };

/* "values"; static storage. NULL for what is no bit. */
const char *ep_play_disguise_name(unsigned bit);

/* What to make: a guise of these bits, or a change of this kind. */
typedef struct ep_play_wish {
    uint64_t seed;
    unsigned what;
} ep_play_wish;

/*
 * The program under a guise: the text of a file of the same version, decoded.
 * program has to be one that ep_check accepts; so will the result be. Errors:
 * EP_MEMORY, EP_LIMIT_BYTES, EP_LIMIT_STRING, and what ep_encode and ep_decode
 * say. Time and memory: linear, but for sorting.
 */
bool ep_play_disguise(const ep_program *program, ep_arena *arena, const ep_play_wish *wish,
                      ep_built *built, ep_error *error);

/* Small things that have a meaning. */
typedef enum ep_play_kind {
    EP_PLAY_CONSTANT,     /* an int, float, bool or string among a node's arguments */
    EP_PLAY_OPERATOR,     /* a node's target */
    EP_PLAY_SWAP,         /* two arguments of a node, for each other */
    EP_PLAY_EDGE,         /* a node is given another value of the same type */
    EP_PLAY_DTYPE,        /* of a tensor */
    EP_PLAY_SIZE,         /* one of its sizes */
    EP_PLAY_LAYOUT,       /* strides, storage offset, layout */
    EP_PLAY_DEVICE,       /* or requires_grad */
    EP_PLAY_CONSTRAINT,   /* an end of a range */
    EP_PLAY_GUARD,        /* one more, or one less */
    EP_PLAY_INPUT_ORDER,  /* of two user inputs */
    EP_PLAY_OUTPUT_ORDER, /* of two user outputs */
    EP_PLAY_SPEC,         /* what an input or output is for: a parameter's name, persistence */
    EP_PLAY_TREESPEC,     /* of the call of the program, or of a module */
    EP_PLAY_MODULE,       /* the name of a module */
    EP_PLAY_DROP,         /* a node that nobody uses is gone */
    EP_PLAY_EFFECTS,      /* two nodes whose order means something */
    EP_PLAY_KINDS
} ep_play_kind;

/* "constant"; static storage. NULL for what is no kind. */
const char *ep_play_kind_name(ep_play_kind kind);

/*
 * A program of the same version that is another one. The result is true, and
 * built->program NULL, when this program has no place for such a change: then
 * each was tried. What is made is accepted by ep_check; and where it is not
 * certain by the change itself that it is another program, nodes are counted by
 * what they are computed from and what has been written before them, which no
 * renaming and reordering changes. Errors as above. Linear for each place that is
 * tried.
 */
bool ep_play_change(const ep_program *program, ep_arena *arena, const ep_play_wish *wish,
                    ep_built *built, ep_error *error);

/*
 * A number that two programs have in common when they have a canonical form in
 * common; it is not made from that form. False for want of memory.
 */
bool ep_play_count(const ep_program *program, ep_arena *arena, uint64_t *number);

#endif
