/*
 * properties.h - what tests of laws over the golden programs share: the way through
 * the corpus, a program at another version, a tally of what is refused.
 */
#ifndef EP_TEST_LAWS_H
#define EP_TEST_LAWS_H

#include "epref.h"
#include "support.h"

enum { LAWS_VERSIONS_MAX = 64, LAWS_REFUSALS_MAX = 512, LAWS_NAME_SIZE = 192, LAWS_STEPS_MAX = 32 };

/* --------------------------------------------------------------- the corpus */

/* A program that ep_check accepts. */
typedef struct laws_program {
    const char *name; /* RELEASE/MODEL */
    ep_bytes text;
    const ep_program *program;
    size_t version;
} laws_program;

typedef void laws_try(void *context, const laws_program *p);

/* The arguments of main: FOLDER [STEP]. Tries every STEP-th program of the folder
 * that is one, step by step. Returns the status to end with: 0, or for want of a
 * folder or of arguments another, when it has been said on standard error. */
int laws_run(int argc, char **argv, laws_try *try, void *context);

/* A document of a version, which it may not say itself, decoded and checked. */
bool laws_decode(ep_arena *arena, ep_bytes text, size_t version, const ep_program **program,
                 ep_error *error);

/* ------------------------------------------------------------------ results */

/* What a call made, with the memory that it lives in. */
typedef struct laws_result {
    test_heap heap;
    ep_arena arena;
    ep_built built;
    ep_error error;
    const char *steps[LAWS_STEPS_MAX]; /* the clauses that were applied */
    size_t step_count;
} laws_result;

/* A program at another version. */
bool laws_migrate(const ep_program *program, size_t to, laws_result *r);

/* Its epref form. */
bool laws_canon(const ep_program *program, laws_result *r);

/* Whether a clause was applied. */
bool laws_took(const laws_result *r, const char *clause);

/* Gives the memory back. False when some of it is left, or the call did not mean
 * what it returned: every result ends with a check of this. */
bool laws_end(laws_result *r);

bool laws_same(ep_bytes a, ep_bytes b);

/* SPEC 7.2.6: whether a number of the program is an open end in the version, and
 * only there. */
bool laws_ends_in_number(const laws_program *p, size_t version);

/* ----------------------------------------------------------------- refusals */

/* Programs that a code keeps from a version; the first of them. */
typedef struct laws_refusal {
    const char *code;
    size_t from;
    size_t first; /* the versions to which it happened */
    size_t last;
    size_t count;
    char example[LAWS_NAME_SIZE + EP_POINTER_SIZE + EP_DETAIL_SIZE];
} laws_refusal;

typedef struct laws_refusals {
    laws_refusal rows[LAWS_REFUSALS_MAX];
    size_t row_count;
    size_t count;
} laws_refusals;

/* False when there is no room for another row. */
bool laws_refuse(laws_refusals *t, const laws_program *p, size_t to, const ep_error *error);

void laws_print_refusals(const laws_refusals *t);

#endif
