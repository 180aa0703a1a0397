/*
 * tensorfile.h - files of tensors as other libraries read them: the elements as they are
 * (raw), numpy's .npy, and safetensors. Bytes are little-endian, the last index first.
 */
#ifndef ARCHIVE_TENSORFILE_H
#define ARCHIVE_TENSORFILE_H

#include "elements.h"

typedef enum tensorfile_form {
    TENSORFILE_SAFETENSORS,
    TENSORFILE_NPY,
    TENSORFILE_RAW
} tensorfile_form;

/* Tensors, by their rows, that go into one file; of RAW and NPY it is one. */
typedef struct tensorfile {
    const archive *archive;
    const tensors *tensors;
    tensorfile_form form;
    size_t limit;     /* of a storage that has to be held, and beyond the archive's own length of
                         all elements together */
    holding *holding; /* of storages, for several files of one archive; NULL: one of its own */
    size_t *rows;
    size_t count;
    buffer header;
    ep_bytes blamed; /* the tensor that a failure is about; none: it is about none */
} tensorfile;

/* Why a row of the state is left out of what is written of all: it is no tensor, or has no
 * elements of its own. NULL: it is not. What is left of those that a form cannot hold is refused,
 * not passed over. */
const char *tensorfile_left_out(const tensorfile *f, size_t row);

/* Whether no two of the rows have one name. False: *what. */
bool tensorfile_names_differ(tensorfile *f, failure *what);

/*
 * Plans a file of some rows, which are put in the order of the file. False: what->error,
 * EP_LIMIT_BYTES where strides make more of it than the archive is long and the limit; or
 * what->reason, also for a tensor that the form cannot hold, which is f->blamed. Nothing of the
 * elements is read. tensorfile_free frees it in any case, but not the rows.
 */
bool tensorfile_plan(tensorfile *f, failure *what);

/* Compares the members that the rows are in with their checksums, each member once; before
 * anything is written of them. A row without a storage is tensorfile_plan's to refuse. */
bool tensorfile_verify(const tensorfile *f, failure *what);

/* Writes it, piece by piece; an output_make, the context being the tensorfile. */
bool tensorfile_write(void *context, zipfile_take *put, void *sink, failure *what);

void tensorfile_free(tensorfile *f);

#endif
