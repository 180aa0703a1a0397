/*
 * oracles/zip_libzip.c - see zip_readers.h.
 */
#include "oracles/zip_reader.h"
#include "oracles/zip_readers.h"

#include <string.h>
#include <zip.h>

static void read_member(zip_t *archive, zip_uint64_t index, zip_listed *m) {
    char piece[4096];
    test_text content = {0};
    zip_file_t *file = zip_fopen_index(archive, index, 0);
    zip_int64_t got = -1;
    m->state = ZIP_DAMAGED;
    while (file != NULL && (got = zip_fread(file, piece, sizeof piece)) > 0) {
        test_add(&content, piece, (size_t)got);
    }
    if (got == 0) {
        zip_listed_read(m, test_text_bytes(&content));
    }
    if (file != NULL) {
        zip_fclose(file);
    }
    test_text_free(&content);
}

static void list(const zip_question *q, zip_t *archive, bool raw, zip_listing *l) {
    zip_int64_t count = zip_get_num_entries(archive, 0);
    for (zip_int64_t i = 0; i < count; i++) {
        zip_stat_t about;
        zip_uint64_t index = (zip_uint64_t)i;
        const char *name = zip_get_name(archive, index, raw ? ZIP_FL_ENC_RAW : ZIP_FL_ENC_GUESS);
        ep_bytes bytes = {name == NULL ? "" : name, name == NULL ? 0 : strlen(name)};
        zip_listed *m = zip_listing_add(l, bytes, (ep_bytes){"", 0});
        if (zip_stat_index(archive, index, 0, &about) == 0 && (about.valid & ZIP_STAT_SIZE) != 0) {
            m->size = about.size;
        }
        if (q->contents) {
            read_member(archive, index, m);
        }
    }
}

/* Whether libzip takes bytes for text in UTF-8. */
static bool is_text(ep_bytes bytes) {
    bool control = false;
    for (size_t i = 0; i < bytes.size; i++) {
        control = control || (unsigned char)bytes.data[i] < ' ';
    }
    return !control && fuzz_is_utf8(bytes);
}

/* A comment that is flagged as UTF-8 and is none: libzip refuses the archive for it, which
 * shows nobody another member. */
static bool has_odd_comment(ep_bytes file) {
    zip_reading r;
    bool odd = false;
    zip_reader_open(file, &r);
    for (size_t i = 0; i < r.count; i++) {
        const zip_entry *e = &r.entries[i];
        odd = odd || ((e->head.flags & ZIP_FLAG_UTF8) != 0 && !is_text(e->comment));
    }
    zip_reader_close(&r);
    return odd;
}

static void refuse(const zip_question *q, zip_listing *l, zip_error_t *error) {
    l->absent = zip_error_code_zip(error) == ZIP_ER_INCONS && has_odd_comment(q->file);
    l->refused = true;
    test_add_str(&l->why, zip_error_strerror(error));
    zip_error_fini(error);
}

static zip_t *open(const zip_question *q, int flags, zip_error_t *error) {
    zip_source_t *source = zip_source_buffer_create(q->file.data, q->file.size, 0, error);
    zip_t *archive = source == NULL ? NULL : zip_open_from_source(source, flags, error);
    if (archive == NULL && source != NULL) {
        zip_source_free(source);
    }
    return archive;
}

/* What ZIP_CHECKCONS refuses, libzip without it has to read as we do: dates that differ in
 * the two headers, and sizes of which one is there and the other follows the bytes, mean
 * nothing. */
void zip_ask_libzip(const zip_question *q, bool raw, zip_listing *l) {
    zip_error_t error;
    zip_error_init(&error);
    l->reader = raw ? "libzip" : "libzip-guessing";
    zip_t *archive = open(q, ZIP_CHECKCONS | ZIP_RDONLY, &error);
    if (archive == NULL && zip_error_code_zip(&error) == ZIP_ER_INCONS) {
        zip_error_fini(&error);
        zip_error_init(&error);
        archive = open(q, ZIP_RDONLY, &error);
    }
    if (archive == NULL) {
        refuse(q, l, &error);
        return;
    }
    list(q, archive, raw, l);
    zip_discard(archive);
    zip_error_fini(&error);
}
