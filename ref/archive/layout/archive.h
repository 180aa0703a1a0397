/*
 * archive.h - the program in a .pt2 archive: torch.export.save's flat zip
 * (serialized_exported_program.json) or its PT2 archive (R/models/NAME.json).
 * Nothing is extracted to a file. Clauses: SPEC 8.1.
 */
#ifndef ARCHIVE_ARCHIVE_H
#define ARCHIVE_ARCHIVE_H

#include "archive/zip/zipfile.h"

typedef struct archive {
    zipfile zip;
    ep_bytes root;                 /* "R/"; empty where the layout is flat */
    const zipfile_member *program; /* the one that was asked for; NULL: compiled models alone */
} archive;

/* Which program of several, NULL: the only one; and how long the directory of the
 * archive may be. */
typedef struct archive_wish {
    const char *model;
    size_t limit;
    bool several;  /* any number of programs will do, but none; archive.program is one of them */
    bool compiled; /* models of AOTInductor will do, without a program. SPEC 8.9.1 */
} archive_wish;

/* A program of an archive that who asks has decoded already; without a member: none. */
typedef struct archive_decoded {
    const zipfile_member *member;
    const ep_program *program;
} archive_decoded;

/*
 * Opens an archive and finds its program. It is read from `data` until archive_close.
 * False: what->error (EP_ARCHIVE..., EP_LIMIT_BYTES, EP_MEMORY), or what->reason where
 * the file cannot be read; there is nothing to close then.
 */
bool archive_open(const io_data *data, archive_wish wish, archive *a, failure *what);

/* Finds the program in an archive whose zip is open, which stays open. */
bool archive_find(archive *a, archive_wish wish, failure *what);

/* Whether there is a program of the flat layout. Linear in the members. */
bool archive_is_flat(const zipfile *zip);

/* Whether a loader of any release takes a member for a program, in an archive of whatever
 * layout. */
bool archive_may_be_program(bool is_flat, const zipfile_member *m);

/* The program's bytes; of one that is longer than the limit, one byte more than that. */
bool archive_read(const archive *a, size_t limit, buffer *program, failure *what);

/* Whether what comes out of all members is so little as archive_verify takes. */
bool archive_fits(const archive *a, size_t limit);

/* Reads every member, the programs first, as zipfile_verify has it. SPEC 8.1.3 */
bool archive_verify(const archive *a, size_t limit, ep_bytes *about, failure *what);

/* Reads every member that was not verified yet, which zipfile_read does, too. */
bool archive_verify_rest(const archive *a, failure *what);

void archive_close(archive *a);

/* What PyTorch takes for a program of the PT2 layout, "R/models/NAME.json": *name is NAME. */
bool archive_is_program(ep_bytes member, ep_bytes *name);

/* The member by which an archive says that members were taken out of it; NULL: it is whole
 * so far. Puts its name. SPEC 8.7.1 */
const zipfile_member *archive_stripped(const archive *a);
extern const char archive_why_stripped[]; /* it cannot be read then */
void archive_put_stripped(const archive *a, buffer *name);

/* Whether a member is of a model of AOTInductor: its name without the root is
 * "data/aotinductor/NAME/...". *name is empty where there is no such folder. SPEC 8.9 */
bool archive_is_of_model(const archive *a, const zipfile_member *m, ep_bytes *name);

/* Whether it is the metadata of one, which says what that was compiled for. SPEC 8.2.2, 8.9.2 */
bool archive_is_compiled(const archive *a, const zipfile_member *m, ep_bytes *name);
extern const char archive_why_compiled[]; /* a command has nothing to take from it */

/* Whether a member is a program of the archive. */
bool archive_has_program(const archive *a, const zipfile_member *m);

#endif
