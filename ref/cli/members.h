/*
 * members.h - what loading an archive does beyond reading its program (SPEC
 * 9.6): the members that are unpickled, imported or linked. Nothing is
 * extracted, and no more of the members is read than the limit.
 */
#ifndef CLI_MEMBERS_H
#define CLI_MEMBERS_H

#include "io.h"

/* Told of a finding. member: its name in the archive; of a finding that is no
 * member's, empty. */
typedef void members_hear(void *context, ep_bytes member, const ep_finding *finding);

typedef struct members_ear {
    members_hear *hear;
    void *context;
    size_t *left; /* bytes that may still be read, of all members together */
} members_ear;

/* Looks at every member of an archive: the file at path if data->on_disk, else
 * the bytes. False for want of memory. */
bool members_audit(const char *path, const io_data *data, const members_ear *ear);

/* Looks at bytes that a loader gives to torch.load or to pickle. */
bool members_audit_pickled(ep_bytes data, ep_bytes member, const members_ear *ear);

#endif
