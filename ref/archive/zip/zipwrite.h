/*
 * zipwrite.h - zip archives as PyTorch writes them, in pieces: what a member holds is
 * read only when its turn comes, so that an archive needs no more memory than its
 * directory. Two styles, byte for byte:
 *
 *   flat   what torch.export.save wrote by Python's zipfile (2.1 to 2.7)
 *   PT2    what PyTorchFileWriter writes (2.8 on): bytes begin at multiples of 64,
 *          sizes follow them, the end is said twice
 */
#ifndef ARCHIVE_ZIPWRITE_H
#define ARCHIVE_ZIPWRITE_H

#include "zipfile.h"

typedef struct zipwrite_member zipwrite_member;

/* What a caller gives, piece by piece, when its turn comes. */
typedef struct zipwrite_source {
    bool (*give)(void *context, const zipwrite_member *m, zipfile_taker to, failure *what);
    void *context;
    size_t number; /* the caller's */
} zipwrite_source;

/* A member to be: bytes, which have to live as long as the archive is written, or a
 * member of another archive, likewise, or what a caller gives. */
struct zipwrite_member {
    size_t name; /* where its name is in the names, and how long */
    size_t name_size;
    const zipfile *from;          /* of what is copied */
    const zipfile_member *copied; /* NULL: bytes */
    ep_bytes bytes;
    zipwrite_source source; /* of neither */
    uint64_t size;          /* of what a caller gives, to be said before it is written */
    uint32_t crc;    /* likewise, unless it is counted when it is written, in the style PT2 alone */
    bool is_counted; /* if so */
    char start[8];   /* the first bytes, when it was written */
    uint32_t date;   /* of a flat member, as zip has it; 1980-01-01 if nothing else is said */
    uint64_t header; /* where its local header is */
    uint64_t place;  /* and its bytes */
};

typedef struct zipwrite {
    bool pt2;            /* the style */
    bool is_known;       /* what its members hold is: as zipfile_open_known */
    const zipfile *from; /* that the next members are copied from */
    zipwrite_member *members;
    size_t count;
    size_t capacity;
    buffer names;
    bool failed; /* for want of memory */

    /* Of the writing. */
    buffer piece;
    buffer tail;  /* the last bytes */
    uint64_t end; /* of what was written */
    uint64_t directory;
} zipwrite;

/* Plan a member, which is there until the next one is planned; NULL for want of memory,
 * which sticks. No name may come twice. */
zipwrite_member *zipwrite_bytes(zipwrite *w, ep_bytes name, ep_bytes bytes);
zipwrite_member *zipwrite_copy(zipwrite *w, ep_bytes name, const zipfile_member *member);
zipwrite_member *zipwrite_given(zipwrite *w, ep_bytes name, zipwrite_source source);

/* What is wrong with the names that are planned, and *name is such a one, of two the one
 * that was planned last; NULL: nothing. In the style PT2 names must not be too long, nor
 * differ in case only. SPEC 8.1.4 */
const char *zipwrite_judge_names(zipwrite *w, ep_bytes *name);

ep_bytes zipwrite_name(const zipwrite *w, size_t member);

/*
 * Writes what is planned, piece by piece, by a function that returns false to stop. Then it
 * refuses what has a second end record (EP_ARCHIVE): what a member holds can be one in this
 * archive alone. It is not looked for in bytes that are inflated or given, but at the end of
 * the file. False: *what says why. SPEC 8.1.1
 */
bool zipwrite_all(zipwrite *w, zipfile_take *put, void *context, failure *what);

void zipwrite_free(zipwrite *w);

#endif
