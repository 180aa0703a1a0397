/*
 * members.h - what loading an archive does beyond reading its program (SPEC
 * 9.6): the members that are unpickled, imported or linked. Nothing is
 * extracted, and no more of the members is read than the limit.
 */
#ifndef ARCHIVE_MEMBERS_H
#define ARCHIVE_MEMBERS_H

#include "archive/zip/zipfile.h"

/* Told of a finding. member: its name in the archive; of a finding that is no
 * member's, empty. */
typedef void members_hear(void *context, ep_bytes member, const ep_finding *finding);

typedef struct members_ear {
    members_hear *hear;
    void *context;
    size_t *left;  /* bytes that may still be read, of all members together */
    failure *what; /* why an audit fails: memory, or the world */
} members_ear;

/* Looks at every member of an archive. False: ear->what. */
bool members_audit(const zipfile *zip, const members_ear *ear);

/* Looks at the pickle in the text of a finding about a program (EP_AUDIT_EMBEDDED), and tells
 * what it finds at that finding's place, of no member (SPEC 9.5.1). False: ear->what. */
bool members_audit_embedded(const ep_finding *finding, const members_ear *ear);

#endif
