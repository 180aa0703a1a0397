/*
 * show_json.c - the program as epref show has it, as an object in a line. Graphs are a list
 * with the program's own first; where one is an argument its number in the list stands, so
 * that nothing is in anything else.
 */

#include "archive/pickle/dtype.h"
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
    value_list *graphs;
    open_item items[DEPTH_MAX];
    size_t depth;
    json *whole; /* when it is done */
} making;

static json *one_member(const char *key, json *value) {
    json *object = json_object();
    json_add(object, key, value);
    return object;
}

static json *text_item(making *m, ep_value text) {
    return json_text(text_of(text, m->s->arena, &m->s->failed));
}

static bool is_called(const char *name, const char *wanted) {
    return name != NULL && bytes_equal(bytes_of(name), wanted);
}

static json *graph_item(making *m, ep_value graph) {
    json *object =
        json_make("graph:n name:j", m->graphs->count, text_item(m, ep_value_field(graph, "name")));
    values_push(m->graphs, graph);
    return object;
}

static json *struct_item(making *m, ep_value value) {
    const char *type = ep_value_type(value);
    ep_value name = ep_value_field(value, "name");
    if (is_called(type, "GraphArgument")) {
        return graph_item(m, value);
    }
    if (is_called(type, "ComplexValue")) {
        return json_make("complex[:j :j]", types_scalar(m->s, ep_value_field(value, "real")),
                         types_scalar(m->s, ep_value_field(value, "imag")));
    }
    if (is_called(type, "SymExpr")) {
        return one_member("expression", types_size(m->s, value));
    }
    if (ep_value_kind(name) == EP_KIND_STR) {
        return one_member("value", text_item(m, name));
    }
    return one_member(is_called(type, "Device") ? "device" : "text", types_scalar(m->s, value));
}

static json *enum_item(making *m, ep_value value) {
    static const char *const keys[][2] = {{"ScalarType", "dtype"},
                                          {"Layout", "layout"},
                                          {"MemoryFormat", "memory_format"},
                                          {NULL, NULL}};
    const char *type = ep_value_type(value);
    const char *key = word_for(keys, type, "text");
    const dtype_row *dtype =
        is_called(type, "ScalarType") ? dtype_of_number(ep_value_int(value)) : NULL;
    return one_member(key, dtype != NULL ? json_text(bytes_of(dtype->torch))
                                         : types_scalar(m->s, value));
}

/* What is no list and no dict; tag: of the union that holds it. */
static json *plain_item(making *m, const char *tag, ep_value held) {
    ep_kind kind = ep_value_kind(held);
    if (is_called(tag, "as_none") || kind == EP_KIND_UNIT) {
        return json_null();
    }
    if (kind == EP_KIND_STRUCT) {
        return struct_item(m, held);
    }
    if (kind == EP_KIND_ENUM) {
        return enum_item(m, held);
    }
    if (kind == EP_KIND_STR && is_called(tag, "as_name")) {
        return one_member("value", text_item(m, held));
    }
    if (kind == EP_KIND_STR && is_called(tag, "as_operator")) {
        return one_member("operator", text_item(m, held));
    }
    return kind == EP_KIND_BYTES ? one_member("text", types_scalar(m->s, held))
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
    if (!many || is_called(tag, "as_none")) {
        place(m, plain_item(m, tag, held));
    } else if (m->depth == DEPTH_MAX) {
        place(m, one_member("text", types_scalar(m->s, held)));
    } else {
        json *made = kind == EP_KIND_DICT ? json_object() : json_array();
        m->items[m->depth++] = (open_item){.value = held, .made = made};
    }
}

static void end(making *m) {
    open_item done = m->items[--m->depth];
    bool dict = ep_value_kind(done.value) == EP_KIND_DICT;
    place(m, dict ? one_member("dict", done.made) : done.made);
}

static json *arguments_json(show *s, ep_value argument, value_list *graphs) {
    making m = {.s = s, .graphs = graphs};
    begin(&m, argument);
    while (m.depth > 0) {
        open_item *in = &m.items[m.depth - 1];
        if (in->next < ep_value_count(in->value)) {
            in->next++;
            begin(&m, ep_value_item(in->value, in->next - 1));
        } else {
            end(&m);
        }
    }
    return m.whole;
}

/* null, where it is not said. */
static json *text_of_value(show *s, ep_value text) {
    bool said = ep_value_kind(text) == EP_KIND_STR;
    return said ? json_text(text_of(text, s->arena, &s->failed)) : json_null();
}

static json *text_list(show *s, ep_value list) {
    json *array = json_array();
    for (size_t i = 0; i < ep_value_count(list); i++) {
        json_append(array, json_text(text_of(ep_value_item(list, i), s->arena, &s->failed)));
    }
    return array;
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
static void add_target(show *s, json *object, ep_bytes target) {
    bool fits = target.size <= s->left;
    json_members(object, "target:u", fits ? target : (ep_bytes){"", 0});
    s->left -= fits ? target.size : s->left;
}

static json *row_object(show *s, const signature_row *row) {
    json *object = json_make("role:s name:u", row->kind, types_name(s, row));
    add_target(s, object, row->target);
    json_members(object, "persistent:b", !row->transient);
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

static json *argument_list(show *s, ep_value list, value_list *graphs) {
    json *array = json_array();
    for (size_t i = 0; i < ep_value_count(list); i++) {
        json_append(array, arguments_json(s, ep_value_item(list, i), graphs));
    }
    return array;
}

static json *operand_list(show *s, ep_value inputs, value_list *graphs) {
    json *array = json_array();
    for (size_t i = 0; i < ep_value_count(inputs); i++) {
        ep_value input = ep_value_item(inputs, i);
        const char *kind = ep_value_name(ep_value_field(input, "kind"), 0);
        json_append(array, json_make("name:j keyword:b arg:j",
                                     text_of_value(s, ep_value_field(input, "name")),
                                     kind != NULL && bytes_equal(bytes_of(kind), "KEYWORD"),
                                     arguments_json(s, ep_value_field(input, "arg"), graphs)));
    }
    return array;
}

static json *node_object(show *s, ep_value node, value_list *graphs) {
    json *object = json_make("name:j target:j", text_of_value(s, ep_value_field(node, "name")),
                             text_of_value(s, ep_value_field(node, "target")));
    json_add(object, "inputs", operand_list(s, ep_value_field(node, "inputs"), graphs));
    json_add(object, "outputs", argument_list(s, ep_value_field(node, "outputs"), graphs));
    if (s->source) {
        buffer source = {0};
        show_put_source(s, node, &source);
        printer_end_line(&s->printer);
        json_add(object, "source", json_buffer(&source));
    }
    return object;
}

static json *node_list(show *s, ep_value nodes, value_list *graphs) {
    json *array = json_array();
    for (size_t i = 0; i < ep_value_count(nodes); i++) {
        json_append(array, node_object(s, ep_value_item(nodes, i), graphs));
    }
    return array;
}

/* Of a name that two tables have, each type stands; it is the first that counts. */
static json *value_table(show *s, ep_value graph) {
    name_list values = {0};
    json *object = json_object();
    show_names(s, graph, &values);
    for (size_t i = 0; i < values.count; i++) {
        const name_item *item = &values.items[i];
        json *type = json_object();
        if (i > 0 && bytes_compare(item->name, values.items[i - 1].name) == 0) {
            json_free(type);
            continue;
        }
        types_add(s, type, item->value);
        types_add_layout(s, type, item->value);
        json_add_at(object, item->name, type);
    }
    names_free(&values);
    return object;
}

/* argument: of a GraphArgument; a null value for the program's own graph. */
static json *graph_object(show *s, ep_value argument, value_list *graphs) {
    bool own = ep_value_kind(argument) == EP_KIND_NULL;
    ep_value graph = own ? graphs_main(s->program) : ep_value_field(argument, "graph");
    json *object = json_make("name:j", text_of_value(s, ep_value_field(argument, "name")));
    json_add(object, "inputs", argument_list(s, ep_value_field(graph, "inputs"), graphs));
    json_add(object, "outputs", argument_list(s, ep_value_field(graph, "outputs"), graphs));
    json_add(object, "values", value_table(s, graph));
    json_add(object, "nodes", node_list(s, ep_value_field(graph, "nodes"), graphs));
    return object;
}

static json *graph_list(show *s) {
    value_list graphs = {0};
    json *array = json_array();
    values_push(&graphs, (ep_value){0});
    for (size_t i = 0; i < graphs.count && !graphs.failed && !s->failed; i++) {
        json_append(array, graph_object(s, graphs.items[i], &graphs));
    }
    s->failed = s->failed || graphs.failed;
    values_free(&graphs);
    return array;
}

/* What PyTorch is known not to load or not to keep, each with its first place. */
static json *note_list(show *s) {
    ep_value found[DEVIATION_COUNT];
    json *list = json_array();
    s->failed = !deviations_find(s->program, s->arena, found) || s->failed;
    for (int i = 0; i < DEVIATION_COUNT; i++) {
        if (ep_value_kind(found[i]) != EP_KIND_NULL) {
            json_append(list, deviation_object((deviation_id)i, found[i]));
        }
    }
    return list;
}

void show_put_json(show *s, ep_bytes label) {
    ep_value root = ep_program_root(s->program);
    s->printer.full = true;
    json *object = json_make("file:t schema_version:s torch_version:j opset_version:j verifiers:j "
                             "dialect:j",
                             label, ep_program_version(s->program)->name,
                             text_of_value(s, ep_value_field(root, "torch_version")), opsets(s),
                             text_list(s, ep_value_field(root, "verifiers")),
                             text_of_value(s, ep_value_field(root, "dialect")));
    add_signature(s, object);
    json_add(object, "symbols", types_symbols(s));
    json_add(object, "guards", text_list(s, ep_value_field(root, "guards_code")));
    json_add(object, "notes", note_list(s));
    json_add(object, "graphs", graph_list(s));
    json_put(s->out, object);
}
