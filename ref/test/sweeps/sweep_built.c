/*
 * sweep_built.c - sweep_builder.c has what a builder is usually told; here is what
 * is told in another order, so that each text and list grows where it is added to,
 * and what only some versions take. Each allocation is refused in turn.
 */
#include "builder_run.h"

/* ------------------------------------------------------------------------ pieces */

static const ep_built_arg *tensor(ep_builder *b, const char *name) {
    ep_tensor_info info = {.dtype = "FLOAT"};
    return ep_arg_value(b, ep_build_tensor(b, ep_build_root(b), name, &info));
}

/* Nothing has been put together before, so that each part makes the text longer. */
static void small_tree(ep_builder *b) {
    ep_tree_node(b, "m.T", "{}", NULL, 0);
}

static void empty_dict(ep_builder *b) {
    ep_tree_dict(b, NULL, NULL, 0);
}

/* Keys that are empty: it is what stands between them that makes the text longer. */
static void empty_keys(ep_builder *b) {
    enum { KEYS = 24 };
    const char *keys[KEYS];
    const ep_built_tree *leaves[KEYS];
    leaves[0] = ep_tree_leaf(b);
    for (size_t i = 0; i < KEYS; i++) {
        keys[i] = "";
        leaves[i] = leaves[0];
    }
    ep_tree_dict(b, keys, leaves, KEYS);
}

static void minus(ep_builder *b) {
    const ep_built_expr *s = ep_expr_symbol(b, "u0", NULL);
    ep_build_symbolic(b, ep_build_root(b), "k", ep_expr_apply(b, EP_SYM_SUB, s, ep_expr_int(b, 3)));
    ep_expr_text(b, EP_KIND_BOOL, "Eq(u0, 1)");
}

static void call(ep_builder *b, const char *name, const ep_named_arg *inputs,
                 const ep_built_arg *const *outputs) {
    ep_node_info node = {.target = "torch.ops.higher_order.wrap",
                         .name = name,
                         .inputs = inputs,
                         .input_count = 2,
                         .outputs = outputs,
                         .output_count = 1,
                         .returns = EP_RETURNS_TENSOR};
    ep_build_node(b, ep_build_root(b), &node);
}

/* A graph in two places, beside a tensor; and what is returned as a tuple without
 * being one of tensors. */
static void graph_twice(ep_builder *b) {
    ep_built_graph *graph = ep_build_subgraph(b);
    const ep_built_expr *u = ep_expr_symbol(b, "u0", NULL);
    const ep_built_arg *k = ep_arg_value(b, ep_build_symbolic(b, ep_build_root(b), "k", u));
    const ep_built_arg *outputs[] = {tensor(b, "a"), tensor(b, "b")};
    for (size_t i = 0; i < 2; i++) {
        ep_named_arg inputs[] = {{"", ep_arg_graph(b, "body", graph), false},
                                 {"", tensor(b, i == 0 ? "x" : "y"), false}};
        call(b, i == 0 ? "w" : "v", inputs, &outputs[i]);
    }
    ep_node_info node = {
        .target = "t", .name = "n", .outputs = &k, .output_count = 1, .returns = EP_RETURNS_TUPLE};
    ep_build_node(b, ep_build_root(b), &node);
}

static piece *const pieces[] = {small_tree, empty_dict, empty_keys, minus, graph_twice};

/* --------------------------------------------------------------------- refusals */

static void node_of_closed(ep_builder *b) {
    ep_built_graph *graph = ep_build_subgraph(b);
    ep_node_info node = {.target = "t", .name = "n"};
    ep_arg_graph(b, "g", graph);
    ep_build_node(b, graph, &node);
}

static void with_frame(ep_builder *b, const char *path, const char *type) {
    ep_module_frame frame = {"key", path, type};
    ep_node_info node = {.target = "t", .name = "n", .modules = &frame, .module_count = 1};
    ep_build_node(b, ep_build_root(b), &node);
}

static void frame_without_path(ep_builder *b) {
    with_frame(b, NULL, "m.T");
}

static void frame_without_type(ep_builder *b) {
    with_frame(b, "", NULL);
}

static void no_operator(ep_builder *b) {
    ep_arg_operator(b, NULL);
}

static void nameless_parameter(ep_builder *b) {
    ep_build_input(b, EP_INPUT_PARAMETER, ep_arg_ints(b, NULL, 0), "w");
}

/* Longer than a detail is, and no text that is shown as it is. */
static void long_name(ep_builder *b) {
    char name[2 * EP_DETAIL_SIZE];
    memset(name, '\x7F', sizeof name);
    name[sizeof name - 1] = '\0';
    ep_arg_scalar_type(b, name);
}

static piece *const refused[] = {node_of_closed, frame_without_path, frame_without_type,
                                 no_operator,    nameless_parameter, long_name};

static double not_a_number(void) {
    double infinite = 1e308 * 10;
    return infinite - infinite;
}

static void real_nan(ep_builder *b) {
    ep_arg_complex(b, not_a_number(), 0);
}

static void imaginary_nan(ep_builder *b) {
    ep_arg_complex(b, 0, not_a_number());
}

/* ----------------------------------------------------------------------- sweeps */

static void test_pieces(void) {
    static const char *const versions[] = {"1", "5.3", "8.20"};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        for (size_t v = 0; v < sizeof versions / sizeof versions[0]; v++) {
            outcome whole = run_builder(versions[v], pieces[i], 0, false);
            CHECK_EQ_INT(whole.code, EP_OK);
            for (size_t n = 1; n <= whole.calls; n++) {
                outcome o = run_builder(versions[v], pieces[i], n, n % 2 == 0);
                CHECK(o.code == EP_MEMORY || (o.code == EP_OK && o.size == whole.size));
            }
        }
    }
}

static void test_refused(void) {
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        CHECK_EQ_INT(run_builder("1", refused[i], 0, false).code, EP_ARGUMENT);
        CHECK_EQ_INT(run_builder("8.20", refused[i], 0, false).code, EP_ARGUMENT);
    }
    outcome o = run_builder("8.20", long_name, 0, false);
    CHECK_EQ_INT(strlen(o.detail), EP_DETAIL_SIZE - 1);
    CHECK_EQ_INT(o.detail[EP_DETAIL_SIZE - 2], '?');
}

/* While a NaN had no form, half a complex number could not be one either. */
static void test_nan(void) {
    CHECK_EQ_INT(run_builder("8.7", real_nan, 0, false).code, EP_ARGUMENT);
    CHECK_EQ_INT(run_builder("8.7", imaginary_nan, 0, false).code, EP_ARGUMENT);
    CHECK_EQ_INT(run_builder("8.20", real_nan, 0, false).code, EP_OK);
    CHECK_EQ_INT(run_builder("8.20", imaginary_nan, 0, false).code, EP_OK);
}

/* Types are known by their names too; and who fails need not be told why. */
static void test_asked(void) {
    test_heap heap = {0};
    ep_arena arena;
    ep_built built;
    test_arena(&arena, &heap, 0);
    ep_builder *b = ep_builder_open(&arena, ep_version_find("8.20"), NULL);
    if (CHECK(b != NULL)) {
        CHECK(ep_builder_has(b, "Argument", NULL));
        CHECK(!ep_builder_has(b, "Argumentation", NULL));
        ep_build_verifier(b, NULL);
        CHECK(!ep_builder_finish(b, &arena, EP_BUILD_TEXT, &built, NULL));
    }
    ep_arena_free(&arena);
}

/* Enumerators under the names that they had for some months. */
static void test_aliases(void) {
    static const struct {
        const char *version;
        const char *name;
        const char *once;
    } rows[] = {{"7.4", "UINT16", "UNSIGNED_SHORT"}, {"8.1-b", "FLOAT8E4M3FN", "FLOAT8_E4M3FN"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_heap heap = {0};
        ep_arena arena;
        ep_built built;
        ep_error error;
        ep_tensor_info info = {.dtype = rows[i].name};
        test_arena(&arena, &heap, 0);
        ep_builder *b = ep_builder_open(&arena, ep_version_find(rows[i].version), &error);
        if (CHECK(b != NULL)) {
            CHECK(!ep_builder_has(b, "ScalarType", rows[i].name));
            CHECK(ep_builder_has(b, "ScalarType", rows[i].once));
            ep_build_tensor(b, ep_build_root(b), "x", &info);
            CHECK(ep_builder_finish(b, &arena, EP_BUILD_PROGRAM, &built, &error));
        }
        ep_arena_free(&arena);
    }
}

int main(void) {
    test_pieces();
    test_refused();
    test_nan();
    test_asked();
    test_aliases();
    return check_report();
}
