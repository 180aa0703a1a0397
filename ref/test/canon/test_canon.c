/*
 * test_canon.c - the epref form (canon*.c, SPEC 6.2 to 6.4) of graphs of a few
 * nodes: which of them have one form and which have not; and what is refused.
 */
#include "brief.h"

/* --------------------------------------------------------------------------- tests */

/* Whether the order of the document decides in the form of a program. SPEC 6.1 */
static void check_undecided(const brief *b, bool expected) {
    bool undecided = !expected;
    test_text text = {0};
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    ep_bytes form;
    test_arena(&arena, &heap, 0);
    add_program(&text, b);
    CHECK(make_form(&arena, test_text_exact(&text), &form, &undecided, &error));
    CHECK(undecided == expected);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    test_text_free(&text);
}

/* Two orders of one program of which the form cannot say which is which. */
static void check_tied(const brief *a, const brief *b) {
    check_undecided(a, true);
    check_undecided(b, true);
}

static void test_left_out(void) {
    const brief *plain = PROGRAM(X_TO_Y, NODES(ONE("sin", "x", "y")), VALUES(VALUES2("x", "y")));
    check_same(plain,
               PROGRAM(X_TO_Y,
                       NODES("{\"target\": \"torch.ops.aten.sin.default\", \"inputs\": [{\"name\": "
                             "\"self\", \"arg\": <x>, \"kind\": 1}], \"outputs\": [<y>], "
                             "\"metadata\": {\"stack_trace\": \"here\"}, \"name\": \"sin\", "
                             "\"is_hop_single_tensor_return\": true}"),
                       VALUES(VALUES2("x", "y")),
                       FIELD("ExportedProgram.torch_version", "\"2.15.0\"")));
    check_holds(plain, "\"torch_version\": \"<=2.4\"");
    check_other(plain, PROGRAM(X_TO_Y, NODES(ONE("cos", "x", "y")), VALUES(VALUES2("x", "y"))));
    check_other(plain, PROGRAM(X_TO_Y, NODES(ONE("sin", "x", "y")), VALUES(VALUES2("x", "y")),
                               FIELD("ExportedProgram.verifiers", "[\"TRAINING\"]")));
}

/* Names of arguments stay where guards speak of them; kinds where they are needed. */
static void test_kept(void) {
#define ROOT(names)                                                                                \
    FIELD("GraphModule.module_call_graph",                                                         \
          "[{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], \"in_spec\": \"[1, "  \
          "{\\\"type\\\": \\\"builtins.tuple\\\", \\\"context\\\": \\\"null\\\", "                 \
          "\\\"children_spec\\\": [{\\\"type\\\": \\\"builtins.tuple\\\", \\\"context\\\": "       \
          "\\\"null\\\", \\\"children_spec\\\": [{\\\"type\\\": null, \\\"context\\\": null, "     \
          "\\\"children_spec\\\": []}]}, {\\\"type\\\": \\\"builtins.dict\\\", \\\"context\\\": "  \
          "\\\"[]\\\", \\\"children_spec\\\": []}]}]\", \"out_spec\": \"[1, {\\\"type\\\": "       \
          "null, \\\"context\\\": null, \\\"children_spec\\\": []}]\", "                           \
          "\"forward_arg_names\": " names "}}]")
    const char *const guards = "[\"L['x'].size()[0] >= 2\", \"L['x'].size()[0] != 1\"]";
    check_holds(PROGRAM(X_TO_X, VALUES(VALUES1("x")), ROOT("[\"x\"]"),
                        FIELD("ExportedProgram.guards_code", guards)),
                "\"forward_arg_names\": [\"x\"]");
    check_holds(PROGRAM(X_TO_X, VALUES(VALUES1("x")), ROOT("[\"x\"]"),
                        FIELD("ExportedProgram.guards_code", guards)),
                "\"guards_code\": [\"L['x'].size()[0] != 1\", \"L['x'].size()[0] >= 2\"]");
    check_holds(PROGRAM(X_TO_X, VALUES(VALUES1("x")), ROOT("[\"x\"]")),
                "\"forward_arg_names\": null");
    check_holds(PROGRAM(X_TO_Y,
                        NODES("{\"target\": \"torch.ops.higher_order.wrap\", \"inputs\": "
                              "[{\"name\": \"a\", \"arg\": <x>, \"kind\": 1}, {\"name\": \"\", "
                              "\"arg\": <x>, \"kind\": 1}], \"outputs\": [<y>], \"metadata\": {}}"),
                        VALUES(VALUES2("x", "y"))),
                "{\"name\": \"a\", \"arg\": {\"as_tensor\": {\"name\": \"v0\"}}, \"kind\": 1}, "
                "{\"name\": \"\", \"arg\": {\"as_tensor\": {\"name\": \"v0\"}}, \"kind\": null}");
}

static void test_names(void) {
    const brief *a = PROGRAM(X_TO_Y, NODES(ONE("sin", "x", "t") ", " ONE("cos", "t", "y")),
                             VALUES(VALUES3("x", "y", "t")));
    const brief *b = PROGRAM(INPUTS("<v2>"), OUTPUTS("<v0>"), INS(USER("input", "v2")),
                             OUTS(USER("output", "v0")),
                             NODES(ONE("sin", "v2", "v1") ", " ONE("cos", "v1", "v0")),
                             VALUES(VALUES3("v0", "v1", "v2")));
    const brief *c =
        PROGRAM(INPUTS("<\\u00e9>"), OUTPUTS("<\\u0022>"), INS(USER("input", "\\u00E9")),
                OUTS(USER("output", "\\\"")),
                NODES(ONE("sin", "\xC3\xA9", "\\n") ", " ONE("cos", "\\u000a", "\\\"")),
                VALUES(VALUES3("\\u00e9", "\\n", "\\\"")));
    check_same(a, b);
    check_same(a, c);
    check_holds(a, "\"tensor_values\": {\"v0\": ");
}

/* ------------------------------------------------------------------------ order */

static void test_free_order(void) {
    check_same(PROGRAM(X_TO_Y,
                       NODES(ONE("sin", "x", "a") ", " ONE("cos", "x", "b") ", " TWO("add", "a",
                                                                                     "b", "y")),
                       VALUES(VALUES4("x", "a", "b", "y"))),
               PROGRAM(X_TO_Y,
                       NODES(ONE("cos", "x", "a") ", " ONE("sin", "x", "b") ", " TWO("add", "b",
                                                                                     "a", "y")),
                       VALUES(VALUES4("y", "a", "b", "x"))));
    check_other(PROGRAM(X_TO_Y,
                        NODES(ONE("sin", "x", "a") ", " ONE("cos", "x", "b") ", " TWO("add", "a",
                                                                                      "b", "y")),
                        VALUES(VALUES4("x", "a", "b", "y"))),
                PROGRAM(X_TO_Y,
                        NODES(ONE("sin", "x", "a") ", " ONE("cos", "x", "b") ", " TWO("add", "b",
                                                                                      "a", "y")),
                        VALUES(VALUES4("x", "a", "b", "y"))));
}

/* A read before the write, and behind it. */
static void test_writes(void) {
    check_other(PROGRAM(X_TO_Y, NODES(ONE("sin", "x", "y") ", " ONE("relu_", "x", "a")),
                        VALUES(VALUES3("x", "a", "y"))),
                PROGRAM(X_TO_Y, NODES(ONE("relu_", "x", "a") ", " ONE("sin", "x", "y")),
                        VALUES(VALUES3("x", "a", "y"))));
    /* writes that no output is made of, to what is: found from the group */
    check_same(PROGRAM(X_TO_Y,
                       NODES(ONES("y") ", " ONE("relu_", "y", "a") ", " ONE(
                           "neg_", "y", "b") ", " ONE("sin", "x", "c")),
                       VALUES(VALUES5("x", "a", "b", "c", "y"))),
               PROGRAM(X_TO_Y,
                       NODES(ONE("sin", "x", "c") ", " ONES("y") ", " ONE(
                           "relu_", "y", "a") ", " ONE("neg_", "y", "b")),
                       VALUES(VALUES5("x", "a", "b", "c", "y"))));
    check_other(
        PROGRAM(X_TO_Y, NODES(ONES("y") ", " ONE("relu_", "y", "a") ", " ONE("neg_", "y", "b")),
                VALUES(VALUES4("x", "a", "b", "y"))),
        PROGRAM(X_TO_Y, NODES(ONES("y") ", " ONE("neg_", "y", "a") ", " ONE("relu_", "y", "b")),
                VALUES(VALUES4("x", "a", "b", "y"))));
    /* MODE and WORLD */
#define GRAD(to) NODE("torch._C._set_grad_enabled", IN("", "{\"as_bool\": " to "}"), "")
    check_same(PROGRAM(X_TO_Y,
                       NODES(GRAD("true") ", " ONE("bernoulli", "x", "a") ", " ONE(
                           "sin", "x", "y") ", " ONE("cos", "x", "b") ", " GRAD("false")),
                       VALUES(VALUES4("x", "a", "b", "y"))),
               PROGRAM(X_TO_Y,
                       NODES(GRAD("true") ", " ONE("cos", "x", "a") ", " ONE(
                           "sin", "x", "y") ", " ONE("bernoulli", "x", "b") ", " GRAD("false")),
                       VALUES(VALUES4("x", "a", "b", "y"))));
    check_other(
        PROGRAM(X_TO_Y, NODES(GRAD("true") ", " ONE("sin", "x", "y")), VALUES(VALUES2("x", "y"))),
        PROGRAM(X_TO_Y, NODES(ONE("sin", "x", "y") ", " GRAD("true")), VALUES(VALUES2("x", "y"))));
}

/* Dead nodes: the same whatever their order; chains, users, twins, writes. */
static void test_rest(void) {
    check_same(PROGRAM(X_TO_X, NODES(ONE("sin", "x", "a") ", " ONE("cos", "x", "b")),
                       VALUES(VALUES3("x", "a", "b"))),
               PROGRAM(X_TO_X, NODES(ONE("cos", "x", "a") ", " ONE("sin", "x", "b")),
                       VALUES(VALUES3("x", "a", "b"))));
    check_same(PROGRAM(X_TO_X,
                       NODES(ONE("sin", "x", "a") ", " ONE("sin", "x", "b") ", " ONE(
                           "cos", "b", "c") ", " ONE("tan", "a", "d")),
                       VALUES(VALUES5("x", "a", "b", "c", "d"))),
               PROGRAM(X_TO_X,
                       NODES(ONE("sin", "x", "a") ", " ONE("sin", "x", "b") ", " ONE(
                           "cos", "a", "c") ", " ONE("tan", "b", "d")),
                       VALUES(VALUES5("x", "a", "b", "c", "d"))));
    check_tied(PROGRAM(X_TO_X,
                       NODES(ONES("a") ", " ONES("b") ", " ONE("relu_", "a",
                                                               "c") ", " TWO("add", "a", "b", "d")),
                       VALUES(VALUES5("x", "a", "b", "c", "d"))),
               PROGRAM(X_TO_X,
                       NODES(ONES("b") ", " ONES("a") ", " ONE("relu_", "a",
                                                               "c") ", " TWO("add", "a", "b", "d")),
                       VALUES(VALUES5("x", "a", "b", "c", "d"))));
    check_other(
        PROGRAM(X_TO_X, NODES(ONES("a") ", " ONE("relu_", "a", "b") ", " ONE("sin", "a", "c")),
                VALUES(VALUES4("x", "a", "b", "c"))),
        PROGRAM(X_TO_X, NODES(ONES("a") ", " ONE("sin", "a", "c") ", " ONE("relu_", "a", "b")),
                VALUES(VALUES4("x", "a", "b", "c"))));
    /* writes to one, seen by the other's user alone */
    check_tied(PROGRAM(X_TO_X,
                       NODES(ONES("a") ", " ONES("b") ", " TWO("add_", "a", "b", "c") ", " TWO(
                           "add_", "b", "a", "d")),
                       VALUES(VALUES5("x", "a", "b", "c", "d"))),
               PROGRAM(X_TO_X,
                       NODES(ONES("b") ", " ONES("a") ", " TWO("add_", "a", "b", "c") ", " TWO(
                           "add_", "b", "a", "d")),
                       VALUES(VALUES5("x", "a", "b", "c", "d"))));
}

/* -------------------------------------------------------------- arguments, values */

/* Subgraphs that return their tensor. */
#define BRANCH(name, node)                                                                         \
    "{\"as_graph\": {\"name\": \"" name "\", \"graph\": {\"inputs\": [<a>], \"outputs\": [<b>], "  \
    "\"nodes\": [" node "], \"tensor_values\": {\"a\": ~, \"b\": ~}, \"sym_int_values\": {}, "     \
    "\"sym_bool_values\": {}}}}"
#define STRICT(name, more, to)                                                                     \
    NODE("torch.ops.higher_order.strict_mode",                                                     \
         IN("", BRANCH(name, ONE("sin", "a", "b"))) ", " IN("", "<x>") more, "<" to ">")

static const char *const constants[] = {
    "{\"as_none\": true}",
    "{\"as_int\": 1}",
    "{\"as_int\": -1}",
    "{\"as_ints\": []}",
    "{\"as_ints\": [1]}",
    "{\"as_ints\": [1, 1]}",
    "{\"as_int_lists\": [[1], [1]]}",
    "{\"as_float\": 1.0}",
    "{\"as_float\": \"Infinity\"}",
    "{\"as_float\": \"-Infinity\"}",
    "{\"as_float\": \"NaN\"}",
    "{\"as_floats\": [1.0]}",
    "{\"as_string\": \"1\"}",
    "{\"as_string\": \"\"}",
    "{\"as_string\": \"\\u00e9\"}",
    "{\"as_strings\": [\"1\"]}",
    "{\"as_bool\": true}",
    "{\"as_bool\": false}",
    "{\"as_bools\": [true]}",
    "{\"as_scalar_type\": 7}",
    "{\"as_scalar_type\": 6}",
    "{\"as_memory_format\": 1}",
    "{\"as_layout\": 7}",
    "{\"as_device\": {\"type\": \"cpu\"}}",
    "{\"as_device\": {\"type\": \"cuda\", \"index\": 1}}",
    "{\"as_complex\": {\"real\": 1.0, \"imag\": -0.0}}",
    "{\"as_complex\": {\"real\": 1.0, \"imag\": 0.0}}",
    "{\"as_operator\": \"torch.ops.aten.sin.default\"}",
};

/* A node without a use that is given a constant. */
static void add_strict(test_text *text, const char *name, const char *constant, const char *to) {
    test_add_str(text, "{\"target\": \"torch.ops.higher_order.strict_mode\", \"inputs\": "
                       "[{\"name\": \"\", \"arg\": {\"as_graph\": {\"name\": \"");
    test_add_str(text, name);
    test_add_str(text, "\", \"graph\": {\"inputs\": [<a>], \"outputs\": [<a>], \"nodes\": [], "
                       "\"tensor_values\": {\"a\": ~}, \"sym_int_values\": {}, "
                       "\"sym_bool_values\": {}}}}}, " IN("", "<x>") ", {\"name\": \"\", "
                                                                     "\"arg\": ");
    test_add_str(text, constant);
    test_add_str(text, "}], \"outputs\": [<");
    test_add_str(text, to);
    test_add_str(text, ">], \"metadata\": {}}");
}

/* The form of x -> x, with two such nodes. */
static void add_strict_form(test_text *form, const char *first, const char *second) {
    test_text nodes = {0};
    test_add_str(&nodes, "[");
    add_strict(&nodes, "g", first, "c");
    test_add_str(&nodes, ", ");
    add_strict(&nodes, "h", second, "d");
    test_add(&nodes, "]", 2);
    const brief b = {1, 1, {X_TO_X, {"Graph.nodes", nodes.data}, VALUES(VALUES3("x", "c", "d"))}};
    add_form(form, &b);
    test_text_free(&nodes);
}

/* The same in both orders, and not what two with the same constant are. */
static void check_constants(const char *first, const char *second) {
    test_text forms[3] = {{0}};
    add_strict_form(&forms[0], first, second);
    add_strict_form(&forms[1], second, first);
    add_strict_form(&forms[2], first, first);
    CHECK_EQ_BYTES(forms[0].data, forms[0].size, forms[1].data, forms[1].size);
    CHECK(forms[0].size != forms[2].size ||
          memcmp(forms[0].data, forms[2].data, forms[0].size) != 0);
    for (size_t i = 0; i < 3; i++) {
        test_text_free(&forms[i]);
    }
}

static void test_constants(void) {
    const size_t count = sizeof constants / sizeof constants[0];
    for (size_t i = 0; i < count; i++) {
        check_constants(constants[i], constants[(i + 1) % count]);
        check_constants(constants[i], constants[(i + 5) % count]);
    }
}

static const char *const metas[] = {
    META("7", INT("2"), "false", CPU, INT("1"), INT("0"), "7"),
    META("6", INT("2"), "false", CPU, INT("1"), INT("0"), "7"),
    META("7", INT("3"), "false", CPU, INT("1"), INT("0"), "7"),
    META("7", INT("2"), "true", CPU, INT("1"), INT("0"), "7"),
    META("7", INT("2"), "false", "\"type\": \"cuda\"", INT("1"), INT("0"), "7"),
    META("7", INT("2"), "false", CPU ", \"index\": 0", INT("1"), INT("0"), "7"),
    META("7", INT("2"), "false", CPU, INT("2"), INT("0"), "7"),
    META("7", INT("2"), "false", CPU, INT("1"), INT("1"), "7"),
    META("7", "", "false", CPU, "", INT("0"), "7"),
    META("7", INT("2"), "false", CPU, "", INT("0"), "1"),
    META("7", EXPR(S("s4")), "false", CPU, INT("1"), INT("0"), "7"),
    META("7", EXPR("Add(Integer(1), " S("s4") ")"), "false", CPU, INT("1"), INT("0"), "7"),
};

/* Two nodes that differ in what they define alone are not merged, nor told apart. */
static void test_metas(void) {
    const size_t count = sizeof metas / sizeof metas[0];
    for (size_t i = 1; i < count; i++) {
        test_text values[2] = {{0}};
        for (size_t j = 0; j < 2; j++) {
            test_add_str(&values[j], "{\"x\": ~, \"a\": ");
            test_add_str(&values[j], metas[j == 0 ? i : 0]);
            test_add_str(&values[j], ", \"b\": ");
            test_add_str(&values[j], metas[j == 0 ? 0 : i]);
            test_add(&values[j], "}", 2);
        }
        const brief a = {1,
                         1,
                         {X_TO_X, NODES(ONE("sin", "x", "a") ", " ONE("sin", "x", "b")),
                          VALUES(values[0].data),
                          FIELD("ExportedProgram.range_constraints", "{" RANGE("s4") "}")}};
        const brief b = {1,
                         1,
                         {X_TO_X, NODES(ONE("sin", "x", "a") ", " ONE("sin", "x", "b")),
                          VALUES(values[1].data),
                          FIELD("ExportedProgram.range_constraints", "{" RANGE("s4") "}")}};
        check_tied(&a, &b);
        test_text_free(&values[0]);
        test_text_free(&values[1]);
    }
}

/* Dicts in arguments, one in another; what they hold is used in the order of keys. */
static void test_dicts(void) {
    check_same(PROGRAM(X_TO_Y,
                       NODES(NODE("#my:op",
                                  IN("d", "{\"as_string_to_argument\": {\"b\": <x>, \"a\": "
                                          "{\"as_string_to_argument\": {\"\\u0063\": " INT(
                                              "1") ", \"b\": <x>}}}}"),
                                  "<y>")),
                       VALUES(VALUES2("x", "y")),
                       FIELD("GraphModule.metadata", "{\"b\": \"1\", \"a\": \"2\"}")),
               PROGRAM(X_TO_Y,
                       NODES(NODE("#my:op",
                                  IN("d", "{\"as_string_to_argument\": {\"a\": "
                                          "{\"as_string_to_argument\": {\"b\": <x>, \"c\": " INT(
                                              "1") "}}, \"b\": <x>}}"),
                                  "<y>")),
                       VALUES(VALUES2("x", "y")),
                       FIELD("GraphModule.metadata", "{\"a\": \"2\", \"b\": \"1\"}")));
    /* in nodes without a use, and in subgraphs */
    check_same(PROGRAM(X_TO_X,
                       NODES(STRICT("g",
                                    ", " IN("", "{\"as_string_to_argument\": {\"b\": " INT(
                                                    "1") ", \"a\": " INT("2") "}}"),
                                    "c") ", " STRICT("h", "", "d")),
                       VALUES(VALUES3("x", "c", "d"))),
               PROGRAM(X_TO_X,
                       NODES(STRICT("g", "", "c") ", " STRICT(
                           "h",
                           ", " IN("", "{\"as_string_to_argument\": {\"a\": " INT(
                                           "2") ", \"b\": " INT("1") "}}"),
                           "d")),
                       VALUES(VALUES3("x", "c", "d"))));
}

/* ---------------------------------------------------------------- symbolic values */

#define SYM(name) "{\"as_sym_int\": {\"as_name\": \"" name "\"}}"
#define SYMBOLS(text) FIELD("Graph.sym_int_values", "{" text "}")
#define ADD_SYM(a, b, to) NODE("_operator.add", IN("a", a) ", " IN("b", b), SYM(to))

/* Nodes without a use that define sizes and their sums: told apart by what they
 * take, numbers in the place of symbols included, and by what they are. */
static void test_symbolic(void) {
#define SIZES(first, second, c, d)                                                                 \
    PROGRAM(X_TO_X,                                                                                \
            NODES(NODE("torch.ops.aten.sym_size.int", IN("self", "<x>") ", " IN("dim", INT("0")),  \
                       SYM("a")) ", " first ", " second),                                          \
            VALUES(VALUES1("x")), SYMBOLS("\"a\": " EXPR(S("s1")) ", \"c\": " c ", \"d\": " d),    \
            FIELD("ExportedProgram.range_constraints", "{" RANGE("s1") "}"))
#define SUM "Add(Integer(1), " S("s1") ")"
    check_same(SIZES(ADD_SYM(SYM("a"), INT("1"), "c"), ADD_SYM(SYM("a"), SYM("a"), "d"), EXPR(SUM),
                     EXPR(SUM)),
               SIZES(ADD_SYM(SYM("a"), SYM("a"), "c"), ADD_SYM(SYM("a"), INT("1"), "d"), EXPR(SUM),
                     EXPR(SUM)));
    check_tied(SIZES(ADD_SYM(SYM("a"), INT("1"), "c"), ADD_SYM(SYM("a"), INT("1"), "d"), EXPR(SUM),
                     INT("7")),
               SIZES(ADD_SYM(SYM("a"), INT("1"), "c"), ADD_SYM(SYM("a"), INT("1"), "d"), INT("7"),
                     EXPR(SUM)));
    check_same(
        SIZES(ADD_SYM(SYM("a"), "{\"as_sym_int\": {\"as_int\": 2}}", "c"),
              ADD_SYM(SYM("a"), "{\"as_sym_int\": {\"as_int\": 3}}", "d"), EXPR(SUM), EXPR(SUM)),
        SIZES(ADD_SYM(SYM("a"), "{\"as_sym_int\": {\"as_int\": 3}}", "c"),
              ADD_SYM(SYM("a"), "{\"as_sym_int\": {\"as_int\": 2}}", "d"), EXPR(SUM), EXPR(SUM)));
}

/* Symbolic floats and bools, by expressions and by numbers. */
static void test_symbolic_kinds(void) {
#define TO_FLOAT(to)                                                                               \
    NODE("torch.sym_float", IN("a", INT("1")), "{\"as_sym_float\": {\"as_name\": \"" to "\"}}")
#define IS_LESS(to)                                                                                \
    NODE("_operator.lt", IN("a", INT("1")) ", " IN("b", INT("2")),                                 \
         "{\"as_sym_bool\": {\"as_name\": \"" to "\"}}")
#define FLOATS(c, d, e, f)                                                                         \
    PROGRAM(                                                                                       \
        X_TO_X, NODES(TO_FLOAT("c") ", " TO_FLOAT("d") ", " IS_LESS("e") ", " IS_LESS("f")),       \
        VALUES(VALUES1("x")), FIELD("Graph.sym_float_values", "{\"c\": " c ", \"d\": " d "}"),     \
        FIELD("Graph.sym_bool_values", "{\"e\": " e ", \"f\": " f "}"),                            \
        FIELD("ExportedProgram.range_constraints", "{\"zf1\": {\"min_val\": 2, \"max_val\": 9}}"))
#define ZF EXPR("Symbol('zf1', positive=True, real=True)")
    check_tied(FLOATS("{\"as_float\": 1.0}", "{\"as_float\": 2.0}", "{\"as_bool\": true}",
                      "{\"as_bool\": false}"),
               FLOATS("{\"as_float\": 2.0}", "{\"as_float\": 1.0}", "{\"as_bool\": false}",
                      "{\"as_bool\": true}"));
    check_tied(FLOATS("{\"as_float\": 1.0}", ZF, "{\"as_bool\": true}",
                      EXPR("LessThan(Symbol('zf1', positive=True, real=True), Integer(1))")),
               FLOATS(ZF, "{\"as_float\": 1.0}",
                      EXPR("LessThan(Symbol('zf1', positive=True, real=True), Integer(1))"),
                      "{\"as_bool\": true}"));
}

/* Tensors that may be there, lists of them, objects. */
static void test_optional(void) {
#define INDEX(list, to)                                                                            \
    NODE("torch.ops.aten.index.Tensor",                                                            \
         IN("self", "<x>") ", " IN("indices", "{\"as_optional_tensors\": [" list "]}"),            \
         "<" to ">")
#define NO_TENSOR "{\"as_none\": true}"
#define A_TENSOR "{\"as_tensor\": {\"name\": \"x\"}}"
    check_same(PROGRAM(X_TO_X, NODES(INDEX(NO_TENSOR ", " A_TENSOR, "c") ", " INDEX(A_TENSOR, "d")),
                       VALUES(VALUES3("x", "c", "d"))),
               PROGRAM(X_TO_X, NODES(INDEX(A_TENSOR, "c") ", " INDEX(NO_TENSOR ", " A_TENSOR, "d")),
                       VALUES(VALUES3("x", "c", "d"))));
    /* a node without a use that is given an object, in a subgraph without one */
    const brief with_object = {
        1,
        1,
        {INPUTS("{\"as_custom_obj\": {\"name\": \"o\", \"class_fqn\": \"a.B\"}}, <x>"),
         OUTPUTS("<x>"),
         NODES("{\"target\": \"torch.ops.higher_order.strict_mode\", \"inputs\": [" IN(
             "", "{\"as_graph\": {\"name\": \"g\", \"graph\": {\"inputs\": [{\"as_custom_obj\": "
                 "{\"name\": \"p\", \"class_fqn\": \"a.B\"}}], \"outputs\": [], \"nodes\": "
                 "[], \"tensor_values\": {}, \"sym_int_values\": {}, \"sym_bool_values\": "
                 "{}, \"custom_obj_values\": {\"p\": {\"name\": \"p\", \"class_fqn\": "
                 "\"a.B\"}}}}}") ", " IN("", "{\"as_custom_obj\": {\"name\": \"o\", "
                                             "\"class_fqn\": \"a.B\"}}") "], \"outputs\": [], "
                                                                         "\"metadata\": {}}"),
         VALUES(VALUES1("x")),
         FIELD("Graph.custom_obj_values", "{\"o\": {\"name\": \"o\", \"class_fqn\": \"a.B\"}}"),
         INS("{\"custom_obj\": {\"arg\": {\"name\": \"o\", \"class_fqn\": \"a.B\"}, "
             "\"custom_obj_name\": \"obj\"}}, " USER("input", "x")),
         OUTS(USER("output", "x"))}};
    check_holds(&with_object, "\"custom_obj_values\": {\"v0\": {\"name\": \"v0\"");
}

/* ---------------------------------------------------------------------- subgraphs */

#define COND(first, second)                                                                        \
    NODE(                                                                                          \
        "torch.ops.higher_order.cond",                                                             \
        IN("pred", "<x>") ", " IN("true", BRANCH(first, ONE("sin", "a", "b"))) ", " IN(            \
            "false", BRANCH(second, ONE("cos", "a", "b"))) ", " IN("operands",                     \
                                                                   "{\"as_tensors\": [{\"name\": " \
                                                                   "\"x\"}]}"),                    \
        "<y>")

static void test_subgraphs(void) {
    const brief *a = PROGRAM(X_TO_Y, NODES(COND("t", "f")), VALUES(VALUES2("x", "y")));
    check_same(a, PROGRAM(X_TO_Y, NODES(COND("g1", "g0")), VALUES(VALUES2("x", "y"))));
    check_holds(a, "\"as_graph\": {\"name\": \"g1\", \"graph\": {\"inputs\": [{\"as_tensor\": "
                   "{\"name\": \"v0\"}}]");
    /* dead nodes that differ inside their subgraphs */
    check_tied(
        PROGRAM(X_TO_X,
                NODES(NODE(
                    "torch.ops.higher_order.strict_mode",
                    IN("", BRANCH("g", ONE("sin", "a", "b"))) ", " IN("", "<x>"),
                    "<c>") ", " NODE("torch.ops.higher_order.strict_mode",
                                     IN("", BRANCH("h", ONE("cos", "a", "b"))) ", " IN("", "<x>"),
                                     "<d>")),
                VALUES(VALUES3("x", "c", "d"))),
        PROGRAM(X_TO_X,
                NODES(NODE(
                    "torch.ops.higher_order.strict_mode",
                    IN("", BRANCH("g", ONE("cos", "a", "b"))) ", " IN("", "<x>"),
                    "<c>") ", " NODE("torch.ops.higher_order.strict_mode",
                                     IN("", BRANCH("h", ONE("sin", "a", "b"))) ", " IN("", "<x>"),
                                     "<d>")),
                VALUES(VALUES3("x", "c", "d"))));
}

/* ---------------------------------------------------------------------- undecided */

/* A zigzag of dead nodes says the same twice on each of its steps, and becomes one. */
static void test_merged(void) {
    check_same(PROGRAM(X_TO_X,
                       NODES(ONES("a") ", " ONES("b") ", " ONES("c") ", " TWO(
                           "add", "a", "b", "d") ", " TWO("add", "b", "c", "e")),
                       VALUES("{\"x\": ~, \"a\": ~, \"b\": ~, \"c\": ~, \"d\": ~, \"e\": ~}")),
               PROGRAM(X_TO_X, NODES(ONES("a") ", " TWO("add", "a", "a", "d")),
                       VALUES(VALUES3("x", "a", "d"))));
    /* a write between two that say the same, one of them before it */
    check_other(
        PROGRAM(X_TO_X,
                NODES(ONE("sin", "x", "a") ", " ONE("relu_", "x", "b") ", " ONE("sin", "x", "c")),
                VALUES(VALUES4("x", "a", "b", "c"))),
        PROGRAM(X_TO_X, NODES(ONE("sin", "x", "a") ", " ONE("relu_", "x", "b")),
                VALUES(VALUES3("x", "a", "b"))));
    /* live nodes are not merged */
    check_other(PROGRAM(X_TO_Y,
                        NODES(ONE("sin", "x", "a") ", " ONE("sin", "x", "b") ", " TWO("add", "a",
                                                                                      "b", "y")),
                        VALUES(VALUES4("x", "a", "b", "y"))),
                PROGRAM(X_TO_Y, NODES(ONE("sin", "x", "a") ", " TWO("add", "a", "a", "y")),
                        VALUES(VALUES3("x", "a", "y"))));
}

static void test_undecided(void) {
#define OF_SIZE(expression, ranges)                                                                \
    PROGRAM(                                                                                       \
        X_TO_X, NODES(""),                                                                         \
        VALUES("{\"x\": " META("7", EXPR(expression), "false", CPU, INT("1"), INT("0"), "7") "}"), \
        FIELD("ExportedProgram.range_constraints", "{" ranges "}"))
#define RANGES3 RANGE("s1") ", " RANGE("s2") ", " RANGE("s3")
#define TIMES(a, b) "Mul(" S(a) ", " S(b) ")"
    check_undecided(OF_SIZE(S("s1"), RANGE("s1")), false);
    check_undecided(
        OF_SIZE("Add(Mul(Integer(2), " S("s1") "), " S("s2") ")", RANGE("s1") ", " RANGE("s2")),
        false);
    check_undecided(
        OF_SIZE("Add(" TIMES("s1", "s2") ", " TIMES("s2", "s3") ", " TIMES("s3", "s1") ")",
                RANGES3),
        true);
    /* symbols that only ranges have */
    check_undecided(OF_SIZE(S("s1"), RANGE("s1") ", " RANGE("s2")), false);
    check_undecided(OF_SIZE(S("s1"), RANGES3), false);
    /* nodes without a use */
    check_undecided(PROGRAM(X_TO_X, NODES(ONE("sin", "x", "c") ", " ONE("cos", "x", "d")),
                            VALUES(VALUES3("x", "c", "d"))),
                    false);
    check_undecided(PROGRAM(X_TO_X, NODES(ONE("sin", "x", "c") ", " ONE("sin", "x", "d")),
                            VALUES(VALUES3("x", "c", "d"))),
                    false);
}

/* ------------------------------------------------------------------------- errors */

static void check_refused(const char *text, const ep_decode_options *options, size_t cap,
                          ep_code code) {
    const ep_canon_options epref = {.form = EP_CANON_EPREF};
    test_heap heap = {0};
    ep_arena arena;
    ep_arena scratch;
    ep_error error;
    const ep_program *program;
    ep_built built = {{"x", 1}, NULL};
    test_arena(&arena, &heap, 0);
    test_arena(&scratch, &heap, cap);
    if (CHECK(ep_decode(&arena, (ep_bytes){text, strlen(text)}, options, &program, &error))) {
        CHECK(!ep_canon(program, &scratch, &epref, &built, &error));
        CHECK_EQ_INT(error.code, code);
        CHECK(built.text.data == NULL && built.program == NULL);
        CHECK(cap == 0 || ep_arena_peak(&scratch) <= cap);
    }
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
}

/* What is no program has no form; nor has one that was not read whole. */
static void test_errors(void) {
    ep_decode_options options = ep_decode_options_default();
    test_text text = {0};
    add_program(&text, PROGRAM(X_TO_Y, NODES(ONE("sin", "no", "y")), VALUES(VALUES2("x", "y"))));
    test_add(&text, "", 1);
    check_refused(text.data, &options, 0, EP_VALUE_UNDEFINED);
    test_text_free(&text);
    add_program(&text, PROGRAM(X_TO_Y, NODES(ONE("sin", "x", "y")), VALUES(VALUES2("x", "y"))));
    test_add(&text, "", 1);
    check_refused(text.data, &options, 64, EP_MEMORY);
    check_refused(text.data, &options, 8192, EP_MEMORY);
    char *minor = strstr(text.data, "\"minor\": 20");
    char *field = strstr(text.data, "\"kind\"");
    options.forward = true;
    if (CHECK(minor != NULL)) {
        memcpy(minor, "\"minor\": 99", 11);
    }
    if (field != NULL) {
        memcpy(field, "\"newk\"", 6);
    } else {
        memcpy(strstr(text.data, "\"verifiers\""), "\"verifierz\"", 11);
    }
    check_refused(text.data, &options, 0, EP_ARGUMENT);
    test_text_free(&text);
}

int main(void) {
    test_left_out();
    test_kept();
    test_names();
    test_free_order();
    test_writes();
    test_rest();
    test_constants();
    test_metas();
    test_dicts();
    test_symbolic();
    test_symbolic_kinds();
    test_optional();
    test_subgraphs();
    test_merged();
    test_undecided();
    test_errors();
    return check_report();
}
