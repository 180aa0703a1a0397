/*
 * builder_program.c - what a builder makes of its parts: nodes, the signature, tree specs and
 * the module call graph, the program as a whole.
 */
#include "builder.h"

/* ------------------------------------------------------------------- nodes */

/* An ep_named_arg: name, arg, is_keyword. */
static bool item_named_arg(const building *c, PyObject *item, void *to) {
    ep_named_arg *out = to;
    part arg = {c, NULL};
    int keyword;
    bool ok = PyArg_ParseTuple(item, "sO&p", &out->name, to_arg, &arg, &keyword);
    out->arg = arg.is;
    out->keyword = ok && keyword != 0;
    return ok;
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
static int to_pair(PyObject *pair, void *names) {
    const char **out = names;
    return pair == Py_None || PyArg_ParseTuple(pair, "ss", &out[0], &out[1]);
}

METHOD(node) {
    building c;
    part graph = {&c, NULL};
    array inputs = {&c, sizeof(ep_named_arg), item_named_arg, NULL, 0};
    array outputs = {&c, sizeof(ep_built_arg *), item_arg, NULL, 0};
    array modules = {&c, sizeof(ep_module_frame), item_frame, NULL, 0};
    array metadata = {&c, sizeof(ep_metadata_item), item_metadata, NULL, 0};
    const char *source[2] = {NULL, NULL}, *torch_fn[2] = {NULL, NULL};
    int returns;
    Py_ssize_t trace = 0;
    ep_node_info info = {0};
    TAKE("O&O&szO&O&is#O&O&O&O&", to_building, &c, to_built_graph, &graph, &info.target, &info.name,
         to_array, &inputs, to_array, &outputs, &returns, &info.stack_trace.data, &trace, to_array,
         &modules, to_pair, source, to_pair, torch_fn, to_array, &metadata);
    info.inputs = inputs.items;
    info.input_count = inputs.count;
    info.outputs = outputs.items;
    info.output_count = outputs.count;
    info.returns = (ep_node_returns)returns;
    info.stack_trace.size = (size_t)trace;
    info.modules = modules.items;
    info.module_count = modules.count;
    info.source_name = source[0];
    info.source_function = source[1];
    info.torch_fn_name = torch_fn[0];
    info.torch_fn = torch_fn[1];
    info.metadata = metadata.items;
    info.metadata_count = metadata.count;
    PyObject *result = said(&c, ep_build_node(c.b, graph.is, &info));
    release(info.inputs);
    release(info.outputs);
    release(info.modules);
    release(info.metadata);
    return result;
}

typedef bool put_arg(ep_builder *b, ep_built_graph *graph, const ep_built_arg *arg);

static PyObject *put(PyObject *arguments, put_arg *take) {
    building c;
    part graph = {&c, NULL}, arg = {&c, NULL};
    TAKE("O&O&O&", to_building, &c, to_built_graph, &graph, to_arg, &arg);
    return said(&c, take(c.b, graph.is, arg.is));
}

METHOD(graph_input) {
    return put(arguments, ep_build_graph_input);
}

METHOD(graph_output) {
    return put(arguments, ep_build_graph_output);
}

/* --------------------------------------------------------------- signature */

METHOD(input) {
    building c;
    int kind;
    part arg = {&c, NULL};
    const char *name;
    TAKE("O&iO&z", to_building, &c, &kind, to_arg, &arg, &name);
    return said(&c, ep_build_input(c.b, (ep_input_kind)kind, arg.is, name));
}

METHOD(output) {
    building c;
    int kind;
    part arg = {&c, NULL};
    const char *name;
    TAKE("O&iO&z", to_building, &c, &kind, to_arg, &arg, &name);
    return said(&c, ep_build_output(c.b, (ep_output_kind)kind, arg.is, name));
}

/* ------------------------------------------------------------- tree specs */

METHOD(tree_leaf) {
    building c;
    TAKE("O&", to_building, &c);
    return made(&c, PART_TREE, ep_tree_leaf(c.b));
}

METHOD(tree_node) {
    building c;
    const char *type, *context;
    array children = {&c, sizeof(ep_built_tree *), item_tree, NULL, 0};
    TAKE("O&ssO&", to_building, &c, &type, &context, to_array, &children);
    PyObject *tree =
        made(&c, PART_TREE, ep_tree_node(c.b, type, context, children.items, children.count));
    release(children.items);
    return tree;
}

typedef const ep_built_tree *make_tree(ep_builder *b, const ep_built_tree *const *children,
                                       size_t count);

static PyObject *tree_of(PyObject *arguments, make_tree *make) {
    building c;
    array children = {&c, sizeof(ep_built_tree *), item_tree, NULL, 0};
    TAKE("O&O&", to_building, &c, to_array, &children);
    PyObject *tree = made(&c, PART_TREE, make(c.b, children.items, children.count));
    release(children.items);
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
    array keys = {&c, sizeof(const char *), item_text, NULL, 0};
    array children = {&c, sizeof(ep_built_tree *), item_tree, NULL, 0};
    PyObject *tree = NULL;
    TAKE("O&O&O&", to_building, &c, to_array, &keys, to_array, &children);
    if (same_number(&keys, &children, "keys and children of different number")) {
        tree = made(&c, PART_TREE, ep_tree_dict(c.b, keys.items, children.items, keys.count));
    }
    release(keys.items);
    release(children.items);
    return tree;
}

/* ------------------------------------------------------------------- calls */

/* What to_call takes, and leaves: .info, which release_call frees. */
typedef struct called {
    const building *c;
    ep_call_info info;
} called;

/* A tuple: args, kwargs or None, out, arg_names or None, inputs, outputs. */
static int to_call(PyObject *call, void *converted) {
    called *out = converted;
    const building *c = out->c;
    part args = {c, NULL}, kwargs = {c, NULL}, result = {c, NULL};
    array names = {c, sizeof(const char *), item_text, NULL, 0};
    array inputs = {c, sizeof(ep_built_arg *), item_arg, NULL, 0};
    array outputs = inputs;
    bool ok =
        PyArg_ParseTuple(call, "O&O&O&O&O&O&", to_tree, &args, to_optional_tree, &kwargs, to_tree,
                         &result, to_optional_array, &names, to_array, &inputs, to_array, &outputs);
    if (ok) {
        out->info = (ep_call_info){.args = args.is,
                                   .kwargs = kwargs.is,
                                   .out = result.is,
                                   .arg_names = names.items,
                                   .arg_name_count = names.count,
                                   .inputs = inputs.items,
                                   .input_count = inputs.count,
                                   .outputs = outputs.items,
                                   .output_count = outputs.count};
    }
    return ok;
}

static void release_call(const ep_call_info *info) {
    release(info->arg_names);
    release(info->inputs);
    release(info->outputs);
}

METHOD(call) {
    building c;
    called call = {.c = &c};
    TAKE("O&O&", to_building, &c, to_call, &call);
    PyObject *result = said(&c, ep_build_call(c.b, &call.info));
    release_call(&call.info);
    return result;
}

METHOD(submodule) {
    building c;
    const char *fqn;
    PyObject *said_call;
    called call = {.c = &c};
    TAKE("O&sO", to_building, &c, &fqn, &said_call);
    bool is_kept = said_call != Py_None;
    NEED(!is_kept || to_call(said_call, &call));
    PyObject *result = said(&c, ep_build_module(c.b, fqn, is_kept ? &call.info : NULL));
    release_call(&call.info);
    return result;
}

/* -------------------------------------------------------------- the whole */

METHOD(range) {
    building c;
    part symbol = {&c, NULL};
    long long min, max;
    TAKE("O&O&LL", to_building, &c, to_expr, &symbol, &min, &max);
    return said(&c, ep_build_range(c.b, symbol.is, min, max));
}

METHOD(opset) {
    building c;
    const char *name;
    long long version;
    TAKE("O&sL", to_building, &c, &name, &version);
    return said(&c, ep_build_opset(c.b, name, version));
}

typedef bool put_text(ep_builder *b, const char *text);

static PyObject *text_into(PyObject *arguments, put_text *take) {
    building c;
    const char *text;
    TAKE("O&s", to_building, &c, &text);
    return said(&c, take(c.b, text));
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
    TAKE("O&s#", to_building, &c, &text, &size);
    return said(&c, ep_build_guard(c.b, (ep_bytes){text, (size_t)size}));
}

METHOD(equal_dims) {
    building c;
    part a = {&c, NULL}, b = {&c, NULL};
    long long dims[2];
    TAKE("O&O&LO&L", to_building, &c, to_built_value, &a, &dims[0], to_built_value, &b, &dims[1]);
    return said(&c, ep_build_equal_dims(c.b, a.is, dims[0], b.is, dims[1]));
}

METHOD(has) {
    building c;
    const char *type, *member;
    TAKE("O&sz", to_building, &c, &type, &member);
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
    TAKE("O&p", to_building, &c, &checked);
    program_handle *handle = program_new(0);
    NEED(handle != NULL);
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
