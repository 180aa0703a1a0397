/*
 * tables.c - what the library knows without any file: versions and codes.
 */
#include "module.h"

static PyObject *make_version(const ep_version *version) {
    return Py_BuildValue("(siizz)", version->name, (int)version->major, (int)version->minor,
                         version->releases, version->note);
}

METHOD(versions) {
    PyObject *list = PyList_New(0);
    const ep_version *version;
    for (size_t i = 0; list != NULL && (version = ep_version_at(i)) != NULL; i++) {
        if (!append(list, make_version(version))) {
            Py_CLEAR(list);
        }
    }
    return list;
}

METHOD(find_version) {
    const ep_version *version;
    if (!PyArg_ParseTuple(arguments, "O&", to_version, &version)) {
        return NULL;
    }
    return make_version(version);
}

METHOD(codes) {
    PyObject *list = PyList_New(0);
    ep_code code;
    for (size_t i = 0; list != NULL && (i == 0 || ep_code_at(i) != EP_OK); i++) {
        code = ep_code_at(i);
        if (!append(list,
                    Py_BuildValue("(izzzi)", (int)code, ep_code_name(code), ep_code_clause(code),
                                  ep_code_message(code), (int)ep_code_level(code)))) {
            Py_CLEAR(list);
        }
    }
    return list;
}

METHOD(library_version) {
    return PyUnicode_FromString(ep_library_version());
}

PyMethodDef TABLE_METHODS[] = {
    {"versions", versions, METH_NOARGS, NULL},
    {"find_version", find_version, METH_VARARGS, NULL},
    {"codes", codes, METH_NOARGS, NULL},
    {"library_version", library_version, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
