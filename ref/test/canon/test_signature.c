/*
 * test_signature.c - the epref form (canon*.c, SPEC 6.5 to 6.8) of all that is
 * around a graph: inputs and outputs, modules, symbols and their ranges, and the
 * dicts of version 1.
 */
#include "brief.h"

/* ---------------------------------------------------------------------- signature */

#define PARAMETER(value, name)                                                                     \
    "{\"parameter\": {\"arg\": {\"name\": \"" value "\"}, \"parameter_name\": \"" name "\"}}"
#define BUFFER(value, name)                                                                        \
    "{\"buffer\": {\"arg\": {\"name\": \"" value "\"}, \"buffer_name\": \"" name                   \
    "\", \"persistent\": true}}"
#define CONSTANT(value, name)                                                                      \
    "{\"tensor_constant\": {\"arg\": {\"name\": \"" value "\"}, \"tensor_constant_name\": \"" name \
    "\"}}"
#define MUTATES(kind, value, name)                                                                 \
    "{\"" kind "_mutation\": {\"arg\": {\"name\": \"" value "\"}, \"" kind "_name\": \"" name "\"" \
    "}}"
#define MUTATES_INPUT(value, input)                                                                \
    "{\"user_input_mutation\": {\"arg\": {\"name\": \"" value "\"}, \"user_input_name\": \"" input \
    "\"}}"

static void test_inputs(void) {
    const brief *sorted = PROGRAM(INPUTS("<a>, <b>, <c>, <d>, <x>"), OUTPUTS("<x>"),
                                  VALUES(VALUES5("a", "b", "c", "d", "x")),
                                  INS(PARAMETER("a", "m.w") ", " PARAMETER("b", "w") ", " BUFFER(
                                      "c", "a") ", " CONSTANT("d", "0") ", " USER("input", "x")),
                                  OUTS(USER("output", "x")));
    check_same(sorted, PROGRAM(INPUTS("<c>, <d>, <b>, <a>, <x>"), OUTPUTS("<x>"),
                               VALUES(VALUES5("a", "b", "c", "d", "x")),
                               INS(BUFFER("c", "a") ", " CONSTANT("d", "0") ", " PARAMETER(
                                   "b", "w") ", " PARAMETER("a", "m.w") ", " USER("input", "x")),
                               OUTS(USER("output", "x"))));
    check_holds(sorted, "\"input_specs\": [{\"parameter\": {\"arg\": {\"name\": \"v0\"}, "
                        "\"parameter_name\": \"m.w\"}}");
}

static void test_outputs(void) {
#define MADE                                                                                       \
    NODES(ONE("sin", "x", "p") ", " ONE("cos", "x", "q") ", " ONE("tan", "x", "r")),               \
        VALUES("{\"a\": ~, \"b\": ~, \"x\": ~, \"y\": ~, \"p\": ~, \"q\": ~, \"r\": ~}"),          \
        INPUTS("<a>, <b>, <x>, <y>"),                                                              \
        INS(BUFFER("a", "n") ", " BUFFER("b", "m") ", " USER("input", "x") ", " USER("input",      \
                                                                                     "y"))
    const brief a = {
        2,
        1,
        {MADE, OUTPUTS("<p>, <q>, <r>, <x>"),
         OUTS(MUTATES("buffer", "p", "n") ", " MUTATES("buffer", "q", "m") ", " MUTATES_INPUT(
             "r", "y") ", " USER("output", "x"))}};
    const brief b = {2,
                     1,
                     {MADE, OUTPUTS("<r>, <q>, <p>, <x>"),
                      OUTS(MUTATES_INPUT("r", "y") ", " MUTATES("buffer", "q", "m") ", " MUTATES(
                          "buffer", "p", "n") ", " USER("output", "x"))}};
    const brief c = {
        2,
        1,
        {MADE, OUTPUTS("<p>, <q>, <r>, <x>"),
         OUTS(MUTATES("buffer", "p", "m") ", " MUTATES("buffer", "q", "n") ", " MUTATES_INPUT(
             "r", "y") ", " USER("output", "x"))}};
    check_same(&a, &b);
    check_other(&a, &c);
    check_holds(&a, "\"user_input_name\": \"v3\"");
}

static void test_gradients(void) {
#define LOSS(value) "{\"loss_output\": {\"arg\": {\"name\": \"" value "\"}}}"
#define GRADIENT(value, name)                                                                      \
    "{\"gradient_to_parameter\": {\"arg\": {\"name\": \"" value "\"}, \"parameter_name\": \"" name \
    "\"}}"
#define INPUT_GRADIENT(value, input)                                                               \
    "{\"gradient_to_user_input\": {\"arg\": {\"name\": \"" value                                   \
    "\"}, \"user_input_name\": \"" input "\"}}"
#define JOINT                                                                                      \
    NODES(ONE("sin", "x", "p") ", " ONE("cos", "x", "q") ", " ONE("tan", "x", "r")),               \
        VALUES("{\"a\": ~, \"b\": ~, \"x\": ~, \"p\": ~, \"q\": ~, \"r\": ~}"),                    \
        INPUTS("<a>, <b>, <x>"),                                                                   \
        INS(PARAMETER("a", "n") ", " PARAMETER("b", "m") ", " USER("input", "x"))
    check_same(PROGRAM(JOINT, OUTPUTS("<x>, <p>, <q>, <r>"),
                       OUTS(LOSS("x") ", " GRADIENT("p", "n") ", " GRADIENT(
                           "q", "m") ", " INPUT_GRADIENT("r", "x"))),
               PROGRAM(JOINT, OUTPUTS("<x>, <r>, <q>, <p>"),
                       OUTS(LOSS("x") ", " INPUT_GRADIENT("r", "x") ", " GRADIENT(
                           "q", "m") ", " GRADIENT("p", "n"))));
}

/* Constants among the inputs, objects, tokens. */
static void test_other_inputs(void) {
#define TOKEN(name) "{\"token\": {\"arg\": {\"name\": \"" name "\"}}}"
#define OBJECT(name) "{\"as_custom_obj\": {\"name\": \"" name "\", \"class_fqn\": \"a.B\"}}"
    const brief a = {
        2,
        1,
        {INPUTS("<t>, " OBJECT("o") ", " INT("3") ", <x>"), OUTPUTS("<u>, <x>"),
         NODES(NODE("torch.ops.higher_order.with_effects", IN("", "<t>") ", " IN("", OBJECT("o")),
                    "<u>")),
         VALUES(VALUES3("t", "u", "x")),
         FIELD("Graph.custom_obj_values", "{\"o\": {\"name\": \"o\", \"class_fqn\": \"a.B\"}}"),
         INS(TOKEN("t") ", {\"custom_obj\": {\"arg\": {\"name\": \"o\", \"class_fqn\": "
                        "\"a.B\"}, \"custom_obj_name\": \"obj\"}}, {\"constant_input\": "
                        "{\"name\": \"k\", \"value\": {\"as_int\": 3}}}, " USER("input", "x")),
         OUTS(TOKEN("u") ", " USER("output", "x"))}};
    check_holds(&a, "\"constant_input\": {\"name\": \"v2\", \"value\": {\"as_int\": 3}}");
    check_holds(&a, "\"custom_obj_values\": {\"v1\": {\"name\": \"v1\", \"class_fqn\": \"a.B\"}}");
    check_holds(&a, "\"token\": {\"arg\": {\"name\": \"v4\"}}");
}

/* From 5.4 until 8.8 two parameters may have one name: by their first uses. */
static void test_twins(void) {
    version = "8.2";
#define TIED(first, second, use)                                                                   \
    PROGRAM(INPUTS("<" first ">, <" second ">, <x>"), OUTPUTS("<y>"), NODES(use),                  \
            VALUES("{\"a\": ~, \"b\": ~, \"x\": ~, \"y\": ~, \"z\": ~}"),                          \
            INS(PARAMETER(first, "w") ", " PARAMETER(second, "w") ", " USER("input", "x")),        \
            OUTS(USER("output", "y")))
    check_same(TIED("a", "b", TWO("add", "a", "x", "z") ", " TWO("mul", "z", "b", "y")),
               TIED("b", "a", TWO("add", "a", "x", "z") ", " TWO("mul", "z", "b", "y")));
    version = "8.20";
}

/* ------------------------------------------------------------------------ modules */

#define ENTRY(fqn) ", {\"fqn\": \"" fqn "\", \"signature\": null}"

/* By name, calls of one behind each other by their numbers. */
static void test_modules(void) {
    static const char *const order[] = {
        "", "@7", "a", "a@1", "a@2", "a@10", "a@99999999999999999999", "a@b", "a@b@1", "b", "b@"};
    const size_t count = sizeof order / sizeof order[0];
    test_text texts[2] = {{0}};
    test_text form = {0};
    for (size_t turned = 0; turned < 2; turned++) {
        test_add_str(&texts[turned],
                     "[{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], "
                     "\"in_spec\": ");
        test_add_spec(&texts[turned], true, 1);
        test_add_str(&texts[turned], ", \"out_spec\": ");
        test_add_spec(&texts[turned], false, 1);
        test_add_str(&texts[turned], ", \"forward_arg_names\": null}}");
        for (size_t i = 1; i < count; i++) {
            test_add_str(&texts[turned], ", {\"fqn\": \"");
            test_add_str(&texts[turned], order[turned != 0 ? count - i : i]);
            test_add_str(&texts[turned], "\", \"signature\": null}");
        }
        test_add(&texts[turned], "]", 2);
    }
    const brief a = {
        1,
        1,
        {X_TO_X, VALUES(VALUES1("x")), FIELD("GraphModule.module_call_graph", texts[0].data)}};
    const brief b = {
        1,
        1,
        {X_TO_X, VALUES(VALUES1("x")), FIELD("GraphModule.module_call_graph", texts[1].data)}};
    check_same(&a, &b);
    add_form(&form, &a);
    size_t at = 0;
    test_add(&form, "", 1);
    for (size_t i = 0; i < count; i++) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "{\"fqn\": \"%s\", ", order[i]);
        const char *found = strstr(form.data + at, wanted);
        if (!CHECK_NOTE(found != NULL, order[i])) {
            break;
        }
        at = (size_t)(found - form.data);
    }
    test_text_free(&texts[0]);
    test_text_free(&texts[1]);
    test_text_free(&form);
}

/* Values and constants that the signature of a module names. */
static void test_module_values(void) {
    test_text text = {0};
    test_add_str(&text, "[{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], "
                        "\"in_spec\": ");
    test_add_spec(&text, true, 1);
    test_add_str(&text, ", \"out_spec\": ");
    test_add_spec(&text, false, 1);
    test_add_str(&text, ", \"forward_arg_names\": null}}, {\"fqn\": \"m\", \"signature\": "
                        "{\"inputs\": [<x>, " INT("1") "], \"outputs\": [<x>], \"in_spec\": ");
    test_add_spec(&text, true, 2);
    test_add_str(&text, ", \"out_spec\": ");
    test_add_spec(&text, false, 1);
    test_add_str(&text, ", \"forward_arg_names\": [\"p\", \"q\"]}}]");
    test_add(&text, "", 1);
    const brief a = {
        1, 1, {X_TO_X, VALUES(VALUES1("x")), FIELD("GraphModule.module_call_graph", text.data)}};
    check_holds(&a, "\"inputs\": [{\"as_tensor\": {\"name\": \"v0\"}}, {\"as_int\": 1}], "
                    "\"outputs\": [{\"as_tensor\": {\"name\": \"v0\"}}]");
    check_holds(&a, "\"forward_arg_names\": null}}]");
    test_text_free(&text);
}

/* ------------------------------------------------------------------------ symbols */

#define SIZED(a, b)                                                                                \
    VALUES("{\"x\": " META("7", EXPR(a) ", " EXPR(b), "false", CPU, INT("1") ", " INT("1"),        \
                           INT("0"), "7") "}")
#define RANGES(text) FIELD("ExportedProgram.range_constraints", "{" text "}")

static void test_symbols(void) {
    /* renamed, each with its prefix */
    check_same(PROGRAM(X_TO_X, SIZED(S("s7"), S("s3")), RANGES(RANGE("s3") ", " RANGE("s7"))),
               PROGRAM(X_TO_X, SIZED(S("s1"), S("s2")), RANGES(RANGE("s1") ", " RANGE("s2"))));
    check_other(PROGRAM(X_TO_X, SIZED(S("s7"), S("s3")), RANGES(RANGE("s3") ", " RANGE("s7"))),
                PROGRAM(X_TO_X, SIZED(S("s7"), S("s7")), RANGES(RANGE("s7"))));
    check_holds(PROGRAM(X_TO_X, SIZED("Symbol('u7', integer=True)", S("s9")),
                        RANGES(RANGE("u7") ", " RANGE("s9"))),
                "\"range_constraints\": {\"s0\": {\"min_val\": 2, \"max_val\": 9}, \"u0\": ");
    check_holds(PROGRAM(X_TO_X, SIZED(S("i4"), S("foo")), RANGES(RANGE("i4") ", " RANGE("foo"))),
                "Symbol('z0', positive=True, integer=True)");
    check_holds(PROGRAM(X_TO_X, SIZED(S("s1x"), S("q")), RANGES(RANGE("s1x") ", " RANGE("q"))),
                "Symbol('sx0', positive=True, integer=True)");
    /* what stands alone has its name first, wherever it does */
    check_same(PROGRAM(X_TO_X, SIZED("Add(" S("s1") ", " S("s2") ")", S("s2")),
                       RANGES(RANGE("s1") ", " RANGE("s2"))),
               PROGRAM(X_TO_X, SIZED("Add(" S("s1") ", " S("s2") ")", S("s1")),
                       RANGES(RANGE("s1") ", " RANGE("s2"))));
}

/* Several in one sum are told apart by ranges. */
static void test_several(void) {
    check_same(PROGRAM(X_TO_X, SIZED("Add(" S("s1") ", " S("s2") ")", "Integer(2)"),
                       RANGES("\"s1\": {\"min_val\": 2, \"max_val\": 5}, " RANGE("s2"))),
               PROGRAM(X_TO_X, SIZED("Add(" S("s2") ", " S("s1") ")", "Integer(2)"),
                       RANGES(RANGE("s1") ", \"s2\": {\"min_val\": 2, \"max_val\": 5}")));
    /* one expression in two orders of its operands */
    check_same(
        PROGRAM(X_TO_X, SIZED("Max(" S("s1") ", " S("s2") ")", "Max(" S("s2") ", " S("s1") ")"),
                RANGES("\"s1\": {\"min_val\": 2, \"max_val\": 5}, " RANGE("s2"))),
        PROGRAM(X_TO_X, SIZED("Max(" S("s1") ", " S("s2") ")", "Max(" S("s1") ", " S("s2") ")"),
                RANGES("\"s1\": {\"min_val\": 2, \"max_val\": 5}, " RANGE("s2"))));
    /* ties that nothing settles: the form is still its own */
    check_other(PROGRAM(X_TO_X,
                        SIZED("Add(Mul(" S("s1") ", " S("s2") "), Mul(" S("s2") ", " S(
                                  "s3") "), Mul(" S("s1") ", " S("s4") "))",
                              "Integer(2)"),
                        RANGES(RANGE("s1") ", " RANGE("s2") ", " RANGE("s3") ", " RANGE("s4"))),
                PROGRAM(X_TO_X, SIZED(S("s1"), "Integer(2)"), RANGES(RANGE("s1"))));
}

/* Keys that are dimensions, and ranges of what nothing has. */
static void test_keys(void) {
    check_holds(PROGRAM(X_TO_X, SIZED(S("s5"), "Mul(Integer(2), " S("s5") ")"),
                        RANGES("\"2*s5\": {\"min_val\": 4, \"max_val\": 18}, " RANGE("s5"))),
                "\"2*s0\": {\"min_val\": 4, \"max_val\": 18}");
    check_same(PROGRAM(X_TO_X, VALUES(VALUES1("x")),
                       RANGES("\"u1\": {\"min_val\": 2, \"max_val\": 3}, \"\\u00752 + 1\": "
                              "{\"min_val\": 3, \"max_val\": null}, " RANGE("u2"))),
               PROGRAM(X_TO_X, VALUES(VALUES1("x")), RANGES("")));
    check_holds(
        PROGRAM(X_TO_X, SIZED(S("b"), S("b")), RANGES(RANGE("b") ", " RANGE("Max(2, b)*1.0e+20"))),
        "\"range_constraints\": {\"Max(2, x0)*1.0e+20\": ");
    /* no range, and an open one */
    check_same(PROGRAM(X_TO_X, SIZED(S("s5"), "Integer(2)"), RANGES("")),
               PROGRAM(X_TO_X, SIZED(S("s5"), "Integer(2)"),
                       RANGES("\"s5\": {\"min_val\": null, \"max_val\": null}")));
}

/* ----------------------------------------------------------------- other versions */

/* The infix form, where names say what symbols are. */
static void test_infix(void) {
    version = "7.3";
    check_same(PROGRAM(X_TO_X, SIZED("s7", "2*s7 + s3"), RANGES(RANGE("s3") ", " RANGE("s7"))),
               PROGRAM(X_TO_X, SIZED("s1", "s2 + s1*2"), RANGES(RANGE("s1") ", " RANGE("s2"))));
    check_holds(
        PROGRAM(X_TO_X, SIZED("s7", "-s3 + 1 + 2*s7"), RANGES(RANGE("s3") ", " RANGE("s7"))),
        "Mul(Integer(-1), " S("s1") ")");
    version = "8.20";
}

/* The tree of an expression is left out; its text need be no expression. SPEC 6.1.3 */
static void test_trees(void) {
    version = "8.2-ast";
#define TREE(text)                                                                                 \
    "{\"as_expr\": {\"expr_str\": \"" text "\", \"expr_ast\": {\"args\": [], \"target\": "         \
    "null, \"base\": {\"as_symbol\": \"s0\"}}}}"
#define TREES(text)                                                                                \
    PROGRAM(X_TO_X,                                                                                \
            VALUES("{\"x\": " META("7", TREE(text) ", " EXPR(S("s9")), "false", CPU,               \
                                   INT("1") ", " INT("1"), INT("0"), "7") "}"),                    \
            RANGES(RANGE("s9")))
    check_holds(TREES("not one"), "{\"as_expr\": {\"expr_str\": \"not one\", \"hint\": null}}");
    check_holds(TREES("not one"), "\"expr_str\": \"" S("s0") "\"");
    check_holds(TREES(""), "{\"as_expr\": {\"expr_str\": \"\", \"hint\": null}}");
    version = "8.20";
}

#define OLD_PROGRAM(parameters, buffers, mutated, constants, k)                                    \
    PROGRAM(INPUTS("<a>, <b>, <c>, <x>"), OUTPUTS("<p>, <q>, <x>"),                                \
            NODES(ONE("sin", "b", "p") ", " TWO("add", "x", k, "q")),                              \
            VALUES("{\"a\": ~, \"b\": ~, \"c\": ~, \"x\": ~, \"p\": ~, \"q\": ~}"),                \
            FIELD("Graph.constants", constants),                                                   \
            FIELD("GraphSignature.inputs_to_parameters", parameters),                              \
            FIELD("GraphSignature.inputs_to_buffers", buffers),                                    \
            FIELD("GraphSignature.buffers_to_mutate", mutated),                                    \
            FIELD("GraphSignature.user_inputs", "[\"x\"]"),                                        \
            FIELD("GraphSignature.user_outputs", "[\"x\"]"))

/* The dicts of version 1, and tensors inside the program. */
static void test_version_1(void) {
    version = "1";
    const brief *a = OLD_PROGRAM("{\"a\": \"w\"}", "{\"b\": \"m\", \"c\": \"n\"}",
                                 "{\"p\": \"m\", \"q\": \"n\"}", "{}", "x");
    check_same(a, OLD_PROGRAM("{\"a\": \"w\"}", "{\"c\": \"n\", \"b\": \"m\"}",
                              "{\"q\": \"n\", \"p\": \"m\"}", "{}", "x"));
    check_other(a, OLD_PROGRAM("{\"a\": \"w\"}", "{\"b\": \"n\", \"c\": \"m\"}",
                               "{\"p\": \"m\", \"q\": \"n\"}", "{}", "x"));
    version = "8.20";
}

int main(void) {
    test_inputs();
    test_outputs();
    test_gradients();
    test_other_inputs();
    test_twins();
    test_modules();
    test_module_values();
    test_symbols();
    test_several();
    test_keys();
    test_infix();
    test_trees();
    test_version_1();
    return check_report();
}
