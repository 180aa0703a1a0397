/*
 * elements.c - see elements.h.
 */
#include "elements.h"

#include <string.h>

#include "common/memory.h"
#include "common/refusal.h"

/* ------------------------------------------------------------------------------ questions */

const char *elements_fault(const tensors *t, const tensor_row *row) {
    if (row->is_fake) {
        return "its elements were not saved: it was fake when the archive was written";
    }
    if (row->form == TENSOR_OBJECT) {
        return row->is_subclass ? "it is a tensor of a class, with its elements in other tensors"
                                : "it is no tensor";
    }
    if (row->form == TENSOR_SPARSE) {
        return "it is sparse";
    }
    if (row->form == TENSOR_META) {
        return "it is on meta, and has no elements";
    }
    return tensors_fit(t, row) ? NULL : "it reaches beyond its storage";
}

bool elements_refuse(const tensor_row *row, ep_bytes name, const char *why, failure *what) {
    if (row->form == TENSOR_META || row->is_fake) {
        return refuse_named(what, EP_ARCHIVE_MISSING, name, why);
    }
    if (row->form == TENSOR_STRIDED) {
        return refuse_named(what, EP_ARCHIVE_BYTES, name, why);
    }
    return refuse_invalid(what, why);
}

uint64_t elements_count(const tensors *t, const tensor_row *row) {
    const int64_t *sizes = tensors_numbers(t, row->sizes);
    uint64_t count = 1;
    for (size_t i = 0; i < row->rank; i++) {
        if (sizes[i] == 0) {
            return 0;
        }
        bool room = count <= UINT64_MAX / (uint64_t)sizes[i];
        count = room ? count * (uint64_t)sizes[i] : UINT64_MAX;
    }
    return count;
}

bool elements_size(const tensors *t, const tensor_row *row, uint64_t *size) {
    uint64_t count = elements_count(t, row);
    bool small = count <= INT64_MAX / row->dtype->size;
    *size = small ? count * row->dtype->size : 0;
    return small;
}

uint64_t elements_room(const archive *a, size_t limit) {
    uint64_t length = io_length(a->zip.from);
    return length > UINT64_MAX - limit ? UINT64_MAX : length + limit;
}

bool elements_take(const tensors *t, const tensor_row *row, uint64_t *room, failure *what) {
    uint64_t size;
    if (!elements_size(t, row, &size) || size > *room) {
        return refuse_plainly(what, EP_LIMIT_BYTES);
    }
    *room -= size;
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

/* ------------------------------------------------------------------------------------ walk */

static void drop_held(holding *h) {
    for (size_t i = 0; i < h->count; i++) {
        buffer_free(&h->storages[h->held[i]]);
    }
    h->count = 0;
    h->size = 0;
}

void holding_free(holding *h) {
    drop_held(h);
    memory_free(h->storages);
    memory_free(h->held);
    *h = (holding){.count = 0};
}

static bool read_storage(const elements *e, const tensor_storage *s, buffer *into, failure *what) {
    if (s->is_stored) {
        return io_read_piece(e->archive->zip.from, s->place, (size_t)s->size, into, what);
    }
    return s->key.size > 0 ? refuse_named(what, EP_ARCHIVE_MEMBER, s->member->name,
                                          "a storage in it is deflated")
                           : zipfile_read_whole(&e->archive->zip, s->member, e->limit, into, what);
}

/* False for want of memory. */
static bool make_room(const elements *e, const tensor_storage *s) {
    holding *h = e->holding;
    size_t count = e->tensors->storage_count;
    if (h->storages == NULL) {
        h->storages = memory_zeros(count, sizeof *h->storages);
        h->held = memory_resize(NULL, count * sizeof *h->held);
        if (h->storages == NULL || h->held == NULL) {
            holding_free(h);
            return false;
        }
    }
    if (s->size > e->limit - h->size) {
        drop_held(h);
    }
    return true;
}

/* The storage of a tensor among those that are held, read if it is not there yet. */
static bool share(elements_walk *w, const tensor_storage *s, failure *what) {
    const elements *e = &w->of;
    holding *h = e->holding;
    if (!make_room(e, s)) {
        return refuse_plainly(what, EP_MEMORY);
    }
    buffer *b = &h->storages[e->row->storage];
    if (b->data == NULL) {
        bool ok = read_storage(e, s, b, what);
        if (!ok && what->error.code == EP_MEMORY) { /* others may be what takes it */
            buffer_free(b);
            drop_held(h);
            *what = (failure){.status = STATUS_DONE};
            ok = read_storage(e, s, b, what);
        }
        if (!ok) {
            buffer_free(b);
            return false;
        }
        h->held[h->count++] = e->row->storage;
        h->size += s->size;
    }
    w->held = b->data;
    return true;
}

static bool hold(elements_walk *w, failure *what) {
    const elements *e = &w->of;
    const tensor_storage *s = &e->tensors->storages[e->row->storage];
    w->is_held = true;
    w->at = e->row->offset;
    if (s->size > e->limit) {
        return refuse_named(what, EP_LIMIT_BYTES, s->member->name,
                            "its storage has to be held whole");
    }
    if (e->holding != NULL && s->count > 1) {
        return share(w, s, what);
    }
    bool ok = read_storage(e, s, &w->own, what);
    w->held = w->own.data;
    return ok;
}

bool elements_open(elements_walk *w, const elements *e, failure *what) {
    const tensor_row *row = e->row;
    const int64_t *sizes = tensors_numbers(e->tensors, row->sizes);
    const int64_t *strides = tensors_numbers(e->tensors, row->strides);
    const tensor_storage *s = &e->tensors->storages[row->storage];
    *w = (elements_walk){.of = *e};
    if (!elements_size(e->tensors, row, &w->left)) {
        return refuse_plainly(what, EP_LIMIT_BYTES);
    }
    w->at = s->place + row->offset * row->dtype->size;
    bool one_piece = s->is_stored && elements_are_contiguous(sizes, strides, row->rank);
    return w->left == 0 || one_piece || hold(w, what);
}

void elements_close(elements_walk *w) {
    buffer_free(&w->own);
}

bool elements_are_member(const elements *e) {
    const tensor_row *row = e->row;
    const tensor_storage *s = &e->tensors->storages[row->storage];
    uint64_t size;
    return s->is_stored && s->place == s->member->place && !s->big_endian && !row->is_conjugate &&
           !row->is_negative && elements_size(e->tensors, row, &size) && size > 0 &&
           size == s->member->size &&
           elements_are_contiguous(tensors_numbers(e->tensors, row->sizes),
                                   tensors_numbers(e->tensors, row->strides), row->rank);
}

/* Elements one by one, of a storage that is held. */
static void gather(elements_walk *w, size_t size, buffer *piece) {
    const tensor_row *row = w->of.row;
    const int64_t *sizes = tensors_numbers(w->of.tensors, row->sizes);
    const int64_t *strides = tensors_numbers(w->of.tensors, row->strides);
    for (size_t left = size / row->dtype->size; left > 0; left--) {
        buffer_put(piece, w->held + w->at * row->dtype->size, row->dtype->size);
        for (size_t i = row->rank; i > 0; i--) {
            w->at += (uint64_t)strides[i - 1];
            if (++w->index[i - 1] < sizes[i - 1]) {
                break;
            }
            w->at -= (uint64_t)strides[i - 1] * (uint64_t)sizes[i - 1];
            w->index[i - 1] = 0;
        }
    }
}

bool elements_next(elements_walk *w, buffer *piece, failure *what) {
    size_t size = w->left < ELEMENTS_PIECE ? (size_t)w->left : ELEMENTS_PIECE;
    bool ok = true;
    buffer_clear(piece);
    if (w->is_held) {
        gather(w, size, piece);
        ok = !piece->failed || refuse_plainly(what, EP_MEMORY);
    } else if (size > 0) {
        ok = io_read_piece(w->of.archive->zip.from, w->at, size, piece, what);
        w->at += size;
    }
    w->left -= size;
    if (ok) {
        finish(&w->of, piece->data, piece->size);
    }
    return ok;
}

bool elements_read(const elements *e, zipfile_taker taker, failure *what) {
    elements_walk w;
    buffer piece = {0};
    bool ok = elements_open(&w, e, what) && elements_next(&w, &piece, what);
    while (ok && piece.size > 0) {
        ok = taker.take(taker.context, buffer_bytes(&piece), what) &&
             elements_next(&w, &piece, what);
    }
    elements_close(&w);
    buffer_free(&piece);
    return ok;
}
