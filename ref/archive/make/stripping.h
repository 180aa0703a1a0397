/*
 * stripping.h - an archive without the members that hold the bytes of tensors, and those
 * members in an archive of their own. In the first a text, a member of epref's own, says
 * what is missing and where it was (SPEC 8.7), a line for each:
 *
 *     epref stripped 1
 *     0 24 2c26...b82a model/data/weights/weight_0
 *
 * the position among the members, from 0 on, the size, the SHA-256, in the flat style the
 * date, and the name.
 */
#ifndef ARCHIVE_STRIPPING_H
#define ARCHIVE_STRIPPING_H

#include "archive/layout/archive.h"
#include "common/digest.h"
#include "container.h"
#include "lines.h"

extern const char stripping_title[]; /* "epref stripped 1" */

typedef struct stripping {
    zipwrite rest;
    zipwrite weights;
    buffer name; /* of the text */
    buffer text;
    ep_bytes blamed; /* the member that a failure is about; empty: none */
} stripping;

/*
 * Plans the two archives, and reads all of the old one once, which has to be of a style, so
 * that it can be made again. The old one has to live as long as the plans are written.
 * False: *what and s->blamed say why. stripping_free frees it in any case. limit: of a
 * config. Memory is linear in directory and configs.
 */
bool stripping_plan(const archive *a, size_t limit, stripping *s, failure *what);

void stripping_free(stripping *s);

#endif
