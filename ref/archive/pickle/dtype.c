/*
 * dtype.c - see dtype.h. The rows are those of dtype.def.
 */
#include "dtype.h"

#include <string.h>

#include "common/buffer.h"

#define DTYPE(...) {__VA_ARGS__},
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

/* By one of the names, where it is in a row. */
static const dtype_row *find(size_t name_at, ep_bytes name) {
    for (size_t i = 0; i < ROWS; i++) {
        const char *said;
        memcpy(&said, (const char *)&rows[i] + name_at, sizeof said);
        if (said != NULL && bytes_equal(name, said)) {
            return &rows[i];
        }
    }
    return NULL;
}

const dtype_row *dtype_of_name(ep_bytes name) {
    return find(offsetof(dtype_row, name), name);
}

const dtype_row *dtype_of_torch(ep_bytes name) {
    return find(offsetof(dtype_row, torch), name);
}

const dtype_row *dtype_of_storage(ep_bytes name) {
    return find(offsetof(dtype_row, storage), name);
}

const dtype_row *dtype_of_npy(ep_bytes name) {
    return find(offsetof(dtype_row, npy), name);
}

const dtype_row *dtype_of_safetensors(ep_bytes name) {
    return find(offsetof(dtype_row, safetensors), name);
}

size_t dtype_place(const dtype_row *dtype) {
    return (size_t)(dtype - rows);
}
