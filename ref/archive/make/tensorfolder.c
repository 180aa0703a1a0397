/*
 * tensorfolder.c - see tensorfolder.h.
 */
#include "tensorfolder.h"

#include <string.h>

#include "archive/state/npy.h"
#include "archive/state/safetensors.h"
#include "common/memory.h"
#include "common/refusal.h"
#include "paths.h"

/* ------------------------------------------------------------------------------- reading */

/* Opens a file again, which has to be the one that it was. */
static bool reopen(tensorfolder *f, size_t i) {
    const tensorfolder_file *file = &f->files[i];
    if (f->opened == i) {
        return true;
    }
    f->opened = f->count;
    TRY(io_open_below(f->path, file->name, &f->reading, &f->why));
    if (f->reading.length != file->length ||
        memcmp(f->reading.changed, file->changed, sizeof file->changed) != 0) {
        return refuse_io(&f->why, "the file changed while it was read");
    }
    f->opened = i;
    return true;
}

/* The file that a place is in. */
static size_t file_at(const tensorfolder *f, uint64_t place) {
    size_t low = 0;
    size_t high = f->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (f->files[middle].begin <= place) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* An io_reader. */
static bool read_files(void *context, uint64_t place, void *to, size_t size) {
    tensorfolder *f = context;
    char *at = to;
    while (size > 0) {
        size_t i = file_at(f, place);
        uint64_t inside = place - f->files[i].begin;
        uint64_t rest = f->files[i].length - inside;
        size_t piece = rest < size ? (size_t)rest : size;
        if (!reopen(f, i) || !io_read_at(&f->reading, inside, at, piece, &f->why) ||
            !io_check_unchanged(&f->reading, &f->why)) {
            f->blamed = f->files[i].name;
            return false;
        }
        at += piece;
        place += piece;
        size -= piece;
    }
    return true;
}

/* ------------------------------------------------------------------------------- opening */

/* The name of a file without its ending, which is the name of the tensor. */
static bool put_name(given *g, ep_bytes name, const char *ending, given_tensor *t, failure *what) {
    t->name = g->texts.size;
    if (!paths_read(&g->texts, (ep_bytes){name.data, name.size - strlen(ending)})) {
        return refuse_invalid(what, "its name is not spelled as extract --to-dir spells it");
    }
    t->name_size = g->texts.size - t->name;
    return !g->texts.failed || refuse_plainly(what, EP_MEMORY);
}

/* The tensors of the file that is open, their places in that file. */
static bool add_tensors(const io_data *file, ep_bytes name, size_t limit, given *g, failure *what) {
    given_tensor t = {.size = io_length(file)};
    if (bytes_end(name, ".safetensors")) {
        return safetensors_open(file, limit, g, what);
    }
    if (bytes_end(name, ".npy")) {
        return put_name(g, name, ".npy", &t, what) && npy_open(file, limit, g, t, what);
    }
    if (bytes_end(name, ".bin")) {
        return put_name(g, name, ".bin", &t, what) &&
               (given_add(g, &t, NULL) || refuse_plainly(what, EP_MEMORY));
    }
    return refuse_invalid(what, "it is called neither .npy nor .bin nor .safetensors");
}

static bool add_file(tensorfolder *f, tensorfolder_file *file, size_t limit, failure *what) {
    given one = {0};
    TRY(io_open_below(f->path, file->name, &f->reading, what));
    file->length = f->reading.length;
    memcpy(file->changed, f->reading.changed, sizeof file->changed);
    bool ok = add_tensors(&f->reading, bytes_of(file->name), limit, &one, what);
    if (ok && file->length > UINT64_MAX / 2 - file->begin) {
        ok = refuse_plainly(what, EP_LIMIT_BYTES);
    }
    ok = ok && (given_merge(&f->given, &one, file->begin) || refuse_plainly(what, EP_MEMORY));
    given_free(&one);
    return io_settle(&f->reading, ok, what);
}

/* Their names, in order: which fault is told does not depend on the file system. */
static bool list_files(tensorfolder *f, failure *what) {
    name_list sorted = {0};
    TRY(io_list(f->path, &f->names, what));
    for (size_t at = 0; at < f->names.size;) {
        ep_bytes name = bytes_of(f->names.data + at);
        names_add(&sorted, (name_item){.name = name});
        at += name.size + 1;
    }
    names_sort(&sorted);
    f->files = sorted.failed ? NULL : memory_zeros(sorted.count, sizeof *f->files);
    f->count = f->files == NULL ? 0 : sorted.count;
    for (size_t i = 0; i < f->count; i++) {
        f->files[i].name = sorted.items[i].name.data;
    }
    names_free(&sorted);
    return f->files != NULL || refuse_plainly(what, EP_MEMORY);
}

/* One tensor of each name, whatever files they are in. */
static bool check_names(tensorfolder *f, failure *what) {
    const given_tensor *again;
    if (!given_index(&f->given, &again)) {
        return refuse_plainly(what, EP_MEMORY);
    }
    if (again != NULL) {
        f->tensor = given_name(&f->given, again);
        return refuse_invalid(what, "two files have a tensor of this name");
    }
    return true;
}

bool tensorfolder_open(const char *path, size_t limit, tensorfolder *f, failure *what) {
    uint64_t length = 0;
    *f = (tensorfolder){.path = path};
    bool ok = list_files(f, what);
    for (size_t i = 0; ok && i < f->count; i++) {
        f->files[i].begin = length;
        ok = add_file(f, &f->files[i], limit, what);
        f->blamed = ok ? NULL : f->files[i].name;
        length += f->files[i].length;
    }
    f->opened = f->count;
    f->given.from = &f->whole;
    return ok && check_names(f, what) && io_open_reader(read_files, f, length, &f->whole, what);
}

void tensorfolder_free(tensorfolder *f) {
    io_data_free(&f->whole);
    io_data_free(&f->reading);
    given_free(&f->given);
    memory_free(f->files);
    buffer_free(&f->names);
}
