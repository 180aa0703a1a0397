/*
 * hunks_json.h - the hunks of two programs as JSON, an object in a line for each, with nothing
 * folded or summed up.
 */
#ifndef CLI_COMPARE_HUNKS_JSON_H
#define CLI_COMPARE_HUNKS_JSON_H

#include "hunks.h"

/* {"renamed": [["%add", "%add_1"]]}, where there are any. */
void hunks_json_put_renamed(const hunks *h);

/* {"section": "graph", "a": {"line": 12, "count": 7}, "b": ..., "lines": [...]}. False for want
 * of memory. */
bool hunks_json_put(const hunks *h);

/* {"section": null, "lines": [...]}: the notes of the program, where there are any. */
void hunks_json_put_notes(const hunks *h);

#endif
