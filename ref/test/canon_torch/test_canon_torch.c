/*
 * test_canon_torch.c - the torch form (canon_torch*.c) on graphs of a few nodes:
 * what is put in which order, what gets which name, what is refused, and where
 * releases differ. golden_canon_torch.c has what PyTorch itself made.
 */
#include "check.h"
#include "support.h"
#include "whole.h"

#define T(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"
#define ARG(arg) "{\"name\": \"self\", \"arg\": " arg "}"
#define NODE(target, inputs, outputs)                                                              \
    "{\"target\": \"" target "\", \"inputs\": [" inputs "], \"outputs\": [" outputs                \
    "], \"metadata\": {\"k\": \"v\"}}"
#define CLEAR(target, inputs, outputs)                                                             \
    "{\"target\": \"" target "\", \"inputs\": [" inputs "], \"outputs\": [" outputs                \
    "], \"metadata\": {}}"
#define VALUE(name, size) "\"" name "\": " META_OF(size)
#define USER_IN(arg) "{\"user_input\": {\"arg\": " arg "}}"
#define USER_OUT(arg) "{\"user_output\": {\"arg\": " arg "}}"
#define GRAPH(inputs, outputs, nodes, values)                                                      \
    "{\"inputs\": [" inputs "], \"outputs\": [" outputs "], \"nodes\": [" nodes                    \
    "], \"tensor_values\": {" values "}, \"sym_int_values\": {}, \"sym_bool_values\": {}}"

/* A program by what differs from an empty one. NULL: nothing. */
typedef struct parts {
    const char *inputs;
    const char *outputs;
    const char *nodes;
    const char *values;
    const char *input_specs;
    const char *output_specs;
    const char *field; /* one more */
    const char *text;
} parts;

static void add_parts(test_text *text, const char *version, const parts *p) {
    test_hole holes[9];
    test_hole all[] = {
        {"Graph.inputs", p->inputs},
        {"Graph.outputs", p->outputs},
        {"Graph.nodes", p->nodes},
        {"Graph.tensor_values", p->values},
        {"GraphSignature.input_specs", p->input_specs},
        {"GraphSignature.output_specs", p->output_specs},
        {p->field, p->text},
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].field != NULL && all[i].text != NULL) {
            holes[n++] = all[i];
        }
    }
    holes[n] = (test_hole){NULL, NULL};
    test_program(text, version, holes);
}

typedef struct form {
    test_text text;
    test_heap heap;
    ep_arena arena;
    ep_built built;
    ep_error error;
} form;

static bool make_form(form *f, const char *version, const ep_canon_options *options) {
    const ep_program *program = NULL;
    ep_decode_options decoding = ep_decode_options_default();
    decoding.version = ep_version_find(version);
    test_arena(&f->arena, &f->heap, 0);
    return CHECK_NOTE(
               ep_decode(&f->arena, test_text_exact(&f->text), &decoding, &program, &f->error),
               f->error.pointer) &&
           ep_canon(program, &f->arena, options, &f->built, &f->error);
}

static void end_form(form *f) {
    ep_arena_free(&f->arena);
    CHECK_EQ_INT(f->heap.bytes, 0);
    test_text_free(&f->text);
}

static const ep_canon_options torch = {.form = EP_CANON_TORCH};

/* The text as the version's release writes it. */
static void add_encoded(test_text *out, const char *version, const parts *p) {
    form f = {0};
    const ep_program *program = NULL;
    ep_decode_options decoding = ep_decode_options_default();
    decoding.version = ep_version_find(version);
    add_parts(&f.text, version, p);
    test_arena(&f.arena, &f.heap, 0);
    if (CHECK_NOTE(ep_decode(&f.arena, test_text_exact(&f.text), &decoding, &program, &f.error),
                   f.error.pointer)) {
        CHECK(ep_encode(program, &f.arena, test_sink, out, NULL));
    }
    end_form(&f);
}

static void check_with(const char *version, const ep_canon_options *options, const parts *before,
                       const parts *after) {
    form f = {0};
    test_text expected = {0};
    add_parts(&f.text, version, before);
    add_encoded(&expected, version, after);
    if (CHECK_NOTE(make_form(&f, version, options), f.error.detail)) {
        CHECK_EQ_BYTES(f.built.text.data, f.built.text.size, expected.data, expected.size);
        CHECK(f.built.program == NULL);
        CHECK_EQ_INT(f.error.code, EP_OK);
    } else {
        fprintf(stderr, "    %s at %s\n", ep_code_name(f.error.code), f.error.pointer);
    }
    test_text_free(&expected);
    end_form(&f);
}

static void check_canon(const char *version, const parts *before, const parts *after) {
    check_with(version, &torch, before, after);
}

static void check_refused(const char *version, const parts *p, ep_code code, const char *pointer) {
    form f = {0};
    add_parts(&f.text, version, p);
    CHECK(!make_form(&f, version, &torch));
    CHECK(f.built.text.data == NULL && f.built.program == NULL);
    CHECK_EQ_INT(f.error.code, code);
    CHECK_EQ_STR(f.error.pointer, strlen(f.error.pointer), pointer);
    end_form(&f);
}

/* x goes in, y comes out. */
#define XY                                                                                         \
    .inputs = "[" T("x") "]", .outputs = "[" T("y") "]", .input_specs = "[" USER_IN(T("x")) "]",   \
    .output_specs = "[" USER_OUT(T("y")) "]"
#define XY_FORM(in, out)                                                                           \
    .inputs = "[" T(in) "]", .outputs = "[" T(out) "]", .input_specs = "[" USER_IN(T(in)) "]",     \
    .output_specs = "[" USER_OUT(T(out)) "]"

/* --------------------------------------------------------------------- graphs */

/* Ready nodes by target, then by what they take; ten names and more sort as
 * texts. SPEC 6.9.8 to 6.9.11 */
static void test_order(void) {
    parts before = {XY,
                    .nodes = "[" NODE("b", ARG(T("x")), T("y")) ", " NODE(
                        "c", ARG(T("a")), T("z")) ", " NODE("a", ARG(T("x")), T("a")) "]",
                    .values = "{" VALUE("y", "2") ", " VALUE("z", "4") ", " VALUE(
                        "a", "3") ", " VALUE("x", "1") "}"};
    parts after = {XY_FORM("_0", "_2"),
                   .nodes = "[" CLEAR("a", ARG(T("_0")), T("_1")) ", " CLEAR(
                       "b", ARG(T("_0")), T("_2")) ", " CLEAR("c", ARG(T("_1")), T("_3")) "]",
                   .values = "{" VALUE("_0", "1") ", " VALUE("_1", "3") ", " VALUE(
                       "_2", "2") ", " VALUE("_3", "4") "}"};
    check_canon("8.20", &before, &after);
    check_canon("8.20", &after, &after);
    check_canon("5.1", &before, &after);
}

/* Of two keys that begin alike the shorter goes first; what has no name goes
 * before what has; equal ones go as they stand. SPEC 6.9.8 */
static void test_keys(void) {
    parts before = {
        XY,
        .nodes = "[" NODE("f", ARG("{\"as_tensors\": [{\"name\": \"x\"}, {\"name\": \"x\"}]}"), T("p")) ", " NODE(
            "f", ARG(T("x")) ", " ARG("{\"as_int\": 2}"),
            T("q")) ", " NODE("f", ARG(T("x")),
                              T("y")) ", " NODE("f", ARG("{\"as_int\": 1}"),
                                                T("r")) ", " NODE("f", ARG("{\"as_tensors\": []}"),
                                                                  T("s")) ", " NODE("f",
                                                                                    ARG("{\"as_"
                                                                                        "int\": "
                                                                                        "0}"),
                                                                                    T("t")) ","
                                                                                            " " NODE(
                                                                                                "\\"
                                                                                                "u0"
                                                                                                "0e"
                                                                                                "9",
                                                                                                "",
                                                                                                "") ", " NODE("z",
                                                                                                              "",
                                                                                                              "") "]",
        .values = "{" VALUE("p", "1") ", " VALUE("q", "2") ", " VALUE("r", "3") ", " VALUE(
            "s", "4") ", " VALUE("t", "5") ", " VALUE("x", "6") ", " VALUE("y", "7") "}"};
    parts after = {
        XY_FORM("_0", "_4"),
        .nodes =
            "[" CLEAR("f", ARG("{\"as_tensors\": []}"), T("_1")) ", " CLEAR("f", ARG("{\"as_int\": 1}"), T("_2")) ", " CLEAR(
                "f", ARG("{\"as_int\": 0}"),
                T("_3")) ", " CLEAR("f", ARG(T("_0")),
                                    T("_4")) ", " CLEAR("f",
                                                        ARG(T("_0")) ", " ARG("{\"as_int\": 2}"),
                                                        T("_5")) ", " CLEAR("f",
                                                                            ARG("{\"as_tensors\": "
                                                                                "[{\"name\": "
                                                                                "\"_0\"}, "
                                                                                "{\"name\": "
                                                                                "\"_0\"}]}"),
                                                                            T("_6")) ", " CLEAR("z",
                                                                                                "",
                                                                                                "") ", " CLEAR("\\u00e9",
                                                                                                               "",
                                                                                                               "") "]",
        .values = "{" VALUE("_0", "6") ", " VALUE("_1", "4") ", " VALUE("_2", "3") ", " VALUE(
            "_3", "5") ", " VALUE("_4", "7") ", " VALUE("_5", "2") ", " VALUE("_6", "1") "}"};
    check_canon("8.20", &before, &after);
}

/* An entry is moved over the one that bears the new name already. SPEC 6.9.10 */
static void test_collision(void) {
    parts before = {.inputs = "[" T("_1") ", " T("_0") "]",
                    .outputs = "[" T("_0") "]",
                    .values = "{" VALUE("_0", "1") ", " VALUE("_1", "2") "}",
                    .input_specs = "[" USER_IN(T("_1")) ", " USER_IN(T("_0")) "]",
                    .output_specs = "[" USER_OUT(T("_0")) "]"};
    parts after = {.inputs = "[" T("_0") ", " T("_1") "]",
                   .outputs = "[" T("_1") "]",
                   .values = "{" VALUE("_1", "2") "}",
                   .input_specs = "[" USER_IN(T("_0")) ", " USER_IN(T("_1")) "]",
                   .output_specs = "[" USER_OUT(T("_1")) "]"};
    check_canon("8.20", &before, &after);
    before.inputs = "[" T("_2") ", " T("_1") ", " T("_0") "]";
    before.values = "{" VALUE("_0", "1") ", " VALUE("_1", "2") ", " VALUE("_2", "3") "}";
    before.input_specs = "[" USER_IN(T("_2")) ", " USER_IN(T("_1")) ", " USER_IN(T("_0")) "]";
    after.inputs = "[" T("_0") ", " T("_1") ", " T("_2") "]";
    after.outputs = "[" T("_2") "]";
    after.values = "{" VALUE("_1", "2") ", " VALUE("_2", "3") "}";
    after.input_specs = "[" USER_IN(T("_0")) ", " USER_IN(T("_1")) ", " USER_IN(T("_2")) "]";
    after.output_specs = "[" USER_OUT(T("_2")) "]";
    check_canon("8.20", &before, &after);
}

/* Texts with escapes are the names that they spell. */
static void test_escapes(void) {
    parts before = {.inputs = "[" T("\\u0078") "]",
                    .outputs = "[" T("y") "]",
                    .nodes = "[" NODE("\\u0066", ARG(T("x")), T("\\u0079")) "]",
                    .values = "{" VALUE("x", "1") ", " VALUE("\\u0079", "2") "}",
                    .input_specs = "[" USER_IN(T("x")) "]",
                    .output_specs = "[" USER_OUT(T("\\u0079")) "]"};
    parts after = {XY_FORM("_0", "_1"), .nodes = "[" CLEAR("f", ARG(T("_0")), T("_1")) "]",
                   .values = "{" VALUE("_0", "1") ", " VALUE("_1", "2") "}"};
    check_canon("8.20", &before, &after);
}

/* ------------------------------------------------------------------ subgraphs */

#define SUB(name, graph) "{\"as_graph\": {\"name\": \"" name "\", \"graph\": " graph "}}"
#define INNER                                                                                      \
    GRAPH(T("v"), T("w"), NODE("g", ARG(T("v")), T("w")), VALUE("w", "5") ", " VALUE("v", "6"))
#define INNER_FORM(more)                                                                           \
    "{\"inputs\": [" T("_0") "], \"outputs\": [" T("_1") "], \"nodes\": [" CLEAR(                  \
        "g", ARG(T("_0")),                                                                         \
        T("_1")) "], \"tensor_values\": {" VALUE("_0",                                             \
                                                 "6") ", " VALUE("_1",                             \
                                                                 "5") "}, \"sym_int_values\": "    \
                                                                      "{}, \"sym_bool_values\": "  \
                                                                      "{}" more "}"

static const parts with_subgraphs = {
    XY,
    .nodes =
        "[" NODE("f", ARG(T("x")) ", " ARG(SUB("a", INNER)) ", " ARG(SUB("b", INNER)), T("y")) "]",
    .values = "{" VALUE("x", "1") ", " VALUE("y", "2") "}"};

static void test_subgraphs(void) {
    parts after = {XY_FORM("_0", "_1"),
                   .nodes = "[" CLEAR("f",
                                      ARG(T("_0")) ", " ARG(SUB("_g0", INNER_FORM(""))) ", " ARG(
                                          SUB("_g1", INNER_FORM(""))),
                                      T("_1")) "]",
                   .values = "{" VALUE("_0", "1") ", " VALUE("_1", "2") "}"};
    check_canon("8.20", &with_subgraphs, &after);
    check_canon("7.3", &with_subgraphs, &after);
}

/* 2.3 and 2.4 store a graph and the names in it. SPEC 6.9.12 */
static void test_pairs(void) {
    static const char *const versions[] = {"5.1", "5.3", "5.3-2024-03", "7.2"};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        form f = {0};
        add_parts(&f.text, versions[i], &with_subgraphs);
        if (CHECK_NOTE(make_form(&f, versions[i], &torch), f.error.detail)) {
            CHECK(test_holds(f.built.text, "\"as_graph\": {\"name\": \"_g1\", \"graph\": "
                                           "[{\"inputs\": [{\"as_tensor\": {\"name\": \"_0\"}}]"));
            CHECK(test_holds(f.built.text, "}, {\"v\": \"_0\", \"w\": \"_1\"}]}}"));
        }
        end_form(&f);
    }
}

/* ------------------------------------------------------------------- signature */

static void test_signature(void) {
    parts before = {
        .inputs = "[" T("x") ", " T("c") ", " T("q") ", " T("p") ", " T("b") "]",
        .outputs = "[" T("x") ", " T("x") "]",
        .values = "{" VALUE("x", "1") ", " VALUE("p", "2") ", " VALUE("q", "3") ", " VALUE(
            "b", "4") ", " VALUE("c", "5") "}",
        .input_specs = "[" USER_IN(T(
            "x")) ", {\"tensor_constant\": {\"arg\": {\"name\": \"c\"}, "
                  "\"tensor_constant_name\": \"t\"}}, {\"parameter\": {\"arg\": {\"name\": \"q\"}, "
                  "\"parameter_name\": \"w2\"}}, {\"parameter\": {\"arg\": {\"name\": \"p\"}, "
                  "\"parameter_name\": \"w1\"}}, {\"buffer\": {\"arg\": {\"name\": \"b\"}, "
                  "\"buffer_name\": \"a\", \"persistent\": true}}]",
        .output_specs = "[" USER_OUT(T("x")) ", {\"user_input_mutation\": {\"arg\": {\"name\": "
                                             "\"x\"}, \"user_input_name\": \"x\"}}]"};
    parts after = {
        .inputs = "[" T("_0") ", " T("_1") ", " T("_2") ", " T("_3") ", " T("_4") "]",
        .outputs = "[" T("_4") ", " T("_4") "]",
        .values = "{" VALUE("_0", "2") ", " VALUE("_1", "3") ", " VALUE("_2", "4") ", " VALUE(
            "_3", "5") ", " VALUE("_4", "1") "}",
        .input_specs =
            "[{\"parameter\": {\"arg\": {\"name\": \"_0\"}, \"parameter_name\": \"w1\"}}, "
            "{\"parameter\": {\"arg\": {\"name\": \"_1\"}, \"parameter_name\": \"w2\"}}, "
            "{\"buffer\": {\"arg\": {\"name\": \"_2\"}, \"buffer_name\": \"a\", \"persistent\": "
            "true}}, {\"tensor_constant\": {\"arg\": {\"name\": \"_3\"}, "
            "\"tensor_constant_name\": \"t\"}}, " USER_IN(T("_4")) "]",
        .output_specs = "[{\"user_input_mutation\": {\"arg\": {\"name\": \"_4\"}, "
                        "\"user_input_name\": \"_4\"}}, " USER_OUT(T("_4")) "]"};
    check_canon("8.20", &before, &after);
}

/* Version 1 has dictionaries; its constants are no values. SPEC 6.9.14 */
static void test_version_1(void) {
    test_text tensors[5] = {{0}};
    static const char *const names[] = {"x", "p", "_0", "_1", "k"};
    for (size_t i = 0; i < 5; i++) {
        char value[64];
        snprintf(value, sizeof value, "{\"name\": \"%s\"}", names[i]);
        test_add_union(&tensors[i], "1", "Argument", "as_tensor", value);
        test_add(&tensors[i], "", 1);
    }
    char inputs[4096];
    char outputs[2048];
    char nodes[8192];
    snprintf(inputs, sizeof inputs, "[%s, %s]", tensors[0].data, tensors[1].data);
    snprintf(outputs, sizeof outputs, "[%s]", tensors[0].data);
    snprintf(nodes, sizeof nodes,
             "[{\"target\": \"f\", \"inputs\": [{\"name\": \"a\", \"arg\": %s}, {\"name\": \"b\", "
             "\"arg\": %s}], \"outputs\": [], \"metadata\": {}}]",
             tensors[1].data, tensors[4].data);
    test_hole holes[] = {
        {"Graph.inputs", inputs},
        {"Graph.outputs", outputs},
        {"Graph.nodes", nodes},
        {"Graph.constants", "{\"k\": \"QQ==\"}"},
        {"Graph.tensor_values", "{}"},
        {"GraphSignature.inputs_to_parameters", "{\"p\": \"w\"}"},
        {"GraphSignature.user_inputs", "[\"x\"]"},
        {"GraphSignature.user_outputs", "[\"x\", \"elsewhere\"]"},
        {NULL, NULL},
    };
    form f = {0};
    test_program(&f.text, "1", holes);
    CHECK(!make_form(&f, "1", &torch));
    CHECK_EQ_INT(f.error.code, EP_TORCH_NAME); /* p is in no table */
    end_form(&f);
    f = (form){0};
    holes[4].text =
        "{\"p\": {\"meta\": {\"dtype\": 7, \"sizes\": [], \"requires_grad\": false, \"device\": "
        "{\"type\": \"cpu\", \"index\": null}, \"strides\": [], \"storage_offset\": 0, \"layout\": "
        "7}}, \"x\": {\"meta\": {\"dtype\": 7, \"sizes\": [], \"requires_grad\": true, \"device\": "
        "{\"type\": \"cpu\", \"index\": null}, \"strides\": [], \"storage_offset\": 0, \"layout\": "
        "7}}}";
    test_program(&f.text, "1", holes);
    if (CHECK_NOTE(make_form(&f, "1", &torch), f.error.detail)) {
        CHECK(test_holds(f.built.text, "\"inputs_to_parameters\": {\"_0\": \"w\"}"));
        CHECK(test_holds(f.built.text, "\"user_inputs\": [\"_1\"]"));
        CHECK(test_holds(f.built.text, "\"user_outputs\": [\"_1\", \"elsewhere\"]"));
        CHECK(test_holds(f.built.text, "\"constants\": {\"k\": \"QQ==\"}"));
        snprintf(inputs, sizeof inputs, "\"inputs\": [%s, %s], \"outputs\": [%s]", tensors[2].data,
                 tensors[3].data, tensors[3].data);
        CHECK(test_holds(f.built.text, inputs));
        snprintf(inputs, sizeof inputs, "\"name\": \"b\", \"arg\": %s", tensors[4].data);
        CHECK(test_holds(f.built.text, inputs));
    }
    end_form(&f);
    for (size_t i = 0; i < 5; i++) {
        test_text_free(&tensors[i]);
    }
}

/* What stands around the graph. SPEC 6.9.1 */
static void test_program_level(void) {
    parts before = {XY, .values = "{" VALUE("x", "1") ", " VALUE("y", "2") "}",
                    .nodes = "[" NODE("f", ARG(T("x")), T("y")) "]",
                    .field = "GraphModule.module_call_graph",
                    .text = "[{\"fqn\": \"b\"}, {\"fqn\": \"a.b\"}, {\"fqn\": \"a\"}]"};
    parts after = {XY_FORM("_0", "_1"), .values = "{" VALUE("_0", "1") ", " VALUE("_1", "2") "}",
                   .nodes = "[" CLEAR("f", ARG(T("_0")), T("_1")) "]",
                   .field = "GraphModule.module_call_graph",
                   .text = "[{\"fqn\": \"a\"}, {\"fqn\": \"a.b\"}, {\"fqn\": \"b\"}]"};
    check_canon("8.20", &before, &after);
    before.field = after.field = "ExportedProgram.guards_code";
    before.text = "[\"b\", \"\\u0061\", \"a\"]";
    after.text = "[\"a\", \"a\", \"b\"]";
    check_canon("8.20", &before, &after);
    before.field = after.field = "ExportedProgram.opset_version";
    before.text = "{\"b\": 1, \"\": 2, \"a\": 3}";
    after.text = "{\"\": 2, \"a\": 3, \"b\": 1}";
    check_canon("8.20", &before, &after);
    before.field = after.field = "GraphModule.metadata";
    before.text = "{\"k\": \"v\"}";
    after.text = "{}";
    check_canon("8.20", &before, &after);
}

/* -------------------------------------------------------------------- releases */

/* The form with each allocation refused in its turn. */
static void refuse_each(form *f, const ep_canon_options *options) {
    const ep_program *program = NULL;
    bool done = false;
    test_arena(&f->arena, &f->heap, 0);
    CHECK(ep_decode(&f->arena, test_text_exact(&f->text), NULL, &program, &f->error));
    for (size_t n = 1; program != NULL && !done && n < 10000; n++) {
        ep_arena arena;
        test_heap heap = {.fail_at = n, .apart = &arena};
        ep_built built;
        test_arena(&arena, &heap, 0);
        bool ok = ep_canon(program, &arena, options, &built, &f->error);
        done = heap.calls < n;
        CHECK(ok ? done || built.text.size > 0 : f->error.code == EP_MEMORY);
        ep_arena_free(&arena);
        CHECK_EQ_INT(heap.bytes, 0);
    }
    CHECK(done);
}

/* What begins a longer list is less than that, wherever the two stand. SPEC 6.9.8 */
static void test_shorter(void) {
#define SHORT(to) NODE("f", ARG(T("x")), T(to))
#define LONG(to) NODE("f", ARG(T("x")) ", " ARG(T("x")), T(to))
    parts before = {XY, .nodes = "[" SHORT("y") ", " LONG("z") "]",
                    .values = "{" VALUE("x", "1") ", " VALUE("y", "2") ", " VALUE("z", "3") "}"};
    parts after = {XY_FORM("_0", "_1"),
                   .nodes = "[" CLEAR("f", ARG(T("_0")), T("_1")) ", " CLEAR(
                       "f", ARG(T("_0")) ", " ARG(T("_0")), T("_2")) "]",
                   .values = "{" VALUE("_0", "1") ", " VALUE("_1", "2") ", " VALUE("_2", "3") "}"};
    check_canon("8.20", &before, &after);
    before.nodes = "[" LONG("z") ", " SHORT("y") "]";
    check_canon("8.20", &before, &after);
}

/* 2.7 and later: names that are no values. SPEC 6.9.6 */
static void test_constants(void) {
    ep_bytes names[] = {{"no", 2}, {"k", 1}};
    ep_canon_options options = {.form = EP_CANON_TORCH, .constants = names, .constant_count = 2};
    parts before = {XY, .nodes = "[" NODE("f", ARG(T("k")), T("y")) "]",
                    .values = "{" VALUE("x", "1") ", " VALUE("y", "2") "}"};
    parts after = {XY_FORM("_0", "_1"), .nodes = "[" CLEAR("f", ARG(T("k")), T("_1")) "]",
                   .values = "{" VALUE("_0", "1") ", " VALUE("_1", "2") "}"};
    check_with("8.20", &options, &before, &after);
    check_with("8.7", &options, &before, &after);
    check_refused("8.7", &before, EP_TORCH_NAME,
                  "/graph_module/graph/nodes/0/inputs/0/arg/as_tensor/name");
    form f = {0};
    add_parts(&f.text, "8.2", &before);
    CHECK(!make_form(&f, "8.2", &options));
    CHECK_EQ_INT(f.error.code, EP_TORCH_NAME);
    end_form(&f);
    f = (form){0};
    add_parts(&f.text, "8.20", &before);
    refuse_each(&f, &options);
    end_form(&f);
}

/* Custom objects are nothing before 2.7, and their table is dropped. */
static void test_objects(void) {
    parts p = {.inputs = "[{\"as_custom_obj\": {\"name\": \"o\", \"class_fqn\": \"C\"}}]",
               .outputs = "[{\"as_int\": 1}]",
               .input_specs = "[" USER_IN("{\"as_custom_obj\": {\"name\": \"o\", \"class_fqn\": "
                                          "\"C\"}}") "]",
               .output_specs = "[" USER_OUT("{\"as_int\": 1}") "]",
               .field = "Graph.custom_obj_values",
               .text = "{\"o\": {\"name\": \"o\", \"class_fqn\": \"C\"}}"};
    parts dropped = p;
    dropped.text = "{}";
    check_canon("8.2", &p, &dropped);
    parts kept = p; /* the spec keeps the old name. SPEC 6.9.13 */
    kept.inputs = "[{\"as_custom_obj\": {\"name\": \"_0\", \"class_fqn\": \"C\"}}]";
    kept.text = "{\"_0\": {\"name\": \"o\", \"class_fqn\": \"C\"}}";
    check_canon("8.7", &p, &kept);
}

static void test_facts(void) {
    parts no_inputs = {.outputs = "[{\"as_bool\": true}]",
                       .output_specs = "[" USER_OUT("{\"as_bool\": true}") "]"};
    check_refused("5.3", &no_inputs, EP_TORCH_SPEC, "/graph_module/graph");
    check_refused("7.3", &no_inputs, EP_TORCH_SPEC,
                  "/graph_module/signature/output_specs/0/user_output/arg");
    check_canon("8.7", &no_inputs, &no_inputs);
    parts input = {.inputs = "[{\"as_bool\": true}]",
                   .outputs = "[{\"as_none\": []}]",
                   .input_specs = "[" USER_IN("{\"as_bool\": true}") "]",
                   .output_specs = "[" USER_OUT("{\"as_none\": []}") "]"};
    check_refused("5.1", &input, EP_TORCH_SPEC,
                  "/graph_module/signature/input_specs/0/user_input/arg");
    check_canon("5.3", &input, &input);
}

/* -------------------------------------------------------------------- refusals */

#define AT_NODE "/graph_module/graph/nodes/0"

/* SPEC 6.9.3, 6.9.4, 6.9.10 */
static void test_leaf(void) {
    static const char *const arguments[][2] = {
        {"{\"as_optional_tensor\": {\"as_none\": true}}", ""},
        {"{\"as_sym_bool\": {\"as_bool\": true}}", "/as_sym_bool"},
        {"{\"as_sym_floats\": [{\"as_name\": \"\"}, {\"as_float\": 0.5}]}", "/as_sym_floats/1"},
    };
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        char nodes[256];
        char pointer[128];
        parts p = {XY, .values = "{" VALUE("x", "1") ", " VALUE("y", "2") "}", .nodes = nodes};
        snprintf(nodes, sizeof nodes,
                 "[{\"target\": \"f\", \"inputs\": [{\"name\": \"\", \"arg\": %s}], \"outputs\": "
                 "[" T("y") "], \"metadata\": {}}]",
                 arguments[i][0]);
        snprintf(pointer, sizeof pointer, AT_NODE "/inputs/0/arg%s", arguments[i][1]);
        check_refused("8.20", &p, EP_TORCH_LEAF, pointer);
    }
    parts p = {XY, .values = "{" VALUE("x", "1") ", " VALUE("y", "2") "}",
               .nodes = "[" NODE("f", "",
                                 T("y") ", {\"as_optional_tensors\": [{\"as_none\": "
                                        "true}]}") "]"};
    check_refused("8.20", &p, EP_TORCH_LEAF, AT_NODE "/outputs/1/as_optional_tensors/0");
}

/* A number in place of a name is no failure among a graph's outputs. SPEC 6.9.4 */
static void test_literal_output(void) {
    parts p = {.inputs = "[{\"as_int\": 1}]",
               .outputs = "[{\"as_sym_bool\": {\"as_bool\": true}}]",
               .input_specs = "[" USER_IN("{\"as_int\": 1}") "]",
               .output_specs = "[" USER_OUT("{\"as_int\": 1}") "]"};
    check_canon("8.20", &p, &p);
    p.output_specs = "[" USER_OUT("{\"as_sym_bool\": {\"as_bool\": true}}") "]";
    check_refused("8.20", &p, EP_TORCH_SPEC,
                  "/graph_module/signature/output_specs/0/user_output/arg");
}

static void test_name(void) {
    parts p = {XY, .values = "{" VALUE("x", "1") ", " VALUE("y", "2") "}",
               .nodes = "[" NODE("f", "", T("y")) ", " NODE("f", "", T("y")) "]"};
    check_refused("8.20", &p, EP_TORCH_NAME,
                  "/graph_module/graph/nodes/1/outputs/0/as_tensor/name");
    p.nodes = "[" NODE("f", "", T("x")) "]"; /* an input too */
    check_refused("8.20", &p, EP_TORCH_NAME, AT_NODE "/outputs/0/as_tensor/name");
    p.nodes = "[" NODE("f", ARG(T("z")), T("y")) "]"; /* of nobody */
    check_refused("8.20", &p, EP_TORCH_NAME, AT_NODE "/inputs/0/arg/as_tensor/name");
    p.nodes = "[" NODE("f", "", "{\"as_sym_int\": {\"as_name\": \"y\"}}") "]"; /* of a tensor */
    check_refused("8.20", &p, EP_TORCH_NAME, AT_NODE "/outputs/0/as_sym_int/as_name");
    p.nodes = "[]"; /* a spec of what nobody makes; the graph's output may be so */
    check_refused("8.20", &p, EP_TORCH_NAME,
                  "/graph_module/signature/output_specs/0/user_output/arg/as_tensor/name");
    p.nodes = "[" NODE("f", "", T("")) ", " NODE("f", "", T("")) "]"; /* an empty name */
    check_refused("8.20", &p, EP_TORCH_NAME, AT_NODE "/outputs/0/as_tensor/name");
}

static void test_spec(void) {
    parts p = {XY, .values = "{" VALUE("x", "1") "}"};
    p.input_specs = "[]";
    check_refused("8.20", &p, EP_TORCH_SPEC, "/graph_module/signature");
    p.input_specs = "[" USER_IN(T("x")) "]";
    p.output_specs = "[" USER_OUT(T("x")) ", " USER_OUT(T("x")) "]";
    check_refused("8.20", &p, EP_TORCH_SPEC, "/graph_module/signature");
    p.outputs = "[]";
    p.output_specs = "[]";
    check_refused("8.20", &p, EP_TORCH_SPEC, "/graph_module/graph");
}

static void test_cycle(void) {
    parts p = {XY, .values = "{" VALUE("x", "1") ", " VALUE("y", "2") ", " VALUE("z", "3") "}",
               .nodes = "[" NODE("e", ARG(T("x")), "") ", " NODE(
                   "f", ARG(T("z")), T("y")) ", " NODE("f", ARG(T("y")), T("z")) "]"};
    check_refused("8.20", &p, EP_TORCH_CYCLE, "/graph_module/graph/nodes/1");
    p.nodes = "[" NODE("f", ARG(T("y")), T("y")) "]";
    check_refused("8.20", &p, EP_TORCH_CYCLE, AT_NODE);
}

/* SPEC 3.10.3 */
static void test_partial(void) {
    form f = {0};
    const ep_program *program = NULL;
    ep_decode_options decoding = ep_decode_options_default();
    decoding.forward = true;
    parts p = {XY, .field = "GraphModule.metadata", .text = "{}, \"new\": 1"};
    add_parts(&f.text, "8.20", &p);
    test_add(&f.text, "", 1);
    char *minor = strstr(f.text.data, "\"minor\": 20");
    f.text.size--;
    if (CHECK(minor != NULL)) {
        memcpy(minor, "\"minor\": 99", 11);
    }
    test_arena(&f.arena, &f.heap, 0);
    if (CHECK(ep_decode(&f.arena, test_text_exact(&f.text), &decoding, &program, &f.error))) {
        CHECK(!ep_canon(program, &f.arena, &torch, &f.built, &f.error));
        CHECK_EQ_INT(f.error.code, EP_ARGUMENT);
    }
    end_form(&f);
}

int main(void) {
    test_order();
    test_keys();
    test_collision();
    test_escapes();
    test_subgraphs();
    test_pairs();
    test_signature();
    test_version_1();
    test_program_level();
    test_shorter();
    test_constants();
    test_objects();
    test_facts();
    test_leaf();
    test_literal_output();
    test_name();
    test_spec();
    test_cycle();
    test_partial();
    return check_report();
}
