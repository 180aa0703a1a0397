/*
 * test_diff.c - two programs compared: a difference of every group, and what each file
 * says there; options, limits, provenance, refusals.
 */
#include "diff/diff.h"
#include "opened.h"

#include <stdlib.h>

/* -------------------------------------------------------------------- programs */

/* What is other in a program than in the usual one; NULL and 0: nothing. */
typedef struct wish {
    const char *parameter; /* "weight" */
    const char *target;    /* "torch.ops.aten.relu.default" */
    const char *dtype;     /* "FLOAT" */
    const char *guard;
    const char *verifier; /* "TRAINING" */
    const char *torch_version;
    const char *node_name; /* what names of nodes begin with */
    const char *stack_trace;
    double factor; /* 0.5 */
    int64_t max;   /* of the symbol, 100 */
    size_t rows;   /* of the parameter, 3 */
    bool inner;    /* the subgraph does something else */
    bool invalid;  /* an operator gets what it does not take */
} wish;

typedef struct building {
    ep_builder *b;
    const wish *w;
} building;

static const char *or_else(const char *text, const char *usual) {
    return text != NULL ? text : usual;
}

static const ep_built_expr *symbol(building *g) {
    int64_t hint = 4;
    return ep_expr_symbol(g->b, "s7", &hint);
}

static const ep_built_value *tensor(building *g, ep_built_graph *graph, const char *name) {
    ep_dim sizes[] = {{4, symbol(g)}, {3, NULL}};
    ep_tensor_info info = {.dtype = or_else(g->w->dtype, "FLOAT"), .sizes = sizes, .rank = 2};
    return ep_build_tensor(g->b, graph, name, &info);
}

/* A node with one output. */
static const ep_built_arg *add_node(building *g, ep_built_graph *graph, const char *target,
                                    const ep_named_arg *inputs, size_t count) {
    static const char *const outputs[] = {"k", "l", "m", "n", "o", "p", "q", "r"};
    static size_t number;
    char name[16];
    snprintf(name, sizeof name, "%s%zu", outputs[number % 8], number);
    char node_name[32];
    snprintf(node_name, sizeof node_name, "%s%zu", or_else(g->w->node_name, ""), number);
    number++;
    const ep_built_arg *output = ep_arg_value(g->b, tensor(g, graph, name));
    bool hop = strstr(target, "higher_order") != NULL;
    ep_node_info info = {.target = target,
                         .name = g->w->node_name != NULL ? node_name : NULL,
                         .inputs = inputs,
                         .input_count = count,
                         .outputs = &output,
                         .output_count = 1,
                         .returns = hop ? EP_RETURNS_TUPLE : EP_RETURNS_AS_DECLARED,
                         .stack_trace = test_bytes(or_else(g->w->stack_trace, ""))};
    ep_build_node(g->b, graph, &info);
    return output;
}

static const ep_built_arg *unary(building *g, ep_built_graph *graph, const char *target,
                                 const ep_built_arg *self) {
    return add_node(g, graph, target, &(ep_named_arg){"self", self, false}, 1);
}

/* The body of the higher-order operator. */
static const ep_built_arg *body(building *g) {
    ep_built_graph *graph = ep_build_subgraph(g->b);
    const ep_built_arg *input = ep_arg_value(g->b, tensor(g, graph, "i"));
    ep_build_graph_input(g->b, graph, input);
    const char *target = g->w->inner ? "torch.ops.aten.cos.default" : "torch.ops.aten.sin.default";
    const ep_built_arg *output = unary(g, graph, target, input);
    ep_build_graph_output(g->b, graph, output);
    return ep_arg_graph(g->b, "body", graph);
}

/* Two branches from one value, and their sum. */
static const ep_built_arg *branches(building *g, const ep_built_arg *x) {
    ep_built_graph *root = ep_build_root(g->b);
    const char *first = or_else(g->w->target, "torch.ops.aten.relu.default");
    const ep_built_arg *one = unary(g, root, first, x);
    const ep_named_arg scaled[] = {{"self", x, false},
                                   {g->w->invalid ? "nonsense" : "other",
                                    ep_arg_float(g->b, g->w->factor != 0 ? g->w->factor : 0.5),
                                    false}};
    const ep_built_arg *other = add_node(g, root, "torch.ops.aten.mul.Scalar", scaled, 2);
    const ep_named_arg sum[] = {{"self", one, false}, {"other", other, false}};
    return add_node(g, root, "torch.ops.aten.add.Tensor", sum, 2);
}

static const ep_built_arg *parameter(building *g) {
    ep_dim sizes[] = {{g->w->rows != 0 ? (int64_t)g->w->rows : 3, NULL}, {3, NULL}};
    ep_tensor_info info = {.dtype = "FLOAT", .sizes = sizes, .rank = 2, .requires_grad = true};
    ep_built_graph *root = ep_build_root(g->b);
    return ep_arg_value(g->b, ep_build_tensor(g->b, root, "w", &info));
}

static void build_header(building *g) {
    ep_build_range(g->b, symbol(g), 2, g->w->max != 0 ? g->w->max : 100);
    ep_build_verifier(g->b, or_else(g->w->verifier, "TRAINING"));
    ep_build_torch_version(g->b, or_else(g->w->torch_version, "2.13.0"));
    if (g->w->guard != NULL) {
        ep_build_guard(g->b, test_bytes(g->w->guard));
    }
}

static void build(building *g) {
    ep_built_graph *root = ep_build_root(g->b);
    const ep_built_arg *w = parameter(g);
    const ep_built_arg *x = ep_arg_value(g->b, tensor(g, root, "x"));
    ep_build_input(g->b, EP_INPUT_PARAMETER, w, or_else(g->w->parameter, "weight"));
    ep_build_input(g->b, EP_INPUT_USER, x, NULL);
    const ep_named_arg product[] = {{"self", x, false}, {"mat2", w, false}};
    const ep_built_arg *y = add_node(g, root, "torch.ops.aten.mm.default", product, 2);
    const ep_named_arg wrapped[] = {
        {"", ep_arg_bool(g->b, false), false}, {"", body(g), false}, {"", branches(g, y), false}};
    y = add_node(g, root, "torch.ops.higher_order.wrap_with_set_grad_enabled", wrapped, 3);
    ep_build_output(g->b, EP_OUTPUT_USER, unary(g, root, "torch.ops.aten.neg.default", y), NULL);
    build_header(g);
}

static bool open_source(test_built *s, const char *version, const wish *w) {
    ep_arena scratch;
    ep_error error;
    *s = (test_built){.heap = {0}};
    test_arena(&s->arena, &s->heap, 0);
    test_arena(&scratch, &s->heap, 0);
    building g = {.b = ep_builder_open(&scratch, ep_version_find(version), &error), .w = w};
    build(&g);
    ep_build_goal goal = w->invalid ? EP_BUILD_PROGRAM : EP_BUILD_CHECKED;
    bool ok = ep_builder_finish(g.b, &s->arena, goal, &s->built, &error);
    ep_arena_free(&scratch);
    if (!ok) {
        fprintf(stderr, "%s: %s at %s\n", ep_code_name(error.code), error.detail, error.pointer);
    }
    return CHECK(ok);
}

/* Two programs, the second of the latest version. Both are to be closed. */
static bool open_both(test_built sources[2], const char *version, const wish *a, const wish *b) {
    bool ok = open_source(&sources[0], version, a);
    return open_source(&sources[1], "latest", b) && ok;
}

static void close_both(test_built sources[2]) {
    test_close_built(&sources[0]);
    test_close_built(&sources[1]);
}

/* ------------------------------------------------------------------- comparing */

enum { HEARD_MAX = 64, VALUES = 9 /* with a symbol in them, of both graphs */ };

typedef struct heard {
    size_t count;
    ep_difference items[HEARD_MAX];
} heard;

static void hear(void *context, const ep_difference *difference) {
    heard *h = context;
    if (CHECK(h->count < HEARD_MAX)) {
        h->items[h->count++] = *difference;
    }
}

static bool diff(const test_built sources[2], ep_diff_options *options, heard *h,
                 ep_diff_result *result) {
    const ep_program *programs[2] = {sources[0].built.program, sources[1].built.program};
    test_heap heap = {0};
    ep_arena scratch;
    ep_error error;
    memset(&error, 0xEE, sizeof error);
    *h = (heard){0};
    options->hear = hear;
    options->hear_context = h;
    test_arena(&scratch, &heap, 0);
    bool ok = ep_diff(programs, &scratch, options, result, &error);
    ep_arena_free(&scratch);
    CHECK_EQ_INT(heap.bytes, 0);
    CHECK_EQ_INT(ok, error.code == EP_OK);
    CHECK_EQ_INT(h->count, result->told);
    return ok;
}

/* A difference as one line: "value: TensorMeta.dtype: 7 (FLOAT) | 8 (DOUBLE)" */
static void describe(const ep_difference *d, char *line, size_t size) {
    size_t n = (size_t)snprintf(line, size, "%s: %s%s%s:", ep_diff_group_name(d->group), d->type,
                                d->member != NULL ? "." : "", or_else(d->member, ""));
    for (size_t i = 0; i < 2 && n < size; i++) {
        const ep_diff_side *side = &d->sides[i];
        n += (size_t)snprintf(line + n, size - n, "%s %s%.*s%s%s%s", i > 0 ? " |" : "",
                              side->there ? "" : "-", (int)side->text.size,
                              or_else(side->text.data, ""), side->enumerator != NULL ? " (" : "",
                              or_else(side->enumerator, ""), side->enumerator != NULL ? ")" : "");
    }
}

/* What two programs of these wishes differ in: the first line, and how many. */
static void expect(const wish *a, const wish *b, const char *first, size_t count) {
    test_built sources[2];
    ep_diff_result result;
    heard h;
    char line[512] = "";
    if (open_both(sources, "latest", a, b)) {
        ep_diff_options options = ep_diff_options_default();
        if (CHECK(diff(sources, &options, &h, &result))) {
            if (h.count > 0) {
                describe(&h.items[0], line, sizeof line);
            }
            CHECK_EQ_STR(line, strlen(line), first);
            CHECK_EQ_INT(result.count, count);
        }
    }
    close_both(sources);
}

/* ----------------------------------------------------------------------- groups */

static void test_groups(void) {
    const wish usual = {0};
    expect(&usual, &(wish){.parameter = "bias"},
           "signature: InputSpec: {\"parameter\": {\"arg\": {\"name\": \"w\"}, "
           "\"parameter_name\": \"weight\"}} | -",
           3); /* and the product takes another one */
    expect(&usual, &(wish){.target = "torch.ops.aten.tanh.default"},
           "node: Node.target: \"torch.ops.aten.relu.default\" | \"torch.ops.aten.tanh.default\"",
           1);
    expect(&usual, &(wish){.factor = 0.25}, "argument: Argument.as_float: 0.5 | 0.25", 1);
    expect(&usual, &(wish){.rows = 5}, "value: SymInt.as_int: 3 | 5", 1);
    expect(&usual, &(wish){.inner = true},
           "node: Node.target: \"torch.ops.aten.sin.default\" | \"torch.ops.aten.cos.default\"", 1);
    expect(&usual, &(wish){.max = 50}, "constraint: RangeConstraint.max_val: 100 | 50", 1);
    expect(&usual, &(wish){.guard = "L['x'].size()[0] >= 3"},
           "constraint: ExportedProgram.guards_code: - | \"L['x'].size()[0] >= 3\"", 1);
    expect(&usual, &(wish){.verifier = "ATEN"},
           "header: ExportedProgram.verifiers: \"TRAINING\" | \"ATEN\"", 1);
}

/* -------------------------------------------------------------------- the options */

/* Without options, and without anybody who hears. */
static void test_no_options(void) {
    test_built sources[2];
    if (open_both(sources, "latest", &(wish){0}, &(wish){.dtype = "DOUBLE"})) {
        const ep_program *programs[2] = {sources[0].built.program, sources[1].built.program};
        ep_diff_options options = ep_diff_options_default();
        for (size_t i = 0; i < 2; i++) {
            test_heap heap = {0};
            ep_diff_result result;
            ep_arena scratch;
            test_arena(&scratch, &heap, 0);
            CHECK(ep_diff(programs, &scratch, i == 0 ? NULL : &options, &result, NULL));
            CHECK(result.count == VALUES && result.told == 0);
            ep_arena_free(&scratch);
        }
    }
    close_both(sources);
    CHECK(ep_diff_group_name((ep_diff_group)-1) == NULL);
}

/* In large files not all that may be told is told: only what is cheap to locate. */
static void test_walked(void) {
    enum { LONG = 6 << 20 };
    char *trace = malloc(LONG);
    test_built sources[2];
    ep_diff_result result;
    heard h;
    if (CHECK(trace != NULL)) {
        memset(trace, 'x', LONG - 1);
        trace[LONG - 1] = '\0';
        if (open_both(sources, "latest", &(wish){.stack_trace = trace},
                      &(wish){.stack_trace = trace, .dtype = "DOUBLE"})) {
            ep_diff_options options = ep_diff_options_default();
            CHECK(diff(sources, &options, &h, &result));
            CHECK(result.count == VALUES && result.told == VALUES - 1);
        }
        close_both(sources);
    }
    free(trace);
}

static void test_limit(void) {
    test_built sources[2];
    ep_diff_result result;
    heard h;
    if (open_both(sources, "latest", &(wish){0}, &(wish){.dtype = "DOUBLE"})) {
        for (size_t limit = 0; limit <= VALUES + 1; limit++) {
            ep_diff_options options = {.limit = limit};
            if (CHECK(diff(sources, &options, &h, &result))) {
                CHECK_EQ_INT(result.count, VALUES);
                CHECK_EQ_INT(result.told, limit < VALUES ? limit : VALUES);
            }
        }
    }
    close_both(sources);
}

static void test_provenance(void) {
    const wish other = {.torch_version = "2.14.1", .node_name = "node", .stack_trace = "here"};
    test_built sources[2];
    ep_diff_result result;
    heard h;
    char line[512];
    if (open_both(sources, "latest", &(wish){0}, &other)) {
        ep_diff_options options = {.limit = HEARD_MAX, .provenance = true};
        if (CHECK(diff(sources, &options, &h, &result)) && CHECK(h.count == 15)) {
            describe(&h.items[0], line, sizeof line);
            CHECK_EQ_STR(line, strlen(line),
                         "provenance: ExportedProgram.torch_version: \"2.13.0\" | \"2.14.1\"");
            describe(&h.items[1], line, sizeof line);
            CHECK_EQ_STR(line, 35, "provenance: Node.name: null | \"node");
            describe(&h.items[2], line, sizeof line);
            CHECK_EQ_STR(line, strlen(line), "provenance: Node.metadata: - | \"here\"");
        }
        options.provenance = false;
        CHECK(diff(sources, &options, &h, &result) && result.count == 0);
    }
    close_both(sources);
}

/* Which of the two is refused, and why. */
static void test_refusal(void) {
    for (size_t bad = 0; bad < 2; bad++) {
        test_built sources[2];
        ep_diff_result result;
        heard h;
        const wish wishes[] = {{.invalid = bad == 0}, {.invalid = bad == 1}};
        if (open_both(sources, "latest", &wishes[0], &wishes[1])) {
            ep_diff_options options = ep_diff_options_default();
            CHECK(!diff(sources, &options, &h, &result));
            CHECK_EQ_INT(result.refused, bad);
        }
        close_both(sources);
    }
}

int main(void) {
    test_groups();
    test_no_options();
    test_walked();
    test_limit();
    test_provenance();
    test_refusal();
    return check_report();
}
