/*
 * report/results.h - what testees made of the vectors, as `run` wrote it, and
 * which testees there are of which nothing is known.
 */
#ifndef EPCONFORM_REPORT_RESULTS_H
#define EPCONFORM_REPORT_RESULTS_H

#include "suite/suite.h"
#include "text/strbuf.h"

typedef struct report_results {
    cJSON **runs; /* one a testee */
    size_t count;
} report_results;

/* Reads the files of results. False, and said on standard error, if one is no
 * such file, is of another suite, names a vector that is not there or twice,
 * or if two are of one testee. */
bool report_results_read(const suite *s, const word_list *paths, report_results *results);
void report_results_free(report_results *results);

/* The results as a member `testees` of a JSON object; after them the testees
 * that have a folder in `home` and no results. */
void report_results_put(const report_results *results, const char *home, cJSON *page);

#endif
