/*
 * value.c - places in a decoded tree.
 */
#include "module.h"

static const char NAME[] = "epref.value";

static void destroy(PyObject *capsule) {
    value_handle *handle = PyCapsule_GetPointer(capsule, NAME);
    Py_DECREF(handle->program);
    PyMem_Free(handle);
}

PyObject *value_capsule(ep_value value, PyObject *program) {
    value_handle *handle = PyMem_Malloc(sizeof *handle);
    if (handle == NULL) {
        return PyErr_NoMemory();
    }
    PyObject *capsule = PyCapsule_New(handle, NAME, destroy);
    if (capsule == NULL) {
        PyMem_Free(handle);
        return NULL;
    }
    Py_INCREF(program);
    *handle = (value_handle){value, program};
    return capsule;
}

int to_value(PyObject *capsule, void *handle) {
    value_handle **out = handle;
    *out = PyCapsule_GetPointer(capsule, NAME);
    return *out != NULL;
}

/* ------------------------------------------------------------------ leaves */

/* The text of a value, or of the i-th key of a dict. */
static PyObject *read_text(ep_value value, bool is_key, size_t i) {
    ep_arena arena;
    ep_bytes text;
    ep_arena_init(&arena, ep_heap(), 0);
    bool ok = is_key ? ep_value_key(value, i, &arena, &text) : ep_value_text(value, &arena, &text);
    PyObject *made = ok ? make_bytes_text(text) : PyErr_NoMemory();
    ep_arena_free(&arena);
    return made;
}

static PyObject *read_leaf(ep_value value) {
    switch (ep_value_kind(value)) {
    case EP_KIND_STR:
    case EP_KIND_BYTES:
        return read_text(value, false, 0);
    case EP_KIND_INT:
        return PyLong_FromLongLong(ep_value_int(value));
    case EP_KIND_FLOAT:
        return PyFloat_FromDouble(ep_value_float(value));
    case EP_KIND_BOOL:
        return PyBool_FromLong(ep_value_int(value) != 0);
    case EP_KIND_UNIT:
        return PyTuple_New(0);
    case EP_KIND_ENUM:
        return make_name(ep_value_name(value, 0));
    case EP_KIND_INFINITE:
        return PyFloat_FromDouble(ep_value_int(value) > 0 ? Py_HUGE_VAL : -Py_HUGE_VAL);
    case EP_KIND_NULL:
    case EP_KIND_STRUCT:
    case EP_KIND_UNION:
    case EP_KIND_LIST:
    case EP_KIND_DICT:
    case EP_KIND_TUPLE:
        break;
    }
    return none();
}

/* ------------------------------------------------------------------- parts */

typedef PyObject *make_part(ep_value value, PyObject *program);

static bool has_names(ep_value value) {
    ep_kind kind = ep_value_kind(value);
    return kind == EP_KIND_STRUCT || kind == EP_KIND_UNION || kind == EP_KIND_DICT;
}

static bool has_parts(ep_value value) {
    ep_kind kind = ep_value_kind(value);
    return has_names(value) || kind == EP_KIND_LIST || kind == EP_KIND_TUPLE;
}

static PyObject *part_name(ep_value value, size_t i) {
    return ep_value_kind(value) == EP_KIND_DICT ? read_text(value, true, i)
                                                : make_name(ep_value_name(value, i));
}

/* A dict of a struct, union or dict. */
static PyObject *named_parts(ep_value value, PyObject *program, make_part *make) {
    PyObject *dict = PyDict_New();
    size_t count = ep_value_count(value);
    for (size_t i = 0; dict != NULL && i < count; i++) {
        PyObject *name = part_name(value, i);
        PyObject *part = name != NULL ? make(ep_value_item(value, i), program) : NULL;
        if (part == NULL || PyDict_SetItem(dict, name, part) < 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(name);
        Py_XDECREF(part);
    }
    return dict;
}

/* A list of a list or tuple. */
static PyObject *listed_parts(ep_value value, PyObject *program, make_part *make) {
    PyObject *list = PyList_New(0);
    size_t count = ep_value_count(value);
    for (size_t i = 0; list != NULL && i < count; i++) {
        if (!append(list, make(ep_value_item(value, i), program))) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *parts_of(ep_value value, PyObject *program, make_part *make) {
    return has_names(value) ? named_parts(value, program, make)
                            : listed_parts(value, program, make);
}

/* The value with all that is in it. The tree is as deep as the limit of decoding lets it
 * be; Python's own limit holds, too. */
static PyObject *make_plain(ep_value value, PyObject *program) {
    if (!has_parts(value)) {
        return read_leaf(value);
    }
    if (Py_EnterRecursiveCall(" while a value was read")) {
        return NULL;
    }
    PyObject *made = parts_of(value, program, make_plain);
    Py_LeaveRecursiveCall();
    return made;
}

/* ----------------------------------------------------------------- methods */

static value_handle *only_value(PyObject *arguments) {
    value_handle *handle;
    return PyArg_ParseTuple(arguments, "O&", to_value, &handle) ? handle : NULL;
}

METHOD(plain) {
    value_handle *handle = only_value(arguments);
    return handle != NULL ? make_plain(handle->value, handle->program) : NULL;
}

/* Of what has parts a dict or list of capsules, else the leaf. */
METHOD(parts) {
    value_handle *handle = only_value(arguments);
    NEED(handle != NULL);
    return has_parts(handle->value) ? parts_of(handle->value, handle->program, value_capsule)
                                    : read_leaf(handle->value);
}

METHOD(kind) {
    value_handle *handle = only_value(arguments);
    return handle == NULL ? NULL
                          : Py_BuildValue("(iz)", (int)ep_value_kind(handle->value),
                                          ep_value_type(handle->value));
}

METHOD(field) {
    value_handle *handle;
    const char *name;
    TAKE("O&s", to_value, &handle, &name);
    return value_capsule(ep_value_field(handle->value, name), handle->program);
}

METHOD(place) {
    value_handle *handle = only_value(arguments);
    ep_error error;
    NEED(handle != NULL);
    ep_value_place(handle->value, &error);
    return error_tuple(&error);
}

PyMethodDef VALUE_METHODS[] = {
    {"value_plain", plain, METH_VARARGS, NULL}, {"value_parts", parts, METH_VARARGS, NULL},
    {"value_kind", kind, METH_VARARGS, NULL},   {"value_field", field, METH_VARARGS, NULL},
    {"value_place", place, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL},
};
