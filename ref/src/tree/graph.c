/*
 * tree/graph.c - the nodes and tensors of a graph as callers of the library have them.
 * It reads through the functions of value.c, which know how the versions differ.
 */
#include "base/error.h"
#include "base/sort.h"
#include "schema/tree.h"

struct ep_graph {
    ep_graph_node *nodes;
    size_t node_count;
    ep_tensor *tensors;
    uint32_t *by_name; /* the numbers of the tensors, in the order of their names */
    size_t tensor_count;
};

static bool text_in(ep_value value, const char *field, ep_arena *arena, ep_bytes *text) {
    ep_value string = ep_value_field(value, field);
    *text = EP_TEXT("");
    return ep_value_kind(string) == EP_KIND_NULL || ep_value_text(string, arena, text);
}

/* ------------------------------------------------------------------- arguments */

/* The string that names the value of an argument; null if it is no value. The unions in
 * an Argument are those of a value's name and a constant. */
static ep_value name_in(ep_value argument) {
    ep_value inner = ep_value_item(argument, 0);
    if (ep_value_kind(inner) == EP_KIND_UNION) {
        inner = ep_value_item(inner, 0);
        if (ep_value_kind(inner) == EP_KIND_STR) {
            return inner;
        }
    }
    bool is_graph = ep_value_kind(ep_value_field(inner, "graph")) == EP_KIND_STRUCT;
    return is_graph ? (ep_value){NULL, NULL, 0} : ep_value_field(inner, "name");
}

static bool read_argument(ep_value value, ep_arena *arena, ep_graph_argument *argument) {
    ep_value name = name_in(value);
    *argument = (ep_graph_argument){.tag = ep_value_name(value, 0),
                                    .value = ep_value_item(value, 0),
                                    .name = EP_TEXT(""),
                                    .value_name = EP_TEXT("")};
    return ep_value_kind(name) != EP_KIND_STR || ep_value_text(name, arena, &argument->value_name);
}

static bool read_input(ep_value named, ep_arena *arena, ep_graph_argument *argument) {
    const char *kind = ep_value_name(ep_value_field(named, "kind"), 0);
    TRY(read_argument(ep_value_field(named, "arg"), arena, argument));
    argument->is_keyword = kind != NULL && ep_text_equal(ep_text_of(kind), EP_TEXT("KEYWORD"));
    return text_in(named, "name", arena, &argument->name);
}

typedef bool argument_reader(ep_value value, ep_arena *arena, ep_graph_argument *argument);

static bool read_arguments(ep_value list, ep_arena *arena, argument_reader *read,
                           const ep_graph_argument **arguments) {
    size_t count = ep_value_count(list);
    ep_graph_argument *made = ep_arena_array(arena, 0, count, sizeof *made);
    TRY(made != NULL);
    *arguments = made;
    for (size_t i = 0; i < count; i++) {
        TRY(read(ep_value_item(list, i), arena, &made[i]));
    }
    return true;
}

/* ----------------------------------------------------------------------- nodes */

static bool read_node(ep_value value, ep_arena *arena, ep_graph_node *node) {
    ep_value inputs = ep_value_field(value, "inputs");
    ep_value outputs = ep_value_field(value, "outputs");
    *node = (ep_graph_node){.input_count = ep_value_count(inputs),
                            .output_count = ep_value_count(outputs),
                            .metadata = ep_value_field(value, "metadata"),
                            .value = value};
    return text_in(value, "target", arena, &node->target) &&
           text_in(value, "name", arena, &node->name) &&
           read_arguments(inputs, arena, read_input, &node->inputs) &&
           read_arguments(outputs, arena, read_argument, &node->outputs);
}

static bool read_nodes(ep_value list, ep_arena *arena, ep_graph *graph) {
    graph->node_count = ep_value_count(list);
    graph->nodes = ep_arena_array(arena, 0, graph->node_count, sizeof *graph->nodes);
    TRY(graph->nodes != NULL);
    for (size_t i = 0; i < graph->node_count; i++) {
        TRY(read_node(ep_value_item(list, i), arena, &graph->nodes[i]));
    }
    return true;
}

/* --------------------------------------------------------------------- tensors */

/* A hint is a number, or a union of the numbers that it can be. */
static void read_hint(ep_value hint, ep_sym_int *number) {
    if (ep_value_kind(hint) == EP_KIND_UNION) {
        hint = ep_value_field(hint, "as_int");
    }
    number->has_hint = ep_value_kind(hint) == EP_KIND_INT;
    number->number = ep_value_int(hint);
}

/* A SymInt, or a number where the version has that. */
static bool read_sym_int(ep_value value, ep_arena *arena, ep_sym_int *number) {
    ep_value inner = ep_value_kind(value) == EP_KIND_UNION ? ep_value_item(value, 0) : value;
    *number = (ep_sym_int){.expr = EP_TEXT(""), .number = ep_value_int(inner)};
    if (ep_value_kind(inner) == EP_KIND_STRUCT) {
        read_hint(ep_value_field(inner, "hint"), number);
        return text_in(inner, "expr_str", arena, &number->expr);
    }
    return true;
}

static bool read_sym_ints(ep_value list, ep_arena *arena, const ep_sym_int **numbers) {
    size_t count = ep_value_count(list);
    ep_sym_int *made = ep_arena_array(arena, 0, count, sizeof *made);
    TRY(made != NULL);
    *numbers = made;
    for (size_t i = 0; i < count; i++) {
        TRY(read_sym_int(ep_value_item(list, i), arena, &made[i]));
    }
    return true;
}

static bool read_device(ep_value device, ep_arena *arena, ep_tensor *tensor) {
    ep_value index = ep_value_field(device, "index");
    tensor->has_device_index = ep_value_kind(index) == EP_KIND_INT;
    tensor->device_index = ep_value_int(index);
    return text_in(device, "type", arena, &tensor->device);
}

/* Version 1 has the TensorMeta in a TensorValue. */
static bool read_tensor(ep_value entry, ep_arena *arena, ep_tensor *tensor) {
    ep_value inner = ep_value_field(entry, "meta");
    ep_value meta = ep_value_kind(inner) == EP_KIND_STRUCT ? inner : entry;
    ep_value sizes = ep_value_field(meta, "sizes");
    ep_value strides = ep_value_field(meta, "strides");
    *tensor = (ep_tensor){
        .dtype = ep_value_name(ep_value_field(meta, "dtype"), 0),
        .layout = ep_value_name(ep_value_field(meta, "layout"), 0),
        .rank = ep_value_count(sizes),
        .stride_count = ep_value_count(strides),
        .requires_grad = ep_value_int(ep_value_field(meta, "requires_grad")) != 0,
        .value = meta,
    };
    return read_sym_ints(sizes, arena, &tensor->sizes) &&
           read_sym_ints(strides, arena, &tensor->strides) &&
           read_sym_int(ep_value_field(meta, "storage_offset"), arena, &tensor->storage_offset) &&
           read_device(ep_value_field(meta, "device"), arena, tensor);
}

static int compare_names(const void *context, uint32_t a, uint32_t b) {
    const ep_tensor *tensors = context;
    return ep_sort_texts(tensors[a].name, tensors[b].name);
}

static bool read_tensors(ep_value dict, ep_arena *arena, ep_graph *graph) {
    graph->tensor_count = ep_value_count(dict);
    graph->tensors = ep_arena_array(arena, 0, graph->tensor_count, sizeof *graph->tensors);
    TRY(graph->tensors != NULL);
    for (size_t i = 0; i < graph->tensor_count; i++) {
        TRY(read_tensor(ep_value_item(dict, i), arena, &graph->tensors[i]) &&
            ep_value_key(dict, i, arena, &graph->tensors[i].name));
    }
    graph->by_name = ep_sort_order(arena, graph->tensor_count, compare_names, graph->tensors);
    return graph->by_name != NULL;
}

/* --------------------------------------------------------------------- opening */

EP_API ep_value ep_program_graph(const ep_program *program) {
    ep_value module = ep_value_field(ep_program_root(program), "graph_module");
    return ep_value_field(module, "graph");
}

/* The Graph of what is one, or of a GraphArgument; null for anything else. */
static ep_value graph_in(ep_value value) {
    ep_value inner = ep_value_field(value, "graph");
    ep_value graph = ep_value_kind(inner) == EP_KIND_STRUCT ? inner : value;
    const char *type = ep_value_type(graph);
    bool is_graph = type != NULL && ep_text_equal(ep_text_of(type), EP_TEXT("Graph"));
    return is_graph ? graph : (ep_value){NULL, NULL, 0};
}

EP_API bool ep_graph_open(ep_value value, ep_arena *arena, ep_graph **graph, ep_error *error) {
    ep_value found = graph_in(value);
    if (graph != NULL) {
        *graph = NULL;
    }
    if (ep_value_kind(found) == EP_KIND_NULL) {
        return ep_error_argument(error, "a value that is no graph");
    }
    bool given = arena != NULL && graph != NULL;
    if (!given || found.program->partial) { /* SPEC 3.10.3 */
        return ep_error_unusable(error, given);
    }
    ep_arena_mark mark = ep_arena_now(arena);
    *graph = ep_arena_alloc(arena, sizeof **graph);
    if (*graph == NULL || !read_nodes(ep_value_field(found, "nodes"), arena, *graph) ||
        !read_tensors(ep_value_field(found, "tensor_values"), arena, *graph)) {
        ep_arena_rewind(arena, mark);
        *graph = NULL;
        return ep_error_plain(error, EP_MEMORY);
    }
    ep_error_clear(error);
    return true;
}

/* --------------------------------------------------------------------- reading */

EP_API size_t ep_graph_node_count(const ep_graph *graph) {
    return graph == NULL ? 0 : graph->node_count;
}

EP_API bool ep_graph_node_at(const ep_graph *graph, size_t i, ep_graph_node *node) {
    TRY(node != NULL && i < ep_graph_node_count(graph));
    *node = graph->nodes[i];
    return true;
}

EP_API const ep_graph_argument *ep_node_argument(const ep_graph_node *node, const char *name) {
    for (size_t i = 0; node != NULL && name != NULL && i < node->input_count; i++) {
        if (ep_text_equal(node->inputs[i].name, ep_text_of(name))) {
            return &node->inputs[i];
        }
    }
    return NULL;
}

EP_API bool ep_node_metadata(const ep_graph_node *node, const char *key, ep_arena *arena,
                             ep_bytes *text) {
    TRY(text != NULL);
    *text = EP_TEXT("");
    TRY(node != NULL && key != NULL && arena != NULL);
    ep_value dict = node->metadata;
    bool is_dict = ep_value_kind(dict) == EP_KIND_DICT;
    for (size_t i = 0; is_dict && i < ep_value_count(dict); i++) {
        if (ep_text_is(dict.program->input.data, ep_list_at(dict.bits)->items[i],
                       ep_text_of(key))) {
            return ep_value_text(ep_value_item(dict, i), arena, text);
        }
    }
    return false;
}

EP_API size_t ep_graph_tensor_count(const ep_graph *graph) {
    return graph == NULL ? 0 : graph->tensor_count;
}

EP_API bool ep_graph_tensor_at(const ep_graph *graph, size_t i, ep_tensor *tensor) {
    TRY(tensor != NULL && i < ep_graph_tensor_count(graph));
    *tensor = graph->tensors[i];
    return true;
}

EP_API bool ep_graph_tensor(const ep_graph *graph, ep_bytes name, ep_tensor *tensor) {
    size_t low = 0;
    size_t high = ep_graph_tensor_count(graph);
    TRY(tensor != NULL && ep_text_is_there(name));
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const ep_tensor *found = &graph->tensors[graph->by_name[middle]];
        int order = ep_sort_texts(found->name, name);
        if (order == 0) {
            *tensor = *found;
            return true;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return false;
}
