/*
 * compiled_view.c - see compiled_view.h.
 */
#include "compiled_view.h"

#include "cli/print.h"
#include "cli/show/table.h"
#include "common/safe.h"

/* What PyTorch writes into the metadata of every model, and what is said for it. */
typedef struct known_key {
    const char *key;
    const char *label;
    const char *json;
} known_key;

enum { DEVICE, PLATFORM, MACHINE, ISA, CAPABILITY, KNOWN };

static const known_key known[KNOWN] = {
    [DEVICE] = {"AOTI_DEVICE_KEY", "device", "device"},
    [PLATFORM] = {"AOTI_PLATFORM", "platform", "platform"},
    [MACHINE] = {"AOTI_MACHINE", "machine", "machine"},
    [ISA] = {"AOTI_CPU_ISA", "ISA", "isa"},
    [CAPABILITY] = {"AOTI_COMPUTE_CAPABILITY", "compute capability", "compute_capability"},
};

/* ---------------------------------------------------------------------------------- text */

/* A key of the file's own stands between quotes, so that it is none of these. */
static void key_cell(table *t, ep_bytes key) {
    int i = 0;
    while (i < KNOWN && !bytes_equal(key, known[i].key)) {
        i++;
    }
    print(&t->text, i < KNOWN ? "%t" : "%q", i < KNOWN ? bytes_of(known[i].label) : key);
    table_end_cell(t);
}

static void put_row(table *t, const compiled *c, const compiled_row *row) {
    const int64_t *numbers = compiled_numbers(c, row);
    if (row->kind == COMPILED_METADATA) {
        key_cell(t, compiled_text(c, row->name));
        safe_text(&t->text, compiled_text(c, row->value));
        table_end_row(t);
        return;
    }
    table_text(t, bytes_of(row->kind == COMPILED_CONSTANT ? "constant" : "object"));
    table_text(t, compiled_text(c, row->name));
    if (row->kind == COMPILED_CONSTANT) {
        buffer_numbers(&t->text, numbers, row->rank);
    }
    table_end_cell(t);
    table_text(t, compiled_text(c, row->value));
    if (row->kind == COMPILED_CONSTANT) {
        buffer_text(&t->text, "strides ");
        buffer_numbers(&t->text, numbers + row->rank, row->rank);
        print(&t->text, ", offset %i", numbers[2 * row->rank]);
    }
    table_end_cell(t);
}

static ep_bytes name_of(const compiled_model *m) {
    return m->name.size > 0 ? m->name : bytes_of("without a name");
}

static void put_table(buffer *out, bool color, const compiled *c, const compiled_model *m) {
    table t = {.styles = {STYLE_PLAIN, STYLE_TYPE, STYLE_PLAIN, STYLE_DIM, STYLE_DIM}};
    print(out, "\n%zcompiled model %t%Z\n", color, STYLE_HEADING, name_of(m));
    table_text(&t, bytes_of("members"));
    print(&t.text, "%i, %i bytes, native code", (int64_t)m->members, (int64_t)m->bytes);
    table_end_row(&t);
    for (size_t i = m->first; i < m->first + m->count; i++) {
        put_row(&t, c, &c->rows[i]);
    }
    if (m->fault != NULL) {
        table_text(&t, bytes_of("not read"));
        safe_text(&t.text, bytes_of(m->fault));
        table_end_row(&t);
    }
    table_put(out, &t, 2, color);
}

void compiled_put_tables(buffer *out, bool color, const compiled *c) {
    for (size_t i = 0; i < c->model_count; i++) {
        put_table(out, color, c, &c->models[i]);
    }
}

static void put_said(buffer *out, ep_bytes said, const char *before) {
    print(out, said.size > 0 ? "%s%t" : "", before, said);
}

void compiled_put_line(buffer *out, const compiled *c) {
    for (size_t i = 0; i < c->model_count; i++) {
        print(out, ", AOTInductor model %t", name_of(&c->models[i]));
        put_said(out, compiled_said(c, i, known[DEVICE].key), " for ");
        put_said(out, compiled_said(c, i, known[PLATFORM].key), ", ");
        put_said(out, compiled_said(c, i, known[MACHINE].key), " ");
        put_said(out, compiled_said(c, i, known[ISA].key), ", ");
        if (c->models[i].fault != NULL) {
            put_said(out, bytes_of(c->models[i].fault), ": ");
        }
    }
}

/* ---------------------------------------------------------------------------------- JSON */

static json *row_object(const compiled *c, const compiled_row *row) {
    json *object = json_make(row->kind == COMPILED_METADATA ? "key:t value:t" : "name:t member:t",
                             compiled_text(c, row->name), compiled_text(c, row->value));
    if (row->kind == COMPILED_CONSTANT) {
        const int64_t *numbers = compiled_numbers(c, row);
        json_members(object, "shape:j strides:j offset:i", json_integers(numbers, row->rank),
                     json_integers(numbers + row->rank, row->rank), numbers[2 * row->rank]);
    }
    return object;
}

static json *row_list(const compiled *c, const compiled_model *m, compiled_kind kind) {
    json *array = json_array();
    for (size_t i = m->first; i < m->first + m->count; i++) {
        if (c->rows[i].kind == kind) {
            json_append(array, row_object(c, &c->rows[i]));
        }
    }
    return array;
}

static json *model_item(const void *context, size_t i) {
    const compiled *c = context;
    const compiled_model *m = &c->models[i];
    json *item = json_make("name:t members:n bytes:i", m->name, m->members, (int64_t)m->bytes);
    for (int k = 0; k < KNOWN; k++) {
        json_add(item, known[k].json, json_text(compiled_said(c, i, known[k].key)));
    }
    json_members(item, "fault:s metadata:j constants:j objects:j", m->fault,
                 row_list(c, m, COMPILED_METADATA), row_list(c, m, COMPILED_CONSTANT),
                 row_list(c, m, COMPILED_OBJECT));
    return item;
}

json *compiled_json(const compiled *c) {
    return json_list(c->model_count, model_item, c);
}
