/*
 * rewrite.h - programs made from a program to try the canonical form on: by rewriting
 * that preserves equivalence (SPEC 6.1), or by a change of one value.
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
    EP_REWRITE_PROVENANCE = 1 << 4, /* metadata, torch_version, example inputs (6.2) */
    EP_REWRITE_ORDER = 1 << 5,      /* the order of nodes, where 6.3.6 leaves it open */
    EP_REWRITE_DICTS = 1 << 6,      /* the order of the entries of dicts */
    EP_REWRITE_SPECS = 1 << 7,      /* of parameters, buffers, constants; of mutations, gradients */
    EP_REWRITE_TERMS = 1 << 8,      /* of arguments inside expressions, where that means nothing */
    EP_REWRITE_GUARDS = 1 << 9, /* of guards and equality constraints, and of the latter's sides */
    EP_REWRITE_MODULES = 1 << 10, /* of the entries of the module call graph, but for the root */
    EP_REWRITE_ALL = (1 << 11) - 1
};

enum { EP_REWRITE_RULES = 11 };

/* What to make: an equivalent program by these rules, or a change of this. */
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

/* What a change is of: what counts as identity (SPEC 6.2), or anything. */
enum { EP_CHANGE_IDENTITY, EP_CHANGE_ANY };

/*
 * A program of the same version that differs in one string, number, bool or enumerator, and
 * passes ep_check. The result is true, and built->program NULL, when a few places that
 * were drawn gave none. Errors as above. Linear for each place that is tried.
 */
bool ep_rewrite_changed(const ep_program *program, ep_arena *arena, const ep_rewrite_choice *wish,
                        ep_built *built, ep_error *error);

#endif
