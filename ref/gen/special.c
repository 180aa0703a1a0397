/*
 * special.c - nodes that no row of gen.def makes: symbolic integers and
 * what is done with them, conditions with subgraphs, effects with tokens,
 * complex numbers, writes in place.
 */
#include "family.h"

#include <string.h>

/* A node of one result, whose name begins with a base. */
typedef struct small_node {
    const char *base;
    size_t *count;
    const char *target;
    const ep_named_arg *inputs;
    size_t input_count;
} small_node;

static void emit(generator *g, const small_node *n, const char *name, const ep_built_arg *output) {
    ep_node_info info = {
        .target = n->target,
        .name = name,
        .inputs = n->inputs,
        .input_count = n->input_count,
        .outputs = &output,
        .output_count = output != NULL,
    };
    gen_node(g, &info, n->base, *n->count);
    ++*n->count;
}

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

static size_t *counter(generator *g, size_t which) {
    return &g->counters[gen_operator_count() + which];
}

/* --------------------------------------------------------------- symbolic integers */

static bool has_symbol(const gen_shape *shape, const void *context) {
    (void)context;
    return shape->rank > 0 && shape->dims[0].a != 0;
}

static bool symbolic_size(generator *g) {
    gen_tensor *x = gen_pick(g, has_symbol, NULL);
    char name[GEN_NAME_SIZE];
    size_t *count = counter(g, COUNT_SYM_SIZE);
    if (x == NULL) {
        return false;
    }
    gen_name(name, "sym_size_int", *count);
    ep_named_arg inputs[] = {{"self", ep_arg_value(g->builder, x->value), false},
                             {"dim", ep_arg_int(g->builder, 0), false}};
    gen_sym sym = {NULL, x->shape.dims[0]};
    sym.value = ep_build_symbolic(g->builder, g->graph, name, gen_expr(g, sym.dim));
    const small_node n = {"sym_size", count, "torch.ops.aten.sym_size.int", inputs, 2};
    emit(g, &n, name, ep_arg_value(g->builder, sym.value));
    x->used = true;
    gen_put_sym(g, sym);
    return true;
}

static const gen_sym *draw_sym(generator *g) {
    size_t count = g->sym_count < GEN_SYMS ? g->sym_count : GEN_SYMS;
    return count == 0 ? NULL : &g->syms[gen_below(&g->random, count)];
}

/* A symbolic integer plus or times a small number. */
static bool arithmetic(generator *g) {
    const gen_sym *from = draw_sym(g);
    char name[GEN_NAME_SIZE];
    size_t *count = counter(g, COUNT_ARITHMETIC);
    if (from == NULL) {
        return false;
    }
    bool times = from->dim.a < 4 && gen_once_in(&g->random, 2);
    int64_t by = times ? 2 : 1 + (int64_t)gen_below(&g->random, 3);
    gen_sym sym = {NULL, from->dim};
    if (times) {
        sym.dim = gen_dim_times(sym.dim, by);
    } else {
        sym.dim.b += by;
    }
    gen_name(name, times ? "mul_sym" : "add_sym", *count);
    ep_named_arg inputs[] = {{"a", ep_arg_value(g->builder, from->value), false},
                             {"b", ep_arg_int(g->builder, by), false}};
    sym.value = ep_build_symbolic(g->builder, g->graph, name, gen_expr(g, sym.dim));
    const small_node n = {times ? "mul" : "add", count, times ? "_operator.mul" : "_operator.add",
                          inputs, 2};
    emit(g, &n, name, ep_arg_value(g->builder, sym.value));
    gen_put_sym(g, sym);
    return true;
}

static void assert_true(generator *g, const ep_built_value *condition) {
    static const char message[] = "Runtime assertion failed: gr\xC3\xB6\xC3\x9F"
                                  "er als 0 "
                                  "\xF0\x9F\x98\x80\t\"\\\"\x7F";
    char name[GEN_NAME_SIZE];
    size_t *count = counter(g, COUNT_ASSERT);
    gen_name(name, "_assert_scalar_default", *count);
    ep_named_arg inputs[] = {
        {"self", ep_arg_value(g->builder, condition), false},
        {"assert_msg", ep_arg_string(g->builder, (ep_bytes){message, sizeof message - 1}), false},
    };
    const small_node n = {"_assert_scalar", count, "torch.ops.aten._assert_scalar.default", inputs,
                          2};
    emit(g, &n, name, NULL);
}

/* That a symbolic integer is not below nought: two nodes. */
static bool assertion(generator *g) {
    const gen_sym *from = draw_sym(g);
    char name[GEN_NAME_SIZE];
    size_t *count = counter(g, COUNT_ARITHMETIC);
    ep_builder *b = g->builder;
    bool known = g->options.version >= ep_version_find("5.1");
    if (from == NULL || !known || g->nodes + 2 > g->options.nodes) {
        return false;
    }
    gen_name(name, "ge_sym", *count);
    ep_named_arg inputs[] = {{"a", ep_arg_value(b, from->value), false},
                             {"b", ep_arg_int(b, 0), false}};
    const ep_built_expr *expr =
        ep_expr_apply(b, EP_SYM_GE, gen_expr(g, from->dim), ep_expr_int(b, 0));
    const ep_built_value *condition = ep_build_symbolic(b, g->graph, name, expr);
    const small_node n = {"ge", count, "_operator.ge", inputs, 2};
    emit(g, &n, name, ep_arg_value(b, condition));
    assert_true(g, condition);
    return true;
}

/* A symbolic integer as a float, and a tensor times that: two nodes. */
static bool symbolic_float(generator *g) {
    const gen_sym *from = draw_sym(g);
    ep_builder *b = g->builder;
    gen_draft d = {.in = "F"};
    size_t *count = counter(g, COUNT_ARITHMETIC);
    char name[GEN_NAME_SIZE];
    if (from == NULL || !ep_builder_has(b, "Argument", "as_sym_float") ||
        g->nodes + 2 > g->options.nodes || !gen_MAP(g, &d)) {
        return false;
    }
    gen_name(name, "sym_float", *count);
    ep_named_arg inputs[] = {{"a", ep_arg_value(b, from->value), false}};
    const ep_built_expr *expr = ep_expr_apply(b, EP_SYM_TO_FLOAT, gen_expr(g, from->dim), NULL);
    const ep_built_value *value = ep_build_symbolic(b, g->graph, name, expr);
    const small_node n = {"sym_float", count, "torch.sym_float", inputs, 1};
    emit(g, &n, name, ep_arg_value(b, value));
    gen_name(name, "mul_float", *count);
    ep_named_arg factors[] = {{"self", ep_arg_value(b, d.operands[0]->value), false},
                              {"other", ep_arg_value(b, value), false}};
    const ep_built_value *result = gen_make_tensor(g, name, &d.results[0]);
    const small_node product = {"mul", count, "torch.ops.aten.mul.Tensor", factors, 2};
    d.operands[0]->used = true;
    emit(g, &product, name, ep_arg_value(b, result));
    gen_put(g, (gen_tensor){d.results[0], result, false});
    return true;
}

/* -------------------------------------------------------------------- conditions */

static bool is_condition(const gen_shape *shape, const void *context) {
    (void)context;
    return shape->dtype == GEN_BOOL && shape->rank == 0;
}

/* A branch: one operation on its one operand. */
static ep_built_graph *make_branch(generator *g, const gen_shape *shape, const char *base,
                                   const char *target) {
    ep_builder *b = g->builder;
    ep_built_graph *outer = g->graph;
    size_t count = 0;
    g->graph = ep_build_subgraph(b);
    const ep_built_arg *x = ep_arg_value(b, gen_make_tensor(g, "arg0_1", shape));
    const ep_built_arg *y = ep_arg_value(b, gen_make_tensor(g, base, shape));
    ep_named_arg inputs[] = {{"self", x, false}};
    const small_node n = {base, &count, target, inputs, 1};
    emit(g, &n, base, y);
    ep_build_graph_input(b, g->graph, x);
    ep_build_graph_output(b, g->graph, y);
    ep_built_graph *made = g->graph;
    g->graph = outer;
    return made;
}

/* "true_graph_0", or "submodule_0" of the first release. */
static const ep_built_arg *branch(generator *g, bool truth, const gen_shape *shape) {
    char name[GEN_NAME_SIZE];
    bool old = !ep_builder_has(g->builder, "GraphSignature", "input_specs");
    size_t number = g->subgraphs;
    char text[GEN_TEXT_SIZE] = "";
    gen_append(text, old ? "submodule_" : truth ? "true_graph_" : "false_graph_");
    gen_append_number(text, old ? number * 2 + !truth : number);
    memcpy(name, text, GEN_NAME_SIZE);
    name[GEN_NAME_SIZE - 1] = '\0';
    ep_built_graph *graph = truth ? make_branch(g, shape, "sin", "torch.ops.aten.sin.default")
                                  : make_branch(g, shape, "cos", "torch.ops.aten.cos.default");
    return ep_arg_graph(g->builder, name, graph);
}

/* Of the first release, cond returns what its subgraphs do: a tensor by itself. */
static bool condition(generator *g) {
    gen_draft d = {.in = "F"};
    gen_tensor *predicate = gen_pick(g, is_condition, NULL);
    ep_builder *b = g->builder;
    bool old = !ep_builder_has(b, "GraphSignature", "input_specs");
    if (predicate == NULL || !gen_MAP(g, &d) || !gen_shape_contiguous(&d.operands[0]->shape)) {
        return false;
    }
    char name[GEN_NAME_SIZE];
    char item[GEN_NAME_SIZE];
    size_t *count = counter(g, COUNT_COND);
    gen_shape shape = d.results[0];
    const ep_built_value *operand = d.operands[0]->value;
    const ep_built_arg *when_true = branch(g, true, &shape); /* one before the other */
    const ep_built_arg *when_false = branch(g, false, &shape);
    ep_named_arg inputs[] = {{"", ep_arg_value(b, predicate->value), false},
                             {"", when_true, false},
                             {"", when_false, false},
                             {"", ep_arg_tensors(b, &operand, 1), false}};
    gen_name(name, "cond", *count);
    gen_name(item, "getitem", g->getitems++);
    const ep_built_value *result = gen_make_tensor(g, item, &shape);
    const ep_built_arg *output = ep_arg_value(b, result);
    ep_node_info info = {.target = "torch.ops.higher_order.cond",
                         .name = name,
                         .inputs = inputs,
                         .input_count = 4,
                         .outputs = &output,
                         .output_count = 1,
                         .returns = old ? EP_RETURNS_TENSOR : EP_RETURNS_TUPLE};
    g->subgraphs++;
    predicate->used = d.operands[0]->used = true;
    gen_node(g, &info, "cond", (*count)++);
    gen_put(g, (gen_tensor){shape, result, false});
    return true;
}

/* A subgraph with hints for a compiler, which are a dict of arguments. */
static bool hints(generator *g) {
    static const char text[] = "t\xC3\xA9xt";
    static const char *const keys[] = {"int", "f", "b", "s"};
    ep_builder *b = g->builder;
    gen_draft d = {.in = "F"};
    if (g->options.version < ep_version_find("8.17") || !gen_MAP(g, &d) ||
        !gen_shape_contiguous(&d.operands[0]->shape)) {
        return false;
    }
    char name[GEN_NAME_SIZE];
    char body[GEN_NAME_SIZE];
    size_t *count = counter(g, COUNT_COND);
    const ep_built_value *operand = d.operands[0]->value;
    const ep_built_arg *values[] = {ep_arg_int(b, 3), ep_arg_float(b, 0.5), ep_arg_bool(b, true),
                                    ep_arg_string(b, (ep_bytes){text, sizeof text - 1})};
    gen_name(name, "hints_wrapper", *count);
    gen_name(body, "hints_wrapper_body_graph", g->subgraphs++);
    ep_built_graph *graph =
        make_branch(g, &d.operands[0]->shape, "relu", "torch.ops.aten.relu.default");
    const ep_built_value *result = gen_make_tensor(g, name, &d.results[0]);
    const ep_built_arg *output = ep_arg_value(b, result);
    ep_named_arg inputs[] = {{"", ep_arg_graph(b, body, graph), false},
                             {"", ep_arg_tensors(b, &operand, 1), false},
                             {"", ep_arg_dict(b, NULL, NULL, 0), false},
                             {"hints", ep_arg_dict(b, keys, values, 4), true}};
    ep_node_info info = {.target = "torch.ops.higher_order.hints_wrapper",
                         .name = name,
                         .inputs = inputs,
                         .input_count = 4,
                         .outputs = &output,
                         .output_count = 1,
                         .returns = EP_RETURNS_TENSOR};
    d.operands[0]->used = true;
    gen_node(g, &info, "hints_wrapper", (*count)++);
    gen_put(g, (gen_tensor){d.results[0], result, false});
    return true;
}

/* ------------------------------------------------------------------------ effects */

/* Prints a text, between the token before and the one after. */
static bool effect(generator *g) {
    static const char text[] = "h\xC3\xA9llo \"w\xC3\xB6rld\"\n";
    const bool old = g->options.version < ep_version_find("7.3");
    ep_builder *b = g->builder;
    char item[GEN_NAME_SIZE];
    if (g->token == NULL) {
        return false;
    }
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
    char name[GEN_NAME_SIZE];
    size_t *count = counter(g, COUNT_COND);
    gen_name(name, "with_effects", *count);
    ep_node_info info = {.target = old ? "torch._higher_order_ops.effects.with_effects"
                                       : "torch.ops.higher_order.with_effects",
                         .name = name,
                         .inputs = inputs,
                         .input_count = 3,
                         .outputs = outputs,
                         .output_count = 2,
                         .returns = EP_RETURNS_TUPLE};
    gen_node(g, &info, "with_effects", (*count)++);
    return true;
}

/* ------------------------------------------------------------------------- others */

/* A tensor times a complex number. */
static bool complex_product(generator *g) {
    gen_draft d = {.in = "F", .out = "C"};
    ep_builder *b = g->builder;
    char name[GEN_NAME_SIZE];
    size_t *count = counter(g, COUNT_COMPLEX);
    if (!ep_builder_has(b, "Argument", "as_complex") || !gen_MAP(g, &d)) {
        return false;
    }
    gen_name(name, "mul_complex", *count);
    ep_named_arg inputs[] = {{"self", ep_arg_value(b, d.operands[0]->value), false},
                             {"other", ep_arg_complex(b, 0.5, -2.0), false}};
    const ep_built_value *result = gen_make_tensor(g, name, &d.results[0]);
    const small_node n = {"mul", count, "torch.ops.aten.mul.Tensor", inputs, 2};
    d.operands[0]->used = true;
    emit(g, &n, name, ep_arg_value(b, result));
    gen_put(g, (gen_tensor){d.results[0], result, false});
    return true;
}

/* Adds to a buffer, where the verifier lets that be. */
static bool write_in_place(generator *g) {
    ep_builder *b = g->builder;
    char name[GEN_NAME_SIZE];
    size_t *count = counter(g, COUNT_PLACE);
    for (size_t i = 0; i < g->weight_count && !g->functional; i++) {
        gen_weight *w = &g->weights[i];
        if (w->kind != EP_INPUT_BUFFER && w->kind != EP_INPUT_BUFFER_NOT_PERSISTENT) {
            continue;
        }
        gen_name(name, "add_", *count);
        ep_named_arg inputs[] = {{"self", ep_arg_value(b, w->tensor.value), false},
                                 {"other", ep_arg_int(b, 1), false}};
        const ep_built_value *result = gen_make_tensor(g, name, &w->tensor.shape);
        const small_node n = {"add_", count, "torch.ops.aten.add_.Tensor", inputs, 2};
        w->tensor.used = true;
        emit(g, &n, name, ep_arg_value(b, result));
        gen_put(g, (gen_tensor){w->tensor.shape, result, false});
        return true;
    }
    return false;
}

/* -------------------------------------------------------------------------- a zoo */

enum { ZOO_MAX = 16 };

/* The next argument. */
static void admit(ep_node_info *info, ep_named_arg *cage, const char *tag,
                  const ep_built_arg *arg) {
    size_t i = info->input_count++;
    cage[i] = (ep_named_arg){tag, arg, i > 0};
}

/* Lists of lists, of numbers. */
static void admit_lists(generator *g, ep_node_info *info, ep_named_arg *cage) {
    static const int64_t ints[] = {1, -2, INT64_MAX};
    static const double floats[] = {0.1, -0.0, 1e22};
    static const bool bools[] = {true, false};
    static const ep_bytes strings[] = {{"", 0}, {"\xE2\x82\xAC", 3}};
    ep_builder *b = g->builder;
    const ep_built_arg *of_ints[] = {ep_arg_ints(b, ints, 3), ep_arg_ints(b, ints, 1)};
    const ep_built_arg *of_floats[] = {ep_arg_floats(b, floats, 3), ep_arg_floats(b, floats, 2)};
    admit(info, cage, "floats", of_floats[0]);
    admit(info, cage, "bools", ep_arg_bools(b, bools, 2));
    admit(info, cage, "strings", ep_arg_strings(b, strings, 2));
    admit(info, cage, "empty", ep_arg_ints(b, NULL, 0));
    if (ep_builder_has(b, "Argument", "as_int_lists")) {
        admit(info, cage, "int_lists", ep_arg_lists(b, of_ints, 2));
    }
    if (ep_builder_has(b, "Argument", "as_float_lists")) {
        admit(info, cage, "float_lists", ep_arg_lists(b, of_floats, 2));
    }
}

static void admit_tensors(generator *g, ep_node_info *info, ep_named_arg *cage,
                          const ep_built_value *x) {
    ep_builder *b = g->builder;
    const ep_built_arg *nested[] = {ep_arg_tensors(b, &x, 1), ep_arg_tensors(b, &x, 1)};
    admit(info, cage, "self", ep_arg_value(b, x));
    if (ep_builder_has(b, "Argument", "as_nested_tensors")) {
        admit(info, cage, "nested", ep_arg_lists(b, nested, 2));
    }
    if (ep_builder_has(b, "Argument", "as_optional_tensor")) {
        admit(info, cage, "optional", ep_arg_optional_tensor(b, x));
    }
    if (g->object != NULL) {
        admit(info, cage, "object", ep_arg_value(b, g->object));
    }
}

/* An operator that nobody has registered takes what those of PyTorch do not. */
static bool zoo(generator *g) {
    gen_draft d = {.in = "F"};
    ep_named_arg cage[ZOO_MAX];
    char name[GEN_NAME_SIZE];
    size_t *count = counter(g, COUNT_ZOO);
    if (g->options.plain || !gen_MAP(g, &d)) {
        return false;
    }
    gen_name(name, "zoo", *count);
    ep_node_info info = {.target = "torch.ops.zoo.keep.default", .name = name, .inputs = cage};
    admit_tensors(g, &info, cage, d.operands[0]->value);
    admit_lists(g, &info, cage);
    const ep_built_value *result = gen_make_tensor(g, name, &d.results[0]);
    const ep_built_arg *output = ep_arg_value(g->builder, result);
    info.outputs = &output;
    info.output_count = 1;
    d.operands[0]->used = true;
    gen_node(g, &info, "zoo", (*count)++);
    gen_put(g, (gen_tensor){d.results[0], result, false});
    return true;
}

bool gen_special(generator *g) {
    typedef bool maker(generator *);
    static maker *const makers[] = {symbolic_size, arithmetic, assertion,       symbolic_float,
                                    condition,     effect,     complex_product, write_in_place,
                                    condition,     effect,     hints,           zoo};
    return makers[gen_below(&g->random, sizeof makers / sizeof makers[0])](g);
}
