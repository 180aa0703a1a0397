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
    TAKE("O&", to_version, &version);
    builder_handle *handle = zeroed(sizeof *handle);
    NEED(handle != NULL);
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
    void *held = (void *)(uintptr_t)what; /* that a capsule changes nothing of */
    PyObject *capsule = PyCapsule_New(held, PART_NAMES[kind], destroy_part);
    if (capsule != NULL) {
        Py_INCREF(c->capsule);
        PyCapsule_SetContext(capsule, c->capsule);
    }
    return capsule;
}

PyObject *said(const building *c, bool ok) {
    return ok ? none() : refuse(c);
}

#define TO_PART(name, kind)                                                                        \
    int name(PyObject *object, void *converted) {                                                  \
        part *out = converted;                                                                     \
        out->is = part_of(out->c, kind, object);                                                   \
        return out->is != NULL;                                                                    \
    }

TO_PART(to_built_graph, PART_GRAPH)
TO_PART(to_built_value, PART_VALUE)
TO_PART(to_expr, PART_EXPR)
TO_PART(to_arg, PART_ARG)
TO_PART(to_tree, PART_TREE)

int to_optional_expr(PyObject *object, void *converted) {
    return object == Py_None || to_expr(object, converted);
}

int to_optional_tree(PyObject *object, void *converted) {
    return object == Py_None || to_tree(object, converted);
}

/* ------------------------------------------------------------------- lists */

void release(const void *items) {
    PyMem_Free((void *)(uintptr_t)items);
}

/* Called without a tuple for what was converted, where another argument is refused. */
int to_array(PyObject *tuple, void *converted) {
    array *a = converted;
    if (tuple == NULL) {
        release(a->items);
        return 1;
    }
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError, "no tuple");
        return 0;
    }
    a->count = (size_t)PyTuple_Size(tuple);
    char *items = zeroed((a->count + 1) * a->size);
    for (size_t i = 0; items != NULL && i < a->count; i++) {
        if (!a->convert(a->c, PyTuple_GetItem(tuple, (Py_ssize_t)i), items + i * a->size)) {
            release(items);
            items = NULL;
        }
    }
    a->items = items;
    return items != NULL ? Py_CLEANUP_SUPPORTED : 0;
}

int to_optional_array(PyObject *tuple, void *converted) {
    return tuple == Py_None ? 1 : to_array(tuple, converted);
}

bool same_number(const array *a, const array *b, const char *what) {
    if (a->count != b->count) {
        PyErr_SetString(PyExc_ValueError, what);
    }
    return a->count == b->count;
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
    void *what = part_of(c, kind, item);
    memcpy(to, &what, sizeof what);
    return what != NULL;
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

int to_optional_int(PyObject *object, void *optional) {
    optional_int *out = optional;
    out->is_given = object != Py_None;
    return !out->is_given || item_int(NULL, object, &out->number);
}

/* ------------------------------------------------------------- expressions */

METHOD(expr_int) {
    building c;
    long long number;
    TAKE("O&L", to_building, &c, &number);
    return made(&c, PART_EXPR, ep_expr_int(c.b, number));
}

METHOD(expr_symbol) {
    building c;
    const char *name;
    optional_int hint;
    TAKE("O&sO&", to_building, &c, &name, to_optional_int, &hint);
    return made(&c, PART_EXPR, ep_expr_symbol(c.b, name, hint.is_given ? &hint.number : NULL));
}

METHOD(expr_float_symbol) {
    building c;
    const char *name;
    TAKE("O&s", to_building, &c, &name);
    return made(&c, PART_EXPR, ep_expr_float_symbol(c.b, name));
}

METHOD(expr_apply) {
    building c;
    int op;
    part left = {&c, NULL}, right = {&c, NULL};
    TAKE("O&iO&O&", to_building, &c, &op, to_expr, &left, to_optional_expr, &right);
    return made(&c, PART_EXPR, ep_expr_apply(c.b, (ep_sym_op)op, left.is, right.is));
}

METHOD(expr_text) {
    building c;
    int kind;
    const char *text;
    TAKE("O&is", to_building, &c, &kind, &text);
    return made(&c, PART_EXPR, ep_expr_text(c.b, (ep_kind)kind, text));
}

/* ------------------------------------------------------------------ graphs */

METHOD(root) {
    building c;
    TAKE("O&", to_building, &c);
    return made(&c, PART_GRAPH, ep_build_root(c.b));
}

METHOD(subgraph) {
    building c;
    TAKE("O&", to_building, &c);
    return made(&c, PART_GRAPH, ep_build_subgraph(c.b));
}

/* A converter, as those of parts. */
typedef struct dim {
    const building *c;
    ep_dim is;
} dim;

static int to_dim(PyObject *object, void *converted) {
    dim *out = converted;
    return item_dim(out->c, object, &out->is);
}

METHOD(tensor) {
    building c;
    part graph = {&c, NULL};
    array sizes = {.c = &c, .size = sizeof(ep_dim), .convert = item_dim};
    array strides = sizes;
    dim offset = {&c, {0}};
    const char *name;
    optional_int index;
    int requires_grad;
    ep_tensor_info info = {0};
    PyObject *capsule = NULL;
    TAKE("O&O&ssO&O&O&zO&pz", to_building, &c, to_built_graph, &graph, &name, &info.dtype, to_array,
         &sizes, to_optional_array, &strides, to_dim, &offset, &info.device, to_optional_int,
         &index, &requires_grad, &info.layout);
    info.sizes = sizes.items;
    info.rank = sizes.count;
    info.strides = strides.items;
    info.storage_offset = offset.is;
    info.requires_grad = requires_grad != 0;
    info.has_device_index = index.is_given;
    info.device_index = index.is_given ? index.number : 0;
    if (strides.items == NULL ||
        same_number(&strides, &sizes, "strides of another number than sizes")) {
        capsule = made(&c, PART_VALUE, ep_build_tensor(c.b, graph.is, name, &info));
    }
    release(sizes.items);
    release(strides.items);
    return capsule;
}

METHOD(symbolic) {
    building c;
    const char *name;
    part graph = {&c, NULL}, expr = {&c, NULL};
    TAKE("O&O&sO&", to_building, &c, to_built_graph, &graph, &name, to_expr, &expr);
    return made(&c, PART_VALUE, ep_build_symbolic(c.b, graph.is, name, expr.is));
}

METHOD(custom_obj) {
    building c;
    const char *name, *class_fqn;
    part graph = {&c, NULL};
    TAKE("O&O&ss", to_building, &c, to_built_graph, &graph, &name, &class_fqn);
    return made(&c, PART_VALUE, ep_build_custom_obj(c.b, graph.is, name, class_fqn));
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
