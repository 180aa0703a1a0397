/*
 * properties.h - what tests of properties over the golden programs share: the way through
 * the corpus, a program at another version, a tally of what is refused.
 */
#ifndef EP_TEST_PROPERTIES_H
#define EP_TEST_PROPERTIES_H

#include "epref.h"
#include "support.h"

enum {
    PROPERTIES_VERSIONS_MAX = 64,
    PROPERTIES_REFUSALS_MAX = 512,
    PROPERTIES_NAME_SIZE = 192,
    PROPERTIES_STEPS_MAX = 32
};

/* --------------------------------------------------------------- the corpus */

/* A program that ep_check accepts. */
typedef struct properties_program {
    const char *name; /* RELEASE/MODEL */
    ep_bytes text;
    const ep_program *program;
    size_t version;
} properties_program;

typedef void properties_try(void *context, const properties_program *p);

/* The arguments of main: FOLDER [STEP]. Tries every STEP-th program of the folder
 * that is one, step by step. Returns the status to end with: 0, or for want of a
 * folder or of arguments another, when it has been said on standard error. */
int properties_run(int argc, char **argv, properties_try *try, void *context);

/* A document of a version, which it may not say itself, decoded and checked. */
bool properties_decode(ep_arena *arena, ep_bytes text, size_t version, const ep_program **program,
                       ep_error *error);

/* ------------------------------------------------------------------ results */

/* What a call made, with the memory that it lives in. */
typedef struct properties_result {
    test_heap heap;
    ep_arena arena;
    ep_built built;
    ep_error error;
    const char *steps[PROPERTIES_STEPS_MAX]; /* the clauses that were applied */
    size_t step_count;
    bool undecided; /* of a form: the order of the document decided (SPEC 6.1) */
} properties_result;

/* A program at another version. */
bool properties_migrate(const ep_program *program, size_t to, properties_result *r);

/* Its epref form. */
bool properties_canon(const ep_program *program, properties_result *r);

/* Whether a clause was applied. */
bool properties_took(const properties_result *r, const char *clause);

/* Gives the memory back. False when some of it is left, or the call did not mean
 * what it returned: every result ends with a check of this. */
bool properties_end(properties_result *r);

bool properties_same(ep_bytes a, ep_bytes b);

/* SPEC 7.2.6: whether a number of the program is an open end in the version, and
 * only there. */
bool properties_ends_in_number(const properties_program *p, size_t version);

/* ----------------------------------------------------------------- refusals */

/* Programs that a code keeps from a version; the first of them. */
typedef struct properties_refusal {
    const char *code;
    size_t from;
    size_t first; /* the versions to which it happened */
    size_t last;
    size_t count;
    char example[PROPERTIES_NAME_SIZE + EP_POINTER_SIZE + EP_DETAIL_SIZE];
} properties_refusal;

typedef struct properties_refusals {
    properties_refusal rows[PROPERTIES_REFUSALS_MAX];
    size_t row_count;
    size_t count;
} properties_refusals;

/* False when there is no room for another row. */
bool properties_refuse(properties_refusals *t, const properties_program *p, size_t to,
                       const ep_error *error);

void properties_print_refusals(const properties_refusals *t);

#endif
