/*
 * module.h - what the files of the extension module epref._epref share. The module hands
 * programs, values, graphs and archives to Python as capsules, each of which owns what it
 * points into; epref/ has the objects that people see. Only public interfaces of the
 * library are used, and of Python only the stable ABI of 3.9.
 */
#ifndef EPREF_PYTHON_MODULE_H
#define EPREF_PYTHON_MODULE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

#include "epref_archive.h"

/* Returns NULL when the expression is false: an exception is set. */
#define NEED(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return NULL;                                                                           \
    } while (0)

/* Takes the arguments of a method. */
#define TAKE(...) NEED(PyArg_ParseTuple(arguments, __VA_ARGS__))

/* ---------------------------------------------------------------- handles */

/* A program, and what it points into. */
typedef struct program_handle {
    ep_arena arena;
    const ep_program *program;
    size_t memory; /* what the arena and that of a step may hold together; 0: no cap */
    ep_limits limits;
    PyObject *owner; /* of the text: bytes, or the capsule of an archive; NULL: the arena */
} program_handle;

/* A value, and the capsule of its program. */
typedef struct value_handle {
    ep_value value;
    PyObject *program;
} value_handle;

/* An archive, and the bytes or the file that it is read from, or what is called for its bytes.
 * One thread at a time uses it: archive_enter and archive_leave. */
typedef struct archive_handle {
    ep_archive *archive;
    PyObject *owner;
    PyThread_type_lock lock;
    int file;
} archive_handle;

/* Converters for PyArg_ParseTuple, "O&": the handle in a capsule. */
int to_program(PyObject *capsule, void *handle);
int to_value(PyObject *capsule, void *handle);
int to_archive(PyObject *capsule, void *handle);

/* A capsule, which owns what is handed in, also on failure; program and owner are
 * references that it takes for itself. */
PyObject *program_capsule(program_handle *handle);
PyObject *value_capsule(ep_value value, PyObject *program);

/* An empty handle whose arena has the cap; NULL: MemoryError is set. */
program_handle *program_new(size_t memory);
void program_free(program_handle *handle);

/* Makes the arena of a step of work on a program. */
void open_scratch(const program_handle *handle, ep_arena *scratch);

/* Lets go of the GIL and waits for the archive; and back. False: a callback left an exception,
 * whatever the library made of it. */
PyThreadState *archive_enter(archive_handle *handle);
bool archive_leave(archive_handle *handle, PyThreadState *thread);

/* --------------------------------------------------------------- failures */

/* An ep_error as the tuple that Error and Diagnostic of Python are made of. */
PyObject *error_tuple(const ep_error *error);

/* A finding of an audit as the tuple that Finding of Python is made of. member: of an archive;
 * else empty. */
PyObject *finding_tuple(const ep_finding *finding, ep_bytes member);

/* Raises epref.Error, unless a callback left an exception; returns NULL. */
PyObject *raise_error(const ep_error *error);

/* A zeroed block, which PyMem_Free takes; NULL: MemoryError is set. */
void *zeroed(size_t size);

/* What tuples are made of, by "N" of Py_BuildValue: that takes its parts over, also when one of
 * them is NULL, and gives NULL then, with the exception of that part.
 *
 * UTF-8 that may be cut in a character. */
PyObject *make_text(const char *data, size_t size);
PyObject *make_bytes_text(ep_bytes text);
PyObject *make_name(const char *name); /* NULL becomes None */

/* A new reference to None. Py_RETURN_NONE of the headers of 3.12 makes none, which older
 * versions need. */
PyObject *none(void);

/* Appends what it takes over; false, with an exception, for want of memory. */
bool append(PyObject *list, PyObject *item);

/* The list of all items; NULL, with an exception, if one could not be made. Behind the last one
 * there is NULL, without. */
typedef PyObject *item_at(const void *what, size_t i);
PyObject *list_of(item_at *at, const void *what);

/* --------------------------------------------------------------- callbacks */

/* A list that callbacks of a long call append to: they take the GIL for it, which the
 * call goes without. After an exception, which stays set, they append no more. */
typedef struct collector {
    PyObject *list;
    PyThreadState *thread;
} collector;

bool collect_begin(collector *c); /* makes the list and lets go of the GIL */
PyObject *collect_end(collector *c,
                      bool ok); /* takes the GIL; NULL if not ok, or an exception is set */
void collect(collector *c, PyObject *(*make)(const void *), const void *what);
void collect_error(void *context, const ep_error *error); /* an ep_warn */
void collect_step(void *context, const char *clause, const char *about,
                  size_t times); /* an ep_migrate_step */

/* Bytes that a sink takes, without the GIL. */
typedef struct product {
    char *data;
    size_t size;
    size_t capacity;
    size_t most; /* bytes; 0: there is no limit */
    bool failed; /* for want of memory */
} product;

bool product_take(void *context, const char *data, size_t size); /* an ep_sink */

/* Frees it; NULL, with an exception, if the call was not ok or there was no memory. */
PyObject *product_bytes(product *p, bool ok, const ep_error *error);

/* ---------------------------------------------------------------- options */

/* Converter: (version or None, forward, bytes, depth, values, string, memory), numbers
 * being 0 for the default. */
typedef struct decode_wish {
    ep_decode_options options;
    size_t memory;
} decode_wish;

int to_decode_wish(PyObject *tuple, void *wish);

/* Converter: the version of a name: "8.20", "torch-2.13", or "2.13" where no schema version is
 * called so. */
int to_version(PyObject *name, void *version);

/* ---------------------------------------------------------------- methods */

/* A function of the module, which is of no use to it. _epref.pyi says what each takes and gives. */
#define METHOD(name)                                                                               \
    static PyObject *name(__attribute__((unused)) PyObject *module,                                \
                          __attribute__((unused)) PyObject *arguments)

extern PyMethodDef PROGRAM_METHODS[];
extern PyMethodDef COMPARE_METHODS[];
extern PyMethodDef VALUE_METHODS[];
extern PyMethodDef GRAPH_METHODS[];
extern PyMethodDef ARCHIVE_METHODS[];
extern PyMethodDef TABLE_METHODS[];

#endif
