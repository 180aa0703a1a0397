/*
 * elements.h - the elements of a tensor in an archive, one behind the other, the last index
 * first, little-endian: as numpy, safetensors and torch's contiguous tensors have them.
 * They are read where they lie; what is a piece of its storage is never held whole.
 */
#ifndef ARCHIVE_ELEMENTS_H
#define ARCHIVE_ELEMENTS_H

#include "payload.h"
#include "tensors.h"

/* Storages that several tensors show, held so that each is read once. All zero at first; of one
 * archive. What they come to stays below the limit of one. */
typedef struct holding {
    buffer *storages; /* by their numbers; not held: without data */
    size_t *held;     /* which these are */
    size_t count;
    uint64_t size;
} holding;

void holding_free(holding *h);

typedef struct elements {
    const archive *archive;
    const tensors *tensors;
    const tensor_row *row;
    size_t limit;     /* of a storage that has to be held whole */
    holding *holding; /* NULL: shared storages are read again for each tensor */
} elements;

/* Why a tensor has no elements that can be read: NULL, or static storage. */
const char *elements_fault(const tensors *t, const tensor_row *row);

/* Refuses a tensor with a fault: EP_ARCHIVE_MISSING where the archive does not have its elements
 * (SPEC 8.4.1), EP_ARCHIVE_BYTES where they lie beyond its storage, else a reason. Returns
 * false. */
bool elements_refuse(const tensor_row *row, ep_bytes name, const char *why, failure *what);

/* Whether elements follow each other in the order of the last index first. */
bool elements_are_contiguous(const int64_t *sizes, const int64_t *strides, size_t rank);

/* How many a STRIDED or META tensor has; the greatest number where they are more than that. */
uint64_t elements_count(const tensors *t, const tensor_row *row);

/* How many bytes they are, of a tensor without a fault. False: more than 2^63. */
bool elements_size(const tensors *t, const tensor_row *row, uint64_t *size);

/* How many bytes all tensors that are read may come to: what the archive is long, and a limit
 * beyond that. As a stride of 0 repeats elements, they could come to any number. */
uint64_t elements_room(const archive *a, size_t limit);

/* Takes a tensor without a fault out of the room. False: EP_LIMIT_BYTES. */
bool elements_take(const tensors *t, const tensor_row *row, uint64_t *room, failure *what);

/* Whether they are all that a stored member holds, and as they lie there: it can be read instead,
 * which compares its checksum. */
bool elements_are_member(const elements *e);

/*
 * A walk over the elements, in pieces: ELEMENTS_PIECE bytes each, but the last. The caller
 * has asked for faults, and bounds the size: a stride of 0 repeats elements. The storage is
 * held whole where the elements are no one piece of it, or it is deflated, and must not be
 * longer than the limit then. Checksums are not compared. elements_close in any case, before
 * another walk with the same holding begins.
 */
enum { ELEMENTS_PIECE = 1 << 16 };

typedef struct elements_walk {
    elements of;
    uint64_t left; /* bytes */
    uint64_t at;   /* of the next byte in the file, or element in what is held */
    bool is_held;
    const char *held; /* if so: the storage */
    buffer own;       /* where it is, if no other tensor shows it */
    int64_t index[PAYLOAD_RANK_MAX];
} elements_walk;

bool elements_open(elements_walk *w, const elements *e, failure *what);

/* The next piece, in place of what the buffer held; an empty one is the end. False: *what. */
bool elements_next(elements_walk *w, buffer *piece, failure *what);
void elements_close(elements_walk *w);

/* Gives all of them on, piece by piece. Linear in the elements and the storage. */
bool elements_read(const elements *e, zipfile_taker taker, failure *what);

#endif
