/*
 * run/judging.h - holds an answer against what its vector wants.
 */
#ifndef EPCONFORM_JUDGING_H
#define EPCONFORM_JUDGING_H

#include "run/answer.h"
#include "run/result.h"

/* A vector that is being run. */
typedef struct task {
    size_t index; /* of its result */
    const vector *vector;
    const char *operation; /* the vector's, or the one that is asked behind it */
    vector_bytes document;
    vector_bytes other;  /* the second document, if it has one */
    vector_bytes wanted; /* the product, if it has one and its bytes are said */
    const char *hash;    /* else its SHA-256, or NULL */
    bool has_wanted;
} task;

/* Makes the bytes of a vector; false, and said, when that cannot be done. */
bool task_make(task *t, const vector *v);
void task_free(task *t);

/* Makes of a task the question whether the document is read at all, if this is
 * left open: it was refused by an operation that reads and writes, and the
 * testee has the one that only reads. */
bool task_ask_reading(task *t, const traits *has, const answer *a);

/* Takes the answer to that question into the result that judge has made. */
void judge_reading(const answer *a, result *r);

/* Makes of a task the question what an invalid document was read as, if it was accepted
 * by an operation that only reads, and the testee writes what it reads. */
bool task_ask_writing(task *t, const traits *has, const result *r);

/* Takes the answer to that question into the result, whose outcome stays. */
void judge_writing(const task *given, const answer *a, vector_bytes product, result *r);

/* Fills outcome, skip, detail, message and got of a result. The product is
 * what followed the answer. */
void judge(const traits *t, const task *given, const answer *a, vector_bytes product, result *r);

#endif
