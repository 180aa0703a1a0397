/*
 * building_values.c - values of graphs, and arguments; see building.h.
 */
#include "building.h"

#include "common/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --------------------------------------------------------------------- values */

const ep_built_value *rebuild_value(const rebuild *r, const ep_built_graph *graph, ep_bytes name) {
    for (size_t i = r->value_count; i-- > 0;) {
        if (r->values[i].graph == graph && bytes_compare(r->values[i].name, name) == 0) {
            return r->values[i].value;
        }
    }
    return NULL;
}

static void keep_value(rebuild *r, const ep_built_graph *graph, ep_bytes name,
                       const ep_built_value *value) {
    if (memory_room(&r->values, r->value_count, &r->value_room, sizeof *r->values)) {
        r->values[r->value_count++] = (known_value){graph, name, value};
    } else {
        r->failed = true;
    }
}

static ep_dim dim_of(rebuild *r, ep_value sym_int) {
    ep_value expr = ep_value_field(sym_int, "as_expr");
    if (ep_value_kind(expr) != EP_KIND_NULL) {
        return (ep_dim){0, rebuild_expr(r, EP_KIND_INT, expr)};
    }
    ep_value number =
        ep_value_kind(sym_int) == EP_KIND_INT ? sym_int : ep_value_field(sym_int, "as_int");
    return (ep_dim){ep_value_int(number), NULL};
}

static ep_dim *dims_of(rebuild *r, ep_value list) {
    size_t count = ep_value_count(list);
    ep_dim *dims = rebuild_alloc(r, count, sizeof *dims);
    for (size_t i = 0; dims != NULL && i < count; i++) {
        dims[i] = dim_of(r, ep_value_item(list, i));
    }
    return dims;
}

/* What a number times a size is, if that is a symbol; NULL for another expression. */
static const char *product_of(rebuild *r, int64_t number, ep_value size) {
    static const char srepr[] = "Symbol('";
    const char *text = rebuild_text(r, rebuild_at(size, "as_expr", "expr_str"));
    if (text == NULL || number == 1) {
        return text;
    }
    bool is_srepr = strncmp(text, srepr, sizeof srepr - 1) == 0;
    bool is_symbol = is_srepr || strpbrk(text, " (*/") == NULL;
    size_t room = strlen(text) + 64;
    char *product = is_symbol ? rebuild_alloc(r, room, 1) : NULL;
    if (product != NULL) {
        snprintf(product, room, is_srepr ? "Mul(Integer(%" PRId64 "), %s)" : "%" PRId64 "*%s",
                 number, text);
    }
    return product;
}

/* A stride: a number, times a size that is an expression where there is one. */
typedef struct stride {
    int64_t number;
    ep_value size;
    bool symbolic;
} stride;

/* Whether a stride is written so. */
static bool is_stride(rebuild *r, const stride *wanted, const ep_dim *dim, ep_value written) {
    if (!wanted->symbolic) {
        return dim->expr == NULL && dim->number == wanted->number;
    }
    const char *text = product_of(r, wanted->number, wanted->size);
    return text != NULL && rebuild_has_text(rebuild_at(written, "as_expr", "expr_str"), r, text);
}

/* Turns a stride into that of the dimension before; a size of 0 counts as 1. False: it
 * is a product of more than a number and a symbol. */
static bool next_stride(stride *at, const ep_dim *dim, ep_value size) {
    if (dim->expr != NULL) {
        bool first = !at->symbolic;
        at->symbolic = true;
        at->size = size;
        return first;
    }
    int64_t number = dim->number > 1 ? dim->number : 1;
    bool simple = number == 1 || !at->symbolic || at->number == 1;
    if (!simple || at->number > INT64_MAX / number) {
        return false;
    }
    at->number *= number;
    return true;
}

/* Whether the strides are those that a builder gives a contiguous tensor by itself. Of
 * longer products that is not asked: they are said. */
static bool is_contiguous(rebuild *r, ep_value meta, const ep_dim *sizes, const ep_dim *strides) {
    ep_value said = ep_value_field(meta, "sizes");
    ep_value written = ep_value_field(meta, "strides");
    size_t rank = ep_value_count(said);
    stride wanted = {.number = 1};
    if (ep_value_count(written) != rank) {
        return false;
    }
    for (size_t i = rank; i-- > 0;) {
        if (!is_stride(r, &wanted, &strides[i], ep_value_item(written, i)) ||
            (i > 0 && !next_stride(&wanted, &sizes[i], ep_value_item(said, i)))) {
            return false;
        }
    }
    return true;
}

/* The name that the latest version has for a type. */
static const char *dtype_of(ep_value dtype) {
    static const char *const names[][2] = {{"UNSIGNED_SHORT", "UINT16"},
                                           {"FLOAT8_E4M3FN", "FLOAT8E4M3FN"},
                                           {"FLOAT8_E5M2", "FLOAT8E5M2"}};
    const char *name = ep_value_name(dtype, 0);
    for (size_t i = 0; name != NULL && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i][0]) == 0) {
            return names[i][1];
        }
    }
    return name;
}

static const ep_built_value *build_tensor(rebuild *r, ep_built_graph *graph, const char *name,
                                          ep_value value) {
    ep_value wrapped = ep_value_field(value, "meta"); /* version 1 */
    ep_value meta = ep_value_kind(wrapped) == EP_KIND_STRUCT ? wrapped : value;
    ep_value device = ep_value_field(meta, "device");
    ep_value index = ep_value_field(device, "index");
    ep_dim *sizes = dims_of(r, ep_value_field(meta, "sizes"));
    ep_dim *strides = dims_of(r, ep_value_field(meta, "strides"));
    if (sizes == NULL || strides == NULL) {
        return NULL;
    }
    const char *layout = ep_value_name(ep_value_field(meta, "layout"), 0);
    const char *type = rebuild_text(r, ep_value_field(device, "type"));
    ep_tensor_info info = {
        .dtype = dtype_of(ep_value_field(meta, "dtype")),
        .sizes = sizes,
        .strides = is_contiguous(r, meta, sizes, strides) ? NULL : strides,
        .rank = ep_value_count(ep_value_field(meta, "sizes")),
        .storage_offset = dim_of(r, ep_value_field(meta, "storage_offset")),
        .device = type != NULL && strcmp(type, "cpu") == 0 ? NULL : type,
        .device_index = ep_value_int(index),
        .has_device_index = ep_value_kind(index) == EP_KIND_INT,
        .requires_grad = ep_value_int(ep_value_field(meta, "requires_grad")) != 0,
        .layout = layout != NULL && strcmp(layout, "Strided") == 0 ? NULL : layout};
    return ep_build_tensor(r->b, graph, name, &info);
}

static const ep_built_value *build_value(rebuild *r, ep_built_graph *graph, const char *table,
                                         const char *name, ep_value value) {
    if (strcmp(table, "tensor_values") == 0) {
        return build_tensor(r, graph, name, value);
    }
    if (strcmp(table, "custom_obj_values") == 0) {
        return ep_build_custom_obj(r->b, graph, name,
                                   rebuild_text(r, ep_value_field(value, "class_fqn")));
    }
    ep_kind kind = strcmp(table, "sym_int_values") == 0     ? EP_KIND_INT
                   : strcmp(table, "sym_float_values") == 0 ? EP_KIND_FLOAT
                                                            : EP_KIND_BOOL;
    ep_value expr = ep_value_field(value, "as_expr");
    bool number = ep_value_kind(expr) == EP_KIND_NULL;
    if (number && kind != EP_KIND_INT) {
        r->unsaid = "a symbolic float or bool that is a number";
    }
    const ep_built_expr *made = number ? ep_expr_int(r->b, ep_value_int(ep_value_item(value, 0)))
                                       : rebuild_expr(r, kind, expr);
    return ep_build_symbolic(r->b, graph, name, made);
}

void rebuild_values(rebuild *r, ep_value graph, ep_built_graph *into) {
    static const char *const tables[] = {"tensor_values", "sym_int_values", "sym_bool_values",
                                         "sym_float_values", "custom_obj_values"};
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        ep_value table = ep_value_field(graph, tables[t]);
        for (size_t i = 0; i < ep_value_count(table); i++) {
            const char *name = rebuild_key(r, table, i);
            keep_value(r, into, bytes_of(name != NULL ? name : ""),
                       build_value(r, into, tables[t], name, ep_value_item(table, i)));
        }
    }
}

/* ------------------------------------------------------------------ arguments */

typedef const ep_built_arg *maker(rebuild *r, const ep_built_graph *graph, ep_value held);

/* The value that a struct, union or text names. */
static const ep_built_value *named_value(rebuild *r, const ep_built_graph *graph, ep_value held) {
    ep_value inner = ep_value_kind(held) == EP_KIND_UNION ? ep_value_item(held, 0) : held;
    ep_value name = ep_value_kind(inner) == EP_KIND_STRUCT ? ep_value_field(inner, "name") : inner;
    ep_bytes text;
    return ep_value_text(name, r->arena, &text) ? rebuild_value(r, graph, text) : NULL;
}

/* LIST(NAME, TYPE, ITEM, MADE): what makes an argument of a list, whose items are of a type. */
#define LIST(name, type, item, made)                                                               \
    static const ep_built_arg *name(rebuild *r, const ep_built_graph *graph, ep_value list) {      \
        size_t count = ep_value_count(list);                                                       \
        type *items = rebuild_alloc(r, count, sizeof *items);                                      \
        (void)graph;                                                                               \
        for (size_t i = 0; items != NULL && i < count; i++) {                                      \
            ep_value each = ep_value_item(list, i);                                                \
            items[i] = item;                                                                       \
        }                                                                                          \
        return made;                                                                               \
    }

LIST(ints_of, int64_t, ep_value_int(each), ep_arg_ints(r->b, items, count))
LIST(floats_of, double, ep_value_float(each), ep_arg_floats(r->b, items, count))
LIST(some_bools_of, bool, ep_value_int(each) != 0, ep_arg_bools(r->b, items, count))
LIST(strings_of, ep_bytes, rebuild_bytes(r, each), ep_arg_strings(r->b, items, count))
LIST(tensors_of, const ep_built_value *, named_value(r, graph, each),
     items == NULL ? NULL : ep_arg_tensors(r->b, items, count))
LIST(optionals_of, const ep_built_value *, named_value(r, graph, each),
     ep_arg_optional_tensors(r->b, items, count))
LIST(int_lists_of, const ep_built_arg *, ints_of(r, graph, each), ep_arg_lists(r->b, items, count))
LIST(float_lists_of, const ep_built_arg *, floats_of(r, graph, each),
     ep_arg_lists(r->b, items, count))
LIST(tensor_lists_of, const ep_built_arg *, tensors_of(r, graph, each),
     ep_arg_lists(r->b, items, count))

/* Releases before 5.3 wrote a list of nothing as one of bools, whatever it was of. */
static const ep_built_arg *bools_of(rebuild *r, const ep_built_graph *graph, ep_value list) {
    const ep_version *version = ep_program_version(r->program);
    bool old = version->major < 5 || (version->major == 5 && version->minor < 3);
    return old && ep_value_count(list) == 0 ? ep_arg_ints(r->b, NULL, 0)
                                            : some_bools_of(r, graph, list);
}

/* A symbolic value by its name, or a number. */
static const ep_built_arg *symbolic_of(rebuild *r, const ep_built_graph *graph, ep_value held) {
    ep_value inner = ep_value_item(held, 0);
    switch ((int)ep_value_kind(inner)) {
    case EP_KIND_INT:
        return ep_arg_int(r->b, ep_value_int(inner));
    case EP_KIND_FLOAT:
        return ep_arg_float(r->b, ep_value_float(inner));
    case EP_KIND_BOOL:
        return ep_arg_bool(r->b, ep_value_int(inner) != 0);
    default:
        return ep_arg_value(r->b, named_value(r, graph, inner));
    }
}

LIST(symbolics_of, const ep_built_arg *, symbolic_of(r, graph, each),
     ep_arg_symbolic_list(r->b, items, count))

static const ep_built_arg *dict_of(rebuild *r, const ep_built_graph *graph, ep_value dict) {
    size_t count = ep_value_count(dict);
    const ep_built_arg **items = rebuild_alloc(r, count, sizeof *items);
    const char **keys = rebuild_alloc(r, count, sizeof *keys);
    for (size_t i = 0; items != NULL && keys != NULL && i < count; i++) {
        keys[i] = rebuild_key(r, dict, i);
        items[i] = rebuild_arg(r, graph, ep_value_item(dict, i));
    }
    return ep_arg_dict(r->b, keys, items, count);
}

static const ep_built_arg *device_of(rebuild *r, ep_value device) {
    ep_value index = ep_value_field(device, "index");
    int64_t number = ep_value_int(index);
    return ep_arg_device(r->b, rebuild_text(r, ep_value_field(device, "type")),
                         ep_value_kind(index) == EP_KIND_INT ? &number : NULL);
}

static const ep_built_arg *graph_of(rebuild *r, ep_value held) {
    ep_built_graph *graph = ep_build_subgraph(r->b);
    rebuild_graph(r, ep_value_field(held, "graph"), graph);
    return ep_arg_graph(r->b, rebuild_text(r, ep_value_field(held, "name")), graph);
}

/* MAKES(NAME, EXPRESSION): what makes an argument of what is held under a tag. */
#define MAKES(name, expression)                                                                    \
    static const ep_built_arg *name(rebuild *r, const ep_built_graph *graph, ep_value held) {      \
        (void)graph;                                                                               \
        (void)held;                                                                                \
        return expression;                                                                         \
    }

MAKES(make_none, ep_arg_none(r->b))
MAKES(make_int, ep_arg_int(r->b, ep_value_int(held)))
MAKES(make_float, ep_arg_float(r->b, ep_value_float(held)))
MAKES(make_bool, ep_arg_bool(r->b, ep_value_int(held) != 0))
MAKES(make_string, ep_arg_string(r->b, rebuild_bytes(r, held)))
MAKES(make_device, device_of(r, held))
MAKES(make_complex, ep_arg_complex(r->b, ep_value_float(ep_value_field(held, "real")),
                                   ep_value_float(ep_value_field(held, "imag"))))
MAKES(make_operator, ep_arg_operator(r->b, rebuild_text(r, held)))
MAKES(make_scalar_type, ep_arg_scalar_type(r->b, ep_value_name(held, 0)))
MAKES(make_layout, ep_arg_layout(r->b, ep_value_name(held, 0)))
MAKES(make_memory_format, ep_arg_memory_format(r->b, ep_value_name(held, 0)))
MAKES(make_value, ep_arg_value(r->b, named_value(r, graph, held)))
MAKES(make_optional, ep_arg_optional_tensor(r->b, named_value(r, graph, held)))
MAKES(make_graph, graph_of(r, held))

static const struct {
    const char *tag;
    maker *make;
} makers[] = {{"as_none", make_none},
              {"as_int", make_int},
              {"as_float", make_float},
              {"as_bool", make_bool},
              {"as_string", make_string},
              {"as_ints", ints_of},
              {"as_floats", floats_of},
              {"as_bools", bools_of},
              {"as_strings", strings_of},
              {"as_tensor", make_value},
              {"as_custom_obj", make_value},
              {"as_sym_int", symbolic_of},
              {"as_sym_float", symbolic_of},
              {"as_sym_bool", symbolic_of},
              {"as_tensors", tensors_of},
              {"as_sym_ints", symbolics_of},
              {"as_sym_floats", symbolics_of},
              {"as_sym_bools", symbolics_of},
              {"as_optional_tensor", make_optional},
              {"as_optional_tensors", optionals_of},
              {"as_int_lists", int_lists_of},
              {"as_float_lists", float_lists_of},
              {"as_nested_tensors", tensor_lists_of},
              {"as_string_to_argument", dict_of},
              {"as_device", make_device},
              {"as_complex", make_complex},
              {"as_operator", make_operator},
              {"as_scalar_type", make_scalar_type},
              {"as_layout", make_layout},
              {"as_memory_format", make_memory_format},
              {"as_graph", make_graph}};

const ep_built_arg *rebuild_arg(rebuild *r, const ep_built_graph *graph, ep_value argument) {
    const char *tag = ep_value_name(argument, 0);
    for (size_t i = 0; tag != NULL && i < sizeof makers / sizeof makers[0]; i++) {
        if (strcmp(tag, makers[i].tag) == 0) {
            return makers[i].make(r, graph, ep_value_item(argument, 0));
        }
    }
    return NULL;
}
