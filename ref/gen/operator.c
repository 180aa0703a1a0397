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

enum { OPERATORS = sizeof operators / sizeof operators[0], ARGUMENTS = 12, WEIGHT_MAX = 20 };

_Static_assert(OPERATORS <= 256, "a counter for each in gen_program");

/* The first row of a base name, whose counter that has. */
static size_t row_of(const char *base) {
    size_t i = 0;
    while (i < OPERATORS && strcmp(operators[i].base, base) != 0) {
        i++;
    }
    return i;
}

/* -------------------------------------------------------------------- arguments */

static const ep_built_value *used(gen_tensor *tensor) {
    tensor->used = true;
    return tensor->value;
}

static const ep_built_arg *operand_list(generator *g, const gen_draft *d) {
    const ep_built_value *values[GEN_OPERANDS];
    for (size_t i = 0; i < d->operand_count; i++) {
        values[i] = used(d->operands[i]);
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

static const ep_built_arg *optional_operand(generator *g, const gen_draft *d) {
    d->operands[0]->used = true;
    const ep_built_value *items[] = {NULL, used(d->operands[1])};
    return ep_arg_optional_tensors(g->builder, items, 2);
}

/* A subgraph of one operation on the operand. */
static const ep_built_arg *subgraph_of(generator *g, const gen_draft *d, const char *name,
                                       const char *base) {
    ep_builder *b = g->builder;
    ep_built_graph *outer = g->graph;
    char target[GEN_NAME_SIZE];
    gen_print(target, "torch.ops.aten.%s.default", base);
    g->graph = ep_build_subgraph(b);
    const ep_built_value *x = gen_make_tensor(g, "arg0_1", &d->results[0], false);
    const ep_built_value *y = gen_make_tensor(g, base, &d->results[0], false);
    ep_named_arg input = {"self", ep_arg_value(b, x), false};
    ep_node_info info = {.target = target, .name = base, .inputs = &input, .input_count = 1};
    gen_node_of(g, &info, base, y);
    ep_build_graph_input(b, g->graph, ep_arg_value(b, x));
    ep_build_graph_output(b, g->graph, ep_arg_value(b, y));
    const ep_built_arg *made = ep_arg_graph(b, name, g->graph);
    g->graph = outer;
    return made;
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
static const ep_built_arg *exotic(generator *g, const gen_draft *d, char digit) {
    static const char *const tags[] = {"as_nested_tensors", "as_optional_tensor", "as_int_lists",
                                       "as_float_lists",    "as_strings",         "as_bools",
                                       "as_floats"};
    static const int64_t ints[] = {1, -2, INT64_MAX};
    static const double floats[] = {0.1, -0.0, 1e22};
    static const bool bools[] = {true, false};
    static const ep_bytes strings[] = {{"", 0}, {"\xE2\x82\xAC", 3}};
    ep_builder *b = g->builder;
    size_t kind = (size_t)(digit - '0');
    const ep_built_value *x = d->operands[0]->value;
    if (!ep_builder_has(b, "Argument", tags[kind])) {
        return NULL;
    }
    const ep_built_arg *item = kind == 0   ? ep_arg_tensors(b, &x, 1)
                               : kind == 1 ? ep_arg_optional_tensor(b, x)
                               : kind == 2 ? ep_arg_ints(b, ints, 3)
                               : kind == 4 ? ep_arg_strings(b, strings, 2)
                               : kind == 5 ? ep_arg_bools(b, bools, 2)
                                           : ep_arg_floats(b, floats, 3);
    const ep_built_arg *items[] = {item, item};
    return strstr(tags[kind], "_lists") != NULL || kind == 0 ? ep_arg_lists(b, items, 2) : item;
}

/* The argument of a code of argument.def; of a digit, an operand. */
static const ep_built_arg *argument(generator *g, const gen_draft *d, const char *code,
                                    size_t size) {
    ep_builder *b = g->builder;
    int64_t dim = (int64_t)d->dim;
    char name[GEN_NAME_SIZE];
    switch (*code) {
#define ARGUMENT(letter, made)                                                                     \
    case letter:                                                                                   \
        return made;
#include "argument.def"
#undef ARGUMENT
    default:
        return ep_arg_value(b, used(d->operands[*code - '0']));
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
              g -> nodes % 11 == 5 ? ")  # \xE5\xB1\xA4 \"\xF0\x9F\x94\xA5\"" : ")",
              bare ? "" : "\n");
}

void gen_node(generator *g, ep_node_info *info, const char *base, size_t count) {
    enum { TRACE, KEY, PATH, FUNCTION, METHOD, CALLED, TEXTS };
    char texts[TEXTS][GEN_NAME_SIZE];
    put_trace(g, texts[TRACE], info->name, base);
    gen_print(texts[KEY], "L__self___layers_%zu", g->nodes / 16);
    gen_print(texts[PATH], "layers.%zu", g->nodes / 16);
    gen_print(texts[FUNCTION], "torch.%s", base);
    gen_print(texts[METHOD], "method_descriptor.%s", base);
    gen_print(texts[CALLED], "%s_%zu", base, count + 1);
    const ep_module_frame frames[] = {{"L__self__", "", "models.Net"},
                                      {texts[KEY], texts[PATH], "torch.nn.modules.linear.Linear"}};
    info->stack_trace = (ep_bytes){texts[TRACE], strlen(texts[TRACE])};
    info->module_count = g->nodes % 3 == 0 ? 2 : 1;
    info->modules = frames;
    info->source_name = info->name;
    info->source_function = texts[FUNCTION];
    info->torch_fn_name = texts[CALLED];
    info->torch_fn = texts[METHOD];
    ep_build_node(g->builder, g->graph, info);
    g->nodes += g->graph == ep_build_root(g->builder);
}

void gen_node_of(generator *g, ep_node_info *info, const char *base, const ep_built_value *value) {
    const ep_built_arg *output = ep_arg_value(g->builder, value);
    info->outputs = &output;
    info->output_count = 1;
    gen_node(g, info, base, 0);
}

/* ------------------------------------------------------------------------- results */

/* Values are kept at once, but for tensors: what is put may take the place of an operand. */
static const ep_built_arg *make_symbolic(generator *g, const gen_draft *d, const char *name) {
    const ep_built_value *value = ep_build_symbolic(g->builder, g->graph, name, d->expr);
    if (d->kept != NULL) {
        *d->kept = value;
    } else {
        gen_put_sym(g, (gen_sym){value, d->made});
    }
    return ep_arg_value(g->builder, value);
}

static const ep_built_value *make_item(generator *g, const gen_shape *shape) {
    char item[GEN_NAME_SIZE];
    return gen_make_tensor(g, gen_name(item, "getitem", g->getitems++), shape, false);
}

/* The outputs of a node, with a value for each result: of the node's own name for one, else
 * of what fx calls the items that are taken out. How many. */
static size_t make_outputs(generator *g, const gen_draft *d, const char *name,
                           const ep_built_value **values, const ep_built_arg **outputs) {
    static const gen_shape token = {.dtype = GEN_FLOAT, .rank = 1};
    ep_builder *b = g->builder;
    bool one = d->result_count == 1 && !d->as_list && !d->item;
    if (d->expr != NULL) {
        outputs[0] = make_symbolic(g, d, name);
        return 1;
    }
    if (d->effect) {
        g->token = make_item(g, &token);
        outputs[0] = ep_arg_value(b, g->token);
        outputs[1] = ep_arg_none(b);
        return 2;
    }
    for (size_t i = 0; i < d->result_count; i++) {
        values[i] =
            one ? gen_make_tensor(g, name, &d->results[i], false) : make_item(g, &d->results[i]);
        outputs[i] = d->as_list ? NULL : ep_arg_value(b, values[i]);
    }
    if (d->as_list) {
        outputs[0] = ep_arg_tensors(b, values, d->result_count);
    }
    return d->as_list ? 1 : d->result_count;
}

static void emit(generator *g, const operator_row *row, const gen_draft *d) {
    ep_named_arg inputs[ARGUMENTS];
    char names[ARGUMENTS][GEN_NAME_SIZE];
    char name[GEN_NAME_SIZE];
    const ep_built_value *values[GEN_RESULTS];
    const ep_built_arg *outputs[GEN_RESULTS];
    size_t count = g->counters[row_of(row->base)]++;
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
    for (size_t i = 0; i < d->result_count; i++) {
        gen_put(g, (gen_tensor){d->results[i], values[i], false});
    }
    if (row->family == gen_MAP) {
        g->module_input = ep_arg_value(g->builder, d->operands[0]->value);
        g->module_output = outputs[0];
    }
}

/* ---------------------------------------------------------------------------- rows */

static const operator_row *draw_row(generator *g) {
    const operator_row *row;
    do {
        row = &operators[random_below(&g->random, OPERATORS)];
    } while (random_below(&g->random, WEIGHT_MAX) >= row->weight);
    return row;
}

static bool try_row(generator *g, const operator_row *row) {
    gen_draft d = {.in = row->in, .out = row->out};
    TRY(row->family(g, &d));
    emit(g, row, &d);
    return true;
}

/* After many tries what can always be made. */
void gen_operator(generator *g) {
    enum { TRIES = 20 };
    size_t tries = 0;
    while (tries < TRIES && !try_row(g, draw_row(g))) {
        tries++;
    }
    if (tries == TRIES) {
        try_row(g, &operators[row_of("arange")]);
    }
}
