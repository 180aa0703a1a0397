/*
 * graph.c - the nodes and tensors of graphs, and signatures.
 */
#include "module.h"

#include <string.h>

static const char NAME[] = "epref.graph";

typedef struct graph_handle {
    ep_arena arena;
    ep_graph *graph;
    PyObject *program;
} graph_handle;

static void graph_free(graph_handle *handle) {
    ep_arena_free(&handle->arena);
    Py_DECREF(handle->program);
    PyMem_Free(handle);
}

static void destroy(PyObject *capsule) {
    graph_free(PyCapsule_GetPointer(capsule, NAME));
}

static int to_graph(PyObject *capsule, void *handle) {
    graph_handle **out = handle;
    *out = PyCapsule_GetPointer(capsule, NAME);
    return *out != NULL;
}

METHOD(graph_open) {
    value_handle *value;
    ep_error error;
    bool ok;
    TAKE("O&", to_value, &value);
    graph_handle *handle = zeroed(sizeof *handle);
    NEED(handle != NULL);
    Py_INCREF(value->program);
    handle->program = value->program;
    ep_arena_init(&handle->arena, ep_heap(), 0);
    Py_BEGIN_ALLOW_THREADS ok = ep_graph_open(value->value, &handle->arena, &handle->graph, &error);
    Py_END_ALLOW_THREADS PyObject *capsule =
        ok ? PyCapsule_New(handle, NAME, destroy) : raise_error(&error);
    if (capsule == NULL) {
        graph_free(handle);
    }
    return capsule;
}

METHOD(counts) {
    graph_handle *handle;
    TAKE("O&", to_graph, &handle);
    return Py_BuildValue("(nn)", (Py_ssize_t)ep_graph_node_count(handle->graph),
                         (Py_ssize_t)ep_graph_tensor_count(handle->graph));
}

/* ------------------------------------------------------------------- nodes */

static PyObject *make_argument(const ep_graph_argument *argument, PyObject *program) {
    return Py_BuildValue("(NzNNN)", make_bytes_text(argument->name), argument->tag,
                         make_bytes_text(argument->value_name),
                         value_capsule(argument->value, program),
                         PyBool_FromLong(argument->is_keyword));
}

static PyObject *make_arguments(const ep_graph_argument *arguments, size_t count,
                                PyObject *program) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++) {
        if (!append(list, make_argument(&arguments[i], program))) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *make_node(const ep_graph_node *node, PyObject *program) {
    return Py_BuildValue("(NNNNNN)", make_bytes_text(node->target), make_bytes_text(node->name),
                         make_arguments(node->inputs, node->input_count, program),
                         make_arguments(node->outputs, node->output_count, program),
                         value_capsule(node->metadata, program),
                         value_capsule(node->value, program));
}

/* None past the end. */
METHOD(node_at) {
    graph_handle *handle;
    Py_ssize_t i;
    ep_graph_node node;
    TAKE("O&n", to_graph, &handle, &i);
    if (i < 0 || !ep_graph_node_at(handle->graph, (size_t)i, &node)) {
        return none();
    }
    return make_node(&node, handle->program);
}

/* ----------------------------------------------------------------- tensors */

/* An int, or the expression and its hint. */
static PyObject *make_sym_int(const ep_sym_int *number) {
    if (number->expr.size == 0) {
        return PyLong_FromLongLong(number->number);
    }
    return Py_BuildValue("(NN)", make_bytes_text(number->expr),
                         number->has_hint ? PyLong_FromLongLong(number->number) : none());
}

static PyObject *make_sym_ints(const ep_sym_int *numbers, size_t count) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++) {
        if (!append(list, make_sym_int(&numbers[i]))) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *make_tensor(const ep_tensor *tensor, PyObject *program) {
    return Py_BuildValue(
        "(NzzNNNNNNN)", make_bytes_text(tensor->name), tensor->dtype, tensor->layout,
        make_sym_ints(tensor->sizes, tensor->rank),
        make_sym_ints(tensor->strides, tensor->stride_count), make_sym_int(&tensor->storage_offset),
        make_bytes_text(tensor->device),
        tensor->has_device_index ? PyLong_FromLongLong(tensor->device_index) : none(),
        PyBool_FromLong(tensor->requires_grad), value_capsule(tensor->value, program));
}

/* The i-th tensor; None past the end. */
METHOD(tensor_at) {
    graph_handle *handle;
    Py_ssize_t i;
    ep_tensor tensor;
    TAKE("O&n", to_graph, &handle, &i);
    if (i < 0 || !ep_graph_tensor_at(handle->graph, (size_t)i, &tensor)) {
        return none();
    }
    return make_tensor(&tensor, handle->program);
}

/* The tensor of a name; None without one. */
METHOD(tensor_named) {
    graph_handle *handle;
    const char *name;
    Py_ssize_t size;
    ep_tensor tensor;
    TAKE("O&s#", to_graph, &handle, &name, &size);
    if (!ep_graph_tensor(handle->graph, (ep_bytes){name, (size_t)size}, &tensor)) {
        return none();
    }
    return make_tensor(&tensor, handle->program);
}

/* --------------------------------------------------------------- signature */

static PyObject *make_entry(const ep_signature_entry *entry, PyObject *program) {
    return Py_BuildValue("(iNNN)", (int)entry->kind, make_bytes_text(entry->name),
                         make_bytes_text(entry->target), value_capsule(entry->constant, program));
}

typedef bool signature_at(const ep_signature *signature, size_t i, ep_signature_entry *entry);

static PyObject *make_entries(const ep_signature *signature, signature_at *at, PyObject *program) {
    PyObject *list = PyList_New(0);
    ep_signature_entry entry;
    for (size_t i = 0; list != NULL && at(signature, i, &entry); i++) {
        if (!append(list, make_entry(&entry, program))) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* The lists of inputs and outputs. */
METHOD(signature) {
    PyObject *capsule;
    program_handle *handle;
    ep_arena arena;
    ep_signature *read;
    ep_error error;
    TAKE("O", &capsule);
    NEED(to_program(capsule, &handle));
    open_scratch(handle, &arena);
    if (!ep_signature_open(handle->program, &arena, &read, &error)) {
        ep_arena_free(&arena);
        return raise_error(&error);
    }
    PyObject *pair = Py_BuildValue("(NN)", make_entries(read, ep_signature_input, capsule),
                                   make_entries(read, ep_signature_output, capsule));
    ep_arena_free(&arena);
    return pair;
}

PyMethodDef GRAPH_METHODS[] = {
    {"graph_open", graph_open, METH_VARARGS, NULL},
    {"graph_counts", counts, METH_VARARGS, NULL},
    {"graph_node", node_at, METH_VARARGS, NULL},
    {"graph_tensor", tensor_at, METH_VARARGS, NULL},
    {"graph_tensor_named", tensor_named, METH_VARARGS, NULL},
    {"program_signature", signature, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
