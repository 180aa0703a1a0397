/*
 * auditor.h - the audit of a file, program by program and then the archive around them.
 */
#ifndef CLI_COMMANDS_AUDITOR_H
#define CLI_COMMANDS_AUDITOR_H

#include "cli/source.h"

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
