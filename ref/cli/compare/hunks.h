/*
 * hunks.h - two programs as a unified diff of what epref show prints of them; or as JSON, an
 * object in a line for each hunk, with nothing folded or summed up; or in figures.
 */
#ifndef CLI_COMPARE_HUNKS_H
#define CLI_COMPARE_HUNKS_H

#include "cli/json.h"
#include "comparison.h"

typedef struct hunks {
    const comparison *of;
    buffer *out;
    size_t context; /* lines around what differs */
    bool color;
    bool full; /* nothing is folded or summed up */
    bool json; /* and full */
} hunks;

/* Puts names that are others, all hunks, types that are others, and what no line shows. Of
 * JSON: {"section": "graph", "a": {"line": 12, "count": 7}, "b": ..., "lines": [...]}. False for
 * want of memory. */
bool hunks_put(const hunks *h);

/* Puts how much differs in each section; of JSON, into an object. False for want of memory. */
bool hunks_put_stat(const hunks *h, json *object);

#endif
