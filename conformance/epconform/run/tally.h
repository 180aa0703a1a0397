/*
 * run/tally.h - the failures of a run that no cause explains, counted by what they
 * have in common.
 */
#ifndef EPCONFORM_TALLY_H
#define EPCONFORM_TALLY_H

#include "run/result.h"

enum { TALLY_SAID = 100 }; /* bytes of what was said that are compared */

/* Failures of one outcome, code and clause. Those of the testee itself, such as crashes,
 * are not about the vector: they are grouped by what was said of them. */
typedef struct tally_group {
    outcome outcome;
    const char *code;   /* that the vector wants; of a valid one that the testee has got; "" */
    const char *clause; /* the one that decides, or "" */
    const char *said;   /* of the first, by the testee or of it; "" where the vector decides */
    const vector *first;
    size_t count;
} tally_group;

typedef struct tally {
    tally_group *groups;
    size_t count;
} tally;

/* Counts an unexpected failure; its group, until the next one is counted. The texts
 * are those of the result, and live as long as it does. */
const tally_group *tally_add(tally *t, const result *one);

/* The groups of a whole run, the largest first. */
tally tally_of(const run *r);

void tally_free(tally *t);

/* The code of a failure, as in a group. */
const char *tally_code(const result *one);

#endif
