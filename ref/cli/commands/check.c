/*
 * check.c - epref check: the verdict on each file. Silent on valid ones
 * unless asked; with --format=json the verdicts are the product, and standard
 * error says nothing.
 */
#include "cli/diag.h"
#include "cli/json.h"
#include "cli/recognise.h"
#include "cli/source.h"
#include "command.h"
#include "common/safe.h"

/* All that is known of the file at hand. */
typedef struct verdict {
    const options *o;
    source *s;
    const ep_version *version; /* NULL: not decoded */
    failure what;
    size_t warnings;
    size_t notes;
    json *warning_list; /* with --format=json */
    json *note_list;    /* likewise */
} verdict;

static void hear(void *context, const ep_error *error) {
    verdict *v = context;
    ep_bytes file = buffer_bytes(&v->s->label);
    v->warnings++;
    if (v->o->json) {
        failure what = {.error = *error};
        json_append(v->warning_list, diag_object(file, "warning", &what));
    } else {
        diag_warn(v->o, file, error);
    }
}

static void hear_note(void *context, const ep_error *error) {
    verdict *v = context;
    ep_bytes file = buffer_bytes(&v->s->label);
    v->notes++;
    if (v->o->json) {
        failure what = {.error = *error};
        json_append(v->note_list, diag_object(file, "note", &what));
    } else if (v->o->verbose) {
        diag_note(v->o, file, error);
    }
}

/* The levels above the schema. What forward reading left something out of is
 * not all there to be judged. */
static void judge_program(verdict *v, const ep_program *program) {
    ep_arena scratch;
    ep_check_options checking = ep_check_options_default();
    if (v->o->level == EP_LEVEL_SCHEMA || v->warnings > 0) {
        return;
    }
    bool all = v->o->level == EP_LEVEL_NONE || v->o->level == EP_LEVEL_ARCHIVE;
    checking.level = all ? EP_LEVEL_PROGRAM : v->o->level;
    checking.limits = v->o->limits;
    checking.note = hear_note;
    checking.note_context = v;
    arena_open(&scratch, v->o->max_memory);
    ep_check(program, &scratch, &checking, &v->what.error);
    ep_arena_free(&scratch);
}

/* The document that was read. */
static void judge_document(verdict *v) {
    ep_arena arena;
    const ep_program *program = NULL;
    const options *o = v->o;
    ep_decode_options decoding = source_decoding(o);
    decoding.warn = hear;
    decoding.warn_context = v;
    arena_open(&arena, o->max_memory);
    if (o->level == EP_LEVEL_WIRE) {
        ep_check_wire(&arena, v->s->input, &decoding, &v->what.error);
    } else if (ep_decode(&arena, v->s->input, &decoding, &program, &v->what.error)) {
        v->version = ep_program_version(program);
        judge_program(v, program);
    }
    ep_arena_free(&arena);
    v->what.status = status_of_code(v->what.error.code);
    recognise(v->s->input, &v->what);
}

/* Every program by itself, then the archive. */
static void judge_archive(verdict *v) {
    const archive *a = &v->s->archive;
    if (!v->o->no_data && !source_verify_all(v->s, v->o, &v->what)) {
        return;
    }
    for (size_t i = 0; i < a->zip.count && v->what.status == STATUS_DONE; i++) {
        const zipfile_member *m = &a->zip.members[i];
        if (archive_has_program(a, m) && source_take(v->s, v->o, m, &v->what)) {
            judge_document(v);
        }
    }
    if (v->what.status == STATUS_DONE && v->warnings == 0) {
        source_check_whole(v->s, v->o, &v->what);
    }
}

/* A program that was asked for by its name is judged alone. */
static void judge(verdict *v, const char *path) {
    const options *o = v->o;
    bool whole = o->model == NULL && (o->level == EP_LEVEL_NONE || o->level == EP_LEVEL_ARCHIVE);
    bool read = whole ? source_find(v->s, o, path, &v->what) : source_read(v->s, o, path, &v->what);
    if (read && whole && source_is_archive(v->s)) {
        judge_archive(v);
    } else if (read && (o->no_data || source_verify(v->s, o, &v->what))) {
        judge_document(v);
    }
}

/* ------------------------------------------------------------------- reports */

/* Valid, invalid, or for want of reading it all not known. */
static void add_valid(json *object, status result) {
    if (result == STATUS_DONE || result == STATUS_INVALID) {
        json_add_bool(object, "valid", result == STATUS_DONE);
    } else {
        json_add_null(object, "valid");
    }
}

/* One flat object: the fields of a diagnostic, if there is one, and the
 * verdict's own. */
static void report_json(verdict *v, buffer *product) {
    ep_bytes file = buffer_bytes(&v->s->label);
    bool refused = v->what.status != STATUS_DONE;
    json *object = refused ? diag_object(file, "error", &v->what) : json_object();
    if (!refused) {
        json_add_text(object, "file", file);
    }
    add_valid(object, v->what.status);
    json_add_string(object, "schema_version", v->version != NULL ? v->version->name : NULL);
    if (v->o->no_data && source_is_archive(v->s)) {
        json_add_bool(object, "data_read", false);
    }
    json_add(object, "warnings", v->warning_list);
    json_add(object, "notes", v->note_list);
    json_put(product, object, false);
}

/* ", 2 warnings" */
static void put_count(buffer *product, size_t count, const char *one, const char *many) {
    if (count > 0) {
        buffer_text(product, ", ");
        buffer_number(product, (int64_t)count);
        buffer_text(product, count == 1 ? one : many);
    }
}

/* "FILE: valid, schema 8.20, 2 warnings" */
static void report_valid(const verdict *v, buffer *product) {
    safe_text(product, buffer_bytes(&v->s->label));
    buffer_text(product, ": valid");
    if (v->version == NULL) {
        buffer_text(product, " JSON");
    } else {
        buffer_text(product, ", schema ");
        buffer_text(product, v->version->name);
    }
    if (v->o->no_data && source_is_archive(v->s)) {
        buffer_text(product, ", data not read");
    }
    put_count(product, v->warnings, " warning", " warnings");
    put_count(product, v->notes, " note", " notes");
    buffer_byte(product, '\n');
}

static status report(verdict *v, buffer *product) {
    if (v->o->json) {
        report_json(v, product);
    } else if (v->what.status != STATUS_DONE) {
        return diag_fail(v->o, buffer_bytes(&v->s->label), &v->what);
    } else if (v->o->verbose) {
        report_valid(v, product);
    }
    return v->what.status;
}

static status check_file(const options *o, source *s, const char *path, buffer *product) {
    verdict v = {.o = o,
                 .s = s,
                 .warning_list = o->json ? json_array() : NULL,
                 .note_list = o->json ? json_array() : NULL};
    judge(&v, path);
    return report(&v, product);
}

status cmd_check(const options *o) {
    return command_each(o, check_file);
}
