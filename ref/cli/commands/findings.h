/*
 * findings.h - what `epref audit` tells: one finding a line, graded.
 *
 *     FILE:LINE:COL: high: TITLE: WHY: "TEXT" [AUDIT_ID, SPEC 9.2.1] at /pointer
 */
#ifndef CLI_COMMANDS_FINDINGS_H
#define CLI_COMMANDS_FINDINGS_H

#include "cli/options.h"
#include "cli/report.h"

/* Where the findings about one file go. */
typedef struct findings {
    const options *o;
    buffer *product;
    ep_bytes file; /* by the name that people know it by */
    ep_severity worst;
    report *report; /* where they go instead, as rows; may be NULL */
    bool of_all;    /* the file stands for several that are done with */
} findings;

/* "info" */
const char *findings_severity(ep_severity severity);

/* The same, in the colour that it has. */
void findings_put_severity(buffer *b, ep_severity severity, bool color);

/* Takes a finding into account that is not told. */
void findings_count(findings *f, const ep_finding *finding);

/* Tells of a finding of the library. */
void findings_put(findings *f, const ep_finding *finding);

#endif
