/*
 * paths.h - files for the members of an archive: names that are fit for any file system, and
 * that lead out of no folder.
 */
#ifndef ARCHIVE_PATHS_H
#define ARCHIVE_PATHS_H

#include "archive/zip/zipfile.h"

/* Puts a name as one of a file: letters, digits, ".", "_" and "-" as they are, other bytes
 * as %2F, and so a dot that begins it. Two names never become one. */
void paths_spell(buffer *b, ep_bytes name);

/* Puts the name that was spelled so. False: a % is not followed by two such digits. */
bool paths_read(buffer *b, ep_bytes spelled);

/* A path below a folder for each member of an archive. */
typedef struct paths {
    buffer text;
    size_t *starts;
} paths;

/*
 * A member's path is its name, each part spelled for itself, an empty one as "%". What would
 * be the same file as another member's or the reserved one, the case of letters aside, or a
 * folder where that is a file, and what is longer than file systems take, is called "%-N",
 * N being its number from 1 on. paths_free frees it in any case. Linear in the names, times
 * the logarithm of their number.
 */
bool paths_make(const zipfile *z, const char *reserved, paths *p, failure *what);

static inline const char *paths_at(const paths *p, size_t member) {
    return p->text.data + p->starts[member];
}

void paths_free(paths *p);

/* Whether a path stays below a folder: no part of it is empty, "." or "..", and there is no
 * zero byte. */
bool paths_is_below(ep_bytes path);

#endif
