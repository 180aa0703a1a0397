/*
 * run/records.h - a run as other programs read it: JSON (results.schema.json),
 * TAP and JUnit XML.
 */
#ifndef EPCONFORM_RECORDS_H
#define EPCONFORM_RECORDS_H

#include "run/result.h"

void records_json(const run *r, strbuf *b);
void records_tap(const run *r, strbuf *b);
void records_junit(const run *r, strbuf *b);

/* A results file of what is outside of "results", and of its lines; the object
 * is printed with them in it. */
void records_print(const cJSON *head, const cJSON *const *lines, size_t count, strbuf *b);

#endif
