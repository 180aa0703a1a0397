/*
 * run/expected.h - the expected failures of a testee: causes, and the vectors that
 * fail by each of them.
 */
#ifndef EPCONFORM_EXPECTED_H
#define EPCONFORM_EXPECTED_H

#include "run/outcome.h"
#include "text/strbuf.h"

#include <cjson/cJSON.h>
#include <stddef.h>

/* A line of expected.jsonl. */
typedef struct cause {
    const char *name;
    const char *reason;
    const char *link; /* may be NULL */
    outcome outcome;
    cJSON *line; /* as it was read, with these texts */
} cause;

/* What became of an expected failure. */
typedef enum change {
    CHANGE_NONE,
    CHANGE_FIXED, /* it passes */
    CHANGE_OTHER, /* it fails in another way */
    CHANGE_GONE   /* it is not run any more, or not in the suite */
} change;

/* A vector that is expected to fail. */
typedef struct entry {
    char *id;
    const cause *cause;
    change change;
    char *stale; /* why it is no expected failure; NULL: it is one */
} entry;

typedef struct expected {
    cause **causes;
    size_t cause_count;
    entry *entries; /* by their ids */
    size_t count;
} expected;

/* Reads a file; a path of NULL is an empty one, and so is /dev/null. False, and said. */
bool expected_read(const char *path, expected *e);
void expected_free(expected *e);

/* The entry of an id; NULL: it is to pass. */
const entry *expected_find(const expected *e, const char *id);

#endif
