/*
 * builder_arguments.c - the arguments of a builder: of each tag a row, which makes one of what
 * Python gives.
 */
#include "builder.h"

#include <string.h>

typedef const ep_built_arg *make_arg(const building *c, PyObject *value);

/* What is NULL with an exception is a mistake of the caller's; without one, the builder's
 * refusal. */

static const ep_built_arg *make_none(const building *c, PyObject *value) {
    (void)value;
    return ep_arg_none(c->b);
}

/* Of one item. */
#define MAKE(name, type, convert, take)                                                            \
    static const ep_built_arg *name(const building *c, PyObject *value) {                          \
        type item;                                                                                 \
        return convert(c, value, &item) ? take(c->b, item) : NULL;                                 \
    }

MAKE(make_int, int64_t, item_int, ep_arg_int)
MAKE(make_float, double, item_float, ep_arg_float)
MAKE(make_bool, bool, item_bool, ep_arg_bool)
MAKE(make_string, ep_bytes, item_bytes, ep_arg_string)
MAKE(make_operator, const char *, item_text, ep_arg_operator)
MAKE(make_scalar_type, const char *, item_text, ep_arg_scalar_type)
MAKE(make_layout, const char *, item_text, ep_arg_layout)
MAKE(make_memory_format, const char *, item_text, ep_arg_memory_format)

/* Of a tuple of items. */
#define MAKE_LIST(name, type, convert, take)                                                       \
    static const ep_built_arg *name(const building *c, PyObject *value) {                          \
        array list = {c, sizeof(type), convert, NULL, 0};                                          \
        NEED(to_array(value, &list));                                                              \
        const ep_built_arg *arg = take(c->b, list.items, list.count);                              \
        release(list.items);                                                                       \
        return arg;                                                                                \
    }

MAKE_LIST(make_ints, int64_t, item_int, ep_arg_ints)
MAKE_LIST(make_floats, double, item_float, ep_arg_floats)
MAKE_LIST(make_bools, bool, item_bool, ep_arg_bools)
MAKE_LIST(make_strings, ep_bytes, item_bytes, ep_arg_strings)
MAKE_LIST(make_tensors, const ep_built_value *, item_value, ep_arg_tensors)
MAKE_LIST(make_optional_tensors, const ep_built_value *, item_value_or_none,
          ep_arg_optional_tensors)
MAKE_LIST(make_symbolic_list, const ep_built_arg *, item_arg, ep_arg_symbolic_list)
MAKE_LIST(make_lists, const ep_built_arg *, item_arg, ep_arg_lists)

static const ep_built_arg *make_complex(const building *c, PyObject *value) {
    if (!PyComplex_Check(value)) {
        PyErr_Format(PyExc_TypeError, "no complex: %R", value);
        return NULL;
    }
    return ep_arg_complex(c->b, PyComplex_RealAsDouble(value), PyComplex_ImagAsDouble(value));
}

/* A tuple: type, and index or None. */
static const ep_built_arg *make_device(const building *c, PyObject *value) {
    const char *type;
    optional_int index;
    NEED(PyArg_ParseTuple(value, "sO&", &type, to_optional_int, &index));
    return ep_arg_device(c->b, type, index.is_given ? &index.number : NULL);
}

/* A tuple of keys, and one of arguments. */
static const ep_built_arg *make_dict(const building *c, PyObject *value) {
    array keys = {c, sizeof(const char *), item_text, NULL, 0};
    array items = {c, sizeof(ep_built_arg *), item_arg, NULL, 0};
    NEED(PyArg_ParseTuple(value, "O&O&", to_array, &keys, to_array, &items));
    const ep_built_arg *arg = NULL;
    if (same_number(&keys, &items, "keys and items of different number")) {
        arg = ep_arg_dict(c->b, keys.items, items.items, keys.count);
    }
    release(keys.items);
    release(items.items);
    return arg;
}

/* ------------------------------------------------------------------ values */

static const ep_built_arg *make_value(const building *c, PyObject *value) {
    const ep_built_value *is = part_of(c, PART_VALUE, value);
    return is != NULL ? ep_arg_value(c->b, is) : NULL;
}

static const ep_built_arg *make_optional_tensor(const building *c, PyObject *value) {
    const ep_built_value *is = NULL;
    return item_value_or_none(c, value, &is) ? ep_arg_optional_tensor(c->b, is) : NULL;
}

/* A tuple: name, graph. */
static const ep_built_arg *make_graph(const building *c, PyObject *value) {
    const char *name;
    part graph = {c, NULL};
    NEED(PyArg_ParseTuple(value, "sO&", &name, to_built_graph, &graph));
    return ep_arg_graph(c->b, name, graph.is);
}

static const struct {
    const char *tag;
    make_arg *make;
} rows[] = {
    {"as_none", make_none},
    {"as_int", make_int},
    {"as_float", make_float},
    {"as_bool", make_bool},
    {"as_complex", make_complex},
    {"as_string", make_string},
    {"as_operator", make_operator},
    {"as_device", make_device},
    {"as_scalar_type", make_scalar_type},
    {"as_layout", make_layout},
    {"as_memory_format", make_memory_format},
    {"as_ints", make_ints},
    {"as_floats", make_floats},
    {"as_bools", make_bools},
    {"as_strings", make_strings},
    {"as_tensor", make_value},
    {"as_sym_int", make_value},
    {"as_sym_float", make_value},
    {"as_sym_bool", make_value},
    {"as_custom_obj", make_value},
    {"as_tensors", make_tensors},
    {"as_optional_tensor", make_optional_tensor},
    {"as_optional_tensors", make_optional_tensors},
    {"as_sym_ints", make_symbolic_list},
    {"as_sym_floats", make_symbolic_list},
    {"as_sym_bools", make_symbolic_list},
    {"as_int_lists", make_lists},
    {"as_float_lists", make_lists},
    {"as_nested_tensors", make_lists},
    {"as_string_to_argument", make_dict},
    {"as_graph", make_graph},
};

METHOD(arg) {
    building c;
    const char *tag;
    PyObject *value;
    TAKE("O&sO", to_building, &c, &tag, &value);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].tag, tag) == 0) {
            const ep_built_arg *is = rows[i].make(&c, value);
            return is == NULL && PyErr_Occurred() != NULL ? NULL : made(&c, PART_ARG, is);
        }
    }
    return PyErr_Format(PyExc_ValueError, "no tag of an argument: %s", tag);
}

PyMethodDef BUILDER_ARGUMENT_METHODS[] = {
    {"builder_arg", arg, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
