/*
 * dtype.c - see dtype.h. The rows are those of dtype.def.
 */
#include "dtype.h"

#include "common/buffer.h"

#define DTYPE(name, number, size, torch, storage, gradients)                                       \
    {name, number, size, torch, storage, gradients},
static const dtype_row rows[] = {
#include "dtype.def"
};
#undef DTYPE

enum { ROWS = sizeof rows / sizeof rows[0] };

const dtype_row *dtype_of_number(int64_t number) {
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].number == number) {
            return &rows[i];
        }
    }
    return NULL;
}

const dtype_row *dtype_of_torch(ep_bytes name) {
    for (size_t i = 0; i < ROWS; i++) {
        if (bytes_equal(name, rows[i].torch)) {
            return &rows[i];
        }
    }
    return NULL;
}

const dtype_row *dtype_of_storage(ep_bytes name) {
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].storage != NULL && bytes_equal(name, rows[i].storage)) {
            return &rows[i];
        }
    }
    return NULL;
}
