/*
 * show_json.c - the program as epref show has it, as an object in a line. Graphs are a list
 * with the program's own first; where one is an argument its number in the list stands, so
 * that nothing is in anything else.
 */

#include "archive/pickle/dtype.h"
#include "call.h"
#include "cli/words.h"
#include "deviations.h"
#include "graphs.h"
#include "signature.h"
#include "types_json.h"

/* ------------------------------------------------------------------------- arguments */

enum { DEPTH_MAX = 12 };

/* A list or dict that is being made. */
typedef struct open_item {
    ep_value value;
    size_t next;
    json *made;
} open_item;

typedef struct making {
    show *s;
    value_list graphs; /* so far */
    open_item items[DEPTH_MAX];
    size_t depth;
    json *whole; /* when it is done */
} making;

static json *text_item(making *m, ep_value text) {
    return json_text(text_of(text, m->s->arena, &m->s->failed));
}

static json *subgraph_item(making *m, ep_value graph) {
    json *object =
        json_make("graph:n name:j", m->graphs.count, text_item(m, ep_value_field(graph, "name")));
    values_push(&m->graphs, graph);
    return object;
}

static json *struct_item(making *m, ep_value value) {
    const char *type = ep_value_type(value);
    ep_value name = ep_value_field(value, "name");
    if (word_is(type, "GraphArgument")) {
        return subgraph_item(m, value);
    }
    if (word_is(type, "ComplexValue")) {
        return json_make("complex[:j :j]", types_scalar(m->s, ep_value_field(value, "real")),
                         types_scalar(m->s, ep_value_field(value, "imag")));
    }
    if (word_is(type, "SymExpr")) {
        return json_make("expression:j", types_size(m->s, value));
    }
    if (ep_value_kind(name) == EP_KIND_STR) {
        return json_make("value:j", text_item(m, name));
    }
    return json_make(word_is(type, "Device") ? "device:j" : "text:j", types_scalar(m->s, value));
}

static json *enum_item(making *m, ep_value value) {
    static const char *const keys[][2] = {{"ScalarType", "dtype:j"},
                                          {"Layout", "layout:j"},
                                          {"MemoryFormat", "memory_format:j"},
                                          {NULL, NULL}};
    const char *type = ep_value_type(value);
    const dtype_row *dtype =
        word_is(type, "ScalarType") ? dtype_of_number(ep_value_int(value)) : NULL;
    return json_make(word_for(keys, type, "text:j"),
                     dtype != NULL ? json_text(bytes_of(dtype->torch)) : types_scalar(m->s, value));
}

/* What is no list and no dict; tag: of the union that holds it. */
static json *plain_item(making *m, const char *tag, ep_value held) {
    ep_kind kind = ep_value_kind(held);
    if (word_is(tag, "as_none") || kind == EP_KIND_UNIT) {
        return json_null();
    }
    if (kind == EP_KIND_STRUCT) {
        return struct_item(m, held);
    }
    if (kind == EP_KIND_ENUM) {
        return enum_item(m, held);
    }
    if (kind == EP_KIND_STR && word_is(tag, "as_name")) {
        return json_make("value:j", text_item(m, held));
    }
    if (kind == EP_KIND_STR && word_is(tag, "as_operator")) {
        return json_make("operator:j", text_item(m, held));
    }
    return kind == EP_KIND_BYTES ? json_make("text:j", types_scalar(m->s, held))
                                 : types_scalar(m->s, held);
}

/* Puts an item where it belongs: into what is open, or as the whole. */
static void place(making *m, json *item) {
    open_item *in = m->depth > 0 ? &m->items[m->depth - 1] : NULL;
    if (in == NULL) {
        m->whole = item;
    } else if (ep_value_kind(in->value) == EP_KIND_DICT) {
        json_add_at(in->made, dict_key(in->value, in->next - 1, m->s->arena, &m->s->failed), item);
    } else {
        json_append(in->made, item);
    }
}

static void begin(making *m, ep_value value) {
    const char *tag;
    ep_value held = unwrap(value, &tag);
    ep_kind kind = ep_value_kind(held);
    bool many = kind == EP_KIND_LIST || kind == EP_KIND_TUPLE || kind == EP_KIND_DICT;
    if (!many || word_is(tag, "as_none")) {
        place(m, plain_item(m, tag, held));
    } else if (m->depth == DEPTH_MAX) {
        place(m, json_make("text:j", types_scalar(m->s, held)));
    } else {
        json *made = kind == EP_KIND_DICT ? json_object() : json_array();
        m->items[m->depth++] = (open_item){.value = held, .made = made};
    }
}

static void end(making *m) {
    open_item done = m->items[--m->depth];
    bool dict = ep_value_kind(done.value) == EP_KIND_DICT;
    place(m, dict ? json_make("dict:j", done.made) : done.made);
}

static json *argument_item(making *m, ep_value argument) {
    begin(m, argument);
    while (m->depth > 0) {
        open_item *in = &m->items[m->depth - 1];
        if (in->next < ep_value_count(in->value)) {
            in->next++;
            begin(m, ep_value_item(in->value, in->next - 1));
        } else {
            end(m);
        }
    }
    return m->whole;
}

static json *list_of(making *m, ep_value list, json *item(making *m, ep_value value)) {
    json *array = json_array();
    for (size_t i = 0; i < ep_value_count(list); i++) {
        json_append(array, item(m, ep_value_item(list, i)));
    }
    return array;
}

/* A text of a struct; null, where it is not said. */
static json *text_of_field(making *m, ep_value of, const char *field) {
    ep_value text = ep_value_field(of, field);
    return ep_value_kind(text) == EP_KIND_STR ? text_item(m, text) : json_null();
}

static json *opsets(show *s) {
    ep_value said = ep_value_field(ep_program_root(s->program), "opset_version");
    json *object = json_object();
    for (size_t i = 0; i < ep_value_count(said); i++) {
        json_add_at(object, dict_key(said, i, s->arena, &s->failed),
                    json_integer(ep_value_int(ep_value_item(said, i))));
    }
    return object;
}

/* -------------------------------------------------------------------- signature */

/* In version 1 many inputs can be of one name, and so of one target. */
static json *row_object(show *s, const signature_row *row) {
    bool fits = row->target.size <= s->left;
    json *object = json_make("role:s name:u target:u persistent:b", row->kind, types_name(s, row),
                             fits ? row->target : (ep_bytes){"", 0}, !row->transient);
    s->left -= fits ? row->target.size : s->left;
    types_add_row(s, object, row);
    return object;
}

static json *rows(show *s, signature *said, signature_side side) {
    signature_row row;
    json *list = json_array();
    for (size_t i = 0; signature_at(said, side, i, &row); i++) {
        json_append(list, row_object(s, &row));
    }
    return list;
}

static void add_signature(show *s, json *object) {
    signature said;
    name_list values = {0};
    show_names(s, graphs_main(s->program), &values);
    s->printer.values = &values;
    signature_open(&said, s->program, s->arena);
    json_add(object, "inputs", rows(s, &said, SIGNATURE_INPUTS));
    json_add(object, "outputs", rows(s, &said, SIGNATURE_OUTPUTS));
    s->failed = s->failed || said.failed;
    signature_close(&said);
    s->printer.values = NULL;
    names_free(&values);
}

/* ----------------------------------------------------------------------- graphs */

static json *operand_item(making *m, ep_value input) {
    const char *kind = ep_value_name(ep_value_field(input, "kind"), 0);
    return json_make("name:j keyword:b arg:j", text_of_field(m, input, "name"),
                     word_is(kind, "KEYWORD"), argument_item(m, ep_value_field(input, "arg")));
}

static json *node_item(making *m, ep_value node) {
    json *inputs = list_of(m, ep_value_field(node, "inputs"), operand_item);
    json *outputs = list_of(m, ep_value_field(node, "outputs"), argument_item);
    buffer source = {0};
    if (m->s->source) {
        show_put_source(m->s, node, &source);
        printer_end_line(&m->s->printer);
    }
    return json_make("name:j target:j inputs:j outputs:j source:?j", text_of_field(m, node, "name"),
                     text_of_field(m, node, "target"), inputs, outputs, m->s->source,
                     json_buffer(&source));
}

/* Of a name that two tables have, each type stands; it is the first that counts. */
static json *value_table(show *s, ep_value graph) {
    name_list values = {0};
    json *object = json_object();
    show_names(s, graph, &values);
    for (size_t i = 0; i < values.count; i++) {
        const name_item *item = &values.items[i];
        if (i == 0 || bytes_compare(item->name, item[-1].name) != 0) {
            json *type = json_object();
            types_add(s, type, item->value);
            types_add_layout(s, type, item->value);
            json_add_at(object, item->name, type);
        }
    }
    names_free(&values);
    return object;
}

/* argument: of a GraphArgument; a null value for the program's own graph. */
static json *graph_item(making *m, ep_value argument) {
    bool own = ep_value_kind(argument) == EP_KIND_NULL;
    ep_value graph = own ? graphs_main(m->s->program) : ep_value_field(argument, "graph");
    json *inputs = list_of(m, ep_value_field(graph, "inputs"), argument_item);
    json *outputs = list_of(m, ep_value_field(graph, "outputs"), argument_item);
    json *values = value_table(m->s, graph);
    json *nodes = list_of(m, ep_value_field(graph, "nodes"), node_item);
    return json_make("name:j inputs:j outputs:j values:j nodes:j",
                     text_of_field(m, argument, "name"), inputs, outputs, values, nodes);
}

static json *graph_list(making *m) {
    json *array = json_array();
    values_push(&m->graphs, (ep_value){0});
    for (size_t i = 0; i < m->graphs.count && !m->graphs.failed && !m->s->failed; i++) {
        json_append(array, graph_item(m, m->graphs.items[i]));
    }
    m->s->failed = m->s->failed || m->graphs.failed;
    values_free(&m->graphs);
    return array;
}

/* What PyTorch is known not to load or not to keep, each with its first place. */
static json *note_list(show *s) {
    ep_value found[DEVIATION_COUNT];
    ep_error place;
    json *list = json_array();
    s->failed = !deviations_find(s->program, s->arena, found) || s->failed;
    for (int i = 0; i < DEVIATION_COUNT; i++) {
        if (ep_value_kind(found[i]) != EP_KIND_NULL) {
            ep_value_place(found[i], &place);
            json *object =
                json_make("message:s pointer:s", deviation_rows[i].message, place.pointer);
            deviation_add(object, deviation_rows[i].message);
            json_append(list, object);
        }
    }
    return list;
}

void show_put_json(show *s, ep_bytes label) {
    ep_value root = ep_program_root(s->program);
    making m = {.s = s};
    s->printer.full = true;
    json *object = json_make("file:t schema_version:s torch_version:j opset_version:j verifiers:j "
                             "dialect:j",
                             label, ep_program_version(s->program)->name,
                             text_of_field(&m, root, "torch_version"), opsets(s),
                             list_of(&m, ep_value_field(root, "verifiers"), text_item),
                             text_of_field(&m, root, "dialect"));
    add_signature(s, object);
    json_add(object, "call", call_object(s));
    json_add(object, "symbols", types_symbols(s, false));
    json_add(object, "guards", list_of(&m, ep_value_field(root, "guards_code"), text_item));
    json_add(object, "notes", note_list(s));
    json_add(object, "graphs", graph_list(&m));
    json_put(s->out, object);
}
