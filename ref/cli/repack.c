/*
 * repack.c - see repack.h. A member of the old archive has a part, and the rows
 * of layout.def say what a part is called in the new one. libzip copies the
 * members when it writes the new archive, in memory; what the old one claims of
 * its sizes is believed as far as an archive can hold it. Clauses: SPEC 7.7.
 */
#include "repack.h"

#include <errno.h>
#include <string.h>
#include <zip.h>

#include "archive.h"
#include "safe.h"

/* What a member is to the releases. */
typedef enum part {
    PART_PROGRAM,
    PART_WEIGHTS, /* pickled, as torch.save writes them */
    PART_CONSTANTS,
    PART_INPUTS,
    PART_EXTRA, /* one of them */
    PART_FRAME, /* says what the archive is: made anew */
    PART_OTHER
} part;

enum { PARTS = PART_EXTRA };

typedef struct layout {
    const char *since;
    bool folder;
    const char *names[PARTS];
    const char *extra;
    bool raw;
} layout;

#define LAYOUT(since, folder, program, weights, constants, inputs, extra, raw)                     \
    {since, folder, {program, weights, constants, inputs}, extra, raw},
static const layout layouts[] = {
#include "layout.def"
};

enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };
enum { CHUNK = 1 << 16 }; /* of a member that is read */

/* A repacking on its way. */
typedef struct repacking {
    zip_t *from;
    zip_t *to;
    const repack_wish *wish;
    const layout *layout;
    ep_bytes root; /* of the old archive, with its slash; empty: it is flat */
    ep_bytes model;
    zip_int64_t parts[PARTS]; /* -1: there is none */
    zip_uint64_t end;         /* of what was put into the new archive so far */
    buffer config;            /* libzip reads it when it closes the archive */
    failure *what;
} repacking;

/* ------------------------------------------------------------------- refusals */

static bool refuse(repacking *r, const char *why, ep_bytes member) {
    buffer detail = {0};
    buffer_text(&detail, why);
    safe_text(&detail, member);
    return archive_refuse(r->what, EP_MIGRATE_ARCHIVE, &detail);
}

static bool refuse_zip(repacking *r, zip_t *archive) {
    return archive_refuse_zip(r->what, EP_ARCHIVE_MEMBER, zip_get_error(archive));
}

static bool refuse_memory(repacking *r) {
    return archive_refuse(r->what, EP_MEMORY, &(buffer){0});
}

static void tell(const repacking *r, const char *clause, const char *about) {
    if (r->wish->report != NULL) {
        r->wish->report(r->wish->report_context, clause, about, 1);
    }
}

/* --------------------------------------------------------------------- layouts */

static size_t version_index(const ep_version *version) {
    size_t i = 0;
    while (ep_version_at(i) != NULL && ep_version_at(i) != version) {
        i++;
    }
    return i;
}

/* SPEC 7.7.1 */
static const layout *layout_of(const ep_version *version) {
    size_t wanted = version_index(version);
    size_t i = LAYOUTS - 1;
    while (i > 0 && version_index(ep_version_find(layouts[i].since)) > wanted) {
        i--;
    }
    return &layouts[i];
}

bool archive_takes_raw(const ep_version *version) {
    return layout_of(version)->raw;
}

static bool has_start(ep_bytes text, const char *start) {
    size_t size = strlen(start);
    return text.size >= size && memcmp(text.data, start, size) == 0;
}

static ep_bytes without(ep_bytes text, size_t size) {
    return (ep_bytes){text.data + size, text.size - size};
}

/* The members of the flat layout are known by what stands before the dot: 2.1
 * and 2.2 say .json where later releases say .pt. */
static part flat_part(ep_bytes name) {
    static const struct {
        const char *start;
        part part;
    } rows[] = {
        {"serialized_exported_program.json", PART_PROGRAM},
        {"serialized_state_dict.", PART_WEIGHTS},
        {"serialized_constants.", PART_CONSTANTS},
        {"serialized_example_inputs.", PART_INPUTS},
        {"extra_files/", PART_EXTRA},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (has_start(name, rows[i].start)) {
            return rows[i].part;
        }
    }
    return bytes_equal(name, "version") ? PART_FRAME : PART_OTHER;
}

/* Whether a name is folder, model, end. */
static bool is_of_model(const repacking *r, ep_bytes name, const char *folder, const char *end) {
    size_t before = strlen(folder);
    return name.size == before + r->model.size + strlen(end) && has_start(name, folder) &&
           memcmp(name.data + before, r->model.data, r->model.size) == 0 &&
           has_start(without(name, before + r->model.size), end);
}

static part folder_part(const repacking *r, ep_bytes name) {
    static const char *const folders[PARTS] = {"models/", "data/weights/", "data/constants/",
                                               "data/sample_inputs/"};
    static const char *const frame[] = {"archive_format", "archive_version",    "byteorder",
                                        ".data/",         ".storage_alignment", ".format_version"};
    for (int i = 0; i < PARTS; i++) {
        if (is_of_model(r, name, folders[i], i == PART_PROGRAM ? ".json" : ".pt")) {
            return (part)i;
        }
    }
    for (size_t i = 0; i < sizeof frame / sizeof frame[0]; i++) {
        if (has_start(name, frame[i])) {
            return PART_FRAME;
        }
    }
    return has_start(name, "extra/") ? PART_EXTRA : PART_OTHER;
}

static ep_bytes name_of(const repacking *r, zip_uint64_t index) {
    return bytes_of(zip_get_name(r->from, index, 0));
}

/* *name is left without the folder that all members are in. */
static part part_of(const repacking *r, zip_uint64_t index, ep_bytes *name) {
    *name = name_of(r, index);
    if (r->root.size == 0) {
        return flat_part(*name);
    }
    if (name->size < r->root.size || memcmp(name->data, r->root.data, r->root.size) != 0) {
        return PART_OTHER;
    }
    *name = without(*name, r->root.size);
    return folder_part(r, *name);
}

/* ---------------------------------------------------------------------- adding */

enum { HEADER_SIZE = 30, FIELD_SIZE = 4, ALIGNMENT = 64, FIELD_ID = 0x4246 };

/* In the PT2 layout a member's bytes begin at a multiple of 64, for which an
 * extra field called FB makes room. */
static bool align(repacking *r, zip_uint64_t index, size_t name_size) {
    static const char filling[ALIGNMENT + 1] =
        "ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ";
    r->end += HEADER_SIZE + name_size;
    if (!r->layout->folder) {
        return true;
    }
    size_t size = (size_t)(-(r->end + FIELD_SIZE) % ALIGNMENT);
    r->end += FIELD_SIZE + size;
    return zip_file_extra_field_set(r->to, index, FIELD_ID, ZIP_EXTRA_FIELD_NEW,
                                    (const zip_uint8_t *)filling, (zip_uint16_t)size,
                                    ZIP_FL_LOCAL) == 0;
}

/* Adds a member, whose bytes are the source's. */
static bool add(repacking *r, const char *name, zip_source_t *source, zip_uint64_t size) {
    if (source == NULL) {
        return refuse_zip(r, r->to);
    }
    zip_int64_t index = zip_file_add(r->to, name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return zip_error_code_zip(zip_get_error(r->to)) == ZIP_ER_EXISTS
                   ? refuse(r, "two members would be ", bytes_of(name))
                   : refuse_zip(r, r->to);
    }
    bool ok = zip_set_file_compression(r->to, (zip_uint64_t)index, ZIP_CM_STORE, 0) == 0 &&
              zip_file_set_dostime(r->to, (zip_uint64_t)index, 0, 0x21, 0) == 0 && /* 1980-01-01 */
              align(r, (zip_uint64_t)index, strlen(name));
    r->end += size;
    return ok || refuse_zip(r, r->to);
}

static bool add_bytes(repacking *r, const char *name, ep_bytes bytes) {
    const void *data = bytes.size > 0 ? bytes.data : "";
    return add(r, name, zip_source_buffer(r->to, data, bytes.size, 0), bytes.size);
}

static bool add_text(repacking *r, const char *name, const char *text) {
    return add_bytes(r, name, bytes_of(text));
}

/* Goes over a member, to a byte beyond what there is room for, and counts. */
static bool count_bytes(repacking *r, zip_uint64_t index, size_t *size, bool *failed) {
    char chunk[CHUNK];
    zip_file_t *file = zip_fopen_index(r->from, index, 0);
    zip_int64_t got = file == NULL ? -1 : 1;
    for (*size = 0; got > 0 && *size <= r->wish->limit; *size += got > 0 ? (size_t)got : 0) {
        got = zip_fread(file, chunk, sizeof chunk);
    }
    *failed = got < 0 && archive_lacks_memory(file == NULL ? zip_get_error(r->from)
                                                           : zip_file_get_error(file));
    if (file != NULL) {
        zip_fclose(file);
    }
    return got >= 0;
}

/* What is compressed may be of another size than the directory says; and what the
 * directory says is where the next member will begin. Where memory is short that
 * is not known, and *failed is set. SPEC 8.1.3 */
static bool is_sound(repacking *r, zip_uint64_t index, const zip_stat_t *about, bool *failed) {
    size_t size = (size_t)about->size;
    bool plain = about->comp_method == ZIP_CM_STORE && about->comp_size == about->size;
    return (plain || count_bytes(r, index, &size, failed)) &&
           (size > r->wish->limit || archive_says(r->from, index, size));
}

static bool add_copy(repacking *r, const char *name, zip_uint64_t index) {
    zip_stat_t about;
    if (zip_stat_index(r->from, index, 0, &about) != 0) {
        return refuse_zip(r, r->from);
    }
    bool failed = false;
    if (!is_sound(r, index, &about, &failed)) {
        buffer detail = {.failed = failed}; /* refused as want of memory, then */
        safe_text(&detail, name_of(r, index));
        buffer_text(&detail, " cannot be read, or is of another size than the directory says");
        return archive_refuse(r->what, EP_ARCHIVE_MEMBER, &detail);
    }
    return add(r, name, zip_source_zip(r->to, r->from, index, 0, 0, -1), about.size);
}

/* Under the folder of the new archive, when it has one. */
static const char *put_name(const repacking *r, buffer *name, const char *first, ep_bytes rest) {
    buffer_clear(name);
    buffer_text(name, r->layout->folder ? "archive/" : "");
    buffer_text(name, first);
    buffer_put(name, rest.data, rest.size);
    return buffer_string(name);
}

/* ---------------------------------------------------------------- another layout */

/* What was taken out of the program, with their config. SPEC 7.7.5 */
static bool add_constants(repacking *r) {
    const constants *all = r->wish->constants;
    const char *path = "archive/data/constants/";
    buffer name = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < all->count; i++) {
        buffer_clear(&name);
        buffer_text(&name, path);
        buffer_text(&name, "tensor_");
        buffer_number(&name, (int64_t)i);
        const char *full = buffer_string(&name);
        ok = name.failed ? refuse_memory(r)
                         : add_bytes(r, full, buffer_bytes(&all->items[i]->bytes));
    }
    buffer_free(&name);
    constants_put_config(all, &r->config);
    return ok &&
           (r->config.failed ? refuse_memory(r)
                             : add_bytes(r, "archive/data/constants/model_constants_config.json",
                                         buffer_bytes(&r->config)));
}

/* What was taken out of the program would have no place, or be another's. SPEC
 * 7.7.3, 7.7.5 */
static bool refuse_constants(repacking *r) {
    return refuse(r, "it has tensors in the program and constants beside it", (ep_bytes){"", 0});
}

/* SPEC 7.7.2: what the layout wants and the archive does not have is empty, and
 * what is empty is taken for a dict without entries. SPEC 7.7.4 */
static bool add_part(repacking *r, part which, const char *name) {
    if (r->layout->names[which] == NULL) {
        if (r->parts[which] >= 0) {
            tell(r, "7.7.4",
                 which == PART_INPUTS ? "sample inputs, left out" : "constants, left out");
        }
        return true;
    }
    if (which == PART_PROGRAM) {
        return add_bytes(r, name, r->wish->program);
    }
    if (which == PART_CONSTANTS && r->parts[which] >= 0 && r->wish->constants->count > 0) {
        return refuse_constants(r);
    }
    if (r->parts[which] >= 0) {
        return add_copy(r, name, (zip_uint64_t)r->parts[which]);
    }
    if (which == PART_WEIGHTS) {
        return refuse(r, "it has no pickled weights", (ep_bytes){"", 0});
    }
    if (which == PART_CONSTANTS && r->wish->constants->count > 0) {
        return add_constants(r);
    }
    tell(r, "7.7.2", which == PART_INPUTS ? "sample inputs, none" : "constants, none");
    return add_bytes(r, name, (ep_bytes){"", 0});
}

static bool add_parts(repacking *r, buffer *name) {
    for (int i = 0; i < PARTS; i++) {
        const char *row = r->layout->names[i];
        const char *full = put_name(r, name, row != NULL ? row : "", (ep_bytes){"", 0});
        if (name->failed) {
            return refuse_memory(r);
        }
        if (!add_part(r, (part)i, full)) {
            return false;
        }
    }
    return true;
}

/* "8.20", "2": of an archive the version is its program's. */
static void put_version(buffer *text, const ep_version *version) {
    buffer_number(text, version->major);
    if (version->minor >= 0) {
        buffer_byte(text, '.');
        buffer_number(text, version->minor);
    }
}

static bool add_frame(repacking *r, buffer *version) {
    if (r->layout->folder) {
        return add_text(r, "archive/archive_format", "pt2") &&
               add_text(r, "archive/archive_version", "0") &&
               add_text(r, "archive/.data/version", "6\n") &&
               add_text(r, "archive/byteorder", "little");
    }
    put_version(version, r->wish->version);
    return version->failed ? refuse_memory(r) : add_bytes(r, "version", buffer_bytes(version));
}

static bool add_extras(repacking *r, buffer *name) {
    zip_int64_t count = zip_get_num_entries(r->from, 0);
    size_t before = strlen(r->root.size == 0 ? "extra_files/" : "extra/");
    for (zip_int64_t i = 0; i < count; i++) {
        ep_bytes old;
        if (part_of(r, (zip_uint64_t)i, &old) != PART_EXTRA) {
            continue;
        }
        const char *full = put_name(r, name, r->layout->extra, without(old, before));
        if (name->failed) {
            return refuse_memory(r);
        }
        if (!add_copy(r, full, (zip_uint64_t)i)) {
            return false;
        }
    }
    return true;
}

/* Finds the parts. SPEC 7.7.3 */
static bool find_parts(repacking *r) {
    zip_int64_t count = zip_get_num_entries(r->from, 0);
    for (zip_int64_t i = 0; i < count; i++) {
        ep_bytes name;
        part which = part_of(r, (zip_uint64_t)i, &name);
        if (which == PART_OTHER) {
            return refuse(r, "it has ", name);
        }
        if ((int)which < PARTS && r->parts[which] >= 0) {
            return refuse(r, "it has a second ", name);
        }
        if ((int)which < PARTS) {
            r->parts[which] = i;
        }
    }
    return true;
}

/* --------------------------------------------------------------- the same layout */

/* All members as they are, but for the program. */
static bool copy_members(repacking *r) {
    zip_int64_t count = zip_get_num_entries(r->from, 0);
    bool pickled = false;
    if (r->wish->constants->count > 0) {
        return refuse(r, "it has tensors in the program, but is no flat archive",
                      (ep_bytes){"", 0});
    }
    for (zip_int64_t i = 0; i < count; i++) {
        ep_bytes name;
        part which = part_of(r, (zip_uint64_t)i, &name);
        const char *full = zip_get_name(r->from, (zip_uint64_t)i, 0);
        bool ok = which == PART_PROGRAM ? add_bytes(r, full, r->wish->program)
                                        : add_copy(r, full, (zip_uint64_t)i);
        if (!ok) {
            return false;
        }
        pickled = pickled || which == PART_WEIGHTS;
    }
    return pickled || r->layout->raw || refuse(r, "it has no pickled weights", (ep_bytes){"", 0});
}

/* ------------------------------------------------------------------------ product */

/* No more than an archive of its size can hold, unless members overlap or are
 * compressed. */
static bool check_sizes(repacking *r, size_t archive_size) {
    zip_int64_t count = zip_get_num_entries(r->from, 0);
    zip_uint64_t room = (zip_uint64_t)archive_size + r->wish->limit;
    for (zip_int64_t i = 0; i < count; i++) {
        zip_stat_t about;
        if (zip_stat_index(r->from, (zip_uint64_t)i, 0, &about) != 0) {
            return refuse_zip(r, r->from);
        }
        if ((about.valid & ZIP_STAT_SIZE) == 0 || about.size > room) {
            return archive_refuse(r->what, EP_LIMIT_BYTES, &(buffer){0});
        }
        room -= about.size;
    }
    return true;
}

/* The folder and the model of a PT2 archive: "R/models/NAME.json". */
static void find_root(repacking *r) {
    static const char folder[] = "models/";
    ep_bytes member = bytes_of(r->wish->member);
    const char *slash = memchr(member.data, '/', member.size);
    if (slash == NULL) {
        return;
    }
    r->root = (ep_bytes){member.data, (size_t)(slash + 1 - member.data)};
    r->model = without(member, r->root.size + sizeof folder - 1);
    r->model.size -= strlen(".json");
}

static bool fill(repacking *r) {
    buffer name = {0};
    buffer version = {0}; /* libzip reads it when it closes the archive */
    bool same = r->root.size > 0 && r->layout->folder;
    bool ok = same ? copy_members(r)
                   : find_parts(r) && add_parts(r, &name) && add_frame(r, &version) &&
                         add_extras(r, &name);
    if (ok) {
        tell(r, "7.7.1", same ? "program in the archive" : "layout of the archive");
        errno = 0; /* archive_lacks_memory asks it */
        ok = zip_close(r->to) == 0 || refuse_zip(r, r->to);
        r->to = ok ? NULL : r->to;
    }
    buffer_free(&name);
    buffer_free(&version);
    return ok;
}

/* The archive is whole when it has been closed; then it can be read. */
static bool repack(repacking *r, repacked *made) {
    zip_error_t error;
    zip_error_init(&error);
    made->source = zip_source_buffer_create(NULL, 0, 0, &error);
    if (made->source != NULL) {
        zip_source_keep(made->source);
        r->to = zip_open_from_source(made->source, ZIP_CREATE | ZIP_TRUNCATE, &error);
        if (r->to == NULL) {
            zip_source_free(made->source);
        }
    }
    zip_error_fini(&error);
    bool ok = r->to != NULL ? fill(r) : refuse_memory(r);
    if (r->to != NULL) {
        zip_discard(r->to);
    }
    return ok && (zip_source_open(made->source) == 0 || refuse_memory(r));
}

bool archive_repack(const char *path, const io_data *data, const repack_wish *wish, repacked *made,
                    failure *what) {
    size_t size = 0;
    repacking r = {.wish = wish, .layout = layout_of(wish->version), .what = what};
    for (int i = 0; i < PARTS; i++) {
        r.parts[i] = -1;
    }
    find_root(&r);
    r.from = archive_open(path, data, &size, what);
    if (r.from == NULL) {
        return false;
    }
    bool ok = check_sizes(&r, size) && repack(&r, made);
    zip_discard(r.from);
    buffer_free(&r.config);
    return ok;
}

bool repacked_pull(void *context, ep_bytes *piece) {
    char chunk[CHUNK];
    repacked *made = context;
    zip_int64_t got = zip_source_read(made->source, chunk, CHUNK);
    buffer_clear(&made->piece);
    buffer_put(&made->piece, chunk, got > 0 ? (size_t)got : 0);
    *piece = buffer_bytes(&made->piece);
    return got >= 0 && !made->piece.failed; /* the source is in memory */
}

void repacked_free(repacked *made) {
    if (made->source != NULL) {
        zip_source_free(made->source); /* closes it, too */
    }
    buffer_free(&made->piece);
}
