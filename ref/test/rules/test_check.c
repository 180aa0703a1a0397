/*
 * test_check.c - ep_check as its callers have it: its error, its options, its notes,
 * and what it leaves behind. That each rule is kept and broken, the vectors say.
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

/* The parts of x -> relu -> y that may be replaced. */
typedef struct parts {
    const char *nodes, *outputs, *values, *ranges;
} parts;

static parts whole(void) {
    return (parts){.nodes = "[" RELU("aten.relu.default", TENSOR("x"), TENSOR("y")) "]",
                   .outputs = "[" TENSOR("y") "]",
                   .values = "{\"x\": " META_OF("2") ", \"y\": " META_OF("2") "}",
                   .ranges = "{}"};
}

static void add_program(test_text *text, const parts *p) {
    test_whole(text, "8.20", 1, 1,
               (test_hole[]){{"Graph.inputs", "[" TENSOR("x") "]"},
                             {"Graph.nodes", p->nodes},
                             {"Graph.outputs", p->outputs},
                             {"Graph.tensor_values", p->values},
                             {"ExportedProgram.range_constraints", p->ranges},
                             {"GraphSignature.input_specs", USER("input", "x")},
                             {"GraphSignature.output_specs", USER("output", "y")},
                             {NULL, NULL}});
}

/* ----------------------------------------------------------------- the error */

static void test_error(void) {
    parts p = whole();
    test_text text = {0};
    ep_error error;
    p.values = "{\"x\": " META_OF("2") ", \"y\": " META_OF("2") ",\n \"z\": " META_OF("2") "}";
    add_program(&text, &p);
    CHECK_EQ_INT(test_check(test_text_exact(&text), NULL, &error), EP_VALUE_EXTRA);
    CHECK_EQ_INT(error.line, 2);
    CHECK_EQ_INT(error.column, 2);
    CHECK_EQ_STR(error.pointer, strlen(error.pointer), "/graph_module/graph/tensor_values/z");
    CHECK_EQ_STR(error.detail, strlen(error.detail), "\"z\"");
    test_text_free(&text);
    p = whole();
    add_program(&text, &p);
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
    add_program(&text, &p);
    ep_bytes input = test_text_exact(&text);
    CHECK_EQ_INT(test_check(input, &options, &error), EP_VALUE_UNDEFINED);
    options.level = EP_LEVEL_STRINGS;
    CHECK_EQ_INT(test_check(input, &options, &error), EP_OK);
    test_text_free(&text);
    p.nodes = "[" RELU("aten", TENSOR("x"), TENSOR("y")) "]";
    add_program(&text, &p);
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
    add_program(&text, &p);
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
    add_program(&text, &p);
    CHECK_EQ_INT(test_check(test_text_exact(&text), &options, &error), EP_OK);
    CHECK(taken.count >= 8 && taken.count <= 100);
    test_text_free(&nodes);
    test_text_free(&text);
}

/* ----------------------------------------------------------- what it leaves behind */

static void hear_nothing(void *context, const ep_finding *finding) {
    (void)context;
    (void)finding;
}

#define REFUSES(call) CHECK(!(call) && error.code == EP_ARGUMENT)

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
        const ep_program *both[2] = {program, program};
        ep_migrate_options to = {.version = ep_version_find("8.19")};
        ep_canon_options torch = {.form = EP_CANON_TORCH};
        ep_diff_result result;
        ep_graph *graph;
        ep_built built;
        CHECK(!ep_check(program, &scratch, NULL, NULL));
        REFUSES(ep_check(program, &scratch, NULL, &error));
        REFUSES(ep_audit(program, &scratch, hear_nothing, NULL, &error));
        REFUSES(ep_canon(program, &scratch, NULL, &built, &error));
        REFUSES(ep_canon(program, &scratch, &torch, &built, &error));
        REFUSES(ep_migrate(program, &scratch, &to, &built, &error));
        REFUSES(ep_diff(both, &scratch, NULL, &result, &error));
        REFUSES(ep_graph_open(ep_program_graph(program), &scratch, &graph, &error));
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
    add_program(&texts[0], &good);
    add_program(&texts[1], &bad);
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

/* ------------------------------------------------------------------ the memo */

#define SUM(symbol)                                                                                \
    "{\"as_expr\": {\"expr_str\": \"Add(Integer(1), Symbol('" symbol                               \
    "', positive=True, integer=True))\", \"hint\": {\"as_int\": 3}}}"
#define ONE "{\"as_int\": 1}"
#define RANGE(symbol) "\"" symbol "\": {\"min_val\": 0, \"max_val\": 9}"

/* Texts that differ in no byte of the sample stay different texts: of y's sizes, the one of
 * another symbol is refused. */
static void test_alike(void) {
    parts p = whole();
    test_text text = {0};
    ep_error error;
    p.values = "{\"x\": " META_OF("2") ", \"y\": {\"dtype\": 7, \"sizes\": [" SUM("s0") ", " SUM(
        "s1") ", " SUM("s0") "], \"requires_grad\": false, \"device\": {\"type\": \"cpu\"}, "
                             "\"strides\": [" ONE ", " ONE ", " ONE "], \"storage_offset\": " ONE
                             ", \"layout\": 7}}";
    p.ranges = "{" RANGE("s0") ", " RANGE("s1") "}";
    add_program(&text, &p);
    CHECK_EQ_INT(test_check(test_text_exact(&text), NULL, &error), EP_OK);
    test_text_free(&text);
    p.ranges = "{" RANGE("s0") "}";
    add_program(&text, &p);
    CHECK_EQ_INT(test_check(test_text_exact(&text), NULL, &error), EP_SYMBOL);
    CHECK_EQ_STR(error.pointer, strlen(error.pointer),
                 "/graph_module/graph/tensor_values/y/sizes/1/as_expr");
    test_text_free(&text);
}

int main(void) {
    test_error();
    test_levels();
    test_depth();
    test_notes();
    test_many_notes();
    test_partial();
    test_again();
    test_alike();
    return check_report();
}
