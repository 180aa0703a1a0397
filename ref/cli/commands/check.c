/*
 * check.c - epref check: the verdict on each file. Silent on valid ones
 * unless asked; with --format=json the verdicts are the product, and standard
 * error says nothing.
 */
#include "cli/diag.h"
#include "command.h"
#include "common/safe.h"
#include "verdict.h"

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

static status check_file(command_run *run, const char *path) {
    const options *o = run->o;
    verdict v = {.o = o,
                 .s = &run->source,
                 .tells = !o->json,
                 .warning_list = o->json ? json_array() : NULL,
                 .note_list = o->json ? json_array() : NULL};
    if (run->lost != NULL) {
        v.what = *run->lost;
    } else {
        verdict_reach(&v, path);
    }
    return report(&v, &run->product);
}

status cmd_check(const options *o) {
    return command_each(o, check_file, NULL, NULL);
}
