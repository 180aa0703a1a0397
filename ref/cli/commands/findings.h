/*
 * findings.h - what `epref audit` tells: one finding a line, graded.
 *
 *     FILE:LINE:COL: high: TITLE: WHY: "TEXT" [AUDIT_ID, SPEC 9.2.1] at /pointer
 */
#ifndef CLI_COMMANDS_FINDINGS_H
#define CLI_COMMANDS_FINDINGS_H

#include "cli/options.h"
#include "cli/report.h"
#include "cli/source.h"

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

/* Told of a finding. member: of the archive; empty where it is in the program at hand. */
typedef void auditor_hear(void *context, ep_bytes member, const ep_finding *finding);

typedef struct auditor {
    const options *o;
    const source *s;
    auditor_hear *hear;
    void *context;

    size_t left;  /* bytes of members that may still be read */
    failure what; /* why a member could not be looked at */
    bool whole;   /* a program reads what is told: of members more than a few */
    size_t said;  /* bytes of such findings */
    size_t found[EP_AUDIT_COUNT];
    size_t told[EP_AUDIT_COUNT];
    bool failed; /* for want of memory */
} auditor;

auditor auditor_of(const options *o, const source *s, auditor_hear *hear, void *context);

/* Looks at a program that was decoded. False: *what. */
bool auditor_program(auditor *a, const ep_program *program, failure *what);

/* Looks at the members of the archive, when all programs were looked at. False: *what. */
bool auditor_members(auditor *a, failure *what);

/* Tells how many findings about members there are beyond those that were told. */
void auditor_end(auditor *a);

#endif
