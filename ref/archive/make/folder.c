/*
 * folder.c - see folder.h. A file is read twice, for its checksum, which stands before its
 * bytes, and to be copied; it is open only while it is read, so that there may be more of
 * them than a process may have open.
 */
#include "folder.h"

#include <string.h>

#include "archive/zip/checksum.h"
#include "common/refusal.h"
#include "common/safe.h"

const char folder_list[] = "archive.txt";

static const char list_title[] = "epref archive 1 ";

/* ---------------------------------------------------------------------- an archive's list */

/* The first bytes of a member: all of an id. */
typedef struct beginning {
    char bytes[CONTAINER_ID_SIZE];
    size_t size;
} beginning;

static void begin(beginning *b, ep_bytes piece) {
    for (size_t i = 0; i < piece.size && b->size < sizeof b->bytes; i++) {
        b->bytes[b->size++] = piece.data[i];
    }
}

static bool take_beginning(void *context, ep_bytes piece, failure *what) {
    (void)what;
    begin(context, piece);
    return true;
}

/* Whether its serialization id is that of its members, so that it can be made again. */
static bool follows(const zipfile *z, bool *ok, failure *what) {
    container_id id = {0};
    for (size_t i = 0; i < z->count; i++) {
        const zipfile_member *m = &z->members[i];
        beginning b = {.size = 0};
        *ok = zipfile_read(z, m, CONTAINER_ID_SIZE, (zipfile_taker){take_beginning, &b}, what);
        TRY(*ok);
        if (container_is_id(m->name, m->size)) {
            beginning made = b;
            container_id_put(&id, made.bytes + CONTAINER_ID_HALF);
            return memcmp(made.bytes, b.bytes, sizeof b.bytes) == 0;
        }
        container_id_add(&id, m->size, m->crc, (ep_bytes){b.bytes, b.size});
    }
    return true;
}

/* Of an archive of no style: those of the PT2 layout have all in one folder. */
static bool looks_like_pt2(const zipfile *z) {
    return z->count > 0 && memchr(z->members[0].name.data, '/', z->members[0].name.size) != NULL;
}

bool folder_put_list(const zipfile *z, container style, const paths *files, buffer *list,
                     failure *what) {
    bool ok = true;
    bool pt2 = style == CONTAINER_PT2 || (style == CONTAINER_OTHER && looks_like_pt2(z));
    bool keeps_id = pt2 && !follows(z, &ok, what);
    buffer_text(list, list_title);
    buffer_text(list, !pt2 ? "flat\n" : keeps_id ? "pt2 keep-id\n" : "pt2\n");
    for (size_t i = 0; ok && i < z->count; i++) {
        if (!pt2) {
            lines_put_date(list, z->members[i].date);
        }
        lines_put_word(list, paths_at(files, i));
        lines_put_name(list, z->members[i].name);
    }
    return ok && (!list->failed || refuse_plainly(what, EP_MEMORY));
}

/* ------------------------------------------------------------------------------- refusals */

enum { TITLE_LINES = 1 };

static bool refuse_line(folder *f, size_t line, const char *why, failure *what) {
    f->line = line;
    return refuse_invalid(what, why);
}

static const char *path_of(const folder *f, const zipwrite_member *m) {
    return f->files.data + m->source.number;
}

/* What is wrong is its file: whether something is. */
static bool blame(folder *f, const zipwrite_member *m, bool ok) {
    if (!ok) {
        f->line = (size_t)(m - f->zip.members) + TITLE_LINES + 1;
        f->blamed = path_of(f, m);
    }
    return ok;
}

/* -------------------------------------------------------------------------------- reading */

/* A file that is counted, and given on where there is somebody to take it. */
typedef struct counting {
    zipfile_taker to;
    beginning start;
    uint64_t size;
    uint32_t crc;
} counting;

static bool count(counting *c, ep_bytes piece, failure *what) {
    begin(&c->start, piece);
    c->size += piece.size;
    c->crc = checksum(c->crc, piece);
    return c->to.take == NULL || c->to.take(c->to.context, piece, what);
}

/* All of the file that is open. */
static bool read_open(const io_data *file, counting *c, failure *what) {
    enum { CHUNK = 1 << 16 };
    char chunk[CHUNK];
    while (c->size < io_length(file)) {
        uint64_t rest = io_length(file) - c->size;
        ep_bytes piece = {chunk, rest < CHUNK ? (size_t)rest : CHUNK};
        TRY(io_read_at(file, c->size, chunk, piece.size, what) && count(c, piece, what));
    }
    return io_check_unchanged(file, what);
}

static bool read_file(folder *f, const zipwrite_member *m, counting *c, failure *what) {
    bool ok =
        io_open_below(f->path, path_of(f, m), &f->reading, what) && read_open(&f->reading, c, what);
    return blame(f, m, ok);
}

/* The bytes of a member, which have to be those that were counted. No more are given, since
 * the header before them is written. */
static bool give_file(void *context, const zipwrite_member *m, zipfile_taker to, failure *what) {
    folder *f = context;
    counting c = {.to = to};
    bool opened = io_open_below(f->path, path_of(f, m), &f->reading, what);
    bool same = opened && io_length(&f->reading) == m->size;
    bool ok = same && read_open(&f->reading, &c, what);
    if (opened && (!same || (ok && c.crc != m->crc))) {
        ok = refuse_io(what, "the file changed while it was read");
    }
    return blame(f, m, ok);
}

/* --------------------------------------------------------------------------------- planning */

static bool read_title(folder *f, lines *l, failure *what) {
    const char *why = "it is no list of an archive, as extract --all writes it";
    ep_bytes title = bytes_of(list_title);
    if (!lines_next(l) || !bytes_start(l->line, list_title)) {
        return refuse_line(f, 1, why, what);
    }
    ep_bytes style = {l->line.data + title.size, l->line.size - title.size};
    f->keeps_id = bytes_equal(style, "pt2 keep-id");
    f->zip.pt2 = f->keeps_id || bytes_equal(style, "pt2");
    return f->zip.pt2 || bytes_equal(style, "flat") || refuse_line(f, 1, why, what);
}

static bool plan_line(folder *f, lines *l, buffer *name, failure *what) {
    uint32_t date = 0;
    ep_bytes path;
    if (!f->zip.pt2 && !lines_date(l, &date)) {
        return refuse_line(f, l->number, "it does not begin with a date and a time", what);
    }
    if (!lines_word(l, &path) || !lines_name(l, name)) {
        return refuse_line(f, l->number, "it is not a file and the name of a member", what);
    }
    if (!paths_is_below(path)) {
        return refuse_line(f, l->number, "its file is not below the folder", what);
    }
    const char *why = name->failed ? NULL : zipfile_judge_name(buffer_bytes(name), 0);
    if (why != NULL) {
        f->line = l->number;
        return refuse_named(what, EP_ARCHIVE_NAME, buffer_bytes(name), why);
    }
    zipwrite_source source = {give_file, f, f->files.size};
    zipwrite_member *m = zipwrite_given(&f->zip, buffer_bytes(name), source);
    buffer_put(&f->files, path.data, path.size);
    buffer_byte(&f->files, '\0');
    if (name->failed || m == NULL || f->files.failed) {
        return refuse_plainly(what, EP_MEMORY);
    }
    m->date = date;
    return true;
}

/* The line of the list that a name was planned by; of two, the last. */
static size_t line_of(const folder *f, ep_bytes name) {
    size_t i = f->zip.count;
    while (i > 0 && bytes_compare(zipwrite_name(&f->zip, i - 1), name) != 0) {
        i--;
    }
    return i + TITLE_LINES;
}

static bool judge_names(folder *f, failure *what) {
    buffer detail = {0};
    ep_bytes name;
    const char *why = zipwrite_judge_names(&f->zip, &name);
    if (f->zip.failed || why == NULL) {
        return !f->zip.failed || refuse_plainly(what, EP_MEMORY);
    }
    f->line = line_of(f, name);
    buffer_text(&detail, why);
    safe_text(&detail, name);
    return refuse_with(what, EP_ARCHIVE_NAME, &detail);
}

/* A file stands for one member: a list cannot make more of it than there is. */
static bool judge_files(folder *f, failure *what) {
    name_list files = {0};
    bool ok = true;
    for (size_t i = 0; i < f->zip.count; i++) {
        names_add(&files,
                  (name_item){.name = bytes_of(path_of(f, &f->zip.members[i])), .count = i});
    }
    names_sort(&files);
    if (files.failed) {
        ok = refuse_plainly(what, EP_MEMORY);
    }
    for (size_t i = 1; ok && i < files.count; i++) {
        if (bytes_compare(files.items[i - 1].name, files.items[i].name) == 0) {
            ok = refuse_line(f, files.items[i].count + TITLE_LINES + 1,
                             "two members have this file", what);
        }
    }
    names_free(&files);
    return ok;
}

static bool plan_list(folder *f, ep_bytes list, failure *what) {
    lines l;
    buffer name = {0};
    const char *why = lines_open(&l, list);
    bool ok = why == NULL ? read_title(f, &l, what) : refuse_line(f, l.number, why, what);
    while (ok && lines_next(&l)) {
        ok = plan_line(f, &l, &name, what);
    }
    buffer_free(&name);
    return ok && judge_names(f, what) && judge_files(f, what);
}

/* The first half of an id is a hash of a library of C++, and stays as it is. */
static void make_id(folder *f, zipwrite_member *m, const container_id *id, const beginning *b) {
    for (size_t i = 0; i < sizeof b->bytes; i++) {
        if (b->bytes[i] < '0' || b->bytes[i] > '9') {
            return;
        }
    }
    memcpy(f->id, b->bytes, sizeof f->id);
    container_id_put(id, f->id + CONTAINER_ID_HALF);
    m->source.give = NULL;
    m->bytes = (ep_bytes){f->id, sizeof f->id};
    m->crc = checksum(0, m->bytes);
}

static bool measure(folder *f, failure *what) {
    container_id id = {0};
    bool made = f->keeps_id || !f->zip.pt2;
    for (size_t i = 0; i < f->zip.count; i++) {
        zipwrite_member *m = &f->zip.members[i];
        ep_bytes name = zipwrite_name(&f->zip, i);
        counting c = {.size = 0};
        TRY(read_file(f, m, &c, what));
        const char *why = zipfile_judge_name(name, c.size);
        if (why != NULL) {
            blame(f, m, false);
            return refuse_named(what, EP_ARCHIVE_NAME, name, why);
        }
        m->size = c.size;
        m->crc = c.crc;
        if (!made && container_is_id(name, c.size)) {
            make_id(f, m, &id, &c.start);
            made = true;
        }
        container_id_add(&id, c.size, c.crc, (ep_bytes){c.start.bytes, c.start.size});
    }
    return true;
}

static bool read_list(folder *f, size_t limit, buffer *list, failure *what) {
    TRY(io_open_below(f->path, folder_list, &f->reading, what));
    if (io_length(&f->reading) > limit) {
        return refuse_plainly(what, EP_LIMIT_BYTES);
    }
    return io_read_piece(&f->reading, 0, (size_t)io_length(&f->reading), list, what) &&
           io_check_unchanged(&f->reading, what);
}

bool folder_plan(const char *path, size_t limit, folder *f, failure *what) {
    buffer list = {0};
    *f = (folder){.path = path};
    bool ok = read_list(f, limit, &list, what) && plan_list(f, buffer_bytes(&list), what) &&
              measure(f, what);
    buffer_free(&list);
    return ok;
}

bool folder_write(void *context, zipfile_take *put, void *sink, failure *what) {
    folder *f = context;
    return zipwrite_all(&f->zip, put, sink, what);
}

void folder_free(folder *f) {
    zipwrite_free(&f->zip);
    buffer_free(&f->files);
    io_data_free(&f->reading);
}
