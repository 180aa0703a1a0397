/*
 * sweep_form.c - programs in brief, checked, audited, brought into their forms and to
 * another version with each allocation refused in turn: what only few programs have, such as
 * objects without names, values without tables, dicts where no node is, names in
 * constraints. A call fails for want of memory, or gives what it gives with all the
 * memory there is; and the form has a part in it that says what the row is about.
 */
#include "brief.h"

#include <stdlib.h>

typedef enum call_id { CHECK_IT, AUDIT_IT, FORM_IT, TORCH_IT, MIGRATE_IT, CALLS } call_id;

typedef struct outcome {
    ep_code code;
    size_t calls; /* of the allocator */
    size_t found; /* by the audit */
    uint64_t sum; /* of the form */
    bool holds;   /* the part */
} outcome;

static void hear(void *context, const ep_finding *finding) {
    size_t *found = context;
    CHECK(finding->why != NULL);
    ++*found;
}

static uint64_t sum_of(ep_bytes text) {
    uint64_t sum = text.size;
    for (size_t i = 0; i < text.size; i++) {
        sum = sum * 31 + (unsigned char)text.data[i];
    }
    return sum;
}

static const char *other_version(void) {
    if (strcmp(version, "8.20") == 0) {
        return "7.4";
    }
    return strcmp(version, "2") == 0 ? "1" : "8.20";
}

static outcome run(call_id id, const ep_program *program, const char *part, size_t n, bool all) {
    ep_arena scratch;
    test_heap heap = {.fail_at = n, .fail_on = all, .apart = &scratch};
    ep_canon_options options = {.form = EP_CANON_EPREF, .constant = test_no_type};
    ep_migrate_options moving = {.version = ep_version_find(other_version())};
    ep_built built;
    ep_error error = {.code = EP_OK};
    outcome o = {.code = EP_OK};
    bool ok = false;
    test_arena(&scratch, &heap, 0);
    switch (id) {
    case CHECK_IT:
        ok = ep_check(program, &scratch, NULL, &error);
        break;
    case AUDIT_IT:
        ok = ep_audit(program, &scratch, hear, &o.found, &error);
        break;
    case FORM_IT:
        ok = ep_canon(program, &scratch, &options, &built, &error);
        o.sum = ok ? sum_of(built.text) : 0;
        o.holds = ok && test_holds(built.text, part);
        if (ok && n == 0 && !o.holds) {
            fprintf(stderr, "    %.*s\n", (int)built.text.size, built.text.data);
        }
        break;
    case TORCH_IT:
        options.form = EP_CANON_TORCH;
        ok = ep_canon(program, &scratch, &options, &built, &error);
        o.sum = ok ? sum_of(built.text) : 0;
        break;
    case MIGRATE_IT:
        ok = ep_migrate(program, &scratch, &moving, &built, &error);
        o.sum = ok ? sum_of(built.text) : 0;
        break;
    case CALLS:
        break;
    }
    CHECK_EQ_INT(ok, error.code == EP_OK);
    if (!ok && error.code != EP_MEMORY && id < TORCH_IT) {
        tell_error(&error);
    }
    ep_arena_free(&scratch);
    CHECK(heap.bytes == 0 && heap.blocks == 0);
    o.code = error.code;
    o.calls = heap.calls;
    return o;
}

static void sweep(call_id id, const ep_program *program, const char *part) {
    outcome whole = run(id, program, part, 0, false);
    if (id >= TORCH_IT && ep_code_clause(whole.code) != NULL) {
        return; /* not every program has that form, or can be said in that version */
    }
    CHECK_NOTE(whole.code == EP_OK && (id != FORM_IT || whole.holds), part);
    for (size_t n = 1; n <= whole.calls; n++) {
        outcome o = run(id, program, part, n, n % 2 == 0);
        CHECK(o.code == EP_MEMORY ||
              (o.code == EP_OK && o.sum == whole.sum && o.found == whole.found));
    }
}

/* Whose form has this part. */
static void expect(const char *of, const brief *b, const char *part) {
    test_text text = {0};
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    const ep_program *program;
    ep_decode_options options = ep_decode_options_default();
    version = of;
    options.version = ep_version_find(version);
    test_arena(&arena, &heap, 0);
    add_program(&text, b);
    if (CHECK_NOTE(ep_decode(&arena, test_text_exact(&text), &options, &program, &error),
                   error.pointer)) {
        for (int id = 0; id < CALLS; id++) {
            sweep((call_id)id, program, part);
        }
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    test_text_free(&text);
}

/* ------------------------------------------------------------------- version 1 */

#define TAKES(from, to) NODE("torch.ops.mine.f.default", IN("o", from) ", " IN("x", "<x>"), to)

/* A node of a graph inside the graph takes an object that no name has, or gives one
 * that no table has. */
static void expect_inside(const char *of, const char *object, const char *part, bool given) {
    test_text graph = {0};
    test_text nodes = {0};
    test_add_str(&graph,
                 "{\"name\": \"g\", \"graph\": {\"inputs\": [], \"outputs\": [], \"nodes\": "
                 "[{\"target\": \"torch.ops.mine.f.default\", \"inputs\": [");
    test_add_str(&graph, given ? "], \"outputs\": [" : "{\"name\": \"o\", \"arg\": ");
    test_add_union(&graph, of, "Argument", "as_custom_obj", object);
    test_add_str(&graph,
                 given ? "], \"metadata\": {}}], " : "}], \"outputs\": [], \"metadata\": {}}], ");
    test_add_str(&graph,
                 "\"tensor_values\": {}, \"sym_int_values\": {}, \"sym_bool_values\": {}}}");
    test_add(&graph, "", 1);
    version = of;
    add_graph_node(&nodes, graph.data);
    expect(of, &(const brief){0, 0, {FIELD("Graph.nodes", nodes.data)}}, part);
    test_text_free(&nodes);
    test_text_free(&graph);
}

/* Objects that no name has: in nodes without a use, given by nodes and graphs. */
static void test_objects(void) {
    expect("1",
           PROGRAM(X_TO_X_OLD, VALUES(VALUES3("x", "a", "b")),
                   NODES(TAKES("<!QUI=>", "<a>") ", " TAKES("<!QUJD>", "<b>"))),
           "{\"name\": \"\", \"class_fqn\": \"QUJD\"}");
    expect("1",
           PROGRAM(X_TO_X_OLD, VALUES(VALUES2("x", "a")), NODES(TAKES("<!QUI=>", "<a>, <!QUJD>"))),
           "{\"name\": \"\", \"class_fqn\": \"QUJD\"}");
    expect_inside("1", "{\"blob\": \"QUI=\"}", "\"class_fqn\": \"QUI=\"", false);
    expect_inside("1-2023-12", "{\"name\": \"v0\"}", "\"as_custom_obj\": {\"name\": \"v0\"", true);
}

/* ... and beside what the user gets. */
static void test_outputs(void) {
    const brief two = {1,
                       2,
                       {INPUTS("<x>"), OUTPUTS("<x>, <!QUI=>"), VALUES(VALUES1("x")),
                        FIELD("GraphSignature.user_inputs", "[\"x\"]"),
                        FIELD("GraphSignature.user_outputs", "[\"x\", \"\\u0078\"]")}};
    expect("1", &two, "\"output_specs\": [{\"user_output\"");
    const brief other = {1,
                         2,
                         {INPUTS("<x>"), OUTPUTS("<x>, <y>"), VALUES(VALUES2("x", "y")),
                          NODES(ONE("sin", "x", "y")),
                          FIELD("GraphSignature.user_inputs", "[\"x\"]"),
                          FIELD("GraphSignature.user_outputs", "[\"x\", \"x\"]")}};
    expect("1", &other, "\"output_specs\": [{\"user_output\"");
    const brief object = {2,
                          1,
                          {INPUTS("<x>, <!QUI=>"), OUTPUTS("<x>"), VALUES(VALUES1("x")),
                           FIELD("GraphSignature.user_inputs", "[\"x\", \"x\"]"),
                           FIELD("GraphSignature.user_outputs", "[\"x\"]")}};
    expect("1", &object, "\"input_specs\": [{\"user_input\"");
    const brief joint = {1,
                         1,
                         {INPUTS("<w>, <x>"), OUTPUTS("<y>, <z>"),
                          VALUES(VALUES4("w", "x", "y", "z")),
                          NODES(ONE("sin", "x", "y") ", " ONE("cos", "w", "z")),
                          FIELD("GraphSignature.inputs_to_parameters", "{\"w\": \"m\"}"),
                          FIELD("GraphSignature.user_inputs", "[\"x\"]"),
                          FIELD("GraphSignature.user_outputs", "[\"y\"]"),
                          FIELD("GraphSignature.backward_signature",
                                "{\"gradients_to_parameters\": {\"z\": \"m\"}, "
                                "\"gradients_to_user_inputs\": {}, \"loss_output\": \"y\"}")}};
    expect("1", &joint, "{\"gradient_to_parameter\": {\"arg\": {\"name\": \"v3\"}");
    const brief turned = {2,
                          1,
                          {INPUTS("<\\u0078>, <\\u0079>"), OUTPUTS("<x>"),
                           VALUES(VALUES2("x", "y")),
                           FIELD("GraphSignature.user_inputs", "[\"y\", \"x\"]"),
                           FIELD("GraphSignature.user_outputs", "[\"x\"]")}};
    expect("1", &turned, "{\"user_input\": {\"arg\": {\"as_tensor\": {\"name\": \"v1\"}}}}");
}

/* Constants and constraints, some of whose names stay. */
static void test_constraints(void) {
    test_text constants = {0};
    test_add_str(&constants, "{\"\\u006b\": \"\"");
    for (int i = 40; i > 0; i--) {
        test_add_str(&constants, ", \"k");
        test_add_int(&constants, i);
        test_add_str(&constants, "\": \"\"");
    }
    test_add(&constants, "}", 2);
    expect("1",
           PROGRAM(X_TO_X_OLD, VALUES(VALUES1("x")),
                   FIELD("ExportedProgram.equality_constraints",
                         "[[[\"\\u0078\", 1], [\"k\", 0]], [[\"v\\u0030\", 3], [\"x\", 0]]]"),
                   FIELD("Graph.constants", constants.data)),
           "\"tensor_constant_name\": \"k\"");
    test_text_free(&constants);
}

/* ---------------------------------------------------------------------- latest */

#define SIZED(size, stride) META("7", size, "false", CPU, stride, INT("0"), "7")

/* Symbols that only strides have, of inputs and of what nobody uses. */
static void test_strides(void) {
    expect("8.20",
           PROGRAM(X_TO_X, NODES(ONE("sin", "x", "y") ", " ONE("sin", "x", "z")),
                   VALUES("{\"x\": " SIZED(INT("2"), EXPR(S("s7"))) ", \"y\": " SIZED(
                       INT("2"), EXPR("Mul(Integer(2), " S("s7") ")")) ", \"z\": ~}"),
                   FIELD("ExportedProgram.range_constraints", "{" RANGE("s7") "}")),
           "Symbol('s0'");
}

/* Nodes without a use, of which the first may have a user that waits for more. */
static void test_users(void) {
#define USERS(op, other)                                                                           \
    PROGRAM(X_TO_X, VALUES("{\"x\": ~, \"a\": ~, \"b\": ~, \"c\": ~, \"d\": ~, \"e\": ~}"),        \
            NODES(ONES("a") ", " ONE(op, "x", "b") ", " ONE(other, "b", "c") ", " ONE(             \
                op, "c", "d") ", " TWO("add", "a", "d", "e")))
    const brief *rows[] = {USERS("sin", "cos"),  USERS("tan", "exp"), USERS("neg", "abs"),
                           USERS("relu", "sin"), USERS("cos", "neg"), USERS("exp", "tan")};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect("8.20", rows[i], "torch.ops.aten.add.Tensor");
    }
}

/* Nodes without a use that take symbols by their names, and objects. */
static void test_rest(void) {
#define SYM(name) "{\"as_sym_int\": {\"as_name\": \"" name "\"}}"
    expect("8.20",
           PROGRAM(X_TO_X, VALUES(VALUES3("x", "y", "z")),
                   NODES(NODE("torch.ops.mine.s.default", IN("self", "<x>"), SYM("n")) ", " TAKES(
                       SYM("n"), "<y>") ", " TAKES(SYM("\\u006e"), "<z>")),
                   FIELD("Graph.sym_int_values", "{\"n\": " INT("2") "}")),
           "{\"as_sym_int\": {\"as_name\": \"v1\"}}");
    expect(
        "8.20",
        PROGRAM(
            X_TO_X, VALUES(VALUES3("x", "y", "z")),
            NODES(NODE(
                "torch.ops.aten.sym_size.int", IN("self", "<x>") ", " IN("dim", "{\"as_int\": 0}"),
                SYM("n")) ", " NODE("torch.ops.aten.select.int",
                                    IN("self", "<x>") ", " IN("dim", "{\"as_int\": 0}") ", " IN(
                                        "index", SYM("n")),
                                    "<y>") ", " NODE("torch.ops.aten.select.int",
                                                     IN("self", "<x>") ", " IN(
                                                         "dim",
                                                         "{\"as_int\": 0}") ", " IN("index",
                                                                                    "{\"as_sym_"
                                                                                    "int\": "
                                                                                    "{\"as_int\": "
                                                                                    "1}}"),
                                                     "<z>")),
            FIELD("Graph.sym_int_values", "{\"n\": " INT("2") "}")),
        "{\"as_sym_int\": {\"as_name\": \"v2\"}}");
#define OBJECT(name) "{\"as_custom_obj\": {\"name\": \"" name "\", \"class_fqn\": \"c\"}}"
#define OBJECTS(name)                                                                              \
    PROGRAM(X_TO_X, VALUES(VALUES3("x", "y", "z")),                                                \
            NODES(NODE("torch.ops.mine.o.default", IN("self", "<x>"), OBJECT(name)) ", " TAKES(    \
                OBJECT("\\u006f"), "<y>") ", " TAKES(OBJECT("o"), "<z>")),                         \
            FIELD("Graph.custom_obj_values", "{\"o\": {\"name\": \"o\", \"class_fqn\": \"c\"}}"))
    expect("8.20", OBJECTS("o"), "{\"v1\": {\"name\": \"v1\", \"class_fqn\": \"c\"}}");
}

/* ... and floats by their names; a device with an escape. */
static void test_rest_arguments(void) {
#define SYM_FLOAT "{\"as_sym_float\": {\"as_name\": \"f\"}}"
    expect("8.20",
           PROGRAM(X_TO_X, VALUES(VALUES3("x", "y", "z")),
                   NODES(NODE("torch.ops.mine.s.default", IN("self", "<x>"), SYM_FLOAT) ", " NODE(
                       "torch.ops.aten.mul.Scalar", IN("self", "<x>") ", " IN("other", SYM_FLOAT),
                       "<y>") ", " ONE("sin", "x", "z")),
                   FIELD("Graph.sym_float_values", "{\"f\": {\"as_float\": 1.5}}")),
           "{\"as_sym_float\": {\"as_name\": \"v1\"}}");
#define ONES_ON(device, to)                                                                        \
    NODE("torch.ops.aten.ones.default",                                                            \
         IN("size", "{\"as_ints\": [2]}") ", " IN("device", "{\"as_device\": {\"type\": \"" device \
                                                            "\", \"index\": null}}"),              \
         "<" to ">")
    expect("8.20",
           PROGRAM(X_TO_X, VALUES(VALUES3("x", "y", "z")),
                   NODES(ONES_ON("cp\\u0075", "y") ", " ONES_ON("cuda", "z"))),
           "{\"as_device\": {\"type\": \"cpu\"");
}

/* Nodes that nothing tells apart, in the graph and in one inside it. */
static void test_twins(void) {
#define TWINS(from, one, other) ONE("sin", from, one) ", " ONE("sin", from, other)
    expect("8.20",
           PROGRAM(
               X_TO_X, VALUES(VALUES4("x", "y", "a", "b")),
               NODES(TWINS("x", "a", "b") ", " NODE(
                   "torch.ops.mine.g.default",
                   IN("g", "{\"as_graph\": {\"name\": \"g\", \"graph\": {\"inputs\": [<i>], "
                           "\"outputs\": [<i>], \"nodes\": [" TWINS(
                               "i", "j", "k") "], \"tensor_values\": "
                                              "{\"i\": ~, \"j\": ~, \"k\": ~}, \"sym_int_values\": "
                                              "{}, \"sym_bool_values\": {}}}}"),
                   "<y>"))),
           "\"name\": \"g0\"");
}

/* Who writes what is known already, and takes a chain of nodes that are not. */
static void test_writers(void) {
#define WRITES(to)                                                                                 \
    PROGRAM(X_TO_Y, VALUES("{\"x\": ~, \"y\": ~, \"a\": ~, \"b\": ~, \"c\": ~, \"d\": ~}"),        \
            NODES(ONE("sin", "x", "y") ", " ONE("cos", "x", "a") ", " ONE(                         \
                "cos", "a", "b") ", " ONE("cos", "b", "c") ", " TWO("add_", to, "c", "d")))
    expect("8.20", WRITES("y"), "torch.ops.aten.add_.Tensor");
    expect("8.20", WRITES("x"), "torch.ops.aten.add_.Tensor");
}

/* Symbols in what only few versions or texts say. */
static void test_symbols(void) {
#define SMALL(text) PROGRAM(X_TO_X, VALUES("{\"x\": " SIZED(EXPR(text), INT("1")) "}"))
    expect("8.20", SMALL("CeilToInt(Float('0.000123', precision=53))"), "CeilToInt");
    expect("7.4", SMALL("CeilToInt(0.000123)"), "CeilToInt");
#define TREE_OF(symbol)                                                                            \
    "{\"as_expr\": {\"expr_str\": \"a\", \"expr_ast\": {\"args\": [], "                            \
    "\"base\": {\"as_symbol\": \"" symbol "\"}}}}"
#define AST(symbol) PROGRAM(X_TO_X, VALUES("{\"x\": " SIZED(TREE_OF(symbol), INT("1")) "}"))
    expect("8.2-ast", AST(""), "Symbol('x0'");
    expect("8.2-ast", PROGRAM(X_TO_X, VALUES("{\"x\": " SIZED(INT("2"), TREE_OF("s7")) "}")),
           "Symbol('x0'");
    expect("8.2-ast", AST("\\u0073\\u0037"), "Symbol('x0'");
    expect("8.2-ast",
           PROGRAM(X_TO_X, NODES(ONE("sin", "x", "y")),
                   VALUES("{\"x\": ~, \"y\": " SIZED(TREE_OF("s7"), INT("1")) "}")),
           "Symbol('x0'");
    expect("8.20",
           PROGRAM(X_TO_X, VALUES("{\"x\": " SIZED(EXPR(S("s7")), INT("1")) "}"),
                   FIELD("ExportedProgram.range_constraints",
                         "{" RANGE("s7") ", " RANGE("Piecewise((s7, True), (2, False))") "}")),
           "Piecewise((s0, True), (2, False))");
    expect("8.20",
           PROGRAM(X_TO_X,
                   VALUES("{\"x\": " SIZED(EXPR("Add(" S("s1") ", " S("s2") ")") ", " EXPR(
                                               "Add(" S("s3") ", " S("s4") ")"),
                                           INT("1") ", " INT("1")) "}"),
                   FIELD("ExportedProgram.range_constraints",
                         "{" RANGE("s1") ", " RANGE("s2") ", " RANGE("s3") ", " RANGE("s4") "}")),
           "Symbol('s3'");
    expect("8.20",
           PROGRAM(X_TO_X,
                   VALUES("{\"x\": " SIZED(EXPR("Mul(Integer(1), Integer(1))"), INT("1")) "}")),
           "Integer(1)");
    expect("5.1", PROGRAM(X_TO_X, VALUES("{\"x\": " SIZED(INT("2"), EXPR("s7")) "}")), "\"s0\"");
}

/* A dict where no node is. */
static void test_modules(void) {
#define DICT(key, other)                                                                           \
    "{\"as_string_to_argument\": {\"" key "\": <x>, \"" other "\": {\"as_string_to_argument\": "   \
    "{\"k\": <x>}}}}"
#define SPECS                                                                                      \
    "\"in_spec\": \"[1, " TUPLE(TUPLE(LEAF) ", {\\\"type\\\": \\\"builtins.dict\\\", "             \
                                            "\\\"context\\\": \\\"[]\\\", \\\"children_spec\\\": " \
                                            "[]}") "]\", \"out_spec\": \"[1, " TUPLE(LEAF) "]\""
    expect("8.20",
           PROGRAM(X_TO_X, VALUES(VALUES1("x")),
                   FIELD("GraphModule.module_call_graph",
                         "[{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], " SPECS
                         "}}, "
                         "{\"fqn\": \"m\", \"signature\": {\"inputs\": [<x>], \"outputs\": [" DICT(
                             "b", "a") "], " SPECS "}}]")),
           "\"outputs\": [{\"as_string_to_argument\": {\"a\": {");
}

/* Modules that are called more than once; version 1 has one entry for each. */
static void test_calls(void) {
#define CALLED(name)                                                                               \
    ", {\"fqn\": \"" name "\", \"signature\": {\"inputs\": [<x>], \"outputs\": [<x>], " SPECS "}}"
    expect("8.20",
           PROGRAM(X_TO_X, VALUES(VALUES1("x")),
                   FIELD("GraphModule.module_call_graph",
                         "[{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], " SPECS
                         "}}" CALLED("n@1") CALLED("m") CALLED("m@2") CALLED("n") CALLED("m@1")
                             CALLED("n@10") "]")),
           "\"fqn\": \"n@10\"");
}

/* What a user of version 1 or 2 passes is no pair, or one that is not of this kind. */
static void test_passed(void) {
#define PASSED(spec)                                                                               \
    (&(const brief){                                                                               \
        0,                                                                                         \
        0,                                                                                         \
        {FIELD("ExportedProgram.dialect", "\"ATEN\""),                                             \
         FIELD("GraphModule.module_call_graph",                                                    \
               "[{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], "                \
               "\"in_spec\": \"[1, " spec "]\", \"out_spec\": \"[1, " TUPLE("") "]\"}}]")}})
    expect("1",
           PROGRAM(X_TO_X_OLD, VALUES(VALUES1("x")), FIELD("GraphModule.module_call_graph", "[]"),
                   FIELD("CallSpec.in_spec", "\"[1, " TUPLE(TUPLE(LEAF) ", " TUPLE("")) "]\"")),
           "in_spec");
    expect("2", PASSED(TUPLE("")), "in_spec");
    expect("2", PASSED(TUPLE(TUPLE("") ", " TUPLE(""))), "in_spec");
    expect("2",
           PASSED(TUPLE(TUPLE("") ", {\\\"type\\\": \\\"builtins.dict\\\", \\\"context\\\": "
                                  "\\\"[]\\\", \\\"children_spec\\\": []}")),
           "in_spec");
    expect("2",
           PASSED("{\\\"type\\\": \\\"builtins.list\\\", \\\"context\\\": \\\"null\\\", "
                  "\\\"children_spec\\\": []}"),
           "in_spec");
}

/* A named tuple of version 1, whose name has an escape inside the text. */
static void test_tuple(void) {
    expect(
        "1",
        PROGRAM(X_TO_X_OLD, VALUES(VALUES1("x")),
                FIELD("CallSpec.in_spec",
                      "\"[1, " TUPLE(
                          "{\\\"type\\\": \\\"collections.namedtuple\\\", \\\"context\\\": "
                          "{\\\"class_name\\\": \\\"P\\\\u00e9\\\", \\\"fields\\\": [\\\"a\\\"]}, "
                          "\\\"children_spec\\\": [" LEAF "]}") "]\"")),
        "in_spec");
}

/* Types of the program's own, and a target with an escape: what an audit looks at. */
static void test_own(void) {
#define OWN(items)                                                                                 \
    "{\\\"type\\\": \\\"m.T\\\", \\\"context\\\": \\\"null\\\", \\\"children_spec\\\": [" items "]}"
    expect("8.20",
           PROGRAM(X_TO_Y, VALUES(VALUES2("x", "y")),
                   NODES(NODE("torch.ops.m\\u0069ne.f.default", IN("self", "<x>"), "<y>")),
                   FIELD("GraphModule.module_call_graph",
                         "[{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], " SPECS
                         "}}, "
                         "{\"fqn\": \"m\", \"signature\": {\"inputs\": [<x>], \"outputs\": [<y>], "
                         "\"in_spec\": \"[1, " TUPLE(
                             TUPLE(OWN(LEAF)) ", {\\\"type\\\": \\\"builtins.dict\\\", "
                                              "\\\"context\\\": \\\"[]\\\", \\\"children_spec\\\": "
                                              "[]}") "]\", \"out_spec\": \"[1, " LEAF "]\"}}]")),
           "m.T");
}

int main(void) {
    test_objects();
    test_outputs();
    test_users();
    test_rest();
    test_rest_arguments();
    test_twins();
    test_writers();
    test_symbols();
    test_modules();
    test_calls();
    test_passed();
    test_tuple();
    test_own();
    test_constraints();
    test_strides();
    return check_report();
}
