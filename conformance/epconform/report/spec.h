/*
 * report/spec.h - the titles and clauses of SPEC.md, for people who read a
 * report.
 */
#ifndef EPCONFORM_REPORT_SPEC_H
#define EPCONFORM_REPORT_SPEC_H

#include <cjson/cJSON.h>

/* As a member `spec` of a JSON object: titles of parts and sections, the first
 * paragraph of every clause, and the address of the text if there is one. Of
 * an empty text there are none. */
void report_spec_put(const char *spec, const char *url, cJSON *page);

#endif
