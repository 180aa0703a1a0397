/*
 * test_builder.c - programs made from C: byte for byte what PyTorch exported,
 * at every version; hints; a large one. (What is written of expressions and arguments the
 * operation `build` of the conformance suite asks; sweep_builder.c has what is refused.)
 *
 *     test_builder GOLDEN
 */
#include "check.h"
#include "epref_builder.h"
#include "support.h"

#include <stdlib.h>

/* A builder with its arenas, and what came of it. */
typedef struct bench {
    test_heap heap;
    ep_arena scratch;
    ep_arena arena;
    ep_builder *b;
    ep_built built;
    ep_error error;
} bench;

static void open_bench(bench *t, const char *version) {
    *t = (bench){.heap = {0}};
    test_arena(&t->scratch, &t->heap, 0);
    test_arena(&t->arena, &t->heap, 0);
    t->b = ep_builder_open(&t->scratch, ep_version_find(version), &t->error);
    CHECK(t->b != NULL);
}

static bool finish(bench *t, ep_build_goal goal) {
    return ep_builder_finish(t->b, &t->arena, goal, &t->built, &t->error);
}

static void close_bench(bench *t) {
    ep_arena_free(&t->scratch);
    ep_arena_free(&t->arena);
    CHECK_EQ_INT(t->heap.bytes, 0);
}

/* ---------------------------------------------------------- a program of PyTorch */

/* The golden program dynamic_batch, relu(x + y), as a release exported it. */
typedef struct batch {
    const char *release;
    const char *version;
    const char *x;
    const char *y;
    const char *symbol;
    const char *torch_version; /* NULL: the default */
    const char *trace;
    bool alpha;  /* written, though it is the default */
    bool module; /* the nodes say of their module */
    bool source; /* ... and of their function */
    const char *guard;
    int64_t min;
} batch;

static const char no_trace[] = "NoneType: None\n";
static const char indented[] =
    "  File \"models.py\", line 491, in forward\n    return (x + y).relu()\n";
static const char bare[] = "File \"models.py\", line 491, in forward\n    return (x + y).relu()";
static const char guard[] = "L['x'].size()[0] == L['y'].size()[0]";

static const batch batches[] = {
    {"2.1.2", "1", "arg0_1", "arg1_1", "s0", NULL, no_trace, true, false, true, NULL, 2},
    {"2.2.2", "2", "l_x_", "l_y_", "s0", NULL, indented, false, true, true, NULL, 2},
    {"2.5.1", "7.3", "x", "y", "s0", "2.5.1+cu124", indented, false, true, true, NULL, 0},
    {"2.13.0", "8.20", "x", "y", "s17", "2.13.0+cpu", bare, false, true, false, guard, 0},
};

/* A tensor of the batch and three. */
static const ep_built_value *tensor(ep_builder *b, const batch *t, const char *name) {
    int64_t hint = 4;
    ep_dim sizes[] = {{0, ep_expr_symbol(b, t->symbol, &hint)}, {3, NULL}};
    ep_tensor_info info = {.dtype = "FLOAT", .sizes = sizes, .rank = 2};
    return ep_build_tensor(b, ep_build_root(b), name, &info);
}

static const ep_built_arg *node(ep_builder *b, const batch *t, const ep_node_info *named) {
    static const ep_module_frame module = {"L__self__", "", "models.Add2"};
    const ep_built_arg *output = ep_arg_value(b, tensor(b, t, named->name));
    ep_node_info info = *named;
    info.outputs = &output;
    info.output_count = 1;
    info.stack_trace = test_bytes(t->trace);
    info.modules = &module;
    info.module_count = t->module;
    info.source_name = t->source ? named->name : NULL;
    ep_build_node(b, ep_build_root(b), &info);
    return output;
}

static void build_batch(ep_builder *b, const batch *t) {
    int64_t hint = 4;
    const ep_built_value *x = tensor(b, t, t->x);
    const ep_built_value *y = tensor(b, t, t->y);
    const ep_named_arg terms[] = {{"self", ep_arg_value(b, x), false},
                                  {"other", ep_arg_value(b, y), false},
                                  {"alpha", ep_arg_int(b, 1), true}};
    const ep_node_info add = {.target = "torch.ops.aten.add.Tensor",
                              .name = "add",
                              .inputs = terms,
                              .input_count = t->alpha ? 3 : 2,
                              .source_function = "_operator.add",
                              .torch_fn_name = "add_1",
                              .torch_fn = "method_descriptor.add"};
    const ep_named_arg sum = {"self", node(b, t, &add), false};
    const ep_node_info relu = {.target = "torch.ops.aten.relu.default",
                               .name = "relu",
                               .inputs = &sum,
                               .input_count = 1,
                               .source_function = "relu",
                               .torch_fn_name = "relu_1",
                               .torch_fn = "method_descriptor.relu"};
    ep_build_input(b, EP_INPUT_USER, terms[0].arg, NULL);
    ep_build_input(b, EP_INPUT_USER, terms[1].arg, NULL);
    ep_build_output(b, EP_OUTPUT_USER, node(b, t, &relu), NULL);
    ep_build_range(b, ep_expr_symbol(b, t->symbol, &hint), t->min, INT64_MAX);
    if (t->alpha) { /* the release left the symbol of y behind */
        ep_build_range(b, ep_expr_symbol(b, "s1", &hint), 2, INT64_MAX);
    }
    ep_build_equal_dims(b, y, 0, x, 0);
    if (t->torch_version != NULL) {
        ep_build_torch_version(b, t->torch_version);
    }
    if (t->guard != NULL) {
        ep_build_guard(b, test_bytes(t->guard));
    }
}

static void test_golden(const char *golden) {
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
        char path[512];
        test_text expected = {0};
        bench t;
        snprintf(path, sizeof path, "%s/%s/dynamic_batch/program.json", golden, batches[i].release);
        if (!CHECK_NOTE(test_read_file(path, &expected), path)) {
            continue;
        }
        open_bench(&t, batches[i].version);
        build_batch(t.b, &batches[i]);
        CHECK_NOTE(finish(&t, EP_BUILD_CHECKED), t.error.detail);
        CHECK_EQ_BYTES(t.built.text.data, t.built.text.size, expected.data, expected.size);
        close_bench(&t);
        test_text_free(&expected);
    }
}

/* The same said at every version there is. */
static void test_versions(void) {
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        const ep_version *version = ep_version_at(i);
        bench t;
        batch said = batches[1];
        open_bench(&t, version->name);
        build_batch(t.b, &said);
        CHECK_NOTE(finish(&t, EP_BUILD_CHECKED), version->name);
        CHECK_EQ_INT(t.error.code, EP_OK);
        if (CHECK(t.built.program != NULL)) {
            CHECK(ep_program_version(t.built.program) == version);
        }
        CHECK(!finish(&t, EP_BUILD_TEXT) && t.error.code == EP_ARGUMENT); /* once is enough */
        close_bench(&t);
    }
}

/* ----------------------------------------------------------------------- hints */

/* What is known when all of it is: folded numbers, hints. */
static void test_hints(void) {
    bench t;
    int64_t hint = 7;
    open_bench(&t, "8.20");
    ep_builder *b = t.b;
    const ep_built_expr *s = ep_expr_symbol(b, "s0", &hint);
    const ep_built_expr *minus = ep_expr_apply(b, EP_SYM_SUB, ep_expr_int(b, 0), s);
    ep_build_symbolic(b, ep_build_root(b), "quotient",
                      ep_expr_apply(b, EP_SYM_FLOORDIV, minus, ep_expr_int(b, 2)));
    ep_build_symbolic(b, ep_build_root(b), "rest",
                      ep_expr_apply(b, EP_SYM_MOD, minus, ep_expr_int(b, 2)));
    ep_build_symbolic(b, ep_build_root(b), "number",
                      ep_expr_apply(b, EP_SYM_MUL, ep_expr_int(b, 6), ep_expr_int(b, -7)));
    ep_build_symbolic(b, ep_build_root(b), "nothing",
                      ep_expr_apply(b, EP_SYM_FLOORDIV, s, ep_expr_int(b, 0)));
    CHECK(finish(&t, EP_BUILD_PROGRAM));
    CHECK(test_holds(t.built.text, "\"hint\": {\"as_int\": -4}"));
    CHECK(test_holds(t.built.text, "\"hint\": {\"as_int\": 1}"));
    CHECK(test_holds(t.built.text, "\"number\": {\"as_int\": -42}"));
    CHECK(test_holds(t.built.text, "Integer(0))\", \"hint\": null}"));
    close_bench(&t);
}

/* A NaN has had a form, none, and another one. */
static void test_nan(void) {
    static const char *const versions[] = {"8.2", "8.8", "8.14"};
    for (size_t i = 0; i < 3; i++) {
        bench t;
        double infinity = 1e308 * 10;
        open_bench(&t, versions[i]);
        CHECK(ep_arg_float(t.b, infinity) != NULL);
        bool ok = ep_arg_float(t.b, infinity - infinity) != NULL;
        CHECK_EQ_INT(ok, i != 1);
        CHECK_EQ_INT(finish(&t, EP_BUILD_TEXT), ok);
        close_bench(&t);
    }
}

/* A hundred thousand nodes: no more than so much memory for each. */
static void test_large(void) {
    enum { NODES = 100000 };
    bench t;
    open_bench(&t, "8.20");
    ep_builder *b = t.b;
    ep_tensor_info info = {.dtype = "FLOAT"};
    const ep_built_value *x = ep_build_tensor(b, ep_build_root(b), "x", &info);
    ep_build_input(b, EP_INPUT_USER, ep_arg_value(b, x), NULL);
    for (int i = 0; i < NODES; i++) {
        char name[32];
        snprintf(name, sizeof name, "relu_%d", i);
        ep_named_arg input = {"self", ep_arg_value(b, x), false};
        x = ep_build_tensor(b, ep_build_root(b), name, &info);
        const ep_built_arg *output = ep_arg_value(b, x);
        ep_node_info relu = {.target = "torch.ops.aten.relu.default",
                             .name = name,
                             .inputs = &input,
                             .input_count = 1,
                             .outputs = &output,
                             .output_count = 1};
        ep_build_node(b, ep_build_root(b), &relu);
    }
    ep_build_output(b, EP_OUTPUT_USER, ep_arg_value(b, x), NULL);
    CHECK(finish(&t, EP_BUILD_CHECKED));
    CHECK(ep_arena_peak(&t.scratch) < (size_t)NODES * 1200);
    close_bench(&t);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fputs("usage: test_builder GOLDEN\n", stderr);
        return 2;
    }
    test_use_locale();
    test_golden(argv[1]);
    test_versions();
    test_hints();
    test_nan();
    test_large();
    return check_report();
}
