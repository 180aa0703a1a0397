/*
 * run/baseline.h - the expected failures of a run as a file: what failed is expected
 * from then on.
 */
#ifndef EPCONFORM_BASELINE_H
#define EPCONFORM_BASELINE_H

#include "run/result.h"

/* The lines of an expected.jsonl. A failure that has a cause keeps it; another one goes to
 * the first cause that has its outcome and a glob in "match" that fits, else to a
 * cause of its outcome and code. Causes that are left without a vector, and that were made
 * here or have no globs, go. What was not chosen stays. */
void baseline_put(const run *r, strbuf *b);

#endif
