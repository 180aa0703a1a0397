/*
 * state_elements.c - what holds of the elements of tensors: they fit where they are said to
 * fit, they are so many bytes as are said, and those that a second reader gathers, index by
 * index.
 */
#include "state_laws.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------- counting */

static uint64_t times(uint64_t a, uint64_t b) {
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint64_t plus(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Of an element: its bits stand in the name. */
static uint64_t bytes_of_dtype(const tensor_row *row) {
    const char *digits = strpbrk(row->dtype->torch, "0123456789");
    return digits == NULL ? 1 : strtoul(digits, NULL, 10) / 8;
}

static bool has_none(const tensors *t, const tensor_row *row) {
    for (size_t i = 0; i < row->rank; i++) {
        if (t->numbers[row->sizes + i] == 0) {
            return true;
        }
    }
    return false;
}

uint64_t state_size(const tensors *t, const tensor_row *row) {
    uint64_t size = has_none(t, row) ? 0 : bytes_of_dtype(row);
    for (size_t i = 0; i < row->rank && size > 0; i++) {
        size = times(size, (uint64_t)t->numbers[row->sizes + i]);
    }
    return size;
}

uint64_t state_reach(const tensors *t, const tensor_row *row) {
    uint64_t last = row->offset;
    if (has_none(t, row)) {
        return 0;
    }
    for (size_t i = 0; i < row->rank; i++) {
        uint64_t steps = (uint64_t)t->numbers[row->sizes + i] - 1;
        last = plus(last, times(steps, (uint64_t)t->numbers[row->strides + i]));
    }
    return times(plus(last, 1), bytes_of_dtype(row));
}

/* --------------------------------------------------------------------------- storages */

/* "data/KEY" below the folder of an archive in a member. */
static const zip_entry *find_key(const zip_reading *inner, ep_bytes key) {
    for (size_t i = 0; i < inner->count; i++) {
        ep_bytes name = inner->entries[i].head.name;
        const char *slash = name.size == 0 ? NULL : memchr(name.data, '/', name.size);
        size_t before = slash == NULL ? 0 : (size_t)(slash - name.data) + 1;
        ep_bytes rest = {name.data + before, name.size - before};
        if (rest.size == key.size + 5 && bytes_start(rest, "data/") &&
            memcmp(rest.data + 5, key.data, key.size) == 0) {
            return &inner->entries[i];
        }
    }
    return NULL;
}

/* The bytes of a storage: those of a stored member as they lie. False: there are none that
 * can be had. */
static bool storage_of(const state *s, const tensor_storage *storage, zip_content *content) {
    const zip_entry *e = state_entry(s, storage->member);
    ep_bytes key = tensors_text(&s->list, storage->key);
    zip_reading inner = {.count = 0};
    *content = (zip_content){.bytes = {"", 0}};
    if (storage->key.size > 0) {
        FUZZ_PROPERTY(e->head.method == ZIP_STORED && zip_reader_open(e->packed, &inner), "inner");
        e = find_key(&inner, key);
        FUZZ_PROPERTY(e != NULL, "key");
    }
    bool stored = e->head.method == ZIP_STORED;
    bool ok = stored || storage->key.size == 0;
    FUZZ_PROPERTY(storage->is_stored == stored, "stored");
    FUZZ_PROPERTY(storage->size == e->head.size, "size-of-storage");
    FUZZ_PROPERTY(storage->place == (uint64_t)(e->packed.data - s->data.data), "place-of-storage");
    if (stored) {
        content->bytes = e->packed;
    } else if (ok) {
        ok = zip_reader_unpack(e, STATE_LIMIT, content);
    }
    zip_reader_close(&inner);
    return ok;
}

bool state_can_be_had(const state *s, const tensor_row *row) {
    const tensor_storage *storage = &s->list.storages[row->storage];
    return state_size(&s->list, row) == 0 || storage->is_stored || storage->key.size == 0;
}

/* ---------------------------------------------------------------------------- gathering */

/* One element, little-endian; a lazy conjugate or negative is made. SPEC 8.6.1 */
static void gather_element(const tensor_row *row, const char *at, bool big, test_text *made) {
    char element[16];
    size_t size = (size_t)bytes_of_dtype(row);
    bool pair = strncmp(row->dtype->torch, "complex", 7) == 0;
    size_t number = pair ? size / 2 : size;
    for (size_t i = 0; i < size; i++) {
        size_t within = i % number;
        element[i] = at[big ? i - within + number - 1 - within : i];
        bool last = within == number - 1;
        bool imaginary = i >= number;
        if (last && row->is_negative) {
            element[i] = (char)(element[i] ^ 0x80);
        }
        if (last && imaginary && row->is_conjugate) {
            element[i] = (char)(element[i] ^ 0x80);
        }
    }
    test_add(made, element, size);
}

bool state_gather(const state *s, const tensor_row *row, test_text *made) {
    const tensors *t = &s->list;
    const tensor_storage *storage = &t->storages[row->storage];
    zip_content content = {.bytes = {"", 0}};
    uint64_t count = state_size(t, row) / bytes_of_dtype(row);
    bool ok = count == 0 || storage_of(s, storage, &content);
    for (uint64_t i = 0; ok && i < count; i++) {
        uint64_t at = row->offset;
        uint64_t rest = i;
        for (size_t d = row->rank; d > 0; d--) {
            uint64_t size = (uint64_t)t->numbers[row->sizes + d - 1];
            at += rest % size * (uint64_t)t->numbers[row->strides + d - 1];
            rest /= size;
        }
        at *= bytes_of_dtype(row);
        gather_element(row, content.bytes.data + at, storage->big_endian, made);
    }
    zip_content_free(&content);
    return ok;
}

/* -------------------------------------------------------------------------------- laws */

static void law_of_reading(const state *s, const tensor_row *row) {
    test_text expected = {0};
    test_text taken = {0};
    failure what = {0};
    elements e = {.archive = &s->archive, .tensors = &s->list, .row = row, .limit = STATE_LIMIT};
    bool there = state_gather(s, row, &expected);
    bool ok = elements_read(&e, (zipfile_taker){state_keep, &taken}, &what);
    FUZZ_PROPERTY_OF(ok == there, "elements-read", &what.error);
    FUZZ_PROPERTY_OF(ok == (what.error.code == EP_OK), "elements-told", &what.error);
    if (ok) {
        FUZZ_SAME(test_text_bytes(&taken), test_text_bytes(&expected), "elements");
    }
    test_text_free(&expected);
    test_text_free(&taken);
}

/* How many bytes were read. */
static uint64_t law_of_row(const state *s, const tensor_row *row) {
    const tensors *t = &s->list;
    FUZZ_PROPERTY(row->storage < t->storage_count, "storage");
    const tensor_storage *storage = &t->storages[row->storage];
    for (size_t i = 0; i < row->rank; i++) {
        FUZZ_PROPERTY(t->numbers[row->sizes + i] >= 0 && t->numbers[row->strides + i] >= 0,
                      "numbers-from-0-on");
    }
    uint64_t said = 0;
    uint64_t size = state_size(t, row);
    const char *why = elements_fault(t, row);
    FUZZ_PROPERTY((why == NULL) == (state_reach(t, row) <= storage->size), "fits");
    if (why != NULL) {
        return 0;
    }
    bool small = elements_size(t, row, &said);
    FUZZ_PROPERTY(small == (size <= INT64_MAX), "has-a-size");
    FUZZ_PROPERTY(!small || said == size, "size");
    if (!small || size > STATE_ELEMENTS || storage->size > STATE_LIMIT) {
        return 0;
    }
    law_of_reading(s, row);
    return size;
}

void laws_of_elements(state *s) {
    uint64_t read = 0;
    for (size_t i = 0; i < s->list.row_count && read < STATE_ELEMENTS_ALL; i++) {
        const tensor_row *row = &s->list.rows[i];
        if (row->form == TENSOR_STRIDED) {
            read += 64 + law_of_row(s, row);
        } else {
            FUZZ_PROPERTY(elements_fault(&s->list, row) != NULL, "no-elements");
        }
    }
}
