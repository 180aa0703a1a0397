/*
 * tables.c - what needs no file: versions, codes, and how expressions are shown.
 */
#include "module.h"

#include "cli/show/expression.h"

static PyObject *make_version(const ep_version *version) {
    return Py_BuildValue("(siizz)", version->name, (int)version->major, (int)version->minor,
                         version->releases, version->note);
}

static PyObject *version_at(const void *what, size_t i) {
    const ep_version *version = ep_version_at(i);
    (void)what;
    return version != NULL ? make_version(version) : NULL;
}

METHOD(versions) {
    return list_of(version_at, NULL);
}

METHOD(find_version) {
    const ep_version *version;
    TAKE("O&", to_version, &version);
    return make_version(version);
}

static PyObject *code_at(const void *what, size_t i) {
    ep_code code = ep_code_at(i);
    (void)what;
    return i > 0 && code == EP_OK
               ? NULL
               : Py_BuildValue("(izzzi)", (int)code, ep_code_name(code), ep_code_clause(code),
                               ep_code_message(code), (int)ep_code_level(code));
}

METHOD(codes) {
    return list_of(code_at, NULL);
}

/* A symbolic expression as the command shows it. */
METHOD(expression_text) {
    const char *text;
    Py_ssize_t size;
    buffer shown = {0};
    if (!PyArg_ParseTuple(arguments, "s#", &text, &size)) {
        return NULL;
    }
    expression_put(&shown, (ep_bytes){text, (size_t)size});
    PyObject *made = shown.failed ? PyErr_NoMemory() : make_text(shown.data, shown.size);
    buffer_free(&shown);
    return made;
}

METHOD(library_version) {
    return PyUnicode_FromString(ep_library_version());
}

PyMethodDef TABLE_METHODS[] = {
    {"versions", versions, METH_NOARGS, NULL},
    {"find_version", find_version, METH_VARARGS, NULL},
    {"codes", codes, METH_NOARGS, NULL},
    {"expression_text", expression_text, METH_VARARGS, NULL},
    {"library_version", library_version, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
