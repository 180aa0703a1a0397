/*
 * builder_program.c - what a builder makes of its parts: nodes, the signature, tree specs and
 * the module call graph, the program as a whole.
 */
#include "builder.h"

/* ------------------------------------------------------------------- nodes */

static void release(const void *items) {
    PyMem_Free((void *)(uintptr_t)items);
}

/* An ep_named_arg: name, arg, is_keyword. */
static bool item_named_arg(const building *c, PyObject *item, void *to) {
    ep_named_arg *out = to;
    PyObject *arg;
    int keyword;
    if (!PyArg_ParseTuple(item, "sOp", &out->name, &arg, &keyword)) {
        return false;
    }
    out->keyword = keyword != 0;
    return item_arg(c, arg, &out->arg);
}

/* An ep_module_frame: key, path, type. */
static bool item_frame(const building *c, PyObject *item, void *to) {
    ep_module_frame *out = to;
    (void)c;
    return PyArg_ParseTuple(item, "sss", &out->key, &out->path, &out->type);
}

/* An ep_metadata_item: key, text. */
static bool item_metadata(const building *c, PyObject *item, void *to) {
    ep_metadata_item *out = to;
    Py_ssize_t size = 0;
    (void)c;
    bool ok = PyArg_ParseTuple(item, "ss#", &out->key, &out->text.data, &size);
    out->text.size = (size_t)size;
    return ok;
}

/* A pair of names, or None. */
static bool read_pair(PyObject *pair, const char **name, const char **function) {
    return pair == Py_None || PyArg_ParseTuple(pair, "ss", name, function);
}

static bool read_lists(const building *c, PyObject *const lists[4], ep_node_info *info) {
    info->inputs = array_of(c, lists[0], sizeof *info->inputs, item_named_arg, &info->input_count);
    if (info->inputs != NULL) {
        info->outputs = array_of(c, lists[1], sizeof *info->outputs, item_arg, &info->output_count);
    }
    if (info->outputs != NULL) {
        info->modules =
            array_of(c, lists[2], sizeof *info->modules, item_frame, &info->module_count);
    }
    if (info->modules != NULL) {
        info->metadata =
            array_of(c, lists[3], sizeof *info->metadata, item_metadata, &info->metadata_count);
    }
    return info->metadata != NULL;
}

METHOD(node) {
    building c;
    PyObject *graph, *lists[4], *source, *torch_fn;
    int returns;
    Py_ssize_t trace = 0;
    ep_node_info info = {0};
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(arguments, "O&OszOOis#OOOO", to_building, &c, &graph, &info.target,
                          &info.name, &lists[0], &lists[1], &returns, &info.stack_trace.data,
                          &trace, &lists[2], &source, &torch_fn, &lists[3])) {
        return NULL;
    }
    info.returns = (ep_node_returns)returns;
    info.stack_trace.size = (size_t)trace;
    ep_built_graph *into = part_of(&c, PART_GRAPH, graph);
    if (into != NULL && read_pair(source, &info.source_name, &info.source_function) &&
        read_pair(torch_fn, &info.torch_fn_name, &info.torch_fn) && read_lists(&c, lists, &info)) {
        result = said(&c, ep_build_node(c.b, into, &info));
    }
    release(info.inputs);
    release(info.outputs);
    release(info.modules);
    release(info.metadata);
    return result;
}

typedef bool put_arg(ep_builder *b, ep_built_graph *graph, const ep_built_arg *arg);

static PyObject *put(PyObject *arguments, put_arg *take) {
    building c;
    PyObject *graph, *arg;
    if (!PyArg_ParseTuple(arguments, "O&OO", to_building, &c, &graph, &arg)) {
        return NULL;
    }
    ep_built_graph *into = part_of(&c, PART_GRAPH, graph);
    const ep_built_arg *is = into != NULL ? part_of(&c, PART_ARG, arg) : NULL;
    return is != NULL ? said(&c, take(c.b, into, is)) : NULL;
}

METHOD(graph_input) {
    return put(arguments, ep_build_graph_input);
}

METHOD(graph_output) {
    return put(arguments, ep_build_graph_output);
}

/* --------------------------------------------------------------- signature */

/* Kind, argument, and name or NULL of an input or output. */
static const ep_built_arg *read_spec(PyObject *arguments, building *c, int *kind,
                                     const char **name) {
    PyObject *arg;
    return PyArg_ParseTuple(arguments, "O&iOz", to_building, c, kind, &arg, name)
               ? part_of(c, PART_ARG, arg)
               : NULL;
}

METHOD(input) {
    building c;
    int kind;
    const char *name;
    const ep_built_arg *is = read_spec(arguments, &c, &kind, &name);
    return is != NULL ? said(&c, ep_build_input(c.b, (ep_input_kind)kind, is, name)) : NULL;
}

METHOD(output) {
    building c;
    int kind;
    const char *name;
    const ep_built_arg *is = read_spec(arguments, &c, &kind, &name);
    return is != NULL ? said(&c, ep_build_output(c.b, (ep_output_kind)kind, is, name)) : NULL;
}

/* ------------------------------------------------------------- tree specs */

METHOD(tree_leaf) {
    building c;
    if (!PyArg_ParseTuple(arguments, "O&", to_building, &c)) {
        return NULL;
    }
    return made(&c, PART_TREE, ep_tree_leaf(c.b));
}

METHOD(tree_node) {
    building c;
    const char *type, *context;
    PyObject *children;
    size_t count;
    if (!PyArg_ParseTuple(arguments, "O&ssO", to_building, &c, &type, &context, &children)) {
        return NULL;
    }
    const ep_built_tree **items = array_of(&c, children, sizeof *items, item_tree, &count);
    PyObject *tree =
        items != NULL ? made(&c, PART_TREE, ep_tree_node(c.b, type, context, items, count)) : NULL;
    release(items);
    return tree;
}

typedef const ep_built_tree *make_tree(ep_builder *b, const ep_built_tree *const *children,
                                       size_t count);

static PyObject *tree_of(PyObject *arguments, make_tree *make) {
    building c;
    PyObject *children;
    size_t count;
    if (!PyArg_ParseTuple(arguments, "O&O", to_building, &c, &children)) {
        return NULL;
    }
    const ep_built_tree **items = array_of(&c, children, sizeof *items, item_tree, &count);
    PyObject *tree = items != NULL ? made(&c, PART_TREE, make(c.b, items, count)) : NULL;
    release(items);
    return tree;
}

METHOD(tree_tuple) {
    return tree_of(arguments, ep_tree_tuple);
}

METHOD(tree_list) {
    return tree_of(arguments, ep_tree_list);
}

METHOD(tree_dict) {
    building c;
    PyObject *said_keys, *children;
    size_t count, others = 0;
    PyObject *tree = NULL;
    if (!PyArg_ParseTuple(arguments, "O&OO", to_building, &c, &said_keys, &children)) {
        return NULL;
    }
    const char **keys = array_of(&c, said_keys, sizeof *keys, item_text, &count);
    const ep_built_tree **items =
        keys != NULL ? array_of(&c, children, sizeof *items, item_tree, &others) : NULL;
    if (items != NULL && others == count) {
        tree = made(&c, PART_TREE, ep_tree_dict(c.b, keys, items, count));
    } else if (items != NULL) {
        PyErr_SetString(PyExc_ValueError, "keys and children of different number");
    }
    release(keys);
    release(items);
    return tree;
}

/* ------------------------------------------------------------------- calls */

/* A tuple: args, kwargs or None, out, arg_names or None, inputs, outputs. */
static bool read_call(const building *c, PyObject *call, ep_call_info *info) {
    PyObject *args, *kwargs, *out, *names, *inputs, *outputs;
    if (!PyArg_ParseTuple(call, "OOOOOO", &args, &kwargs, &out, &names, &inputs, &outputs) ||
        !item_tree(c, args, &info->args) || !item_tree(c, out, &info->out) ||
        (kwargs != Py_None && !item_tree(c, kwargs, &info->kwargs))) {
        return false;
    }
    if (names != Py_None) {
        info->arg_names =
            array_of(c, names, sizeof *info->arg_names, item_text, &info->arg_name_count);
    }
    if (names == Py_None || info->arg_names != NULL) {
        info->inputs = array_of(c, inputs, sizeof *info->inputs, item_arg, &info->input_count);
    }
    if (info->inputs != NULL) {
        info->outputs = array_of(c, outputs, sizeof *info->outputs, item_arg, &info->output_count);
    }
    return info->outputs != NULL;
}

static void release_call(const ep_call_info *info) {
    release(info->arg_names);
    release(info->inputs);
    release(info->outputs);
}

METHOD(call) {
    building c;
    PyObject *said_call;
    ep_call_info info = {0};
    if (!PyArg_ParseTuple(arguments, "O&O", to_building, &c, &said_call)) {
        return NULL;
    }
    PyObject *result = read_call(&c, said_call, &info) ? said(&c, ep_build_call(c.b, &info)) : NULL;
    release_call(&info);
    return result;
}

METHOD(submodule) {
    building c;
    const char *fqn;
    PyObject *said_call;
    ep_call_info info = {0};
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(arguments, "O&sO", to_building, &c, &fqn, &said_call)) {
        return NULL;
    }
    bool is_kept = said_call != Py_None;
    if (!is_kept || read_call(&c, said_call, &info)) {
        result = said(&c, ep_build_module(c.b, fqn, is_kept ? &info : NULL));
    }
    release_call(&info);
    return result;
}

/* -------------------------------------------------------------- the whole */

METHOD(range) {
    building c;
    PyObject *symbol;
    long long min, max;
    if (!PyArg_ParseTuple(arguments, "O&OLL", to_building, &c, &symbol, &min, &max)) {
        return NULL;
    }
    const ep_built_expr *is = part_of(&c, PART_EXPR, symbol);
    return is != NULL ? said(&c, ep_build_range(c.b, is, min, max)) : NULL;
}

METHOD(opset) {
    building c;
    const char *name;
    long long version;
    if (!PyArg_ParseTuple(arguments, "O&sL", to_building, &c, &name, &version)) {
        return NULL;
    }
    return said(&c, ep_build_opset(c.b, name, version));
}

typedef bool put_text(ep_builder *b, const char *text);

static PyObject *text_into(PyObject *arguments, put_text *take) {
    building c;
    const char *text;
    return PyArg_ParseTuple(arguments, "O&s", to_building, &c, &text) ? said(&c, take(c.b, text))
                                                                      : NULL;
}

METHOD(verifier) {
    return text_into(arguments, ep_build_verifier);
}

METHOD(torch_version) {
    return text_into(arguments, ep_build_torch_version);
}

METHOD(guard) {
    building c;
    const char *text;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(arguments, "O&s#", to_building, &c, &text, &size)) {
        return NULL;
    }
    return said(&c, ep_build_guard(c.b, (ep_bytes){text, (size_t)size}));
}

METHOD(equal_dims) {
    building c;
    PyObject *parts[2];
    long long dims[2];
    const ep_built_value *values[2];
    if (!PyArg_ParseTuple(arguments, "O&OLOL", to_building, &c, &parts[0], &dims[0], &parts[1],
                          &dims[1]) ||
        !item_value(&c, parts[0], &values[0]) || !item_value(&c, parts[1], &values[1])) {
        return NULL;
    }
    return said(&c, ep_build_equal_dims(c.b, values[0], dims[0], values[1], dims[1]));
}

METHOD(has) {
    building c;
    const char *type, *member;
    if (!PyArg_ParseTuple(arguments, "O&sz", to_building, &c, &type, &member)) {
        return NULL;
    }
    return PyBool_FromLong(ep_builder_has(c.b, type, member));
}

/* What is built, as a tuple: its text; its program or None; why that is refused or None. */
static PyObject *make_built(program_handle *handle, const ep_built *built, bool ok,
                            const ep_error *error) {
    PyObject *text = PyBytes_FromStringAndSize(built->text.data, (Py_ssize_t)built->text.size);
    PyObject *capsule;
    if (ok) {
        handle->program = built->program;
        capsule = program_capsule(handle);
    } else {
        program_free(handle);
        capsule = none();
    }
    return Py_BuildValue("(NNN)", text, capsule, ok ? none() : error_tuple(error));
}

/* The builder has ended then, whatever comes of it. */
METHOD(finish) {
    building c;
    int checked;
    ep_built built = {0};
    ep_error error;
    bool ok;
    if (!PyArg_ParseTuple(arguments, "O&p", to_building, &c, &checked)) {
        return NULL;
    }
    program_handle *handle = program_new(0);
    if (handle == NULL) {
        return NULL;
    }
    c.handle->builder = NULL; /* for other threads */
    ep_build_goal goal = checked ? EP_BUILD_CHECKED : EP_BUILD_PROGRAM;
    Py_BEGIN_ALLOW_THREADS ok = ep_builder_finish(c.b, &handle->arena, goal, &built, &error);
    Py_END_ALLOW_THREADS if (!ok && built.text.data == NULL) {
        program_free(handle);
        return raise_error(&error);
    }
    return make_built(handle, &built, ok, &error);
}

PyMethodDef BUILDER_PROGRAM_METHODS[] = {
    {"builder_node", node, METH_VARARGS, NULL},
    {"builder_graph_input", graph_input, METH_VARARGS, NULL},
    {"builder_graph_output", graph_output, METH_VARARGS, NULL},
    {"builder_input", input, METH_VARARGS, NULL},
    {"builder_output", output, METH_VARARGS, NULL},
    {"builder_tree_leaf", tree_leaf, METH_VARARGS, NULL},
    {"builder_tree_node", tree_node, METH_VARARGS, NULL},
    {"builder_tree_tuple", tree_tuple, METH_VARARGS, NULL},
    {"builder_tree_list", tree_list, METH_VARARGS, NULL},
    {"builder_tree_dict", tree_dict, METH_VARARGS, NULL},
    {"builder_call", call, METH_VARARGS, NULL},
    {"builder_module", submodule, METH_VARARGS, NULL},
    {"builder_range", range, METH_VARARGS, NULL},
    {"builder_opset", opset, METH_VARARGS, NULL},
    {"builder_verifier", verifier, METH_VARARGS, NULL},
    {"builder_torch_version", torch_version, METH_VARARGS, NULL},
    {"builder_guard", guard, METH_VARARGS, NULL},
    {"builder_equal_dims", equal_dims, METH_VARARGS, NULL},
    {"builder_has", has, METH_VARARGS, NULL},
    {"builder_finish", finish, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
