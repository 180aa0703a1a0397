/*
 * member_hash.h - the SHA-256 of what comes out of a member. SPEC 8.1.3
 */
#ifndef ARCHIVE_MEMBER_HASH_H
#define ARCHIVE_MEMBER_HASH_H

#include "archive/zip/zipfile.h"
#include "common/digest.h"

/* Of a member, which is read to its end. False: *what. */
bool member_hash(const zipfile *z, const zipfile_member *m, char hex[DIGEST_HEX_SIZE + 1],
                 failure *what);

#endif
