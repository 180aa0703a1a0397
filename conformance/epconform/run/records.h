/*
 * run/records.h - a run as other programs read it: JSON (results.schema.json)
 * and JUnit XML.
 */
#ifndef EPCONFORM_RECORDS_H
#define EPCONFORM_RECORDS_H

#include "run/result.h"

void records_json(const run *r, strbuf *b);
void records_junit(const run *r, strbuf *b);

#endif
