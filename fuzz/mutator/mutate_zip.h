/*
 * mutator/mutate_zip.h - what the parts of the archives' mutator share: an archive in
 * parts, which can be written again, with every length, offset and checksum
 * right, but for one fault that is made on purpose.
 */
#ifndef FUZZ_MUTATE_ZIP_H
#define FUZZ_MUTATE_ZIP_H

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

/* A member. */
typedef struct zip_part {
    ep_bytes name;
    ep_bytes local_extra;
    ep_bytes extra;
    ep_bytes comment;
    ep_bytes data;
    bool packed;   /* data lies in the archive so, and crc and size are not its own */
    uint32_t crc;  /* only if packed */
    uint64_t size; /* likewise */
    uint16_t flags;
    uint16_t method;
    uint32_t stamp;
    uint16_t made_by;
    uint16_t needed;
    uint16_t inside;
    uint32_t outside;
    unsigned forms;
} zip_part;

typedef struct zip_model {
    zip_part parts[ZIP_PARTS_MAX];
    size_t count;
    ep_bytes comment;
    bool zip64;     /* ends with the records of zip64 too */
    size_t turned;  /* the directory begins with this member, */
    bool backwards; /* and goes on with the one before it */
} zip_model;

/* Faults: what is wrong in an archive. */
typedef enum zip_fault_kind {
    ZIP_FAULT_NONE,
    ZIP_FAULT_FIELD,      /* a number or a name where it is written */
    ZIP_FAULT_INSERT,     /* something before a record, or behind all */
    ZIP_FAULT_BOTH,       /* what both headers of a member say */
    ZIP_FAULT_OVERLAP,    /* a member has another's place */
    ZIP_FAULT_WIDE_TWICE, /* two fields of zip64, the second of them perhaps wrong */
    ZIP_FAULT_END_INSIDE, /* the comment is an end record */
    ZIP_FAULT_UNSET,      /* all bits of the end record's numbers are set: no fault with zip64 */
    ZIP_FAULT_CUT,
    ZIP_FAULTS
} zip_fault_kind;

/* What ZIP_FAULT_BOTH is of. */
typedef enum zip_said {
    ZIP_SAID_CRC,
    ZIP_SAID_SIZE,
    ZIP_SAID_PACKED,
    ZIP_SAID_METHOD,
    ZIP_SAID_FLAGS,
    ZIP_SAID
} zip_said;

typedef struct zip_fault {
    zip_fault_kind kind;
    size_t part;     /* that has it */
    size_t place;    /* which field or record, of all that there are */
    uint64_t number; /* what else there is to choose */
} zip_fault;

/* One mutation of an archive. What is made for it stands in the pool. */
typedef struct zip_work {
    fuzz_mutator *m;
    mutate_random r;
    size_t max_size;
    unsigned depth; /* of archives in archives */
    bool marked;    /* a mark was changed, and stays so */
    bool state;     /* it is the state of programs that is to be changed */
    char *pool;
    size_t used;
    size_t room;
    zip_model model;
} zip_work;

/* Room in the pool; NULL when it is full. */
char *zip_reserve(zip_work *w, size_t size);

/* Two texts in one, and one; no data when the pool is full. */
ep_bytes zip_join(zip_work *w, ep_bytes a, ep_bytes b);
ep_bytes zip_keep(zip_work *w, ep_bytes bytes);

/* Bytes of the folder that a name begins with, with its slash; 0 for none. */
size_t zip_root(ep_bytes name);

/* A text with another one for some of its bytes; no data where that has none. */
ep_bytes zip_splice(zip_work *w, ep_bytes text, size_t begin, size_t end, ep_bytes with);

/* Whether something was made; then it is put there. */
static inline bool zip_set(ep_bytes *at, ep_bytes made) {
    *at = made.data != NULL ? made : *at;
    return made.data != NULL;
}

zip_part *zip_draw_part(zip_work *w);

/* One of an array. */
#define ZIP_DRAW(w, array) ((array)[mutate_below(&(w)->r, sizeof(array) / sizeof *(array))])

/* The data of a part in a place of its own, with room to grow; NULL: there is none. */
char *zip_loosen(zip_work *w, zip_part *part, size_t *room);

/* One more member, somewhere; false when there are too many. */
bool zip_insert(zip_work *w, zip_part part);

/* An edit, and its share of the draws. */
typedef struct zip_edit {
    bool (*edit)(zip_work *w);
    unsigned weight;
} zip_edit;

/* Does one, drawn; false when it could do nothing. */
bool zip_edit_by(zip_work *w, const zip_edit *rows, size_t count);

/* One edit of the parts, drawn; false when it could do nothing. */
bool zip_mutate_once(zip_work *w);

/* Likewise, of what holds the state of programs. */
bool zip_mutate_state(zip_work *w);

/* A name as some readers compare it otherwise, as bytes or spelled in JSON; no data when the pool
 * is full. */
ep_bytes zip_bend(zip_work *w, ep_bytes name, bool spelled);
ep_bytes zip_other_case(zip_work *w, ep_bytes name);

/* A member's name is bent; or a member and a payload config that names it come in, either of
 * them bent. */
bool zip_bend_member(zip_work *w);
bool zip_plant_names(zip_work *w);

/* Makes the marks right, those that are missing, too. */
void zip_mend_state(zip_work *w);

/* A pickle in place, by its opcodes; the new size, 0 when it could do nothing. */
size_t zip_mutate_pickle(mutate_random *r, char *data, size_t size, size_t room);

/* Makes the parts such that SPEC 8.1 allows them, but for one in so many that it passes
 * over: names, flags, fields, attributes. */
void zip_mend(zip_work *w);

/* The archive in data, which the parts are put away for; as fuzz_mutate. */
size_t zip_mutate(zip_work *w, uint8_t *data, size_t size, size_t max_size);

/* Writes an archive; returns its size, 0 when there is no room for it. */
size_t zip_write(const zip_model *model, const zip_fault *fault, mutate_room room);

#endif
