/*
 * values.h - hashes of what an archive has in pickles beside plain tensors: tensors of classes,
 * sparse ones, attributes and objects, by their value. SPEC 8.6.4
 */
#ifndef ARCHIVE_VALUES_H
#define ARCHIVE_VALUES_H

#include "common/digest.h"
#include "elements.h"

typedef struct values_of {
    const archive *archive;
    const tensors *tensors; /* of it */
    size_t limit;           /* of a pickle, and of a storage that has to be held whole */
    uint64_t *room;         /* how many bytes the elements may still come to */
    ep_bytes blamed;        /* the tensor that a failure is about; empty: it is about none */
} values_of;

/* Whether a row has a value that is hashed: it is more than plain elements. */
bool values_wanted(const tensor_row *row);

/* Puts DIGEST_RAW_SIZE bytes for each row; zeros for those that have none. False: *what. Linear in
 * the pickles and the elements in them. */
bool values_hash(values_of *v, buffer *hashes, failure *what);

/* The value of an archive of torch.save in a member; where there is none in it, its bytes. */
bool values_hash_member(const values_of *v, const zipfile_member *m, unsigned char *hash,
                        failure *what);

#endif
