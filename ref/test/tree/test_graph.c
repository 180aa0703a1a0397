/*
 * test_graph.c - the nodes and tensors of a graph as callers have them: the same of one
 * program in every version, subgraphs, each way in which an argument names a value, and
 * what is no graph.
 */
#include "base/span.h"
#include "check.h"
#include "epref_builder.h"
#include "opened.h"
#include "whole.h"

static bool check_text(ep_bytes text, const char *expected) {
    return CHECK_EQ_STR(text.data, text.size, expected);
}

static void check_name(const char *actual, const char *expected) {
    if (CHECK_NOTE(actual != NULL, expected)) {
        CHECK_EQ_STR(actual, strlen(actual), expected);
    }
}

static ep_graph *open_graph(ep_value value, ep_arena *arena) {
    ep_error error;
    ep_graph *graph;
    CHECK(ep_graph_open(value, arena, &graph, &error));
    CHECK_EQ_INT(error.code, EP_OK);
    return graph;
}

/* ------------------------------------------------------------------ every version */

/* x: float[s0, 3] on cuda:1, y = relu(x) in a module, with a text that has escapes. */
static void build(ep_builder *b) {
    static const int64_t hint = 7;
    static const ep_module_frame module = {"L__self__", "", "Net"};
    const ep_dim sizes[] = {{0, ep_expr_symbol(b, "s0", &hint)}, {3, NULL}};
    const ep_tensor_info info = {.dtype = "FLOAT",
                                 .sizes = sizes,
                                 .rank = 2,
                                 .device = "cuda",
                                 .device_index = 1,
                                 .has_device_index = true};
    const ep_built_value *x = ep_build_tensor(b, ep_build_root(b), "x", &info);
    const ep_built_value *y = ep_build_tensor(b, ep_build_root(b), "a\"y", &info);
    const ep_named_arg inputs[] = {{"self", ep_arg_value(b, x), false},
                                   {"dim", ep_arg_int(b, 1), false}};
    const ep_built_arg *outputs[] = {ep_arg_value(b, y)};
    const ep_node_info node = {.target = "torch.ops.aten.softmax.int",
                               .inputs = inputs,
                               .input_count = 2,
                               .outputs = outputs,
                               .output_count = 1,
                               .stack_trace = EP_TEXT("line 1\nline 2"),
                               .modules = &module,
                               .module_count = 1};
    ep_build_input(b, EP_INPUT_USER, ep_arg_value(b, x), NULL);
    ep_build_node(b, ep_build_root(b), &node);
    ep_build_output(b, EP_OUTPUT_USER, outputs[0], NULL);
}

static void check_node(const ep_graph *graph, ep_arena *arena) {
    ep_graph_node node;
    ep_bytes text;
    CHECK_EQ_INT(ep_graph_node_count(graph), 1);
    if (!CHECK(ep_graph_node_at(graph, 0, &node)) || !CHECK_EQ_INT(node.input_count, 2) ||
        !CHECK_EQ_INT(node.output_count, 1)) {
        return;
    }
    check_text(node.target, "torch.ops.aten.softmax.int");
    check_text(node.inputs[0].name, "self");
    check_text(node.inputs[0].value_name, "x");
    check_name(node.inputs[0].tag, "as_tensor");
    CHECK(!node.inputs[0].is_keyword);
    check_text(node.outputs[0].name, "");
    check_text(node.outputs[0].value_name, "a\"y");
    check_name(ep_value_type(node.value), "Node");
    const ep_graph_argument *dim = ep_node_argument(&node, "dim");
    if (CHECK(dim == &node.inputs[1])) {
        check_name(dim->tag, "as_int");
        check_text(dim->value_name, "");
        CHECK_EQ_INT(ep_value_int(dim->value), 1);
    }
    CHECK(ep_node_argument(&node, "di") == NULL && ep_node_argument(&node, "") == NULL);
    CHECK(ep_node_metadata(&node, "stack_trace", arena, &text));
    check_text(text, "line 1\nline 2");
    CHECK(!ep_node_metadata(&node, "stack", arena, &text));
    check_text(text, "");
}

static void check_tensor(const ep_graph *graph, const char *name) {
    ep_tensor tensor;
    if (!CHECK_NOTE(ep_graph_tensor(graph, test_bytes(name), &tensor), name)) {
        return;
    }
    check_text(tensor.name, name);
    check_name(tensor.dtype, "FLOAT");
    check_name(tensor.layout, "Strided");
    check_name(ep_value_type(tensor.value), "TensorMeta");
    check_text(tensor.device, "cuda");
    CHECK(tensor.has_device_index && tensor.device_index == 1 && !tensor.requires_grad);
    if (CHECK(tensor.rank == 2 && tensor.stride_count == 2)) {
        CHECK(test_holds(tensor.sizes[0].expr, "s0"));
        CHECK(tensor.sizes[0].has_hint && tensor.sizes[0].number == 7);
        check_text(tensor.sizes[1].expr, "");
        CHECK(!tensor.sizes[1].has_hint && tensor.sizes[1].number == 3);
        CHECK_EQ_INT(tensor.strides[0].number, 3);
        CHECK_EQ_INT(tensor.strides[1].number, 1);
    }
    check_text(tensor.storage_offset.expr, "");
    CHECK_EQ_INT(tensor.storage_offset.number, 0);
}

static void check_tensors(const ep_graph *graph) {
    ep_tensor tensor;
    check_tensor(graph, "x");
    check_tensor(graph, "a\"y");
    CHECK_EQ_INT(ep_graph_tensor_count(graph), 2);
    CHECK(ep_graph_tensor_at(graph, 0, &tensor) && ep_graph_tensor_at(graph, 1, &tensor));
    CHECK(!ep_graph_tensor(graph, EP_TEXT(""), &tensor));
    CHECK(!ep_graph_tensor(graph, EP_TEXT("a"), &tensor));
    CHECK(!ep_graph_tensor(graph, EP_TEXT("z"), &tensor));
}

static void check_version(const ep_version *version) {
    test_built b = {.heap = {0}};
    ep_error error;
    test_arena(&b.arena, &b.heap, 0);
    ep_builder *builder = ep_builder_open(&b.arena, version, &error);
    build(builder);
    if (CHECK_NOTE(ep_builder_finish(builder, &b.arena, EP_BUILD_CHECKED, &b.built, &error),
                   version->name)) {
        ep_graph *graph = open_graph(ep_program_graph(b.built.program), &b.arena);
        check_node(graph, &b.arena);
        check_tensors(graph);
    }
    test_close_built(&b);
}

/* ---------------------------------------------------------------------- subgraphs */

static void build_subgraph(ep_builder *b) {
    const ep_dim size = {2, NULL};
    const ep_tensor_info info = {.dtype = "LONG", .sizes = &size, .rank = 1};
    ep_built_graph *inner = ep_build_subgraph(b);
    const ep_built_arg *y = ep_arg_value(b, ep_build_tensor(b, inner, "y", &info));
    ep_build_graph_input(b, inner, y);
    ep_build_graph_output(b, inner, y);
    const ep_built_value *x = ep_build_tensor(b, ep_build_root(b), "x", &info);
    const ep_named_arg inputs[] = {{"", ep_arg_graph(b, "body", inner), false},
                                   {"k", ep_arg_value(b, x), true}};
    const ep_node_info node = {.target = "a.b", .inputs = inputs, .input_count = 2};
    ep_build_node(b, ep_build_root(b), &node);
}

static void test_subgraph(void) {
    test_built b = {.heap = {0}};
    ep_graph_node node;
    ep_tensor tensor;
    test_arena(&b.arena, &b.heap, 0);
    ep_builder *builder = ep_builder_open(&b.arena, ep_version_find("latest"), NULL);
    build_subgraph(builder);
    if (CHECK(ep_builder_finish(builder, &b.arena, EP_BUILD_PROGRAM, &b.built, NULL))) {
        ep_graph *graph = open_graph(ep_program_graph(b.built.program), &b.arena);
        CHECK(ep_graph_node_at(graph, 0, &node));
        check_name(node.inputs[0].tag, "as_graph");
        check_text(node.inputs[0].value_name, ""); /* "body" is no value */
        CHECK(!node.inputs[0].is_keyword && node.inputs[1].is_keyword);
        graph = open_graph(node.inputs[0].value, &b.arena);
        CHECK_EQ_INT(ep_graph_node_count(graph), 0);
        CHECK(ep_graph_tensor(graph, EP_TEXT("y"), &tensor));
        CHECK(!ep_graph_tensor(graph, EP_TEXT("x"), &tensor));
        check_name(tensor.dtype, "LONG");
    }
    test_close_built(&b);
}

/* ---------------------------------------------------------------------- arguments */

typedef struct argument_row {
    const char *version;
    const char *tag;
    const char *value;
    const char *name; /* that it gives */
} argument_row;

static const argument_row argument_rows[] = {
    {"8.20", "as_tensor", "{\"name\": \"t\"}", "t"},
    {"8.20", "as_sym_int", "{\"as_name\": \"n\"}", "n"},
    {"8.20", "as_sym_int", "{\"as_int\": 4}", ""},
    {"8.20", "as_sym_float", "{\"as_name\": \"f\"}", "f"},
    {"8.20", "as_sym_bool", "{\"as_bool\": true}", ""},
    {"8.20", "as_optional_tensor", "{\"as_tensor\": {\"name\": \"t\"}}", "t"},
    {"8.20", "as_optional_tensor", "{\"as_none\": true}", ""},
    {"8.20", "as_custom_obj", "{\"name\": \"o\", \"class_fqn\": \"a.B\"}", "o"},
    {"8.20", "as_string", "\"t\"", ""},
    {"8.20", "as_operator", "\"a.b\"", ""},
    {"8.20", "as_tensors", "[{\"name\": \"t\"}]", ""},
    {"8.20", "as_none", "true", ""},
    {"8.20", "as_device", "{\"type\": \"cpu\", \"index\": null}", ""},
    {"8.20", "as_string_to_argument", "{\"name\": {\"as_int\": 1}}", ""},
    {"5.3", "as_custom_obj", "{\"name\": \"o\", \"class_fqn\": \"a.B\"}", "o"},
    {"5.1", "as_sym_int", "{\"as_name\": \"n\"}", "n"},
};

static void check_argument(const argument_row *row) {
    test_opened o = {.program = NULL};
    test_text nodes = {0};
    ep_graph_node node;
    test_add_str(&nodes, "[{\"target\": \"a.b\", \"inputs\": [], \"metadata\": {}, \"outputs\": [");
    test_add_union(&nodes, row->version, "Argument", row->tag, row->value);
    test_add_str(&nodes, "]}]");
    test_add(&nodes, "", 1);
    const test_hole holes[] = {{"Graph.nodes", nodes.data}, {NULL, NULL}};
    test_program(&o.text, row->version, holes);
    if (test_open(&o)) {
        ep_graph *graph = open_graph(ep_program_graph(o.program), &o.arena);
        if (CHECK(ep_graph_node_at(graph, 0, &node)) && CHECK_EQ_INT(node.output_count, 1)) {
            check_name(node.outputs[0].tag, row->tag);
            check_text(node.outputs[0].value_name, row->name);
        }
    }
    test_close(&o);
    test_text_free(&nodes);
}

/* -------------------------------------------------------------------- what is none */

static void test_none(void) {
    test_opened o = {.program = NULL};
    ep_error error;
    ep_graph *graph;
    ep_graph_node node = {.input_count = 0};
    ep_tensor tensor;
    ep_bytes text;
    test_program(&o.text, "8.20", (const test_hole[]){{NULL, NULL}});
    if (test_open(&o)) {
        const ep_value values[] = {{NULL, NULL, 0},
                                   ep_program_root(o.program),
                                   ep_value_field(ep_program_graph(o.program), "nodes"),
                                   ep_value_field(ep_program_root(o.program), "torch_version")};
        for (size_t i = 0; i < EP_COUNT_OF(values); i++) {
            CHECK(!ep_graph_open(values[i], &o.arena, &graph, &error));
            CHECK(error.code == EP_ARGUMENT && graph == NULL);
        }
        graph = open_graph(ep_program_graph(o.program), &o.arena);
        CHECK(!ep_graph_node_at(graph, 0, &node) && !ep_graph_tensor_at(graph, 0, &tensor));
        CHECK(!ep_graph_tensor(graph, EP_TEXT("x"), &tensor));
        CHECK_EQ_INT(ep_value_kind(ep_program_graph(NULL)), EP_KIND_NULL);
        CHECK(!ep_node_metadata(&node, "stack_trace", &o.arena, &text));
        CHECK(ep_node_argument(&node, "self") == NULL);
    }
    test_close(&o);
}

int main(void) {
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        check_version(ep_version_at(i));
    }
    test_subgraph();
    for (size_t i = 0; i < EP_COUNT_OF(argument_rows); i++) {
        check_argument(&argument_rows[i]);
    }
    test_none();
    return check_report();
}
