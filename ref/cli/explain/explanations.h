/*
 * explanations.h - what every error code and every finding of an audit means, and what to do
 * about it: the texts of this folder.
 */
#ifndef CLI_EXPLAIN_EXPLANATIONS_H
#define CLI_EXPLAIN_EXPLANATIONS_H

#include "epref.h"

/* Texts are broken into lines of a terminal. */
typedef struct explanation {
    ep_code code;
    const char *meaning;
    const char *where; /* what the snippets are in; NULL: there are none */
    const char *bad;
    const char *good;
} explanation;

/* NULL: of no code that has one. */
const explanation *explanation_of(ep_code code);

const char *explanation_of_finding(ep_audit_id id);

#endif
