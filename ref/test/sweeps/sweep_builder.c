/*
 * sweep_builder.c - everything that can be said to a builder, at versions that
 * can say it and at others: with each allocation refused in turn, and after a
 * failure; what is no handle, name or number that it takes. The first failure
 * sticks, is told at the end, and nothing leaks.
 */
#include "check.h"
#include "epref_builder.h"
#include "support.h"

/* A sequence of calls on a builder. */
typedef void piece(ep_builder *b);

typedef struct outcome {
    ep_code code;
    size_t size;  /* of the text */
    size_t calls; /* of the allocator */
    char detail[EP_DETAIL_SIZE];
} outcome;

/* The result of a sequence, with allocation n of the builder's arena refused, or all
 * from it on. */
static outcome run_builder(const char *version, piece *calls, size_t n, bool all) {
    ep_arena scratch;
    ep_arena arena;
    test_heap heap = {.fail_at = n, .fail_on = all, .apart = &scratch};
    test_heap other = {.apart = &arena};
    ep_built built = {{NULL, 0}, NULL};
    ep_error error = {.code = EP_OK};
    outcome o = {.code = EP_OK};
    test_arena(&scratch, &heap, 0);
    test_arena(&arena, &other, 0);
    ep_builder *b = ep_builder_open(&scratch, ep_version_find(version), &error);
    if (b != NULL) {
        calls(b);
        bool ok = ep_builder_finish(b, &arena, EP_BUILD_PROGRAM, &built, &error);
        CHECK_EQ_INT(ok, error.code == EP_OK);
        CHECK(!ok || built.program != NULL);
        CHECK(error.code != EP_ARGUMENT || error.detail[0] != '\0');
    }
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    CHECK(heap.bytes == 0 && other.bytes == 0);
    o.code = error.code;
    o.size = built.text.size;
    o.calls = heap.calls;
    memcpy(o.detail, error.detail, sizeof o.detail);
    return o;
}

/* ------------------------------------------------------------------------ pieces */

static const ep_built_value *tensor(ep_builder *b, const char *name) {
    ep_dim sizes[] = {{2, NULL}};
    ep_tensor_info info = {.dtype = "FLOAT", .sizes = sizes, .rank = 1};
    return ep_build_tensor(b, ep_build_root(b), name, &info);
}

/* A node with so many arguments and a tensor that comes out. */
static void use(ep_builder *b, const ep_built_arg *const *args, size_t count) {
    ep_named_arg inputs[16];
    const ep_built_arg *output = ep_arg_value(b, tensor(b, "out"));
    for (size_t i = 0; i < count; i++) {
        inputs[i] = (ep_named_arg){"x", args[i], i == 1};
    }
    ep_node_info info = {.target = "zoo",
                         .name = "n",
                         .inputs = inputs,
                         .input_count = count,
                         .outputs = &output,
                         .output_count = 1};
    ep_build_node(b, ep_build_root(b), &info);
}

static void scalars(ep_builder *b) {
    int64_t index = 1;
    const ep_built_arg *args[] = {
        ep_arg_none(b),
        ep_arg_int(b, 1),
        ep_arg_float(b, 0.5),
        ep_arg_bool(b, true),
        ep_arg_string(b, test_bytes("text")),
        ep_arg_device(b, "cuda", &index),
        ep_arg_device(b, "cpu", NULL),
        ep_arg_scalar_type(b, "FLOAT"),
        ep_arg_layout(b, "Strided"),
        ep_arg_memory_format(b, "ChannelsLast"),
    };
    use(b, args, sizeof args / sizeof args[0]);
}

static void later_scalars(ep_builder *b) {
    const ep_built_arg *args[] = {ep_arg_operator(b, "math.trunc"), ep_arg_complex(b, 1.0, -2.0)};
    use(b, args, 2);
}

static void lists(ep_builder *b) {
    static const int64_t ints[] = {1, 2};
    static const double floats[] = {0.5, 1.5};
    static const bool bools[] = {true, false};
    static const ep_bytes strings[] = {{"a", 1}, {"b", 1}};
    const ep_built_arg *args[] = {ep_arg_ints(b, ints, 2), ep_arg_floats(b, floats, 2),
                                  ep_arg_bools(b, bools, 2), ep_arg_strings(b, strings, 2),
                                  ep_arg_ints(b, NULL, 0)};
    use(b, args, 5);
}

static void lists_of_lists(ep_builder *b) {
    static const int64_t ints[] = {1, 2};
    static const double floats[] = {0.5};
    const ep_built_value *x = tensor(b, "x");
    const ep_built_arg *of_ints[] = {ep_arg_ints(b, ints, 2), ep_arg_ints(b, ints, 1)};
    const ep_built_arg *of_floats[] = {ep_arg_floats(b, floats, 1)};
    const ep_built_arg *of_tensors[] = {ep_arg_tensors(b, &x, 1)};
    const ep_built_arg *args[] = {ep_arg_lists(b, of_ints, 2), ep_arg_lists(b, of_floats, 1),
                                  ep_arg_lists(b, of_tensors, 1)};
    use(b, args, 3);
}

static void tensors(ep_builder *b) {
    static const char *const keys[] = {"k", "l"};
    const ep_built_value *pair[] = {tensor(b, "x"), NULL};
    const ep_built_arg *items[] = {ep_arg_int(b, 3), ep_arg_none(b)};
    const ep_built_arg *args[] = {ep_arg_value(b, pair[0]), ep_arg_tensors(b, pair, 1),
                                  ep_arg_optional_tensors(b, pair, 2),
                                  ep_arg_dict(b, keys, items, 2)};
    use(b, args, 4);
}

static void later_tensors(ep_builder *b) {
    const ep_built_value *x = tensor(b, "x");
    const ep_built_value *o = ep_build_custom_obj(b, ep_build_root(b), "o", "c.F");
    const ep_built_arg *args[] = {ep_arg_optional_tensor(b, x), ep_arg_optional_tensor(b, NULL),
                                  ep_arg_value(b, o)};
    use(b, args, 3);
}

static void symbolic(ep_builder *b) {
    ep_built_graph *root = ep_build_root(b);
    const ep_built_expr *u = ep_expr_symbol(b, "u0", NULL);
    const ep_built_expr *less = ep_expr_apply(b, EP_SYM_LT, u, ep_expr_int(b, 4));
    const ep_built_arg *k = ep_arg_value(b, ep_build_symbolic(b, root, "k", u));
    const ep_built_arg *c = ep_arg_value(b, ep_build_symbolic(b, root, "c", less));
    const ep_built_arg *ints[] = {ep_arg_int(b, 3), k};
    const ep_built_arg *args[] = {k, c, ep_arg_symbolic_list(b, ints, 2)};
    ep_build_range(b, u, 0, INT64_MAX);
    ep_build_range(b, ep_expr_symbol(b, "u1", NULL), INT64_MIN, 7);
    ep_build_range(b, ep_expr_symbol(b, "u2", NULL), -2, 7);
    use(b, args, 3);
}

static void later_symbolic(ep_builder *b) {
    ep_built_graph *root = ep_build_root(b);
    const ep_built_expr *less =
        ep_expr_apply(b, EP_SYM_LT, ep_expr_symbol(b, "u0", NULL), ep_expr_int(b, 4));
    const ep_built_expr *half = ep_expr_text(b, EP_KIND_FLOAT, "zf0");
    const ep_built_arg *c = ep_arg_value(b, ep_build_symbolic(b, root, "c", less));
    const ep_built_arg *z =
        ep_arg_value(b, ep_build_symbolic(b, root, "z", ep_expr_float_symbol(b, "zuf0")));
    const ep_built_arg *f = ep_arg_value(b, ep_build_symbolic(b, root, "f", half));
    const ep_built_arg *floats[] = {z, ep_arg_float(b, 0.5), f};
    const ep_built_arg *bools[] = {c, ep_arg_bool(b, false)};
    const ep_built_arg *args[] = {ep_arg_symbolic_list(b, floats, 3),
                                  ep_arg_symbolic_list(b, bools, 2)};
    use(b, args, 2);
}

/* Every operation on every pair of numbers, a symbol with and without a hint. */
static void arithmetic(ep_builder *b) {
    static const int64_t hints[] = {0, -1, 7, -7, INT64_MAX, INT64_MIN, INT64_MIN + 1};
    enum { HINTS = sizeof hints / sizeof hints[0], LEAVES = 2 * HINTS + 2 };
    const ep_built_expr *leaves[LEAVES];
    for (size_t i = 0; i < HINTS; i++) {
        leaves[2 * i] = ep_expr_int(b, hints[i]);
        leaves[2 * i + 1] = ep_expr_symbol(b, "s0", &hints[i]);
    }
    leaves[LEAVES - 2] = ep_expr_symbol(b, "u0", NULL);
    leaves[LEAVES - 1] =
        ep_expr_apply(b, EP_SYM_MUL, ep_expr_symbol(b, "u0", NULL), ep_expr_symbol(b, "u1", NULL));
    for (int op = EP_SYM_ADD; op <= EP_SYM_GE; op++) {
        for (size_t i = 0; op != EP_SYM_TO_FLOAT && i < LEAVES * LEAVES; i++) {
            if (op != EP_SYM_TRUEDIV || ep_builder_has(b, "Argument", "as_sym_float")) {
                ep_expr_apply(b, (ep_sym_op)op, leaves[i / LEAVES], leaves[i % LEAVES]);
            }
        }
    }
}

static void floats(ep_builder *b) {
    const ep_built_expr *z = ep_expr_float_symbol(b, "zf0");
    const ep_built_expr *s = ep_expr_symbol(b, "u0", NULL);
    const ep_built_expr *f = ep_expr_apply(b, EP_SYM_TO_FLOAT, s, NULL);
    ep_expr_apply(b, EP_SYM_MUL, f, z);
    ep_expr_apply(b, EP_SYM_ADD, z, f);
    ep_expr_apply(b, EP_SYM_LT, z, s);
    ep_expr_apply(b, EP_SYM_EQ, s, z);
    ep_build_symbolic(b, ep_build_root(b), "q", ep_expr_apply(b, EP_SYM_TRUEDIV, s, s));
}

/* Products in sums, sums in products, signs. */
static void nested(ep_builder *b) {
    int64_t hint = 6;
    const ep_built_expr *s = ep_expr_symbol(b, "s0", &hint);
    const ep_built_expr *u = ep_expr_symbol(b, "u0", NULL);
    const ep_built_expr *su = ep_expr_apply(b, EP_SYM_MUL, s, u);
    const ep_built_expr *sum = ep_expr_apply(b, EP_SYM_ADD, su, ep_expr_int(b, -3));
    ep_expr_apply(b, EP_SYM_SUB, s, su);
    ep_expr_apply(b, EP_SYM_SUB, su, sum);
    ep_expr_apply(b, EP_SYM_MUL, sum, sum);
    ep_expr_apply(b, EP_SYM_MUL, ep_expr_int(b, -3), u);
    ep_expr_apply(b, EP_SYM_MOD, ep_expr_apply(b, EP_SYM_SUB, ep_expr_int(b, 0), s), u);
    ep_build_symbolic(b, ep_build_root(b), "k", ep_expr_apply(b, EP_SYM_FLOORDIV, sum, u));
    ep_build_symbolic(b, ep_build_root(b), "c", ep_expr_apply(b, EP_SYM_GE, sum, s));
}

/* Strides of their own and made ones, of sizes that are symbols. */
static void sizes(ep_builder *b) {
    int64_t hint = 4;
    const ep_built_expr *s = ep_expr_symbol(b, "s0", &hint);
    ep_dim dims[] = {{2, NULL}, {0, s}, {0, NULL}, {3, NULL}, {0, s}};
    ep_dim strides[] = {{0, s}, {4, NULL}, {1, NULL}, {0, s}, {1, NULL}};
    ep_tensor_info info = {.dtype = "FLOAT", .sizes = dims, .rank = 5, .requires_grad = true};
    ep_build_tensor(b, ep_build_root(b), "made", &info);
    info = (ep_tensor_info){.dtype = "LONG",
                            .sizes = dims,
                            .strides = strides,
                            .rank = 5,
                            .storage_offset = {3, NULL},
                            .device = "cuda",
                            .device_index = 1,
                            .has_device_index = true,
                            .layout = "Strided"};
    ep_build_tensor(b, ep_build_root(b), "given", &info);
}

static void offset(ep_builder *b) {
    ep_tensor_info info = {.dtype = "FLOAT", .storage_offset = {0, ep_expr_symbol(b, "u0", NULL)}};
    ep_build_tensor(b, ep_build_root(b), "x", &info);
}

static void dtypes(ep_builder *b) {
    static const char *const names[] = {"FLOAT8E4M3FN", "FLOAT8E5M2", "BFLOAT16", "UINT16"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ep_tensor_info info = {.dtype = names[i]};
        if (ep_builder_has(b, "ScalarType", names[i])) {
            ep_build_tensor(b, ep_build_root(b), names[i], &info);
        }
    }
}

static void graph_with(ep_builder *b, ep_node_returns returns) {
    ep_built_graph *graph = ep_build_subgraph(b);
    ep_tensor_info info = {.dtype = "FLOAT"};
    const ep_built_arg *x = ep_arg_value(b, ep_build_tensor(b, graph, "x", &info));
    ep_build_symbolic(b, graph, "k", ep_expr_symbol(b, "u0", NULL));
    ep_build_graph_input(b, graph, x);
    ep_build_graph_output(b, graph, x);
    const ep_built_arg *outputs[] = {ep_arg_value(b, tensor(b, "a")),
                                     ep_arg_value(b, tensor(b, "b"))};
    ep_named_arg input = {"", ep_arg_graph(b, "body_0", graph), false};
    ep_node_info node = {.target = "torch.ops.higher_order.wrap",
                         .name = "w",
                         .inputs = &input,
                         .input_count = 1,
                         .outputs = outputs,
                         .output_count = returns == EP_RETURNS_TENSOR ? 1 : 2,
                         .returns = returns};
    ep_build_node(b, ep_build_root(b), &node);
}

static void tuple(ep_builder *b) {
    graph_with(b, EP_RETURNS_TUPLE);
}

static void single(ep_builder *b) {
    graph_with(b, EP_RETURNS_TENSOR);
}

static void provenance(ep_builder *b) {
    static const ep_module_frame frames[] = {{"L__self__", "", "m.Net"}, {"L_a", "a", "m.Part"}};
    const ep_metadata_item custom[] = {{"custom", test_bytes("{}")},
                                       {"from_node", test_bytes("[]")}};
    const ep_named_arg input = {"self", ep_arg_value(b, tensor(b, "x")), false};
    ep_node_info info = {.target = "torch.ops.aten.relu.default",
                         .name = "relu",
                         .inputs = &input,
                         .input_count = 1,
                         .stack_trace = test_bytes("  File \"a.py\"\n"),
                         .modules = frames,
                         .module_count = 2,
                         .source_name = "relu",
                         .source_function = "relu",
                         .torch_fn_name = "relu_1",
                         .torch_fn = "method.relu",
                         .metadata = custom,
                         .metadata_count = 2};
    ep_build_node(b, ep_build_root(b), &info);
    info.source_function = NULL;
    ep_build_node(b, ep_build_root(b), &info);
}

static void signature_in(ep_builder *b) {
    ep_build_input(b, EP_INPUT_PARAMETER, ep_arg_value(b, tensor(b, "p")), "w");
    ep_build_input(b, EP_INPUT_BUFFER, ep_arg_value(b, tensor(b, "q")), "state");
    ep_build_input(b, EP_INPUT_USER, ep_arg_value(b, tensor(b, "x")), NULL);
    ep_build_input(b, EP_INPUT_TENSOR_CONSTANT, ep_arg_value(b, tensor(b, "t")), "lifted");
    ep_build_input(b, EP_INPUT_BUFFER_NOT_PERSISTENT, ep_arg_value(b, tensor(b, "r")), "cache");
}

static void constants_in(ep_builder *b) {
    const ep_built_arg *given[] = {ep_arg_int(b, 3), ep_arg_float(b, 0.5), ep_arg_bool(b, true),
                                   ep_arg_string(b, test_bytes("s")), ep_arg_none(b)};
    for (size_t i = 0; i < 5; i++) {
        ep_build_input(b, EP_INPUT_CONSTANT, given[i], "c");
    }
}

static void objects_in(ep_builder *b) {
    const ep_built_value *o = ep_build_custom_obj(b, ep_build_root(b), "o", "c.F");
    ep_build_input(b, EP_INPUT_CUSTOM_OBJ, ep_arg_value(b, o), "queue");
}

static void tokens(ep_builder *b) {
    ep_build_input(b, EP_INPUT_TOKEN, ep_arg_value(b, tensor(b, "t")), NULL);
    ep_build_output(b, EP_OUTPUT_TOKEN, ep_arg_value(b, tensor(b, "u")), NULL);
}

static void signature_out(ep_builder *b) {
    signature_in(b);
    ep_build_output(b, EP_OUTPUT_BUFFER_MUTATION, ep_arg_value(b, tensor(b, "a")), "state");
    ep_build_output(b, EP_OUTPUT_LOSS, ep_arg_value(b, tensor(b, "l")), NULL);
    ep_build_output(b, EP_OUTPUT_GRADIENT_TO_PARAMETER, ep_arg_value(b, tensor(b, "g")), "w");
    ep_build_output(b, EP_OUTPUT_GRADIENT_TO_USER_INPUT, ep_arg_value(b, tensor(b, "h")), "x");
    ep_build_output(b, EP_OUTPUT_USER, ep_arg_value(b, tensor(b, "y")), NULL);
}

/* What version 1 says too, in a way of its own. */
static void backward(ep_builder *b) {
    ep_build_input(b, EP_INPUT_PARAMETER, ep_arg_value(b, tensor(b, "p")), "w");
    ep_build_input(b, EP_INPUT_BUFFER, ep_arg_value(b, tensor(b, "q")), "state");
    ep_build_input(b, EP_INPUT_USER, ep_arg_value(b, tensor(b, "x")), NULL);
    ep_build_output(b, EP_OUTPUT_BUFFER_MUTATION, ep_arg_value(b, tensor(b, "a")), "state");
    ep_build_output(b, EP_OUTPUT_LOSS, ep_arg_value(b, tensor(b, "l")), NULL);
    ep_build_output(b, EP_OUTPUT_GRADIENT_TO_PARAMETER, ep_arg_value(b, tensor(b, "g")), "w");
    ep_build_output(b, EP_OUTPUT_GRADIENT_TO_USER_INPUT, ep_arg_value(b, tensor(b, "h")), "x");
    ep_build_output(b, EP_OUTPUT_USER, ep_arg_value(b, tensor(b, "y")), NULL);
}

static void object_of_user(ep_builder *b) {
    const ep_built_value *o = ep_build_custom_obj(b, ep_build_root(b), "o", "c.F");
    ep_build_input(b, EP_INPUT_USER, ep_arg_value(b, o), NULL);
}

static void mutations_out(ep_builder *b) {
    ep_build_output(b, EP_OUTPUT_USER_INPUT_MUTATION, ep_arg_value(b, tensor(b, "z")), "x");
    if (ep_builder_has(b, "OutputSpec", "parameter_mutation")) {
        ep_build_output(b, EP_OUTPUT_PARAMETER_MUTATION, ep_arg_value(b, tensor(b, "a")), "w");
    }
}

static void symbols_out(ep_builder *b) {
    ep_built_graph *root = ep_build_root(b);
    const ep_built_arg *k =
        ep_arg_value(b, ep_build_symbolic(b, root, "k", ep_expr_symbol(b, "u0", NULL)));
    ep_build_input(b, EP_INPUT_USER, k, NULL);
    ep_build_output(b, EP_OUTPUT_USER, k, NULL);
}

static void trees(ep_builder *b) {
    static const char *const keys[] = {"a", "b\n"};
    static const char *const names[] = {"x", "y"};
    const ep_built_tree *leaves[] = {ep_tree_leaf(b), ep_tree_leaf(b)};
    const ep_built_tree *two[] = {ep_tree_list(b, leaves, 2), ep_tree_leaf(b)};
    const ep_built_arg *x = ep_arg_value(b, tensor(b, "x"));
    ep_call_info info = {.args = ep_tree_tuple(b, two, 2),
                         .kwargs = ep_tree_dict(b, keys, leaves, 2),
                         .out = ep_tree_node(b, "builtins.tuple", "null", leaves, 2),
                         .arg_names = names,
                         .arg_name_count = 2};
    ep_build_call(b, &info);
    info.inputs = info.outputs = &x;
    info.input_count = info.output_count = 1;
    info.kwargs = NULL;
    ep_build_module(b, "sub", &info);
    ep_build_module(b, "bare", NULL);
}

static void header(ep_builder *b) {
    ep_build_opset(b, "aten", 10);
    ep_build_opset(b, "mine", 1);
    ep_build_verifier(b, "ATEN");
    ep_build_equal_dims(b, tensor(b, "x"), 0, tensor(b, "y"), 0);
    if (ep_builder_has(b, "ExportedProgram", "torch_version")) {
        ep_build_torch_version(b, "2.9.0");
    }
    if (ep_builder_has(b, "ExportedProgram", "guards_code")) {
        ep_build_guard(b, test_bytes("L['x'].size()[0] >= 2"));
    }
}

static piece *const pieces[] = {
    scalars,    later_scalars,  lists,          lists_of_lists, tensors,      later_tensors,
    symbolic,   later_symbolic, floats,         nested,         sizes,        offset,
    dtypes,     tuple,          single,         provenance,     signature_in, constants_in,
    objects_in, tokens,         signature_out,  mutations_out,  symbols_out,  trees,
    header,     backward,       object_of_user,
};
enum { PIECES = sizeof pieces / sizeof pieces[0] };

static const char *const versions[] = {"1", "1-2023-12", "2", "5.1", "7.3", "8.2", "8.8", "8.20"};
enum { VERSIONS = sizeof versions / sizeof versions[0] };

/* --------------------------------------------------------------------- refusals */

#define REFUSED(which, ...)                                                                        \
    static void which(ep_builder *b) {                                                             \
        ep_built_graph *root = ep_build_root(b);                                                   \
        const ep_built_value *x = tensor(b, "x");                                                  \
        const ep_built_arg *arg = ep_arg_value(b, x);                                              \
        const ep_built_expr *u = ep_expr_symbol(b, "u0", NULL);                                    \
        const ep_built_value *k = ep_build_symbolic(b, root, "k", u);                              \
        const ep_built_value *values[] = {x, k, NULL};                                             \
        const ep_built_arg *args[] = {arg, ep_arg_ints(b, NULL, 0), ep_arg_value(b, k), NULL};     \
        const ep_built_tree *trees_of[] = {ep_tree_leaf(b), NULL};                                 \
        const char *words[] = {"a", "\xFF", NULL};                                                 \
        ep_dim dims[] = {{INT64_MAX, NULL}, {INT64_MAX, NULL}, {2, NULL}};                         \
        ep_tensor_info info = {.dtype = "FLOAT", .sizes = dims};                                   \
        ep_node_info node = {.target = "t", .name = "n"};                                          \
        ep_call_info how = {.args = trees_of[0], .out = trees_of[0]};                              \
        (void)values, (void)args, (void)words, (void)info, (void)node, (void)how;                  \
        __VA_ARGS__;                                                                               \
    }

static const ep_built_expr *a_bool(ep_builder *b, const ep_built_expr *u) {
    return ep_expr_apply(b, EP_SYM_EQ, u, u);
}

#include "refusals.def"
#undef REFUSED

#define REFUSED(which, ...) which,
static piece *const refused[] = {
#include "refusals.def"
};
enum { REFUSALS = sizeof refused / sizeof refused[0] };

static void loss_missing(ep_builder *b) {
    ep_build_output(b, EP_OUTPUT_GRADIENT_TO_PARAMETER, ep_arg_value(b, tensor(b, "g")), "w");
}

/* ----------------------------------------------------------------------- sweeps */

static void sweep(const char *version, size_t i) {
    outcome whole = run_builder(version, pieces[i], 0, false);
    if (!CHECK(whole.code == EP_OK || whole.code == EP_ARGUMENT)) {
        fprintf(stderr, "    piece %zu at %s: %s\n", i, version, ep_code_name(whole.code));
    }
    for (size_t n = 1; n <= whole.calls; n++) {
        outcome o = run_builder(version, pieces[i], n, n % 2 == 0);
        bool same = o.code == whole.code && o.size == whole.size;
        if (!CHECK(o.code == EP_MEMORY || same)) {
            fprintf(stderr, "    piece %zu at %s, %zu: %s\n", i, version, n, ep_code_name(o.code));
        }
    }
}

static void test_pieces(void) {
    for (size_t v = 0; v < VERSIONS; v++) {
        for (size_t i = 0; i < PIECES; i++) {
            sweep(versions[v], i);
        }
        CHECK_EQ_INT(run_builder(versions[v], arithmetic, 0, false).code, EP_OK);
    }
}

/* Each of them can be said at the latest version. */
static void test_latest(void) {
    for (size_t i = 0; i < PIECES; i++) {
        outcome o = run_builder("8.20", pieces[i], 0, false);
        if (!CHECK_EQ_INT(o.code, EP_OK)) {
            fprintf(stderr, "    piece %zu\n", i);
        }
    }
}

/* At the latest version all of them are mistakes; at others some calls are one for
 * another reason, or say nothing. */
static void test_refused(void) {
    for (size_t v = 0; v < VERSIONS; v++) {
        for (size_t i = 0; i < REFUSALS; i++) {
            outcome o = run_builder(versions[v], refused[i], 0, false);
            bool last = v + 1 == VERSIONS;
            if (!CHECK(o.code == EP_ARGUMENT || (!last && o.code == EP_OK))) {
                fprintf(stderr, "    refusal %zu at %s\n", i, versions[v]);
            }
        }
    }
    CHECK_EQ_INT(run_builder("1", loss_missing, 0, false).code, EP_ARGUMENT);
    CHECK_EQ_INT(run_builder("8.20", loss_missing, 0, false).code, EP_OK);
}

/* Whatever is said after a failure says nothing. */
static void test_after(void) {
    for (size_t i = 0; i < 2 * PIECES; i++) {
        test_heap heap = {0};
        ep_arena arena;
        ep_built built;
        ep_error error;
        test_arena(&arena, &heap, 0);
        ep_builder *b = ep_builder_open(&arena, ep_version_find("8.20"), &error);
        if (CHECK(b != NULL)) {
            ep_arg_scalar_type(b, "NOPE");
            size_t calls = heap.calls;
            pieces[i / 2](b);
            CHECK_EQ_INT(heap.calls, calls);
            CHECK(!ep_builder_finish(b, &arena, EP_BUILD_TEXT, &built, &error));
            CHECK_EQ_INT(error.code, EP_ARGUMENT);
        }
        ep_arena_free(&arena);
        CHECK_EQ_INT(heap.bytes, 0);
    }
}

int main(void) {
    test_latest();
    test_pieces();
    test_refused();
    test_after();
    return check_report();
}
