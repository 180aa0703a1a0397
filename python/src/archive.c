/*
 * archive.c - .pt2 archives: members, programs, tensors.
 */
#define _POSIX_C_SOURCE 200809L
#include "module.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static const char NAME[] = "epref.archive";

/* ----------------------------------------------------------------- handles */

static void archive_free(archive_handle *handle) {
    ep_archive_close(handle->archive);
    if (handle->lock != NULL) {
        PyThread_free_lock(handle->lock);
    }
    Py_XDECREF(handle->owner);
    PyMem_Free(handle);
}

static void destroy(PyObject *capsule) {
    archive_free(PyCapsule_GetPointer(capsule, NAME));
}

int to_archive(PyObject *capsule, void *handle) {
    archive_handle **out = handle;
    *out = PyCapsule_GetPointer(capsule, NAME);
    return *out != NULL;
}

PyThreadState *archive_enter(archive_handle *handle) {
    PyThreadState *thread = PyEval_SaveThread();
    PyThread_acquire_lock(handle->lock, WAIT_LOCK);
    return thread;
}

bool archive_leave(archive_handle *handle, PyThreadState *thread) {
    PyThread_release_lock(handle->lock);
    PyEval_RestoreThread(thread);
    return PyErr_Occurred() == NULL;
}

/* An empty handle; NULL: MemoryError is set. */
static archive_handle *archive_new(PyObject *owner) {
    archive_handle *handle = zeroed(sizeof *handle);
    if (handle == NULL) {
        return NULL;
    }
    Py_INCREF(owner);
    handle->owner = owner;
    handle->lock = PyThread_allocate_lock();
    if (handle->lock == NULL) {
        archive_free(handle);
        PyErr_NoMemory();
        return NULL;
    }
    return handle;
}

/* ----------------------------------------------------------------- opening */

/* An ep_archive_read from a file whose descriptor Python keeps open. */
static bool read_file(void *context, uint64_t place, void *to, size_t size) {
    const archive_handle *handle = context;
    char *at = to;
    while (size > 0) {
        ssize_t got = pread(handle->file, at, size, (off_t)place);
        if (got <= 0 && (got == 0 || errno != EINTR)) {
            return false;
        }
        if (got > 0) {
            at += got;
            place += (uint64_t)got;
            size -= (size_t)got;
        }
    }
    return true;
}

/* The bytes that the owner gives for a place and a size; false: it raised an exception, or the
 * archive is closed. */
static bool call_owner(const archive_handle *handle, uint64_t place, void *to, size_t size) {
    char *data;
    Py_ssize_t given;
    if (handle->owner == NULL) {
        return false;
    }
    PyObject *bytes =
        PyObject_CallFunction(handle->owner, "Kn", (unsigned long long)place, (Py_ssize_t)size);
    bool ok = bytes != NULL && PyBytes_AsStringAndSize(bytes, &data, &given) == 0;
    if (ok && (size_t)given != size) {
        PyErr_SetString(PyExc_ValueError, "a reader gave more or fewer bytes than asked for");
        ok = false;
    }
    if (ok) {
        memcpy(to, data, size);
    }
    Py_XDECREF(bytes);
    return ok;
}

/* An ep_archive_read from an object of Python. Its exception stays set, in this thread, for the
 * end of the call that reads; until then nothing more is read. */
static bool read_object(void *context, uint64_t place, void *to, size_t size) {
    PyGILState_STATE state = PyGILState_Ensure();
    bool ok = PyErr_Occurred() == NULL && call_owner(context, place, to, size);
    PyGILState_Release(state);
    return ok;
}

/* Takes the handle; opens from the source, or without one from the owner's bytes. */
static PyObject *open_archive(archive_handle *handle, const ep_archive_source *source,
                              const ep_archive_options *options) {
    ep_error error;
    ep_bytes bytes = {0};
    if (source == NULL) {
        bytes = (ep_bytes){PyBytes_AsString(handle->owner), (size_t)PyBytes_Size(handle->owner)};
    }
    Py_BEGIN_ALLOW_THREADS handle->archive = source != NULL
                                                 ? ep_archive_open(source, options, &error)
                                                 : ep_archive_open_bytes(bytes, options, &error);
    Py_END_ALLOW_THREADS PyObject *capsule = handle->archive != NULL && PyErr_Occurred() == NULL
                                                 ? PyCapsule_New(handle, NAME, destroy)
                                                 : raise_error(&error);
    if (capsule == NULL) {
        archive_free(handle);
    }
    return capsule;
}

static void set_wish(ep_archive_options *options, const decode_wish *wish, bool one) {
    options->decoding = wish->options;
    options->one_program = one;
    options->compiled = !one;
    options->memory = wish->memory;
}

METHOD(from_bytes) {
    PyObject *bytes;
    decode_wish wish;
    ep_archive_options options = ep_archive_options_default();
    int one;
    if (!PyArg_ParseTuple(arguments, "SO&zp", &bytes, to_decode_wish, &wish, &options.model,
                          &one)) {
        return NULL;
    }
    set_wish(&options, &wish, one != 0);
    archive_handle *handle = archive_new(bytes);
    return handle != NULL ? open_archive(handle, NULL, &options) : NULL;
}

/* owner is what closes the file when it goes; or, where the file is below zero, what is called
 * with a place and a size, and gives so many bytes. */
METHOD(from_file) {
    PyObject *owner;
    int file;
    unsigned long long size;
    decode_wish wish;
    ep_archive_options options = ep_archive_options_default();
    int one;
    if (!PyArg_ParseTuple(arguments, "OiKO&zp", &owner, &file, &size, to_decode_wish, &wish,
                          &options.model, &one)) {
        return NULL;
    }
    set_wish(&options, &wish, one != 0);
    archive_handle *handle = archive_new(owner);
    if (handle == NULL) {
        return NULL;
    }
    handle->file = file;
    ep_archive_source source = {file >= 0 ? read_file : read_object, handle, size};
    return open_archive(handle, &source, &options);
}

/* Waits for who reads, and lets go of the file. Bytes stay, which the library points into. */
METHOD(close_archive) {
    archive_handle *handle;
    if (!PyArg_ParseTuple(arguments, "O&", to_archive, &handle)) {
        return NULL;
    }
    PyThreadState *thread = archive_enter(handle);
    handle->file = -1;
    archive_leave(handle, thread);
    if (handle->owner != NULL && !PyBytes_Check(handle->owner)) {
        Py_CLEAR(handle->owner);
    }
    return none();
}

/* ----------------------------------------------------------------- members */

static PyObject *make_member(const ep_archive_member *member) {
    return Py_BuildValue("(NKKKkNN)", make_bytes_text(member->name),
                         (unsigned long long)member->place, (unsigned long long)member->packed,
                         (unsigned long long)member->size, (unsigned long)member->crc32,
                         PyBool_FromLong(member->is_stored), PyBool_FromLong(member->is_program));
}

static PyObject *member_at(const void *archive, size_t i) {
    ep_archive_member member;
    return ep_archive_member_at(archive, i, &member) ? make_member(&member) : NULL;
}

METHOD(members) {
    archive_handle *handle;
    return PyArg_ParseTuple(arguments, "O&", to_archive, &handle)
               ? list_of(member_at, handle->archive)
               : NULL;
}

static PyObject *program_at(const void *archive, size_t i) {
    ep_archive_program program;
    return ep_archive_program_at(archive, i, &program)
               ? Py_BuildValue("(Nn)", make_bytes_text(program.name), (Py_ssize_t)program.member)
               : NULL;
}

/* The names of the models, in the order of the directory. */
METHOD(programs) {
    archive_handle *handle;
    return PyArg_ParseTuple(arguments, "O&", to_archive, &handle)
               ? list_of(program_at, handle->archive)
               : NULL;
}

/* ----------------------------------------------------------------- reading */

typedef bool read_part(const ep_archive *archive, size_t i, ep_sink *sink, void *context,
                       ep_error *error);

static PyObject *read_bytes(PyObject *arguments, read_part *read) {
    archive_handle *handle;
    Py_ssize_t i;
    product bytes = {0};
    ep_error error;
    if (!PyArg_ParseTuple(arguments, "O&n", to_archive, &handle, &i)) {
        return NULL;
    }
    PyThreadState *thread = archive_enter(handle);
    bool ok = read(handle->archive, (size_t)i, product_take, &bytes, &error);
    ok = archive_leave(handle, thread) && ok;
    return product_bytes(&bytes, ok, &error);
}

METHOD(read_member) {
    return read_bytes(arguments, ep_archive_read_member);
}

METHOD(read_tensor) {
    return read_bytes(arguments, ep_archive_read_tensor);
}

/* ---------------------------------------------------------------- checking */

/* The list of what cannot be judged. The GIL is let go of before the archive is waited
 * for, and taken by callbacks alone: nobody waits for the archive with the GIL. */
METHOD(check) {
    archive_handle *handle;
    int no_data;
    ep_error error;
    collector heard;
    if (!PyArg_ParseTuple(arguments, "O&p", to_archive, &handle, &no_data) ||
        !collect_begin(&heard)) {
        return NULL;
    }
    ep_archive_check_options options = {no_data != 0, collect_error, &heard};
    PyThread_acquire_lock(handle->lock, WAIT_LOCK);
    bool ok = ep_archive_check(handle->archive, &options, &error);
    PyThread_release_lock(handle->lock);
    PyObject *list = collect_end(&heard, ok);
    return list != NULL ? list : raise_error(&error);
}

/* A finding, and the member that it is about. */
typedef struct told_finding {
    const ep_finding *finding;
    ep_bytes member;
} told_finding;

static PyObject *make_told(const void *what) {
    const told_finding *told = what;
    return finding_tuple(told->finding, told->member);
}

static void hear_finding(void *context, size_t program, ep_bytes member,
                         const ep_finding *finding) {
    const told_finding told = {finding, member};
    (void)program; /* the member says it */
    collect(context, make_told, &told);
}

METHOD(audit) {
    archive_handle *handle;
    ep_error error;
    collector heard;
    int no_data;
    if (!PyArg_ParseTuple(arguments, "O&p", to_archive, &handle, &no_data) ||
        !collect_begin(&heard)) {
        return NULL;
    }
    PyThread_acquire_lock(handle->lock, WAIT_LOCK);
    bool ok = ep_archive_audit_as(handle->archive, no_data != 0, hear_finding, &heard, &error);
    PyThread_release_lock(handle->lock);
    PyObject *list = collect_end(&heard, ok);
    return list != NULL ? list : raise_error(&error);
}

/* ----------------------------------------------------------------- writing */

/* A file that is written; error: of errno, where it could not be. */
typedef struct written_file {
    int file;
    int error;
} written_file;

/* An ep_sink into a file whose descriptor Python keeps open. */
static bool write_piece(void *context, const char *data, size_t size) {
    written_file *to = context;
    while (size > 0) {
        ssize_t put = write(to->file, data, size);
        if (put < 0 && errno != EINTR) {
            to->error = errno;
            return false;
        }
        data += put > 0 ? put : 0;
        size -= put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* None; else the exception of a callback, an OSError, or the library's. */
static PyObject *end_writing(const written_file *to, bool ok, const ep_error *error) {
    if (to->error != 0 && PyErr_Occurred() == NULL) {
        errno = to->error;
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    return ok ? none() : raise_error(error);
}

/* which: the number of one tensor; below zero: all. */
METHOD(write_tensors) {
    archive_handle *handle;
    written_file to = {0};
    int form;
    Py_ssize_t which;
    ep_error error;
    if (!PyArg_ParseTuple(arguments, "O&iin", to_archive, &handle, &to.file, &form, &which)) {
        return NULL;
    }
    size_t number = (size_t)which;
    ep_archive_file_options options = {(ep_archive_file)form, which < 0 ? NULL : &number, 1};
    PyThreadState *thread = archive_enter(handle);
    bool ok = ep_archive_write_tensors(handle->archive, &options, write_piece, &to, &error);
    ok = archive_leave(handle, thread) && ok;
    return end_writing(&to, ok, &error);
}

/* The tensors are a file of safetensors, open and of a size; below zero: there are none. */
METHOD(pack) {
    program_handle *program;
    archive_handle tensors = {0};
    unsigned long long size;
    written_file to = {0};
    ep_archive_pack_options options = ep_archive_pack_options_default();
    ep_error error;
    bool ok;
    if (!PyArg_ParseTuple(arguments, "O&iiKz", to_program, &program, &to.file, &tensors.file, &size,
                          &options.folder)) {
        return NULL;
    }
    if (tensors.file >= 0) {
        options.tensors = (ep_archive_source){read_file, &tensors, size};
    }
    options.limits = program->limits;
    options.memory = program->memory;
    Py_BEGIN_ALLOW_THREADS ok =
        ep_archive_pack(program->program, &options, write_piece, &to, &error);
    Py_END_ALLOW_THREADS return end_writing(&to, ok, &error);
}

/* The steps. raw: pickled tensors become bytes. As with check, nobody waits for the archive with
 * the GIL. */
METHOD(migrate) {
    archive_handle *handle;
    written_file to = {0};
    int raw;
    ep_archive_migrate_options options = {.report = collect_step};
    ep_error error;
    collector heard;
    if (!PyArg_ParseTuple(arguments, "O&iO&p", to_archive, &handle, &to.file, to_version,
                          &options.version, &raw) ||
        !collect_begin(&heard)) {
        return NULL;
    }
    options.raw = raw != 0;
    options.report_context = &heard;
    PyThread_acquire_lock(handle->lock, WAIT_LOCK);
    bool ok = ep_archive_migrate(handle->archive, &options, write_piece, &to, &error);
    PyThread_release_lock(handle->lock);
    PyObject *list = collect_end(&heard, ok);
    return list != NULL ? list : end_writing(&to, false, &error);
}

/* ----------------------------------------------------------------- tensors */

static PyObject *make_numbers(const int64_t *numbers, size_t count) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++) {
        if (!append(list, PyLong_FromLongLong(numbers[i]))) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *make_tensor(const ep_archive_tensor *tensor) {
    Py_ssize_t storage = tensor->storage == SIZE_MAX ? -1 : (Py_ssize_t)tensor->storage;
    Py_ssize_t inside = tensor->inside == SIZE_MAX ? -1 : (Py_ssize_t)tensor->inside;
    return Py_BuildValue(
        "(niiNNznNNKnNNNNNKzn)", (Py_ssize_t)tensor->program, (int)tensor->role, (int)tensor->form,
        make_bytes_text(tensor->name), make_bytes_text(tensor->object), tensor->dtype,
        (Py_ssize_t)tensor->element, make_numbers(tensor->sizes, tensor->rank),
        make_numbers(tensor->strides, tensor->rank), (unsigned long long)tensor->offset, storage,
        make_bytes_text(tensor->device), PyBool_FromLong(tensor->requires_grad),
        PyBool_FromLong(tensor->is_parameter), PyBool_FromLong(tensor->is_conjugate),
        PyBool_FromLong(tensor->is_negative), (unsigned long long)tensor->bytes, tensor->fault,
        inside);
}

static PyObject *make_storage(const ep_archive_storage *storage) {
    return Py_BuildValue("(nKKnNN)", (Py_ssize_t)storage->member,
                         (unsigned long long)storage->place, (unsigned long long)storage->size,
                         (Py_ssize_t)storage->tensors, PyBool_FromLong(storage->is_stored),
                         PyBool_FromLong(storage->big_endian));
}

static PyObject *make_row(const ep_archive_compiled_row *row) {
    return Py_BuildValue("(iNNNNK)", (int)row->kind, make_bytes_text(row->name),
                         make_bytes_text(row->value), make_numbers(row->sizes, row->rank),
                         make_numbers(row->strides, row->rank), (unsigned long long)row->offset);
}

static PyObject *make_compiled(const ep_archive *archive, const ep_archive_compiled *model) {
    PyObject *rows = PyList_New(0);
    ep_archive_compiled_row row;
    for (size_t i = 0; rows != NULL && i < model->rows; i++) {
        if (!ep_archive_compiled_row_at(archive, model->first + i, &row) ||
            !append(rows, make_row(&row))) {
            Py_CLEAR(rows);
        }
    }
    return Py_BuildValue("(NnKzN)", make_bytes_text(model->name), (Py_ssize_t)model->members,
                         (unsigned long long)model->bytes, model->fault, rows);
}

static PyObject *compiled_at(const void *archive, size_t i) {
    ep_archive_compiled model;
    return ep_archive_compiled_at(archive, i, &model) ? make_compiled(archive, &model) : NULL;
}

static PyObject *tensor_at(const void *archive, size_t i) {
    ep_archive_tensor tensor;
    return ep_archive_tensor_at(archive, i, &tensor) ? make_tensor(&tensor) : NULL;
}

static PyObject *storage_at(const void *archive, size_t i) {
    ep_archive_storage storage;
    return ep_archive_storage_at(archive, i, &storage) ? make_storage(&storage) : NULL;
}

/* The lists of tensors, storages and compiled models, which stay as they are once they are made. */
METHOD(tensors) {
    archive_handle *handle;
    ep_error error;
    if (!PyArg_ParseTuple(arguments, "O&", to_archive, &handle)) {
        return NULL;
    }
    PyThreadState *thread = archive_enter(handle);
    bool ok = ep_archive_list(handle->archive, &error);
    if (!archive_leave(handle, thread) || !ok) {
        return raise_error(&error);
    }
    return Py_BuildValue("(NNN)", list_of(tensor_at, handle->archive),
                         list_of(storage_at, handle->archive),
                         list_of(compiled_at, handle->archive));
}

METHOD(digest) {
    archive_handle *handle;
    char text[EP_ARCHIVE_DIGEST_SIZE];
    ep_error error;
    int all;
    if (!PyArg_ParseTuple(arguments, "O&p", to_archive, &handle, &all)) {
        return NULL;
    }
    PyThreadState *thread = archive_enter(handle);
    bool ok = all ? ep_archive_digest_contents(handle->archive, text, &error)
                  : ep_archive_digest_weights(handle->archive, text, &error);
    return archive_leave(handle, thread) && ok ? PyUnicode_FromString(text) : raise_error(&error);
}

PyMethodDef ARCHIVE_METHODS[] = {
    {"archive_from_bytes", from_bytes, METH_VARARGS, NULL},
    {"archive_from_file", from_file, METH_VARARGS, NULL},
    {"archive_close", close_archive, METH_VARARGS, NULL},
    {"archive_members", members, METH_VARARGS, NULL},
    {"archive_programs", programs, METH_VARARGS, NULL},
    {"archive_read_member", read_member, METH_VARARGS, NULL},
    {"archive_read_tensor", read_tensor, METH_VARARGS, NULL},
    {"archive_check", check, METH_VARARGS, NULL},
    {"archive_tensors", tensors, METH_VARARGS, NULL},
    {"archive_audit", audit, METH_VARARGS, NULL},
    {"archive_write_tensors", write_tensors, METH_VARARGS, NULL},
    {"archive_pack", pack, METH_VARARGS, NULL},
    {"archive_migrate", migrate, METH_VARARGS, NULL},
    {"archive_digest", digest, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
