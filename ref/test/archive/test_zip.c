/*
 * test_zip.c - zip archives in both styles of PyTorch (zipwrite.c), read back by the
 * strict reader (zipfile.c): the members and their bytes are the same; an archive that
 * is cut anywhere is refused, and so is one with a changed byte, unless all members are
 * still the same. SPEC 8.1
 */
#include "archive/layout/archive.h"
#include "archive/zip/zipwrite.h"
#include "check.h"

#include <stdlib.h>

enum { MEMBERS = 4, LIMIT = 1 << 20, DIFFERENT = 4 };

typedef struct sample {
    const char *name;
    const char *content;
} sample;

static const sample samples[MEMBERS] = {
    {"serialized_exported_program.json", "{\"schema_version\": {\"major\": 5, \"minor\": 3}}"},
    {"serialized_state_dict.pt", ""},
    {"version", "5.3"},
    {"extra_files/n\xC3\xA4me", "a text that is stored as it is"},
};

static bool take(void *context, ep_bytes piece, failure *what) {
    buffer *made = context;
    (void)what;
    buffer_put(made, piece.data, piece.size);
    return !made->failed;
}

static void plan(zipwrite *w, bool pt2) {
    *w = (zipwrite){.pt2 = pt2};
    for (size_t i = 0; i < MEMBERS; i++) {
        zipwrite_bytes(w, bytes_of(samples[i].name), bytes_of(samples[i].content));
    }
}

static void make(buffer *made, bool pt2) {
    zipwrite w;
    failure what = {0};
    ep_bytes name;
    plan(&w, pt2);
    CHECK(zipwrite_judge_names(&w, &name) == NULL);
    CHECK(zipwrite_all(&w, take, made, &what) && !made->failed);
    zipwrite_free(&w);
}

/* How many members are the same in an archive; DIFFERENT more where there are others.
 * 0 where it is refused, and the code says why. */
static size_t same_members(buffer bytes, ep_code *code) {
    io_data data = {.data = bytes.data, .size = bytes.size, .is_zip = true};
    buffer content = {0};
    failure what = {0};
    zipfile zip;
    size_t same = 0;
    bool ok = zipfile_open(&data, LIMIT, &zip, &what);
    if (ok) {
        same = zip.count == MEMBERS ? 0 : DIFFERENT;
        for (size_t i = 0; ok && i < MEMBERS; i++) {
            const zipfile_member *m = zipfile_find(&zip, bytes_of(samples[i].name));
            ok = m == NULL || zipfile_read_all(&zip, m, LIMIT, &content, &what);
            same += ok && m != NULL && bytes_equal(buffer_bytes(&content), samples[i].content);
        }
        zipfile_close(&zip);
    }
    buffer_free(&content);
    *code = what.error.code;
    return ok ? same : 0;
}

static void test_same(bool pt2) {
    buffer made = {0};
    ep_code code;
    make(&made, pt2);
    CHECK_EQ_INT(same_members(made, &code), MEMBERS);
    CHECK_EQ_INT(code, EP_OK);
    buffer_free(&made);
}

static void test_cut(bool pt2) {
    buffer made = {0};
    make(&made, pt2);
    for (size_t size = 0; size < made.size; size++) {
        ep_code code;
        buffer cut = made;
        cut.size = size;
        CHECK_EQ_INT(same_members(cut, &code), 0);
        CHECK(code != EP_OK && code != EP_INTERNAL && code != EP_MEMORY);
    }
    buffer_free(&made);
}

static void test_changed(bool pt2) {
    buffer made = {0};
    size_t refused = 0;
    make(&made, pt2);
    for (size_t at = 0; at < made.size; at++) {
        ep_code code;
        made.data[at] ^= 0x41;
        size_t same = same_members(made, &code);
        made.data[at] ^= 0x41;
        CHECK_EQ_INT(same == MEMBERS, code == EP_OK);
        refused += code != EP_OK;
    }
    CHECK(refused > made.size / 2);
    buffer_free(&made);
}

/* Names that PyTorch's reader would take for one. */
static void test_twins(void) {
    zipwrite w;
    ep_bytes name;
    plan(&w, true);
    zipwrite_bytes(&w, bytes_of("VERSION"), bytes_of("5.3"));
    CHECK(zipwrite_judge_names(&w, &name) != NULL);
    zipwrite_free(&w);
}

static void test_program(void) {
    archive a;
    buffer made = {0};
    buffer program = {0};
    failure what = {0};
    make(&made, false);
    io_data data = {.data = made.data, .size = made.size, .is_zip = true};
    if (CHECK(archive_open(&data, (archive_wish){.limit = LIMIT}, &a, &what))) {
        CHECK(archive_read(&a, LIMIT, &program, &what));
        CHECK(bytes_equal(buffer_bytes(&program), samples[0].content));
        archive_close(&a);
    }
    buffer_free(&program);
    buffer_free(&made);
}

int main(void) {
    for (int pt2 = 0; pt2 < 2; pt2++) {
        test_same(pt2 != 0);
        test_cut(pt2 != 0);
        test_changed(pt2 != 0);
    }
    test_twins();
    test_program();
    return check_report();
}
