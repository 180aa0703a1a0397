/*
 * inspect.c - epref inspect: a line for each file with all that is known of it: the verdict
 * of check, what its programs are and take, their digests, what audit finds, what the weights
 * are. Each program is decoded once for all of that, and what the weights hold is read once.
 */

#include <string.h>

#include "cli/diag.h"
#include "cli/print.h"
#include "cli/style.h"
#include "command.h"
#include "compiled_view.h"
#include "csv.h"
#include "facts.h"
#include "findings.h"
#include "verdict.h"

/* What the tensors in an archive are. */
typedef struct weights {
    bool known;
    size_t tensors;
    size_t pickled;
    size_t objects;
    size_t classes; /* tensors of some */
    uint64_t bytes; /* of their storages, each once */
} weights;

/* What is found out of the file at hand. */
typedef struct inspection {
    verdict v;
    auditor by;
    const char *path;
    size_t programs;
    buffer label; /* of what the verdict is about */
    bool has_several;
    json *list;  /* of the programs */
    buffer text; /* of the programs, in a line; or the cells of the first */
    size_t severities[EP_SEVERITY_HIGH + 1];
    size_t found[EP_AUDIT_COUNT];
    bool audited; /* all of it */
    weights weights;
    compiled models;
} inspection;

/* What cannot be told is left out, but not for want of memory or because the file could not
 * be read: nothing is known then. */
static bool stand(inspection *n, bool ok, const failure *what) {
    bool short_of = what->error.code == EP_MEMORY || what->status == STATUS_IO;
    if (!ok && short_of) {
        n->v.what = *what;
    }
    return ok;
}

static void hear(void *context, ep_bytes member, const ep_finding *finding) {
    inspection *n = context;
    size_t count = finding->more > 0 ? finding->more : 1;
    (void)member;
    n->severities[ep_audit_severity(finding->id)] += count;
    n->found[finding->id] += count;
}

/* Only of a valid program is the digest of use, and only where nothing was passed over. */
static bool make_digest(inspection *n, const ep_program *program, digest *d) {
    failure what = {0};
    bool whole = n->v.what.status == STATUS_DONE && n->v.warnings == 0;
    return whole && stand(n, digest_program(n->v.o, program, &what, d), &what);
}

/* Of several programs each has its name. */
static void put_name(inspection *n, ep_bytes member) {
    const archive *a = &n->v.s->archive;
    ep_bytes name;
    size_t count = 0;
    for (size_t i = 0; n->programs == 1 && member.size > 0 && i < a->zip.count; i++) {
        count += archive_has_program(a, &a->zip.members[i]);
    }
    n->has_several = n->programs == 1 ? count > 1 && n->v.o->model == NULL : n->has_several;
    if (n->has_several) {
        print(&n->text, "%s%t", n->programs > 1 ? "; program " : ", program ",
              archive_is_program(member, &name) ? name : member);
    }
}

/* A program that was decoded and judged. */
static void take_program(verdict *v, const ep_program *program, ep_arena *arena) {
    inspection *n = v->context;
    failure what = {0};
    digest d;
    facts f = {0};
    f.digest = make_digest(n, program, &d) ? &d : NULL;
    if (source_is_archive(v->s) && v->s->archive.program != NULL) {
        f.member = v->s->archive.program->name;
    }
    facts_read(&f, program, v->s->input.size, arena);
    bool audited = stand(n, auditor_program(&n->by, program, &what), &what);
    n->audited = audited && (n->programs == 0 || n->audited);
    n->programs++;
    if (v->o->json) {
        json_append(n->list, facts_object(&f));
    } else if (v->o->format != FORMAT_CSV) {
        put_name(n, f.member);
        facts_put_text(&f, &n->text);
    } else if (n->programs == 1) {
        facts_put_cells(&f, &n->text);
    }
    n->text.failed = n->text.failed || facts_failed(&f);
    facts_free(&f);
}

/* ----------------------------------------------------------------------- the archive */

static bool is_open(const source *s) {
    return source_is_archive(s) && s->archive.zip.members != NULL;
}

/* Of the state, and not of sample inputs. */
static void weigh(inspection *n) {
    tensors t = {.blamed = NULL};
    failure what = {0};
    weights *w = &n->weights;
    w->known = stand(n, source_tensors(n->v.s, n->v.o, &t, &what), &what);
    for (size_t i = 0; w->known && i < t.row_count; i++) {
        const tensor_row *row = &t.rows[i];
        if (row->part == TENSOR_INPUTS) {
            continue;
        }
        w->tensors += !row->is_inner;
        w->pickled += row->is_pickled && !row->is_inner;
        w->objects += row->form == TENSOR_OBJECT && !row->is_inner;
        w->classes += row->is_subclass && !row->is_inner;
        if (row->form == TENSOR_OBJECT && row->is_subclass) { /* its bytes are of those inside */
            continue;
        }
        bool first = row->storage != TENSORS_NONE && t.storages[row->storage].first == i;
        w->bytes += first ? t.storages[row->storage].size : 0;
    }
    tensors_free(&t);
}

static void look_at_archive(inspection *n) {
    failure what = {0};
    if (is_open(n->v.s)) {
        n->audited = n->audited || source_is_compiled(n->v.s);
        n->audited = stand(n, auditor_members(&n->by, &what), &what) && n->audited;
        auditor_end(&n->by);
        weigh(n);
        stand(n, source_models(n->v.s, n->v.o, &n->models, &what), &what);
    }
}

static const char *stored(const weights *w) {
    return w->tensors == 0            ? "none"
           : w->pickled == 0          ? "raw"
           : w->pickled == w->tensors ? "pickled"
                                      : "mixed";
}

/* ---------------------------------------------------------------------------- reports */

/* Of the JSON; another number says that a key or a type changed. */
enum { RECORD_FORMAT = 2 };

static void put_verdict(const inspection *n, buffer *b) {
    const failure *what = &n->v.what;
    bool color = style_on_output(n->v.o);
    diag_put_place(b, bytes_of(n->path), what);
    if (what->status == STATUS_DONE) {
        print(b, "%z%s%Z", color, STYLE_TYPE, source_is_compiled(n->v.s) ? "compiled" : "valid");
        return;
    }
    print(b, "%z%s%Z: ", color, STYLE_ERROR,
          what->status == STATUS_INVALID ? "invalid" : "not judged");
    size_t path_size = strlen(n->path);
    if (n->label.size > path_size) { /* "model.pt2!model/models/model.json" */
        print(b, "%t: ", (ep_bytes){n->label.data + path_size + 1, n->label.size - path_size - 1});
    }
    diag_put_failure(b, what);
}

/* ", audit 1 high and 2 info" */
static void put_audit(const inspection *n, buffer *b) {
    size_t told = 0;
    buffer_text(b, n->audited ? ", audit " : ", not audited");
    for (int severity = EP_SEVERITY_HIGH; n->audited && severity > EP_SEVERITY_NONE; severity--) {
        if (n->severities[severity] > 0) {
            print(b, told++ > 0 ? " and %i " : "%i ", (int64_t)n->severities[severity]);
            findings_put_severity(b, (ep_severity)severity, style_on_output(n->v.o));
        }
    }
    buffer_text(b, n->audited && told == 0 ? "clean" : "");
}

static void put_line(inspection *n, buffer *b) {
    put_verdict(n, b);
    buffer_put(b, n->text.data, n->text.size);
    compiled_put_line(b, &n->models);
    if (n->programs > 0 || source_is_compiled(n->v.s)) {
        put_audit(n, b);
    }
    if (n->weights.known) {
        print(b, ", weights %s", stored(&n->weights));
        if (n->weights.tensors > 0) {
            buffer_text(b, ", ");
            facts_put_bytes(b, n->weights.bytes);
        }
        if (n->weights.classes > 0) { /* what the program says of them is not their bytes */
            print(b, ", %i of classes", (int64_t)n->weights.classes);
        }
    }
    buffer_text(b, n->v.o->no_data && is_open(n->v.s) ? ", data not read\n" : "\n");
}

static const char *worst_of(const inspection *n) {
    int worst = EP_SEVERITY_HIGH;
    while (worst > EP_SEVERITY_NONE && n->severities[worst] == 0) {
        worst--;
    }
    return findings_severity((ep_severity)worst);
}

static json *audit_object(const inspection *n) {
    json *found = json_array();
    json *object = json_make("worst:s", worst_of(n));
    for (int severity = EP_SEVERITY_HIGH; severity > EP_SEVERITY_NONE; severity--) {
        json_add(object, findings_severity((ep_severity)severity),
                 json_integer((int64_t)n->severities[severity]));
    }
    for (int id = EP_AUDIT_NONE + 1; id < EP_AUDIT_COUNT; id++) {
        if (n->found[id] > 0) {
            const char *name = ep_audit_name((ep_audit_id)id);
            json_append(found, json_make("id:s count:n", name, n->found[id]));
        }
    }
    json_add(object, "findings", found);
    return object;
}

/* Whether it is known what the file is. */
static bool is_known(const inspection *n) {
    return n->programs > 0 || is_open(n->v.s);
}

/* NULL where it is not known. */
static const char *layout_of(const inspection *n) {
    const source *s = n->v.s;
    return !is_known(n)               ? NULL
           : !source_is_archive(s)    ? "program"
           : s->archive.root.size > 0 ? "pt2"
                                      : "flat";
}

static uint64_t bytes_in(const inspection *n) {
    return is_open(n->v.s) ? io_length(&n->v.s->file) : n->v.s->file.size;
}

/* Whether there is a verdict: of a package of compiled models alone there is none. */
static bool is_judged(const inspection *n) {
    bool done = n->v.what.status == STATUS_DONE;
    return done ? !source_is_compiled(n->v.s) : n->v.what.status == STATUS_INVALID;
}

static void put_error_cells(const failure *what, buffer *b) {
    bool done = what->status == STATUS_DONE;
    ep_code code = what->reason == NULL ? what->error.code : EP_OK;
    const char *name = ep_code_name(code);
    const char *clause = ep_code_clause(code);
    buffer message = {0};
    if (!done) {
        diag_put_message(&message, what);
    }
    csv_text(b, bytes_of(done || name == NULL ? "" : name));
    csv_text(b, bytes_of(done || clause == NULL ? "" : clause));
    csv_text(b, buffer_bytes(&message));
    b->failed = b->failed || message.failed;
    buffer_free(&message);
}

static void put_row(const inspection *n, buffer *b) {
    const weights *w = &n->weights;
    const char *layout = layout_of(n);
    bool valid = n->v.what.status == STATUS_DONE;
    csv_text(b, bytes_of(n->path));
    csv_text(b, bytes_of(!is_judged(n) ? "" : valid ? "true" : "false"));
    put_error_cells(&n->v.what, b);
    csv_text(b, bytes_of(layout == NULL ? "" : layout));
    csv_number(b, is_known(n), bytes_in(n));
    buffer_put(b, n->text.data, n->text.size);
    for (size_t i = 0; n->programs == 0 && i < FACTS_CELLS; i++) {
        csv_number(b, false, 0);
    }
    csv_text(b, bytes_of(n->audited ? worst_of(n) : ""));
    for (int severity = EP_SEVERITY_HIGH; severity > EP_SEVERITY_NONE; severity--) {
        csv_number(b, n->audited, n->severities[severity]);
    }
    csv_text(b, bytes_of(w->known ? stored(w) : ""));
    csv_number(b, w->known, w->tensors);
    csv_number(b, w->known, w->bytes);
    csv_number(b, true, n->programs);
    csv_end(b);
}

static void put_object(inspection *n, buffer *b) {
    const verdict *v = &n->v;
    const weights *w = &n->weights;
    bool done = v->what.status == STATUS_DONE;
    json *sizes = !w->known ? json_null()
                            : json_make("stored:s tensors:n objects:n classes:n bytes:i", stored(w),
                                        w->tensors, w->objects, w->classes, (int64_t)w->bytes);
    json_put(
        b, json_make("format:i file:s valid:j error:j layout:s bytes:m data_read:b warnings:n "
                     "notes:n programs:j compiled:j audit:j weights:j",
                     (int64_t)RECORD_FORMAT, n->path, is_judged(n) ? json_bool(done) : json_null(),
                     done ? json_null() : diag_record(buffer_bytes(&n->label), "error", &v->what),
                     layout_of(n), is_known(n), (int64_t)bytes_in(n), !v->o->no_data, v->warnings,
                     v->notes, n->list, compiled_json(&n->models),
                     n->audited ? audit_object(n) : json_null(), sizes));
}

/* ----------------------------------------------------------------------------- command */

static status inspect_file(command_run *run, const char *path) {
    const options *o = run->o;
    inspection n = {.path = strcmp(path, "-") == 0 ? "<stdin>" : path};
    n.v = (verdict){.o = o, .s = &run->source, .decoded = take_program, .context = &n};
    n.by = auditor_of(o, &run->source, hear, &n);
    n.list = o->json ? json_array() : NULL;
    verdict_reach(&n.v, path, run->lost);
    buffer_put(&n.label, run->source.label.data, run->source.label.size);
    look_at_archive(&n);
    if (o->json) {
        put_object(&n, &run->product);
    } else if (o->format == FORMAT_CSV) {
        put_row(&n, &run->product);
    } else {
        put_line(&n, &run->product);
    }
    run->product.failed = run->product.failed || n.label.failed || n.text.failed;
    buffer_free(&n.label);
    buffer_free(&n.text);
    compiled_free(&n.models);
    return n.v.what.status;
}

static const char header[] =
    "file,valid,error_code,error_clause,error_message,layout,bytes,schema_version,torch_version,"
    "digest,inputs,outputs,nodes,operators,parameters,parameter_bytes,buffers,constants,"
    "audit_worst,audit_high,audit_medium,audit_low,audit_info,weights_stored,weights_tensors,"
    "weights_bytes,programs\r\n";

status cmd_inspect(const options *o) {
    return command_each_below(o, o->format == FORMAT_CSV ? header : "", inspect_file, NULL, NULL);
}
