/*
 * fuzz_state.c - archives as wholes: whether they are whole (SPEC 8.2 to 8.5), the list of
 * their tensors, the elements of these, and the files that are made of them. A verdict
 * depends on nothing but the bytes; a second reader (zip_reader.c) and a second way through
 * strides have to find the same elements; and an archive that is whole is so by rules that
 * are written here once more. The input is a zip; others are passed over.
 */
#define _POSIX_C_SOURCE 200809L

#include "common/memory.h"
#include "state_laws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --------------------------------------------------------------------------- verdicts */

static tensors_wish wish_of(const char *model, bool *read) {
    return (tensors_wish){.model = model, .limit = STATE_LIMIT, .read = read};
}

static bool same_verdict(const state_verdict *a, const state_verdict *b) {
    if (a->whole && b->whole) {
        return true;
    }
    return a->what.error.code == b->what.error.code &&
           a->what.error.offset == b->what.error.offset && fuzz_same(a->member, b->member) &&
           strcmp(a->what.error.detail, b->what.error.detail) == 0 &&
           strcmp(a->what.error.pointer, b->what.error.pointer) == 0;
}

/* What is refused for bytes that are not read with no_data. */
static bool is_of_data(const state_verdict *v) {
    return v->what.error.code == EP_ARCHIVE_MEMBER || v->what.error.code == EP_UTF8;
}

static void law_of_no_data(const state_verdict *all, const state_verdict *without) {
    FUZZ_PROPERTY_OF(without->whole || !all->whole, "whole-without-data", &without->what.error);
    FUZZ_PROPERTY_OF(is_of_data(all) || same_verdict(all, without), "no-data-alike",
                     &all->what.error);
}

/* The file in which inputs lie that are read in place; made once. */
static int file_for(ep_bytes bytes) {
    static FILE *file;
    file = file == NULL ? tmpfile() : file;
    int descriptor = file == NULL ? -1 : fileno(file);
    bool ok = descriptor >= 0 && ftruncate(descriptor, 0) == 0 &&
              pwrite(descriptor, bytes.data, bytes.size, 0) == (ssize_t)bytes.size;
    if (!ok) {
        perror("fuzz_state: a file for the input");
        exit(3);
    }
    return descriptor;
}

/* Read in place, as the command line reads what is on a disk. */
static void law_of_place(const state *s, const state_verdict *all) {
    failure what = {0};
    archive taken;
    struct stat about;
    archive_wish wish = {.limit = STATE_LIMIT, .several = true};
    io_data disk = {.is_zip = true, .on_disk = true, .length = s->data.size};
    disk.descriptor = file_for((ep_bytes){s->data.data, s->data.size});
    FUZZ_PROPERTY(fstat(disk.descriptor, &about) == 0, "file");
    disk.changed[0] = (int64_t)about.st_mtim.tv_sec;
    disk.changed[1] = (int64_t)about.st_mtim.tv_nsec;
    FUZZ_PROPERTY_OF(archive_open(&disk, wish, &taken, &what), "opens-in-place", &what.error);
    state_verdict again = state_judge(&taken, false);
    FUZZ_PROPERTY_OF(same_verdict(all, &again), "same-in-place", &again.what.error);
    archive_close(&taken);
}

/* With so little memory that it may not be enough. */
static void law_of_memory(state *s, const state_verdict *all) {
    whole_wish wish = {.limit = STATE_LIMIT};
    state_verdict v = {.whole = false};
    memory_cap(1 + fuzz_below(&s->input, (size_t)1 << (10 + fuzz_below(&s->input, 10))));
    v.whole = whole_check(&s->archive, &wish, &v.member, &v.what);
    memory_cap(0);
    FUZZ_PROPERTY_OF(v.what.error.code == EP_MEMORY || same_verdict(all, &v), "with-little-memory",
                     &v.what.error);
    FUZZ_PROPERTY(v.whole == all->whole || v.what.error.code == EP_MEMORY, "memory-told");
}

/* ------------------------------------------------------------------------------ lists */

static bool has_inner_rows(const state *s) {
    for (size_t i = 0; i < s->list.row_count; i++) {
        if (s->list.rows[i].is_inner) {
            return true;
        }
    }
    return false;
}

/* What is judged is listed, and as it is when nobody judges, but for what is inside of tensors. */
static void law_of_judged_list(const state *s) {
    failure what = {0};
    state judged = *s;
    bool *read = calloc(s->archive.zip.count + 1, sizeof *read);
    tensors_wish wish = wish_of(NULL, read);
    FUZZ_PROPERTY(read != NULL, "room");
    bool ok = tensors_read(&s->archive, &wish, &judged.list, &what);
    FUZZ_PROPERTY_OF(ok, "judged-list", &what.error);
    FUZZ_PROPERTY(has_inner_rows(s) || state_same_list(s, &judged), "judged-list-alike");
    tensors_free(&judged.list);
    free(read);
}

/* The list of one program is its part of the list of all. */
static void law_of_one_program(state *s) {
    failure what = {0};
    state part = *s;
    test_text name = {0};
    size_t program = fuzz_below(&s->input, s->list.program_count);
    test_add(&name, s->list.programs[program].name.data, s->list.programs[program].name.size);
    test_add(&name, "", 1);
    tensors_wish wish = wish_of(name.data, NULL);
    bool ok = memchr(name.data, 0, name.size) == name.data + name.size - 1;
    if (ok) {
        ok = tensors_read(&s->archive, &wish, &part.list, &what);
        FUZZ_PROPERTY_OF(ok, "list-of-one", &what.error);
        FUZZ_PROPERTY(part.list.program_count == 1, "one-program");
        size_t count = 0;
        for (size_t i = 0; i < s->list.row_count; i++) {
            count += s->list.rows[i].program == program ? 1 : 0;
        }
        FUZZ_PROPERTY(part.list.row_count == count, "rows-of-one");
        FUZZ_PROPERTY(state_same_list(s, &part) || s->list.program_count > 1, "list-of-one-alike");
        tensors_free(&part.list);
    }
    test_text_free(&name);
}

/* Rows that show a storage are a chain, in their order. */
static void law_of_sharing(const tensors *t) {
    size_t shown = 0;
    size_t rows = 0;
    for (size_t i = 0; i < t->row_count; i++) {
        rows += t->rows[i].storage != TENSORS_NONE ? 1 : 0;
    }
    for (size_t i = 0; i < t->storage_count; i++) {
        const tensor_storage *storage = &t->storages[i];
        size_t row = storage->count == 0 ? TENSORS_NONE : storage->first;
        for (size_t left = storage->count; left > 0; left--) {
            FUZZ_PROPERTY(row < t->row_count && t->rows[row].storage == i, "sharing");
            FUZZ_PROPERTY((left == 1) == (row == storage->last), "last-of-sharing");
            FUZZ_PROPERTY(t->rows[row].next == TENSORS_NONE || t->rows[row].next > row, "order");
            row = t->rows[row].next;
        }
        FUZZ_PROPERTY(row == TENSORS_NONE, "end-of-sharing");
        shown += storage->count;
    }
    FUZZ_PROPERTY(shown == rows, "all-shared");
}

static void look_at(state *s) {
    state_verdict all = state_judge(&s->archive, false);
    state_verdict without = state_judge(&s->archive, true);
    if (!all.whole) {
        laws_of_refusal(s, &all.what, all.member);
    }
    law_of_no_data(&all, &without);
    law_of_place(s, &all);
    law_of_memory(s, &all);
    law_of_sharing(&s->list);
    if (s->list.program_count > 0) {
        laws_of_elements(s);
        laws_of_files(s);
        law_of_one_program(s);
    }
    if (without.whole) {
        FUZZ_PROPERTY(s->list.program_count > 0, "whole-without-a-list");
        laws_of_whole(s, !all.whole);
    }
    if (all.whole) {
        law_of_judged_list(s);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    state s;
    if (size < 4 || memcmp(data, "PK\3\4", 4) != 0) {
        return 0;
    }
    if (state_open(&s, fuzz_bytes(data, size))) {
        look_at(&s);
        state_close(&s);
    }
    return 0;
}
