/*
 * source.c - see source.h.
 */
#include "source.h"

#include <string.h>

#include "diag.h"

static void name_source(source *s, const char *path) {
    buffer_clear(&s->label);
    buffer_text(&s->label, strcmp(path, "-") == 0 ? "<stdin>" : path);
}

static bool fail_memory(failure *what) {
    *what = (failure){.status = STATUS_LIMIT, .error = {.code = EP_MEMORY}};
    return false;
}

bool source_read(source *s, const options *o, const char *path, failure *what) {
    *what = (failure){0};
    name_source(s, path);
    buffer_clear(&s->taken.program);
    buffer_clear(&s->taken.member);
    if (s->label.failed) {
        return fail_memory(what);
    }
    if (!io_read(path, o->limits.bytes, &s->file, what)) {
        return false;
    }
    s->input = (ep_bytes){s->file.data, s->file.size};
    if (!s->file.is_zip) {
        return true;
    }
    archive_wish wish = {.model = o->model, .limit = o->limits.bytes};
    bool ok = archive_read(path, &s->file, wish, &s->taken, what);
    s->input = buffer_bytes(&s->taken.program);
    if (s->taken.member.size > 0) {
        buffer_byte(&s->label, '!');
        buffer_put(&s->label, s->taken.member.data, s->taken.member.size);
    }
    bool named = !s->label.failed && !s->taken.member.failed;
    return ok && (named || fail_memory(what));
}

bool source_read_text(source *s, const options *o, const char *path, failure *what) {
    *what = (failure){0};
    name_source(s, path);
    if (s->label.failed) {
        return fail_memory(what);
    }
    if (!io_read(path, o->limits.bytes, &s->file, what)) {
        return false;
    }
    s->input = (ep_bytes){s->file.data, s->file.size};
    if (s->file.size > o->limits.bytes) {
        *what = (failure){.status = STATUS_LIMIT, .error = {.code = EP_LIMIT_BYTES}};
    }
    return what->status == STATUS_DONE;
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
    diag_warn(l->o, buffer_bytes(&l->s->label), error);
}

status source_load(source *s, const options *o, ep_arena *arena, const ep_program **program,
                   size_t *warnings) {
    failure what;
    listener l = {.o = o, .s = s};
    arena_open(arena, o->max_memory);
    *program = NULL;
    const char *path = o->operand_count > 0 ? o->operands[0] : "-";
    if (!source_read(s, o, s->path != NULL ? s->path : path, &what)) {
        return diag_fail(o, buffer_bytes(&s->label), &what);
    }
    ep_decode_options decoding = source_decoding(o);
    decoding.warn = hear;
    decoding.warn_context = &l;
    bool ok = ep_decode(arena, s->input, &decoding, program, &what.error);
    what.status = status_of_code(what.error.code);
    *warnings = l.count;
    return ok ? STATUS_DONE : diag_fail(o, buffer_bytes(&s->label), &what);
}

/* What --forward passed over is lost, and is not to be lost silently. SPEC
 * 3.10.3 */
status source_load_whole(source *s, const options *o, ep_arena *arena, const ep_program **program,
                         const char *reason) {
    size_t warnings = 0;
    failure partial = {.status = STATUS_INVALID, .reason = reason};
    status result = source_load(s, o, arena, program, &warnings);
    return result == STATUS_DONE && warnings > 0 ? diag_fail(o, buffer_bytes(&s->label), &partial)
                                                 : result;
}

void source_free(source *s) {
    io_data_free(&s->file);
    buffer_free(&s->taken.program);
    buffer_free(&s->taken.member);
    buffer_free(&s->label);
}
