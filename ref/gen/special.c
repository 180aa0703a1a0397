/*
 * special.c - nodes that no row of gen.def makes: symbolic integers and
 * what is done with them, conditions with subgraphs, effects with tokens,
 * complex numbers, writes in place.
 */
#include "family.h"

#include <string.h>

/* Counters beyond those of the operators. */
enum {
    COUNT_SYM_SIZE,
    COUNT_ARITHMETIC,
    COUNT_ASSERT,
    COUNT_COND,
    COUNT_COMPLEX,
    COUNT_PLACE,
    COUNT_ZOO
};

/* A node: its counter, what it is, what its name begins with, what it does and takes. */
typedef struct small_node {
    size_t counter;
    const char *base;
    const char *name;
    const char *target;
    const ep_named_arg *inputs;
    size_t input_count;
    ep_node_returns returns;
} small_node;

#define INPUTS(array) array, sizeof(array) / sizeof *(array)

static size_t *counter(generator *g, const small_node *n) {
    return &g->counters[gen_operator_count() + n->counter];
}

static void emit(generator *g, const small_node *n, const ep_built_arg *const *outputs,
                 size_t output_count) {
    char name[GEN_NAME_SIZE];
    gen_name(name, n->name, *counter(g, n));
    ep_node_info info = {
        .target = n->target,
        .name = name,
        .inputs = n->inputs,
        .input_count = n->input_count,
        .outputs = outputs,
        .output_count = output_count,
        .returns = n->returns,
    };
    gen_node(g, &info, n->base, (*counter(g, n))++);
}

static const ep_built_value *emit_symbolic(generator *g, const small_node *n,
                                           const ep_built_expr *expr) {
    char name[GEN_NAME_SIZE];
    gen_name(name, n->name, *counter(g, n));
    const ep_built_value *value = ep_build_symbolic(g->builder, g->graph, name, expr);
    const ep_built_arg *output = ep_arg_value(g->builder, value);
    emit(g, n, &output, 1);
    return value;
}

/* Of a tensor one of a shape, which has the node's name, or what fx calls an item. True. */
static bool emit_tensor(generator *g, const small_node *n, gen_tensor *from, const gen_shape *shape,
                        bool item) {
    char name[GEN_NAME_SIZE];
    gen_shape made = *shape;
    gen_name(name, item ? "getitem" : n->name, item ? g->getitems++ : *counter(g, n));
    const ep_built_value *result = gen_make_tensor(g, name, &made);
    const ep_built_arg *output = ep_arg_value(g->builder, result);
    from->used = true;
    emit(g, n, &output, 1);
    gen_put(g, (gen_tensor){made, result, false});
    return true;
}

/* --------------------------------------------------------------- symbolic integers */

static bool has_symbol(const gen_shape *shape, const void *context) {
    (void)context;
    return shape->rank > 0 && shape->dims[0].a != 0;
}

static bool symbolic_size(generator *g) {
    gen_tensor *x = gen_pick(g, has_symbol, NULL);
    TRY(x != NULL);
    ep_named_arg inputs[] = {{"self", ep_arg_value(g->builder, x->value), false},
                             {"dim", ep_arg_int(g->builder, 0), false}};
    const small_node n = {COUNT_SYM_SIZE, "sym_size",
                          "sym_size_int", "torch.ops.aten.sym_size.int",
                          INPUTS(inputs), EP_RETURNS_AS_DECLARED};
    gen_dim dim = x->shape.dims[0];
    x->used = true;
    gen_put_sym(g, (gen_sym){emit_symbolic(g, &n, gen_expr(g, dim)), dim});
    return true;
}

static const gen_sym *draw_sym(generator *g) {
    size_t count = g->sym_count < GEN_SYMS ? g->sym_count : GEN_SYMS;
    return count == 0 ? NULL : &g->syms[gen_below(&g->random, count)];
}

/* A symbolic integer plus or times a small number. */
static bool arithmetic(generator *g) {
    const gen_sym *from = draw_sym(g);
    TRY(from != NULL);
    bool times = from->dim.a < 4 && gen_once_in(&g->random, 2);
    int64_t by = times ? 2 : 1 + (int64_t)gen_below(&g->random, 3);
    gen_dim dim = times ? gen_dim_times(from->dim, by) : from->dim;
    dim.b += times ? 0 : by;
    ep_named_arg inputs[] = {{"a", ep_arg_value(g->builder, from->value), false},
                             {"b", ep_arg_int(g->builder, by), false}};
    const small_node n = {COUNT_ARITHMETIC,
                          times ? "mul" : "add",
                          times ? "mul_sym" : "add_sym",
                          times ? "_operator.mul" : "_operator.add",
                          INPUTS(inputs),
                          0};
    gen_put_sym(g, (gen_sym){emit_symbolic(g, &n, gen_expr(g, dim)), dim});
    return true;
}

static void assert_true(generator *g, const ep_built_value *condition) {
    static const char message[] = "Runtime assertion failed: gr\xC3\xB6\xC3\x9F"
                                  "er als 0 "
                                  "\xF0\x9F\x98\x80\t\"\\\"\x7F";
    ep_named_arg inputs[] = {
        {"self", ep_arg_value(g->builder, condition), false},
        {"assert_msg", ep_arg_string(g->builder, (ep_bytes){message, sizeof message - 1}), false},
    };
    const small_node n = {COUNT_ASSERT,
                          "_assert_scalar",
                          "_assert_scalar_default",
                          "torch.ops.aten._assert_scalar.default",
                          INPUTS(inputs),
                          0};
    emit(g, &n, NULL, 0);
}

/* That a symbolic integer is not below nought: two nodes. */
static bool assertion(generator *g) {
    const gen_sym *from = draw_sym(g);
    ep_builder *b = g->builder;
    bool known = g->options.version >= ep_version_find("5.1");
    TRY(from != NULL && known && g->nodes + 2 <= g->options.nodes);
    ep_named_arg inputs[] = {{"a", ep_arg_value(b, from->value), false},
                             {"b", ep_arg_int(b, 0), false}};
    const ep_built_expr *expr =
        ep_expr_apply(b, EP_SYM_GE, gen_expr(g, from->dim), ep_expr_int(b, 0));
    const small_node n = {COUNT_ARITHMETIC, "ge",           "ge_sym",
                          "_operator.ge",   INPUTS(inputs), EP_RETURNS_AS_DECLARED};
    assert_true(g, emit_symbolic(g, &n, expr));
    return true;
}

/* A symbolic integer as a float, and a tensor times that: two nodes. */
static bool symbolic_float(generator *g) {
    const gen_sym *from = draw_sym(g);
    ep_builder *b = g->builder;
    gen_draft d = {.in = "F"};
    TRY(from != NULL && ep_builder_has(b, "Argument", "as_sym_float") &&
        g->nodes + 2 <= g->options.nodes && gen_MAP(g, &d));
    ep_named_arg inputs[] = {{"a", ep_arg_value(b, from->value), false}};
    const ep_built_expr *expr = ep_expr_apply(b, EP_SYM_TO_FLOAT, gen_expr(g, from->dim), NULL);
    const small_node n = {COUNT_ARITHMETIC,  "sym_float",    "sym_float",
                          "torch.sym_float", INPUTS(inputs), EP_RETURNS_AS_DECLARED};
    const ep_built_value *value = emit_symbolic(g, &n, expr);
    ep_named_arg factors[] = {{"self", ep_arg_value(b, d.operands[0]->value), false},
                              {"other", ep_arg_value(b, value), false}};
    const small_node product = {COUNT_ARITHMETIC, "mul", "mul_float", "torch.ops.aten.mul.Tensor",
                                INPUTS(factors),  0};
    return emit_tensor(g, &product, d.operands[0], &d.results[0], false);
}

/* -------------------------------------------------------------------- conditions */

static bool is_condition(const gen_shape *shape, const void *context) {
    (void)context;
    return shape->dtype == GEN_BOOL && shape->rank == 0;
}

/* A subgraph of one operation on its one operand, as an argument. */
static const ep_built_arg *make_branch(generator *g, const char *name, const gen_shape *shape,
                                       const char *base, const char *target) {
    ep_builder *b = g->builder;
    ep_built_graph *outer = g->graph;
    ep_built_graph *made = ep_build_subgraph(b);
    g->graph = made;
    const ep_built_arg *x = ep_arg_value(b, gen_make_tensor(g, "arg0_1", shape));
    const ep_built_arg *y = ep_arg_value(b, gen_make_tensor(g, base, shape));
    ep_named_arg inputs[] = {{"self", x, false}};
    ep_node_info info = {.target = target,
                         .name = base,
                         .inputs = inputs,
                         .input_count = 1,
                         .outputs = &y,
                         .output_count = 1};
    gen_node(g, &info, base, 0);
    ep_build_graph_input(b, made, x);
    ep_build_graph_output(b, made, y);
    g->graph = outer;
    return ep_arg_graph(b, name, made);
}

/* Of the first release, cond returns what its subgraphs do: a tensor by itself; they are
 * "submodule_0" and so on. */
static bool condition(generator *g) {
    gen_draft d = {.in = "F"};
    gen_tensor *predicate = gen_pick(g, is_condition, NULL);
    ep_builder *b = g->builder;
    bool old = !ep_builder_has(b, "GraphSignature", "input_specs");
    TRY(predicate != NULL && gen_MAP(g, &d) && gen_shape_contiguous(&d.operands[0]->shape));
    char names[2][GEN_NAME_SIZE];
    size_t number = g->subgraphs++;
    gen_print(names[0], old ? "submodule_%zu" : "true_graph_%zu", old ? number * 2 : number);
    gen_print(names[1], old ? "submodule_%zu" : "false_graph_%zu", old ? number * 2 + 1 : number);
    const ep_built_value *operand = d.operands[0]->value;
    const ep_built_arg *when_true = /* one before the other */
        make_branch(g, names[0], &d.results[0], "sin", "torch.ops.aten.sin.default");
    const ep_built_arg *when_false =
        make_branch(g, names[1], &d.results[0], "cos", "torch.ops.aten.cos.default");
    ep_named_arg inputs[] = {{"", ep_arg_value(b, predicate->value), false},
                             {"", when_true, false},
                             {"", when_false, false},
                             {"", ep_arg_tensors(b, &operand, 1), false}};
    const small_node n = {COUNT_COND,     "cond",
                          "cond",         "torch.ops.higher_order.cond",
                          INPUTS(inputs), old ? EP_RETURNS_TENSOR : EP_RETURNS_TUPLE};
    predicate->used = true;
    return emit_tensor(g, &n, d.operands[0], &d.results[0], true);
}

/* A subgraph with hints for a compiler, which are a dict of arguments. */
static bool hints(generator *g) {
    static const char text[] = "t\xC3\xA9xt";
    static const char *const keys[] = {"int", "f", "b", "s"};
    ep_builder *b = g->builder;
    gen_draft d = {.in = "F"};
    TRY(g->options.version >= ep_version_find("8.17") && gen_MAP(g, &d) &&
        gen_shape_contiguous(&d.operands[0]->shape));
    char body[GEN_NAME_SIZE];
    const ep_built_value *operand = d.operands[0]->value;
    const ep_built_arg *values[] = {ep_arg_int(b, 3), ep_arg_float(b, 0.5), ep_arg_bool(b, true),
                                    ep_arg_string(b, (ep_bytes){text, sizeof text - 1})};
    gen_name(body, "hints_wrapper_body_graph", g->subgraphs++);
    const ep_built_arg *graph =
        make_branch(g, body, &d.operands[0]->shape, "relu", "torch.ops.aten.relu.default");
    ep_named_arg inputs[] = {{"", graph, false},
                             {"", ep_arg_tensors(b, &operand, 1), false},
                             {"", ep_arg_dict(b, NULL, NULL, 0), false},
                             {"hints", ep_arg_dict(b, keys, values, 4), true}};
    const small_node n = {COUNT_COND,      "hints_wrapper",
                          "hints_wrapper", "torch.ops.higher_order.hints_wrapper",
                          INPUTS(inputs),  EP_RETURNS_TENSOR};
    return emit_tensor(g, &n, d.operands[0], &d.results[0], false);
}

/* ------------------------------------------------------------------------ effects */

/* Prints a text, between the token before and the one after. */
static bool effect(generator *g) {
    static const char text[] = "h\xC3\xA9llo \"w\xC3\xB6rld\"\n";
    const bool old = g->options.version < ep_version_find("7.3");
    ep_builder *b = g->builder;
    char item[GEN_NAME_SIZE];
    TRY(g->token != NULL);
    gen_shape shape = {.dtype = GEN_FLOAT, .rank = 1};
    shape.strides[0] = gen_constant(1);
    gen_name(item, "getitem", g->getitems++);
    ep_named_arg inputs[] = {
        {"", ep_arg_value(b, g->token), false},
        {"", ep_arg_operator(b, "torch.ops.aten._print.default"), false},
        {"", ep_arg_string(b, (ep_bytes){text, sizeof text - 1}), false},
    };
    g->token = gen_make_tensor(g, item, &shape);
    const ep_built_arg *outputs[] = {ep_arg_value(b, g->token), ep_arg_none(b)};
    const small_node n = {COUNT_COND,
                          "with_effects",
                          "with_effects",
                          old ? "torch._higher_order_ops.effects.with_effects"
                              : "torch.ops.higher_order.with_effects",
                          INPUTS(inputs),
                          EP_RETURNS_TUPLE};
    emit(g, &n, outputs, 2);
    return true;
}

/* ------------------------------------------------------------------------- others */

/* A tensor times a complex number. */
static bool complex_product(generator *g) {
    gen_draft d = {.in = "F", .out = "C"};
    ep_builder *b = g->builder;
    TRY(ep_builder_has(b, "Argument", "as_complex") && gen_MAP(g, &d));
    ep_named_arg inputs[] = {{"self", ep_arg_value(b, d.operands[0]->value), false},
                             {"other", ep_arg_complex(b, 0.5, -2.0), false}};
    const small_node n = {COUNT_COMPLEX,  "mul",
                          "mul_complex",  "torch.ops.aten.mul.Tensor",
                          INPUTS(inputs), EP_RETURNS_AS_DECLARED};
    return emit_tensor(g, &n, d.operands[0], &d.results[0], false);
}

/* Adds to a buffer, where the verifier lets that be. */
static bool write_in_place(generator *g) {
    ep_builder *b = g->builder;
    for (size_t i = 0; i < g->weight_count && !g->functional; i++) {
        gen_weight *w = &g->weights[i];
        if (w->kind != EP_INPUT_BUFFER && w->kind != EP_INPUT_BUFFER_NOT_PERSISTENT) {
            continue;
        }
        ep_named_arg inputs[] = {{"self", ep_arg_value(b, w->tensor.value), false},
                                 {"other", ep_arg_int(b, 1), false}};
        const small_node n = {COUNT_PLACE,    "add_",
                              "add_",         "torch.ops.aten.add_.Tensor",
                              INPUTS(inputs), EP_RETURNS_AS_DECLARED};
        return emit_tensor(g, &n, &w->tensor, &w->tensor.shape, false);
    }
    return false;
}

/* -------------------------------------------------------------------------- a zoo */

enum { ZOO_MAX = 16 };

/* The next argument. */
static void admit(small_node *n, ep_named_arg *cage, const char *name, const ep_built_arg *arg) {
    cage[n->input_count] = (ep_named_arg){name, arg, n->input_count > 0};
    n->input_count++;
}

/* An operator that nobody has registered takes what those of PyTorch do not. */
static bool zoo(generator *g) {
    static const int64_t ints[] = {1, -2, INT64_MAX};
    static const double floats[] = {0.1, -0.0, 1e22};
    static const bool bools[] = {true, false};
    static const ep_bytes strings[] = {{"", 0}, {"\xE2\x82\xAC", 3}};
    gen_draft d = {.in = "F"};
    ep_builder *b = g->builder;
    TRY(!g->options.plain && gen_MAP(g, &d));
    const ep_built_value *x = d.operands[0]->value;
    const ep_built_arg *nested[] = {ep_arg_tensors(b, &x, 1), ep_arg_tensors(b, &x, 1)};
    const ep_built_arg *of_ints[] = {ep_arg_ints(b, ints, 3), ep_arg_ints(b, ints, 1)};
    const ep_built_arg *of_floats[] = {ep_arg_floats(b, floats, 3), ep_arg_floats(b, floats, 2)};
    ep_named_arg cage[ZOO_MAX];
    small_node n = {
        COUNT_ZOO, "zoo", "zoo", "torch.ops.zoo.keep.default", cage, 0, EP_RETURNS_AS_DECLARED};
    admit(&n, cage, "self", ep_arg_value(b, x));
    if (ep_builder_has(b, "Argument", "as_nested_tensors")) {
        admit(&n, cage, "nested", ep_arg_lists(b, nested, 2));
    }
    if (ep_builder_has(b, "Argument", "as_optional_tensor")) {
        admit(&n, cage, "optional", ep_arg_optional_tensor(b, x));
    }
    if (g->object != NULL) {
        admit(&n, cage, "object", ep_arg_value(b, g->object));
    }
    admit(&n, cage, "floats", of_floats[0]);
    admit(&n, cage, "bools", ep_arg_bools(b, bools, 2));
    admit(&n, cage, "strings", ep_arg_strings(b, strings, 2));
    admit(&n, cage, "empty", ep_arg_ints(b, NULL, 0));
    if (ep_builder_has(b, "Argument", "as_int_lists")) {
        admit(&n, cage, "int_lists", ep_arg_lists(b, of_ints, 2));
    }
    if (ep_builder_has(b, "Argument", "as_float_lists")) {
        admit(&n, cage, "float_lists", ep_arg_lists(b, of_floats, 2));
    }
    return emit_tensor(g, &n, d.operands[0], &d.results[0], false);
}

bool gen_special(generator *g) {
    typedef bool maker(generator *);
    static maker *const makers[] = {symbolic_size, arithmetic, assertion,       symbolic_float,
                                    condition,     effect,     complex_product, write_in_place,
                                    condition,     effect,     hints,           zoo};
    return makers[gen_below(&g->random, sizeof makers / sizeof makers[0])](g);
}
