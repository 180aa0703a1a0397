/*
 * elements.h - the elements of a tensor in an archive, one behind the other, the last index
 * first, little-endian: as numpy, safetensors and torch's contiguous tensors have them.
 * They are read where they lie; what is a piece of its storage is never held whole.
 */
#ifndef ARCHIVE_ELEMENTS_H
#define ARCHIVE_ELEMENTS_H

#include "payload.h"
#include "tensors.h"

typedef struct elements {
    const archive *archive;
    const tensors *tensors;
    const tensor_row *row;
    size_t limit; /* of a storage that has to be held whole */
} elements;

/* Why a tensor has no elements that can be read: NULL, or static storage. */
const char *elements_fault(const tensors *t, const tensor_row *row);

/* Whether elements follow each other in the order of the last index first. */
bool elements_are_contiguous(const int64_t *sizes, const int64_t *strides, size_t rank);

/* How many bytes they are, of a tensor without a fault. False: more than 2^63. */
bool elements_size(const tensor_row *row, const int64_t *sizes, uint64_t *size);

/*
 * Gives the elements on, piece by piece. The caller has asked for faults, and bounds the
 * size: a stride of 0 repeats elements. The storage is held whole where the elements are no
 * one piece of it, or it is deflated, and must not be longer than the limit then. The
 * checksum is not compared. False: *what. Linear in the elements and the storage.
 */
bool elements_read(const elements *e, zipfile_taker taker, failure *what);

#endif
