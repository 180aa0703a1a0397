/*
 * mending.c - see mending.h.
 */
#include "mending.h"

#include <string.h>

#include "archive/zip/zipwrite.h"
#include "cli/diag.h"
#include "cli/print.h"
#include "common/refusal.h"

typedef struct mending {
    const source *s;
    const options *o;
    zipfile zip;
    zipwrite to;
    const char *folder; /* that is missing: "archive/"; or "" */
    buffer *notes;
    failure *what;
} mending;

static void note(mending *m, buffer *reason) {
    failure said = {.reason = buffer_string(reason)};
    ep_bytes file = {m->s->label.data, m->s->path_size};
    diag_put(m->notes, m->o, "note", file, &said);
    m->notes->failed = m->notes->failed || reason->failed;
    buffer_free(reason);
}

/* -------------------------------------------------------------------------------- end */

/* Where an archive ends whose end record is the last that is found: behind the record and its
 * comment. 0: there is none. */
static uint64_t find_end(const buffer *tail, uint64_t begin) {
    enum { RECORD = 22, COMMENT = 20 };
    for (size_t i = tail->size < RECORD ? 0 : tail->size - RECORD + 1; i-- > 0;) {
        const unsigned char *at = (const unsigned char *)tail->data + i;
        size_t end = i + RECORD + at[COMMENT] + ((size_t)at[COMMENT + 1] << 8);
        if (memcmp(at, "PK\5\6", 4) == 0 && end <= tail->size) {
            return begin + end;
        }
    }
    return 0;
}

/* Opens the zip, and without what stands behind its end where it cannot be opened with it. */
static bool open_zip(mending *m, io_data *window) {
    uint64_t length = io_length(&m->s->file);
    size_t size = length < ZIPFILE_TAIL ? (size_t)length : ZIPFILE_TAIL;
    buffer tail = {0};
    buffer said = {0};
    if (!io_read_piece(&m->s->file, length - size, size, &tail, m->what)) {
        buffer_free(&tail);
        return false;
    }
    uint64_t end = find_end(&tail, length - size);
    buffer_free(&tail);
    io_window(&m->s->file, 0, end > 0 ? end : length, window);
    if (!zipfile_open(window, m->o->limits.bytes, &m->zip, m->what)) {
        return false;
    }
    if (end > 0 && end < length) {
        print(&said, "%i byte%s behind the end of the archive: left out", (int64_t)(length - end),
              length - end == 1 ? "" : "s");
        note(m, &said);
    }
    return true;
}

/* ---------------------------------------------------------------------------- members */

/* The PT2 layout without the folder, which every release names after the file, and reads under any
 * name. */
static void find_folder(mending *m) {
    buffer said = {0};
    bool has_program = false;
    for (size_t i = 0; i < m->zip.count; i++) {
        ep_bytes name = m->zip.members[i].name;
        has_program = has_program || (bytes_start(name, "models/") && bytes_end(name, ".json"));
    }
    bool missing = has_program && !archive_is_flat(&m->zip) &&
                   zipfile_find(&m->zip, bytes_of("archive_format")) != NULL;
    m->folder = missing ? "archive/" : "";
    if (missing) {
        buffer_text(&said,
                    "the folder that all members have to be in was missing: they are in archive/");
        note(m, &said);
    }
}

static bool plan_member(mending *m, const zipfile_member *member, size_t *inflated) {
    buffer name = {0};
    print(&name, "%s%r", m->folder, member->name.data, member->name.size);
    zipwrite_member *made = zipwrite_copy(&m->to, buffer_bytes(&name), member);
    bool ok = made != NULL && !name.failed;
    if (ok) {
        made->date = member->date;
        *inflated += member->method != ZIPFILE_STORED;
    }
    buffer_free(&name);
    return ok || refuse_plainly(m->what, EP_MEMORY);
}

static bool plan(mending *m) {
    size_t inflated = 0;
    buffer said = {0};
    bool ok = true;
    m->to = (zipwrite){.pt2 = !archive_is_flat(&m->zip), .from = &m->zip};
    find_folder(m);
    for (size_t i = 0; ok && i < m->zip.count; i++) {
        ok = plan_member(m, &m->zip.members[i], &inflated);
    }
    ep_bytes bad;
    const char *why = ok ? zipwrite_judge_names(&m->to, &bad) : NULL;
    if (ok && inflated > 0) {
        print(&said, "%i member%s that another packer deflated: stored", (int64_t)inflated,
              inflated == 1 ? "" : "s");
        note(m, &said);
    }
    return ok && (why == NULL || refuse_named(m->what, EP_ARCHIVE_NAME, bad, why));
}

/* ---------------------------------------------------------------------------- product */

typedef struct sink {
    buffer *made;
    size_t limit;
} sink;

static bool take(void *context, ep_bytes piece, failure *what) {
    sink *to = context;
    if (piece.size > to->limit - to->made->size) {
        return refuse_plainly(what, EP_LIMIT_BYTES);
    }
    buffer_put(to->made, piece.data, piece.size);
    return !to->made->failed || refuse_plainly(what, EP_MEMORY);
}

bool mending_put(const source *s, const options *o, buffer *made, buffer *notes, failure *what) {
    mending m = {.s = s, .o = o, .notes = notes, .what = what};
    sink to = {made, o->limits.bytes};
    io_data window;
    *what = (failure){0};
    bool opened = open_zip(&m, &window);
    bool ok = opened && plan(&m) && zipwrite_all(&m.to, take, &to, what);
    ok = io_settle(&s->file, ok, what);
    if (ok && notes->size == 0) {
        buffer said = {0};
        buffer_text(&said, "a zip that no release writes: written as one does");
        note(&m, &said);
    }
    zipwrite_free(&m.to);
    if (opened) {
        zipfile_close(&m.zip);
    }
    return ok;
}
