/*
 * fuzz_given.c - files of tensors that an archive can be made of: safetensors and .npy. The
 * input is one of the latter if it begins as one, else one of the former. What is taken keeps
 * the rules of its format, which are written once more here, the JSON read by cJSON; and what
 * keeps them is taken, once it is spelled as the libraries spell it.
 */
#include "fuzz.h"
#include "given_spelled.h"

#include "archive/state/npy.h"
#include "archive/state/safetensors.h"

#include <string.h>

enum { LIMIT = 1 << 20 };

/* A refusal says why, and is one of the file, not of memory. */
static void check_told(bool ok, const failure *what) {
    bool said = what->reason != NULL || what->error.code != EP_OK;
    FUZZ_PROPERTY_OF(ok || said, "told", &what->error);
    FUZZ_PROPERTY_OF(ok || what->error.code != EP_MEMORY, "memory", &what->error);
}

/* The bytes of a tensor are in the file, as many as dtype and shape say. */
static void check_tensor(const given *g, const given_tensor *t, size_t length) {
    uint64_t size = 0;
    FUZZ_PROPERTY(t->place <= length && t->size <= length - t->place, "inside");
    FUZZ_PROPERTY(given_size(t->dtype, given_numbers(g, t->sizes), t->rank, &size), "size");
    FUZZ_PROPERTY(size == t->size, "size");
}

/* ---------------------------------------------------------------------------------- .npy */

static bool open_npy(ep_bytes file, given *g) {
    io_data data;
    failure what = {0};
    io_view(file, &data);
    *g = (given){.from = &data};
    bool ok = npy_open(&data, LIMIT, g, (given_tensor){0}, &what);
    check_told(ok, &what);
    FUZZ_PROPERTY(g->count == (ok ? 1 : 0), "one");
    if (ok) {
        check_tensor(g, &g->items[0], file.size);
        FUZZ_PROPERTY(g->items[0].place + g->items[0].size == file.size, "to the end");
    }
    return ok;
}

/* As numpy spells the header: the same array. */
static void check_npy(ep_bytes file) {
    given first;
    given again;
    buffer text = {0};
    if (open_npy(file, &first)) {
        const given_tensor *t = &first.items[0];
        buffer header = {0};
        spell_npy(&header, spelled_dtype_of(t->dtype->torch), given_numbers(&first, t->sizes),
                  t->rank, t->columns_first);
        buffer_byte(&header, '\n');
        buffer_put(&text, "\x93NUMPY\3", 8); /* with its zero, which is the minor version */
        for (size_t i = 0; i < 4; i++) {
            buffer_byte(&text, (char)(header.size >> 8 * i & 0xFF));
        }
        buffer_put(&text, header.data, header.size);
        buffer_free(&header);
        buffer_put(&text, file.data + t->place, (size_t)t->size);
        FUZZ_PROPERTY(open_npy((ep_bytes){text.data, text.size}, &again), "npy-again");
        const given_tensor *other = &again.items[0];
        FUZZ_PROPERTY(other->dtype == t->dtype && other->rank == t->rank, "npy-same");
        FUZZ_PROPERTY(other->columns_first == t->columns_first, "npy-order");
        FUZZ_PROPERTY(t->rank == 0 || memcmp(given_numbers(&first, 0), given_numbers(&again, 0),
                                             t->rank * sizeof(int64_t)) == 0,
                      "npy-shape");
        given_free(&again);
    }
    given_free(&first);
    buffer_free(&text);
}

/* --------------------------------------------------------------------------- safetensors */

static bool open_safetensors(ep_bytes file, given *g) {
    io_data data;
    failure what = {0};
    io_view(file, &data);
    bool ok = safetensors_open(&data, LIMIT, g, &what);
    check_told(ok, &what);
    for (size_t i = 0; ok && i < g->count; i++) {
        check_tensor(g, &g->items[i], file.size);
        const given_tensor *found = given_find(g, given_name(g, &g->items[i]));
        FUZZ_PROPERTY(found == &g->items[i], "found");
    }
    return ok;
}

/* cJSON's reading of the index has to be this one. */
static void compare(ep_bytes file, const given *g) {
    spelled_index index;
    FUZZ_PROPERTY(spelled_open(file, &index), "is-json");
    if (spelled_is_plain(&index, file)) {
        FUZZ_PROPERTY(spelled_is_sound(&index, file), "sound");
        FUZZ_PROPERTY(spelled_is(&index, g), "same");
    }
    spelled_close(&index);
}

/* What keeps the rules by cJSON's reading, spelled anew without blanks and escapes. */
static void check_sound(ep_bytes file) {
    spelled_index index;
    buffer text = {0};
    given again;
    if (spelled_open(file, &index) && spelled_is_plain(&index, file) &&
        spelled_is_sound(&index, file)) {
        spell_safetensors(&text, &index, file);
        bool ok = open_safetensors((ep_bytes){text.data, text.size}, &again);
        FUZZ_PROPERTY(ok && spelled_is(&index, &again), "taken");
        given_free(&again);
    }
    spelled_close(&index);
    buffer_free(&text);
}

static void check_safetensors(ep_bytes file) {
    given g;
    if (open_safetensors(file, &g)) {
        compare(file, &g);
    }
    given_free(&g);
    check_sound(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char magic[] = "\x93NUMPY";
    ep_bytes file = fuzz_bytes(data, size);
    bool npy = size >= sizeof magic - 1 && memcmp(data, magic, sizeof magic - 1) == 0;
    if (npy) {
        check_npy(file);
    } else {
        check_safetensors(file);
    }
    return 0;
}
