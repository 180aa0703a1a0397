/*
 * open.c - epref_archive.h: opening, members and programs.
 */
#include "interface.h"

#include <string.h>

#include "common/refusal.h"

/* ------------------------------------------------------------------------------- errors */

bool interface_ok(ep_error *error) {
    if (error != NULL) {
        *error = (ep_error){.code = EP_OK};
    }
    return true;
}

/* As much of a name as there is room for, and no part of a character. */
static void put_about(ep_error *error, ep_bytes about) {
    size_t size = about.size;
    error->about_cut = size >= EP_ABOUT_SIZE;
    if (error->about_cut) {
        size = EP_ABOUT_SIZE - 1;
        while (size > 0 && (about.data[size] & 0xC0) == 0x80) {
            size--;
        }
    }
    if (size > 0) {
        memcpy(error->about, about.data, size);
    }
    error->about[size] = '\0';
}

bool interface_fail_error(ep_error *error, ep_bytes about, const ep_error *own) {
    interface_ok(error);
    if (error != NULL) {
        *error = *own;
        put_about(error, about);
    }
    return false;
}

/* What has a reason and no code is not the archive's: reading failed, or a tensor was asked for
 * that has no elements. */
bool interface_fail(ep_error *error, ep_bytes about, const failure *what) {
    failure plain = *what;
    if (what->reason != NULL) {
        buffer detail = {0};
        buffer_text(&detail, what->reason);
        refuse_with(&plain,
                    what->status == STATUS_IO         ? EP_INPUT
                    : what->status == STATUS_INTERNAL ? EP_INTERNAL
                                                      : EP_ARGUMENT,
                    &detail);
    }
    return interface_fail_error(error, about, &plain.error);
}

bool interface_fail_argument(ep_error *error, const char *why) {
    failure what = {.status = STATUS_INVALID, .reason = why};
    return interface_fail(error, (ep_bytes){"", 0}, &what);
}

bool interface_settle(const ep_archive *a, bool ok, ep_bytes about, failure *what,
                      ep_error *error) {
    bool settled = io_settle(&a->data, ok, what);
    return settled ? interface_ok(error) : interface_fail(error, about, what);
}

bool interface_need_program(const ep_archive *a, ep_error *error) {
    failure what = {.status = STATUS_DONE};
    if (a->program_count > 0) {
        return true;
    }
    refuse_named(&what, EP_ARCHIVE_PROGRAM, (ep_bytes){"", 0}, archive_why_compiled);
    return interface_fail(error, (ep_bytes){"", 0}, &what);
}

holding *interface_take_holding(const ep_archive *a) {
    bool was_busy = a->held->busy;
    a->held->busy = true;
    return was_busy ? NULL : &a->held->holding;
}

void interface_give_back(const ep_archive *a, const holding *taken) {
    a->held->busy = taken == NULL;
}

size_t interface_limit(const ep_archive *a) {
    return a->options.decoding.limits.bytes;
}

bool interface_take(void *context, ep_bytes piece, failure *what) {
    const interface_sink *to = context;
    return to->sink(to->context, piece.data, piece.size) || refuse_plainly(what, EP_OUTPUT);
}

/* ------------------------------------------------------------------------------ opening */

ep_archive_options ep_archive_options_default(void) {
    return (ep_archive_options){.decoding = ep_decode_options_default()};
}

static bool read_source(void *context, uint64_t place, void *to, size_t size) {
    const ep_archive_source *source = context;
    return source->read(source->context, place, to, size);
}

static bool copy_model(ep_archive *a, failure *what) {
    const char *model = a->options.model;
    if (model == NULL) {
        return true;
    }
    a->model = memory_resize(NULL, strlen(model) + 1);
    a->options.model = a->model;
    if (a->model == NULL) {
        return refuse_plainly(what, EP_MEMORY);
    }
    memcpy(a->model, model, strlen(model) + 1);
    return true;
}

/* Which members are programs: the one that was asked for, or all. */
static bool find_programs(ep_archive *a, failure *what) {
    const zipfile *zip = &a->archive.zip;
    a->programs = memory_resize(NULL, zip->count * sizeof *a->programs);
    a->texts = memory_resize(NULL, zip->count * sizeof *a->texts);
    if (a->programs == NULL || a->texts == NULL) {
        return refuse_plainly(what, EP_MEMORY);
    }
    for (size_t i = 0; i < zip->count; i++) {
        const zipfile_member *m = &zip->members[i];
        bool wanted = a->model == NULL || m == a->archive.program;
        if (wanted && archive_has_program(&a->archive, m)) {
            a->texts[a->program_count] = (buffer){0};
            a->programs[a->program_count++] = i;
        }
    }
    return true;
}

static bool open_archive(ep_archive *a, failure *what) {
    archive_wish wish = {.model = a->options.model,
                         .limit = a->options.decoding.limits.bytes,
                         .several = a->options.model == NULL && !a->options.one_program,
                         .compiled = a->options.compiled};
    if (!a->data.is_zip) {
        return refuse_named(what, EP_ARCHIVE, (ep_bytes){"", 0}, "it does not begin as one");
    }
    memory_share *before = memory_enter(&a->held->share);
    bool ok = archive_open(&a->data, wish, &a->archive, what) && find_programs(a, what);
    memory_leave(before);
    return ok;
}

/* What is not open yet, with its options. */
static ep_archive *new_archive(const ep_archive_options *options, failure *what) {
    ep_archive *a = memory_resize(NULL, sizeof *a);
    interface_held *held = memory_resize(NULL, sizeof *held);
    if (a == NULL || held == NULL) {
        memory_free(a);
        memory_free(held);
        refuse_plainly(what, EP_MEMORY);
        return NULL;
    }
    *a = (ep_archive){.options = options == NULL ? ep_archive_options_default() : *options,
                      .held = held};
    *held = (interface_held){.share = {.cap = a->options.memory}};
    a->archive.root = (ep_bytes){"", 0};
    if (!copy_model(a, what)) {
        ep_archive_close(a);
        return NULL;
    }
    return a;
}

/* Of bytes that there are. */
static ep_archive *finish(ep_archive *a, bool ok, failure *what, ep_error *error) {
    if (ok && open_archive(a, what)) {
        interface_ok(error);
        return a;
    }
    ep_archive_close(a);
    interface_fail(error, (ep_bytes){"", 0}, what);
    return NULL;
}

ep_archive *ep_archive_open(const ep_archive_source *source, const ep_archive_options *options,
                            ep_error *error) {
    failure what = {.status = STATUS_DONE};
    if (source == NULL || source->read == NULL) {
        interface_fail_argument(error, "a source without a function");
        return NULL;
    }
    ep_archive *a = new_archive(options, &what);
    if (a != NULL) {
        a->source = *source;
    }
    bool ok = a != NULL && io_open_reader(read_source, &a->source, source->size, &a->data, &what);
    return finish(a, ok, &what, error);
}

ep_archive *ep_archive_open_file(const char *path, const ep_archive_options *options,
                                 ep_error *error) {
    failure what = {.status = STATUS_DONE};
    if (path == NULL) {
        interface_fail_argument(error, "a path that is NULL");
        return NULL;
    }
    ep_archive *a = new_archive(options, &what);
    bool ok = a != NULL && io_open(path, &a->data, &what) && io_look(&a->data, &what);
    return finish(a, ok, &what, error);
}

ep_archive *ep_archive_open_bytes(ep_bytes bytes, const ep_archive_options *options,
                                  ep_error *error) {
    failure what = {.status = STATUS_DONE};
    if (bytes.data == NULL && bytes.size > 0) {
        interface_fail_argument(error, "bytes that are NULL");
        return NULL;
    }
    ep_archive *a = new_archive(options, &what);
    if (a != NULL) {
        io_view(bytes, &a->data);
    }
    return finish(a, a != NULL, &what, error);
}

void ep_archive_close(ep_archive *a) {
    if (a == NULL) {
        return;
    }
    memory_share *before = memory_enter(&a->held->share);
    holding_free(&a->held->holding);
    compiled_free(&a->compiled);
    tensors_free(&a->tensors);
    archive_close(&a->archive);
    io_data_free(&a->data);
    for (size_t i = 0; i < a->program_count; i++) {
        buffer_free(&a->texts[i]);
    }
    memory_free(a->texts);
    memory_free(a->programs);
    memory_leave(before);
    memory_free(a->model);
    memory_free(a->held);
    memory_free(a);
}

/* ------------------------------------------------------------------------------ members */

size_t ep_archive_member_count(const ep_archive *a) {
    return a == NULL ? 0 : a->archive.zip.count;
}

bool ep_archive_member_at(const ep_archive *a, size_t i, ep_archive_member *member) {
    TRY(member != NULL && i < ep_archive_member_count(a));
    const zipfile_member *m = &a->archive.zip.members[i];
    *member = (ep_archive_member){
        .name = m->name,
        .place = m->place,
        .packed = m->packed,
        .size = m->size,
        .crc32 = m->crc,
        .is_stored = m->method == ZIPFILE_STORED,
        .is_program = archive_has_program(&a->archive, m),
    };
    return true;
}

bool ep_archive_read_member(const ep_archive *a, size_t i, ep_sink *sink, void *context,
                            ep_error *error) {
    failure what = {.status = STATUS_DONE};
    interface_sink to = {sink, context};
    if (sink == NULL || i >= ep_archive_member_count(a)) {
        return interface_fail_argument(error, sink == NULL ? "no sink" : "no such member");
    }
    const zipfile_member *m = &a->archive.zip.members[i];
    memory_share *before = memory_enter(&a->held->share);
    bool ok =
        zipfile_read(&a->archive.zip, m, UINT64_MAX, (zipfile_taker){interface_take, &to}, &what);
    memory_leave(before);
    return interface_settle(a, ok, m->name, &what, error);
}

/* ----------------------------------------------------------------------------- programs */

size_t ep_archive_program_count(const ep_archive *a) {
    return a == NULL ? 0 : a->program_count;
}

bool ep_archive_program_at(const ep_archive *a, size_t i, ep_archive_program *program) {
    TRY(program != NULL && i < ep_archive_program_count(a));
    *program = (ep_archive_program){.name = {"", 0}, .member = a->programs[i]};
    if (a->archive.root.size > 0) {
        archive_is_program(a->archive.zip.members[program->member].name, &program->name);
    }
    return true;
}

/* Holds the text of a program. */
static bool read_text(ep_archive *a, size_t i, ep_error *error) {
    failure what = {.status = STATUS_DONE};
    const zipfile *zip = &a->archive.zip;
    const zipfile_member *m = &zip->members[a->programs[i]];
    memory_share *before = memory_enter(&a->held->share);
    bool ok = zipfile_read_all(zip, m, interface_limit(a), &a->texts[i], &what) &&
              (a->texts[i].size <= interface_limit(a) || refuse_plainly(&what, EP_LIMIT_BYTES));
    ok = interface_settle(a, ok, m->name, &what, error);
    if (!ok) {
        buffer_free(&a->texts[i]);
    }
    memory_leave(before);
    return ok;
}

bool ep_archive_program_text(ep_archive *a, size_t i, ep_bytes *text, ep_error *error) {
    if (text == NULL || i >= ep_archive_program_count(a)) {
        return interface_fail_argument(error, text == NULL ? "no text" : "no such program");
    }
    bool ok = a->texts[i].data != NULL ? interface_ok(error) : read_text(a, i, error);
    *text = buffer_bytes(&a->texts[i]);
    return ok;
}
