/*
 * archive.c - see archive.h. libzip reads the zip; what is a program, and that
 * there is one, is decided here. What the archive claims (sizes, counts) is
 * never believed: the program is read until it ends or the limit is reached.
 * Clauses: SPEC 8.1.
 */
#include "archive.h"

#include <errno.h>
#include <string.h>
#include <zip.h>

#include "safe.h"

enum { CHUNK = 1 << 16, NAMES_SHOWN = 4 };

bool archive_refuse(failure *what, ep_code code, buffer *detail) {
    *what = (failure){.error = {.code = code}};
    size_t size = detail->size < EP_DETAIL_SIZE ? detail->size : EP_DETAIL_SIZE - 1;
    if (size > 0) {
        memcpy(what->error.detail, detail->data, size);
    }
    if (detail->failed) {
        what->error.code = EP_MEMORY;
    }
    what->status = status_of_code(what->error.code);
    buffer_free(detail);
    return false;
}

bool archive_lacks_memory(zip_error_t *error) {
    return zip_error_code_zip(error) == ZIP_ER_MEMORY || errno == ENOMEM;
}

/* What libzip said: that the world failed, or that the archive is bad. */
bool archive_refuse_zip(failure *what, ep_code code, zip_error_t *error) {
    buffer detail = {0};
    int kind = zip_error_code_zip(error);
    int system = zip_error_code_system(error);
    if (archive_lacks_memory(error)) {
        return archive_refuse(what, EP_MEMORY, &detail);
    }
    if (kind == ZIP_ER_OPEN || (kind == ZIP_ER_READ && system == EIO)) {
        *what = (failure){.status = STATUS_IO, .reason = strerror(system)};
        return false;
    }
    safe_text(&detail, bytes_of(zip_error_strerror(error)));
    return archive_refuse(what, code, &detail);
}

/* -------------------------------------------------------------------- opening */

/* The end of the archive without its comment: what says where the end record of
 * zip64 is, and the end record. */
enum { LOCATOR_SIZE = 20, END_SIZE = 22, END64_SIZE = 56, ENTRY_SIZE = 46 };

static bool read_at(zip_source_t *source, zip_int64_t offset, int from, zip_uint8_t *bytes,
                    size_t size) {
    return zip_source_seek(source, offset, from) == 0 &&
           zip_source_read(source, bytes, size) == (zip_int64_t)size;
}

static zip_uint64_t number_at(const zip_uint8_t *bytes, size_t size) {
    zip_uint64_t number = 0;
    for (size_t i = size; i > 0; i--) {
        number = number << 8 | bytes[i - 1];
    }
    return number;
}

/* Whether a number of the end record is that of zip64, or says nothing. */
static bool agrees(const zip_uint8_t *end, const zip_uint8_t *end64, size_t size, size_t size64) {
    zip_uint64_t number = number_at(end, size);
    return number == (size == 2 ? UINT16_MAX : UINT32_MAX) || number == number_at(end64, size64);
}

/* Whether the end record is the last that there is: of several, libzip takes the
 * one that lists more, and others, PyTorch's reader among them, the last. */
static bool is_last_end(const char *comment, size_t size) {
    for (size_t i = 0; i + 4 <= size; i++) {
        if (memcmp(comment + i, "PK\x05\x06", 4) == 0) {
            return false;
        }
    }
    return true;
}

/* An end record like that of zip64, to which a locator points, and where it says
 * that the directory is. Where there is one, libzip looks at no other; but other
 * readers do. */
static bool is_end64(zip_source_t *source, const zip_uint8_t *locator, zip_uint64_t *directory) {
    zip_uint8_t end64[END64_SIZE];
    const zip_uint8_t *end = locator + LOCATOR_SIZE;
    zip_int64_t offset = (zip_int64_t)number_at(locator + 8, 8);
    if (!read_at(source, offset, SEEK_SET, end64, sizeof end64)) {
        return false;
    }
    *directory = number_at(end64 + 48, 8);
    return memcmp(end64, "PK\x06\x06", 4) == 0 && agrees(end + 4, end64 + 16, 2, 4) &&
           agrees(end + 6, end64 + 20, 2, 4) && agrees(end + 8, end64 + 24, 2, 8) &&
           agrees(end + 10, end64 + 32, 2, 8) && agrees(end + 12, end64 + 40, 4, 8) &&
           agrees(end + 16, end64 + 48, 4, 8);
}

/* Whether every reader finds the directory in one place, and which. SPEC 8.1.1 */
static bool has_one_end(zip_t *archive, zip_source_t *source, zip_uint64_t *directory) {
    zip_uint8_t ends[LOCATOR_SIZE + END_SIZE];
    const zip_uint8_t *end = ends + LOCATOR_SIZE;
    int size = 0;
    const char *comment = zip_get_archive_comment(archive, &size, ZIP_FL_ENC_RAW);
    if (comment != NULL && !is_last_end(comment, (size_t)size)) {
        return false;
    }
    if (read_at(source, -(zip_int64_t)sizeof ends - size, SEEK_END, ends, sizeof ends) &&
        memcmp(ends, "PK\x06\x07", 4) == 0) {
        return is_end64(source, ends, directory);
    }
    if (!read_at(source, -(zip_int64_t)END_SIZE - size, SEEK_END, ends + LOCATOR_SIZE, END_SIZE)) {
        return false;
    }
    *directory = number_at(end + 16, 4);
    return true;
}

/* Goes over a name; false for a zero byte in it. */
static bool is_whole_name(zip_source_t *source, size_t size) {
    zip_uint8_t piece[256];
    while (size > 0) {
        size_t part = size < sizeof piece ? size : sizeof piece;
        if (zip_source_read(source, piece, part) != (zip_int64_t)part ||
            memchr(piece, 0, part) != NULL) {
            return false;
        }
        size -= part;
    }
    return true;
}

/* Whether every reader finds the same names in the directory: a zero byte ends one
 * for Python and for C, and is a blank to libzip. SPEC 8.1.1 */
static bool has_whole_names(zip_t *archive, zip_source_t *source, zip_uint64_t at) {
    zip_int64_t count = zip_get_num_entries(archive, 0);
    zip_uint8_t entry[ENTRY_SIZE];
    for (zip_int64_t i = 0; i < count; i++) {
        if (at > INT64_MAX || !read_at(source, (zip_int64_t)at, SEEK_SET, entry, sizeof entry) ||
            memcmp(entry, "PK\x01\x02", 4) != 0 ||
            !is_whole_name(source, (size_t)number_at(entry + 28, 2))) {
            return false;
        }
        at += sizeof entry + number_at(entry + 28, 2) + number_at(entry + 30, 2) +
              number_at(entry + 32, 2);
    }
    return true;
}

/* Whether the directory says one thing to every reader. */
static bool is_consistent(zip_t *archive, zip_source_t *source) {
    zip_uint64_t directory;
    return has_one_end(archive, source, &directory) && has_whole_names(archive, source, directory);
}

static zip_t *open_zip(zip_source_t *source, size_t *size, zip_error_t *error) {
    zip_stat_t about;
    if (source == NULL) {
        return NULL;
    }
    if (size != NULL) {
        bool known = zip_source_stat(source, &about) == 0 && (about.valid & ZIP_STAT_SIZE) != 0;
        *size = known ? (size_t)about.size : 0;
    }
    zip_t *archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, error);
    if (archive == NULL) {
        zip_source_free(source);
    } else if (!is_consistent(archive, source)) {
        zip_error_set(error, ZIP_ER_INCONS, 0);
        zip_discard(archive);
        return NULL;
    }
    return archive;
}

zip_t *archive_open(const char *path, const io_data *data, size_t *size, failure *what) {
    zip_error_t error;
    zip_error_init(&error);
    errno = 0; /* archive_lacks_memory asks it */
    zip_source_t *source = data->on_disk
                               ? zip_source_file_create(path, 0, -1, &error)
                               : zip_source_buffer_create(data->data, data->size, 0, &error);
    zip_t *archive = open_zip(source, size, &error);
    if (archive == NULL) {
        archive_refuse_zip(what, EP_ARCHIVE, &error);
    }
    zip_error_fini(&error);
    return archive;
}

zip_t *archive_open_bytes(ep_bytes data, bool *failed) {
    zip_error_t error;
    zip_error_init(&error);
    errno = 0;
    zip_source_t *source = zip_source_buffer_create(data.data, data.size, 0, &error);
    zip_t *archive = open_zip(source, NULL, &error);
    *failed = *failed || (archive == NULL && archive_lacks_memory(&error));
    zip_error_fini(&error);
    return archive;
}

/* ------------------------------------------------------------------- choosing */

/* What the members of an archive come to. */
typedef struct choice {
    const char *model; /* wanted, or NULL */
    size_t count;      /* of programs that could be meant */
    zip_uint64_t index;
    buffer names; /* of the first few, for the refusal */
} choice;

/* Whether a member is a program: "serialized_exported_program.json" (*model is
 * empty), or "R/models/NAME.json". SPEC 8.1.2 */
static bool is_program(const char *name, ep_bytes *model) {
    static const char folder[] = "/models/";
    const char *slash = strchr(name, '/');
    if (slash == NULL) {
        *model = (ep_bytes){"", 0};
        return strcmp(name, "serialized_exported_program.json") == 0;
    }
    if (slash == name || strncmp(slash, folder, sizeof folder - 1) != 0) {
        return false;
    }
    const char *file = slash + sizeof folder - 1;
    size_t size = strlen(file);
    *model = (ep_bytes){file, size > 5 ? size - 5 : 0};
    return size > 5 && strcmp(file + size - 5, ".json") == 0 && strchr(file, '/') == NULL;
}

static void consider(choice *c, const char *name, zip_uint64_t index) {
    ep_bytes model;
    if (!is_program(name, &model) ||
        (c->model != NULL && model.size > 0 && !bytes_equal(model, c->model))) {
        return;
    }
    c->index = index;
    c->count++;
    if (c->count <= NAMES_SHOWN) {
        buffer_text(&c->names, c->count > 1 ? ", " : "");
        safe_text(&c->names, bytes_of(name));
    }
}

static bool refuse_choice(choice *c, failure *what) {
    buffer detail = {0};
    if (c->count > 0) {
        buffer_number(&detail, (int64_t)c->count);
        buffer_text(&detail, " of them, --model=NAME takes one: ");
        buffer_put(&detail, c->names.data, c->names.size);
        detail.failed = detail.failed || c->names.failed;
    } else if (c->model != NULL) {
        buffer_text(&detail, "none is named ");
        safe_quoted(&detail, bytes_of(c->model));
    } else {
        buffer_text(&detail, "no serialized_exported_program.json, no models/NAME.json");
    }
    return archive_refuse(what, EP_ARCHIVE_PROGRAM, &detail);
}

/* Finds the one program. That no name stands twice, libzip has seen to when it
 * opened the archive. SPEC 8.1.1, 8.1.2 */
static bool choose(zip_t *archive, choice *c, failure *what) {
    zip_int64_t count = zip_get_num_entries(archive, 0);
    for (zip_int64_t i = 0; i < count; i++) {
        const char *name = zip_get_name(archive, (zip_uint64_t)i, 0);
        if (name == NULL) {
            return archive_refuse_zip(what, EP_ARCHIVE, zip_get_error(archive));
        }
        consider(c, name, (zip_uint64_t)i);
    }
    return c->count == 1 || refuse_choice(c, what);
}

/* -------------------------------------------------------------------- reading */

zip_file_t *archive_open_file(zip_t *archive, uint64_t index, buffer *content) {
    zip_file_t *file = zip_fopen_index(archive, index, 0);
    content->failed = file == NULL && archive_lacks_memory(zip_get_error(archive));
    return file;
}

bool archive_read_file(zip_file_t *file, size_t limit, buffer *content) {
    char chunk[CHUNK];
    zip_int64_t got = 1;
    while (got > 0 && content->size <= limit && !content->failed) {
        got = zip_fread(file, chunk, sizeof chunk);
        buffer_put(content, chunk, got > 0 ? (size_t)got : 0);
    }
    content->failed =
        content->failed || (got < 0 && archive_lacks_memory(zip_file_get_error(file)));
    return got == 0 && !content->failed;
}

/* To the end, where libzip compares the checksum; or to beyond the limit. */
static bool read_all(zip_file_t *file, size_t limit, buffer *program, failure *what) {
    char chunk[CHUNK];
    while (program->size <= limit) {
        zip_int64_t got = zip_fread(file, chunk, sizeof chunk);
        if (got < 0) {
            return archive_refuse_zip(what, EP_ARCHIVE_MEMBER, zip_file_get_error(file));
        }
        if (got == 0) {
            break;
        }
        size_t room = limit - program->size < CHUNK ? limit - program->size + 1 : CHUNK;
        buffer_put(program, chunk, (size_t)got < room ? (size_t)got : room);
        if (program->failed) {
            return archive_refuse(what, EP_MEMORY, &(buffer){0});
        }
    }
    return true;
}

bool archive_says(zip_t *archive, zip_uint64_t index, size_t size) {
    zip_stat_t about;
    return zip_stat_index(archive, index, 0, &about) == 0 && about.size == size &&
           (size > 0 || about.crc == 0);
}

/* SPEC 8.1.3 */
static bool read_member(zip_t *archive, zip_uint64_t index, size_t limit, buffer *program,
                        failure *what) {
    zip_file_t *file = zip_fopen_index(archive, index, 0);
    if (file == NULL) {
        return archive_refuse_zip(what, EP_ARCHIVE_MEMBER, zip_get_error(archive));
    }
    bool ok = read_all(file, limit, program, what);
    zip_fclose(file);
    if (ok && program->size <= limit && !archive_says(archive, index, program->size)) {
        buffer detail = {0};
        buffer_text(&detail, "the directory says another size of it, or a checksum of no bytes");
        return archive_refuse(what, EP_ARCHIVE_MEMBER, &detail);
    }
    return ok;
}

bool archive_read(const char *path, const io_data *data, archive_wish wish, archive_taken *taken,
                  failure *what) {
    zip_t *archive = archive_open(path, data, NULL, what);
    if (archive == NULL) {
        return false;
    }
    choice c = {.model = wish.model};
    bool ok = choose(archive, &c, what);
    if (ok) {
        buffer_text(&taken->member, zip_get_name(archive, c.index, 0));
        ok = read_member(archive, c.index, wish.limit, &taken->program, what);
    }
    buffer_free(&c.names);
    zip_discard(archive);
    return ok;
}
