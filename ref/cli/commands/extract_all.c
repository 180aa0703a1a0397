/*
 * extract_all.c - epref extract --all: every member of an archive as a file, and a list by
 * which the archive can be made again. The list is written last: a folder without one is not
 * all of an archive.
 */
#include "extract_all.h"

#include "archive/make/folder.h"
#include "cli/diag.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/source.h"
#include "common/refusal.h"

/* An archive on its way into a folder. */
typedef struct unpacking {
    const options *o;
    source s;
    paths files;
    buffer list;
    size_t member; /* that is being written */
} unpacking;

/* Such an archive is taken apart as any other, but what pack makes of it is not the same
 * bytes. */
static void note_style(const unpacking *u) {
    diag_note_reason(
        u->o, buffer_bytes(&u->s.label),
        "no release writes such a zip: pack will make another one, of the same members");
}

/* What comes out of deflated members may be no more than the limit beyond the archive. SPEC
 * 8.1.3 */
static bool check_sizes(const unpacking *u, failure *what) {
    const zipfile *z = &u->s.archive.zip;
    uint64_t room = io_length(&u->s.file) + u->o->limits.bytes;
    for (size_t i = 0; i < z->count; i++) {
        if (z->members[i].size > room) {
            return refuse_plainly(what, EP_LIMIT_BYTES);
        }
        room -= z->members[i].size;
    }
    return true;
}

static bool plan(unpacking *u, failure *what) {
    const zipfile *z = &u->s.archive.zip;
    container style = CONTAINER_OTHER;
    bool ok = check_sizes(u, what) && container_of(z, &style, what) &&
              paths_make(z, folder_list, &u->files, what) &&
              folder_put_list(z, style, &u->files, &u->list, what);
    if (!io_settle(&u->s.file, ok, what)) {
        return false;
    }
    if (style == CONTAINER_OTHER) {
        note_style(u);
    }
    return true;
}

static bool give_member(void *context, output_put *put, void *sink, failure *what) {
    unpacking *u = context;
    const zipfile *z = &u->s.archive.zip;
    zipfile_taker taker = {put, sink};
    return io_settle(&u->s.file, zipfile_read(z, &z->members[u->member], UINT64_MAX, taker, what),
                     what);
}

static bool give_list(void *context, output_put *put, void *sink, failure *what) {
    const unpacking *u = context;
    return put(sink, buffer_bytes(&u->list), what);
}

/* A file that could not be written, by its path, unless the archive is at fault. */
static status fail(const unpacking *u, const char *file, const failure *what) {
    buffer label = {0};
    if (what->reason == NULL && ep_code_level(what->error.code) == EP_LEVEL_ARCHIVE) {
        return diag_fail(u->o, buffer_bytes(&u->s.label), what);
    }
    print(&label, "%s/%s", u->o->to_dir, file);
    return diag_fail_at(u->o, &label, what);
}

static status write_all(unpacking *u) {
    failure what;
    const char *dir = u->o->to_dir;
    for (u->member = 0; u->member < u->s.archive.zip.count; u->member++) {
        const char *file = paths_at(&u->files, u->member);
        if (!output_write_below(dir, file, give_member, u, &what)) {
            return fail(u, file, &what);
        }
    }
    return output_write_below(dir, folder_list, give_list, u, &what) ? STATUS_DONE
                                                                     : fail(u, folder_list, &what);
}

status extract_all(const options *o) {
    unpacking u = {.o = o};
    failure what = {0};
    const char *path = o->operand_count > 0 ? o->operands[0] : "-";
    bool planned = source_open_zip(&u.s, o, path, &what) && plan(&u, &what);
    status result = planned ? write_all(&u) : diag_fail(o, buffer_bytes(&u.s.label), &what);
    paths_free(&u.files);
    buffer_free(&u.list);
    source_free(&u.s);
    return result;
}
