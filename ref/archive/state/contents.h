/*
 * contents.h - what a comparison of two archives looks at beside their programs and tensors, and
 * the digest of all of it. SPEC 8.6.3, 8.6.5
 */
#ifndef ARCHIVE_CONTENTS_H
#define ARCHIVE_CONTENTS_H

#include "weights.h"

/* Members by name, count being which one they are. */
typedef struct contents {
    name_list extras; /* files that somebody keeps beside a program, without their folder */
    name_list inputs; /* sample inputs */
    name_list others; /* what is neither read for a program, nor says how the archive is written */
} contents;

/* False for want of memory. contents_free in any case. */
bool contents_sort(const archive *a, contents *c);
void contents_free(contents *c);

/* Of an archive that is whole, with any number of programs. w->tensors are those of all of them,
 * and w->blamed can be a member. False: *what. Linear in the archive and the elements, times the
 * logarithm of the number of names. */
bool contents_digest(weights_of *w, const ep_decode_options *decoding, digest *d, failure *what);

#endif
