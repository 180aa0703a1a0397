/*
 * zipfile_parts.h - what the files of the zip reader share: the directory is found
 * (zipfile_end.c), its entries are read (zipfile_entry.c), and held against what lies
 * in the file (zipfile_local.c).
 */
#ifndef ARCHIVE_ZIPFILE_PARTS_H
#define ARCHIVE_ZIPFILE_PARTS_H

#include "zipfile.h"

enum { ZIPFILE_LATER = 1 << 3, ZIPFILE_UTF8 = 1 << 11 }; /* flags */

/* Whether a number of 2 or 4 bytes has all bits set: it is said elsewhere. */
bool zipfile_is_elsewhere(uint64_t number, size_t size);

/* Finds the directory: z->place and z->size, and how many entries the archive counts.
 * SPEC 8.1.1 */
bool zipfile_find_directory(zipfile *z, uint64_t *count, failure *what);

/* Reads the entries of the directory into z->members, for which there is room. SPEC
 * 8.1.4, 8.1.5 */
bool zipfile_read_entries(zipfile *z, failure *what);

/* Goes over the file from its beginning to the directory. SPEC 8.1.5, 8.1.6 */
bool zipfile_check_places(zipfile *z, failure *what);

/* The extra fields of a header. SPEC 8.1.5 */
typedef struct zipfile_extra {
    bool has_zip64;
    ep_bytes zip64; /* what the field of zip64 holds */
} zipfile_extra;

/* NULL, or what is wrong with them. */
const char *zipfile_read_extra(ep_bytes fields, zipfile_extra *extra);

/* The version of the format that a header needs, at its place in it: NULL, or what is
 * wrong with it. SPEC 8.1.5 */
const char *zipfile_judge_needed(const char *at);

#endif
