/*
 * brief.h - for tests of the epref form: programs written in brief, which of them
 * have one form, and what it looks like. Of every form made here it is seen that it
 * is a program that ep_check accepts, and its own form. <x> is the Argument of a
 * tensor x, <!QUI=> of an object of version 1, ~ the entry of a tensor in a table, all as
 * the version writes them.
 */
#ifndef EP_TEST_BRIEF_H
#define EP_TEST_BRIEF_H

#include "check.h"
#include "support.h"
#include "whole.h"

/* --------------------------------------------------------------------- programs */

static const char *version = "8.20"; /* of the programs */

static inline void add_meta(test_text *text) {
    if (strcmp(version, "1") != 0) {
        test_add_str(text, META_OF("2"));
        return;
    }
    test_add_str(text, "{\"meta\": {\"dtype\": 7, \"sizes\": [");
    test_add_union(text, version, "SymInt", "as_int", "2");
    test_add_str(text, "], \"requires_grad\": false, \"device\": {\"type\": \"cpu\", \"index\": "
                       "null}, \"strides\": [");
    test_add_union(text, version, "SymInt", "as_int", "1");
    test_add_str(text, "], \"storage_offset\": 0, \"layout\": 7}}");
}

/* A text in brief, whole. */
static inline void expand(test_text *text, const char *brief) {
    for (const char *at = brief; *at != '\0'; at++) {
        if (*at == '<') {
            test_text value = {0};
            size_t size = strcspn(at, ">");
            bool object = at[1] == '!';
            test_add_str(&value, object ? "{\"blob\": \"" : "{\"name\": \"");
            test_add(&value, at + 1 + object, size - 1 - object);
            test_add(&value, "\"}", 3);
            test_add_union(text, version, "Argument", object ? "as_custom_obj" : "as_tensor",
                           value.data);
            test_text_free(&value);
            at += size;
        } else if (*at == '~') {
            add_meta(text);
        } else {
            test_add(text, at, 1);
        }
    }
    test_add(text, "", 1);
}

/* The nodes of a graph, as text that ends with a zero: one, which takes this
 * GraphArgument. */
static inline void add_graph_node(test_text *text, const char *graph) {
    test_add_str(text, "[{\"target\": \"torch.ops.mine.g.default\", \"inputs\": [{\"name\": "
                       "\"g\", \"arg\": ");
    test_add_union(text, version, "Argument", "as_graph", graph);
    test_add_str(text, "}], \"outputs\": [], \"metadata\": {}}]");
    test_add(text, "", 1);
}

enum { HOLES = 14 };

/* A program by its holes; inputs and outputs are those of its user. */
typedef struct brief {
    size_t inputs;
    size_t outputs;
    test_hole holes[HOLES];
} brief;

static inline void add_program(test_text *text, const brief *b) {
    test_text texts[HOLES] = {{0}};
    test_hole holes[HOLES] = {{0}};
    for (size_t i = 0; b->holes[i].field != NULL; i++) {
        expand(&texts[i], b->holes[i].text);
        holes[i] = (test_hole){b->holes[i].field, texts[i].data};
    }
    test_whole(text, version, b->inputs, b->outputs, holes);
    for (size_t i = 0; i < HOLES; i++) {
        test_text_free(&texts[i]);
    }
}

/* -------------------------------------------------------------------------- forms */

/* The form of a text, in the arena; and whether the order of the document decided in
 * it, where that is asked. */
static inline bool make_form(ep_arena *arena, ep_bytes input, ep_bytes *form, bool *undecided,
                             ep_error *error) {
    const ep_canon_options epref = {
        .form = EP_CANON_EPREF, .undecided = undecided, .constant = test_no_type};
    ep_decode_options options = ep_decode_options_default();
    const ep_program *program;
    ep_built built;
    options.version = ep_version_find(version);
    if (!CHECK_NOTE(ep_decode(arena, input, &options, &program, error), error->pointer)) {
        return false;
    }
    bool ok = ep_canon(program, arena, &epref, &built, error);
    CHECK(built.program == NULL && (built.text.data != NULL) == ok);
    *form = built.text;
    return ok;
}

static inline void tell_error(const ep_error *error) {
    fprintf(stderr, "    %s at %s: %s\n", ep_code_name(error->code), error->pointer, error->detail);
}

/* Appends the form of a program, which has to have one. */
static inline void add_form(test_text *out, const brief *b) {
    test_text text = {0};
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    ep_bytes form;
    ep_bytes again;
    test_arena(&arena, &heap, 0);
    add_program(&text, b);
    if (CHECK(make_form(&arena, test_text_exact(&text), &form, NULL, &error))) {
        test_add(out, form.data, form.size);
        const char *of = version;
        version = "8.20"; /* the form is of this version, and valid there if the program is */
        bool valid = test_check(form, NULL, &error) == EP_OK;
        CHECK(valid || strcmp(of, version) != 0);
        if (valid && CHECK(make_form(&arena, form, &again, NULL, &error))) {
            CHECK_EQ_BYTES(again.data, again.size, form.data, form.size);
        }
        version = of;
    } else {
        tell_error(&error);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    test_text_free(&text);
}

static inline void check_forms(const brief *a, const brief *b, bool same) {
    test_text first = {0};
    test_text second = {0};
    add_form(&first, a);
    add_form(&second, b);
    if (same) {
        CHECK_EQ_BYTES(first.data, first.size, second.data, second.size);
    } else {
        CHECK(first.size != second.size || memcmp(first.data, second.data, first.size) != 0);
    }
    test_text_free(&first);
    test_text_free(&second);
}

static inline void check_same(const brief *a, const brief *b) {
    check_forms(a, b, true);
}

static inline void check_other(const brief *a, const brief *b) {
    check_forms(a, b, false);
}

/* That the form of a program has a text in it. */
static inline void check_holds(const brief *b, const char *part) {
    test_text form = {0};
    add_form(&form, b);
    if (!CHECK_NOTE(test_holds((ep_bytes){form.data, form.size}, part), part)) {
        fprintf(stderr, "    %.*s\n", (int)form.size, form.data);
    }
    test_text_free(&form);
}

/* -------------------------------------------------------------------------- pieces */

#define IN(name, arg) "{\"name\": \"" name "\", \"arg\": " arg "}"
#define NODE(target, inputs, outputs)                                                              \
    "{\"target\": \"" target "\", \"inputs\": [" inputs "], \"outputs\": [" outputs                \
    "], \"metadata\": {}}"
#define ONE(op, from, to)                                                                          \
    NODE("torch.ops.aten." op ".default", IN("self", "<" from ">"), "<" to ">")
#define TWO(op, from, other, to)                                                                   \
    NODE("torch.ops.aten." op ".Tensor", IN("self", "<" from ">") ", " IN("other", "<" other ">"), \
         "<" to ">")
#define ONES(to) NODE("torch.ops.aten.ones.default", IN("size", "{\"as_ints\": [2]}"), "<" to ">")
#define LEAF "{\\\"type\\\": null, \\\"context\\\": null, \\\"children_spec\\\": []}"
#define TUPLE(items)                                                                               \
    "{\\\"type\\\": \\\"builtins.tuple\\\", \\\"context\\\": \\\"null\\\", "                       \
    "\\\"children_spec\\\": [" items "]}"
#define USER(way, name) "{\"user_" way "\": {\"arg\": <" name ">}}"
#define VALUES1(a) "{\"" a "\": ~}"
#define VALUES2(a, b) "{\"" a "\": ~, \"" b "\": ~}"
#define VALUES3(a, b, c) "{\"" a "\": ~, \"" b "\": ~, \"" c "\": ~}"
#define VALUES4(a, b, c, d) "{\"" a "\": ~, \"" b "\": ~, \"" c "\": ~, \"" d "\": ~}"
#define VALUES5(a, b, c, d, e)                                                                     \
    "{\"" a "\": ~, \"" b "\": ~, \"" c "\": ~, \"" d "\": ~, \"" e "\": ~}"

#define INPUTS(text)                                                                               \
    { "Graph.inputs", "[" text "]" }
#define OUTPUTS(text)                                                                              \
    { "Graph.outputs", "[" text "]" }
#define NODES(text)                                                                                \
    { "Graph.nodes", "[" text "]" }
#define VALUES(text)                                                                               \
    { "Graph.tensor_values", text }
#define INS(text)                                                                                  \
    { "GraphSignature.input_specs", "[" text "]" }
#define OUTS(text)                                                                                 \
    { "GraphSignature.output_specs", "[" text "]" }
#define FIELD(field, text)                                                                         \
    { field, text }

/* x goes in, y comes out. */
#define X_TO_Y INPUTS("<x>"), OUTPUTS("<y>"), INS(USER("input", "x")), OUTS(USER("output", "y"))
/* x goes through, in version 1. */
#define X_TO_X_OLD                                                                                 \
    INPUTS("<x>"), OUTPUTS("<x>"), FIELD("GraphSignature.user_inputs", "[\"x\"]"),                 \
        FIELD("GraphSignature.user_outputs", "[\"x\"]")
#define PROGRAM(...)                                                                               \
    &(const brief) {                                                                               \
        1, 1, {                                                                                    \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
/* ... and is what went in; nothing else has a use. */
#define X_TO_X INPUTS("<x>"), OUTPUTS("<x>"), INS(USER("input", "x")), OUTS(USER("output", "x"))

#define META(dtype, size, grad, device, stride, offset, layout)                                    \
    "{\"dtype\": " dtype ", \"sizes\": [" size "], \"requires_grad\": " grad ", \"device\": "      \
    "{" device "}, \"strides\": [" stride "], \"storage_offset\": " offset ", \"layout\": " layout \
    "}"
#define CPU "\"type\": \"cpu\""
#define INT(n) "{\"as_int\": " n "}"
#define EXPR(text) "{\"as_expr\": {\"expr_str\": \"" text "\", \"hint\": null}}"
#define S(name) "Symbol('" name "', positive=True, integer=True)"
#define RANGE(name) "\"" name "\": {\"min_val\": 2, \"max_val\": 9}"

#endif
