/*
 * module.c - the extension module epref._epref. It has no state: what a program, graph or
 * archive needs is in its capsule.
 */
#include "builder.h"

static int add_methods(PyObject *module) {
    PyMethodDef *const tables[] = {
        TABLE_METHODS,          PROGRAM_METHODS, COMPARE_METHODS, VALUE_METHODS,
        GRAPH_METHODS,          ARCHIVE_METHODS, BUILDER_METHODS, BUILDER_ARGUMENT_METHODS,
        BUILDER_PROGRAM_METHODS};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (PyModule_AddFunctions(module, tables[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, __extension__(void *) add_methods},
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "epref._epref",
    .m_doc = "The library epref. Its objects are in the package epref.",
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__epref(void) {
    return PyModuleDef_Init(&definition);
}
