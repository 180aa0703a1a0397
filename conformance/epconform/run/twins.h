/*
 * run/twins.h - refusals that show nothing: whoever refuses the valid twin, too, may
 * refuse both for another reason than the defect that the vector has.
 */
#ifndef EPCONFORM_TWINS_H
#define EPCONFORM_TWINS_H

#include "run/result.h"

/* The valid twin of an invalid vector; NULL: it has none in the suite. */
const vector *twin_of(const suite *s, const vector *v);

/* Leaves out the void refusals of a run, as SKIP_TWIN: those that say too little
 * to stand on their own, without a code, which says what they are for. */
void run_leave_void(run *r);

/* A valid document that was not accepted, and what it stands in the way of. */
typedef struct blocking {
    const result *result;
    size_t hidden; /* refusals of others that show nothing because of it, void or of its code */
} blocking;

typedef struct blocking_list {
    blocking *items;
    size_t count;
    size_t hidden; /* of all */
} blocking_list;

/* The documents that hide results of a run, the worst first. */
blocking_list run_find_blocking(const run *r);

#endif
