/*
 * builder_calls.c - any call of epref_builder.h, with what is
 * drawn: handles of those made so far, NULL among them, texts that are no UTF-8,
 * numbers at their ends, enumerators that are none.
 */
#include "builder_play.h"

#include "builder_calls.def"

#include <string.h>

/* A call that one expression makes. */
#define CALL(name, made)                                                                           \
    static void call_##name(play *p) {                                                             \
        made;                                                                                      \
    }

/* One of a list, of items that are drawn. */
#define LIST_CALL(name, type, drawn)                                                               \
    static void call_##name(play *p) {                                                             \
        type items[PLAY_ITEMS];                                                                    \
        size_t count = play_below(p, PLAY_ITEMS + 1);                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            items[i] = drawn;                                                                      \
        }                                                                                          \
        play_made(p, &p->args, ep_##name(p->b, items, count), count + 1);                          \
    }

/* Likewise of handles, which have weights. */
#define HANDLES_CALL(name, kind)                                                                   \
    static void call_##name(play *p) {                                                             \
        const ep_built_##kind *items[PLAY_ITEMS];                                                  \
        size_t weight = 1;                                                                         \
        size_t count = draw_##kind##s(p, items, &weight);                                          \
        play_made(p, &p->kind##s, ep_##name(p->b, items, count), weight);                          \
    }

/* ---------------------------------------------------------------- expressions */

CALL(expr_int, play_made(p, &p->exprs, ep_expr_int(p->b, play_int(p)), 1))

static void call_expr_symbol(play *p) {
    int64_t hint = play_int(p);
    const char *name = play_text(p);
    bool hinted = play_below(p, 3) != 0;
    if (hinted) {
        play_ask_symbol(p, name, hint);
    }
    play_made(p, &p->exprs, ep_expr_symbol(p->b, name, hinted ? &hint : NULL), 1);
}

CALL(expr_float_symbol, play_made(p, &p->exprs, ep_expr_float_symbol(p->b, play_text(p)), 1))

static void call_expr_apply(play *p) {
    enum { BEYOND = EP_SYM_GE + 3 };
    play_pick a = play_draw(p, &p->exprs);
    play_pick b = play_draw(p, &p->exprs);
    ep_sym_op op = (ep_sym_op)play_below(p, BEYOND);
    if (op == EP_SYM_TO_FLOAT) {
        b = (play_pick){NULL, 0};
    }
    play_made(p, &p->exprs, ep_expr_apply(p->b, op, a.item, b.item), a.weight + b.weight + 1);
}

static void call_expr_text(play *p) {
    ep_kind kind = (ep_kind)play_below(p, EP_KIND_ENUM);
    play_made(p, &p->exprs, ep_expr_text(p->b, kind, play_text(p)), 1);
}

static void call_range(play *p) {
    play_pick symbol = play_draw(p, &p->exprs);
    int64_t min = play_int(p);
    play_said(p, ep_build_range(p->b, symbol.item, min, play_int(p)));
}

/* ----------------------------------------------------------- graphs and values */

static size_t draw_graph(play *p) {
    return play_below(p, p->graph_count);
}

static void call_subgraph(play *p) {
    ep_built_graph *graph = ep_build_subgraph(p->b);
    if (play_said(p, graph != NULL) && p->graph_count < PLAY_GRAPHS) {
        p->graph_weights[p->graph_count] = 1;
        p->graphs[p->graph_count++] = graph;
    }
}

/* A size, stride or offset, and what it weighs. */
static ep_dim draw_dim(play *p, size_t *weight) {
    play_pick expr = {NULL, 0};
    int64_t number = play_int(p);
    if (play_below(p, 3) == 0) {
        expr = play_draw(p, &p->exprs);
    }
    *weight += 1 + expr.weight;
    return (ep_dim){number, expr.item};
}

static void draw_dims(play *p, ep_dim *dims, size_t rank, size_t *weight) {
    for (size_t i = 0; i < rank; i++) {
        dims[i] = draw_dim(p, weight);
    }
}

static void call_tensor(play *p) {
    enum { RANK = 4 };
    ep_dim sizes[RANK];
    ep_dim strides[RANK];
    ep_tensor_info info = {.sizes = sizes, .rank = play_below(p, RANK + 1)};
    size_t weight = 1;
    size_t graph = draw_graph(p);
    uint8_t what = play_byte(p);
    const char *name = (what & 1) != 0 ? play_text(p) : play_fresh(p, 'v');
    info.dtype = (what & 2) != 0 ? play_text(p) : "FLOAT";
    info.device = (what & 4) != 0 ? play_text(p) : NULL;
    info.layout = (what & 8) != 0 ? play_text(p) : NULL;
    info.has_device_index = (what & 16) != 0;
    info.device_index = info.has_device_index ? play_int(p) : 0;
    info.requires_grad = (what & 32) != 0;
    draw_dims(p, sizes, info.rank, &weight);
    if ((what & 64) != 0) {
        draw_dims(p, strides, info.rank, &weight);
        info.strides = strides;
    }
    if ((what & 128) != 0) {
        info.storage_offset = draw_dim(p, &weight);
    }
    weight *= info.rank + 1; /* strides are products of sizes */
    if (play_takes(p, weight)) {
        p->graph_weights[graph] += weight;
        play_made(p, &p->values, ep_build_tensor(p->b, p->graphs[graph], name, &info), 1);
    }
}

static void call_symbolic(play *p) {
    play_pick expr = play_draw(p, &p->exprs);
    size_t graph = draw_graph(p);
    const char *name = play_below(p, 2) == 0 ? play_fresh(p, 'v') : play_text(p);
    if (play_takes(p, expr.weight + 1)) {
        p->graph_weights[graph] += expr.weight + 1;
        play_made(p, &p->values, ep_build_symbolic(p->b, p->graphs[graph], name, expr.item), 1);
    }
}

static void call_custom_obj(play *p) {
    size_t graph = draw_graph(p);
    const char *name = play_text(p);
    play_made(p, &p->values, ep_build_custom_obj(p->b, p->graphs[graph], name, play_text(p)), 1);
}

/* ------------------------------------------------------------------ arguments */

CALL(arg_none, play_made(p, &p->args, ep_arg_none(p->b), 1))

CALL(arg_int, play_made(p, &p->args, ep_arg_int(p->b, play_int(p)), 1))

CALL(arg_float, play_made(p, &p->args, ep_arg_float(p->b, play_float(p)), 1))

CALL(arg_bool, play_made(p, &p->args, ep_arg_bool(p->b, play_below(p, 2) != 0), 1))

static void call_arg_complex(play *p) {
    double real = play_float(p);
    play_made(p, &p->args, ep_arg_complex(p->b, real, play_float(p)), 1);
}

CALL(arg_string, play_made(p, &p->args, ep_arg_string(p->b, play_bytes(p)), 1))

CALL(arg_operator, play_made(p, &p->args, ep_arg_operator(p->b, play_text(p)), 1))

static void call_arg_device(play *p) {
    int64_t index = play_int(p);
    const char *type = play_text(p);
    play_made(p, &p->args, ep_arg_device(p->b, type, play_below(p, 2) == 0 ? NULL : &index), 1);
}

CALL(arg_scalar_type, play_made(p, &p->args, ep_arg_scalar_type(p->b, play_text(p)), 1))

CALL(arg_layout, play_made(p, &p->args, ep_arg_layout(p->b, play_text(p)), 1))

CALL(arg_memory_format, play_made(p, &p->args, ep_arg_memory_format(p->b, play_text(p)), 1))

LIST_CALL(arg_ints, int64_t, play_int(p))

LIST_CALL(arg_floats, double, play_float(p))

LIST_CALL(arg_bools, bool, play_below(p, 2) != 0)

LIST_CALL(arg_strings, ep_bytes, play_bytes(p))

static void call_arg_value(play *p) {
    play_pick value = play_draw(p, &p->values);
    play_made(p, &p->args, ep_arg_value(p->b, value.item), 1);
}

LIST_CALL(arg_tensors, const ep_built_value *, play_draw(p, &p->values).item)

LIST_CALL(arg_optional_tensors, const ep_built_value *, play_draw(p, &p->values).item)

CALL(arg_optional_tensor,
     play_made(p, &p->args, ep_arg_optional_tensor(p->b, play_draw(p, &p->values).item), 1))

static size_t draw_args(play *p, const ep_built_arg **items, size_t *weight) {
    size_t count = play_below(p, PLAY_ITEMS + 1);
    for (size_t i = 0; i < count; i++) {
        play_pick arg = play_draw(p, &p->args);
        items[i] = arg.item;
        *weight += arg.weight;
    }
    return count;
}

HANDLES_CALL(arg_symbolic_list, arg)

HANDLES_CALL(arg_lists, arg)

static void draw_keys(play *p, const char **keys, size_t count) {
    for (size_t i = 0; i < count; i++) {
        keys[i] = play_text(p);
    }
}

static void call_arg_dict(play *p) {
    const ep_built_arg *items[PLAY_ITEMS];
    const char *keys[PLAY_ITEMS];
    size_t weight = 1;
    size_t count = draw_args(p, items, &weight);
    draw_keys(p, keys, count);
    play_made(p, &p->args, ep_arg_dict(p->b, keys, items, count), weight);
}

static void call_arg_graph(play *p) {
    size_t graph = draw_graph(p);
    const char *name = play_text(p);
    size_t weight = p->graph_weights[graph];
    play_made(p, &p->args, ep_arg_graph(p->b, name, p->graphs[graph]), weight);
}

/* ---------------------------------------------------------------------- nodes */

/* Everything else that a node may say. */
static void draw_metadata(play *p, ep_node_info *info, ep_module_frame *frame,
                          ep_metadata_item *item) {
    uint8_t what = play_byte(p);
    info->returns = (ep_node_returns)((what & 3) % 3);
    if ((what & 4) != 0) {
        info->stack_trace = play_bytes(p);
    }
    if ((what & 8) != 0) {
        frame->key = play_text(p);
        frame->path = "";
        frame->type = play_text(p);
        info->modules = frame;
        info->module_count = 1;
    }
    if ((what & 16) != 0) {
        info->source_name = play_text(p);
        info->source_function = play_text(p);
    }
    if ((what & 32) != 0) {
        info->torch_fn_name = play_text(p);
        info->torch_fn = play_text(p);
    }
    if ((what & 64) != 0) {
        item->key = play_text(p);
        item->text = play_bytes(p);
        info->metadata = item;
        info->metadata_count = 1;
    }
    info->name = (what & 128) != 0 ? play_text(p) : NULL;
}

static void call_node(play *p) {
    const ep_built_arg *args[PLAY_ITEMS];
    const ep_built_arg *outputs[PLAY_ITEMS];
    ep_named_arg inputs[PLAY_ITEMS];
    ep_module_frame frame;
    ep_metadata_item item;
    size_t weight = 2;
    size_t graph = draw_graph(p);
    ep_node_info info = {.target = play_text(p), .inputs = inputs, .outputs = outputs};
    info.input_count = draw_args(p, args, &weight);
    for (size_t i = 0; i < info.input_count; i++) {
        inputs[i] = (ep_named_arg){.name = play_text(p), .arg = args[i]};
        inputs[i].keyword = play_below(p, 2) != 0;
    }
    info.output_count = draw_args(p, outputs, &weight);
    draw_metadata(p, &info, &frame, &item);
    if (play_takes(p, weight)) {
        p->graph_weights[graph] += weight;
        play_said(p, ep_build_node(p->b, p->graphs[graph], &info));
    }
}

typedef bool graph_end(ep_builder *b, ep_built_graph *graph, const ep_built_arg *arg);

static void call_graph_end(play *p, graph_end *build) {
    size_t graph = draw_graph(p);
    play_pick arg = play_draw(p, &p->args);
    if (play_takes(p, arg.weight)) {
        p->graph_weights[graph] += arg.weight;
        play_said(p, build(p->b, p->graphs[graph], arg.item));
    }
}

CALL(graph_input, call_graph_end(p, ep_build_graph_input))

CALL(graph_output, call_graph_end(p, ep_build_graph_output))

static void call_input(play *p) {
    ep_input_kind kind = (ep_input_kind)play_below(p, EP_INPUT_CONSTANT + 2);
    play_pick arg = play_draw(p, &p->args);
    const char *name = play_text(p);
    if (play_takes(p, 2 * arg.weight)) {
        play_ask_input(p, kind, name);
        play_said(p, ep_build_input(p->b, kind, arg.item, name));
    }
}

static void call_output(play *p) {
    ep_output_kind kind = (ep_output_kind)play_below(p, EP_OUTPUT_GRADIENT_TO_USER_INPUT + 2);
    play_pick arg = play_draw(p, &p->args);
    const char *name = play_text(p);
    if (play_takes(p, 2 * arg.weight)) {
        play_said(p, ep_build_output(p->b, kind, arg.item, name));
    }
}

/* ---------------------------------------------------------------------- trees */

static size_t draw_trees(play *p, const ep_built_tree **children, size_t *weight) {
    size_t count = play_below(p, PLAY_ITEMS + 1);
    for (size_t i = 0; i < count; i++) {
        play_pick tree = play_draw(p, &p->trees);
        children[i] = tree.item;
        *weight += tree.weight;
    }
    return count;
}

CALL(tree_leaf, play_made(p, &p->trees, ep_tree_leaf(p->b), 1))

static void call_tree_node(play *p) {
    const ep_built_tree *children[PLAY_ITEMS];
    size_t weight = 1;
    size_t count = draw_trees(p, children, &weight);
    const char *type = play_text(p);
    play_made(p, &p->trees, ep_tree_node(p->b, type, play_text(p), children, count), weight);
}

HANDLES_CALL(tree_tuple, tree)

HANDLES_CALL(tree_list, tree)

static void call_tree_dict(play *p) {
    const ep_built_tree *children[PLAY_ITEMS];
    const char *keys[PLAY_ITEMS];
    size_t weight = 1;
    size_t count = draw_trees(p, children, &weight);
    draw_keys(p, keys, count);
    play_made(p, &p->trees, ep_tree_dict(p->b, keys, children, count), weight);
}

/* What a call takes and gives, in arrays of PLAY_ITEMS each. */
typedef struct call_parts {
    const ep_built_arg *inputs[PLAY_ITEMS];
    const ep_built_arg *outputs[PLAY_ITEMS];
    const char *names[PLAY_ITEMS];
    ep_call_info info;
} call_parts;

static bool draw_call(play *p, call_parts *c) {
    play_pick args = play_draw(p, &p->trees);
    play_pick kwargs = play_draw(p, &p->trees);
    play_pick out = play_draw(p, &p->trees);
    size_t weight = args.weight + kwargs.weight + out.weight;
    c->info = (ep_call_info){.args = args.item, .out = out.item};
    c->info.kwargs = play_below(p, 2) == 0 ? NULL : kwargs.item;
    c->info.inputs = c->inputs;
    c->info.outputs = c->outputs;
    c->info.input_count = draw_args(p, c->inputs, &weight);
    c->info.output_count = draw_args(p, c->outputs, &weight);
    if (play_below(p, 2) != 0) {
        c->info.arg_names = c->names;
        c->info.arg_name_count = play_below(p, PLAY_ITEMS + 1);
        for (size_t i = 0; i < c->info.arg_name_count; i++) {
            c->names[i] = play_text(p);
        }
    }
    return play_takes(p, weight);
}

static void call_call(play *p) {
    call_parts c;
    if (draw_call(p, &c)) {
        play_said(p, ep_build_call(p->b, &c.info));
    }
}

static void call_module(play *p) {
    call_parts c;
    const char *fqn = play_text(p);
    bool whole = play_below(p, 2) != 0;
    if (!whole || draw_call(p, &c)) {
        play_said(p, ep_build_module(p->b, fqn, whole ? &c.info : NULL));
    }
}

/* ---------------------------------------------------------------- the program */

static void call_opset(play *p) {
    const char *name = play_text(p);
    play_said(p, ep_build_opset(p->b, name, play_int(p)));
}

CALL(verifier, play_said(p, ep_build_verifier(p->b, play_text(p))))

CALL(torch_version, play_said(p, ep_build_torch_version(p->b, play_text(p))))

CALL(guard, play_said(p, ep_build_guard(p->b, play_bytes(p))))

static void call_equal_dims(play *p) {
    play_pick x = play_draw(p, &p->values);
    play_pick y = play_draw(p, &p->values);
    int64_t dim = play_int(p);
    play_said(p, ep_build_equal_dims(p->b, x.item, dim, y.item, play_int(p)));
}

static void call_has(play *p) {
    const char *type = play_text(p);
    if (type != NULL) { /* asks, and never fails */
        ep_builder_has(p->b, type, play_text(p));
    }
}

#define ANY(name) call_##name,
static void (*const any_calls[])(play *) = {PLAY_CALLS_OF(ANY)};
#undef ANY

void play_any_call(play *p) {
    any_calls[play_below(p, sizeof any_calls / sizeof any_calls[0])](p);
}

void play_begin_with(play *p) {
    int64_t hint = 4;
    const ep_built_expr *symbol = play_made(p, &p->exprs, ep_expr_symbol(p->b, "s0", &hint), 1);
    play_ask_symbol(p, "s0", hint);
    ep_dim sizes[] = {{0, symbol}, {3, NULL}};
    ep_tensor_info info = {.dtype = "FLOAT", .sizes = sizes, .rank = 2};
    const ep_built_value *x = ep_build_tensor(p->b, p->graphs[0], "x", &info);
    const ep_built_value *k = ep_build_symbolic(p->b, p->graphs[0], "k", symbol);
    play_made(p, &p->values, x, 1);
    play_made(p, &p->values, k, 1);
    play_made(p, &p->args, ep_arg_value(p->b, x), 1);
    play_made(p, &p->args, ep_arg_value(p->b, k), 1);
    play_made(p, &p->args, ep_arg_int(p->b, 3), 1);
    play_made(p, &p->trees, ep_tree_leaf(p->b), 1);
}

/* ------------------------------------------------------------- valid programs */

/* With a range, and a hint in it. */
static const ep_built_expr *ranged(play *p, const char *name, int64_t hint) {
    const ep_built_expr *symbol = ep_expr_symbol(p->b, name, &hint);
    play_ask_symbol(p, name, hint);
    play_said(p, ep_build_range(p->b, symbol, 2, hint < 64 ? 64 : INT64_MAX));
    return symbol;
}

static const ep_built_expr *operand(play *p, const ep_built_expr *const symbols[2]) {
    uint8_t what = play_byte(p);
    return what % 2 == 0 ? ep_expr_int(p->b, (int64_t)(what / 32) - 9) : symbols[what / 2 % 2];
}

static const ep_built_expr *expression(play *p, const ep_built_expr *const symbols[2]) {
    static const ep_sym_op ops[] = {EP_SYM_ADD, EP_SYM_SUB, EP_SYM_MUL,      EP_SYM_SUB,
                                    EP_SYM_MOD, EP_SYM_MIN, EP_SYM_FLOORDIV, EP_SYM_MAX};
    const ep_built_expr *expr = symbols[play_below(p, 2)];
    for (size_t left = 1 + play_below(p, 4); left > 0; left--) {
        const ep_built_expr *other = operand(p, symbols);
        uint8_t what = play_byte(p);
        expr = (what & 1) != 0 ? ep_expr_apply(p->b, ops[what / 2 % 8], expr, other)
                               : ep_expr_apply(p->b, ops[what / 2 % 8], other, expr);
    }
    return expr;
}

static void add_input(play *p, ep_input_kind kind, const ep_built_arg *arg, const char *name) {
    play_ask_input(p, kind, name);
    play_said(p, ep_build_input(p->b, kind, arg, name));
}

/* A tensor for each kind that there is. */
static void add_weights(play *p, uint8_t what) {
    static const ep_input_kind kinds[] = {EP_INPUT_PARAMETER, EP_INPUT_BUFFER,
                                          EP_INPUT_BUFFER_NOT_PERSISTENT};
    const ep_tensor_info info = {.dtype = "FLOAT"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if ((what >> i & 1) != 0) {
            const char *name = play_fresh(p, 'w');
            const ep_built_value *value = ep_build_tensor(p->b, p->graphs[0], name, &info);
            add_input(p, kinds[i], ep_arg_value(p->b, value), name);
        }
    }
}

void play_valid(play *p, uint8_t what) {
    const ep_built_arg *constant = (what & 8) != 0 ? ep_arg_int(p->b, play_int(p)) : NULL;
    const ep_built_expr *const symbols[] = {ranged(p, "s0", 4),
                                            ranged(p, "s1", (what & 16) != 0 ? 4 : INT64_MAX - 1)};
    add_weights(p, what);
    while (play_goes_on(p) && !play_ended(p)) {
        const ep_built_expr *expr = expression(p, symbols);
        const char *name = play_fresh(p, 'x');
        const ep_built_value *value = ep_build_symbolic(p->b, p->graphs[0], name, expr);
        add_input(p, EP_INPUT_USER, ep_arg_value(p->b, value), NULL);
    }
    if (constant != NULL && p->asked.specs) {
        add_input(p, EP_INPUT_CONSTANT, constant, play_fresh(p, 'k'));
    }
}
