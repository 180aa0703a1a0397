/*
 * run/outcome.h - what may become of a vector; results.schema.json has the names.
 */
#ifndef EPCONFORM_OUTCOME_H
#define EPCONFORM_OUTCOME_H

#include <stdbool.h>

typedef enum outcome {
    OUTCOME_PASS,
    OUTCOME_ACCEPTED,   /* an invalid document */
    OUTCOME_CHANGED,    /* an invalid document, and written with other values */
    OUTCOME_REFUSED,    /* a valid one */
    OUTCOME_UNWRITABLE, /* read, and then not written */
    OUTCOME_REASON,     /* refused with another code or clause */
    OUTCOME_PLACE,      /* at another place */
    OUTCOME_SCHEMA,     /* taken as another version */
    OUTCOME_PRODUCT,    /* other values written, or no JSON */
    OUTCOME_SPELLING,   /* the same values, written with other bytes */
    OUTCOME_WARNINGS,
    OUTCOME_CRASH,
    OUTCOME_TIMEOUT,
    OUTCOME_FLOOD,
    OUTCOME_PROTOCOL,
    OUTCOME_ERROR,
    OUTCOME_SKIPPED,
    OUTCOME_COUNT
} outcome;

const char *outcome_name(outcome o);

/* Whether it is the testee that failed, whatever the vector is about. */
static inline bool outcome_is_own(outcome o) {
    return o >= OUTCOME_CRASH && o <= OUTCOME_ERROR;
}

/* False: there is none of this name. */
bool outcome_find(const char *name, outcome *o);

#endif
