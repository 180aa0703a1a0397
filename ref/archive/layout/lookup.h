/*
 * lookup.h - the members of an archive by their names, which are sorted once.
 */
#ifndef ARCHIVE_LOOKUP_H
#define ARCHIVE_LOOKUP_H

#include "archive.h"

typedef struct lookup {
    const archive *of;
    name_list members; /* sorted: count is which one */
    buffer name;       /* the whole name that was looked for last */
} lookup;

/* False for want of memory. lookup_close frees it in any case. */
bool lookup_open(lookup *l, const archive *a);
void lookup_close(lookup *l);

/* The member whose name is that of the archive's folder and three parts more, of which a folder
 * ends with its slash. NULL: there is none, or memory is short: l->name.failed. */
const zipfile_member *lookup_find(lookup *l, const char *folder, ep_bytes name, const char *end);

#endif
