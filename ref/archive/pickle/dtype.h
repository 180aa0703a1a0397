/*
 * dtype.h - the element types of tensors, by each name that an archive has for them.
 */
#ifndef ARCHIVE_DTYPE_H
#define ARCHIVE_DTYPE_H

#include "epref.h"

typedef struct dtype_row {
    const char *name; /* of ScalarType, as is the number */
    int number;
    size_t size; /* of an element */
    const char *torch;
    const char *storage;     /* NULL: untyped */
    bool gradients;          /* a tensor can require them */
    const char *npy;         /* NULL: none */
    const char *safetensors; /* NULL: none */
    const char *brief;
} dtype_row;

/* Each returns NULL where there is none. */
const dtype_row *dtype_of_number(int64_t number);
const dtype_row *dtype_of_name(ep_bytes name);
const dtype_row *dtype_of_torch(ep_bytes name);
const dtype_row *dtype_of_npy(ep_bytes name);
const dtype_row *dtype_of_safetensors(ep_bytes name);

/* By the class of storages; that of untyped ones has none. */
const dtype_row *dtype_of_storage(ep_bytes name);

/* Which it is in the order of safetensors. */
size_t dtype_place(const dtype_row *dtype);

#endif
