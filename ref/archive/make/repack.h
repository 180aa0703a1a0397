/*
 * repack.h - an archive made again around a migrated program, as the releases
 * of the other schema version lay it out. What is not the program is copied
 * byte for byte, under another name where need be; where it is asked for, pickled
 * tensors become raw members. Clauses: SPEC 7.7.
 */
#ifndef ARCHIVE_REPACK_H
#define ARCHIVE_REPACK_H

#include "archive/judge/whole.h"
#include "archive/layout/constants.h"
#include "raw.h"
#include "save.h"

/* Puts a payload config as it is to be. False: *what. */
typedef bool repack_config(void *context, ep_bytes text, buffer *out, failure *what);

/* What is to be made of an archive. */
typedef struct repack_wish {
    const ep_version *version; /* of the program */
    ep_bytes program;
    const constants *constants; /* that were taken out of it */
    const tensors *state;       /* of the archive: what of it is pickled becomes raw where the
                                   layout has that; NULL: it stays pickled */
    bool pickles;               /* what of the state is raw becomes pickled where the layout has
                                   no other place for it */
    repack_config *config;      /* puts the configs of the program in other words; or NULL */
    void *config_context;
    bool drops_inputs; /* sample inputs, of which a member without bytes is left */
    size_t limit;      /* how many bytes more than itself an archive may hold */
    ep_migrate_step *report;
    void *report_context;
} repack_wish;

/* A new archive, before it is written. It needs the old one, the wish's program and its
 * constants until then. */
typedef struct repacked {
    zipwrite zip;
    buffer texts; /* of members that are made anew */
    raw_part weights;
    raw_part constants;
    save_part saved_weights; /* of these, where they are pickled */
    save_part saved_constants;
} repacked;

/*
 * Plans the new archive, and reads all that will be copied once, so that nothing is
 * written of an archive that is damaged. False: what->error (EP_MIGRATE_ARCHIVE where
 * the layout has no place for a member, EP_ARCHIVE_MEMBER, ...) or what->reason.
 * repacked_free frees it in any case.
 */
bool archive_repack(const archive *from, const repack_wish *wish, repacked *made, failure *what);

/*
 * Whether an archive is whole, but for the program that is migrated: what is not is not made
 * again, for it would look as if epref vouched for it. The other programs are judged here, in
 * at most so much memory each where that is not 0; one without its tensors is whole when it is
 * joined. False: *what and *member, as of whole_check. SPEC 7.7.7
 */
bool archive_check_beside(const archive *a, const whole_wish *wish, size_t memory, ep_bytes *member,
                          failure *what);

/* Writes what was planned; an output_make, the context being a repacked. */
bool repacked_write(void *context, zipfile_take *put, void *sink, failure *what);

void repacked_free(repacked *made);

#endif
