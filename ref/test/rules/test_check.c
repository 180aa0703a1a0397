/*
 * test_check.c - ep_check as its callers have it: which of several faults it
 * reports, its options, its notes, and what it leaves behind. That each rule is
 * kept and broken, the vectors say.
 */
#include "check.h"
#include "whole.h"

#include <stdlib.h>

/* ----------------------------------------------------------------- small programs */

#define TENSOR(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"
#define USER(direction, name) "[{\"user_" direction "\": {\"arg\": " TENSOR(name) "}}]"
#define RELU(target, from, to)                                                                     \
    "{\"target\": \"torch.ops." target "\", \"inputs\": [{\"name\": \"self\", \"arg\": " from      \
    "}], \"outputs\": [" to "], \"metadata\": {}}"

/* The parts of x -> relu -> y; each may be replaced. */
typedef struct parts {
    const char *inputs, *nodes, *outputs, *values, *symbols; /* of the graph */
    const char *in, *out;                                    /* of the signature */
    bool backwards; /* outputs before nodes before inputs */
} parts;

static parts whole(void) {
    return (parts){.inputs = "[" TENSOR("x") "]",
                   .nodes = "[" RELU("aten.relu.default", TENSOR("x"), TENSOR("y")) "]",
                   .outputs = "[" TENSOR("y") "]",
                   .values = "{\"x\": " META_OF("2") ", \"y\": " META_OF("2") "}",
                   .symbols = "{}",
                   .in = USER("input", "x"),
                   .out = USER("output", "y")};
}

static void add_member(test_text *text, const char *name, const char *value) {
    test_add_str(text, text->size == 1 ? "\"" : ", \"");
    test_add_str(text, name);
    test_add_str(text, "\": ");
    test_add_str(text, value);
}

static void add_program(test_text *text, const parts *p, const char *version) {
    test_text graph = {0};
    test_add_str(&graph, "{");
    for (int i = 0; i < 4; i++) {
        switch (p->backwards ? 3 - i : i) {
        case 0:
            add_member(&graph, "inputs", p->inputs);
            break;
        case 1:
            add_member(&graph, "nodes", p->nodes);
            break;
        case 2:
            add_member(&graph, "outputs", p->outputs);
            break;
        default:
            add_member(&graph, "tensor_values", p->values);
        }
    }
    add_member(&graph, "sym_int_values", p->symbols);
    test_add_str(&graph, ", \"sym_bool_values\": {}");
    test_add(&graph, "}", 2);
    test_whole(text, version, 1, 1,
               (test_hole[]){{"GraphModule.graph", graph.data},
                             {"GraphSignature.input_specs", p->in},
                             {"GraphSignature.output_specs", p->out},
                             {NULL, NULL}});
    test_text_free(&graph);
}

/* Checks that a program is refused with a code where its text has an @. */
static void expect(const char *about, const parts *p, ep_code code) {
    test_text text = {0};
    ep_error error;
    add_program(&text, p, "8.20");
    size_t offset = code == EP_OK ? 0 : test_take_mark(&text);
    ep_bytes input = test_text_exact(&text);
    if (!CHECK_EQ_INT(test_check(input, NULL, &error), code) ||
        !CHECK_EQ_INT(error.offset, offset)) {
        fprintf(stderr, "    %s: %s at %zu, %s: %s\n", about, ep_code_name(error.code),
                error.offset, error.pointer, error.detail);
    }
    test_text_free(&text);
}

/* ------------------------------------------------------------ which of several */

static void test_valid(void) {
    static const char *const versions[] = {"5.1", "5.3", "6.1", "7.3", "8.2", "8.8", "8.20"};
    parts p = whole();
    expect("as it is", &p, EP_OK);
    p.backwards = true;
    expect("backwards", &p, EP_OK);
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        test_text text = {0};
        ep_error error;
        add_program(&text, &p, versions[i]);
        CHECK_NOTE(test_check(test_text_exact(&text), NULL, &error) == EP_OK, versions[i]);
        test_text_free(&text);
    }
}

/* SPEC 1.5.1: a text that says nothing wins over a name that nothing defines,
 * though it stands behind it. */
static void test_strings_before_program(void) {
    parts p = whole();
    p.nodes = "[" RELU(
        "aten.relu.default", TENSOR("x"),
        TENSOR("y")) ", {\"target\": "
                     "\"torch.ops.aten@\", \"inputs\": [{\"name\": \"self\", \"arg\": " TENSOR(
                         "no") "}], \"outputs\": [], \"metadata\": {}}]";
    expect("a text and a name", &p, EP_TARGET);
    p.inputs = "[" TENSOR("z") "]";
    expect("a name before the text", &p, EP_TARGET);
}

/* Of two texts the first in the file, whatever the members' order. */
static void test_first_text(void) {
    parts p = whole();
    p.nodes =
        "[" RELU("aten@", TENSOR("x"), TENSOR("y")) ", " RELU("aten", TENSOR("x"), TENSOR("z")) "]";
    expect("two targets", &p, EP_TARGET);
    p.nodes = "[{\"metadata\": {\"torch_fn\": \"a;b@;c\"}, \"target\": \"torch.ops.aten\", "
              "\"inputs\": [], \"outputs\": []}]";
    expect("metadata before a target", &p, EP_METADATA_TORCH_FN);
    p.nodes = "[{\"target\": \"torch.ops.aten@\", \"metadata\": {\"torch_fn\": \"a;b;c\"}, "
              "\"inputs\": [], \"outputs\": []}]";
    expect("a target before metadata", &p, EP_TARGET);
}

/* The lowest code, though it stands behind the others. */
static void test_lowest_code(void) {
    parts p = whole();
    p.nodes = "[" RELU("aten.no.default", TENSOR("x"), TENSOR("y")) ", " RELU(
        "aten.relu.default", "{\"as_tensor\": {\"name\": @\"no\"}}", TENSOR("z")) "]";
    expect("an operator before an undefined value", &p, EP_VALUE_UNDEFINED);
    p = whole();
    p.values = "{\"x\": " META_OF("2") ", \"y\": " META_OF("-1") "}";
    p.nodes = "[" RELU("aten.relu.default", TENSOR("x"), "{\"as_tensor\": {\"name\": @\"w\"}}") "]";
    p.outputs = "[" TENSOR("w") "]";
    p.out = USER("output", "w");
    p.backwards = true;
    expect("a size and a value that no table lists", &p, EP_VALUE_UNLISTED);
}

/* Of one code the lowest offset: the rules meet nodes before outputs, and
 * inputs before nodes, the file has them otherwise. */
static void test_lowest_offset(void) {
    parts p = whole();
    p.nodes = "[" RELU("aten.relu.default", TENSOR("no"), TENSOR("y")) "]";
    p.outputs = "[{\"as_tensor\": {\"name\": @\"no\"}}]";
    p.out = USER("output", "no");
    p.backwards = true;
    expect("an output before the nodes", &p, EP_VALUE_UNDEFINED);
    p.backwards = false;
    p.outputs = "[" TENSOR("no") "]";
    p.nodes =
        "[" RELU("aten.relu.default", "{\"as_tensor\": {\"name\": @\"no\"}}", TENSOR("y")) "]";
    expect("the nodes before an output", &p, EP_VALUE_UNDEFINED);
    p = whole();
    p.nodes = "[{\"outputs\": [], \"inputs\": [{\"arg\": {\"as_string_to_argument\": {\"a\": "
              "{\"as_tensor\": {\"name\": @\"no\"}}, \"b\": " TENSOR(
                  "no") "}}, \"name\": \"self\"}], \"metadata\": {}, \"target\": "
                        "\"torch.ops.my.call.default\"}]";
    expect("two uses in a dict", &p, EP_VALUE_UNDEFINED);
}

/* The second definition is that in the file, though inputs come before nodes.
 * SPEC 5.1.1 */
static void test_second_definition(void) {
    parts p = whole();
    p.nodes = "[" RELU("aten.relu.default", TENSOR("x"), "{\"as_tensor\": {\"name\": @\"x\"}}") "]";
    p.values = "{\"x\": " META_OF("2") "}";
    p.outputs = "[" TENSOR("x") "]";
    p.out = USER("output", "x");
    expect("an input again", &p, EP_VALUE_TWICE);
    p.nodes = "[" RELU("aten.relu.default", TENSOR("x"), TENSOR("x")) "]";
    p.inputs = "[{\"as_tensor\": {\"name\": @\"x\"}}]";
    p.backwards = true;
    expect("an input again, backwards", &p, EP_VALUE_TWICE);
}

/* Of three definitions, met in another order than that of the file. */
static void test_third_definition(void) {
#define X_AGAIN "{\"as_tensor\": {\"name\": @\"x\"}}"
    parts p = whole();
    p.values = "{\"x\": " META_OF("2") "}";
    p.outputs = "[" TENSOR("x") "]";
    p.out = USER("output", "x");
    p.nodes = "[" RELU("aten.relu.default", TENSOR("x"),
                       X_AGAIN) ", " RELU("aten.relu.default", TENSOR("x"), TENSOR("x")) "]";
    expect("an input and two nodes", &p, EP_VALUE_TWICE);
    p.nodes = "[" RELU("aten.relu.default", TENSOR("x"),
                       TENSOR("x")) ", " RELU("aten.relu.default", TENSOR("x"), X_AGAIN) "]";
    p.backwards = true;
    expect("two nodes before the input", &p, EP_VALUE_TWICE);
}

/* Inputs and outputs of the graph that its signature says something else of: the
 * lowest code is that of the place, and the rules before it find nothing. */
static void test_specs(void) {
#define SYM_NAME(name) "{\"as_sym_int\": {\"as_name\": \"" name "\"}}"
#define SYM_NUMBER(n) "{\"as_sym_int\": {\"as_int\": " n "}}"
#define USER_IN(arg) "[{\"user_input\": {\"arg\": " arg "}}]"
    static const struct {
        const char *inputs;
        const char *in;
        ep_code code;
    } rows[] = {
        {"[{\"as_int\": 3}]", USER_IN("{\"as_int\": 3}"), EP_OK},
        {"[{\"as_int\": 3}]", USER_IN("{\"as_int\": 4}"), EP_SIGNATURE_INPUT},
        {"[{\"as_int\": 3}]", USER_IN(TENSOR("x")), EP_SIGNATURE_INPUT},
        {"[" SYM_NUMBER("3") "]", USER_IN(SYM_NUMBER("3")), EP_INPUT_KIND},
        {"[" SYM_NUMBER("3") "]", USER_IN(SYM_NUMBER("4")), EP_INPUT_KIND},
        {"[" SYM_NUMBER("3") "]", USER_IN(SYM_NAME("n")), EP_INPUT_KIND},
        {"[{\"as_ints\": [3]}]", USER_IN("{\"as_ints\": [3]}"), EP_INPUT_KIND},
        {"[" SYM_NAME("n") "]", USER_IN(SYM_NUMBER("3")), EP_SIGNATURE_INPUT},
        {"[{\"as_int\": 3}]",
         "[{\"parameter\": {\"arg\": {\"name\": \"x\"}, \"parameter_name\": \"w\"}}]",
         EP_SIGNATURE_INPUT},
        {"[" SYM_NAME("n") "]",
         "[{\"parameter\": {\"arg\": {\"name\": \"n\"}, \"parameter_name\": \"w\"}}]",
         EP_SIGNATURE_INPUT},
        {"[" SYM_NAME("n") "]",
         "[{\"constant_input\": {\"name\": \"n\", \"value\": {\"as_int\": 3}}}]",
         EP_SIGNATURE_INPUT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool symbol = strstr(rows[i].inputs, "as_name") != NULL;
        parts p = {.inputs = rows[i].inputs,
                   .nodes = "[]",
                   .outputs = rows[i].inputs,
                   .values = "{}",
                   .symbols = symbol ? "{\"n\": {\"as_int\": 3}}" : "{}",
                   .in = rows[i].in};
        test_text out = {0};
        test_text text = {0};
        ep_error error;
        size_t size = strlen(rows[i].inputs);
        test_add_str(&out, "[{\"user_output\": {\"arg\": ");
        test_add(&out, rows[i].inputs + 1, size - 2);
        test_add(&out, "}}]", 4);
        p.out = out.data;
        add_program(&text, &p, "8.20");
        if (!CHECK_EQ_INT(test_check(test_text_exact(&text), NULL, &error), rows[i].code)) {
            fprintf(stderr, "    %s: %s at %s\n", rows[i].in, ep_code_name(error.code),
                    error.pointer);
        }
        test_text_free(&text);
        test_text_free(&out);
    }
}

#define SYM_FLOAT(name) "{\"as_sym_float\": {\"as_name\": \"" name "\"}}"
#define GIVEN(arg) "{\"name\": \"\", \"arg\": " arg "}"
#define CALL_OF(target, inputs, outputs)                                                           \
    "{\"target\": \"" target "\", \"inputs\": [" inputs "], \"outputs\": [" outputs                \
    "], \"metadata\": {}}"
#define FLOAT_TABLES                                                                               \
    "\"nodes\": [], \"tensor_values\": {}, \"sym_int_values\": {}, \"sym_bool_values\": {}, "      \
    "\"sym_float_values\": {\"a\": {\"as_float\": 1.0}}"
#define ARM_INPUTS "\"inputs\": [" SYM_FLOAT("a") "], "
#define ARM(name, outputs)                                                                         \
    "{\"as_graph\": {\"name\": \"" name "\", \"graph\": {" ARM_INPUTS "\"outputs\": [" outputs     \
    "], " FLOAT_TABLES "}}}"
#define ARMS(outputs) GIVEN(ARM("t", outputs)) ", " GIVEN(ARM("f", outputs))
#define COND_INPUTS(outputs)                                                                       \
    GIVEN("{\"as_bool\": true}") ", " ARMS(outputs) ", " GIVEN(SYM_FLOAT("n"))
#define NUMBERS SYM_FLOAT("n") ", " SYM_NAME("m")
#define CONDITION(outputs, given)                                                                  \
    "[" CALL_OF("torch.ops.my.n.default", "", NUMBERS) ", " CALL_OF(                               \
        "torch.ops.higher_order.cond", COND_INPUTS(outputs), given) "]"

/* Floats and integers that a condition gives: as symbols, or as numbers. */
static void test_returned(void) {
    static const struct {
        const char *nodes;
        ep_code code;
    } rows[] = {
        {CONDITION(SYM_FLOAT("a"), SYM_FLOAT("r")), EP_OK},
        {CONDITION("{\"as_float\": 2.0}", SYM_FLOAT("r")), EP_OK},
        {CONDITION("{\"as_int\": 2}", SYM_FLOAT("r")), EP_SUBGRAPH_OUTPUTS},
        {CONDITION("{\"as_int\": 2}", SYM_NAME("i")), EP_OK},
        {CONDITION("{\"as_float\": 2.0}", SYM_NAME("i")), EP_SUBGRAPH_OUTPUTS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool floats = strstr(rows[i].nodes, "\"as_name\": \"i\"") == NULL;
        test_hole holes[] = {
            {"Graph.nodes", rows[i].nodes},
            {"Graph.sym_int_values", floats ? "{\"m\": {\"as_int\": 1}}"
                                            : "{\"m\": {\"as_int\": 1}, \"i\": {\"as_int\": 1}}"},
            {"Graph.sym_float_values",
             floats ? "{\"n\": {\"as_float\": 1.0}, \"r\": {\"as_float\": 1.0}}"
                    : "{\"n\": {\"as_float\": 1.0}}"},
            {NULL, NULL}};
        test_text text = {0};
        ep_error error;
        test_whole(&text, "8.20", 0, 0, holes);
        if (!CHECK_EQ_INT(test_check(test_text_exact(&text), NULL, &error), rows[i].code)) {
            fprintf(stderr, "    row %zu: %s at %s\n", i, ep_code_name(error.code), error.pointer);
        }
        test_text_free(&text);
    }
}

/* A constant of version 1 with the name of an input. SPEC 5.1.1 */
static void test_constant_again(void) {
    test_text input = {0};
    test_text text = {0};
    ep_error error;
    test_add_str(&input, "[");
    test_add_union(&input, "1", "Argument", "as_tensor", "{\"name\": \"x\"}");
    test_add(&input, "]", 2);
    test_whole(&text, "1", 0, 0,
               (test_hole[]){{"Graph.inputs", input.data},
                             {"Graph.constants", "{@\"x\": \"\"}"},
                             {NULL, NULL}});
    size_t offset = test_take_mark(&text);
    CHECK_EQ_INT(test_check(test_text_exact(&text), NULL, &error), EP_VALUE_TWICE);
    CHECK_EQ_INT(error.offset, offset);
    CHECK_EQ_STR(error.pointer, strlen(error.pointer), "/graph_module/graph/constants/x");
    test_text_free(&text);
    test_text_free(&input);
}

/* A name with escapes is the same name. */
static void test_escaped(void) {
    parts p = whole();
    p.inputs = "[{\"as_tensor\": {\"name\": \"\\u0078\"}}]";
    p.outputs = "[{\"as_tensor\": {\"name\": \"\\u0079\"}}]";
    expect("escapes", &p, EP_OK);
    p.nodes = "[" RELU("aten.relu.default", TENSOR("x"), TENSOR("y")) ", " RELU(
        "aten.relu.default", TENSOR("x"), "{\"as_tensor\": {\"name\": @\"\\u0079\"}}") "]";
    expect("escapes hide nothing", &p, EP_VALUE_TWICE);
}

/* ------------------------------------------------------------------- in dicts */

#define SYM(name) "{\"as_sym_int\": {\"as_name\": \"" name "\"}}"
#define BRANCH(name)                                                                               \
    "{\"as_graph\": {\"name\": \"" name "\", \"graph\": {\"inputs\": [" TENSOR("a") ", " SYM(      \
        "b") "], \"outputs\": [" TENSOR("a") "], \"nodes\": [], \"tensor_values\": "               \
                                             "{\"a\": " META_OF("2") "}, \"sym_int_values\": "     \
                                                                     "{\"b\": {\"as_int\": 1}}, "  \
                                                                     "\"sym_bool_values\": {}}}}"

/* Values in a dict are taken in its order: by the graphs of a condition, too. */
static void test_dict_order(void) {
    static const char *const orders[] = {TENSOR("x") ", \"l\": " SYM("n"),
                                         SYM("n") ", \"l\": " TENSOR("x")};
    for (int i = 0; i < 2; i++) {
        parts p = whole();
        test_text nodes = {0};
        p.values = "{\"x\": " META_OF("2") ", \"y\": " META_OF("2") "}";
        test_add_str(
            &nodes,
            "[{\"target\": \"torch.ops.my.n.default\", \"inputs\": [], \"outputs\": "
            "[" SYM("n") "], \"metadata\": {}}, {\"target\": "
                         "\"torch.ops.higher_order.cond\", \"inputs\": [{\"name\": \"\", \"arg\": "
                         "{\"as_bool\": true}}, {\"name\": \"\", \"arg\": " BRANCH(
                             "t") "}, "
                                  "{\"name\": \"\", \"arg\": " BRANCH(
                                      "f") "}, {\"name\": \"\", \"arg\": "
                                           "{\"as_string_to_argument\": {\"k\": ");
        test_add_str(&nodes, orders[i]);
        test_add_str(&nodes, "}}}], \"outputs\": [" TENSOR("y") "], \"metadata\": {}}]");
        test_add(&nodes, "", 1);
        p.nodes = nodes.data;
        p.symbols = "{\"n\": {\"as_int\": 1}}";
        test_text text = {0};
        ep_error error;
        add_program(&text, &p, "8.20");
        CHECK_EQ_INT(test_check(test_text_exact(&text), NULL, &error),
                     i == 0 ? EP_OK : EP_SUBGRAPH_INPUTS);
        test_text_free(&text);
        test_text_free(&nodes);
    }
}

/* A graph is nothing that a module can be given. */
static void test_module_graph(void) {
    test_text entries = {0};
    test_text text = {0};
    ep_error error;
    for (size_t i = 0; i < 2; i++) {
        test_add_str(&entries,
                     i == 0 ? "[{\"fqn\": \"\", \"signature\": {\"inputs\": ["
                            : ", {\"fqn\": \"m\", \"signature\": {\"inputs\": [" BRANCH("@"));
        test_add_str(&entries, "], \"outputs\": [], \"in_spec\": ");
        test_add_spec(&entries, true, i);
        test_add_str(&entries, ", \"out_spec\": ");
        test_add_spec(&entries, false, 0);
        test_add_str(&entries, "}}");
    }
    test_add(&entries, "]", 2);
    test_whole(&text, "8.20", 0, 0,
               (test_hole[]){{"GraphModule.module_call_graph", entries.data}, {NULL, NULL}});
    size_t offset = test_take_mark(&text) - 1; /* of the quote */
    CHECK_EQ_INT(test_check(test_text_exact(&text), NULL, &error), EP_MODULE_ARGUMENT);
    CHECK_EQ_INT(error.offset, offset);
    test_text_free(&text);
    test_text_free(&entries);
}

/* ----------------------------------------------------------------- the error */

static void test_error(void) {
    parts p = whole();
    test_text text = {0};
    ep_error error;
    p.values = "{\"x\": " META_OF("2") ", \"y\": " META_OF("2") ",\n \"z\": " META_OF("2") "}";
    add_program(&text, &p, "8.20");
    CHECK_EQ_INT(test_check(test_text_exact(&text), NULL, &error), EP_VALUE_EXTRA);
    CHECK_EQ_INT(error.line, 2);
    CHECK_EQ_INT(error.column, 2);
    CHECK_EQ_STR(error.pointer, strlen(error.pointer), "/graph_module/graph/tensor_values/z");
    CHECK_EQ_STR(error.detail, strlen(error.detail), "\"z\"");
    test_text_free(&text);
    p = whole();
    add_program(&text, &p, "8.20");
    memset(&error, 0xEE, sizeof error);
    CHECK_EQ_INT(test_check(test_text_exact(&text), NULL, &error), EP_OK);
    ep_error zero;
    memset(&zero, 0, sizeof zero);
    CHECK(memcmp(&error, &zero, sizeof zero) == 0);
    test_text_free(&text);
}

/* ------------------------------------------------------------------- options */

static void test_levels(void) {
    parts p = whole();
    test_text text = {0};
    ep_error error;
    ep_check_options options = ep_check_options_default();
    CHECK_EQ_INT(options.level, EP_LEVEL_PROGRAM);
    CHECK(options.note == NULL);
    p.outputs = "[" TENSOR("no") "]";
    add_program(&text, &p, "8.20");
    ep_bytes input = test_text_exact(&text);
    CHECK_EQ_INT(test_check(input, &options, &error), EP_VALUE_UNDEFINED);
    options.level = EP_LEVEL_STRINGS;
    CHECK_EQ_INT(test_check(input, &options, &error), EP_OK);
    test_text_free(&text);
    p.nodes = "[" RELU("aten", TENSOR("x"), TENSOR("y")) "]";
    add_program(&text, &p, "8.20");
    CHECK_EQ_INT(test_check(test_text_exact(&text), &options, &error), EP_TARGET);
    test_text_free(&text);
}

static ep_code check_with_depth(const char *field, const char *hole, size_t depth) {
    test_text text = {0};
    ep_error error;
    ep_check_options options = ep_check_options_default();
    options.limits.depth = depth;
    options.level = EP_LEVEL_STRINGS;
    test_whole(&text, "8.20", 0, 0, (test_hole[]){{field, hole}, {NULL, NULL}});
    test_check(test_text_exact(&text), &options, &error);
    test_text_free(&text);
    return error.code;
}

/* The one limit that counts: of what stands in each language. */
static void test_depth(void) {
    static const char expression[] = "{\"s\": {\"as_expr\": {\"expr_str\": "
                                     "\"Max(Integer(1), Max(Integer(2), Integer(3)))\"}}}";
    static const char guard[] = "[\"((L['x'].size()[0])) == 1\"]";
    static const char custom[] = "[{\"target\": \"torch.ops.a.b.c\", \"inputs\": [], \"outputs\": "
                                 "[], \"metadata\": {\"custom\": \"{\\\"k\\\": [[1]]}\"}}]";
    size_t least = 0;
    while (least < 10 &&
           check_with_depth("Graph.sym_int_values", expression, least) == EP_LIMIT_DEPTH) {
        least++;
    }
    CHECK(least == 5); /* the tree specs of the program have five levels */
    for (size_t depth = least; depth < 10; depth++) {
        CHECK_EQ_INT(check_with_depth("Graph.sym_int_values", expression, depth), EP_OK);
        CHECK_EQ_INT(check_with_depth("ExportedProgram.guards_code", guard, depth), EP_OK);
        CHECK_EQ_INT(check_with_depth("Graph.nodes", custom, depth), EP_OK);
    }
}

/* ---------------------------------------------------------------------- notes */

typedef struct notes {
    size_t count;
    ep_error last;
} notes;

static void take_note(void *context, const ep_error *error) {
    notes *taken = context;
    taken->count++;
    taken->last = *error;
}

/* An operator that cannot be judged is told of once, where it is met first. */
static void test_notes(void) {
    parts p = whole();
    test_text text = {0};
    ep_error error;
    notes taken = {0};
    ep_check_options options = ep_check_options_default();
    options.note = take_note;
    options.note_context = &taken;
    p.nodes = "[" RELU("aten.relu.default", TENSOR("x"), TENSOR("y")) ", " RELU(
        "mine.f.default", TENSOR("x"), "") ", " RELU("mine.f.default", TENSOR("y"),
                                                     "") ", " RELU("mine.f.default", TENSOR("x"),
                                                                   "") "]";
    add_program(&text, &p, "8.20");
    ep_bytes input = test_text_exact(&text);
    CHECK_EQ_INT(test_check(input, &options, &error), EP_OK);
    CHECK_EQ_INT(taken.count, 1);
    CHECK_EQ_INT(taken.last.code, EP_NAMESPACE);
    CHECK_EQ_STR(taken.last.pointer, strlen(taken.last.pointer),
                 "/graph_module/graph/nodes/1/target");
    CHECK(strncmp(input.data + taken.last.offset, "\"torch.ops.mine.f", 17) == 0);
    taken.count = 0;
    options.level = EP_LEVEL_STRINGS;
    CHECK_EQ_INT(test_check(input, &options, &error), EP_OK);
    CHECK_EQ_INT(taken.count, 0);
    CHECK_EQ_INT(test_check(input, NULL, &error), EP_OK);
    test_text_free(&text);
}

/* A great many of them are not all told of: SPEC lets nobody wait for that. */
static void test_many_notes(void) {
    parts p = whole();
    test_text text = {0}, nodes = {0};
    ep_error error;
    notes taken = {0};
    ep_check_options options = ep_check_options_default();
    options.note = take_note;
    options.note_context = &taken;
    test_add_str(&nodes, "[" RELU("aten.relu.default", TENSOR("x"), TENSOR("y")));
    for (int i = 0; i < 1000; i++) {
        test_add_str(&nodes, ", {\"target\": \"torch.ops.mine.f");
        test_add_int(&nodes, i);
        test_add_str(&nodes, ".default\", \"inputs\": [], \"outputs\": [], \"metadata\": {}}");
    }
    test_add(&nodes, "]", 2);
    p.nodes = nodes.data;
    add_program(&text, &p, "8.20");
    CHECK_EQ_INT(test_check(test_text_exact(&text), &options, &error), EP_OK);
    CHECK(taken.count >= 8 && taken.count <= 100);
    test_text_free(&nodes);
    test_text_free(&text);
}

/* ----------------------------------------------------------- what it leaves behind */

/* Forward reading left something out: nothing can be said of the rest. */
static void test_partial(void) {
    test_text text = {0};
    test_heap heap = {0};
    ep_arena arena, scratch;
    ep_error error;
    const ep_program *program;
    ep_decode_options options = ep_decode_options_default();
    options.forward = true;
    test_whole(&text, "8.20", 0, 0,
               (test_hole[]){{"Graph.inputs", "[{\"as_new\": 1}]"},
                             {"ExportedProgram.schema_version", "{\"major\": 8, \"minor\": 77}"},
                             {NULL, NULL}});
    test_arena(&arena, &heap, 0);
    test_arena(&scratch, &heap, 0);
    if (CHECK(ep_decode(&arena, test_text_exact(&text), &options, &program, &error))) {
        CHECK(!ep_check(program, &scratch, NULL, &error));
        CHECK_EQ_INT(error.code, EP_ARGUMENT);
        CHECK(!ep_check(program, &scratch, NULL, NULL));
    }
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    test_text_free(&text);
}

/* Again and again in one arena: the same answers, and no more memory than once. */
static void test_again(void) {
    parts good = whole();
    parts bad = whole();
    test_text texts[2] = {{0}, {0}};
    test_heap heap = {0};
    ep_arena arena, scratch;
    const ep_program *programs[2] = {NULL, NULL};
    size_t peak = 0;
    bad.outputs = "[" TENSOR("no") "]";
    add_program(&texts[0], &good, "8.20");
    add_program(&texts[1], &bad, "8.20");
    test_arena(&arena, &heap, 0);
    test_arena(&scratch, &heap, 0);
    for (int i = 0; i < 2; i++) {
        CHECK(ep_decode(&arena, test_text_exact(&texts[i]), NULL, &programs[i], NULL));
    }
    CHECK(ep_check(programs[0], &arena, NULL, NULL)); /* in the program's own arena */
    for (int i = 0; i < 50 && programs[0] != NULL && programs[1] != NULL; i++) {
        ep_error error;
        CHECK(ep_check(programs[0], &scratch, NULL, &error));
        CHECK_EQ_INT(error.code, EP_OK);
        CHECK(!ep_check(programs[1], &scratch, NULL, &error));
        CHECK_EQ_INT(error.code, EP_VALUE_UNDEFINED);
        CHECK(!ep_check(programs[1], &scratch, NULL, NULL));
        peak = i == 0 ? ep_arena_peak(&scratch) : peak;
    }
    CHECK_EQ_INT(ep_arena_peak(&scratch), peak);
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    test_text_free(&texts[0]);
    test_text_free(&texts[1]);
}

/* ------------------------------------------------------------- want of memory */

/* One check with an allocation refused, and every one after it if all is said. Returns
 * whether none was. */
static bool check_without(const ep_program *program, size_t refuse, bool all) {
    ep_arena scratch;
    test_heap heap = {.fail_at = refuse, .fail_on = all, .apart = &scratch};
    ep_error error;
    test_arena(&scratch, &heap, 0);
    bool ok = ep_check(program, &scratch, NULL, &error);
    bool refused = heap.calls >= refuse;
    CHECK_EQ_INT(error.code, ok ? EP_OK : EP_MEMORY);
    CHECK(ok || refused);
    ep_arena_free(&scratch);
    CHECK_EQ_INT(heap.bytes, 0);
    return !refused;
}

/* A symbol that a size, a stride or the storage offset binds. SPEC 5.4.10 */
static void test_memory(void) {
#define BOUND "{\"as_expr\": {\"expr_str\": \"Symbol('s0', positive=True, integer=True)\"}}"
#define META(size, stride, offset)                                                                 \
    "{\"x\": {\"dtype\": 7, \"sizes\": [" size "], \"requires_grad\": false, \"device\": "         \
    "{\"type\": \"cpu\"}, \"strides\": [" stride "], \"storage_offset\": " offset                  \
    ", \"layout\": 7}, \"y\": " META_OF("2") "}"
#define ONE "{\"as_int\": 1}"
    static const char *const values[] = {META(BOUND, ONE, ONE), META(ONE, BOUND, ONE),
                                         META(ONE, ONE, BOUND)};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        parts p = whole();
        test_text text = {0};
        test_heap heap = {0};
        ep_arena arena;
        const ep_program *program;
        p.values = values[i];
        add_program(&text, &p, "8.20");
        test_arena(&arena, &heap, 0);
        if (CHECK(ep_decode(&arena, test_text_exact(&text), NULL, &program, NULL))) {
            size_t n = 1;
            while (!check_without(program, n, false)) {
                check_without(program, n++, true);
            }
            CHECK(n > 10);
        }
        ep_arena_free(&arena);
        CHECK_EQ_INT(heap.bytes, 0);
        test_text_free(&text);
    }
}

int main(void) {
    test_valid();
    test_strings_before_program();
    test_first_text();
    test_lowest_code();
    test_lowest_offset();
    test_second_definition();
    test_third_definition();
    test_specs();
    test_returned();
    test_constant_again();
    test_module_graph();
    test_escaped();
    test_dict_order();
    test_error();
    test_levels();
    test_depth();
    test_notes();
    test_many_notes();
    test_partial();
    test_again();
    test_memory();
    return check_report();
}
