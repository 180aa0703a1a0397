/*
 * test_effects.c - what nodes do beside what they return, and which node has
 * to come before which (canon/effects.c, SPEC 6.3): each class of node; what joins
 * tensors that may share memory; what is written; and the lists of effects.def
 * against the tables of operators.
 */
#include "canon/canon.h"

#include "check.h"
#include "rules/operators.h"
#include "support.h"
#include "whole.h"

#define T(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"
#define LIST(names) "{\"as_tensors\": [" names "]}"
#define ITEM(name) "{\"name\": \"" name "\"}"
#define IN(name, arg) "{\"name\": \"" name "\", \"arg\": " arg "}"
#define NODE(target, inputs, outputs)                                                              \
    "{\"target\": \"" target "\", \"inputs\": [" inputs "], \"outputs\": [" outputs                \
    "], \"metadata\": {}}"
#define OP(target, inputs, outputs) NODE("torch.ops." target, inputs, outputs)
#define GRAPH(inputs, outputs, nodes, values)                                                      \
    "{\"inputs\": [" inputs "], \"outputs\": [" outputs "], \"nodes\": [" nodes                    \
    "], \"tensor_values\": {" values "}, \"sym_int_values\": {}, \"sym_bool_values\": {}}"
#define V(name) "\"" name "\": " META_OF("2")

/* Nodes of few inputs and outputs. */
#define ONES(to) OP("aten.ones.default", IN("size", "{\"as_ints\": [2]}"), T(to))
#define ONE(op, from, to) OP("aten." op ".default", IN("self", T(from)), T(to))
#define TWO(op, from, other, to)                                                                   \
    OP("aten." op ".Tensor", IN("self", T(from)) ", " IN("other", T(other)), T(to))
#define GRAD NODE("torch._C._set_grad_enabled", IN("", "{\"as_bool\": true}"), "")

/* ------------------------------------------------------------------------ reading */

typedef struct reading {
    test_text text;
    test_heap heap;
    ep_arena arena;
    ep_maker maker;
    ep_canonizer c;
} reading;

/* The copy of the program that the steps of canon.c work on. */
static bool open(reading *r, const char *graph) {
    const ep_program *program = NULL;
    ep_decode_options options = ep_decode_options_default();
    test_program_with(&r->text, "8.20", "GraphModule.graph", graph);
    test_arena(&r->arena, &r->heap, 0);
    ep_error error;
    if (!CHECK_NOTE(ep_decode(&r->arena, test_text_exact(&r->text), &options, &program, &error),
                    graph)) {
        fprintf(stderr, "    %s at %s\n", ep_code_name(error.code), error.pointer);
        return false;
    }
    r->c = (ep_canonizer){
        .program = program, .arena = &r->arena, .maker = &r->maker, .input = program->input};
    return CHECK(ep_canon_open(&r->c) && ep_canon_graphs(&r->c));
}

/* Of all graphs, the innermost first. */
static bool find_effects(reading *r) {
    bool ok = true;
    for (ep_canon_graph *graph = r->c.last_graph; ok && graph != NULL; graph = graph->before) {
        ok = ep_canon_effects(&r->c, graph);
    }
    return ok;
}

static void end(reading *r) {
    ep_canon_graphs_free(&r->c);
    ep_canon_close(&r->maker);
    ep_arena_free(&r->arena);
    CHECK_EQ_INT(r->heap.bytes, 0);
    test_text_free(&r->text);
}

/* ------------------------------------------------------------------------- telling */

enum { NODES = 16 };

static void add_effects(test_text *text, const ep_canon_graph *graph) {
    for (size_t i = 0; i < graph->node_count; i++) {
        test_add(text, &"KQUM"[graph->nodes[i].effect], 1);
    }
}

/* Values that are written, and "!" for WORLD. */
static void add_written(test_text *text, const ep_canon_graph *graph) {
    for (size_t i = 0; i < graph->node_count; i++) {
        const ep_canon_node *node = &graph->nodes[i];
        test_add_str(text, i == 0 ? "" : " ");
        test_add_str(text, node->writes_world ? "!" : "");
        for (uint32_t j = 0; j < node->use_count; j++) {
            const ep_canon_use *use = &graph->uses[node->first_use + j];
            ep_bytes name = graph->names.keys[use->value].text;
            test_add(text, name.data, use->written ? name.size : 0);
        }
    }
}

static void find_later(const ep_canon_graph *graph, size_t from, bool *later) {
    uint32_t at = graph->nodes[from].first_edge;
    while (at != EP_CANON_NONE) {
        uint64_t edge = graph->edges.words[at];
        if (!later[edge >> 32]) {
            later[edge >> 32] = true;
            find_later(graph, (size_t)(edge >> 32), later);
        }
        at = (uint32_t)edge;
    }
}

/* Of each node, the later ones that need not come after it. */
static void add_free(test_text *text, const ep_canon_graph *graph) {
    for (size_t i = 0; i < graph->node_count; i++) {
        bool later[NODES] = {false};
        find_later(graph, i, later);
        for (size_t j = 0; j < graph->node_count; j++) {
            CHECK(j > i || !later[j]);
            if (j > i && !later[j]) {
                test_add_str(text, text->size == 0 ? "" : " ");
                test_add_int(text, (int64_t)i);
                test_add_str(text, "-");
                test_add_int(text, (int64_t)j);
            }
        }
    }
}

typedef void teller(test_text *text, const ep_canon_graph *graph);

static void check_told(const char *graph, teller *tell, const char *expected) {
    reading r = {0};
    test_text told = {0};
    if (open(&r, graph) && CHECK(find_effects(&r))) {
        tell(&told, r.c.graphs);
        if (!CHECK_EQ_STR(told.data, told.size, expected)) {
            fprintf(stderr, "    %s\n", graph);
        }
    }
    test_text_free(&told);
    end(&r);
}

static void check_effects(const char *graph, const char *expected) {
    check_told(graph, add_effects, expected);
}

static void check_written(const char *graph, const char *expected) {
    check_told(graph, add_written, expected);
}

/* Pairs of nodes that may change places. */
static void check_free(const char *graph, const char *expected) {
    check_told(graph, add_free, expected);
}

/* ------------------------------------------------------------------------ classes */

#define X_NODE(node) GRAPH(T("x"), "", node, V("x"))
#define XY_NODE(node) GRAPH(T("x"), "", node, V("x") ", " V("y"))

static void test_classes(void) {
    check_effects(XY_NODE(ONE("relu", "x", "y")), "K");
    check_effects(XY_NODE(ONE("relu_", "x", "y")), "K");
    check_effects(XY_NODE(ONE("bernoulli", "x", "y")), "K");
    check_effects(XY_NODE(OP("prims.sin.default", IN("self", T("x")), T("y"))), "K");
    check_effects(X_NODE(GRAD), "M");
    check_effects(X_NODE(OP("aten.set_grad_enabled.default", IN("val", "{\"as_bool\": true}"), "")),
                  "M");
    check_effects(XY_NODE(OP("mine.f.default", IN("x", T("x")), T("y"))), "U");
    check_effects(XY_NODE(OP("aten.no_such.default", IN("x", T("x")), T("y"))), "U");
    check_effects(XY_NODE(NODE("#my:op", IN("x", T("x")), T("y"))), "U");
    check_effects(XY_NODE(OP("higher_order.with_effects", IN("x", T("x")), T("y"))), "U");
    check_effects(X_NODE(OP("aten.manual_seed.generator", IN("x", T("x")), "")), "U");
    check_effects(X_NODE(OP("aten.quantized_gru.input", IN("x", T("x")), "")), "U");
    /* of another release */
    check_effects(XY_NODE(OP("aten.cholesky.default", IN("self", T("x")), T("y"))), "K");
}

/* What returns nothing and writes nothing is there for something else, unless it
 * is known to check. */
static void test_nothing(void) {
    check_effects(X_NODE(OP("aten._assert_async.msg", IN("self", T("x")), "")), "K");
    check_effects(X_NODE(OP("aten.sym_constrain_range.default", IN("size", T("x")), "")), "K");
    check_effects(X_NODE(OP("aten._print.default", IN("s", "{\"as_string\": \"\"}"), "")), "U");
    check_effects(X_NODE(OP("aten.warn.default", IN("s", "{\"as_string\": \"\"}"), "")), "U");
    /* returns nothing, and writes */
    check_effects(X_NODE(OP("aten._foreach_abs_.default", IN("self", LIST(ITEM("x"))), "")), "K");
}

static void test_functions(void) {
    static const char *const graph =
        "{\"inputs\": [{\"as_sym_int\": {\"as_name\": \"s\"}}], \"outputs\": [], \"nodes\": "
        "[" NODE(
            "_operator.add", IN("a", "{\"as_sym_int\": {\"as_name\": \"s\"}}"),
            "{\"as_sym_int\": {\"as_name\": \"t\"}}") ", " NODE("torch._functorch.predispatch._"
                                                                "enter_dual_level",
                                                                "", "") "], \"tensor_values\": {}, "
                                                                        "\"sym_int_values\": "
                                                                        "{\"s\": {\"as_int\": 1}, "
                                                                        "\"t\": {\"as_int\": 1}}, "
                                                                        "\"sym_bool_values\": {}}";
    check_effects(graph, "KM");
    check_free(graph, "");
}

/* --------------------------------------------------------------------- subgraphs */

#define BRANCH(name, nodes)                                                                        \
    "{\"as_graph\": {\"name\": \"" name                                                            \
    "\", \"graph\": " GRAPH(T("a"), T("b"), nodes, V("a") ", " V("b")) "}}"
#define COND_NODE                                                                                  \
    OP("higher_order.strict_mode", IN("", BRANCH("g", ONE("sin", "a", "b"))) ", " IN("", T("a")),  \
       T("c"))
#define COND(target, nodes)                                                                        \
    XY_NODE(NODE(target,                                                                           \
                 IN("", BRANCH("g", nodes)) ", " IN(                                               \
                     "", BRANCH("h", ONE("sin", "a", "b"))) ", " IN("", LIST(ITEM("x"))),          \
                 T("y")))

/* A higher-order operator does what its subgraphs do. */
static void test_subgraphs(void) {
    check_effects(COND("torch.ops.higher_order.cond", ONE("sin", "a", "b")), "Q");
    check_effects(COND("torch.ops.higher_order.cond", ONE("relu_", "a", "b")), "U");
    check_effects(COND("torch.ops.higher_order.cond", ONE("bernoulli", "a", "b")), "U");
    check_effects(COND("torch.ops.higher_order.cond", ONE("sin", "a", "b") ", " GRAD), "U");
    check_effects(COND("torch.ops.higher_order.flex_attention", ONE("sin", "a", "b")), "U");
    check_effects(COND("torch.ops.higher_order.strict_mode", ONE("sin", "a", "b")), "Q");
    /* inside of it, two deep */
    check_effects(
        COND("torch.ops.higher_order.cond",
             NODE("torch.ops.higher_order.strict_mode",
                  IN("", BRANCH("k", ONE("relu_", "a", "b"))) ", " IN("", T("a")), T("b"))),
        "U");
    check_effects(
        COND("torch.ops.higher_order.cond",
             NODE("torch.ops.higher_order.strict_mode",
                  IN("", BRANCH("k", ONE("relu", "a", "b"))) ", " IN("", T("a")), T("b"))),
        "Q");
}

/* What a subgraph may return is what it was given. */
static void test_quiet_joins(void) {
    static const char *const graph =
        GRAPH(T("x"), "",
              ONES("o") ", " OP("higher_order.strict_mode",
                                IN("", BRANCH("g", ONE("sin", "a", "b"))) ", " IN("", T("o")),
                                T("y")) ", " ONE("relu_", "o", "p") ", " ONE("sin", "y", "z"),
              V("x") ", " V("o") ", " V("y") ", " V("p") ", " V("z"));
    check_effects(graph, "KQKK");
    check_written(graph, "  o ");
    check_free(graph, "");
}

/* ------------------------------------------------------------------------ sharing */

#define MORE(node)                                                                                 \
    GRAPH(T("x"), "", ONES("o") ", " node ", " ONE("relu_", "o", "p") ", " ONE("sin", "v", "z"),   \
          V("x") ", " V("o") ", " V("v") ", " V("p") ", " V("z"))

/* Whether a value v that is made from o sees what is written to o: then the write
 * and the read of v may not change places. */
static void test_views(void) {
    check_free(MORE(ONE("sin", "o", "v")), "2-3");
    check_free(MORE(ONE("t", "o", "v")), "");
    check_free(MORE(OP("aten.view.default",
                       IN("self", T("o")) ", " IN("size", "{\"as_ints\": [2]}"), T("v"))),
               "");
    check_free(MORE(OP("aten.dropout.default", IN("input", T("o")), T("v"))), "");
    check_free(MORE(OP("aten._unsafe_view.default", IN("self", T("o")), T("v"))), "");
    check_free(MORE(OP("aten.split.Tensor", IN("self", T("o")), LIST(ITEM("v")))), "");
    check_free(MORE(OP("mine.f.default", IN("self", T("o")), T("v"))), "");
    check_free(MORE(OP("mine.f.default", IN("a", T("o")) ", " IN("b", T("x")), T("v"))), "");
    /* only the argument with an alias set is joined */
    check_free(
        MORE(OP("aten.expand_as.default", IN("self", T("x")) ", " IN("other", T("o")), T("v"))),
        "2-3");
    check_free(
        MORE(OP("aten.expand_as.default", IN("self", T("o")) ", " IN("other", T("x")), T("v"))),
        "");
    /* an argument of no signature is not */
    check_free(MORE(OP("aten.t.default", IN("that", T("o")), T("v"))), "2-3");
}

/* Inputs may be one memory, whatever they are called; what is made is not. */
static void test_inputs(void) {
    check_free(GRAPH(T("x") ", " T("w"), "", ONE("relu_", "x", "a") ", " ONE("sin", "w", "b"),
                     V("x") ", " V("w") ", " V("a") ", " V("b")),
               "");
    check_free(GRAPH("", "",
                     ONES("x") ", " ONES("w") ", " ONE("relu_", "x", "a") ", " ONE("sin", "w", "b"),
                     V("x") ", " V("w") ", " V("a") ", " V("b")),
               "0-1 0-3 1-2 2-3");
}

/* ------------------------------------------------------------------------ writing */

static void test_writes(void) {
    check_written(XY_NODE(ONE("relu", "x", "y")), "");
    check_written(XY_NODE(ONE("relu_", "x", "y")), "x");
    check_written(XY_NODE(ONE("bernoulli", "x", "y")), "!");
    check_written(XY_NODE(OP("aten.bernoulli_.float", IN("self", T("x")), T("y"))), "!x");
    check_written(XY_NODE(OP("mine.f.default", IN("x", T("x")), T("y"))), "!x");
    check_written(X_NODE(GRAD), "");
    check_written(XY_NODE(OP("aten.batch_norm.default",
                             IN("input", T("x")) ", " IN("weight", "{\"as_none\": true}"), T("y"))),
                  "x");
    check_written(X_NODE(OP("aten._foreach_add_.List",
                            IN("self", LIST(ITEM("x"))) ", " IN("other", LIST(ITEM("x"))), "")),
                  "x");
    check_written(
        XY_NODE(OP("aten.add.out",
                   IN("self", T("x")) ", " IN("other", T("x")) ", " IN("out", T("x")), T("y"))),
        "x");
    check_written(XY_NODE(TWO("add_", "x", "x", "y")), "x");
}

/* --------------------------------------------------------------------------- order */

#define ABC V("x") ", " V("a") ", " V("b") ", " V("c")

/* Reads may change places, writes and what touches the same may not. */
static void test_order(void) {
    check_free(GRAPH(T("x"), "",
                     ONE("sin", "x", "a") ", " ONE("cos", "x", "b") ", " ONE("tan", "x", "c"), ABC),
               "0-1 0-2 1-2");
    check_free(GRAPH(T("x"), "",
                     ONE("sin", "x", "a") ", " ONE("cos", "a", "b") ", " ONE("tan", "x", "c"), ABC),
               "0-2 1-2");
    check_free(GRAPH(T("x"), "",
                     ONE("sin", "x", "a") ", " ONE("relu_", "x", "b") ", " ONE("tan", "x", "c"),
                     ABC),
               "");
    check_free(GRAPH(T("x"), "",
                     ONE("sin", "x", "a") ", " ONE("cos", "x", "b") ", " ONE("relu_", "x", "c"),
                     ABC),
               "0-1");
    check_free(GRAPH(T("x"), "",
                     ONE("relu_", "x", "a") ", " ONE("sin", "x", "b") ", " ONE("cos", "x", "c"),
                     ABC),
               "1-2");
    /* a node that reads and writes the same, several times */
    check_free(
        GRAPH(T("x"), "",
              TWO("add_", "x", "x", "a") ", " TWO("add_", "a", "x", "b") ", " ONE("sin", "x", "c"),
              ABC),
        "");
}

/* Random numbers are drawn in their order; others do not mind. */
static void test_world(void) {
    check_free(
        GRAPH(T("x"), "",
              ONE("bernoulli", "x", "a") ", " ONE("sin", "x", "b") ", " ONE("bernoulli", "x", "c"),
              ABC),
        "0-1 1-2");
    check_free(GRAPH(T("x"), "",
                     ONE("bernoulli", "x", "a") ", " OP("mine.f.default", "",
                                                        "") ", " NODE("#my:op", "", ""),
                     V("x") ", " V("a")),
               "");
}

/* Nothing goes past a change of mode. */
static void test_mode(void) {
    check_free(GRAPH(T("x"), "", ONE("sin", "x", "a") ", " GRAD ", " ONE("cos", "x", "b"),
                     V("x") ", " V("a") ", " V("b")),
               "");
    check_free(GRAPH(T("x"), "", GRAD ", " ONE("sin", "x", "a") ", " ONE("cos", "x", "b") ", " GRAD,
                     V("x") ", " V("a") ", " V("b")),
               "1-2");
}

/* --------------------------------------------------------------------------- lists */

enum { OF_MODE = 1, OF_CHECK = 2, OF_WRITES = 4, OF_ALIASES = 8, OF_ORDERED = 16 };

typedef struct row {
    unsigned list;
    const char *target;
} row;

/* effects.def names one of its rows as check.h does its macro. */
#pragma push_macro("CHECK")
#undef CHECK
#define MODE(target) {OF_MODE, target},
#define CHECK(target) {OF_CHECK, target},
#define WRITES(target) {OF_WRITES, target},
#define ALIASES(target) {OF_ALIASES, target},
#define ORDERED(target) {OF_ORDERED, target},
static const row listed[] = {
#include "canon/effects.def"
};
#pragma pop_macro("CHECK")

static const struct {
    unsigned tags;
    const char *target;
} operators[] = {
#define SEEDED EP_OPERATOR_SEEDED
#define INPLACE_VIEW EP_OPERATOR_INPLACE_VIEW
#define MAYBE_ALIASING EP_OPERATOR_MAYBE_ALIASING
#define DATA_DEPENDENT EP_OPERATOR_DATA_DEPENDENT
#define IMPORTED 0
#define TABLE(symbol, release)
#define OPERATOR(since, until, tags, target, arguments, returns) {tags, target},
#include "rules/operators.def"
};

static unsigned lists_of(const char *target) {
    unsigned lists = 0;
    for (size_t i = 0; i < sizeof listed / sizeof listed[0]; i++) {
        lists |= strcmp(listed[i].target, target) == 0 ? listed[i].list : 0;
    }
    return lists;
}

/* Every row is an operator of some release, and of one list, but that what writes
 * may alias, too. */
static void test_rows(void) {
    const unsigned all_tables = (1u << EP_OPERATORS_END) - 1;
    test_heap heap = {0};
    ep_arena arena;
    test_arena(&arena, &heap, 0);
    for (size_t i = 0; i < sizeof listed / sizeof listed[0]; i++) {
        const ep_operator *found = NULL;
        ep_bytes target = {listed[i].target, strlen(listed[i].target)};
        CHECK(ep_operator_find(&arena, target, all_tables, &found));
        CHECK_NOTE(found != NULL, listed[i].target);
        CHECK_NOTE(lists_of(listed[i].target) == listed[i].list, listed[i].target);
    }
    ep_arena_free(&arena);
}

/* What PyTorch itself says may write or alias beyond its signature is listed. */
static void test_tags(void) {
    size_t count = 0;
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if ((operators[i].tags & EP_OPERATOR_MAYBE_ALIASING) != 0) {
            CHECK_NOTE((lists_of(operators[i].target) & (OF_WRITES | OF_ALIASES)) != 0,
                       operators[i].target);
            count++;
        }
    }
    CHECK(count > 0);
}

/* ------------------------------------------------------------------------- memory */

static void test_refused(void) {
    static const char *const graph =
        GRAPH(T("x") ", " T("w"), "",
              OP("aten.add.Tensor",
                 "{\"name\": \"\\u0073elf\", \"arg\": " T("x") "}, " IN("other", T("\\u0077")),
                 T("a")) ", " OP("\\u0061ten.relu_.default",
                                 "{\"name\": \"\\u0073elf\", \"arg\": " T("a") "}",
                                 T("b")) ", " GRAD ", " COND_NODE,
              ABC ", " V("w"));
    size_t refused = 0;
    for (size_t n = 1; n < 1000; n++) {
        reading r = {0};
        if (!open(&r, graph)) {
            end(&r);
            return;
        }
        r.heap.fail_at = r.heap.calls + n;
        r.heap.fail_on = true;
        bool ok = find_effects(&r);
        bool given = r.heap.calls < r.heap.fail_at;
        CHECK_EQ_INT(ok, given);
        CHECK_EQ_INT(r.c.code, given ? EP_OK : EP_MEMORY);
        end(&r);
        if (given) {
            break;
        }
        refused++;
    }
    CHECK(refused > 0);
}

int main(void) {
    test_classes();
    test_nothing();
    test_functions();
    test_subgraphs();
    test_quiet_joins();
    test_views();
    test_inputs();
    test_writes();
    test_order();
    test_world();
    test_mode();
    test_rows();
    test_tags();
    test_refused();
    return check_report();
}
