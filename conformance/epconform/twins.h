/*
 * twins.h - refusals that show nothing: whoever refuses the valid twin, too, may
 * refuse both for another reason than the defect that the vector has.
 */
#ifndef EPCONFORM_TWINS_H
#define EPCONFORM_TWINS_H

#include "result.h"

/* Whether a refusal as it has to be says too little to stand on its own: without
 * a code, which says what it is for. got is what the testee said; may be NULL. */
bool twins_matter(const vector *v, outcome o, const cJSON *got);

/* Whether this became of a twin that was not accepted. */
bool twins_void(outcome of_twin);

/* What is said of a void refusal; the caller frees it. */
char *twins_detail(const char *twin);

/* Leaves out the void refusals of a run, as SKIP_TWIN; where the twin was not
 * chosen a refusal stands. */
void run_leave_void(run *r);

#endif
