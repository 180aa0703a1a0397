/*
 * elements.c - see elements.h.
 */
#include "elements.h"

#include <string.h>

#include "common/refusal.h"

enum { PIECE = 1 << 20 }; /* bytes, a multiple of every element's */

/* ------------------------------------------------------------------------------ questions */

const char *elements_fault(const tensors *t, const tensor_row *row) {
    if (row->form == TENSOR_OBJECT) {
        return row->is_subclass ? "it is a tensor of a class" : "it is no tensor";
    }
    if (row->form == TENSOR_SPARSE) {
        return "it is sparse";
    }
    if (row->form == TENSOR_META) {
        return "it has no storage";
    }
    return tensors_fit(t, row) ? NULL : "it reaches beyond its storage";
}

bool elements_size(const tensor_row *row, const int64_t *sizes, uint64_t *size) {
    *size = row->dtype->size;
    for (size_t i = 0; i < row->rank; i++) {
        if (sizes[i] == 0) {
            *size = 0;
            return true;
        }
    }
    for (size_t i = 0; i < row->rank; i++) {
        if (*size > INT64_MAX / (uint64_t)sizes[i]) {
            return false;
        }
        *size *= (uint64_t)sizes[i];
    }
    return true;
}

bool elements_are_contiguous(const int64_t *sizes, const int64_t *strides, size_t rank) {
    int64_t expected = 1;
    for (size_t i = rank; i > 0; i--) {
        if (sizes[i - 1] == 0) {
            return true;
        }
        if (sizes[i - 1] != 1 && strides[i - 1] != expected) {
            return false;
        }
        if (expected > INT64_MAX / sizes[i - 1]) {
            return false;
        }
        expected *= sizes[i - 1];
    }
    return true;
}

/* ------------------------------------------------------------------------------- elements */

static bool is_complex(const dtype_row *dtype) {
    return strncmp(dtype->torch, "complex", 7) == 0;
}

static void reverse(char *bytes, size_t size) {
    for (size_t i = 0; i < size / 2; i++) {
        char byte = bytes[i];
        bytes[i] = bytes[size - 1 - i];
        bytes[size - 1 - i] = byte;
    }
}

/* A lazy conjugate or negative is made, by the signs of its numbers, which are floats. */
static void set_signs(const tensor_row *row, char *element, size_t number) {
    for (size_t i = 0; i < row->dtype->size; i += number) {
        bool imaginary = i > 0;
        bool turned = row->is_negative != (row->is_conjugate && imaginary);
        element[i + number - 1] = (char)(element[i + number - 1] ^ (turned ? 0x80 : 0));
    }
}

/* The bytes of elements as they lie, as those that are wanted. */
static void finish(const elements *e, char *bytes, size_t size) {
    const tensor_row *row = e->row;
    bool turned = e->tensors->storages[row->storage].big_endian;
    size_t number = row->dtype->size / (is_complex(row->dtype) ? 2 : 1);
    if (!turned && !row->is_conjugate && !row->is_negative) {
        return;
    }
    for (size_t i = 0; i + row->dtype->size <= size; i += row->dtype->size) {
        for (size_t j = 0; turned && j < row->dtype->size; j += number) {
            reverse(bytes + i + j, number);
        }
        set_signs(row, bytes + i, number);
    }
}

static bool give(const elements *e, zipfile_taker taker, buffer *piece, failure *what) {
    finish(e, piece->data, piece->size);
    bool ok = taker.take(taker.context, buffer_bytes(piece), what);
    buffer_clear(piece);
    return ok;
}

/* --------------------------------------------------------------------------------- pieces */

/* A run of the storage, where it lies in the file. */
static bool read_run(const elements *e, uint64_t size, zipfile_taker taker, failure *what) {
    const tensor_storage *s = &e->tensors->storages[e->row->storage];
    uint64_t place = s->place + e->row->offset * e->row->dtype->size;
    buffer piece = {0};
    bool ok = true;
    while (ok && size > 0) {
        size_t count = size < PIECE ? (size_t)size : PIECE;
        ok = io_read_piece(e->archive->zip.from, place, count, &piece, what) &&
             give(e, taker, &piece, what);
        place += count;
        size -= count;
    }
    buffer_free(&piece);
    return ok;
}

/* Elements one by one, of a storage that is held. */
static bool gather(const elements *e, uint64_t size, ep_bytes storage, zipfile_taker taker,
                   failure *what) {
    const tensor_row *row = e->row;
    const int64_t *sizes = tensors_numbers(e->tensors, row->sizes);
    const int64_t *strides = tensors_numbers(e->tensors, row->strides);
    int64_t index[PAYLOAD_RANK_MAX] = {0};
    uint64_t at = row->offset;
    buffer piece = {0};
    bool ok = true;
    for (uint64_t left = size / row->dtype->size; ok && left > 0; left--) {
        buffer_put(&piece, storage.data + at * row->dtype->size, row->dtype->size);
        for (size_t i = row->rank; i > 0; i--) {
            at += (uint64_t)strides[i - 1];
            if (++index[i - 1] < sizes[i - 1]) {
                break;
            }
            at -= (uint64_t)strides[i - 1] * (uint64_t)sizes[i - 1];
            index[i - 1] = 0;
        }
        if (piece.size >= PIECE || left == 1) {
            ok = piece.failed ? refuse_plainly(what, EP_MEMORY) : give(e, taker, &piece, what);
        }
    }
    buffer_free(&piece);
    return ok;
}

static bool hold(const elements *e, buffer *storage, failure *what) {
    const tensor_storage *s = &e->tensors->storages[e->row->storage];
    if (s->size > e->limit) {
        return refuse_named(what, EP_LIMIT_BYTES, s->member->name,
                            "its storage has to be held whole");
    }
    if (s->is_stored) {
        return io_read_piece(e->archive->zip.from, s->place, (size_t)s->size, storage, what);
    }
    return s->key.size > 0 ? refuse_named(what, EP_ARCHIVE_MEMBER, s->member->name,
                                          "a storage in it is deflated")
                           : zipfile_read_all(&e->archive->zip, s->member, e->limit, storage, what);
}

bool elements_read(const elements *e, zipfile_taker taker, failure *what) {
    const tensor_row *row = e->row;
    const int64_t *sizes = tensors_numbers(e->tensors, row->sizes);
    const int64_t *strides = tensors_numbers(e->tensors, row->strides);
    uint64_t size;
    buffer storage = {0};
    if (!elements_size(row, sizes, &size)) {
        return refuse_plainly(what, EP_LIMIT_BYTES);
    }
    if (size == 0) {
        return true;
    }
    if (e->tensors->storages[row->storage].is_stored &&
        elements_are_contiguous(sizes, strides, row->rank)) {
        return read_run(e, size, taker, what);
    }
    bool ok = hold(e, &storage, what) && gather(e, size, buffer_bytes(&storage), taker, what);
    buffer_free(&storage);
    return ok;
}
