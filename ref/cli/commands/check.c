/*
 * check.c - epref check: the verdict on each file. Silent on valid ones
 * unless asked; with --format=json the verdicts are the product, and standard
 * error says nothing.
 */
#include "cli/diag.h"
#include "cli/explain/explanations.h"
#include "cli/print.h"
#include "cli/report.h"
#include "cli/show/deviations.h"
#include "command.h"
#include "verdict.h"

/* ------------------------------------------------------------------- reports */

/* What is reported of each program by itself, where an archive has several; and the lists of
 * JSON. */
typedef struct programs {
    buffer lines;
    json *list;
    json *warning_list;
    json *note_list;
    size_t warnings; /* before the program at hand */
    size_t notes;
} programs;

/* Valid, invalid, or for want of reading it all not known. */
static json *valid_item(status result) {
    bool known = result == STATUS_DONE || result == STATUS_INVALID;
    return known ? json_bool(result == STATUS_DONE) : json_null();
}

/* Whole, and nothing in it that could be valid. SPEC 8.9.3 */
static bool is_package(const verdict *v) {
    return v->what.status == STATUS_DONE && source_is_compiled(v->s);
}

static const char package_note[] =
    "a package of compiled models of AOTInductor, without a program: it is whole";

/* The names of the models that an archive has in compiled form; NULL: none could be made. */
static json *compiled_list(const verdict *v) {
    json *list = json_array();
    compiled c = {.models = NULL};
    failure what = {0};
    bool open = v->s->archive.zip.members != NULL;
    bool ok = !open || source_models(v->s, v->o, &c, &what) || what.error.code != EP_MEMORY;
    for (size_t i = 0; i < c.model_count; i++) {
        json_append(list, json_text(c.models[i].name));
    }
    compiled_free(&c);
    if (!ok) {
        json_free(list);
        return NULL;
    }
    return list;
}

static const char model_note[] = "a compiled model of AOTInductor, native code";

/* Labels the source with the members that say what a compiled model is, one after another. */
static bool next_model(const verdict *v, size_t *at, failure *what) {
    source *s = v->s;
    ep_bytes name;
    while (source_is_archive(s) && *at < s->archive.zip.count) {
        const zipfile_member *m = &s->archive.zip.members[(*at)++];
        if (archive_is_compiled(&s->archive, m, &name)) {
            return source_blame(s, m->name, what);
        }
    }
    return false;
}

/* "FILE!R/data/aotinductor/NAME/...: a compiled model", beside programs. */
static void put_compiled(const verdict *v, buffer *product) {
    failure what = {0};
    for (size_t at = 0; next_model(v, &at, &what);) {
        print(product, "%t: %s\n", buffer_bytes(&v->s->label), model_note);
    }
    product->failed = product->failed || what.error.code == EP_MEMORY;
}

/* What the file is, if that is known. */
static const char *kind_of(const verdict *v) {
    bool known = v->what.status == STATUS_DONE || v->what.status == STATUS_INVALID;
    return !known                     ? NULL
           : source_is_compiled(v->s) ? "compiled"
           : source_is_archive(v->s)  ? "archive"
                                      : "program";
}

/* One flat object: the fields of a diagnostic, if there is one, and the
 * verdict's own. */
static void report_json(verdict *v, buffer *product) {
    ep_bytes file = buffer_bytes(&v->s->label);
    const programs *p = v->context;
    bool refused = v->what.status != STATUS_DONE;
    bool packed = source_is_archive(v->s);
    file.size = !refused && v->programs > 1 ? v->s->path_size : file.size;
    json *object = refused ? diag_object(file, "error", &v->what) : json_make("file:t", file);
    json_members(object,
                 "valid:j kind:s schema_version:s data_read:?b compiled:?j programs:?j warnings:j "
                 "notes:j",
                 is_package(v) ? json_null() : valid_item(v->what.status), kind_of(v),
                 v->version != NULL ? v->version->name : NULL, v->o->no_data && packed, false,
                 packed, compiled_list(v), packed, p->list, p->warning_list, p->note_list);
    json_put(product, object);
}

/* ", 2 warnings" */
static void put_count(buffer *product, size_t count, const char *one, const char *many) {
    print(product, count > 0 ? ", %i%s" : "", (int64_t)count, count == 1 ? one : many);
}

/* "FILE: valid, schema 8.20, 2 warnings" */
static void put_valid(const verdict *v, const programs *before, buffer *product) {
    print(product, "%t: valid%s%s%s", buffer_bytes(&v->s->label),
          v->version == NULL ? " JSON" : ", schema ", v->version == NULL ? "" : v->version->name,
          v->o->no_data && source_is_archive(v->s) ? ", data not read" : "");
    put_count(product, v->warnings - before->warnings, " warning", " warnings");
    put_count(product, v->notes - before->notes, " note", " notes");
    buffer_byte(product, '\n');
}

static void add_program(verdict *v, const ep_program *program, ep_arena *arena) {
    programs *p = v->context;
    (void)program;
    (void)arena;
    if (p->list != NULL && source_is_archive(v->s)) {
        json_append(p->list,
                    json_make("member:t valid:j schema_version:s", v->s->archive.program->name,
                              valid_item(v->what.status), v->version->name));
    } else if (p->list == NULL && v->o->verbose) {
        put_valid(v, p, &p->lines);
    }
    p->warnings = v->warnings;
    p->notes = v->notes;
}

static void hear(verdict *v, const char *severity, const failure *what) {
    programs *p = v->context;
    ep_bytes file = buffer_bytes(&v->s->label);
    bool warning = severity[0] == 'w';
    if (v->o->json) {
        json *object = diag_object(file, severity, what);
        if (what->deviation != NULL) {
            deviation_add(object, what->reason);
        }
        json_append(warning ? p->warning_list : p->note_list, object);
    } else if (warning || v->o->verbose) {
        diag_say(v->o, severity, file, what);
    }
}

static void report_valid(const verdict *v, buffer *product) {
    const programs *p = v->context;
    if (v->version == NULL) {
        put_valid(v, &(programs){.warnings = 0}, product);
    } else {
        buffer_put(product, p->lines.data, p->lines.size);
        product->failed = product->failed || p->lines.failed;
    }
    put_compiled(v, product);
}

/* ------------------------------------------------------------ for other tools */

static void add_row(verdict *v, const char *severity, const failure *what) {
    bool coded = what->reason == NULL;
    const explanation *e = coded ? explanation_of(what->error.code) : NULL;
    bool error = diag_is_error(severity);
    report *r = v->context;
    report_row row = {.severity = severity,
                      .code = coded ? ep_code_name(what->error.code) : NULL,
                      .clause = coded ? ep_code_clause(what->error.code) : NULL,
                      .title = coded ? ep_code_message(what->error.code) : NULL,
                      .meaning = e != NULL ? e->meaning : NULL,
                      .place = coded ? &what->error : NULL,
                      .unread = error && what->status != STATUS_INVALID};
    diag_put_message(&row.message, what);
    report_add(r, buffer_bytes(&v->s->label), &row);
}

static status add_to_report(command_run *run, const char *path) {
    report *r = run->context;
    verdict v = {
        .o = run->o, .s = &run->source, .told = add_row, .notes_wanted = true, .context = r};
    r->path = path;
    verdict_reach(&v, path, run->lost);
    if (v.what.status != STATUS_DONE) {
        add_row(&v, "error", &v.what);
    } else if (is_package(&v)) {
        add_row(&v, "note", &(failure){.reason = package_note});
    }
    failure what = {0};
    for (size_t at = 0; v.what.status == STATUS_DONE && next_model(&v, &at, &what);) {
        add_row(&v, "note", &(failure){.reason = model_note});
    }
    r->failed = r->failed || what.error.code == EP_MEMORY;
    return v.what.status;
}

static void put_report(command_run *run) {
    report_put(run->context, &run->product);
}

/* --------------------------------------------------------------------- command */

static status put_verdict(verdict *v, buffer *product) {
    if (v->o->json) {
        report_json(v, product);
    } else if (v->what.status != STATUS_DONE) {
        return source_fail(v->s, v->o, &v->what);
    } else if (is_package(v)) {
        diag_note_reason(v->o, buffer_bytes(&v->s->label), package_note);
    } else if (v->o->verbose) {
        report_valid(v, product);
    }
    return v->what.status;
}

static status check_file(command_run *run, const char *path) {
    const options *o = run->o;
    programs p = {.list = o->json ? json_array() : NULL,
                  .warning_list = o->json ? json_array() : NULL,
                  .note_list = o->json ? json_array() : NULL};
    verdict v = {.o = o,
                 .s = &run->source,
                 .told = hear,
                 .notes_wanted = o->json || o->verbose,
                 .decoded = add_program,
                 .context = &p};
    verdict_reach(&v, path, run->lost);
    status result = put_verdict(&v, &run->product);
    buffer_free(&p.lines);
    return result;
}

status cmd_check(const options *o) {
    report r;
    if (reports_all(o)) {
        report_open(&r);
        return command_each(o, add_to_report, put_report, &r);
    }
    return command_each(o, check_file, NULL, NULL);
}
