/*
 * inspect.c - epref inspect: a line for each file with all that is known of it: the verdict
 * of check, what its programs are and take, their digests, what audit finds, what the weights
 * are. Each program is decoded once for all of that, and what the weights hold is read once.
 */

#include <string.h>

#include "archive/pickle/dtype.h"
#include "cli/diag.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/show/graphs.h"
#include "cli/show/line.h"
#include "cli/show/show.h"
#include "cli/show/signature.h"
#include "cli/show/types_json.h"
#include "cli/style.h"
#include "cli/words.h"
#include "command.h"
#include "common/digest.h"
#include "compiled_view.h"
#include "findings.h"
#include "verdict.h"

/* --------------------------------------------------------- what is told of a program */

/* Tensors of the state of one kind. */
typedef struct amount {
    size_t count;
    uint64_t elements; /* as their types say; at most UINT64_MAX, as bytes */
    uint64_t bytes;
} amount;

enum { PARAMETERS, BUFFERS, CONSTANTS, AMOUNTS };

static const char *const amount_kinds[AMOUNTS] = {"parameter", "buffer", "tensor constant"};
static const char *const amount_names[AMOUNTS] = {"parameter", "buffer", "constant"};

typedef struct facts {
    const ep_program *program;
    ep_bytes member;      /* of the archive; empty where there is none */
    size_t size;          /* bytes of the program */
    const digest *digest; /* NULL: it has none */
    show shown;
    name_list values; /* of the main graph */
    name_list dtypes; /* of the state: count of tensors */
    signature signature;
    amount amounts[AMOUNTS];
    graphs_counts graphs;
    bool failed; /* for want of memory; sticks */
} facts;

static uint64_t add(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t a, uint64_t b) {
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

/* A size that is no number is taken for 1: state has none. */
static uint64_t elements_of(ep_value meta) {
    ep_value sizes = ep_value_field(meta, "sizes");
    uint64_t count = 1;
    for (size_t i = 0; i < ep_value_count(sizes); i++) {
        const char *tag;
        ep_value size = unwrap(ep_value_item(sizes, i), &tag);
        bool known = ep_value_kind(size) == EP_KIND_INT && ep_value_int(size) >= 0;
        count = times(count, known ? (uint64_t)ep_value_int(size) : 1);
    }
    return count;
}

/* What the tensor is that an input is: its dtype, elements and bytes. */
static void size_up(name_item *item) {
    ep_value meta = printer_meta(item->value);
    const dtype_row *dtype = dtype_of_number(ep_value_int(ep_value_field(meta, "dtype")));
    bool is_tensor = ep_value_kind(meta) != EP_KIND_NULL;
    uint64_t count = is_tensor ? elements_of(meta) : 0;
    item->kind = is_tensor && dtype != NULL ? dtype->torch : "unknown";
    item->count = (size_t)count;
    item->bytes = times(count, dtype == NULL ? 0 : dtype->size);
}

/* What is said of a value is looked at once, however many inputs are that value. */
static void count_state(facts *f, const signature_row *row) {
    size_t kind = 0;
    while (kind < AMOUNTS && strcmp(row->kind, amount_kinds[kind]) != 0) {
        kind++;
    }
    if (kind == AMOUNTS) {
        return;
    }
    amount *a = &f->amounts[kind];
    name_item *item = names_find(&f->values, show_value_name(&f->shown, row->value));
    a->count++;
    if (item == NULL) {
        return;
    }
    if (item->kind == NULL) {
        size_up(item);
    }
    names_add(&f->dtypes, (name_item){.name = bytes_of(item->kind), .count = 1});
    a->elements = add(a->elements, item->count);
    a->bytes = add(a->bytes, item->bytes);
}

static void count_inputs(facts *f) {
    signature_row row;
    for (size_t i = 0; signature_at(&f->signature, SIGNATURE_INPUTS, i, &row); i++) {
        count_state(f, &row);
    }
    names_sort(&f->dtypes);
    f->failed = f->failed || f->dtypes.failed;
    if (!f->failed) {
        names_collapse(&f->dtypes);
    }
}

/* Reads them of a program, which was decoded from so many bytes; into members from program on.
 * Linear in the program, times the logarithm of its values. */
static void facts_read(facts *f, const ep_program *program, size_t size, ep_arena *arena) {
    f->program = program;
    f->size = size;
    f->shown = (show){.program = program, .arena = arena, .left = show_room(size)};
    printer_open(&f->shown.printer);
    show_names(&f->shown, graphs_main(program), &f->values);
    f->shown.printer.values = &f->values;
    signature_open(&f->signature, program, arena);
    count_inputs(f);
    f->failed = !graphs_count(program, arena, &f->graphs) || f->failed;
    f->failed = f->failed || f->shown.failed || f->signature.failed;
}

static void facts_free(facts *f) {
    signature_close(&f->signature);
    names_free(&f->values);
    names_free(&f->dtypes);
    names_free(&f->graphs.operators);
    printer_close(&f->shown.printer);
}

/* Whether a row of the signature is one of the program's interface: what its user passes or
 * gets. */
static bool is_interface(const signature_row *row) {
    return word_among("user constant loss", row->kind) >= 0;
}

/* The release that wrote the program: empty where it does not say. */
static ep_bytes release_of(facts *f) {
    ep_value said = ep_value_field(ep_program_root(f->program), "torch_version");
    return text_of(said, f->shown.arena, &f->failed);
}

/* ------------------------------------------------------------------------- text */

enum { VALUES_TOLD = 6, SYMBOLS_TOLD = 6, OPERATORS_TOLD = 4, DIGITS_TOLD = 12 };

/* Moves what the printer has into the text, without its marks. */
static void take_line(facts *f, buffer *b) {
    line_plain(b, buffer_bytes(&f->shown.printer.line));
    f->failed = f->failed || f->shown.printer.line.failed;
    buffer_clear(&f->shown.printer.line);
}

static int64_t number_of(uint64_t number) {
    return number > INT64_MAX ? INT64_MAX : (int64_t)number;
}

/* "12", "3456789" as "3.4M", of thousands from a hundred of them on */
static void put_scaled(buffer *b, uint64_t number, const char *units) {
    enum { PLAIN = 100000, STEP = 1000, TENTHS = 10 };
    uint64_t scaled = number;
    size_t unit = 0;
    while (number >= PLAIN && (scaled >= (uint64_t)STEP * TENTHS || unit == 0) &&
           units[unit] != 0) {
        scaled /= unit == 0 ? STEP / TENTHS : STEP;
        unit++;
    }
    bool plain = unit == 0;
    print(b, plain ? "%i" : "%i.%i%c", number_of(plain ? number : scaled / TENTHS),
          number_of(scaled % TENTHS), plain ? ' ' : units[unit - 1]);
}

/* "123 bytes", "4.7 GB" */
static void facts_put_bytes(buffer *b, uint64_t bytes) {
    enum { PLAIN = 100000 };
    if (bytes < PLAIN) {
        print(b, "%i byte%s", (int64_t)bytes, bytes == 1 ? "" : "s");
        return;
    }
    size_t from = b->size;
    put_scaled(b, bytes, "kMGTPE");
    if (!b->failed && b->size > from) { /* "3.4M" as "3.4 MB" */
        char unit = b->data[--b->size];
        print(b, " %cB", unit);
    }
}

static void put_rest(buffer *b, size_t count, size_t told) {
    print(b, count > told ? "%s%i more" : "", told > 0 ? ", and " : "and ",
          (int64_t)(count - told));
}

/* "x: f32[s0, 3]", or the value of a constant */
static void put_value(facts *f, buffer *b, const signature_row *row) {
    ep_bytes name = row->name.size > 0 ? row->name : show_value_name(&f->shown, row->value);
    printer *p = &f->shown.printer;
    print(b, "%t%s", name, name.size > 0 ? ": " : "");
    if (row->name.size > 0 || !printer_put_type(p, name)) {
        printer_put(p, row->value);
        printer_cut(p, 0);
    }
    take_line(f, b);
    printer_end_line(p);
}

static void put_values(facts *f, buffer *b, signature_side side) {
    signature_row row;
    size_t count = 0;
    buffer_byte(b, '(');
    for (size_t i = 0; signature_at(&f->signature, side, i, &row); i++) {
        if (is_interface(&row) && count++ < VALUES_TOLD) {
            buffer_text(b, count > 1 ? ", " : "");
            put_value(f, b, &row);
        }
    }
    put_rest(b, count, VALUES_TOLD);
    buffer_byte(b, ')');
}

/* ", 2 <= s0 <= 128" */
static void put_symbols(facts *f, buffer *b) {
    ep_value ranges = ep_value_field(ep_program_root(f->program), "range_constraints");
    size_t count = ep_value_count(ranges);
    for (size_t i = 0; i < count && i < SYMBOLS_TOLD; i++) {
        buffer_text(b, ", ");
        show_put_range(&f->shown, i);
        take_line(f, b);
        printer_end_line(&f->shown.printer);
    }
    put_rest(b, count, SYMBOLS_TOLD);
    buffer_text(b, count > SYMBOLS_TOLD ? " symbols" : "");
}

/* ", 2 parameters (25 values, 100 bytes)" */
static void put_amount(buffer *b, const amount *a, const char *thing) {
    if (a->count == 0) {
        return;
    }
    print(b, ", %i %s%s", number_of(a->count), thing, a->count == 1 ? " (" : "s (");
    put_scaled(b, a->elements, "kMGTPE");
    buffer_text(b, a->elements == 1 ? " value, " : " values, ");
    facts_put_bytes(b, a->bytes);
    buffer_byte(b, ')');
}

/* " of float16 and float32" */
static void put_dtypes(const facts *f, buffer *b) {
    for (size_t i = 0; i < f->dtypes.count; i++) {
        print(b, "%s%r",
              i == 0                    ? " of "
              : i + 1 < f->dtypes.count ? ", "
                                        : " and ",
              f->dtypes.items[i].name.data, f->dtypes.items[i].name.size);
    }
}

/* ", 3 nodes (aten.linear 2, aten.relu 1)" */
static void put_nodes(facts *f, buffer *b) {
    const name_list *list = &f->graphs.operators;
    print(b, ", %i node%s", (int64_t)f->graphs.nodes, f->graphs.nodes == 1 ? "" : "s");
    print(b, f->graphs.subgraphs > 0 ? " in %i graphs" : "", (int64_t)(f->graphs.subgraphs + 1));
    buffer_text(b, list->count > 0 ? " (" : "");
    for (size_t i = 0; i < list->count && i < OPERATORS_TOLD; i++) {
        buffer_text(b, i > 0 ? ", " : "");
        printer_put_operator(&f->shown.printer, list->items[i].name);
        printer_cut(&f->shown.printer, 0);
        take_line(f, b);
        print(b, " %i", (int64_t)list->items[i].count);
    }
    put_rest(b, list->count, OPERATORS_TOLD);
    buffer_text(b, list->count > 0 ? ")" : "");
}

/* Which release wrote it; where it does not say, those that write its version. */
static void put_release(facts *f, buffer *b) {
    ep_bytes release = release_of(f);
    const char *some = ep_program_version(f->program)->releases;
    const char *last = some == NULL ? NULL : strrchr(some, ' ');
    if (release.size > 0) {
        print(b, ", torch %t", release);
    } else if (some != NULL) {
        print(b, " of torch %r%s%s", some, strcspn(some, " "), last == NULL ? "" : " to",
              last == NULL ? "" : last);
    }
}

/* ", schema 8.20, torch 2.13.0+cpu, ..." */
static void facts_put_text(facts *f, buffer *b) {
    print(b, ", schema %s", ep_program_version(f->program)->name);
    put_release(f, b);
    print(b, ", %r, ", f->digest == NULL ? "no digest" : f->digest->text,
          (size_t)(f->digest == NULL ? 9 : 4 + DIGITS_TOLD));
    put_values(f, b, SIGNATURE_INPUTS);
    buffer_text(b, " -> ");
    put_values(f, b, SIGNATURE_OUTPUTS);
    put_symbols(f, b);
    for (size_t i = 0; i < AMOUNTS; i++) {
        put_amount(b, &f->amounts[i], amount_names[i]);
    }
    put_dtypes(f, b);
    put_nodes(f, b);
    b->failed =
        b->failed || f->failed || f->shown.failed || f->shown.printer.failed || f->signature.failed;
}

/* ------------------------------------------------------------------------- JSON */

static json *interface_list(facts *f, signature_side side) {
    signature_row row;
    json *list = json_array();
    for (size_t i = 0; signature_at(&f->signature, side, i, &row); i++) {
        if (is_interface(&row)) {
            json *value = json_make("name:u", types_name(&f->shown, &row));
            types_add_row(&f->shown, value, &row);
            json_append(list, value);
        }
    }
    return list;
}

static json *amount_object(const amount *a) {
    return json_make("count:n values:i bytes:i", a->count, number_of(a->elements),
                     number_of(a->bytes));
}

/* An object; NULL for want of memory. */
static json *facts_object(facts *f) {
    f->shown.printer.full = true;
    json *inputs = interface_list(f, SIGNATURE_INPUTS);
    json *outputs = interface_list(f, SIGNATURE_OUTPUTS);
    json *object = json_make(
        "member:u bytes:n schema_version:s torch_version:u releases:j "
        "digest:s undecided:b inputs:j outputs:j symbols:j parameters:j buffers:j constants:j "
        "dtypes:j nodes:n subgraphs:n "
        "operators:j",
        f->member, f->size, ep_program_version(f->program)->name, release_of(f),
        json_words(ep_program_version(f->program)->releases),
        f->digest == NULL ? NULL : f->digest->text, f->digest != NULL && f->digest->undecided,
        inputs, outputs, types_symbols(&f->shown), amount_object(&f->amounts[PARAMETERS]),
        amount_object(&f->amounts[BUFFERS]), amount_object(&f->amounts[CONSTANTS]),
        json_counts(&f->dtypes), f->graphs.nodes, f->graphs.subgraphs,
        json_counts(&f->graphs.operators));
    if (f->failed || f->shown.failed || f->shown.printer.failed || f->signature.failed) {
        json_free(object);
        return NULL;
    }
    return object;
}

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
    buffer text; /* of the programs, in a line */
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
    } else {
        put_name(n, f.member);
        facts_put_text(&f, &n->text);
    }
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
    b->failed = b->failed || n->text.failed;
}

static json *audit_object(const inspection *n) {
    json *found = json_object();
    int worst = EP_SEVERITY_HIGH;
    while (worst > EP_SEVERITY_NONE && n->severities[worst] == 0) {
        worst--;
    }
    json *object = json_make("worst:s", findings_severity((ep_severity)worst));
    for (int severity = EP_SEVERITY_HIGH; severity > EP_SEVERITY_NONE; severity--) {
        json_add(object, findings_severity((ep_severity)severity),
                 json_integer((int64_t)n->severities[severity]));
    }
    for (int id = EP_AUDIT_NONE + 1; id < EP_AUDIT_COUNT; id++) {
        if (n->found[id] > 0) {
            json_add(found, ep_audit_name((ep_audit_id)id), json_integer((int64_t)n->found[id]));
        }
    }
    json_add(object, "findings", found);
    return object;
}

static void put_object(inspection *n, buffer *b) {
    const verdict *v = &n->v;
    const weights *w = &n->weights;
    bool done = v->what.status == STATUS_DONE;
    bool judged = done ? !source_is_compiled(v->s) : v->what.status == STATUS_INVALID;
    bool known = n->programs > 0 || is_open(v->s);
    const char *layout = !source_is_archive(v->s)      ? "program"
                         : v->s->archive.root.size > 0 ? "pt2"
                                                       : "flat";
    json *sizes = !w->known ? json_null()
                            : json_make("stored:s tensors:n objects:n classes:n bytes:i", stored(w),
                                        w->tensors, w->objects, w->classes, (int64_t)w->bytes);
    json_put(b,
             json_make("file:s valid:j error:j layout:s bytes:m data_read:b warnings:n notes:n "
                       "programs:j compiled:j audit:j weights:j",
                       n->path, judged ? json_bool(done) : json_null(),
                       done ? json_null() : diag_object(buffer_bytes(&n->label), "error", &v->what),
                       known ? layout : NULL, known,
                       (int64_t)(is_open(v->s) ? io_length(&v->s->file) : v->s->file.size),
                       !v->o->no_data, v->warnings, v->notes, n->list, compiled_json(&n->models),
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
    } else {
        put_line(&n, &run->product);
    }
    run->product.failed = run->product.failed || n.label.failed;
    buffer_free(&n.label);
    buffer_free(&n.text);
    compiled_free(&n.models);
    return n.v.what.status;
}

status cmd_inspect(const options *o) {
    return command_each(o, inspect_file, NULL, NULL);
}
