/*
 * report/documents.h - the vectors that a page shows, and the documents that
 * they need. Documents of the corpora are too large for a page, but for those
 * that are made of rows: of the others it gets a window around the place of the
 * error.
 */
#ifndef EPCONFORM_REPORT_DOCUMENTS_H
#define EPCONFORM_REPORT_DOCUMENTS_H

#include "suite/suite.h"
#include "text/strbuf.h"

/* The suite as members of a JSON object: `suite`, `vectors`, `files` and
 * `windows`, of which the latter two name spans of `documents`. Files in the
 * folder `corpora` are not in the page. False, and said on standard error, if
 * a file cannot be read. */
bool report_suite_put(const suite *s, const char *corpora, cJSON *page, strbuf *documents);

#endif
