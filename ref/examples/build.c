/*
 * build.c - makes a program, relu(x @ weight.T), and writes it to standard
 * output as the PyTorch release of a schema version would. The version is the
 * first argument; without one it is the latest.
 *
 *     cc build.c $(pkg-config --cflags --libs epref) -o build
 *     ./build 2 >program.json
 */
#include <epref_builder.h>

#include <stdio.h>

/* A tensor of two dimensions, in the program's own graph. */
static const ep_built_value *matrix(ep_builder *b, const char *name, int64_t rows,
                                    int64_t columns) {
    const ep_dim sizes[] = {{rows, NULL}, {columns, NULL}};
    const ep_tensor_info info = {.dtype = "FLOAT", .sizes = sizes, .rank = 2};
    return ep_build_tensor(b, ep_build_root(b), name, &info);
}

/* A node: y = target(inputs). */
static void call(ep_builder *b, const char *target, const ep_named_arg *inputs, size_t count,
                 const ep_built_value *y) {
    const ep_built_arg *outputs[] = {ep_arg_value(b, y)};
    const ep_node_info info = {.target = target,
                               .inputs = inputs,
                               .input_count = count,
                               .outputs = outputs,
                               .output_count = 1};
    ep_build_node(b, ep_build_root(b), &info);
}

/* What fails here fails all that comes after it, and is told at the end. */
static void build(ep_builder *b) {
    const ep_built_value *weight = matrix(b, "p_weight", 2, 3);
    const ep_built_value *x = matrix(b, "x", 4, 3);
    const ep_built_value *linear = matrix(b, "linear", 4, 2);
    const ep_built_value *relu = matrix(b, "relu", 4, 2);
    const ep_named_arg of_linear[] = {{"input", ep_arg_value(b, x), false},
                                      {"weight", ep_arg_value(b, weight), false}};
    const ep_named_arg of_relu[] = {{"self", ep_arg_value(b, linear), false}};

    ep_build_input(b, EP_INPUT_PARAMETER, ep_arg_value(b, weight), "weight");
    ep_build_input(b, EP_INPUT_USER, ep_arg_value(b, x), NULL);
    call(b, "torch.ops.aten.linear.default", of_linear, 2, linear);
    call(b, "torch.ops.aten.relu.default", of_relu, 1, relu);
    ep_build_output(b, EP_OUTPUT_USER, ep_arg_value(b, relu), NULL);
}

int main(int argc, char **argv) {
    const ep_version *version = ep_version_find(argc > 1 ? argv[1] : "latest");
    ep_arena arena;
    ep_error error;
    ep_built built;
    bool done = false;

    if (version == NULL) {
        fprintf(stderr, "no such schema version\n");
        return 1;
    }
    ep_arena_init(&arena, ep_heap(), 0);
    ep_builder *b = ep_builder_open(&arena, version, &error);
    if (b != NULL) {
        build(b);
        done = ep_builder_finish(b, &arena, EP_BUILD_CHECKED, &built, &error);
    }
    if (done) {
        fwrite(built.text.data, 1, built.text.size, stdout);
    } else {
        fprintf(stderr, "%s: %s\n", ep_code_message(error.code), error.detail);
    }
    ep_arena_free(&arena);
    return done ? 0 : 1;
}
