/*
 * builder_tidy.c - programs that are meant to be valid: inputs in the order of
 * their kinds, nodes with the arguments that their operators take, outputs with
 * their specs; what is in them is drawn. At any place another call may come
 * between, and most often spoils it.
 */
#include "builder_play.h"

#include <string.h>

enum { TIDY_VALUES = 48, TIDY_INPUTS = 4, TIDY_ARGS = 10, TIDY_MORE = 192 };

/* An input by the name that outputs know it by. */
typedef struct tidy_input {
    char name[PLAY_TEXT];
    const ep_built_value *value;
} tidy_input;

/* Inputs of one kind. */
typedef struct tidy_inputs {
    tidy_input items[TIDY_INPUTS];
    size_t count;
} tidy_inputs;

typedef struct tidy {
    play *p;
    bool mixed;
    bool specs; /* the version has input specs */
    ep_built_graph *graph;
    const ep_built_value *tensors[TIDY_VALUES]; /* a ring */
    size_t tensor_count;
    const ep_built_value *ints[TIDY_VALUES]; /* a ring, of symbolic integers */
    size_t int_count;
    const ep_built_expr *symbols[2]; /* NULL: not used */
    tidy_inputs parameters;
    tidy_inputs buffers;
    tidy_inputs users;
    uint8_t outputs; /* what there will be */
} tidy;

/* ------------------------------------------------------------------- tensors */

static const ep_built_expr *symbol(tidy *t) {
    static const char *const names[] = {"s0", "s1"};
    size_t i = play_below(t->p, 2);
    if (t->symbols[i] == NULL) {
        int64_t hint = i == 0 || play_byte(t->p) < TIDY_MORE ? 4 : INT64_MAX - 1;
        t->symbols[i] = ep_expr_symbol(t->p->b, names[i], &hint);
        play_ask_symbol(t->p, names[i], hint);
        play_said(t->p, t->symbols[i] != NULL);
        play_said(t->p, ep_build_range(t->p->b, t->symbols[i], 2, i == 0 ? 64 : INT64_MAX));
    }
    return t->symbols[i];
}

static const ep_built_expr *apply(tidy *t, ep_sym_op op, const ep_built_expr *a,
                                  const ep_built_expr *b) {
    const ep_built_expr *expr = ep_expr_apply(t->p->b, op, a, b);
    play_said(t->p, expr != NULL);
    return expr;
}

/* Of two symbols and a number, in any order and depth: one to three operations. */
static const ep_built_expr *deeper(tidy *t, const ep_built_expr *expr) {
    static const ep_sym_op ops[] = {EP_SYM_ADD, EP_SYM_SUB, EP_SYM_MUL,     EP_SYM_SUB,
                                    EP_SYM_MOD, EP_SYM_MIN, EP_SYM_FLOORDIV};
    enum { OPS = sizeof ops / sizeof ops[0] };
    size_t more = 1 + play_below(t->p, 3);
    for (size_t i = 0; i < more; i++) {
        uint8_t what = play_byte(t->p);
        const ep_built_expr *other =
            (what & 1) != 0 ? symbol(t) : ep_expr_int(t->p->b, (int64_t)(what / 32) - 9);
        ep_sym_op op = ops[what / 4 % OPS];
        expr = (what & 2) != 0 ? apply(t, op, expr, other) : apply(t, op, other, expr);
    }
    return expr;
}

/* s0, s0 + 3, 2*s0, s0//2, Max(s0, 1) */
static const ep_built_expr *expression(tidy *t) {
    static const ep_sym_op ops[] = {EP_SYM_ADD, EP_SYM_MUL, EP_SYM_FLOORDIV, EP_SYM_MAX};
    const ep_built_expr *expr = symbol(t);
    uint8_t what = play_byte(t->p);
    if (what % 2 == 0) {
        return expr;
    }
    return apply(t, ops[what / 16 % 4], expr, ep_expr_int(t->p->b, 1 + what / 2 % 4));
}

static ep_dim size_of(tidy *t) {
    uint8_t what = play_byte(t->p);
    return what < TIDY_MORE ? (ep_dim){what % 6, NULL} : (ep_dim){0, expression(t)};
}

static const char *dtype(tidy *t) {
    static const char *const names[] = {"FLOAT",    "LONG", "BOOL",          "DOUBLE",
                                        "BFLOAT16", "HALF", "COMPLEXDOUBLE", "UINT64"};
    const char *name = names[play_below(t->p, sizeof names / sizeof names[0])];
    return ep_builder_has(t->p->b, "ScalarType", name) ? name : "INT";
}

static bool has_gradients(const char *name) {
    return strcmp(name, "LONG") != 0 && strcmp(name, "BOOL") != 0 && strcmp(name, "INT") != 0 &&
           strcmp(name, "UINT64") != 0;
}

static const ep_built_value *make_tensor(tidy *t, const char *name) {
    enum { RANK = 3 };
    ep_dim sizes[RANK];
    uint8_t what = play_byte(t->p);
    ep_tensor_info info = {.dtype = dtype(t), .sizes = sizes, .rank = what % (RANK + 1)};
    for (size_t i = 0; i < info.rank; i++) {
        sizes[i] = size_of(t);
    }
    info.requires_grad = (what & 16) != 0 && has_gradients(info.dtype);
    info.device = (what & 32) != 0 ? "cuda" : NULL;
    info.device_index = 1;
    info.has_device_index = (what & 32) != 0;
    const ep_built_value *value = ep_build_tensor(t->p->b, t->graph, name, &info);
    play_said(t->p, value != NULL);
    play_takes(t->p, 4 * info.rank);
    return value;
}

static const ep_built_value *keep_tensor(tidy *t, const ep_built_value *value) {
    t->tensors[t->tensor_count++ % TIDY_VALUES] = value;
    return value;
}

static const ep_built_value *draw_tensor(tidy *t) {
    size_t held = t->tensor_count < TIDY_VALUES ? t->tensor_count : TIDY_VALUES;
    return t->tensors[play_below(t->p, held)];
}

/* --------------------------------------------------------------------- inputs */

static bool say_input(tidy *t, ep_input_kind kind, const ep_built_value *value, const char *name) {
    const ep_built_arg *arg = ep_arg_value(t->p->b, value);
    play_ask_input(t->p, kind, name);
    return play_said(t->p, ep_build_input(t->p->b, kind, arg, name));
}

static void add_inputs(tidy *t, ep_input_kind kind, tidy_inputs *inputs, size_t count) {
    for (size_t i = 0; i < count && inputs->count < TIDY_INPUTS; i++) {
        tidy_input *input = &inputs->items[inputs->count++];
        const char *name = play_fresh(t->p, kind == EP_INPUT_USER ? 'x' : 'w');
        memcpy(input->name, name, strlen(name) + 1);
        input->value = keep_tensor(t, make_tensor(t, input->name));
        say_input(t, kind, input->value, kind == EP_INPUT_USER ? NULL : input->name);
    }
}

static void add_constant(tidy *t, uint8_t what) {
    ep_builder *b = t->p->b;
    const ep_built_arg *args[] = {ep_arg_int(b, -3), ep_arg_none(b), ep_arg_bool(b, true),
                                  ep_arg_string(b, (ep_bytes){"\xC3\xA9", 2})};
    const char *name = play_fresh(t->p, 'k');
    play_ask_input(t->p, EP_INPUT_CONSTANT, name);
    play_said(t->p, ep_build_input(b, EP_INPUT_CONSTANT, args[what % 4], name));
}

static void add_all_inputs(tidy *t) {
    tidy_inputs others = {.count = 0};
    uint8_t what = play_byte(t->p);
    bool constants = ep_builder_has(t->p->b, "InputSpec", "tensor_constant");
    add_inputs(t, EP_INPUT_PARAMETER, &t->parameters, what & 3);
    add_inputs(t, EP_INPUT_BUFFER, &t->buffers, what >> 2 & 1);
    add_inputs(t, EP_INPUT_BUFFER_NOT_PERSISTENT, &t->buffers, what >> 3 & 1);
    add_inputs(t, EP_INPUT_TENSOR_CONSTANT, &others, constants ? what >> 4 & 1 : 0);
    add_inputs(t, EP_INPUT_USER, &t->users, 1 + (what >> 5 & 1));
    if (t->specs && (what >> 6) == 3) {
        add_constant(t, play_byte(t->p));
    }
    if (t->users.count > 1) {
        play_said(t->p, ep_build_equal_dims(t->p->b, t->users.items[0].value, 0,
                                            t->users.items[1].value, 0));
    }
}

/* ------------------------------------------------------------------ arguments */

static const ep_built_arg *int_arg(tidy *t) {
    return ep_arg_int(t->p->b, play_int(t->p));
}

static const ep_built_arg *ints_arg(tidy *t) {
    int64_t items[4];
    size_t count = 1 + play_below(t->p, 4);
    for (size_t i = 0; i < count; i++) {
        items[i] = play_int(t->p);
    }
    return ep_arg_ints(t->p->b, items, count);
}

static const ep_built_arg *float_arg(tidy *t) {
    double value = play_float(t->p);
    return ep_arg_float(t->p->b, value == value ? value : 0.5);
}

static const ep_built_arg *floats_arg(tidy *t) {
    double items[2] = {2.0, -0.0};
    return ep_arg_floats(t->p->b, items, 1 + play_below(t->p, 2));
}

static const ep_built_arg *bool_arg(tidy *t) {
    return ep_arg_bool(t->p->b, play_below(t->p, 2) != 0);
}

static const ep_built_arg *tensor_arg(tidy *t) {
    return ep_arg_value(t->p->b, draw_tensor(t));
}

static const ep_built_arg *tensors_arg(tidy *t) {
    const ep_built_value *items[3];
    size_t count = 1 + play_below(t->p, 3);
    for (size_t i = 0; i < count; i++) {
        items[i] = draw_tensor(t);
    }
    return ep_arg_tensors(t->p->b, items, count);
}

static const ep_built_arg *optional_tensors_arg(tidy *t) {
    const ep_built_value *items[3];
    size_t count = 1 + play_below(t->p, 3);
    for (size_t i = 0; i < count; i++) {
        items[i] = play_below(t->p, 2) == 0 ? NULL : draw_tensor(t);
    }
    items[count - 1] = draw_tensor(t); /* all none would be another tag in old versions */
    return ep_arg_optional_tensors(t->p->b, items, count);
}

static const ep_built_arg *symbolic_arg(tidy *t) {
    size_t held = t->int_count < TIDY_VALUES ? t->int_count : TIDY_VALUES;
    uint8_t what = play_byte(t->p);
    return held == 0 || what % 2 == 0 ? ep_arg_int(t->p->b, what / 2)
                                      : ep_arg_value(t->p->b, t->ints[what / 2 % held]);
}

/* Sizes: numbers, or some of them symbolic. */
static const ep_built_arg *sizes_arg(tidy *t) {
    const ep_built_arg *items[2];
    if (t->int_count == 0 || play_below(t->p, 2) == 0) {
        return ints_arg(t);
    }
    items[0] = ep_arg_value(t->p->b, t->ints[0]);
    items[1] = symbolic_arg(t);
    return ep_arg_symbolic_list(t->p->b, items, 2);
}

static const ep_built_arg *text_arg(tidy *t) {
    return ep_arg_string(t->p->b, (ep_bytes){"tanh", 4});
}

static const ep_built_arg *dtype_arg(tidy *t) {
    return ep_arg_scalar_type(t->p->b, dtype(t));
}

static const ep_built_arg *device_arg(tidy *t) {
    return ep_arg_device(t->p->b, "cpu", NULL);
}

static const ep_built_arg *format_arg(tidy *t) {
    return ep_arg_memory_format(t->p->b, "ContiguousFormat");
}

static const ep_built_arg *none_arg(tidy *t) {
    return ep_arg_none(t->p->b);
}

/* What the letters of an operator's row stand for. */
static const struct {
    char letter;
    const ep_built_arg *(*make)(tidy *);
} makers[] = {
    {'T', tensor_arg}, {'L', tensors_arg}, {'O', optional_tensors_arg},
    {'i', int_arg},    {'I', ints_arg},    {'f', float_arg},
    {'F', floats_arg}, {'b', bool_arg},    {'S', symbolic_arg},
    {'Z', sizes_arg},  {'s', text_arg},    {'D', dtype_arg},
    {'Y', device_arg}, {'M', format_arg},  {'n', none_arg},
};

static const ep_built_arg *make_arg(tidy *t, char letter) {
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        if (makers[i].letter == letter) {
            const ep_built_arg *arg = makers[i].make(t);
            play_said(t->p, arg != NULL);
            return arg;
        }
    }
    return NULL;
}

/* ---------------------------------------------------------------------- nodes */

/* An operator, its arguments ("*" before those by keyword) and results: tensors
 * (T), a list of two (L), a symbolic integer (S). */
typedef struct op_row {
    const char *target;
    const char *names[TIDY_ARGS];
    const char *letters;
    const char *results;
} op_row;

static const op_row op_rows[] = {
    {"torch.ops.aten.relu.default", {"self"}, "T", "T"},
    {"torch.ops.aten.add.Tensor", {"self", "other", "*alpha"}, "TTi", "T"},
    {"torch.ops.aten.mul.Tensor", {"self", "other"}, "Tf", "T"},
    {"torch.ops.aten.sum.dim_IntList", {"self", "dim", "keepdim"}, "TIb", "T"},
    {"torch.ops.aten.max.dim", {"self", "dim", "keepdim"}, "Tib", "TT"},
    {"torch.ops.aten.cat.default", {"tensors", "dim"}, "Li", "T"},
    {"torch.ops.aten.split.Tensor", {"self", "split_size", "dim"}, "TSi", "L"},
    {"torch.ops.aten.view.default", {"self", "size"}, "TZ", "T"},
    {"torch.ops.aten.index.Tensor", {"self", "indices"}, "TO", "T"},
    {"torch.ops.aten._to_copy.default", {"self", "*dtype"}, "TD", "T"},
    {"torch.ops.aten.clone.default", {"self", "*memory_format"}, "TM", "T"},
    {"torch.ops.aten.full.default",
     {"size", "fill_value", "*dtype", "*device", "*pin_memory"},
     "ZfDYb",
     "T"},
    {"torch.ops.aten.gelu.default", {"self", "*approximate"}, "Ts", "T"},
    {"torch.ops.aten.clamp.default", {"self", "min", "max"}, "Tnf", "T"},
    {"torch.ops.aten.upsample_nearest2d.vec",
     {"input", "output_size", "scale_factors"},
     "TnF",
     "T"},
    {"torch.ops.aten.convolution.default",
     {"input", "weight", "bias", "stride", "padding", "dilation", "transposed", "output_padding",
      "groups"},
     "TTTIIIbIi",
     "T"},
    {"torch.ops.aten.sym_size.int", {"self", "dim"}, "Ti", "S"},
    {"torch.ops.aten.slice.Tensor", {"self", "dim", "start", "end", "step"}, "TiSSi", "T"},
};

static const ep_built_value *make_int(tidy *t, const char *name) {
    const ep_built_expr *expr = expression(t);
    expr = play_below(t->p, 2) == 0 ? expr : deeper(t, expr);
    const ep_built_value *value = ep_build_symbolic(t->p->b, t->graph, name, expr);
    play_said(t->p, value != NULL);
    t->ints[t->int_count++ % TIDY_VALUES] = value;
    return value;
}

static const ep_built_arg *list_result(tidy *t) {
    const ep_built_value *items[2];
    for (size_t i = 0; i < 2; i++) {
        items[i] = make_tensor(t, play_fresh(t->p, 't'));
    }
    keep_tensor(t, items[0]);
    keep_tensor(t, items[1]);
    return ep_arg_tensors(t->p->b, items, 2);
}

static const ep_built_arg *make_result(tidy *t, char letter, const char *name) {
    switch (letter) {
    case 'L':
        return list_result(t);
    case 'S':
        return ep_arg_value(t->p->b, make_int(t, name));
    default:
        return ep_arg_value(t->p->b, keep_tensor(t, make_tensor(t, name)));
    }
}

static void say_node(tidy *t, ep_node_info *info) {
    static const ep_module_frame frame = {"L__self__", "", "models.Net"};
    uint8_t what = play_byte(t->p);
    if ((what & 1) != 0) {
        info->modules = &frame;
        info->module_count = 1;
    }
    if ((what & 2) != 0) {
        info->stack_trace = (ep_bytes){"File \"a.py\", line 1\n", 19};
    }
    if ((what & 4) != 0) {
        info->torch_fn_name = "add_1";
        info->torch_fn = "method_descriptor.add";
    }
    if ((what & 8) != 0) {
        info->name = play_fresh(t->p, 'n');
    }
    play_said(t->p, ep_build_node(t->p->b, t->graph, info));
}

static void add_operator(tidy *t, const op_row *row) {
    ep_named_arg inputs[TIDY_ARGS];
    const ep_built_arg *outputs[2];
    ep_node_info info = {.target = row->target, .inputs = inputs, .outputs = outputs};
    for (; row->letters[info.input_count] != '\0'; info.input_count++) {
        const char *name = row->names[info.input_count];
        bool keyword = *name == '*';
        const ep_built_arg *arg = make_arg(t, row->letters[info.input_count]);
        inputs[info.input_count] = (ep_named_arg){name + keyword, arg, keyword};
    }
    for (; row->results[info.output_count] != '\0'; info.output_count++) {
        const char *name = play_fresh(t->p, 't');
        outputs[info.output_count] = make_result(t, row->results[info.output_count], name);
    }
    say_node(t, &info);
}

/* One operation on the one operand, returned. */
static const ep_built_arg *branch(tidy *t, const char *name, const char *target) {
    ep_builder *b = t->p->b;
    ep_built_graph *outer = t->graph;
    ep_built_graph *graph = ep_build_subgraph(b);
    t->graph = graph;
    ep_named_arg input = {"self", ep_arg_value(b, make_tensor(t, "arg0_1")), false};
    const ep_built_arg *output = ep_arg_value(b, make_tensor(t, "out"));
    ep_node_info info = {.target = target,
                         .inputs = &input,
                         .input_count = 1,
                         .outputs = &output,
                         .output_count = 1};
    ep_build_node(b, graph, &info);
    ep_build_graph_input(b, graph, input.arg);
    ep_build_graph_output(b, graph, output);
    t->graph = outer;
    return ep_arg_graph(b, name, graph);
}

static void add_condition(tidy *t) {
    ep_builder *b = t->p->b;
    const ep_built_value *operand = draw_tensor(t);
    const ep_built_arg *when_true = branch(t, play_fresh(t->p, 'g'), "torch.ops.aten.sin.default");
    const ep_built_arg *when_false = branch(t, play_fresh(t->p, 'g'), "torch.ops.aten.cos.default");
    ep_named_arg inputs[] = {{"", tensor_arg(t), false},
                             {"", when_true, false},
                             {"", when_false, false},
                             {"", ep_arg_tensors(b, &operand, 1), false}};
    const ep_built_value *result = make_tensor(t, play_fresh(t->p, 't'));
    const ep_built_arg *output = ep_arg_value(b, keep_tensor(t, result));
    ep_node_info info = {.target = "torch.ops.higher_order.cond",
                         .inputs = inputs,
                         .input_count = 4,
                         .outputs = &output,
                         .output_count = 1,
                         .returns = EP_RETURNS_TUPLE};
    play_takes(t->p, 64);
    say_node(t, &info);
}

/* A symbolic integer plus another, or plus a number. */
static void add_sum(tidy *t) {
    ep_named_arg inputs[] = {{"a", ep_arg_value(t->p->b, t->ints[0]), false},
                             {"b", symbolic_arg(t), false}};
    const ep_built_arg *output = make_result(t, 'S', play_fresh(t->p, 't'));
    ep_node_info info = {.target = "_operator.add",
                         .inputs = inputs,
                         .input_count = 2,
                         .outputs = &output,
                         .output_count = 1};
    say_node(t, &info);
}

static void add_node(tidy *t) {
    enum { OPERATORS = sizeof op_rows / sizeof op_rows[0] };
    size_t which = play_below(t->p, OPERATORS + 2);
    if (!play_takes(t->p, 16)) {
        return;
    }
    if (which == OPERATORS) {
        add_condition(t);
    } else if (which == OPERATORS + 1 && t->int_count > 0) {
        add_sum(t);
    } else {
        add_operator(t, &op_rows[which % OPERATORS]);
    }
}

/* -------------------------------------------------------------------- outputs */

static void say_output(tidy *t, ep_output_kind kind, const ep_built_value *value,
                       const char *name) {
    const ep_built_arg *arg = ep_arg_value(t->p->b, value);
    play_said(t->p, ep_build_output(t->p->b, kind, arg, name));
}

static void add_gradients(tidy *t) {
    const tidy_input *parameter = &t->parameters.items[0];
    const tidy_input *user = &t->users.items[0];
    say_output(t, EP_OUTPUT_LOSS, draw_tensor(t), NULL);
    if (t->parameters.count > 0) {
        say_output(t, EP_OUTPUT_GRADIENT_TO_PARAMETER, parameter->value, parameter->name);
    }
    say_output(t, EP_OUTPUT_GRADIENT_TO_USER_INPUT, user->value, user->name);
}

static void add_outputs(tidy *t) {
    if ((t->outputs & 1) != 0 && t->buffers.count > 0) {
        say_output(t, EP_OUTPUT_BUFFER_MUTATION, draw_tensor(t), t->buffers.items[0].name);
    }
    if ((t->outputs & 2) != 0 && ep_builder_has(t->p->b, "OutputSpec", "user_input_mutation")) {
        say_output(t, EP_OUTPUT_USER_INPUT_MUTATION, draw_tensor(t), t->users.items[0].name);
    }
    if ((t->outputs & 12) == 12) {
        add_gradients(t);
        return;
    }
    for (size_t i = 0; i <= (size_t)(t->outputs >> 4 & 1); i++) {
        say_output(t, EP_OUTPUT_USER, draw_tensor(t), NULL);
    }
    if ((t->outputs & 32) != 0 && t->int_count > 0) {
        say_output(t, EP_OUTPUT_USER, t->ints[0], NULL);
    }
}

static void add_rest(tidy *t) {
    if ((t->outputs & 64) != 0) {
        play_said(t->p, ep_build_verifier(t->p->b, "ATEN"));
    }
    if ((t->outputs & 128) != 0 && t->specs) {
        play_said(t->p, ep_build_module(t->p->b, "layers", NULL));
    }
}

/* In a mixed program, any other call, now and then. */
static void intrude(tidy *t) {
    if (t->mixed && play_byte(t->p) >= TIDY_MORE) {
        play_any_call(t->p);
    }
}

void play_tidy(play *p, bool mixed) {
    tidy t = {.p = p, .mixed = mixed, .graph = p->graphs[0]};
    t.specs = ep_builder_has(p->b, "GraphSignature", "input_specs");
    t.outputs = play_byte(p);
    add_all_inputs(&t);
    while (play_goes_on(p) && !play_ended(p)) {
        intrude(&t);
        add_node(&t);
    }
    if (play_goes_on(p)) {
        add_outputs(&t);
        intrude(&t);
        add_rest(&t);
    }
}
