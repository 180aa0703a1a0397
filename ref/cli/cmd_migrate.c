/*
 * cmd_migrate.c - epref migrate: the program at another schema version, and the
 * archive around it as the releases of that version take it; whole or not at
 * all. The report of the steps goes to standard error.
 */
#include "command.h"
#include "diag.h"
#include "io.h"
#include "json.h"
#include "repack.h"
#include "safe.h"
#include "source.h"

/* A report in the making. */
typedef struct report {
    const options *o;
    buffer lines; /* as text */
    cJSON *steps; /* or as JSON */
} report;

/* "  7.4.1  signature: 1" */
static void hear(void *context, const char *clause, const char *about, size_t times) {
    report *r = context;
    if (r->o->json) {
        cJSON *step = cJSON_CreateObject();
        json_add_string(step, "clause", clause);
        json_add_string(step, "about", about);
        json_add_number(step, "times", times);
        cJSON_AddItemToArray(r->steps, step);
        return;
    }
    buffer_text(&r->lines, "  SPEC ");
    buffer_text(&r->lines, clause);
    buffer_text(&r->lines, "  ");
    buffer_text(&r->lines, about);
    buffer_text(&r->lines, ": ");
    buffer_number(&r->lines, (int64_t)times);
    buffer_byte(&r->lines, '\n');
}

/* Consumes the report. */
static void tell(report *r, ep_bytes file, const ep_version *from) {
    buffer b = {0};
    if (r->o->json) {
        cJSON *object = cJSON_CreateObject();
        json_add_text(object, "file", file);
        json_add_string(object, "from", from->name);
        json_add_string(object, "to", r->o->to->name);
        cJSON_AddItemToObject(object, "steps", r->steps);
        r->steps = NULL;
        json_put(&b, object, false);
    } else {
        safe_text(&b, file);
        buffer_text(&b, ": schema ");
        buffer_text(&b, from->name);
        buffer_text(&b, " to ");
        buffer_text(&b, r->o->to->name);
        buffer_byte(&b, '\n');
        buffer_put(&b, r->lines.data, r->lines.size);
        b.failed = b.failed || r->lines.failed;
    }
    io_tell(b.failed ? bytes_of("epref: out of memory\n") : buffer_bytes(&b));
    buffer_free(&b);
}

/* The program, and what was taken out of it. */
typedef struct migrated {
    ep_built built;
    constants constants;
} migrated;

static bool repack(source *s, report *r, const migrated *made, repacked *archive, failure *what) {
    const options *o = r->o;
    repack_wish wish = {
        .version = o->to,
        .program = made->built.text,
        .member = buffer_string(&s->taken.member),
        .constants = &made->constants,
        .limit = o->limits.bytes,
        .report = hear,
        .report_context = r,
    };
    return archive_repack(o->operand_count > 0 ? o->operands[0] : "-", &s->file, &wish, archive,
                          what);
}

/* Writes the program, or the archive around it, which is whole by then. */
static status write_product(source *s, report *r, const migrated *made) {
    failure what = {0};
    repacked archive = {NULL, {0}};
    bool ok = true;
    if (s->file.is_zip && !repack(s, r, made, &archive, &what)) {
        repacked_free(&archive);
        return diag_fail(r->o, buffer_bytes(&s->label), &what);
    }
    if (s->file.is_zip) {
        ok = io_write_pieces(r->o->output, repacked_pull, &archive, &what);
    } else {
        ok = io_write(r->o->output, made->built.text, &what);
    }
    repacked_free(&archive);
    return ok ? STATUS_DONE : diag_output(r->o, &what);
}

static status migrate(source *s, report *r, const ep_program *program) {
    failure what = {0};
    migrated made = {.constants = {.limit = r->o->limits.bytes}};
    ep_arena arena;
    ep_migrate_options migrating = {.version = r->o->to, .report = hear, .report_context = r};
    if (s->file.is_zip && archive_takes_raw(r->o->to)) {
        migrating.constant = constants_take;
        migrating.constant_context = &made.constants;
    }
    arena_open(&arena, r->o->max_memory);
    bool ok = ep_migrate(program, &arena, &migrating, &made.built, &what.error);
    if (made.constants.failed) {
        what.error = (ep_error){.code = EP_MEMORY};
    }
    what.status = status_of_code(what.error.code);
    status result =
        ok ? write_product(s, r, &made) : diag_fail(r->o, buffer_bytes(&s->label), &what);
    ep_arena_free(&arena);
    constants_free(&made.constants);
    return result;
}

/* What --forward passed over is lost, and is not to be lost silently. SPEC
 * 3.10.3 */
static status refuse_partial(const options *o, const source *s) {
    failure what = {
        .status = STATUS_INVALID,
        .reason = "not migrated: what the warnings name would be lost",
    };
    return diag_fail(o, buffer_bytes(&s->label), &what);
}

status cmd_migrate(const options *o) {
    source s = {0};
    ep_arena arena;
    report r = {.o = o, .steps = o->json ? cJSON_CreateArray() : NULL};
    const ep_program *program;
    size_t warnings = 0;
    status result = source_load(&s, o, &arena, &program, &warnings);
    if (result == STATUS_DONE && warnings > 0) {
        result = refuse_partial(o, &s);
    } else if (result == STATUS_DONE) {
        result = migrate(&s, &r, program);
    }
    if (result == STATUS_DONE && o->report) {
        tell(&r, buffer_bytes(&s.label), ep_program_version(program));
    }
    cJSON_Delete(r.steps);
    buffer_free(&r.lines);
    ep_arena_free(&arena);
    source_free(&s);
    return result;
}
