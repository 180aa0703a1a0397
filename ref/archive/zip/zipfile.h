/*
 * zipfile.h - a strict reader of zip archives (SPEC 8.1). It takes an archive only
 * when there is one way to read it: one directory, that lies where every reader
 * looks for it; headers that say the same in both places; members that fill the
 * file one behind the other; names that nobody reads otherwise. Whoever reads such
 * an archive, by whatever rules, finds the same members with the same bytes.
 *
 * Time and memory are linear in the directory (times the logarithm of the number of
 * members, where they are sorted), whatever the archive says.
 */
#ifndef ARCHIVE_ZIPFILE_H
#define ARCHIVE_ZIPFILE_H

#include "common/buffer.h"
#include "common/io.h"
#include "common/names.h"
#include "common/status.h"

enum { ZIPFILE_STORED = 0, ZIPFILE_DEFLATED = 8 };

enum { ZIPFILE_FOLDED_MOST = 511 }; /* PyTorch's reader cuts longer names */

typedef struct zipfile_member {
    ep_bytes name;   /* UTF-8, of one byte or more, in the archive's memory */
    uint64_t header; /* where its local header is */
    uint64_t place;  /* where its bytes are */
    uint64_t packed; /* how many these are */
    uint64_t size;   /* how many come out */
    uint32_t crc;
    uint32_t date; /* as zip has it, the time in the lower half */
    uint16_t flags;
    uint16_t method;
    bool is_verified; /* it was read to its end, and is what the directory says */
} zipfile_member;

typedef struct zipfile {
    const io_data *from;
    bool is_known; /* what its members hold is */
    char *directory;
    uint64_t place;          /* of the directory */
    size_t size;             /* of the directory */
    zipfile_member *members; /* in the order of the directory */
    size_t count;
} zipfile;

/*
 * Opens an archive, which is read from `from` until zipfile_close. A directory longer
 * than the limit is refused (EP_LIMIT_BYTES). False: what->error or what->reason, and
 * there is nothing to close.
 */
bool zipfile_open(const io_data *from, size_t limit, zipfile *z, failure *what);

/* The same of an archive whose members are held against hashes: whether other readers find
 * others is not asked, which depends on archives in members, too. */
bool zipfile_open_known(const io_data *from, size_t limit, zipfile *z, failure *what);

void zipfile_close(zipfile *z);

enum { ZIPFILE_TAIL = 65578 }; /* the bytes in which other end records are looked for */

/* Refuses an archive that has a second end record. SPEC 8.1.1 */
bool zipfile_check_ends(const io_data *from, failure *what);

/* Refuses two names that differ in case only, and names that are longer than
 * PyTorch's reader takes them: for archives that it reads. SPEC 8.1.4 */
bool zipfile_check_folded(const zipfile *z, failure *what);

/* The order of names without regard to case, as PyTorch's reader compares them. */
bool zipfile_in_folded_order(const name_item *a, const name_item *b);

/* What is wrong with a name, that of a member of so many bytes; NULL: nothing. SPEC 8.1.4 */
const char *zipfile_judge_name(ep_bytes name, uint64_t size);

/* The member of a name; NULL if there is none. Linear in time. */
const zipfile_member *zipfile_find(const zipfile *z, ep_bytes name);

/* What a member holds goes to a function, piece by piece. That returns false, and
 * says why, to stop. */
typedef bool zipfile_take(void *context, ep_bytes piece, failure *what);

typedef struct zipfile_taker {
    zipfile_take *take;
    void *context;
} zipfile_taker;

/*
 * Reads a member to its end, and compares its size and checksum. At most limit bytes,
 * and if there are more one more, are given on; then the checksum is not compared.
 * False: what->error, EP_ARCHIVE_MEMBER where it is not what the directory says of
 * it. SPEC 8.1.3
 */
bool zipfile_read(const zipfile *z, const zipfile_member *m, uint64_t limit, zipfile_taker taker,
                  failure *what);

/* Gives bytes of a file on, piece by piece, and compares them with nothing. */
bool zipfile_give(const io_data *from, uint64_t place, uint64_t size, zipfile_taker taker,
                  failure *what);

/* zipfile_read into a buffer, which is emptied first. */
bool zipfile_read_all(const zipfile *z, const zipfile_member *m, size_t limit, buffer *content,
                      failure *what);

/* The same of a member that has to be there whole: one that is longer than the limit, as the
 * directory has it, is refused (EP_LIMIT_BYTES), and what is not as long as that
 * (EP_ARCHIVE_MEMBER). */
bool zipfile_read_whole(const zipfile *z, const zipfile_member *m, size_t limit, buffer *content,
                        failure *what);

/* The same, and gives it to nobody. SPEC 8.1.3 */
bool zipfile_verify_member(const zipfile *z, const zipfile_member *m, uint64_t limit,
                           failure *what);

/* Reads every member but `except`, and gives it to nobody. What comes out of all may be
 * so many bytes more than the archive has, or it is refused (EP_LIMIT_BYTES). A failure of a
 * member leaves its name in *about, which may be NULL. SPEC 8.1.3 */
bool zipfile_verify(const zipfile *z, const zipfile_member *except, size_t limit, ep_bytes *about,
                    failure *what);

#endif
