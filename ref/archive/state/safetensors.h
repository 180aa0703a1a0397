/*
 * safetensors.h - a file of safetensors, read: which tensors it has and where their bytes
 * are. It is held to all that the library of that name checks: one index of each name, and
 * bytes that fill the file without overlap or gap.
 */
#ifndef ARCHIVE_SAFETENSORS_H
#define ARCHIVE_SAFETENSORS_H

#include "archive/pickle/dtype.h"
#include "common/io.h"
#include "common/names.h"
#include "payload.h"

typedef struct safetensor {
    size_t name; /* where it is in the texts, and how long */
    size_t name_size;
    const dtype_row *dtype;
    size_t rank;
    size_t sizes;   /* where the first of them is in the numbers */
    uint64_t place; /* in the file */
    uint64_t size;  /* in bytes */
} safetensor;

typedef struct safetensors {
    const io_data *from;
    safetensor *items;
    size_t count;
    size_t room;
    buffer texts;
    int64_t *numbers;
    size_t number_count;
    size_t number_room;
    name_list names; /* sorted: count is which item */
} safetensors;

/* Reads the index of a file that is open, which must not be longer than the limit. False:
 * what->error or what->reason. safetensors_free frees it in any case. n tensors, and
 * bytes of the index: O(n log n). */
bool safetensors_open(const io_data *from, size_t limit, safetensors *s, failure *what);
void safetensors_free(safetensors *s);

/* The tensor of a name; NULL: there is none. */
const safetensor *safetensors_find(const safetensors *s, ep_bytes name);

/* The numbers from one on. */
static inline const int64_t *safetensors_numbers(const safetensors *s, size_t first) {
    return s->numbers + first;
}

#endif
