/*
 * zipwrite.h - zip archives as PyTorch writes them, in pieces: what a member holds is
 * read only when its turn comes, so that an archive needs no more memory than its
 * directory. Two styles, byte for byte but for the date of the first:
 *
 *   flat   what torch.export.save wrote by Python's zipfile (2.1 to 2.7)
 *   PT2    what PyTorchFileWriter writes (2.8 on): bytes begin at multiples of 64,
 *          sizes follow them, the end is said twice
 */
#ifndef ARCHIVE_ZIPWRITE_H
#define ARCHIVE_ZIPWRITE_H

#include "zipfile.h"

/* Bytes of a file that is open. */
typedef struct zipwrite_source {
    const io_data *from; /* NULL: none */
    uint64_t place;
    uint64_t size;
} zipwrite_source;

/* A member to be: bytes, which have to live as long as the archive is written, or a
 * member of another archive, or a part of another file, likewise. */
typedef struct zipwrite_member {
    size_t name; /* where its name is in the names, and how long */
    size_t name_size;
    const zipfile_member *copied; /* NULL: bytes */
    zipwrite_source range;        /* or a part of a file, whose checksum is known when it is read */
    ep_bytes bytes;
    uint64_t size;
    uint32_t crc;
    uint64_t header; /* where its local header is */
} zipwrite_member;

typedef struct zipwrite {
    bool pt2;            /* the style */
    const zipfile *from; /* that members are copied from */
    zipwrite_member *members;
    size_t count;
    size_t capacity;
    buffer names;
    bool failed; /* for want of memory */

    /* Of the writing. */
    buffer piece;
    uint64_t end; /* of what was written */
    uint64_t directory;
} zipwrite;

/* Plan a member. No name may come twice. */
void zipwrite_bytes(zipwrite *w, ep_bytes name, ep_bytes bytes);
void zipwrite_copy(zipwrite *w, ep_bytes name, const zipfile_member *member);
void zipwrite_range(zipwrite *w, ep_bytes name, zipwrite_source range); /* of the style PT2 alone */

/* What is wrong with the names that are planned, and *name is such a one; NULL: nothing.
 * In the style PT2 names must not be too long, nor differ in case only. SPEC 8.1.4 */
const char *zipwrite_judge_names(zipwrite *w, ep_bytes *name);

/* Writes what is planned, piece by piece, by a function that returns false to stop.
 * False: *what says why. */
bool zipwrite_all(zipwrite *w, zipfile_take *put, void *context, failure *what);

void zipwrite_free(zipwrite *w);

#endif
