/*
 * program_digest.h - the digest of a program (SPEC 6.10), of whatever version.
 */
#ifndef ARCHIVE_PROGRAM_DIGEST_H
#define ARCHIVE_PROGRAM_DIGEST_H

#include "common/digest.h"

/* Version 1 keeps tensors in the program itself: what they are counts, not their bytes, and
 * no more than limit bytes of them are unpacked. scratch keeps nothing of value. False:
 * *what; where that has no reason, its error is ep_canon's. */
bool program_digest(const ep_program *program, ep_arena *scratch, size_t limit, digest *d,
                    failure *what);

#endif
