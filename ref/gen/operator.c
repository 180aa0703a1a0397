/*
 * operator.c - one node after the other: draws a row of gen.def, has its
 * family find operands, and writes the node with its arguments.
 */
#include "family.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct operator_row {
    unsigned weight;
    const char *base;
    size_t first;
    const char *target;
    gen_family *family;
    const char *in;
    const char *out;
    const char *arguments;
} operator_row;

#define OPERATOR(weight, base, first, target, family, in, out, arguments)                          \
    {weight, base, first, target, gen_##family, in, out, arguments},
static const operator_row operators[] = {
#include "gen.def"
};
#undef OPERATOR

enum { OPERATORS = sizeof operators / sizeof operators[0], ARGUMENTS = 12 };

_Static_assert(OPERATORS <= 256, "a counter for each in gen_program");

/* The row whose counter a base name has: the first one of that base. */
static size_t counter_of(const char *base) {
    for (size_t i = 0; i < OPERATORS; i++) {
        if (strcmp(operators[i].base, base) == 0) {
            return i;
        }
    }
    return OPERATORS;
}

/* -------------------------------------------------------------------- arguments */

static const ep_built_value *operand(const gen_draft *d, size_t i) {
    d->operands[i]->used = true;
    return d->operands[i]->value;
}

static const ep_built_arg *operand_list(generator *g, const gen_draft *d) {
    const ep_built_value *values[GEN_OPERANDS];
    for (size_t i = 0; i < d->operand_count; i++) {
        values[i] = operand(d, i);
    }
    return ep_arg_tensors(g->builder, values, d->operand_count);
}

/* The sizes of the result: numbers where they are, else what is known of them. */
static const ep_built_arg *sizes(generator *g, const gen_draft *d) {
    const gen_shape *shape = &d->results[0];
    int64_t numbers[GEN_RANK_MAX];
    const ep_built_arg *items[GEN_RANK_MAX];
    for (size_t i = 0; i < shape->rank; i++) {
        bool symbolic = shape->dims[i].a != 0;
        numbers[i] = symbolic ? -1 : shape->dims[i].b;
        items[i] = symbolic && d->sym != NULL ? ep_arg_value(g->builder, d->sym)
                                              : ep_arg_int(g->builder, numbers[i]);
    }
    return d->sym != NULL ? ep_arg_symbolic_list(g->builder, items, shape->rank)
                          : ep_arg_ints(g->builder, numbers, shape->rank);
}

/* The last ones are too large for any but the double. */
static const ep_built_arg *any_float(generator *g, const gen_draft *d) {
    static const double floats[] = {
        0.5,  -0.0, 1e-05, 2.5,      1e16,      5e-324, 0.1,  1.0,    3.0,
        0.25, -2.0, -1.0,  INFINITY, -INFINITY, 1e6,    1e22, 1e+300, 1.7976931348623157e308};
    enum { ALL = sizeof floats / sizeof floats[0], WIDE = 2 };
    bool wide = d->operand_count > 0 && d->operands[0]->shape.dtype == GEN_DOUBLE;
    return ep_arg_float(g->builder, floats[random_below(&g->random, wide ? ALL : ALL - WIDE)]);
}

static const ep_built_arg *any_number(generator *g, const gen_draft *d) {
    if (random_one_in(&g->random, 2)) {
        return any_float(g, d);
    }
    return ep_arg_int(g->builder, (int64_t)random_below(&g->random, 9) - 4);
}

static const ep_built_arg *bound(generator *g, const gen_draft *d) {
    return d->sym != NULL ? ep_arg_value(g->builder, d->sym) : ep_arg_int(g->builder, d->n);
}

static const ep_built_arg *optional_operand(generator *g, const gen_draft *d) {
    operand(d, 0);
    const ep_built_value *items[] = {NULL, operand(d, 1)};
    return ep_arg_optional_tensors(g->builder, items, 2);
}

/* A subgraph of one operation on the operand. */
static const ep_built_arg *subgraph_of(generator *g, const gen_draft *d, const char *name,
                                       const char *base) {
    ep_builder *b = g->builder;
    ep_built_graph *outer = g->graph;
    ep_built_graph *made = ep_build_subgraph(b);
    char target[GEN_NAME_SIZE];
    gen_print(target, "torch.ops.aten.%s.default", base);
    g->graph = made;
    const ep_built_arg *x = ep_arg_value(b, gen_make_tensor(g, "arg0_1", &d->results[0]));
    const ep_built_arg *y = ep_arg_value(b, gen_make_tensor(g, base, &d->results[0]));
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

static const ep_built_arg *branch(generator *g, const gen_draft *d, bool first) {
    bool old = !ep_builder_has(g->builder, "GraphSignature", "input_specs");
    char name[GEN_NAME_SIZE];
    if (old) {
        gen_print(name, "submodule_%zu", g->subgraphs++);
    } else {
        gen_print(name, first ? "true_graph_%zu" : "false_graph_%zu", g->subgraphs);
        g->subgraphs += !first;
    }
    return subgraph_of(g, d, name, first ? "sin" : "cos");
}

static const ep_built_arg *hints(generator *g) {
    static const char *const keys[] = {"int", "f", "b", "s"};
    ep_builder *b = g->builder;
    const ep_built_arg *values[] = {ep_arg_int(b, 3), ep_arg_float(b, 0.5), ep_arg_bool(b, true),
                                    ep_arg_string(b, (ep_bytes){"t\xC3\xA9xt", 5})};
    return ep_arg_dict(b, keys, values, 4);
}

/* A kind of argument that no signature of PyTorch has, by the digit of its tag. */
static const ep_built_arg *exotic(generator *g, const gen_draft *d, char code) {
    static const char *const tags[] = {"as_nested_tensors", "as_optional_tensor", "as_int_lists",
                                       "as_float_lists",    "as_strings",         "as_bools",
                                       "as_floats"};
    static const int64_t ints[] = {1, -2, INT64_MAX};
    static const double floats[] = {0.1, -0.0, 1e22};
    static const bool bools[] = {true, false};
    static const ep_bytes strings[] = {{"", 0}, {"\xE2\x82\xAC", 3}};
    ep_builder *b = g->builder;
    const ep_built_value *x = d->operands[0]->value;
    const ep_built_arg *item = code == '0'   ? ep_arg_tensors(b, &x, 1)
                               : code == '2' ? ep_arg_ints(b, ints, 3)
                                             : ep_arg_floats(b, floats, 3);
    const ep_built_arg *items[] = {item, item};
    if (!ep_builder_has(b, "Argument", tags[code - '0'])) {
        return NULL;
    }
    switch (code) {
    case '1':
        return ep_arg_optional_tensor(b, x);
    case '4':
        return ep_arg_strings(b, strings, 2);
    case '5':
        return ep_arg_bools(b, bools, 2);
    case '6':
        return ep_arg_floats(b, floats, 3);
    default:
        return ep_arg_lists(b, items, 2);
    }
}

/* Codes that stand for what the draft holds. */
static const ep_built_arg *drafted(generator *g, const gen_draft *d, char code) {
    static const char *const dtypes[GEN_DTYPES] = {"FLOAT", "DOUBLE", "LONG", "BOOL",
                                                   "COMPLEXFLOAT"};
    ep_builder *b = g->builder;
    int64_t dim = (int64_t)d->dim;
    char name[GEN_NAME_SIZE];
    switch (code) {
    case 'L':
        return operand_list(g, d);
    case 'O':
        return optional_operand(g, d);
    case 'd':
        return ep_arg_int(b, dim);
    case 'i':
        return ep_arg_ints(b, &dim, 1);
    case 'k':
        return ep_arg_bool(b, d->keep);
    case 'n':
        return ep_arg_int(b, d->n);
    case 'm':
        return ep_arg_int(b, d->m);
    case 'w':
        return bound(g, d);
    case 's':
        return ep_arg_value(b, d->sym);
    case 'P':
        d->first->used = true;
        return ep_arg_value(b, d->first->value);
    case 'G':
    case 'H':
        return branch(g, d, code == 'G');
    case 'K':
        return g->object == NULL ? NULL : ep_arg_value(b, g->object);
    case 'B':
        gen_name(name, "hints_wrapper_body_graph", g->subgraphs++);
        return subgraph_of(g, d, name, "relu");
    case 'v': /* it may be empty */
        return ep_arg_ints(b, d->list, d->list_count);
    case 'z':
        return sizes(g, d);
    case 'y':
        return ep_arg_scalar_type(b, dtypes[d->results[0].dtype]);
    default: /* an operand */
        return ep_arg_value(b, operand(d, (size_t)(code - '0')));
    }
}

/* The argument of a code: what it spells out, or what the draft holds. */
static const ep_built_arg *argument(generator *g, const gen_draft *d, const char *code,
                                    size_t size) {
    ep_builder *b = g->builder;
    switch (*code) {
    case '#':
        return ep_arg_int(b, strtoll(code + 1, NULL, 10));
    case '\'':
        return ep_arg_string(b, (ep_bytes){code + 1, size - 1});
    case 'r':
        return any_number(g, d);
    case 'f':
        return any_float(g, d);
    case 't':
        return ep_arg_bool(b, false);
    case '-':
        return ep_arg_none(b);
    case 'Y':
        return ep_arg_layout(b, "Strided");
    case 'U':
        return ep_arg_device(b, "cpu", NULL);
    case 'M':
        return ep_arg_memory_format(b, "ContiguousFormat");
    case 'C':
        return ep_arg_complex(b, 0.5, -2.0);
    case '@':
        return ep_arg_operator(b, "torch.ops.aten._print.default");
    case 'E':
        return ep_arg_value(b, g->token);
    case 'D':
        return size > 1 ? ep_arg_dict(b, NULL, NULL, 0) : hints(g);
    case 'Z':
        return exotic(g, d, code[1]);
    default:
        return drafted(g, d, *code);
    }
}

/* "name=code", or "*name=code", and on to the next. The name goes into a buffer.
 * False when the argument is left out. */
static bool read_argument(generator *g, const gen_draft *d, const char **p, char *name,
                          ep_named_arg *arg) {
    bool by_default = **p == '?';
    arg->keyword = **p == '*';
    *p += by_default || arg->keyword;
    size_t length = strcspn(*p, "=");
    memcpy(name, *p, length);
    name[length] = '\0';
    *p += length + 1;
    size_t size = strcspn(*p, " ");
    bool wanted = !by_default || !ep_builder_has(g->builder, "GraphSignature", "input_specs");
    arg->name = name;
    arg->arg = wanted ? argument(g, d, *p, size) : NULL;
    *p += size;
    *p += **p == ' ';
    return arg->arg != NULL;
}

/* ------------------------------------------------------------------------ metadata */

/* As releases write it: indented and with an end of line at first, then not. */
static void put_trace(generator *g, char *trace, const char *name, const char *base) {
    const ep_version *v = g->options.version;
    bool bare = v >= ep_version_find("8.8");
    if (v < ep_version_find("1-2023-12")) {
        gen_print(trace, "NoneType: None\n");
        return;
    }
    gen_print(trace, "%sFile \"%s\", line %zu, in forward\n    %s = torch.%s(%c%s%s",
              bare ? "" : "  ", g->nodes % 7 == 3 ? "mod\xC3\xA8le.py" : "model.py", g->line++,
              name, base, "xyzw"[g->nodes % 4],
              g->nodes % 11 == 5 ? ")  # \xE5\xB1\xA4 \"\xF0\x9F\x94\xA5\"" : ")",
              bare ? "" : "\n");
}

void gen_node(generator *g, ep_node_info *info, const char *base, size_t count) {
    char trace[GEN_NAME_SIZE];
    char key[GEN_NAME_SIZE];
    char path[GEN_NAME_SIZE];
    char function[GEN_NAME_SIZE];
    char method[GEN_NAME_SIZE];
    char called[GEN_NAME_SIZE];
    put_trace(g, trace, info->name, base);
    gen_print(key, "L__self___layers_%zu", g->nodes / 16);
    gen_print(path, "layers.%zu", g->nodes / 16);
    gen_print(function, "torch.%s", base);
    gen_print(method, "method_descriptor.%s", base);
    gen_print(called, "%s_%zu", base, count + 1);
    const ep_module_frame frames[] = {{"L__self__", "", "models.Net"},
                                      {key, path, "torch.nn.modules.linear.Linear"}};
    info->stack_trace = (ep_bytes){trace, strlen(trace)};
    info->module_count = g->nodes % 3 == 0 ? 2 : 1;
    info->modules = frames;
    info->source_name = info->name;
    info->source_function = function;
    info->torch_fn_name = called;
    info->torch_fn = method;
    ep_build_node(g->builder, g->graph, info);
    g->nodes += g->graph == ep_build_root(g->builder);
}

/* ------------------------------------------------------------------------- results */

/* A value for each result: the node's own name for one, else what fx calls the
 * items that are taken out. */
static void make_results(generator *g, const gen_draft *d, const char *name,
                         const ep_built_value **values) {
    for (size_t i = 0; i < d->result_count; i++) {
        char item[GEN_NAME_SIZE];
        bool one = d->result_count == 1 && !d->as_list && !d->item;
        if (!one) {
            gen_name(item, "getitem", g->getitems++);
        }
        values[i] = gen_make_tensor(g, one ? name : item, &d->results[i]);
    }
}

/* A symbolic value, which is at hand at once; it may take the place of none. */
static const ep_built_value *make_symbolic(generator *g, const gen_draft *d, const char *name) {
    const ep_built_value *value = ep_build_symbolic(g->builder, g->graph, name, d->expr);
    if (d->kept != NULL) {
        *d->kept = value;
    } else {
        gen_put_sym(g, (gen_sym){value, d->made});
    }
    return value;
}

static const ep_built_value *make_token(generator *g) {
    char item[GEN_NAME_SIZE];
    gen_shape shape = {.dtype = GEN_FLOAT, .rank = 1};
    shape.strides[0] = gen_constant(1);
    gen_name(item, "getitem", g->getitems++);
    return g->token = gen_make_tensor(g, item, &shape);
}

/* The outputs of a node; how many. */
static size_t make_outputs(generator *g, const gen_draft *d, const char *name,
                           const ep_built_value **values, const ep_built_arg **outputs) {
    ep_builder *b = g->builder;
    if (d->expr != NULL) {
        outputs[0] = ep_arg_value(b, make_symbolic(g, d, name));
        return 1;
    }
    if (d->effect) {
        outputs[0] = ep_arg_value(b, make_token(g));
        outputs[1] = ep_arg_none(b);
        return 2;
    }
    make_results(g, d, name, values);
    if (d->as_list) {
        outputs[0] = ep_arg_tensors(b, values, d->result_count);
        return 1;
    }
    for (size_t i = 0; i < d->result_count; i++) {
        outputs[i] = ep_arg_value(b, values[i]);
    }
    return d->result_count;
}

/* Only now are they at hand: what is put may take the place of an operand. */
static void keep_results(generator *g, const gen_draft *d, const ep_built_value *const *values) {
    for (size_t i = 0; i < d->result_count; i++) {
        gen_put(g, (gen_tensor){d->results[i], values[i], false});
    }
}

static void emit(generator *g, const operator_row *row, const gen_draft *d) {
    ep_named_arg inputs[ARGUMENTS];
    char names[ARGUMENTS][GEN_NAME_SIZE];
    char name[GEN_NAME_SIZE];
    const ep_built_value *values[GEN_RESULTS];
    const ep_built_arg *outputs[GEN_RESULTS];
    size_t count = g->counters[counter_of(row->base)]++;
    ep_node_info info = {.target = row->target, .name = name, .inputs = inputs};
    gen_name(name, row->base, row->first + count);
    for (const char *p = row->arguments; *p != '\0';) {
        size_t i = info.input_count;
        info.input_count += read_argument(g, d, &p, names[i], &inputs[i]);
    }
    info.returns = d->returns;
    info.output_count = make_outputs(g, d, name, values, outputs);
    info.outputs = outputs;
    gen_node(g, &info, row->base, count);
    keep_results(g, d, values);
    if (row->family == gen_MAP) {
        g->module_input = ep_arg_value(g->builder, d->operands[0]->value);
        g->module_output = outputs[0];
    }
}

/* ---------------------------------------------------------------------------- rows */

static const operator_row *draw_row(generator *g) {
    unsigned total = 0;
    for (size_t i = 0; i < OPERATORS; i++) {
        total += operators[i].weight;
    }
    size_t left = random_below(&g->random, total);
    const operator_row *row = operators;
    while (left >= row->weight) {
        left -= row++->weight;
    }
    return row;
}

static bool try_row(generator *g, const operator_row *row) {
    gen_draft d = {.in = row->in, .out = row->out};
    TRY(row->family(g, &d));
    emit(g, row, &d);
    return true;
}

/* What can always be made. */
static void fall_back(generator *g) {
    for (size_t i = 0; i < OPERATORS; i++) {
        if (strcmp(operators[i].base, "arange") == 0) {
            try_row(g, &operators[i]);
        }
    }
}

void gen_operator(generator *g) {
    enum { TRIES = 20 };
    for (size_t i = 0; i < TRIES; i++) {
        if (try_row(g, draw_row(g))) {
            return;
        }
    }
    fall_back(g);
}
