/*
 * repack.h - an archive made again around a migrated program, as the releases
 * of the other schema version lay it out. What is not the program is copied
 * byte for byte, under another name where need be, and nothing is unpickled.
 * Clauses: SPEC 7.7.
 */
#ifndef CLI_REPACK_H
#define CLI_REPACK_H

#include "constants.h"
#include "io.h"
#include "status.h"

/* What is to be made of an archive. */
typedef struct repack_wish {
    const ep_version *version; /* of the program */
    ep_bytes program;
    const char *member;         /* that the program is instead of */
    const constants *constants; /* that were taken out of it */
    size_t limit;               /* how many bytes more than itself an archive may hold */
    ep_migrate_step *report;
    void *report_context;
} repack_wish;

struct zip_source; /* of libzip */

/* A new archive, piece by piece. */
typedef struct repacked {
    struct zip_source *source;
    buffer piece;
} repacked;

/*
 * Makes the new archive, in memory. False: what->error (EP_MIGRATE_ARCHIVE where
 * the layout has no place for a member, EP_ARCHIVE...) or what->reason.
 */
bool archive_repack(const char *path, const io_data *data, const repack_wish *wish, repacked *made,
                    failure *what);

/* An output_pull, the context being a repacked. */
bool repacked_pull(void *context, ep_bytes *piece);

void repacked_free(repacked *made);

/* Whether the releases of a version take tensors as members of bytes. */
bool archive_takes_raw(const ep_version *version);

#endif
