/*
 * program.c - programs: decoded, checked, written, migrated, brought into canonical form.
 */
#include "module.h"

#include <string.h>

static const char NAME[] = "epref.program";

/* ----------------------------------------------------------------- handles */

program_handle *program_new(size_t memory) {
    program_handle *handle = zeroed(sizeof *handle);
    NEED(handle != NULL);
    ep_arena_init(&handle->arena, ep_heap(), memory);
    handle->memory = memory;
    handle->limits = ep_limits_default();
    return handle;
}

void program_free(program_handle *handle) {
    ep_arena_free(&handle->arena);
    Py_XDECREF(handle->owner);
    PyMem_Free(handle);
}

void open_scratch(const program_handle *handle, ep_arena *scratch) {
    size_t held = ep_arena_peak(&handle->arena);
    size_t left = handle->memory > held ? handle->memory - held : 1;
    ep_arena_init(scratch, ep_heap(), handle->memory > 0 ? left : 0);
}

static void destroy(PyObject *capsule) {
    program_free(PyCapsule_GetPointer(capsule, NAME));
}

PyObject *program_capsule(program_handle *handle) {
    PyObject *capsule = PyCapsule_New(handle, NAME, destroy);
    if (capsule == NULL) {
        program_free(handle);
    }
    return capsule;
}

int to_program(PyObject *capsule, void *handle) {
    program_handle **out = handle;
    *out = PyCapsule_GetPointer(capsule, NAME);
    return *out != NULL;
}

/* ---------------------------------------------------------------- decoding */

/* A capsule and a list; takes the handle and the list. */
static PyObject *make_pair(program_handle *handle, PyObject *list) {
    PyObject *capsule = program_capsule(handle);
    PyObject *pair = capsule != NULL ? PyTuple_Pack(2, capsule, list) : NULL;
    Py_XDECREF(capsule);
    Py_DECREF(list);
    return pair;
}

/* The capsule and the list of what forward reading let pass, or NULL. */
static PyObject *decode(program_handle *handle, ep_bytes text, decode_wish *wish) {
    collector heard;
    ep_error error;
    if (!collect_begin(&heard)) {
        program_free(handle);
        return NULL;
    }
    wish->options.warn = collect_error;
    wish->options.warn_context = &heard;
    handle->limits = wish->options.limits;
    bool ok = ep_decode(&handle->arena, text, &wish->options, &handle->program, &error);
    PyObject *list = collect_end(&heard, ok);
    if (list == NULL) {
        program_free(handle);
        return raise_error(&error);
    }
    return make_pair(handle, list);
}

METHOD(decode_bytes) {
    PyObject *bytes;
    decode_wish wish;
    TAKE("SO&", &bytes, to_decode_wish, &wish);
    program_handle *handle = program_new(wish.memory);
    NEED(handle != NULL);
    Py_INCREF(bytes);
    handle->owner = bytes;
    return decode(handle, (ep_bytes){PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes)}, &wish);
}

METHOD(decode_archived) {
    PyObject *owner;
    archive_handle *archive;
    decode_wish wish;
    Py_ssize_t i;
    ep_bytes text;
    ep_error error;
    TAKE("OnO&", &owner, &i, to_decode_wish, &wish);
    NEED(to_archive(owner, &archive));
    PyThreadState *thread = archive_enter(archive);
    bool ok = ep_archive_program_text(archive->archive, (size_t)i, &text, &error);
    if (!archive_leave(archive, thread) || !ok) {
        return raise_error(&error);
    }
    program_handle *handle = program_new(wish.memory);
    NEED(handle != NULL);
    Py_INCREF(owner);
    handle->owner = owner;
    return decode(handle, text, &wish);
}

/* ---------------------------------------------------------------- checking */

METHOD(check_wire) {
    PyObject *bytes;
    decode_wish wish;
    ep_arena arena;
    ep_error error;
    bool ok;
    TAKE("SO&", &bytes, to_decode_wish, &wish);
    ep_bytes text = {PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes)};
    ep_arena_init(&arena, ep_heap(), wish.memory);
    Py_BEGIN_ALLOW_THREADS ok = ep_check_wire(&arena, text, &wish.options, &error);
    ep_arena_free(&arena);
    Py_END_ALLOW_THREADS if (!ok) {
        return raise_error(&error);
    }
    return none();
}

/* The list of what cannot be judged. */
METHOD(check) {
    program_handle *handle;
    int level;
    ep_arena scratch;
    ep_error error;
    collector heard;
    TAKE("O&i", to_program, &handle, &level);
    NEED(collect_begin(&heard));
    ep_check_options options = {.level = (ep_level)level,
                                .limits = handle->limits,
                                .note = collect_error,
                                .note_context = &heard};
    open_scratch(handle, &scratch);
    bool ok = ep_check(handle->program, &scratch, &options, &error);
    ep_arena_free(&scratch);
    PyObject *list = collect_end(&heard, ok);
    return list != NULL ? list : raise_error(&error);
}

/* ----------------------------------------------------------------- writing */

METHOD(encode) {
    program_handle *handle;
    ep_arena scratch;
    ep_error error;
    product text = {0};
    bool ok;
    TAKE("O&", to_program, &handle);
    text.most = handle->memory - handle->memory / 2; /* it is held twice for a moment */
    open_scratch(handle, &scratch);
    Py_BEGIN_ALLOW_THREADS ok = ep_encode(handle->program, &scratch, product_take, &text, &error);
    ep_arena_free(&scratch);
    Py_END_ALLOW_THREADS return product_bytes(&text, ok, &error);
}

/* --------------------------------------------------------- canonical forms */

/* The names of a tuple of bytes, which outlives them; NULL: an exception is set. */
static ep_bytes *names_of(PyObject *tuple, size_t *count) {
    *count = (size_t)PyTuple_Size(tuple);
    ep_bytes *names = zeroed((*count + 1) * sizeof *names);
    NEED(names != NULL);
    for (size_t i = 0; i < *count; i++) {
        char *data;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(tuple, (Py_ssize_t)i), &data, &size) < 0) {
            PyMem_Free(names);
            return NULL;
        }
        names[i] = (ep_bytes){data, (size_t)size};
    }
    return names;
}

/* Asks the set what the tensors are that version 1 keeps in the program. */
static PyObject *canon_into(ep_arena *arena, const program_handle *handle,
                            ep_canon_options *options, ep_constants *set) {
    ep_built built;
    ep_error error;
    bool undecided = false;
    bool ok;
    options->undecided = &undecided;
    options->constant = ep_constants_take;
    options->constant_context = set;
    Py_BEGIN_ALLOW_THREADS ok = ep_canon(handle->program, arena, options, &built, &error) &&
                                ep_constants_check(set, &error);
    Py_END_ALLOW_THREADS if (!ok) {
        return raise_error(&error);
    }
    return Py_BuildValue("(y#N)", built.text.data, (Py_ssize_t)built.text.size,
                         PyBool_FromLong(undecided));
}

/* The form, and whether the order of the file decided. */
METHOD(canon) {
    program_handle *handle;
    int form;
    PyObject *constants;
    ep_arena arena;
    ep_error error;
    TAKE("O&iO!", to_program, &handle, &form, &PyTuple_Type, &constants);
    ep_canon_options options = {.form = (ep_canon_form)form};
    ep_bytes *names = names_of(constants, &options.constant_count);
    NEED(names != NULL);
    options.constants = names;
    open_scratch(handle, &arena);
    ep_constants *set = ep_constants_open(handle->limits.bytes, false, &error);
    PyObject *pair = set != NULL ? canon_into(&arena, handle, &options, set) : raise_error(&error);
    ep_constants_close(set);
    ep_arena_free(&arena);
    PyMem_Free(names);
    return pair;
}

METHOD(digest) {
    program_handle *handle;
    ep_arena scratch;
    ep_error error;
    char text[EP_DIGEST_SIZE];
    bool undecided = false;
    bool ok;
    TAKE("O&", to_program, &handle);
    open_scratch(handle, &scratch);
    Py_BEGIN_ALLOW_THREADS ok = ep_digest(handle->program, &scratch, text, &undecided, &error);
    ep_arena_free(&scratch);
    Py_END_ALLOW_THREADS if (!ok) {
        return raise_error(&error);
    }
    return Py_BuildValue("(sN)", text, PyBool_FromLong(undecided));
}

/* --------------------------------------------------------------- migrating */

/* The other program, with the steps. */
METHOD(migrate) {
    program_handle *handle;
    ep_migrate_options options = {.report = collect_step};
    ep_built built;
    ep_error error;
    collector heard;
    TAKE("O&O&", to_program, &handle, to_version, &options.version);
    program_handle *made = program_new(handle->memory);
    if (made == NULL || !collect_begin(&heard)) {
        if (made != NULL) {
            program_free(made);
        }
        return NULL;
    }
    options.report_context = &heard;
    open_scratch(handle, &made->arena);
    bool ok = ep_migrate(handle->program, &made->arena, &options, &built, &error);
    PyObject *list = collect_end(&heard, ok);
    if (list == NULL) {
        program_free(made);
        return raise_error(&error);
    }
    made->program = built.program;
    return make_pair(made, list);
}

/* ------------------------------------------------------------------- facts */

METHOD(version) {
    program_handle *handle;
    TAKE("O&", to_program, &handle);
    return make_name(ep_program_version(handle->program)->name);
}

METHOD(root) {
    program_handle *handle;
    PyObject *capsule;
    int graph;
    TAKE("Op", &capsule, &graph);
    NEED(to_program(capsule, &handle));
    return value_capsule(
        graph ? ep_program_graph(handle->program) : ep_program_root(handle->program), capsule);
}

PyMethodDef PROGRAM_METHODS[] = {
    {"decode", decode_bytes, METH_VARARGS, NULL},
    {"decode_archived", decode_archived, METH_VARARGS, NULL},
    {"check_wire", check_wire, METH_VARARGS, NULL},
    {"program_check", check, METH_VARARGS, NULL},
    {"program_encode", encode, METH_VARARGS, NULL},
    {"program_canon", canon, METH_VARARGS, NULL},
    {"program_digest", digest, METH_VARARGS, NULL},
    {"program_migrate", migrate, METH_VARARGS, NULL},
    {"program_version", version, METH_VARARGS, NULL},
    {"program_root", root, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
