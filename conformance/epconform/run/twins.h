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

#endif
