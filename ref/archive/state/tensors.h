/*
 * tensors.h - all tensors of an archive, of either layout and of all its programs: what
 * each is, and where in the file its storage lies. Directory, configs, programs and the
 * pickles of tensors are read; of the storages nothing is.
 */
#ifndef ARCHIVE_TENSORS_H
#define ARCHIVE_TENSORS_H

#include "archive/layout/archive.h"
#include "archive/pickle/dtype.h"

static const size_t TENSORS_NONE = SIZE_MAX;

/* The part of a program that lists the tensor. */
typedef enum tensor_part { TENSOR_WEIGHTS, TENSOR_CONSTANTS, TENSOR_INPUTS } tensor_part;

typedef enum tensor_role {
    TENSOR_UNNAMED, /* the signature does not name it */
    TENSOR_PARAMETER,
    TENSOR_BUFFER,
    TENSOR_BUFFER_NOT_PERSISTENT,
    TENSOR_CONSTANT,
    TENSOR_CUSTOM_OBJECT,
    TENSOR_INPUT /* of the sample inputs */
} tensor_role;

typedef enum tensor_form {
    TENSOR_STRIDED,
    TENSOR_META,   /* without data: it is on meta, or was fake when the archive was written, and
                      its storage has no byte, so that a loader makes zeros */
    TENSOR_SPARSE, /* its parts are not told */
    TENSOR_OBJECT  /* no tensor, or one of a class that keeps its elements in other tensors */
} tensor_form;

/* A text in tensors.texts. */
typedef struct tensor_text {
    size_t at;
    size_t size;
} tensor_text;

typedef struct tensor_row {
    size_t program; /* in tensors.programs */
    tensor_part part;
    tensor_role role;
    tensor_form form;
    tensor_text name;       /* of the sample inputs: which tensor of them it is, from 0 on */
    tensor_text class;      /* of an OBJECT or a subclass, if it is known: "module.name" */
    const dtype_row *dtype; /* of STRIDED and META; what an OBJECT that is a subclass shows itself
                               as, with rank and sizes, or NULL */
    size_t rank;
    size_t sizes; /* where the first of them is in tensors.numbers */
    size_t strides;
    uint64_t offset;    /* in elements */
    size_t storage;     /* in tensors.storages; TENSORS_NONE: it has none that is known */
    size_t next;        /* row that shows the same storage; TENSORS_NONE: it is the last */
    tensor_text device; /* "cuda:0"; none: it is not told */
    bool requires_grad;
    bool is_parameter;
    bool is_pickled;     /* not raw */
    bool is_fake;        /* META, or an OBJECT that stands for a tensor: fake when it was written */
    bool is_subclass;    /* a tensor of a class that is not torch's own: an OBJECT, or another form
                            whose elements are only a part of what it is */
    bool is_inner;       /* inside another tensor: in the state of one of a class, or an attribute.
                            Such rows follow that of the other, have names that begin with its name,
                            and its role. None where the list is judged */
    bool has_attributes; /* set in Python, or hooks */
    size_t outer;        /* of an inner row: the row that it is inside of */
    const zipfile_member *pickle; /* of a value of a pickle of torch.save: where it is; or NULL */
    uint32_t value;               /* of it, as unpickle.h counts */
    bool is_conjugate;            /* the bytes are those of the conjugate, or of the negative */
    bool is_negative;
} tensor_row;

typedef struct tensor_storage {
    const zipfile_member *member;
    tensor_text key; /* which storage of the archive in the member; none: the whole member */
    uint64_t place;  /* in the file */
    uint64_t size;   /* in bytes */
    bool is_stored;  /* not deflated */
    bool big_endian; /* as torch.save says */
    size_t first;    /* of the rows that show it */
    size_t last;
    size_t count;
} tensor_storage;

typedef struct tensor_program {
    const zipfile_member *member;
    ep_bytes name;      /* empty in the flat layout */
    bool has_constants; /* tensors of version 1, which are in the program itself */
} tensor_program;

typedef struct tensors {
    tensor_program *programs;
    tensor_row *rows;
    tensor_storage *storages;
    int64_t *numbers;
    size_t program_count;
    size_t row_count;
    size_t storage_count;
    size_t number_count;
    size_t program_room;
    size_t row_room;
    size_t storage_room;
    size_t number_room;
    buffer texts;
    const zipfile_member *blamed; /* the member that a failure is about, or NULL */
} tensors;

typedef struct tensors_wish {
    const char *model; /* of this program only; NULL: of all */
    const ep_decode_options *decoding;
    archive_decoded decoded; /* by that */
    size_t limit;            /* of a program, a config, a pickle */
    bool no_data; /* storages are not read to compare checksums; they are never where the list
                     is not judged */
    bool *read;   /* NULL: they are listed, and not judged. Of each member, whether something
                     names it, for the rules of SPEC 8.3 to 8.5 */
} tensors_wish;

/* Lists the tensors of an archive, in the order of the programs and of their configs or
 * pickles. False: *what says why. tensors_free frees them in any case. Linear in what is
 * read, times the logarithm of the number of members and names. */
bool tensors_read(const archive *a, const tensors_wish *wish, tensors *t, failure *what);
void tensors_free(tensors *t);

ep_bytes tensors_text(const tensors *t, tensor_text text);

/* The numbers from one on; NULL where no tensor has a dimension. */
static inline const int64_t *tensors_numbers(const tensors *t, size_t first) {
    return t->numbers == NULL ? NULL : t->numbers + first;
}

/* Whether all elements of a STRIDED tensor are in its storage, or among so many. */
bool tensors_fit(const tensors *t, const tensor_row *row);
bool tensors_fit_in(const tensors *t, const tensor_row *row, uint64_t room);

/* The same of numbers that are no row's; the room is in elements. */
bool tensors_shape_fits(const int64_t *sizes, const int64_t *strides, size_t rank, uint64_t offset,
                        uint64_t room);

#endif
