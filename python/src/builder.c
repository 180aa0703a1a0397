/*
 * builder.c - builders: their handles, expressions, graphs and values.
 */
#include "builder.h"

#include <string.h>

static const char NAME[] = "epref.builder";

/* ----------------------------------------------------------------- handles */

static void destroy(PyObject *capsule) {
    builder_handle *handle = PyCapsule_GetPointer(capsule, NAME);
    if (handle->builder != NULL) { /* gives back what the arena does not */
        ep_built built;
        ep_builder_finish(handle->builder, &handle->arena, EP_BUILD_TEXT, &built, NULL);
    }
    ep_arena_free(&handle->arena);
    PyMem_Free(handle);
}

int to_building(PyObject *capsule, void *building_out) {
    building *c = building_out;
    builder_handle *handle = PyCapsule_GetPointer(capsule, NAME);
    if (handle == NULL) {
        return 0;
    }
    if (handle->builder == NULL) {
        PyErr_SetString(PyExc_ValueError, "the builder has ended");
        return 0;
    }
    *c = (building){capsule, handle, handle->builder};
    return 1;
}

METHOD(open_builder) {
    const ep_version *version;
    ep_error error;
    if (!PyArg_ParseTuple(arguments, "O&", to_version, &version)) {
        return NULL;
    }
    builder_handle *handle = zeroed(sizeof *handle);
    if (handle == NULL) {
        return NULL;
    }
    ep_arena_init(&handle->arena, ep_heap(), 0);
    handle->builder = ep_builder_open(&handle->arena, version, &error);
    PyObject *capsule = NULL;
    if (handle->builder == NULL) {
        raise_error(&error);
    } else {
        capsule = PyCapsule_New(handle, NAME, destroy);
    }
    if (capsule == NULL) {
        ep_arena_free(&handle->arena);
        PyMem_Free(handle);
    }
    return capsule;
}

/* ------------------------------------------------------------------- parts */

static const char *const PART_NAMES[] = {"epref.built_graph", "epref.built_value",
                                         "epref.built_expr", "epref.built_arg", "epref.built_tree"};

static void destroy_part(PyObject *capsule) {
    Py_XDECREF((PyObject *)PyCapsule_GetContext(capsule));
}

void *part_of(const building *c, part_kind kind, PyObject *capsule) {
    void *what = PyCapsule_GetPointer(capsule, PART_NAMES[kind]);
    if (what != NULL && PyCapsule_GetContext(capsule) != c->capsule) {
        PyErr_SetString(PyExc_ValueError, "it is of another builder");
        return NULL;
    }
    return what;
}

/* Raises why the builder refused; that ends it. */
static PyObject *refuse(const building *c) {
    ep_built built;
    ep_error error;
    c->handle->builder = NULL;
    ep_builder_finish(c->b, &c->handle->arena, EP_BUILD_TEXT, &built, &error);
    return raise_error(&error);
}

PyObject *made(const building *c, part_kind kind, const void *what) {
    if (what == NULL) {
        return refuse(c);
    }
    void *part = (void *)(uintptr_t)what; /* that a capsule changes nothing of */
    PyObject *capsule = PyCapsule_New(part, PART_NAMES[kind], destroy_part);
    if (capsule != NULL) {
        Py_INCREF(c->capsule);
        PyCapsule_SetContext(capsule, c->capsule);
    }
    return capsule;
}

PyObject *said(const building *c, bool ok) {
    return ok ? none() : refuse(c);
}

/* ------------------------------------------------------------------- lists */

void *array_of(const building *c, PyObject *tuple, size_t size, to_item *convert, size_t *count) {
    *count = 0;
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError, "no tuple");
        return NULL;
    }
    *count = (size_t)PyTuple_Size(tuple);
    char *items = zeroed((*count + 1) * size);
    for (size_t i = 0; items != NULL && i < *count; i++) {
        if (!convert(c, PyTuple_GetItem(tuple, (Py_ssize_t)i), items + i * size)) {
            PyMem_Free(items);
            items = NULL;
        }
    }
    return items;
}

/* A TypeError, unless it is so. Only what runs no code of the caller's is asked for a number:
 * that code could end the builder. */
static bool is_type(bool is, const char *wanted, PyObject *item) {
    if (!is) {
        PyErr_Format(PyExc_TypeError, "no %s: %R", wanted, item);
    }
    return is;
}

bool item_int(const building *c, PyObject *item, void *to) {
    int64_t *out = to;
    (void)c;
    if (!is_type(PyLong_Check(item), "int", item)) {
        return false;
    }
    *out = PyLong_AsLongLong(item);
    return PyErr_Occurred() == NULL;
}

bool item_float(const building *c, PyObject *item, void *to) {
    double *out = to;
    bool is_float = PyFloat_Check(item);
    (void)c;
    if (!is_type(is_float || PyLong_Check(item), "float", item)) {
        return false;
    }
    *out = is_float ? PyFloat_AsDouble(item) : PyLong_AsDouble(item);
    return PyErr_Occurred() == NULL;
}

bool item_bool(const building *c, PyObject *item, void *to) {
    bool *out = to;
    (void)c;
    *out = item == Py_True;
    return is_type(PyBool_Check(item), "bool", item);
}

bool item_text(const building *c, PyObject *item, void *to) {
    (void)c;
    return PyArg_Parse(item, "s", to);
}

bool item_bytes(const building *c, PyObject *item, void *to) {
    ep_bytes *out = to;
    Py_ssize_t size = 0;
    (void)c;
    bool ok = PyArg_Parse(item, "s#", &out->data, &size);
    out->size = (size_t)size;
    return ok;
}

bool item_dim(const building *c, PyObject *item, void *to) {
    ep_dim *out = to;
    if (PyLong_Check(item)) {
        return item_int(c, item, &out->number);
    }
    out->expr = part_of(c, PART_EXPR, item);
    return out->expr != NULL;
}

static bool item_part(const building *c, part_kind kind, PyObject *item, void *to) {
    void *part = part_of(c, kind, item);
    memcpy(to, &part, sizeof part);
    return part != NULL;
}

bool item_value(const building *c, PyObject *item, void *to) {
    return item_part(c, PART_VALUE, item, to);
}

bool item_value_or_none(const building *c, PyObject *item, void *to) {
    return item == Py_None || item_part(c, PART_VALUE, item, to);
}

bool item_arg(const building *c, PyObject *item, void *to) {
    return item_part(c, PART_ARG, item, to);
}

bool item_tree(const building *c, PyObject *item, void *to) {
    return item_part(c, PART_TREE, item, to);
}

bool optional_text(PyObject *object, const char **text) {
    *text = NULL;
    return PyArg_Parse(object, "z", text);
}

/* ------------------------------------------------------------- expressions */

METHOD(expr_int) {
    building c;
    long long number;
    if (!PyArg_ParseTuple(arguments, "O&L", to_building, &c, &number)) {
        return NULL;
    }
    return made(&c, PART_EXPR, ep_expr_int(c.b, number));
}

METHOD(expr_symbol) {
    building c;
    const char *name;
    PyObject *said_hint;
    int64_t hint = 0;
    if (!PyArg_ParseTuple(arguments, "O&sO", to_building, &c, &name, &said_hint)) {
        return NULL;
    }
    bool has_hint = said_hint != Py_None;
    if (has_hint && !item_int(&c, said_hint, &hint)) {
        return NULL;
    }
    return made(&c, PART_EXPR, ep_expr_symbol(c.b, name, has_hint ? &hint : NULL));
}

METHOD(expr_float_symbol) {
    building c;
    const char *name;
    if (!PyArg_ParseTuple(arguments, "O&s", to_building, &c, &name)) {
        return NULL;
    }
    return made(&c, PART_EXPR, ep_expr_float_symbol(c.b, name));
}

METHOD(expr_apply) {
    building c;
    int op;
    PyObject *parts[2];
    const ep_built_expr *exprs[2] = {NULL, NULL};
    if (!PyArg_ParseTuple(arguments, "O&iOO", to_building, &c, &op, &parts[0], &parts[1])) {
        return NULL;
    }
    for (size_t i = 0; i < 2; i++) {
        if (parts[i] != Py_None && !item_part(&c, PART_EXPR, parts[i], &exprs[i])) {
            return NULL;
        }
    }
    return made(&c, PART_EXPR, ep_expr_apply(c.b, (ep_sym_op)op, exprs[0], exprs[1]));
}

METHOD(expr_text) {
    building c;
    int kind;
    const char *text;
    if (!PyArg_ParseTuple(arguments, "O&is", to_building, &c, &kind, &text)) {
        return NULL;
    }
    return made(&c, PART_EXPR, ep_expr_text(c.b, (ep_kind)kind, text));
}

/* ------------------------------------------------------------------ graphs */

METHOD(root) {
    building c;
    if (!PyArg_ParseTuple(arguments, "O&", to_building, &c)) {
        return NULL;
    }
    return made(&c, PART_GRAPH, ep_build_root(c.b));
}

METHOD(subgraph) {
    building c;
    if (!PyArg_ParseTuple(arguments, "O&", to_building, &c)) {
        return NULL;
    }
    return made(&c, PART_GRAPH, ep_build_subgraph(c.b));
}

/* The sizes and strides of a tensor, which are freed behind it. */
static bool read_dims(const building *c, PyObject *sizes, PyObject *strides, ep_tensor_info *info) {
    size_t count = 0;
    info->sizes = array_of(c, sizes, sizeof(ep_dim), item_dim, &info->rank);
    if (info->sizes == NULL || strides == Py_None) {
        return info->sizes != NULL;
    }
    info->strides = array_of(c, strides, sizeof(ep_dim), item_dim, &count);
    if (info->strides != NULL && count != info->rank) {
        PyErr_SetString(PyExc_ValueError, "strides of another number than sizes");
        return false;
    }
    return info->strides != NULL;
}

METHOD(tensor) {
    building c;
    PyObject *graph, *sizes, *strides, *offset, *index;
    const char *name;
    int requires_grad;
    ep_tensor_info info = {0};
    PyObject *capsule = NULL;
    if (!PyArg_ParseTuple(arguments, "O&OssOOOzOpz", to_building, &c, &graph, &name, &info.dtype,
                          &sizes, &strides, &offset, &info.device, &index, &requires_grad,
                          &info.layout)) {
        return NULL;
    }
    info.requires_grad = requires_grad != 0;
    info.has_device_index = index != Py_None;
    ep_built_graph *into = part_of(&c, PART_GRAPH, graph);
    if (into != NULL && item_dim(&c, offset, &info.storage_offset) &&
        (!info.has_device_index || item_int(&c, index, &info.device_index)) &&
        read_dims(&c, sizes, strides, &info)) {
        capsule = made(&c, PART_VALUE, ep_build_tensor(c.b, into, name, &info));
    }
    PyMem_Free((void *)(uintptr_t)info.sizes);
    PyMem_Free((void *)(uintptr_t)info.strides);
    return capsule;
}

METHOD(symbolic) {
    building c;
    PyObject *graph, *expr;
    const char *name;
    if (!PyArg_ParseTuple(arguments, "O&OsO", to_building, &c, &graph, &name, &expr)) {
        return NULL;
    }
    ep_built_graph *into = part_of(&c, PART_GRAPH, graph);
    const ep_built_expr *is = into != NULL ? part_of(&c, PART_EXPR, expr) : NULL;
    return is != NULL ? made(&c, PART_VALUE, ep_build_symbolic(c.b, into, name, is)) : NULL;
}

METHOD(custom_obj) {
    building c;
    PyObject *graph;
    const char *name, *class_fqn;
    if (!PyArg_ParseTuple(arguments, "O&Oss", to_building, &c, &graph, &name, &class_fqn)) {
        return NULL;
    }
    ep_built_graph *into = part_of(&c, PART_GRAPH, graph);
    return into != NULL ? made(&c, PART_VALUE, ep_build_custom_obj(c.b, into, name, class_fqn))
                        : NULL;
}

PyMethodDef BUILDER_METHODS[] = {
    {"builder_open", open_builder, METH_VARARGS, NULL},
    {"builder_expr_int", expr_int, METH_VARARGS, NULL},
    {"builder_expr_symbol", expr_symbol, METH_VARARGS, NULL},
    {"builder_expr_float_symbol", expr_float_symbol, METH_VARARGS, NULL},
    {"builder_expr_apply", expr_apply, METH_VARARGS, NULL},
    {"builder_expr_text", expr_text, METH_VARARGS, NULL},
    {"builder_root", root, METH_VARARGS, NULL},
    {"builder_subgraph", subgraph, METH_VARARGS, NULL},
    {"builder_tensor", tensor, METH_VARARGS, NULL},
    {"builder_symbolic", symbolic, METH_VARARGS, NULL},
    {"builder_custom_obj", custom_obj, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
