/*
 * migrate.c - epref migrate: the program at another schema version, and the
 * archive around it as the releases of that version take it; whole or not at
 * all. The report of the steps goes to standard error.
 */
#include "archive/make/repack.h"
#include "cli/diag.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/source.h"
#include "command.h"
#include "common/refusal.h"
#include "devices.h"

/* A report in the making. */
typedef struct report {
    const options *o;
    const char *name; /* of what is written below --to-dir */
    ep_bytes file;
    buffer lines; /* as text */
    json *steps;  /* or as JSON */
    json *notes;  /* likewise */
    const ep_version *from;
} report;

/* "  7.4.1  signature: 1" */
static void hear(void *context, const char *clause, const char *about, size_t times) {
    report *r = context;
    if (r->o->json) {
        json_append(r->steps, json_make("clause:s about:s times:n", clause, about, times));
        return;
    }
    print(&r->lines, "  SPEC %s  %s: %i\n", clause, about, (int64_t)times);
}

/* An operator of which nobody knows whether the target's releases have it. */
static void hear_note(void *context, const ep_error *error) {
    report *r = context;
    failure what = {.error = *error};
    if (r->o->json) {
        json_append(r->notes, diag_object(r->file, "note", &what));
    } else {
        diag_say(r->o, "note", r->file, &what);
    }
}

/* Consumes the report. */
static void tell(report *r, const ep_version *from) {
    buffer b = {0};
    if (r->o->json) {
        json *object = json_make("file:t from:s to:s steps:j notes:j", r->file, from->name,
                                 r->o->to->name, r->steps, r->notes);
        r->steps = r->notes = NULL;
        json_put(&b, object);
    } else {
        print(&b, "%t: schema %s to %s\n%r", r->file, from->name, r->o->to->name, r->lines.data,
              r->lines.size);
        b.failed = b.failed || r->lines.failed;
    }
    diag_tell(r->o, &b);
}

/* The program, and what was taken out of it. */
typedef struct migrated {
    ep_built built;
    constants constants;
} migrated;

/* The archive to be, and what is known of the tensors of the one that there is. */
typedef struct package {
    tensors state;
    repacked made;
} package;

/* ---------------------------------------------------------------------------- devices */

/* A payload config is of the version of its program. */
static bool put_config(void *context, ep_bytes text, buffer *out, failure *what) {
    const report *r = context;
    ep_arena arena;
    size_t count = 0;
    ep_decode_options decoding = source_decoding(r->o);
    decoding.version = r->from;
    arena_open(&arena, r->o->max_memory);
    ep_value config = ep_decode_struct(&arena, text, &decoding, "PayloadConfig", &what->error);
    bool ok = ep_value_kind(config) != EP_KIND_NULL;
    what->status = status_of_code(what->error.code);
    if (ok) {
        out->failed = !devices_put(r->o->device, config, text, out, &count) || out->failed;
    }
    ep_arena_free(&arena);
    return ok;
}

static bool refuse_pickled(const tensors *t, const tensor_row *row, failure *what) {
    buffer detail = {0};
    print(&detail, "%t is pickled on %t", tensors_text(t, row->name), tensors_text(t, row->device));
    return refuse_with(what, EP_MIGRATE_ARCHIVE, &detail);
}

/* What is said of a tensor that is on a device which is changed. A pickle says it inside, and stays
 * as it is: where it is not made anew, it is refused. */
static bool change_row(const report *r, tensors *t, tensor_row *row, repack_wish *wish,
                       failure *what) {
    ep_bytes to = devices_changed(r->o->device, tensors_text(t, row->device));
    bool raw = wish->state != NULL && archive_takes_raw(r->o->to);
    if (to.size == 0) {
        return true;
    }
    if (row->part == TENSOR_INPUTS) {
        wish->drops_inputs = true;
        return true;
    }
    if (row->is_pickled && (!raw || raw_fault(t, row) != NULL)) {
        return refuse_pickled(t, row, what);
    }
    row->device = (tensor_text){.at = t->texts.size, .size = to.size};
    buffer_put(&t->texts, to.data, to.size);
    return true;
}

/* Of the program that is migrated. */
static bool change_rows(source *s, const report *r, tensors *t, repack_wish *wish, failure *what) {
    bool ok = true;
    for (size_t i = 0; ok && i < t->row_count; i++) {
        bool own = t->programs[t->rows[i].program].member == s->archive.program;
        ok = !own || change_row(r, t, &t->rows[i], wish, what);
    }
    if (ok && wish->drops_inputs) {
        diag_note_reason(
            r->o, r->file,
            "sample inputs are left out: they are pickled on a device that is changed");
    }
    return ok && (!t->texts.failed || refuse_plainly(what, EP_MEMORY));
}

/* ---------------------------------------------------------------------------- product */

static bool repack(source *s, report *r, const migrated *made, package *p, failure *what) {
    bool takes_raw = archive_takes_raw(r->o->to);
    bool state = takes_raw ? r->o->raw : r->o->pickle;
    repack_wish wish = {
        .version = r->o->to,
        .program = made->built.text,
        .constants = &made->constants,
        .state = state ? &p->state : NULL,
        .pickles = r->o->pickle,
        .limit = r->o->limits.bytes,
        .config = r->o->device != NULL ? put_config : NULL,
        .config_context = r,
        .report = hear,
        .report_context = r,
    };
    bool ok = (!state && r->o->device == NULL) || source_tensors(s, r->o, &p->state, what);
    if (ok && r->o->device != NULL) {
        ok = change_rows(s, r, &p->state, &wish, what);
    }
    return ok && archive_repack(&s->archive, &wish, &p->made, what);
}

/* The program that was migrated is valid; all else is judged here. */
static bool check_archive(source *s, const options *o, failure *what) {
    ep_decode_options decoding = source_decoding(o);
    whole_wish wish = {.decoding = &decoding, .limit = o->limits.bytes, .no_data = o->no_data};
    ep_bytes member = {"", 0};
    bool ok = archive_check_beside(&s->archive, &wish, o->max_memory, &member, what);
    ok = io_settle(&s->file, ok, what);
    if (!ok) {
        source_blame(s, member, what);
    }
    return ok;
}

/* To the file that is asked for, or to a new one in the folder. */
static status write_made(const report *r, output_make *make, void *context) {
    failure what = {0};
    buffer label = {0};
    if (r->o->to_dir == NULL) {
        bool ok = output_write_made(r->o->output, make, context, &what);
        return ok ? STATUS_DONE : diag_output(r->o, &what);
    }
    if (output_write_below(r->o->to_dir, r->name, make, context, &what)) {
        return STATUS_DONE;
    }
    print(&label, "%s/%s", r->o->to_dir, r->name);
    return diag_fail_at(r->o, &label, &what);
}

static bool is_migration(ep_code code) {
    return EP_MIGRATE_FIELD <= code && code <= EP_MIGRATE_ARCHIVE;
}

/* What the user can do about tensors that older releases do not read. */
static void hint(const source *s, const report *r, const failure *what) {
    bool raw = archive_takes_raw(r->from) && !r->o->pickle && !archive_takes_raw(r->o->to);
    if (raw && what->error.code == EP_MIGRATE_ARCHIVE) {
        diag_note_reason(r->o, buffer_bytes(&s->label), "with --pickle its tensors are pickled");
    }
}

/* Writes the archive around the program. It is checked whole before anything is
 * written; what is wrong after that is its file's change, or the output's. */
static status write_archive(source *s, report *r, const migrated *made) {
    failure what = {0};
    package p = {.state = {.blamed = NULL}};
    status result = STATUS_DONE;
    if (!repack(s, r, made, &p, &what) || !check_archive(s, r->o, &what)) {
        what.version = is_migration(what.error.code) ? r->o->to->name : NULL;
        result = source_fail(s, r->o, &what);
        hint(s, r, &what);
    } else {
        result = write_made(r, repacked_write, &p.made);
    }
    repacked_free(&p.made);
    tensors_free(&p.state);
    return result;
}

static status write_product(source *s, report *r, const migrated *made) {
    failure what = {0};
    if (source_is_archive(s)) {
        return write_archive(s, r, made);
    }
    if (r->o->to_dir != NULL) {
        ep_bytes text = made->built.text;
        return write_made(r, output_bytes, &text);
    }
    bool ok = output_write(r->o->output, made->built.text, &what);
    return ok ? STATUS_DONE : diag_output(r->o, &what);
}

/* Whether a refusal is by a rule of the target, while the program keeps those of its own
 * version. */
static bool is_of_target(const options *o, const ep_program *program, ep_code code) {
    failure none;
    bool valid = ep_code_level(code) != EP_LEVEL_NONE && source_check(o, program, &none);
    return valid || is_migration(code);
}

static status migrate(source *s, report *r, const ep_program *program) {
    failure what = {0};
    migrated made = {.constants = {.limit = r->o->limits.bytes}};
    ep_arena arena;
    ep_migrate_options migrating = {.version = r->o->to, .report = hear, .report_context = r};
    if (r->o->report) {
        migrating.note = hear_note;
        migrating.note_context = r;
    }
    if (source_is_archive(s) && archive_takes_raw(r->o->to)) {
        migrating.constant = constants_take;
        migrating.constant_context = &made.constants;
    }
    arena_open(&arena, r->o->max_memory);
    bool ok = ep_migrate(program, &arena, &migrating, &made.built, &what.error);
    if (made.constants.failed) {
        what.error = (ep_error){.code = EP_MEMORY};
    }
    what.status = status_of_code(what.error.code);
    what.version = !ok && is_of_target(r->o, program, what.error.code) ? r->o->to->name : NULL;
    status result = ok ? write_product(s, r, &made) : source_fail(s, r->o, &what);
    ep_arena_free(&arena);
    constants_free(&made.constants);
    return result;
}

/* The program with other devices. */
static status migrate_devices(source *s, report *r, const ep_program *program) {
    failure what = {0};
    buffer text = {0};
    size_t count = 0;
    ep_arena arena;
    ep_decode_options decoding = source_decoding(r->o);
    decoding.version = r->from;
    arena_open(&arena, r->o->max_memory);
    bool ok = devices_put(r->o->device, ep_program_root(program), s->input, &text, &count)
                  ? ep_decode(&arena, buffer_bytes(&text), &decoding, &program, &what.error)
                  : refuse_plainly(&what, EP_MEMORY);
    what.status = status_of_code(what.error.code);
    if (ok && count == 0) {
        diag_note_reason(r->o, r->file, "the program has no such device");
    }
    status result = ok ? migrate(s, r, program) : source_fail(s, r->o, &what);
    ep_arena_free(&arena);
    buffer_free(&text);
    return result;
}

static status migrate_file(command_run *run, const char *path) {
    options own = *run->o;
    const options *o = &own;
    source *s = &run->source;
    ep_arena arena;
    report r = {.o = o,
                .name = run->name,
                .steps = o->json ? json_array() : NULL,
                .notes = o->json ? json_array() : NULL};
    const ep_program *program;
    s->path = path;
    status result =
        source_load(s, o, &arena, &program, "not migrated: what the warnings name would be lost");
    if (result == STATUS_DONE) {
        r.file = buffer_bytes(&s->label);
        r.from = ep_program_version(program);
        own.to = own.to != NULL ? own.to : r.from;
        result = o->device != NULL ? migrate_devices(s, &r, program) : migrate(s, &r, program);
    }
    if (result == STATUS_DONE && o->report) {
        tell(&r, ep_program_version(program));
    }
    json_free(r.steps);
    json_free(r.notes);
    buffer_free(&r.lines);
    ep_arena_free(&arena);
    return result;
}

status cmd_migrate(const options *o) {
    command_run run = {.o = o};
    buffer complaint = {0};
    if (o->device != NULL && !devices_are_said(o->device, &complaint)) {
        return diag_fail_word(o, "--device", &complaint);
    }
    if (o->to_dir != NULL) {
        return command_each(o, migrate_file, NULL, NULL);
    }
    status result = migrate_file(&run, o->path);
    source_free(&run.source);
    return result;
}
