/*
 * run/runner.h - runs the chosen vectors with a testee, in as many processes of it
 * as there are jobs.
 */
#ifndef EPCONFORM_RUNNER_H
#define EPCONFORM_RUNNER_H

#include "run/result.h"
#include "run/worker.h"

/* Told of each result once it is there. */
typedef void result_seen(void *context, const run *r, const result *one);

typedef struct runner {
    session session;
    run *run;
    size_t jobs;
    bool fail_fast;
    const char *profile; /* instead of the testee's; NULL: its own */
    result_seen *seen;
    void *seen_context;
} runner;

/* How a run ended. */
typedef enum ending {
    ENDING_WHOLE,     /* every chosen vector has a result */
    ENDING_FAIL_FAST, /* a failure was enough */
    ENDING_INTERRUPTED,
    ENDING_BROKEN /* the testee or a document cannot be run; it is said */
} ending;

/* The run has its testee, suite, selection and expected failures; its results
 * are made here. */
ending runner_go(runner *r);

/* What is left of a testee's hello and of the results. */
void runner_free(runner *r);

#endif
