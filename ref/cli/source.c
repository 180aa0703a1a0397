/*
 * source.c - see source.h.
 */
#include "source.h"

#include <string.h>

#include "archive/judge/whole.h"
#include "common/refusal.h"
#include "diag.h"
#include "print.h"
#include "recognise.h"

void source_name(source *s, const char *path) {
    s->decoded = (archive_decoded){.member = NULL};
    archive_close(&s->archive);
    buffer_clear(&s->program);
    buffer_clear(&s->label);
    buffer_text(&s->label, strcmp(path, "-") == 0 ? "<stdin>" : path);
    s->path_size = s->label.size;
}

bool source_blame(source *s, ep_bytes member, failure *what) {
    s->label.size = s->path_size;
    print(&s->label, member.size > 0 ? "!%r" : "", member.data, member.size);
    return !s->label.failed || refuse_plainly(what, EP_MEMORY);
}

bool source_take(source *s, const options *o, const zipfile_member *program, failure *what) {
    s->archive.program = program;
    s->decoded = (archive_decoded){.member = NULL};
    buffer_clear(&s->program);
    bool named = source_blame(s, program->name, what);
    bool ok = named && archive_read(&s->archive, o->limits.bytes, &s->program, what);
    s->input = buffer_bytes(&s->program);
    return io_settle(&s->file, ok, what);
}

bool source_tensors(source *s, const options *o, tensors *t, failure *what) {
    ep_decode_options decoding = source_decoding(o);
    tensors_wish wish = {
        .model = o->model, .decoding = &decoding, .decoded = s->decoded, .limit = o->limits.bytes};
    bool ok = io_settle(&s->file, tensors_read(&s->archive, &wish, t, what), what);
    if (!ok) {
        source_blame(s, t->blamed == NULL ? (ep_bytes){"", 0} : t->blamed->name, what);
    }
    return ok;
}

bool source_models(source *s, const options *o, compiled *c, failure *what) {
    return io_settle(&s->file, compiled_read(&s->archive, o->limits.bytes, c, what), what);
}

/* The program of an archive, whose bytes stay the file's until the next one is read. */
static bool take_program(source *s, const options *o, failure *what) {
    archive_wish wish = {
        .model = o->model, .limit = o->limits.bytes, .compiled = s->takes_compiled};
    TRY(io_settle(&s->file, archive_open(&s->file, wish, &s->archive, what), what));
    s->input = (ep_bytes){"", 0};
    return s->archive.program == NULL || source_take(s, o, s->archive.program, what);
}

static bool read_file(source *s, const options *o, const char *path, failure *what) {
    *what = (failure){0};
    source_name(s, path);
    bool ok = !s->label.failed ? io_read(path, o->limits.bytes, &s->file, what)
                               : refuse_plainly(what, EP_MEMORY);
    s->input = ok ? (ep_bytes){s->file.data, s->file.size} : s->input;
    return ok;
}

bool source_read(source *s, const options *o, const char *path, failure *what) {
    return read_file(s, o, path, what) && (!source_is_archive(s) || take_program(s, o, what));
}

bool source_find(source *s, const options *o, const char *path, failure *what) {
    archive_wish wish = {
        .model = o->model, .limit = o->limits.bytes, .several = true, .compiled = true};
    return read_file(s, o, path, what) &&
           (!source_is_archive(s) ||
            io_settle(&s->file, archive_open(&s->file, wish, &s->archive, what), what));
}

bool source_find_zip(source *s, const options *o, const char *path, bool known, failure *what) {
    zipfile *zip = &s->archive.zip;
    bool ok = read_file(s, o, path, what);
    if (ok && source_is_archive(s)) {
        ok = known ? zipfile_open_known(&s->file, o->limits.bytes, zip, what)
                   : zipfile_open(&s->file, o->limits.bytes, zip, what);
        ok = io_settle(&s->file, ok, what);
    }
    return ok;
}

bool source_open(source *s, const options *o, const char *path, failure *what) {
    return source_find(s, o, path, what) && source_need_archive(s, what) &&
           (s->archive.program != NULL ||
            refuse_named(what, EP_ARCHIVE_PROGRAM, (ep_bytes){"", 0}, archive_why_compiled));
}

bool source_need_archive(const source *s, failure *what) {
    const char *why = source_is_archive(s) ? NULL : recognise_file(s->input);
    if (why == NULL) {
        why = bytes_start(s->input, "{") ? "it is a JSON document" : "it does not begin as one";
    }
    return source_is_archive(s) || refuse_named(what, EP_ARCHIVE, (ep_bytes){"", 0}, why);
}

bool source_verify_all(source *s, const options *o, failure *what) {
    bool ok = archive_verify(&s->archive, o->limits.bytes, NULL, what);
    return io_settle(&s->file, ok, what);
}

bool source_check_whole(source *s, const options *o, failure *what) {
    ep_decode_options decoding = source_decoding(o);
    whole_wish wish = {.decoding = &decoding,
                       .decoded = s->decoded,
                       .limit = o->limits.bytes,
                       .no_data = o->no_data};
    ep_bytes member;
    bool ok = io_settle(&s->file, whole_check(&s->archive, &wish, &member, what), what);
    if (!ok) {
        source_blame(s, member, what);
    }
    return ok;
}

bool source_verify(source *s, const options *o, failure *what) {
    const archive *a = &s->archive;
    bool ok =
        !source_is_archive(s) || zipfile_verify(&a->zip, a->program, o->limits.bytes, NULL, what);
    ok = io_settle(&s->file, ok, what);
    if (!ok) {
        s->label.size = s->path_size; /* it is not the program that is at fault */
    }
    return ok;
}

bool source_read_text(source *s, const options *o, const char *path, failure *what) {
    return read_file(s, o, path, what) &&
           (s->file.size <= o->limits.bytes || refuse_plainly(what, EP_LIMIT_BYTES));
}

bool source_check(const options *o, const ep_program *program, failure *what) {
    ep_arena scratch;
    ep_check_options checking = ep_check_options_default();
    checking.limits = o->limits;
    arena_open(&scratch, o->max_memory);
    bool ok = ep_check(program, &scratch, &checking, &what->error);
    what->status = status_of_code(what->error.code);
    ep_arena_free(&scratch);
    return ok;
}

ep_decode_options source_decoding(const options *o) {
    ep_decode_options decoding = ep_decode_options_default();
    decoding.limits = o->limits;
    decoding.version = o->schema;
    decoding.forward = o->forward;
    return decoding;
}

/* Where the warnings of one file go. */
typedef struct listener {
    const options *o;
    const source *s;
    size_t count;
} listener;

static void hear(void *context, const ep_error *error) {
    listener *l = context;
    l->count++;
    diag_say(l->o, "warning", buffer_bytes(&l->s->label), &(failure){.error = *error});
}

/* What --forward passed over is lost, and is not to be lost silently. SPEC 3.10.3 */
status source_load(source *s, const options *o, ep_arena *arena, const ep_program **program,
                   const char *partial) {
    failure what;
    listener l = {.o = o, .s = s};
    arena_open(arena, o->max_memory);
    *program = NULL;
    if (!source_read(s, o, s->path != NULL ? s->path : o->path, &what)) {
        return source_fail(s, o, &what);
    }
    if (source_is_archive(s) && s->archive.program == NULL) { /* a package: SPEC 8.9 */
        return STATUS_DONE;
    }
    if (s->known != NULL && bytes_compare(s->input, s->known_input) == 0) {
        *program = s->known;
        return STATUS_DONE;
    }
    ep_decode_options decoding = source_decoding(o);
    decoding.warn = hear;
    decoding.warn_context = &l;
    bool ok = ep_decode(arena, s->input, &decoding, program, &what.error);
    what.status = status_of_code(what.error.code);
    recognise(s->input, &what);
    if (ok && l.count > 0 && partial != NULL) {
        what = (failure){.status = STATUS_INVALID, .reason = partial};
        ok = false;
    }
    return ok ? STATUS_DONE : source_fail(s, o, &what);
}

status source_fail(const source *s, const options *o, const failure *what) {
    return diag_fail(o, buffer_bytes(&s->label), what);
}

void source_free(source *s) {
    archive_close(&s->archive);
    io_data_free(&s->file);
    buffer_free(&s->program);
    buffer_free(&s->label);
}
