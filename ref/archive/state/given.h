/*
 * given.h - tensors of files that are no archive: what each is like and where its bytes are.
 * An archive is made of them (make/assemble.h). Bytes are little-endian.
 */
#ifndef ARCHIVE_GIVEN_H
#define ARCHIVE_GIVEN_H

#include "archive/pickle/dtype.h"
#include "common/io.h"
#include "common/names.h"
#include "payload.h"

typedef struct given_tensor {
    size_t name; /* where it is in the texts, and how long */
    size_t name_size;
    const dtype_row *dtype; /* NULL: the file says neither dtype nor shape */
    size_t rank;
    size_t sizes;       /* where the first of them is in the numbers */
    bool columns_first; /* the first index runs fastest, not the last */
    uint64_t place;     /* in the file */
    uint64_t size;      /* in bytes */
} given_tensor;

typedef struct given {
    const io_data *from;
    given_tensor *items;
    size_t count;
    size_t room;
    buffer texts;
    int64_t *numbers;
    size_t number_count;
    size_t number_room;
    name_list names; /* sorted: count is which item; once given_index was called */
} given;

/* Adds a tensor with its sizes; its name is in the texts already. False: want of memory. */
bool given_add(given *g, const given_tensor *t, const int64_t *sizes);

/* Adds the tensors of another file, whose bytes begin at a place. */
bool given_merge(given *g, const given *more, uint64_t begin);

/* Sorts the names. *again: one that has the name of another, else NULL. False: want of
 * memory. */
bool given_index(given *g, const given_tensor **again);

/* The tensor of a name; NULL: there is none. Only after given_index. */
const given_tensor *given_find(const given *g, ep_bytes name);

void given_free(given *g);

static inline ep_bytes given_name(const given *g, const given_tensor *t) {
    return t->name_size == 0 ? (ep_bytes){"", 0}
                             : (ep_bytes){g->texts.data + t->name, t->name_size};
}

/* The numbers from one on; NULL where no tensor has a dimension. */
static inline const int64_t *given_numbers(const given *g, size_t first) {
    return g->numbers == NULL ? NULL : g->numbers + first;
}

/* Bytes of so many elements; false where they are beyond 64 bits. */
bool given_size(const dtype_row *dtype, const int64_t *sizes, size_t rank, uint64_t *size);

#endif
