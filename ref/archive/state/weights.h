/*
 * weights.h - the digest of the state of an archive: what its program computes with,
 * however it is stored. SPEC 8.6
 */
#ifndef ARCHIVE_WEIGHTS_H
#define ARCHIVE_WEIGHTS_H

#include "common/digest.h"
#include "elements.h"

typedef struct weights_of {
    const archive *archive; /* that is whole */
    const tensors *tensors; /* of it */
    size_t limit;           /* of a storage that has to be held whole, and beyond the archive's own
                               length of all elements together */
    ep_bytes blamed;        /* the tensor that a failure is about; empty: it is about none */
} weights_of;

/* Of an archive of one program. False: *what. Linear in the elements, times the
 * logarithm of the number of tensors. */
bool weights_digest(weights_of *w, digest *d, failure *what);

/* A line for each tensor of each program, also of what has no digest of weights. False: *what. */
bool weights_put_all(weights_of *w, buffer *text, failure *what);

/* Of an archive, from the digests of its program and its weights. */
void weights_digest_both(const digest *program, const digest *state, digest *d);

#endif
