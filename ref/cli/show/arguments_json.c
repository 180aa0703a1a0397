/*
 * arguments_json.c - see arguments_json.h. Lists and dicts that are open wait on a stack.
 */
#include "arguments_json.h"

#include "archive/pickle/dtype.h"
#include "types_json.h"

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

static json *complex_item(making *m, ep_value number) {
    json *list = json_array();
    json_append(list, types_scalar(m->s, ep_value_field(number, "real")));
    json_append(list, types_scalar(m->s, ep_value_field(number, "imag")));
    return one_member("complex", list);
}

static json *struct_item(making *m, ep_value value) {
    const char *type = ep_value_type(value);
    ep_value name = ep_value_field(value, "name");
    if (is_called(type, "GraphArgument")) {
        return graph_item(m, value);
    }
    if (is_called(type, "ComplexValue")) {
        return complex_item(m, value);
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
    static const char *const keys[][2] = {
        {"ScalarType", "dtype"}, {"Layout", "layout"}, {"MemoryFormat", "memory_format"}};
    const char *type = ep_value_type(value);
    const char *key = "text";
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        key = is_called(type, keys[i][0]) ? keys[i][1] : key;
    }
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
        ep_bytes key;
        m->s->failed = !ep_value_key(in->value, in->next - 1, m->s->arena, &key) || m->s->failed;
        json_add_at(in->made, key, item);
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

json *arguments_json(show *s, ep_value argument, value_list *graphs) {
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
