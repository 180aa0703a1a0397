/*
 * sweep_diff.c - two programs compared, with each allocation refused in turn: pairs
 * that part in one place each, and what is told of them: the groups, in their
 * order. The comparison then fails for want of memory, or tells the same.
 */
#include "brief.h"

#include <stdlib.h>

/* The groups of what was told, with a comma behind each. */
typedef struct heard {
    char groups[512];
    size_t size;
} heard;

static void hear(void *context, const ep_difference *difference) {
    heard *h = context;
    size_t room = sizeof h->groups - h->size;
    const char *name = ep_diff_group_name(difference->group);
    int n = snprintf(h->groups + h->size, room, "%s, ", name != NULL ? name : "?");
    if (CHECK(n > 0 && (size_t)n < room)) {
        h->size += (size_t)n;
    }
}

typedef struct outcome {
    ep_code code;
    size_t calls; /* of the allocator */
    heard heard;
} outcome;

/* One comparison; the programs are in memory that is never refused. */
static outcome compare(const ep_program *const programs[2], size_t n, bool all) {
    ep_arena scratch;
    test_heap heap = {.fail_at = n, .fail_on = all, .apart = &scratch};
    ep_diff_options options = ep_diff_options_default();
    ep_diff_result result;
    ep_error error;
    outcome o = {.code = EP_OK};
    options.provenance = true;
    options.hear = hear;
    options.hear_context = &o.heard;
    test_arena(&scratch, &heap, 0);
    bool ok = ep_diff(programs, &scratch, &options, &result, &error);
    CHECK_EQ_INT(ok, error.code == EP_OK);
    if (!ok && error.code != EP_MEMORY) {
        tell_error(&error);
    }
    ep_arena_free(&scratch);
    CHECK(heap.bytes == 0 && heap.blocks == 0);
    o.code = error.code;
    o.calls = heap.calls;
    return o;
}

static void sweep(const ep_program *const programs[2], const char *groups) {
    outcome whole = compare(programs, 0, false);
    CHECK_EQ_INT(whole.code, EP_OK);
    CHECK_EQ_STR(whole.heard.groups, whole.heard.size, groups);
    for (size_t n = 1; n <= whole.calls; n++) {
        outcome o = compare(programs, n, n % 2 == 0);
        CHECK(o.code == EP_MEMORY ||
              (o.code == EP_OK && strcmp(o.heard.groups, whole.heard.groups) == 0));
    }
    CHECK(whole.calls > 20);
}

static const char *versions[2] = {"8.20", "8.20"}; /* of the two programs */

/* Both ways round: the second groups are those of the second pair. */
static void expect(const brief *a, const brief *b, const char *there, const char *back) {
    const brief *briefs[2] = {a, b};
    const ep_program *programs[2] = {NULL, NULL};
    test_text texts[2] = {{0}, {0}};
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    ep_decode_options options = ep_decode_options_default();
    test_arena(&arena, &heap, 0);
    for (size_t i = 0; i < 2; i++) {
        version = versions[i];
        options.version = ep_version_find(version);
        add_program(&texts[i], briefs[i]);
        CHECK_NOTE(ep_decode(&arena, test_text_exact(&texts[i]), &options, &programs[i], &error),
                   error.pointer);
    }
    if (programs[0] != NULL && programs[1] != NULL) {
        sweep(programs, there);
        sweep((const ep_program *[]){programs[1], programs[0]}, back);
    }
    ep_arena_free(&arena);
    test_text_free(&texts[0]);
    test_text_free(&texts[1]);
}

/* --------------------------------------------------------------------- modules */

#define LIST(items)                                                                                \
    "{\\\"type\\\": \\\"builtins.list\\\", \\\"context\\\": \\\"null\\\", "                        \
    "\\\"children_spec\\\": [" items "]}"
#define NO_DICT                                                                                    \
    "{\\\"type\\\": \\\"builtins.dict\\\", \\\"context\\\": \\\"[]\\\", \\\"children_spec\\\": "   \
    "[]}"
#define SIGNATURE(inputs, in, out, more)                                                           \
    "{\"inputs\": [" inputs "], \"outputs\": [<x>], \"in_spec\": \"[1, " TUPLE(                    \
        TUPLE(in) ", " NO_DICT) "]\", \"out_spec\": \"[1, " out "]\"" more "}"
#define ROOT(more)                                                                                 \
    "{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], \"in_spec\": \"[1, " TUPLE(  \
        TUPLE(LEAF) ", " NO_DICT) "]\", \"out_spec\": \"[1, " TUPLE(LEAF) "]\"" more "}}"
#define ENTRY(signature) ", {\"fqn\": \"m\", \"signature\": " signature "}"
#define CALLED(root, more)                                                                         \
    X_TO_X, VALUES(VALUES1("x")), FIELD("GraphModule.module_call_graph", "[" ROOT(root) more "]")
#define DEEP                                                                                       \
    "{\"as_string_to_argument\": {\"k\": {\"as_string_to_argument\": {\"\\u006b\": "               \
    "{\"as_string_to_argument\": {\"k\": <x>}}}}}}"
#define NAMES(names) ", \"forward_arg_names\": " names
#define GUARDED FIELD("ExportedProgram.guards_code", "[\"L['x'].size()[0] >= 2\"]")

/* A module that only one has, or that only one knows the calls of. */
static void test_entries(void) {
    const brief *none = PROGRAM(CALLED("", ""));
    const brief *unknown = PROGRAM(CALLED("", ENTRY("null")));
    const brief *known = PROGRAM(CALLED("", ENTRY(SIGNATURE("<x>", LEAF, LEAF, ""))));
    const brief *listed = PROGRAM(CALLED("", ENTRY(SIGNATURE("<x>", LEAF, LIST(LEAF), ""))));
    expect(none, unknown, "module, ", "module, ");
    expect(unknown, known, "module, ", "module, ");
    expect(known, listed, "tree spec, ", "tree spec, ");
    expect(known, known, "", "");
    expect(unknown, unknown, "", "");
}

/* What a module is given, and under which names. */
static void test_calls(void) {
    const brief *plain = PROGRAM(CALLED("", ENTRY(SIGNATURE("<x>", LEAF, LEAF, ""))));
    const brief *deep = PROGRAM(CALLED("", ENTRY(SIGNATURE(DEEP, LEAF, LEAF, ""))));
    const brief *named = PROGRAM(CALLED(NAMES("[\"a\"]"), ""));
    const brief *other = PROGRAM(CALLED(NAMES("[\"b\"]"), ""));
    const brief *guarded = PROGRAM(CALLED(NAMES("[\"a\"]"), ""), GUARDED);
    const brief *renamed = PROGRAM(CALLED(NAMES("[\"b\"]"), ""), GUARDED);
    expect(plain, deep, "module, ", "module, ");
    expect(deep, deep, "", "");
    expect(named, other, "provenance, ", "provenance, ");
    expect(named, guarded, "constraint, ", "constraint, ");
    expect(guarded, renamed, "module, ", "module, ");
}

#define CALLING(op)                                                                                \
    X_TO_Y, VALUES(VALUES2("x", "y")), NODES(ONE(op, "x", "y")), {                                 \
        "GraphModule.module_call_graph", "[" ROOT("") ENTRY(SIGNATURE(DEEP, LEAF, LEAF, "")) "]"   \
    }

/* What is deeper than where the programs part first. */
static void test_deeper(void) {
    expect(PROGRAM(CALLING("sin")), PROGRAM(CALLING("cos")), "node, ", "node, ");
}

#define GUARDING(guards)                                                                           \
    X_TO_X, VALUES(VALUES1("x")), FIELD("ExportedProgram.guards_code", "[" guards "]")
#define AT_LEAST(n) "\"L['\\u0078'].size()[0] >= " n "\""

static void test_guards(void) {
    expect(PROGRAM(GUARDING(AT_LEAST("2") ", " AT_LEAST("3"))),
           PROGRAM(GUARDING(AT_LEAST("3") ", " AT_LEAST("4"))), "constraint, constraint, ",
           "constraint, constraint, ");
}

/* --------------------------------------------------------------------- the rest */

#define VERIFIERS(names)                                                                           \
    X_TO_X, VALUES(VALUES1("x")), FIELD("ExportedProgram.verifiers", "[" names "]")

static void test_header(void) {
    expect(PROGRAM(VERIFIERS("\"TRAINING\"")), PROGRAM(VERIFIERS("\"TRAINING\", \"ATEN\"")),
           "header, ", "header, ");
}

#define DESCRIBED(metadata, tuples)                                                                \
    X_TO_X, VALUES(VALUES1("x")), FIELD("GraphModule.metadata", "{" metadata "}"),                 \
        FIELD("GraphModule.treespec_namedtuple_fields", "{" tuples "}")
#define PAIR(fields) "\"m.Pair\": {\"field_names\": [" fields "]}"

static void test_described(void) {
    const brief *usual = PROGRAM(DESCRIBED("\"k\": \"1\"", PAIR("\"a\", \"b\"")));
    expect(usual, PROGRAM(DESCRIBED("\"k\": \"2\", \"\\u006c\": \"\"", PAIR("\"a\", \"b\""))),
           "module, module, ", "module, module, ");
    expect(usual, PROGRAM(DESCRIBED("\"k\": \"1\"", PAIR("\"a\", \"c\""))), "tree spec, ",
           "tree spec, ");
}

/* --------------------------------------------------------------------- nodes */

#define RANDOM(op, to) NODE("torch.ops.aten." op ".default", IN("size", "{\"as_ints\": [2]}"), to)
#define DRAWN(nodes) X_TO_X, VALUES(VALUES3("x", "a", "b")), NODES(nodes)

/* The same parts in another order. */
static void test_order(void) {
    expect(PROGRAM(DRAWN(RANDOM("rand", "<a>") ", " RANDOM("randn", "<b>"))),
           PROGRAM(DRAWN(RANDOM("randn", "<b>") ", " RANDOM("rand", "<a>"))), "order, ", "order, ");
}

#define SUM(first, second)                                                                         \
    X_TO_Y, VALUES(VALUES5("x", "y", "a", "b", "c")),                                              \
        NODES(ONE("sin", "x", "a") ", " ONE("cos", "x", "b") ", " TWO(                             \
            "mul", "x", "x", "c") ", " TWO("add", first, second, "y"))

/* Nodes that stand elsewhere, and that take other values. */
static void test_moved(void) {
    expect(PROGRAM(SUM("a", "b")), PROGRAM(SUM("b", "a")), "argument, argument, ",
           "argument, argument, ");
    expect(PROGRAM(SUM("a", "b")), PROGRAM(SUM("b", "c")), "argument, argument, ",
           "argument, argument, ");
}

/* Nodes in a row from x to y; some with more values than were matched before. */
#define ARG(from, n) IN("self", "<" from ">") ", " IN("n", "{\"as_int\": " n "}")
#define MANY(op, n, from, to)                                                                      \
    NODE("torch.ops.mine." op ".default", ARG(from, n), "<" to ">, <" to "1>, <" to "2>")
#define CHAIN(nodes, values) PROGRAM(X_TO_Y, NODES(nodes), VALUES("{\"x\": ~, \"y\": ~" values "}"))
#define MORE(name) ", \"" name "\": ~, \"" name "1\": ~, \"" name "2\": ~"

/* Nodes that are matched at the beginning, at the end, as the only ones of their
 * kind in the same order and in another one, as the nearest of several, by their
 * target, and for want of any likeness. */
static void test_aligned(void) {
    expect(CHAIN(MANY("f", "1", "x", "a") ", " ONE("sin", "a", "y"), MORE("a")),
           CHAIN(MANY("f", "1", "x", "a") ", " ONE("cos", "a", "y"), MORE("a")), "node, ",
           "node, ");
    expect(CHAIN(ONE("sin", "x", "a") ", " MANY("f", "1", "a", "y"),
                 ", \"a\": ~, \"y1\": ~, \"y2\": ~"),
           CHAIN(ONE("cos", "x", "a") ", " MANY("f", "1", "a", "y"),
                 ", \"a\": ~, \"y1\": ~, \"y2\": ~"),
           "node, ", "node, ");
#define AROUND(first, middle, last, values)                                                        \
    CHAIN(ONE(first, "x", "a") ", " middle ", " ONE(last, "d", "y"), ", \"a\": ~" values)
    expect(AROUND("sin", MANY("f", "1", "a", "d"), "neg", MORE("d")),
           AROUND("cos", MANY("f", "1", "a", "d"), "relu", MORE("d")), "node, node, ",
           "node, node, ");
#define TWICE MANY("f", "1", "a", "c") ", " MANY("f", "1", "c", "d")
    expect(AROUND("sin", TWICE, "neg", MORE("c") MORE("d")),
           AROUND("cos", TWICE, "relu", MORE("c") MORE("d")), "node, node, ", "node, node, ");
    expect(AROUND("sin",
                  ONE("exp", "a", "b") ", " MANY("f", "1", "b", "c") ", " MANY("f", "1", "c", "d"),
                  "neg", ", \"b\": ~" MORE("c") MORE("d")),
           AROUND("cos",
                  ONE("exp", "a", "b") ", " MANY("f", "1", "b", "c") ", " MANY("f", "1", "c", "d"),
                  "relu", ", \"b\": ~" MORE("c") MORE("d")),
           "node, node, ", "node, node, ");
    expect(AROUND("sin", MANY("f", "1", "a", "b") ", " ONE("exp", "b", "d"), "neg",
                  MORE("b") ", \"d\": ~"),
           AROUND("cos", ONE("exp", "a", "b") ", " MANY("f", "1", "b", "d"), "relu",
                  ", \"b\": ~" MORE("d")),
           "signature, node, argument, argument, node, node, ",
           "signature, node, argument, argument, node, node, ");
    expect(AROUND("sin", MANY("f", "1", "a", "d"), "neg", MORE("d")),
           AROUND("cos", MANY("f", "2", "a", "d"), "relu", MORE("d")), "node, argument, node, ",
           "node, argument, node, ");
    expect(AROUND("sin", MANY("f", "1", "a", "d"), "neg", MORE("d")),
           AROUND("cos", MANY("g", "1", "a", "d"), "relu", MORE("d")), "node, node, node, ",
           "node, node, node, ");
    /* the only one of its kind stands elsewhere */
#define COUNTED_BY(n, to) NODE("torch.ops.mine.f.default", ARG("x", n), "<" to ">")
#define LATER(before, behind)                                                                      \
    CHAIN(ONE("neg", "x", "a") ", " before ONE("sin", "x", "b") ", " ONE("cos", "x", "c") behind   \
          ", " ONE("abs", "x", "y"),                                                               \
          ", \"a\": ~, \"b\": ~, \"c\": ~, \"d\": ~, \"e\": ~")
    expect(LATER(COUNTED_BY("1", "d") ", ", ", " COUNTED_BY("2", "e")),
           LATER(COUNTED_BY("2", "d") ", ", ", " ONE("exp", "x", "e")), "node, node, ",
           "node, node, ");
}

/* ---------------------------------------------------------------------- arguments */

#define GIVEN(inputs)                                                                              \
    PROGRAM(X_TO_Y, VALUES(VALUES2("x", "y")),                                                     \
            NODES(NODE("torch.ops.m\\u0069ne.f.default", inputs, "<y>")))
#define DICT(name, value) IN(name, "{\"as_string_to_argument\": {\"k\": {\"as_int\": " value "}}}")

/* Arguments that only one has, of one name, and in a dict. */
static void test_arguments(void) {
    const brief *usual = GIVEN(IN("self", "<x>") ", " DICT("d", "1"));
    expect(usual, GIVEN(IN("self", "<x>") ", " DICT("d", "2")), "argument, ", "argument, ");
    expect(usual, GIVEN(IN("self", "<x>") ", " DICT("d", "1") ", " DICT("\\u0065", "2")),
           "argument, ", "argument, ");
    expect(GIVEN(IN("n", "{\"as_string\": \"a\\u0062\"}")),
           GIVEN(IN("n", "{\"as_string\": \"abc\"}")), "argument, ", "argument, ");
    expect(GIVEN(IN("n", "{\"as_string\": \"a\\u0062\"}")),
           GIVEN(IN("n", "{\"as_string\": \"a\"}")), "argument, ", "argument, ");
#define HOP(inputs)                                                                                \
    PROGRAM(X_TO_Y, VALUES(VALUES2("x", "y")),                                                     \
            NODES(NODE("torch.ops.higher_order.wrap", inputs, "<y>")))
    expect(HOP(DICT("", "1") ", " IN("", "<x>")),
           HOP(DICT("", "1") ", " IN("", "<x>") ", " IN("", "<x>")), "argument, ", "argument, ");
}

#define KIND(kind) GIVEN("{\"name\": \"self\", \"arg\": <x>, \"kind\": " kind "}")

#define SINE(metadata)                                                                             \
    "{\"target\": \"torch.ops.aten.sin.default\", \"inputs\": [" IN(                               \
        "self", "<x>") "], \"outputs\": [<y>], \"metadata\": {" metadata "}}"
#define TOLD(metadata) PROGRAM(X_TO_Y, VALUES(VALUES2("x", "y")), NODES(SINE(metadata)))
#define OLD_TOLD(metadata)                                                                         \
    PROGRAM(INPUTS("<x>"), OUTPUTS("<y>"), FIELD("GraphSignature.user_inputs", "[\"x\"]"),         \
            FIELD("GraphSignature.user_outputs", "[\"y\"]"), VALUES(VALUES2("x", "y")),            \
            NODES(SINE(metadata)))

/* What the form leaves out. */
static void test_provenance(void) {
    expect(TOLD("\"k\": \"1\", \"l\": \"2\""), TOLD("\"l\": \"3\""), "provenance, provenance, ",
           "provenance, provenance, ");
    expect(KIND("1"), KIND("null"), "provenance, ", "provenance, ");
    expect(HOP("{\"name\": \"f\", \"arg\": <x>, \"kind\": 1}"),
           HOP("{\"name\": \"f\", \"arg\": <x>, \"kind\": 2}"), "argument, ", "argument, ");
    expect(KIND("1"), KIND("2"), "provenance, ", "provenance, ");
    versions[0] = "5.1";
    expect(CHAIN(ONE("sin", "x", "y"), ""), CHAIN(ONE("sin", "x", "y"), ""), "provenance, ",
           "provenance, ");
    versions[1] = "5.1";
    expect(CHAIN(ONE("sin", "x", "y"), ""), CHAIN(ONE("sin", "x", "y"), ""), "", "");
    versions[0] = versions[1] = "8.20";
}

#define SIZED(size) META("7", size, "false", CPU, INT("1"), INT("0"), "7")
#define CALLED_TWICE                                                                               \
    PROGRAM(CALLED(                                                                                \
        "", ", {\"fqn\": \"m\", \"signature\": {\"inputs\": [<x>, <x>], \"outputs\": [<x>, <x>], " \
            "\"in_spec\": \"[1, " TUPLE(TUPLE(LEAF) ", " NO_DICT) "]\", \"out_spec\": \"[1, " LEAF \
                                                                  "]\"}}"))

/* What a module gives several times, or what it takes, in versions that say so. */
static void test_older(void) {
#define GIVES_TWICE                                                                                \
    PROGRAM(CALLED(                                                                                \
        "", ", {\"fqn\": \"m\", \"signature\": {\"inputs\": [], \"outputs\": [<x>, <x>], "         \
            "\"in_spec\": \"[1, " TUPLE(TUPLE("") ", " NO_DICT) "]\", \"out_spec\": \"[1, " LEAF   \
                                                                "]\"}}"))
    versions[0] = "7.4";
    expect(GIVES_TWICE, PROGRAM(CALLED("", "")), "module, module, ", "module, module, ");
#define GIVES_NOTHING                                                                              \
    PROGRAM(CALLED("", ", {\"fqn\": \"m\", \"signature\": {\"inputs\": [], \"outputs\": [], "      \
                       "\"in_spec\": \"[1, " TUPLE(                                                \
                           TUPLE("") ", " NO_DICT) "]\", \"out_spec\": \"[1, " TUPLE("") "]\"}}"))
    expect(GIVES_NOTHING, PROGRAM(CALLED("", "")), "module, ", "module, ");
    versions[0] = versions[1] = "1";
#define OLD_LOSS                                                                                   \
    (&(const brief){                                                                               \
        1,                                                                                         \
        2,                                                                                         \
        {INPUTS("<w>, <x>"), OUTPUTS("<p>, <z>, <y>"),                                             \
         VALUES("{\"w\": ~, \"x\": ~, \"p\": ~, \"y\": ~, \"z\": ~}"),                             \
         NODES(ONE("sin", "x", "p") ", " ONE("cos", "x", "z") ", " ONE("tan", "x", "y")),          \
         FIELD("GraphSignature.inputs_to_buffers", "{\"w\": \"m\"}"),                              \
         FIELD("GraphSignature.user_inputs", "[\"x\"]"),                                           \
         FIELD("GraphSignature.user_outputs", "[\"z\", \"y\"]"),                                   \
         FIELD("GraphSignature.buffers_to_mutate", "{\"p\": \"m\"}"),                              \
         FIELD("GraphSignature.backward_signature",                                                \
               "{\"gradients_to_parameters\": {}, \"gradients_to_user_inputs\": {}, "              \
               "\"loss_output\": \"y\"}")}})
    expect(OLD_LOSS, OLD_LOSS, "", "");
    /* the user passes a pair, which is not that of arguments and keywords */
#define PAIR_PASSED                                                                                \
    PROGRAM(X_TO_X_OLD, VALUES(VALUES1("x")), FIELD("GraphModule.module_call_graph", "[]"),        \
            FIELD("CallSpec.in_spec", "\"[1, " TUPLE(TUPLE(LEAF) ", " LIST("")) "]\""))
#define LIST_PASSED                                                                                \
    PROGRAM(X_TO_X_OLD, VALUES(VALUES1("x")), FIELD("GraphModule.module_call_graph", "[]"),        \
            FIELD("CallSpec.in_spec", "\"[1, " TUPLE(LIST(LEAF) ", " NO_DICT) "]\""))
    expect(LIST_PASSED, LIST_PASSED, "", "");
    expect(PAIR_PASSED, PAIR_PASSED, "", "");
    versions[0] = versions[1] = "8.20";
}

/* What a migration made of one thing, or made anew. */
static void test_made(void) {
    versions[0] = "1";
    expect(OLD_TOLD("\"source_fn\": \"f, torch.sin\""),
           TOLD("\"source_fn_stack\": \"g,torch.sin\""), "header, provenance, provenance, ",
           "header, provenance, provenance, ");
    expect(OLD_TOLD("\"nn_module_stack\": \"k:(a,m.A)\""), TOLD("\"nn_module_stack\": \"k,b,m.A\""),
           "header, provenance, provenance, ", "header, provenance, provenance, ");
    /* a storage offset that was a number */
    expect(PROGRAM(X_TO_X_OLD, VALUES(VALUES1("x"))),
           PROGRAM(X_TO_X,
                   VALUES("{\"x\": " META("7", INT("2"), "false", CPU, INT("1"), EXPR(S("s0")),
                                          "7") "}"),
                   FIELD("ExportedProgram.range_constraints", "{" RANGE("s0") "}")),
           "value, constraint, header, provenance, ", "value, constraint, header, provenance, ");
    /* a spec that was none */
    expect(PROGRAM(X_TO_X_OLD, VALUES(VALUES1("x"))),
           PROGRAM(INPUTS("{\"as_int\": 3}"), OUTPUTS("{\"as_int\": 3}"),
                   INS("{\"constant_input\": {\"name\": \"x\", \"value\": {\"as_int\": 3}}}"),
                   OUTS("{\"user_output\": {\"arg\": {\"as_int\": 3}}}")),
           "signature, signature, header, provenance, ",
           "signature, signature, header, provenance, ");
    /* a range that was not told */
#define COUNTING(value)                                                                            \
    PROGRAM(X_TO_X, VALUES(VALUES1("x")),                                                          \
            NODES(NODE("torch.ops.mine.f.default", IN("self", "<x>"),                              \
                       "{\"as_sym_int\": {\"as_name\": \"n\"}}")),                                 \
            FIELD("Graph.sym_int_values", "{\"n\": " value "}"))
    versions[0] = "5.1";
    expect(COUNTING(EXPR("u0")), COUNTING(INT("2")), "value, constraint, provenance, ",
           "value, constraint, provenance, ");
    versions[0] = "7.4";
    expect(CALLED_TWICE, PROGRAM(CALLED("", "")), "module, module, ", "module, module, ");
    versions[0] = "8.20";
}

#define PARAMETER(name, from)                                                                      \
    PROGRAM(INPUTS("<p>, <x>"), OUTPUTS("<y>, <g>"), VALUES(VALUES4("p", "x", "y", "g")),          \
            NODES(TWO("mul", "p", "x", "y") ", " TWO("mul", from, "p", "g")),                      \
            INS("{\"parameter\": {\"arg\": {\"name\": \"p\"}, \"parameter_name\": \"" name         \
                "\"}}, " USER("input", "x")),                                                      \
            OUTS("{\"loss_output\": {\"arg\": {\"name\": \"y\"}}}, {\"gradient_to_user_input\": "  \
                 "{\"arg\": "                                                                      \
                 "{\"name\": \"g\"}, \"user_input_name\": \"x\"}}"))

static void test_signature(void) {
    expect(PARAMETER("w\\u0065ight", "p"), PARAMETER("w\\u0065ight", "y"), "argument, ",
           "argument, ");
}

/* A value that is of another kind. */
static void test_kinds(void) {
    expect(PROGRAM(INPUTS("{\"as_sym_int\": {\"as_name\": \"x\"}}"),
                   OUTPUTS("{\"as_sym_int\": {\"as_name\": \"x\"}}"),
                   INS("{\"user_input\": {\"arg\": {\"as_sym_int\": {\"as_name\": \"x\"}}}}"),
                   OUTS("{\"user_output\": {\"arg\": {\"as_sym_int\": {\"as_name\": \"x\"}}}}"),
                   FIELD("Graph.sym_int_values", "{\"x\": {\"as_int\": 3}}")),
           PROGRAM(X_TO_X, VALUES(VALUES1("x"))), "signature, signature, ",
           "signature, signature, ");
}

/* ------------------------------------------------------------------- subgraphs */

#define GRAPH(name, inputs, outputs, nodes)                                                        \
    "{\"as_graph\": {\"name\": \"" name "\", \"graph\": {\"inputs\": [" inputs                     \
    "], \"outputs\": [" outputs "], \"nodes\": [" nodes                                            \
    "], \"tensor_values\": {\"i\": ~, \"j\": ~}, \"sym_int_values\": {}, "                         \
    "\"sym_bool_values\": {}}}}"
#define TAKING(graphs)                                                                             \
    X_TO_Y, VALUES(VALUES2("x", "y")),                                                             \
        NODES(NODE("torch.ops.mine.f.default", graphs ", " IN("self", "<x>"), "<y>"))
#define TAKES(graph) PROGRAM(TAKING(IN("g", graph)))
#define SINGLE                                                                                     \
    "{\"as_graph\": {\"name\": \"g\", \"graph\": {\"inputs\": [<i>], \"outputs\": [<j>], "         \
    "\"nodes\": [" ONE("sin", "i",                                                                 \
                       "j") "], \"tensor_values\": {\"i\": ~, \"j\": ~}, \"sym_int_values\": {}, " \
                            "\"sym_bool_values\": {}, \"is_single_tensor_return\": true}}}"

static void test_subgraphs(void) {
    const brief *usual = TAKES(GRAPH("g", "<i>", "<j>", ONE("sin", "i", "j")));
    expect(usual, TAKES(SINGLE), "subgraph, ", "subgraph, ");
    expect(usual, TAKES(GRAPH("g", "<i>, <j>", "<j>", "")), "subgraph, node, subgraph, ",
           "subgraph, node, subgraph, ");
    expect(usual, TAKES(GRAPH("g", "<i>", "<i>", ONE("sin", "i", "j"))), "subgraph, ",
           "subgraph, ");
    expect(usual, TAKES(GRAPH("g", "<i>", "<j>, <i>", ONE("sin", "i", "j"))), "subgraph, ",
           "subgraph, ");
    expect(PROGRAM(TAKING(IN("g", GRAPH("a", "<i>, <j>", "<j>", "")) ", " IN(
               "h", GRAPH("b", "<i>, <j>", "<i>", "")))),
           PROGRAM(TAKING(IN("g", GRAPH("a", "<i>, <j>", "<i>", "")) ", " IN(
               "h", GRAPH("b", "<i>, <j>", "<i>", "")))),
           "subgraph, ", "subgraph, ");
}

/* ------------------------------------------------------------ values and symbols */

#define SYMBOLIC(x, y, ranges)                                                                     \
    X_TO_Y, NODES(ONE("relu", "x", "y")), VALUES("{\"x\": " SIZED(x) ", \"y\": " SIZED(y) "}"),    \
        FIELD("ExportedProgram.range_constraints", "{" ranges "}")

/* What is symbol 1 in one is symbol 0 in the other. */
static void test_symbols(void) {
#define COUNTED(value)                                                                             \
    PROGRAM(X_TO_X, VALUES(VALUES1("x")),                                                          \
            NODES(NODE("torch.ops.mine.f.default", IN("self", "<x>"),                              \
                       "{\"as_sym_int\": {\"as_name\": \"n\"}}")),                                 \
            FIELD("Graph.sym_int_values", "{\"n\": " value "}"),                                   \
            FIELD("ExportedProgram.range_constraints", "{" RANGE("u0") "}"))
    expect(COUNTED(INT("2")), COUNTED(EXPR(S("u0"))), "value, constraint, ", "value, constraint, ");
    const brief *both =
        PROGRAM(SYMBOLIC(EXPR(S("s7")), EXPR(S("s8")), RANGE("s7") ", " RANGE("s8")));
    const brief *second = PROGRAM(SYMBOLIC(INT("4"), EXPR(S("s8")), RANGE("s8")));
    const brief *sum = PROGRAM(SYMBOLIC(EXPR(S("s7")), EXPR("Add(" S("s7") ", " S("s8") ")"),
                                        RANGE("s7") ", " RANGE("s8")));
    expect(both, second, "value, constraint, ", "value, constraint, ");
    expect(both, sum, "value, ", "value, ");
    expect(sum, sum, "", "");
}

int main(void) {
    test_entries();
    test_calls();
    test_header();
    test_described();
    test_order();
    test_moved();
    test_deeper();
    test_guards();
    test_aligned();
    test_arguments();
    test_provenance();
    test_older();
    test_made();
    test_signature();
    test_kinds();
    test_subgraphs();
    test_symbols();
    return check_report();
}
