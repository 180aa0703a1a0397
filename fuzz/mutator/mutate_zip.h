/*
 * mutator/mutate_zip.h - what the parts of the archives' mutator share: an archive in
 * parts, which can be written again, with every length, offset and checksum
 * right, but for one fault that is made on purpose.
 */
#ifndef FUZZ_MUTATE_ZIP_H
#define FUZZ_MUTATE_ZIP_H

#include "common/buffer.h"
#include "mutator/mutate.h"
#include "oracles/zip_reader.h"

enum { ZIP_PARTS_MAX = 64 };

/* Forms in which the same can be said; each of them is right. */
enum {
    ZIP_FORM_UNSIGNED = 1,   /* the descriptor has no signature */
    ZIP_FORM_LONG = 2,       /* and numbers of eight bytes */
    ZIP_FORM_KEPT = 4,       /* what a descriptor says stands in the local header, too */
    ZIP_FORM_WIDE = 8,       /* the sizes stand in fields of zip64, in both headers */
    ZIP_FORM_WIDE_PLACE = 16 /* so does the place, in the directory */
};

/*
 * The numbers of a member or an archive, each by a letter, which records are written with.
 * b: who made it; c: checksum; d: the directory's place; e: that of the record of zip64;
 * f: flags; g: forms; h: 1; i, w: attributes; k: members; l: the member's place; m: method;
 * n: version; a, o, x: sizes of name, comment and fields; p, u: sizes of the data as they
 * lie there and unpacked; q, r: of zip64; s: of a field; t: time; y: size of the directory.
 */
typedef struct zip_values {
    uint64_t of[26];
} zip_values;

#define ZIP_VALUE(values, letter) ((values)->of[(letter) - 'a'])

/* A member. Texts are views into the archive that it was in, the pool, or constants. */
typedef struct zip_part {
    zip_values values;
    ep_bytes name;
    ep_bytes local_extra;
    ep_bytes extra;
    ep_bytes comment;
    ep_bytes data;
    bool packed; /* data lies in the archive so, and crc and size are not its own */
} zip_part;

typedef struct zip_model {
    zip_part parts[ZIP_PARTS_MAX];
    size_t count;
    ep_bytes comment;
    bool zip64;     /* ends with the records of zip64 too */
    size_t turned;  /* the directory begins with this member, */
    bool backwards; /* and goes on with the one before it */
} zip_model;

/* What is wrong in an archive. */
typedef enum zip_fault {
    ZIP_FAULT_NONE,
    ZIP_FAULT_FIELD,      /* a number or a name where it is written */
    ZIP_FAULT_INSERT,     /* something before a record, or behind all */
    ZIP_FAULT_BOTH,       /* what both headers of a member say */
    ZIP_FAULT_OVERLAP,    /* a member has another's place */
    ZIP_FAULT_END_INSIDE, /* the comment is an end record */
    ZIP_FAULT_UNSET,      /* all bits of the end record's numbers are set: no fault with zip64 */
    ZIP_FAULT_CUT
} zip_fault;

/* One mutation of an archive. What is made for it stands in the pool. */
typedef struct zip_work {
    fuzz_mutator *m;
    random_source r;
    unsigned depth; /* of archives in archives */
    bool state;     /* it is the state of programs that is to be changed */
    char *pool;
    size_t used;
    size_t room;
    zip_model model;
} zip_work;

/* Room in the pool; NULL when it is full. */
char *zip_reserve(zip_work *w, size_t size);

/* Two texts in one; no data when the pool is full, or one of them has none. */
ep_bytes zip_join(zip_work *w, ep_bytes a, ep_bytes b);

/* A text with another one for some of its bytes; no data where that has none. */
ep_bytes zip_splice(zip_work *w, ep_bytes text, size_t begin, size_t end, ep_bytes with);

/* Whether something was made; then it is put there. */
static inline bool zip_set(ep_bytes *at, ep_bytes made) {
    *at = made.data != NULL ? made : *at;
    return made.data != NULL;
}

static const ep_bytes zip_nothing = {NULL, 0};

/* One of an array. */
#define ZIP_DRAW(w, array) ((array)[random_below(&(w)->r, sizeof(array) / sizeof *(array))])

zip_part *zip_draw_part(zip_work *w);

/* One more member, somewhere; false when there are too many, or it has no name or data. */
bool zip_insert(zip_work *w, zip_part part);

/* One edit of the parts, drawn; false when it could do nothing. */
bool zip_mutate_once(zip_work *w);

/* Mutates the program, config or archive in a part, or crosses it with a donor. */
bool zip_mutate_part(zip_work *w, zip_part *part, ep_bytes donor);

/* A pickle that is changed by its opcodes; no data when it could do nothing. */
ep_bytes zip_mutate_pickle(zip_work *w, ep_bytes pickle);

/* Mutates the archive in a job, which the parts are put away for, or puts a member of its donor
 * into it; as fuzz_mutate. */
size_t zip_mutate(zip_work *w, const mutate_job *job);

/* Writes an archive; returns its size, 0 when there is no room for it. */
size_t zip_write(zip_work *w, zip_fault fault, char *to, size_t room);

#endif
