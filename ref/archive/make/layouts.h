/*
 * layouts.h - how the releases of a schema version lay out an archive: the rows of
 * layout.def, and those of pickled.def for the releases that pickle tensors. Clauses: SPEC
 * 7.7.1, 8.8.
 */
#ifndef ARCHIVE_LAYOUTS_H
#define ARCHIVE_LAYOUTS_H

#include "common/buffer.h"

/* What a member is to the releases. */
typedef enum layout_part {
    LAYOUT_PROGRAM,
    LAYOUT_WEIGHTS, /* pickled, as torch.save writes them */
    LAYOUT_CONSTANTS,
    LAYOUT_INPUTS,
    LAYOUT_EXTRA, /* one of them */
    LAYOUT_FRAME, /* says what the archive is: made anew */
    LAYOUT_OTHER
} layout_part;

enum { LAYOUT_PARTS = LAYOUT_EXTRA };

/* How the releases of a time order the entries of a config. */
typedef enum raw_order {
    RAW_NONE,         /* they have no raw members */
    RAW_AS_THEY_COME, /* 2.9 */
    RAW_BY_STORAGE    /* 2.10 on: tensors of one storage follow each other, and what has no
                         bytes shares a member */
} raw_order;

typedef struct layout {
    const char *since;
    bool folder;                     /* all members are below one */
    const char *names[LAYOUT_PARTS]; /* of members; NULL: none */
    const char *extra;               /* what the names of extra files begin with */
    raw_order raw;
} layout;

/* In what the weights lie; constants are always in a dict. */
typedef enum pickling_dict {
    PICKLING_IN_DICT,
    PICKLING_IN_ORDERED,  /* an OrderedDict */
    PICKLING_WITH_MODULES /* one that tells the version of every module, too */
} pickling_dict;

typedef enum pickling_order {
    PICKLING_BY_ROLE,  /* parameters, then buffers */
    PICKLING_BY_MODULE /* of each module parameters, then buffers, then what is in it */
} pickling_order;

/* Which parameters require a gradient. */
typedef enum pickling_gradients {
    PICKLING_AS_SAID, /* by the program */
    PICKLING_ALL      /* all that can, whatever the program says */
} pickling_gradients;

/* In which order the storages stand in the archive of torch.save. */
typedef enum pickling_storages {
    PICKLING_BY_KEY, /* as texts: 0, 1, 10, 2 */
    PICKLING_BY_NUMBER
} pickling_storages;

typedef struct pickling {
    const char *since;
    pickling_dict dict;
    pickling_order order;
    bool buffers_first; /* of the constants: buffers that are not persistent */
    pickling_gradients gradients;
    pickling_storages storages;
    bool marked; /* with the marks .format_version and .storage_alignment */
} pickling;

/* Each is of a version, and static. Linear in the number of versions. */
const layout *layout_of(const ep_version *version);
const pickling *pickling_of(const ep_version *version);

/* Whether the releases of a version take tensors as members of bytes. */
bool archive_takes_raw(const ep_version *version);

/* Puts "8.20", or "2", as flat archives say of which version they are. */
void layout_put_version(buffer *text, const ep_version *version);

#endif
