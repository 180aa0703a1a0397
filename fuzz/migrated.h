/*
 * migrated.h - a program at another version, and its form, each in memory of its own.
 */
#ifndef FUZZ_MIGRATED_H
#define FUZZ_MIGRATED_H

#include "epref.h"
#include "support.h"

enum { PROPERTIES_STEPS_MAX = 32 };

/* A program that ep_check accepts. */
typedef struct properties_program {
    ep_bytes text;
    const ep_program *program;
    size_t version;
} properties_program;

/* A document of a version, which it may not say itself, decoded and checked. */
bool properties_decode(ep_arena *arena, ep_bytes text, size_t version, const ep_program **program,
                       ep_error *error);

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

/* SPEC 7.2.6: whether a number of the program is an open end in the version, and
 * only there. */
bool properties_ends_in_number(const properties_program *p, size_t version);

#endif
