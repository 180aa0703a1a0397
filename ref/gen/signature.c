/*
 * signature.c - the inputs of a generated program, drawn before its nodes,
 * and after them its outputs, the signature, and how it is called.
 */
#include "gen.h"

#include <string.h>

/* ------------------------------------------------------------------------ symbols */

/* Until 2.7 symbols were counted; then they are hashes of where they come from. */
static const char *symbol_name(const generator *g, size_t i) {
    static const char *const names[2][GEN_SYMBOLS] = {{"s0", "s1"}, {"s77", "s17"}};
    return names[g->options.version >= ep_version_find("8.8")][i];
}

static void make_symbols(generator *g) {
    for (size_t i = 0; i < GEN_SYMBOLS; i++) {
        gen_symbol *symbol = &g->symbols[i];
        symbol->hint = (int64_t)(3 + random_below(&g->random, 4));
        symbol->dynamic = random_one_in(&g->random, 2);
        if (symbol->dynamic) {
            bool open = random_one_in(&g->random, 2);
            symbol->expr = ep_expr_symbol(g->builder, symbol_name(g, i), &symbol->hint);
            ep_build_range(g->builder, symbol->expr, 2, open ? INT64_MAX : 32);
        }
    }
}

/* ------------------------------------------------------------------------- weights */

/* What a parameter or the like is called in the graph: p_NAME and so on, or argN_1 in the
 * first releases. */
static void add_weight(generator *g, ep_input_kind kind, const char *prefix, const char *name,
                       const gen_shape *shape) {
    char value[GEN_NAME_SIZE];
    gen_weight *w = &g->weights[g->weight_count];
    bool old = g->options.version < ep_version_find("5.3");
    gen_print(value, "%s%s", prefix, name);
    if (old) {
        gen_print(value, "arg%zu_1", g->weight_count);
    }
    for (char *p = value; *p != '\0'; p++) {
        *p = *p == '.' ? '_' : *p;
    }
    w->kind = kind;
    w->tensor.shape = *shape;
    gen_name(w->name, name, 0);
    w->tensor.value = gen_make_tensor(g, value, shape, kind == EP_INPUT_PARAMETER);
    g->weight_count++;
}

/* Version 1 has no tensor constants: its exporter made buffers of them. */
static void make_weights(generator *g) {
    bool constants = ep_builder_has(g->builder, "InputSpec", "tensor_constant");
    gen_dim width = gen_constant(g->width);
    const gen_shape scalar = {.dtype = GEN_LONG};
    const gen_shape row = {.dtype = GEN_FLOAT, .rank = 1, .dims = {width}};
    const gen_shape square = {.dtype = GEN_FLOAT, .rank = 2, .dims = {width, width}};
    size_t layers = 1 + random_below(&g->random, 4);
    for (size_t i = 0; i < layers && g->options.nodes > 0; i++) {
        char name[GEN_NAME_SIZE];
        gen_print(name, "layers.%zu.weight", i);
        add_weight(g, EP_INPUT_PARAMETER, "p_", name, &square);
        gen_print(name, "layers.%zu.bias", i);
        add_weight(g, EP_INPUT_PARAMETER, "p_", name, &row);
    }
    if (random_one_in(&g->random, 2)) {
        add_weight(g, EP_INPUT_BUFFER, "b_", "steps", &scalar);
    }
    if (random_one_in(&g->random, 2)) {
        add_weight(g, EP_INPUT_BUFFER_NOT_PERSISTENT, "b_", "cache", &row);
    }
    if (random_one_in(&g->random, 2)) {
        add_weight(g, constants ? EP_INPUT_TENSOR_CONSTANT : EP_INPUT_BUFFER, "c_",
                   "lifted_tensor_0", &row);
    }
}

/* --------------------------------------------------------------------- user inputs */

/* x and y share a batch; the third has one of its own; others vary in dtype. */
static gen_shape input_shape(generator *g, size_t i) {
    static const gen_dtype dtypes[] = {GEN_FLOAT, GEN_FLOAT,  GEN_FLOAT, GEN_LONG,
                                       GEN_BOOL,  GEN_DOUBLE, GEN_FLOAT, GEN_FLOAT};
    uint8_t number = i == 2 ? 1 : 0;
    const gen_symbol *symbol = &g->symbols[number];
    gen_dim batch = symbol->dynamic ? (gen_dim){1, 0, number} : gen_constant(symbol->hint);
    return (gen_shape){
        .dtype = dtypes[i],
        .rank = i == 2   ? 3
                : i == 4 ? 0
                         : 2,
        .dims = {batch, gen_constant(i == 2 ? 3 : g->width), gen_constant(g->width)}};
}

static void make_user_inputs(generator *g) {
    static const char *const names[GEN_INPUTS] = {"x", "y", "z", "ids", "flag", "w", "u", "v"};
    size_t count = 1 + random_below(&g->random, GEN_INPUTS - 2);
    bool old = g->options.version < ep_version_find("5.3");
    count = random_one_in(&g->random, 12) ? 0 : count;
    for (size_t i = 0; i < count; i++) {
        gen_print(g->input_names[i], old ? "l_%s_" : "%s", names[i]);
        gen_tensor *x = &g->inputs[g->input_count++];
        x->shape = input_shape(g, i);
        x->value = gen_make_tensor(g, g->input_names[i], &x->shape, false);
    }
    if (count > 1) {
        ep_build_equal_dims(g->builder, g->inputs[1].value, 0, g->inputs[0].value, 0);
    }
}

static void make_object(generator *g) {
    bool known = ep_builder_has(g->builder, "InputSpec", "custom_obj") &&
                 ep_builder_has(g->builder, "CustomObjArgument", "class_fqn");
    if (known && !g->options.plain && random_one_in(&g->random, 5)) {
        g->object = ep_build_custom_obj(g->builder, g->graph, "obj_keeper",
                                        "__torch__.torch.classes.zoo.Keeper");
    }
}

/* A token that orders effects. It is there in the first place only when nothing
 * but reading the program is asked of anyone. */
static void make_token(generator *g) {
    static const gen_shape shape = {.dtype = GEN_FLOAT, .rank = 1};
    bool known = ep_builder_has(g->builder, "InputSpec", "token") && g->functional;
    if (known && !g->options.plain && g->options.nodes > 0 && random_one_in(&g->random, 3)) {
        g->token = g->first_token = gen_make_tensor(g, "token", &shape, false);
    }
}

/* A node that makes the new value of a buffer, parameter or input. */
static void mutate(generator *g, const gen_tensor *from, ep_output_kind kind, const char *target) {
    ep_builder *b = g->builder;
    ep_named_arg inputs[] = {{"self", ep_arg_value(b, from->value), false},
                             {"other", ep_arg_int(b, 2), false}};
    g->mutated = *from;
    g->mutated.value = gen_make_tensor(g, "mul_mutated", &from->shape, false);
    g->mutation = kind;
    g->mutation_target = target;
    ep_node_info info = {.target = "torch.ops.aten.mul.Tensor",
                         .name = "mul_mutated",
                         .inputs = inputs,
                         .input_count = 2};
    gen_node_of(g, &info, "mul", g->mutated.value);
}

static void make_mutation(generator *g) {
    bool of_inputs = ep_builder_has(g->builder, "OutputSpec", "user_input_mutation");
    bool of_parameters = ep_builder_has(g->builder, "OutputSpec", "parameter_mutation");
    if (!g->functional || g->options.nodes == 0 || random_one_in(&g->random, 2)) {
        return;
    }
    if (of_inputs && g->input_count > 0 && random_one_in(&g->random, 2)) {
        mutate(g, &g->inputs[0], EP_OUTPUT_USER_INPUT_MUTATION, g->input_names[0]);
        return;
    }
    for (size_t i = 0; i < g->weight_count; i++) {
        gen_weight *w = &g->weights[i];
        bool buffer = w->kind == EP_INPUT_BUFFER || w->kind == EP_INPUT_BUFFER_NOT_PERSISTENT;
        bool parameter = w->kind == EP_INPUT_PARAMETER && of_parameters && !g->options.plain;
        if (buffer || (parameter && random_one_in(&g->random, 4))) {
            mutate(g, &w->tensor, buffer ? EP_OUTPUT_BUFFER_MUTATION : EP_OUTPUT_PARAMETER_MUTATION,
                   w->name);
            return;
        }
    }
}

void gen_inputs(generator *g) {
    make_symbols(g);
    make_token(g);
    make_weights(g);
    make_user_inputs(g);
    make_object(g);
    make_mutation(g);
}

/* ---------------------------------------------------------------- the signature */

static void say_inputs(generator *g) {
    ep_builder *b = g->builder;
    if (g->first_token != NULL) {
        ep_build_input(b, EP_INPUT_TOKEN, ep_arg_value(b, g->first_token), NULL);
    }
    for (size_t i = 0; i < g->weight_count; i++) {
        const gen_weight *w = &g->weights[i];
        ep_build_input(b, w->kind, ep_arg_value(b, w->tensor.value), w->name);
    }
    if (g->object != NULL) {
        ep_build_input(b, EP_INPUT_CUSTOM_OBJ, ep_arg_value(b, g->object), "keeper");
    }
    for (size_t i = 0; i < g->input_count; i++) {
        ep_build_input(b, EP_INPUT_USER, ep_arg_value(b, g->inputs[i].value), NULL);
    }
}

/* The user's constants come last, and by keyword. */
enum { CONSTANTS = 5 };

static const char *const constant_names[CONSTANTS] = {"k", "rate", "mode", "causal", "mask"};

static void say_constants(generator *g) {
    static const char mode[] = "na\xC3\xAFve";
    ep_builder *b = g->builder;
    const ep_built_arg *constants[CONSTANTS] = {ep_arg_int(b, -3), ep_arg_float(b, 0.1),
                                                ep_arg_string(b, (ep_bytes){mode, sizeof mode - 1}),
                                                ep_arg_bool(b, true), ep_arg_none(b)};
    for (size_t i = 0; i < CONSTANTS; i++) {
        ep_build_input(b, EP_INPUT_CONSTANT, constants[i], constant_names[i]);
    }
}

/* All inputs positional, but the third and the fourth in a list. */
static const ep_built_tree *args_tree(generator *g, const char **names, size_t *count) {
    ep_builder *b = g->builder;
    const ep_built_tree *leaf = ep_tree_leaf(b);
    const ep_built_tree *pair[] = {leaf, leaf};
    const ep_built_tree *children[GEN_INPUTS];
    for (size_t i = 0; i < g->input_count; i++) {
        bool both = i == 2 && i + 1 < g->input_count;
        names[*count] = both ? "several" : g->input_names[i];
        children[(*count)++] = both ? ep_tree_list(b, pair, 2) : leaf;
        i += both;
    }
    return ep_tree_tuple(b, children, *count);
}

/* ------------------------------------------------------------------------ outputs */

enum { OUTPUTS_MAX = 6 };

/* Results that nothing uses, the last first. */
static size_t choose_outputs(generator *g, gen_tensor **chosen) {
    size_t held = gen_held(g);
    size_t count = 0;
    for (size_t i = 0; i < held && count < OUTPUTS_MAX; i++) {
        gen_tensor *tensor = &g->recent[(g->recent_count - 1 - i) % GEN_RECENT];
        if (!tensor->used && tensor->value != NULL) {
            chosen[count++] = tensor;
        }
    }
    if (count == 0 && (held > 0 || g->input_count > 0)) {
        chosen[count++] = held > 0 ? &g->recent[(g->recent_count - 1) % GEN_RECENT] : &g->inputs[0];
    }
    return count;
}

/* In place of real ones the parameters themselves serve. */
static void say_gradients(generator *g) {
    for (size_t i = 0; i < g->weight_count && i < 2; i++) {
        const gen_weight *w = &g->weights[i];
        if (w->kind == EP_INPUT_PARAMETER) {
            ep_build_output(g->builder, EP_OUTPUT_GRADIENT_TO_PARAMETER,
                            ep_arg_value(g->builder, w->tensor.value), w->name);
        }
    }
    if (g->input_count > 0) {
        ep_build_output(g->builder, EP_OUTPUT_GRADIENT_TO_USER_INPUT,
                        ep_arg_value(g->builder, g->inputs[0].value), g->input_names[0]);
    }
}

static const ep_built_tree *say_outputs(generator *g) {
    ep_builder *b = g->builder;
    gen_tensor *chosen[OUTPUTS_MAX];
    const ep_built_tree *leaves[OUTPUTS_MAX + 1];
    size_t count = choose_outputs(g, chosen);
    bool training = count > 0 && !g->options.plain && g->functional && g->mutated.value == NULL &&
                    g->first_token == NULL; /* with a loss and its gradients */
    bool gradients = training && random_one_in(&g->random, 2);
    if (g->token != NULL) {
        ep_build_output(b, EP_OUTPUT_TOKEN, ep_arg_value(b, g->token), NULL);
    }
    if (g->mutated.value != NULL) {
        ep_build_output(b, g->mutation, ep_arg_value(b, g->mutated.value), g->mutation_target);
    }
    for (size_t i = 0; i < count; i++) {
        bool loss = gradients && i == 0;
        leaves[i] = ep_tree_leaf(b);
        ep_build_output(b, loss ? EP_OUTPUT_LOSS : EP_OUTPUT_USER,
                        ep_arg_value(b, chosen[i]->value), NULL);
    }
    if (gradients) {
        say_gradients(g);
    } else if (g->sym_count > 0) {
        const gen_sym *sym = &g->syms[(g->sym_count - 1) % GEN_SYMS];
        ep_build_output(b, EP_OUTPUT_USER, ep_arg_value(b, sym->value), NULL);
        leaves[count++] = ep_tree_leaf(b);
    }
    static const char *const keys[] = {"logits", "st\xC3\xB6\xC3\x9Ft"};
    return count == 1   ? leaves[0]
           : count == 2 ? ep_tree_dict(b, keys, leaves, count)
                        : ep_tree_tuple(b, leaves, count);
}

/* Submodules: one whose signature is kept, if a node stands for it; others of
 * which only the name is, as releases list them since 2.4. */
static void say_modules(generator *g) {
    ep_builder *b = g->builder;
    const ep_built_tree *leaf = ep_tree_leaf(b);
    ep_call_info call = {.args = ep_tree_tuple(b, &leaf, 1),
                         .out = leaf,
                         .inputs = &g->module_input,
                         .input_count = 1,
                         .outputs = &g->module_output,
                         .output_count = 1};
    bool specs = ep_builder_has(b, "GraphSignature", "input_specs");
    if (specs && g->module_output != NULL && random_one_in(&g->random, 3)) {
        ep_build_module(b, "act", &call);
    }
    if (g->options.version >= ep_version_find("5.3") && g->nodes > 0) {
        ep_build_module(b, "layers", NULL);
        ep_build_module(b, "layers.0", NULL);
    }
}

/* x and y share their first size. */
static void say_guard(generator *g) {
    static const char guard[] = "L['x'].size()[0] == L['y'].size()[0]";
    if (g->input_count > 1 && g->symbols[0].dynamic &&
        ep_builder_has(g->builder, "ExportedProgram", "guards_code")) {
        ep_build_guard(g->builder, (ep_bytes){guard, sizeof guard - 1});
    }
}

void gen_outputs(generator *g) {
    const char *names[GEN_INPUTS + CONSTANTS];
    const ep_built_tree *constants[CONSTANTS];
    ep_call_info call = {.arg_names = names};
    ep_builder *b = g->builder;
    bool with_constants = !g->options.plain && random_one_in(&g->random, 3) &&
                          ep_builder_has(b, "GraphSignature", "input_specs");
    say_inputs(g);
    call.args = args_tree(g, names, &call.arg_name_count);
    if (with_constants) {
        say_constants(g);
        for (size_t i = 0; i < CONSTANTS; i++) {
            constants[i] = ep_tree_leaf(b);
            names[call.arg_name_count++] = constant_names[i];
        }
        call.kwargs = ep_tree_dict(b, constant_names, constants, CONSTANTS);
    }
    call.out = say_outputs(g);
    ep_build_call(b, &call);
    say_modules(g);
    say_guard(g);
}
