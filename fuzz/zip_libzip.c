/*
 * zip_libzip.c - see zip_readers.h.
 */
#include "zip_readers.h"

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

static void refuse(zip_listing *l, zip_error_t *error) {
    l->refused = true;
    test_add_str(&l->why, zip_error_strerror(error));
    zip_error_fini(error);
}

void zip_ask_libzip(const zip_question *q, bool raw, zip_listing *l) {
    zip_error_t error;
    zip_error_init(&error);
    l->reader = raw ? "libzip" : "libzip-guessing";
    zip_source_t *source = zip_source_buffer_create(q->file.data, q->file.size, 0, &error);
    if (source == NULL) {
        refuse(l, &error);
        return;
    }
    zip_t *archive = zip_open_from_source(source, ZIP_CHECKCONS | ZIP_RDONLY, &error);
    if (archive == NULL) {
        refuse(l, &error);
        zip_source_free(source);
        return;
    }
    list(q, archive, raw, l);
    zip_discard(archive);
    zip_error_fini(&error);
}
