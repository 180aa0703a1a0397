/*
 * judging.h - holds an answer against what its vector wants.
 */
#ifndef EPCONFORM_JUDGING_H
#define EPCONFORM_JUDGING_H

#include "answer.h"
#include "result.h"

/* A vector that is being run. */
typedef struct task {
    size_t index; /* of its result */
    const vector *vector;
    vector_bytes document;
    vector_bytes wanted; /* the product, if it has one */
    bool has_wanted;
} task;

/* Makes the bytes of a vector; false, and said, when that cannot be done. */
bool task_make(task *t, const vector *v);
void task_free(task *t);

/* Fills outcome, skip, detail, message and got of a result. The product is
 * what followed the answer. */
void judge(const traits *t, const task *given, const answer *a, vector_bytes product, result *r);

#endif
