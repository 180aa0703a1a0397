/*
 * fuzz_zip.c - every reader of zip archives finds the same in one that ours takes: the
 * same members, of the same sizes, with the same bytes. The others are libzip, with names
 * as they are and as it guesses them, Python's zipfile, and, of an archive
 * that has the names of the PT2 layout, PyTorch's reader in C++. A broken property has
 * the name of the reader that finds something else. (zip_reader.c is held against ours by the
 * target archive.)
 *
 * The input is a zip; others are passed over. What ours refuses, nobody is asked about.
 */
#include "archive/zip/zipfile.h"
#include "fuzz.h"
#include "oracles/zip_readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTENTS_MOST = 1 << 22 }; /* bytes of all members that are read */

/* How much of what is tried gets somewhere; told at the end, as engines give no other
 * place to keep it. */
static struct {
    size_t zips;
    size_t taken;
    size_t read; /* with all members whole */
} tally;

static void tell_tally(void) {
    fprintf(stderr, "fuzz_zip: %zu zips, %zu taken, %zu of them whole, %zu read by PyTorch\n",
            tally.zips, tally.taken, tally.read, zip_torch_answers());
}

/* ----------------------------------------------------------------------- our reader */

/* Returns whether all members were read. */
static bool ask_ours(const zipfile *z, bool contents, zip_listing *l) {
    bool whole = contents;
    l->reader = "ours";
    for (size_t i = 0; i < z->count; i++) {
        buffer content = {0};
        failure what = {0};
        const zipfile_member *m = &z->members[i];
        zip_listed *said = zip_listing_add(l, m->name, (ep_bytes){"", 0});
        said->size = m->size;
        said->state = ZIP_DAMAGED;
        if (contents && zipfile_read_all(z, m, CONTENTS_MOST, &content, &what)) {
            zip_listed_read(said, buffer_bytes(&content));
        }
        whole = whole && said->state == ZIP_READ;
        buffer_free(&content);
    }
    tally.read += whole ? 1 : 0;
    return whole;
}

/* ------------------------------------------------------------------------ comparing */

/* The folder that all members are in, where PyTorch's reader can tell their names apart;
 * empty for others. */
static ep_bytes root_of(const zipfile *z) {
    failure what = {0};
    ep_bytes first = z->count == 0 ? (ep_bytes){"", 0} : z->members[0].name;
    const char *slash = first.size == 0 ? NULL : memchr(first.data, '/', first.size);
    ep_bytes root = {first.data, slash == NULL ? 0 : (size_t)(slash - first.data) + 1};
    for (size_t i = 0; i < z->count; i++) {
        ep_bytes name = z->members[i].name;
        if (name.size < root.size || memcmp(name.data, root.data, root.size) != 0) {
            return (ep_bytes){"", 0};
        }
    }
    return root.size > 1 && zipfile_check_folded(z, &what) ? root : (ep_bytes){"", 0};
}

static bool are_short(const zipfile *z) {
    uint64_t room = CONTENTS_MOST;
    for (size_t i = 0; i < z->count; i++) {
        TRY(z->members[i].size <= room);
        room -= z->members[i].size;
    }
    return true;
}

static void hold_against(zip_listing *ours, zip_listing *other) {
    zip_listing_compare(ours, other);
    zip_listing_free(other);
}

static void compare_all(const zipfile *z, ep_bytes file) {
    zip_listing ours = {.reader = NULL};
    zip_listing other = {.reader = NULL};
    zip_listing torch;
    zip_question q = {.file = file, .contents = are_short(z), .root = root_of(z)};
    if (!ask_ours(z, q.contents, &ours)) {
        q.root = (ep_bytes){"", 0}; /* PyTorch's reader reads members when it is opened */
    }
    zip_ask_libzip(&q, true, &other);
    hold_against(&ours, &other);
    zip_ask_libzip(&q, false, &other);
    hold_against(&ours, &other);
    zip_ask_python(&q, &other, &torch);
    hold_against(&ours, &other);
    hold_against(&ours, &torch);
    zip_listing_free(&ours);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    /* Nobody writes to it. */
    io_data input = {.data = (char *)(uintptr_t)data, .size = size, .is_zip = true};
    zipfile z;
    failure what = {0};
    if (size < 4 || memcmp(data, "PK\3\4", 4) != 0) {
        return 0;
    }
    if (tally.zips++ == 0) {
        atexit(tell_tally);
    }
    if (zipfile_open(&input, size, &z, &what)) {
        tally.taken++;
        compare_all(&z, fuzz_bytes(data, size));
        zipfile_close(&z);
    }
    return 0;
}
