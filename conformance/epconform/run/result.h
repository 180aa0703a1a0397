/*
 * run/result.h - what became of a vector with a testee, and of all of them.
 */
#ifndef EPCONFORM_RESULT_H
#define EPCONFORM_RESULT_H

#include "run/expected.h"
#include "run/outcome.h"
#include "run/testee.h"

typedef struct result {
    const vector *vector;
    bool done;
    outcome outcome;
    skip skip;          /* why skipped */
    const cause *cause; /* the expected failure that it is; NULL: none */
    const cause *was;   /* the one that it was expected to be, and is not; NULL: none */
    char *detail;       /* what was wanted and what there was; may be NULL */
    char *message;      /* the testee's own; may be NULL */
    cJSON *got;         /* what the testee said; may be NULL */
    double ms;
} result;

/* A run: all that the reports show. */
typedef struct run {
    const testee *testee;
    const traits *traits;
    const suite *suite;
    const selection *selection;
    expected *expected; /* with its stale entries, once they are known */
    result *results;    /* of the chosen vectors, in the order of the manifests */
    size_t count;
    size_t beside; /* behind them: valid twins that were not chosen, see twins.h */
    double seconds;
    bool complete;
} run;

typedef struct counts {
    size_t passed;
    size_t expected;
    size_t unexpected;
    size_t skipped;
    size_t stale;
    size_t missing;   /* without a result */
    size_t void_ones; /* of the skipped: run, but showing nothing */
    size_t fixed;     /* of the stale: they pass */
    size_t changed;   /* of the unexpected, and of the stale: they fail in another way */
} counts;

counts run_count(const run *r);

/* How many results were skipped for each reason. */
void run_count_skips(const run *r, size_t why[SKIP_COUNT]);

/* The result of a vector; NULL if it was not chosen, or is NULL. */
const result *run_find(const run *r, const vector *v);

/* The same of a valid twin, which need not be chosen. */
const result *run_find_twin(const run *r, const vector *v);

/* Neither passed, nor skipped, nor expected. */
bool result_is_unexpected(const result *r);

/* Finds the entries of the expected failures that are none, once all results are what
 * they stay. */
void run_find_stale(run *r);

void result_free(result *r);

#endif
