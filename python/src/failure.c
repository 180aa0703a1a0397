/*
 * failure.c - errors, texts, and what callbacks collect.
 */
#include "module.h"

#include <stdlib.h>
#include <string.h>

void *zeroed(size_t size) {
    void *block = PyMem_Malloc(size);
    return block != NULL ? memset(block, 0, size) : PyErr_NoMemory();
}

/* ------------------------------------------------------------------- texts */

PyObject *make_text(const char *data, size_t size) {
    return PyUnicode_DecodeUTF8(size > 0 ? data : "", (Py_ssize_t)size, "replace");
}

PyObject *make_bytes_text(ep_bytes text) {
    return make_text(text.data, text.size);
}

PyObject *none(void) {
    Py_INCREF(Py_None);
    return Py_None;
}

PyObject *make_name(const char *name) {
    if (name == NULL) {
        return none();
    }
    return PyUnicode_FromString(name);
}

bool append(PyObject *list, PyObject *item) {
    bool ok = item != NULL && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return ok;
}

PyObject *list_of(item_at *at, const void *what) {
    PyObject *list = PyList_New(0);
    PyObject *item;
    for (size_t i = 0; list != NULL && (item = at(what, i)) != NULL; i++) {
        if (!append(list, item)) {
            Py_CLEAR(list);
        }
    }
    if (list != NULL && PyErr_Occurred() != NULL) {
        Py_CLEAR(list);
    }
    return list;
}

/* ------------------------------------------------------------------ errors */

PyObject *error_tuple(const ep_error *error) {
    return Py_BuildValue("(zzziNnnnNN)", ep_code_name(error->code), ep_code_clause(error->code),
                         ep_code_message(error->code), (int)ep_code_level(error->code),
                         make_text(error->detail, strlen(error->detail)), (Py_ssize_t)error->offset,
                         (Py_ssize_t)error->line, (Py_ssize_t)error->column,
                         make_text(error->pointer, strlen(error->pointer)),
                         make_text(error->about, strlen(error->about)));
}

/* The exception: the classes are Python's, and epref._errors makes the one that fits. Its name
 * is one object for all calls, as Python keeps names that it looks up. */
static PyObject *make_exception(PyObject *tuple) {
    PyObject *module = PyImport_ImportModule("epref._errors");
    PyObject *name = PyUnicode_InternFromString("error_of");
    PyObject *made = NULL;
    if (module != NULL && name != NULL) {
        made = PyObject_CallMethodObjArgs(module, name, tuple, NULL);
    }
    Py_XDECREF(name);
    Py_XDECREF(module);
    return made;
}

PyObject *raise_error(const ep_error *error) {
    if (PyErr_Occurred() != NULL) {
        return NULL;
    }
    PyObject *tuple = error_tuple(error);
    PyObject *made = tuple != NULL ? make_exception(tuple) : NULL;
    if (made != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    }
    Py_XDECREF(made);
    Py_XDECREF(tuple);
    return NULL;
}

/* --------------------------------------------------------------- callbacks */

bool collect_begin(collector *c) {
    *c = (collector){.list = PyList_New(0)};
    if (c->list == NULL) {
        return false;
    }
    c->thread = PyEval_SaveThread();
    return true;
}

PyObject *collect_end(collector *c, bool ok) {
    PyEval_RestoreThread(c->thread);
    if (!ok || PyErr_Occurred() != NULL) {
        Py_DECREF(c->list);
        return NULL;
    }
    return c->list;
}

void collect(collector *c, PyObject *(*make)(const void *), const void *what) {
    PyEval_RestoreThread(c->thread);
    if (PyErr_Occurred() == NULL) {
        append(c->list, make(what));
    }
    c->thread = PyEval_SaveThread();
}

static PyObject *make_error(const void *error) {
    return error_tuple(error);
}

void collect_error(void *context, const ep_error *error) {
    collect(context, make_error, error);
}

/* What a migration did. */
typedef struct migration_step {
    const char *clause;
    const char *about;
    size_t times;
} migration_step;

static PyObject *make_step(const void *what) {
    const migration_step *step = what;
    return Py_BuildValue("(ssn)", step->clause, step->about, (Py_ssize_t)step->times);
}

void collect_step(void *context, const char *clause, const char *about, size_t times) {
    migration_step step = {clause, about, times};
    collect(context, make_step, &step);
}

bool product_take(void *context, const char *data, size_t size) {
    product *p = context;
    if (size > p->capacity - p->size) {
        size_t capacity = p->capacity;
        while (capacity - p->size < size && capacity <= SIZE_MAX / 2) {
            capacity = capacity > 0 ? 2 * capacity : 65536;
        }
        bool fits = capacity - p->size >= size && (p->most == 0 || size <= p->most - p->size);
        char *grown = fits ? realloc(p->data, capacity) : NULL;
        if (grown == NULL) {
            p->failed = true;
            return false;
        }
        p->data = grown;
        p->capacity = capacity;
    }
    if (size > 0) {
        memcpy(p->data + p->size, data, size);
    }
    p->size += size;
    return true;
}

PyObject *product_bytes(product *p, bool ok, const ep_error *error) {
    const ep_error memory = {.code = EP_MEMORY};
    if (p->failed || p->size > PY_SSIZE_T_MAX) {
        error = &memory;
        ok = false;
    }
    PyObject *bytes =
        ok ? PyBytes_FromStringAndSize(p->data, (Py_ssize_t)p->size) : raise_error(error);
    free(p->data);
    *p = (product){0};
    return bytes;
}

/* ----------------------------------------------------------------- options */

/* NULL, perhaps with an exception: there is none of the name. */
static const ep_version *find_version(PyObject *name) {
    char *data;
    PyObject *text = PyUnicode_AsUTF8String(name);
    bool plain = text != NULL && PyBytes_AsStringAndSize(text, &data, NULL) == 0; /* no zero */
    const ep_version *found = plain ? ep_version_find(data) : NULL;
    Py_XDECREF(text);
    return found;
}

int to_version(PyObject *name, void *version) {
    const ep_version **out = version;
    *out = find_version(name);
    if (*out == NULL && PyErr_Occurred() == NULL) {
        PyObject *release = PyUnicode_FromFormat("torch-%U", name);
        *out = release != NULL ? find_version(release) : NULL;
        Py_XDECREF(release);
    }
    if (PyErr_Occurred() != NULL) {
        return 0;
    }
    if (*out == NULL) {
        PyErr_Format(PyExc_ValueError, "no schema version or release of this name: %R", name);
    }
    return *out != NULL;
}

static void limit(size_t *limit, Py_ssize_t wish) {
    if (wish > 0) {
        *limit = (size_t)wish;
    }
}

int to_decode_wish(PyObject *tuple, void *wish) {
    decode_wish *out = wish;
    PyObject *version;
    Py_ssize_t bytes, depth, values, string, memory;
    int forward;
    if (!PyArg_ParseTuple(tuple, "Opnnnnn", &version, &forward, &bytes, &depth, &values, &string,
                          &memory)) {
        return 0;
    }
    *out = (decode_wish){.options = ep_decode_options_default()};
    if (version != Py_None && !to_version(version, &out->options.version)) {
        return 0;
    }
    out->options.forward = forward != 0;
    limit(&out->options.limits.bytes, bytes);
    limit(&out->options.limits.depth, depth);
    limit(&out->options.limits.values, values);
    limit(&out->options.limits.string, string);
    limit(&out->memory, memory);
    return 1;
}
