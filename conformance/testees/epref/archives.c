/*
 * archives.c - see archives.h. All but strip and join, which the interface does not have, is
 * done by epref_archive.h.
 */
#include "archives.h"

#include "archive/make/joining.h"
#include "json_text.h"

#include <string.h>

static bool drop(void *context, const char *data, size_t size) {
    (void)context;
    (void)data;
    (void)size;
    return true;
}

/* ---------------------------------------------------------------------- opening */

static ep_archive *open_archive(const request *r, ep_bytes input, bool compiled, finding *out) {
    ep_archive_options options = ep_archive_options_default();
    options.decoding = r->options;
    options.decoding.warn = NULL;
    options.model = r->model;
    options.memory = r->memory;
    options.compiled = compiled;
    return ep_archive_open_bytes(input, &options, &out->error);
}

/* The version of the first program, if it can be read. */
static void note_version(const request *r, ep_arena *arena, ep_archive *a, finding *out) {
    ep_decode_options options = r->options;
    const ep_program *program = NULL;
    ep_bytes text;
    options.warn = NULL;
    if (ep_archive_program_text(a, 0, &text, NULL) &&
        ep_decode(arena, text, &options, &program, NULL)) {
        out->version = ep_program_version(program)->name;
    }
}

void run_on_archive(const request *r, ep_arena *arena, ep_bytes input, finding *out,
                    run_opened *run) {
    /* Packages have a contents digest (SPEC 8.6.5), and a list. */
    ep_archive *a = open_archive(r, input, r->all || run == list_archive, out);
    if (a == NULL) {
        return;
    }
    note_version(r, arena, a, out);
    out->valid = run(r, a, out, &out->error);
    ep_archive_close(a);
}

/* ------------------------------------------------------------------------- pack */

static bool read_other(void *context, uint64_t place, void *to, size_t size) {
    const ep_bytes *other = context;
    memcpy(to, other->data + place, size);
    return true;
}

/* SPEC 8.8 */
void run_pack(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    const ep_program *program = decode(r, arena, input, out);
    ep_archive_pack_options options = ep_archive_pack_options_default();
    ep_bytes other = r->other;
    if (program == NULL) {
        return;
    }
    if (other.size > 0) {
        options.tensors = (ep_archive_source){read_other, &other, other.size};
    }
    options.sample_inputs = r->inputs;
    options.extras = r->extras;
    options.extra_count = r->extra_count;
    options.folder = r->folder;
    options.limits = r->options.limits;
    options.memory = r->memory;
    out->valid = ep_archive_pack(program, &options, append_product, &out->product, &out->error);
}

/* --------------------------------------------------------------- strip and join */

static bool take(void *context, ep_bytes piece, failure *what) {
    (void)what;
    return append_product(context, piece.data, piece.size);
}

/* A refusal without a code is one of the command's. */
static void settle(bool ok, const failure *what, finding *out) {
    out->valid = ok;
    out->error = what->error;
    if (!ok && out->error.code == EP_OK) {
        out->error.code = EP_ARGUMENT;
    }
}

static bool strip(const request *r, const archive *a, finding *out, failure *what) {
    stripping plan;
    bool ok = stripping_plan(a, r->options.limits.bytes, &plan, what) &&
              zipwrite_all(r->weights ? &plan.weights : &plan.rest, take, &out->product, what);
    stripping_free(&plan);
    return ok;
}

static bool join(const request *r, const archive *a, finding *out, failure *what) {
    io_data data;
    zipfile weights;
    joining plan;
    io_view(r->other, &data);
    if (!zipfile_open_known(&data, r->options.limits.bytes, &weights, what)) {
        return false;
    }
    bool ok = joining_plan(a, &weights, r->options.limits.bytes, &plan, what) &&
              zipwrite_all(&plan.zip, take, &out->product, what);
    joining_free(&plan);
    zipfile_close(&weights);
    return ok;
}

typedef bool run_parts(const request *r, const archive *a, finding *out, failure *what);

static void run_opened_parts(const request *r, ep_arena *arena, ep_bytes input, finding *out,
                             run_parts *run) {
    archive_wish wish = {.limit = r->options.limits.bytes, .several = true};
    ep_archive *opened = open_archive(r, input, false, out);
    io_data data;
    archive a;
    failure what = {.status = STATUS_DONE};
    if (opened == NULL) {
        return;
    }
    note_version(r, arena, opened, out);
    ep_archive_close(opened);
    io_view(input, &data);
    bool ok = archive_open(&data, wish, &a, &what);
    if (ok) {
        ok = run(r, &a, out, &what);
        archive_close(&a);
    }
    settle(ok, &what, out);
}

/* SPEC 8.7.1 */
void run_strip(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    run_opened_parts(r, arena, input, out, strip);
}

/* SPEC 8.7.2 */
void run_join(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    run_opened_parts(r, arena, input, out, join);
}

/* -------------------------------------------------------------------- migration */

/* SPEC 7.7 */
bool migrate_archive(const request *r, ep_archive *a, finding *out, ep_error *error) {
    ep_archive_migrate_options options = {.version = r->to, .raw = r->raw};
    return ep_archive_migrate(a, &options, append_product, &out->product, error);
}

static void hear_step(void *context, const char *clause, const char *about, size_t times) {
    json_list *list = context;
    json_open(list, NULL);
    json_put_string(list, "clause", clause);
    json_put_string(list, "about", about);
    json_put_number(list, "times", times);
    json_close(list);
}

static bool report(const request *r, ep_archive *a, finding *out, ep_error *error) {
    json_list list = json_list_open(&out->product);
    ep_archive_migrate_options options = {
        .version = r->to, .raw = r->raw, .report = hear_step, .report_context = &list};
    bool ok = ep_archive_migrate(a, &options, drop, NULL, error);
    json_list_close(&list);
    return ok;
}

/* SPEC 7.1.6, of an archive or a program. */
void run_report(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    ep_built built;
    if (is_archive(input)) {
        run_on_archive(r, arena, input, out, report);
        return;
    }
    const ep_program *program = decode(r, arena, input, out);
    if (program == NULL) {
        return;
    }
    json_list list = json_list_open(&out->product);
    ep_migrate_options options = {.version = r->to, .report = hear_step, .report_context = &list};
    out->valid = ep_migrate(program, arena, &options, &built, &out->error);
    json_list_close(&list);
}

/* ------------------------------------------------------------------------- list */

static void put_numbers(json_list *list, const char *key, const int64_t *numbers, size_t count) {
    buffer text = {0};
    for (size_t i = 0; i < count; i++) {
        buffer_text(&text, i > 0 ? "," : "");
        buffer_number(&text, numbers[i]);
    }
    json_put_text(list, key, buffer_bytes(&text));
    list->out->failed = list->out->failed || text.failed;
    buffer_free(&text);
}

static const char *role_name(ep_archive_role role) {
    static const char *const names[] = {[EP_ARCHIVE_ROLE_UNNAMED] = "unnamed",
                                        [EP_ARCHIVE_ROLE_PARAMETER] = "parameter",
                                        [EP_ARCHIVE_ROLE_BUFFER] = "buffer",
                                        [EP_ARCHIVE_ROLE_BUFFER_NOT_PERSISTENT] =
                                            "buffer, not persistent",
                                        [EP_ARCHIVE_ROLE_CONSTANT] = "constant",
                                        [EP_ARCHIVE_ROLE_CUSTOM_OBJECT] = "object",
                                        [EP_ARCHIVE_ROLE_SAMPLE_INPUT] = "sample input"};
    return names[role];
}

static const char *form_name(ep_archive_form form) {
    static const char *const names[] = {[EP_ARCHIVE_FORM_STRIDED] = NULL,
                                        [EP_ARCHIVE_FORM_META] = "meta",
                                        [EP_ARCHIVE_FORM_SPARSE] = "sparse",
                                        [EP_ARCHIVE_FORM_OBJECT] = "object"};
    return names[form];
}

/* What is true, and the numbers that are not 0, of a tensor. */
static void put_traits(json_list *list, const ep_archive_tensor *t) {
    const struct {
        const char *key;
        bool said;
    } traits[] = {{"requires_grad", t->requires_grad},
                  {"is_parameter", t->is_parameter},
                  {"is_conjugate", t->is_conjugate},
                  {"is_negative", t->is_negative},
                  {"unreadable", t->fault != NULL}};
    for (size_t i = 0; i < sizeof traits / sizeof traits[0]; i++) {
        if (traits[i].said) {
            json_put_bool(list, traits[i].key, true);
        }
    }
}

static void put_tensor(json_list *list, const ep_archive *a, const ep_archive_tensor *t) {
    ep_archive_storage storage;
    ep_archive_member member;
    json_open(list, NULL);
    json_put_text(list, "tensor", t->name);
    json_put_number(list, "program", t->program);
    json_put_string(list, "role", role_name(t->role));
    json_put_string(list, "form", form_name(t->form));
    json_put_text(list, "class", t->object);
    json_put_string(list, "dtype", t->dtype);
    put_numbers(list, "sizes", t->sizes, t->rank);
    put_numbers(list, "strides", t->strides, t->rank);
    json_put_number(list, "offset", (size_t)t->offset);
    json_put_text(list, "device", t->device);
    put_traits(list, t);
    json_put_number(list, "bytes", (size_t)t->bytes);
    if (ep_archive_storage_at(a, t->storage, &storage) &&
        ep_archive_member_at(a, storage.member, &member)) {
        json_put_text(list, "member", member.name);
        json_put_number(list, "stored", (size_t)storage.size);
    }
    json_close(list);
}

static void put_compiled_row(json_list *list, const ep_archive_compiled_row *row) {
    static const char *const names[] = {[EP_ARCHIVE_COMPILED_METADATA] = "metadata",
                                        [EP_ARCHIVE_COMPILED_CONSTANT] = "constant",
                                        [EP_ARCHIVE_COMPILED_OBJECT] = "object"};
    json_open(list, NULL);
    json_put_text(list, names[row->kind], row->name);
    json_put_text(list, "value", row->value);
    if (row->kind == EP_ARCHIVE_COMPILED_CONSTANT) {
        put_numbers(list, "sizes", row->sizes, row->rank);
        put_numbers(list, "strides", row->strides, row->rank);
        json_put_number(list, "offset", (size_t)row->offset);
    }
    json_close(list);
}

/* SPEC 8.9 */
static void put_compiled(json_list *list, const ep_archive *a) {
    ep_archive_compiled model;
    ep_archive_compiled_row row;
    for (size_t i = 0; ep_archive_compiled_at(a, i, &model); i++) {
        json_open(list, NULL);
        json_put_text(list, "model", model.name);
        json_put_number(list, "members", model.members);
        json_put_number(list, "size", (size_t)model.bytes);
        if (model.fault != NULL) {
            json_put_bool(list, "unreadable", true);
        }
        json_close(list);
        for (size_t k = 0; k < model.rows; k++) {
            if (ep_archive_compiled_row_at(a, model.first + k, &row)) {
                put_compiled_row(list, &row);
            }
        }
    }
}

/* SPEC 8.1, 8.4.1, 8.9 */
bool list_archive(const request *r, ep_archive *a, finding *out, ep_error *error) {
    json_list list = json_list_open(&out->product);
    ep_archive_member member;
    ep_archive_tensor tensor;
    (void)r;
    if (!ep_archive_list(a, error)) {
        return false;
    }
    for (size_t i = 0; ep_archive_member_at(a, i, &member); i++) {
        json_open(&list, NULL);
        json_put_text(&list, "member", member.name);
        json_put_number(&list, "size", (size_t)member.size);
        if (!member.is_stored) {
            json_put_number(&list, "packed", (size_t)member.packed);
        }
        json_close(&list);
    }
    for (size_t i = 0; ep_archive_tensor_at(a, i, &tensor); i++) {
        put_tensor(&list, a, &tensor);
    }
    put_compiled(&list, a);
    json_list_close(&list);
    return true;
}

/* ---------------------------------------------------------------------- extract */

static bool no_such(ep_error *error) {
    *error = (ep_error){.code = EP_ARGUMENT};
    return false;
}

static bool extract_member(const request *r, ep_archive *a, finding *out, ep_error *error) {
    ep_archive_member member;
    for (size_t i = 0; ep_archive_member_at(a, i, &member); i++) {
        if (bytes_equal(member.name, r->member)) {
            return ep_archive_read_member(a, i, append_product, &out->product, error);
        }
    }
    return no_such(error);
}

/* The elements as 8.6.1 has them. */
bool extract_tensors(const request *r, ep_archive *a, finding *out, ep_error *error) {
    ep_archive_file_options options = {.form = r->as};
    ep_archive_tensor tensor;
    size_t i = 0;
    if (r->member != NULL) {
        return extract_member(r, a, out, error);
    }
    if (r->tensor == NULL) {
        return ep_archive_write_tensors(a, &options, append_product, &out->product, error);
    }
    if (!ep_archive_list(a, error)) {
        return false;
    }
    while (ep_archive_tensor_at(a, i, &tensor) && !bytes_equal(tensor.name, r->tensor)) {
        i++;
    }
    options.tensors = &i;
    options.count = 1;
    return i < ep_archive_tensor_count(a)
               ? ep_archive_write_tensors(a, &options, append_product, &out->product, error)
               : no_such(error);
}

/* ---------------------------------------------------------- digests, comparison */

/* SPEC 8.6.1, 8.6.5 */
bool digest_state(const request *r, ep_archive *a, finding *out, ep_error *error) {
    char text[EP_ARCHIVE_DIGEST_SIZE];
    bool ok =
        ep_archive_check(a, NULL, error) && (r->all ? ep_archive_digest_contents(a, text, error)
                                                    : ep_archive_digest_weights(a, text, error));
    if (ok) {
        append_product(&out->product, text, strlen(text));
    }
    return ok;
}

/* Tensors of two archives. */
typedef struct comparing {
    ep_archive *sides[2];
    json_list list;
    buffer elements[2];
} comparing;

static bool find_tensor(const ep_archive *a, ep_bytes name, ep_archive_role role,
                        ep_archive_tensor *found, size_t *at) {
    for (*at = 0; ep_archive_tensor_at(a, *at, found); ++*at) {
        if (found->role == role && bytes_compare(found->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_alike(const ep_archive_tensor *a, const ep_archive_tensor *b) {
    size_t size = a->rank * sizeof *a->sizes;
    return a->form == b->form && a->dtype == b->dtype && a->rank == b->rank &&
           (size == 0 || memcmp(a->sizes, b->sizes, size) == 0);
}

/* Which has it: "a", "b"; or both, of two types. */
static void put_only(comparing *c, const ep_archive_tensor *t, const char *which) {
    json_open(&c->list, NULL);
    json_put_text(&c->list, "tensor", t->name);
    json_put_string(&c->list, "only", which);
    json_close(&c->list);
}

static void put_values(comparing *c, const ep_archive_tensor *t) {
    size_t differ = 0;
    size_t of = t->element > 0 ? c->elements[0].size / t->element : 0;
    for (size_t i = 0; i < of; i++) {
        differ += memcmp(c->elements[0].data + i * t->element, c->elements[1].data + i * t->element,
                         t->element) != 0;
    }
    if (differ > 0) {
        json_open(&c->list, NULL);
        json_put_text(&c->list, "tensor", t->name);
        json_put_number(&c->list, "differ", differ);
        json_put_number(&c->list, "of", of);
        json_close(&c->list);
    }
}

static bool compare_tensor(comparing *c, size_t i, const ep_archive_tensor *t, ep_error *error) {
    ep_archive_tensor twin;
    size_t at[2] = {i, 0};
    if (!find_tensor(c->sides[1], t->name, t->role, &twin, &at[1]) || !is_alike(t, &twin)) {
        put_only(c, t, at[1] < ep_archive_tensor_count(c->sides[1]) ? "type" : "a");
        return true;
    }
    if (t->fault != NULL) {
        return true;
    }
    for (size_t k = 0; k < 2; k++) {
        buffer_clear(&c->elements[k]);
        if (!ep_archive_read_tensor(c->sides[k], at[k], append_product, &c->elements[k], error)) {
            return false;
        }
    }
    put_values(c, t);
    return true;
}

static bool compare_all(comparing *c, ep_error *error) {
    ep_archive_tensor tensor;
    ep_archive_tensor twin;
    size_t at;
    bool ok = ep_archive_list(c->sides[0], error) && ep_archive_list(c->sides[1], error);
    for (size_t i = 0; ok && ep_archive_tensor_at(c->sides[0], i, &tensor); i++) {
        ok = compare_tensor(c, i, &tensor, error);
    }
    for (size_t i = 0; ok && ep_archive_tensor_at(c->sides[1], i, &tensor); i++) {
        if (!find_tensor(c->sides[0], tensor.name, tensor.role, &twin, &at)) {
            put_only(c, &tensor, "b");
        }
    }
    json_list_close(&c->list);
    return ok;
}

bool compare_archives(const request *r, ep_archive *a, finding *out, ep_error *error) {
    comparing c = {.sides = {a, open_archive(r, r->other, false, out)},
                   .list = json_list_open(&out->product)};
    if (c.sides[1] == NULL) { /* error is that of out */
        return false;
    }
    bool ok = compare_all(&c, error);
    out->product.failed = out->product.failed || c.elements[0].failed || c.elements[1].failed;
    buffer_free(&c.elements[0]);
    buffer_free(&c.elements[1]);
    ep_archive_close(c.sides[1]);
    return ok;
}
