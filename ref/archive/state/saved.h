/*
 * saved.h - an archive of torch.save inside a member of another archive, read where it
 * lies: what its pickle says, and where its storages are. The zip is held to the same
 * rules as any other (SPEC 8.1), but that it may do without checksums. Nothing of the
 * storages is read.
 */
#ifndef ARCHIVE_SAVED_H
#define ARCHIVE_SAVED_H

#include "archive/pickle/unpickle.h"
#include "archive/zip/zipfile.h"

typedef struct saved {
    io_data window;
    zipfile zip;
    name_list storages; /* by key: count is which member it is */
    buffer pickle;
    unpickled values; /* its texts are in the pickle */
    bool big_endian;  /* as the archive says of the storages */
} saved;

/*
 * Opens the archive in a member that is stored. A pickle, or a directory, longer than the
 * limit is refused. *s stays where it is until saved_close, which is called in any case.
 * False: what->error, EP_ARCHIVE_PICKLE where the member is not what torch.save writes.
 */
bool saved_open(const zipfile *outer, const zipfile_member *m, size_t limit, saved *s,
                failure *what);
void saved_close(saved *s);

/* Compares its members with their checksums, those that have one. False: what->error, or
 * what->reason. */
bool saved_verify(const saved *s, failure *what);

/* Whether saved_open failed for what the member holds, and not for want of memory or of bytes. */
bool saved_is_refused(const failure *what);

/* Gives a member of it on, piece by piece, with its checksum compared if it has one. False: *what.
 */
bool saved_read(const saved *s, const zipfile_member *m, zipfile_taker taker, failure *what);

/* The inner member that holds a storage, NULL if there is none. Its place is one of the
 * inner archive, which begins where the outer member's bytes do. */
const zipfile_member *saved_storage(const saved *s, ep_bytes key);

#endif
