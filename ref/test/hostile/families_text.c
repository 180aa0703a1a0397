/*
 * families_text.c - families that are large in what stands in strings: texts,
 * expressions, tree specs, guards, metadata.
 */
#include "families_parts.h"

enum { NESTED_TERMS = 900, NESTED_SPECS = 400 };

/* ------------------------------------------------------------------------ texts */

static void make_text(test_text *out, size_t n, bool other, const char *piece) {
    program_parts p = family_begin();
    test_text *texts = family_texts(&p);
    test_add_str(texts, "\"");
    test_add_repeat(texts, piece, n);
    test_add_str(texts, "\": \"");
    test_add_repeat(texts, piece, n);
    test_add_str(texts, "\"");
    family_texts_end(texts, other);
    family_end(&p, out);
}

void family_long_text(test_text *out, size_t n, bool other) {
    make_text(out, n, other, "0123456789");
}

void family_escapes(test_text *out, size_t n, bool other) {
    make_text(out, n, other, "\\u00e9");
}

void family_pairs(test_text *out, size_t n, bool other) {
    make_text(out, n, other, "\\ud83d\\ude00");
}

void family_backslashes(test_text *out, size_t n, bool other) {
    make_text(out, n, other, "\\\\");
}

/* ------------------------------------------------------------------------ names */

void family_keys(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *texts = family_texts(&p);
    family_each(texts, n, "\"k", "\": \"v\"");
    family_texts_end(texts, other);
    family_end(&p, out);
}

void family_colliding_keys(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_collider collider;
    test_text *texts = family_texts(&p);
    size_t found = 0;
    test_collider_init(&collider);
    for (uint32_t i = 0; found < n; i++) {
        size_t size = texts->size;
        test_add_str(texts, found == 0 ? "\"" : ", \"");
        bool made = test_colliding_key(&collider, i, texts);
        texts->size = made ? texts->size : size;
        test_add_str(texts, made ? "\": \"v\"" : "");
        found += made;
    }
    family_texts_end(texts, other);
    test_collider_free(&collider);
    family_end(&p, out);
}

/* Two members of one name, far from each other. */
void family_late_twin(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *texts = family_texts(&p);
    family_each(texts, n, "\"k", "\": \"v\"");
    test_add_str(texts, ", \"\\u006b0\": \"v\"");
    family_texts_end(texts, other);
    family_end(&p, out);
}

/* ----------------------------------------------------------------- expressions */

#define SYMBOL_BEGIN "Symbol('s"
#define SYMBOL_END "', positive=True, integer=True)"

static void part_ranges(program_parts *p, size_t n) {
    test_text *ranges = family_part(p, "ExportedProgram.range_constraints");
    test_add_str(ranges, "{");
    family_each(ranges, n, "\"s", "\": {\"min_val\": 2, \"max_val\": 9}");
    test_add_str(ranges, "}");
}

void family_ranges(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    family_part_last(&p, other);
    part_ranges(&p, n);
    family_end(&p, out);
}

/* The table of symbolic ints, with a node that gives each: one expression each. */
static test_text *part_expressions(program_parts *p, size_t n, bool other) {
    test_text *nodes = family_part(p, "Graph.nodes");
    test_add_str(nodes, "[{\"target\": \"torch.ops.my.call.default\", \"inputs\": [], "
                        "\"outputs\": [");
    family_each(nodes, n, "{\"as_sym_int\": {\"as_name\": \"v", "\"}}");
    test_add_str(nodes, "], \"metadata\": {}}, ");
    family_last(nodes, other);
    return family_part(p, "Graph.sym_int_values");
}

static void open_expression(test_text *values, size_t i) {
    family_number(values, i == 0 ? "{\"v" : ", \"v", i, "\": {\"as_expr\": {\"expr_str\": \"");
}

static void close_expression(test_text *values) {
    test_add_str(values, "\", \"hint\": null}}");
}

void family_sum(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *values = part_expressions(&p, 1, other);
    open_expression(values, 0);
    test_add_str(values, "Add(");
    for (size_t i = 0; i < n; i++) {
        family_number(values, i == 0 ? "Mul(Integer(" : ", Mul(Integer(", 2 + i % 5,
                      "), " SYMBOL_BEGIN);
        family_number(values, "", i, SYMBOL_END ")");
    }
    test_add_str(values, n < 2 ? ", Integer(1))" : ")");
    close_expression(values);
    test_add_str(values, "}");
    part_ranges(&p, n);
    family_end(&p, out);
}

void family_deep_terms(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *values = part_expressions(&p, n, other);
    for (size_t i = 0; i < n; i++) {
        open_expression(values, i);
        for (size_t j = 0; j < NESTED_TERMS; j++) {
            family_number(values, "Max(Integer(", 1 + j, "), ");
        }
        test_add_str(values, SYMBOL_BEGIN "0" SYMBOL_END);
        test_add_repeat(values, ")", NESTED_TERMS);
        close_expression(values);
    }
    test_add_str(values, "}");
    part_ranges(&p, 1);
    family_end(&p, out);
}

void family_terms(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *values = part_expressions(&p, n, other);
    for (size_t i = 0; i < n; i++) {
        open_expression(values, i);
        family_number(values, "Add(Integer(", i, "), " SYMBOL_BEGIN);
        family_number(values, "", i, SYMBOL_END ", " SYMBOL_BEGIN);
        family_number(values, "", (i + 1) % n, SYMBOL_END ")");
        close_expression(values);
    }
    test_add_str(values, "}");
    part_ranges(&p, n);
    family_end(&p, out);
}

/* Each of them is wrong, and the first is told of. */
void family_wrong_terms(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *values = part_expressions(&p, n, other);
    for (size_t i = 0; i < n; i++) {
        open_expression(values, i);
        family_number(values, "Add(Integer(", i, "), )");
        close_expression(values);
    }
    test_add_str(values, "}");
    family_end(&p, out);
}

/* A version that writes s0 + s0. */
void family_infix(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    p.version = "5.3";
    test_text *values = part_expressions(&p, 1, other);
    open_expression(values, 0);
    test_add_str(values, "s0");
    test_add_repeat(values, " + s0", n);
    close_expression(values);
    test_add_str(values, "}");
    part_ranges(&p, 1);
    family_end(&p, out);
}

void family_long_integer(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *values = part_expressions(&p, 1, other);
    open_expression(values, 0);
    test_add_str(values, "Integer(1");
    test_add_repeat(values, "7", n);
    test_add_str(values, ")");
    close_expression(values);
    test_add_str(values, "}");
    family_end(&p, out);
}

/* -------------------------------------------------------- modules and tree specs */

static test_text *part_modules(program_parts *p, bool other) {
    family_part_last(p, other);
    test_text *modules = family_part(p, "GraphModule.module_call_graph");
    test_add_str(modules, "[{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], "
                          "\"in_spec\": ");
    test_add_spec(modules, true, 1);
    test_add_str(modules, ", \"out_spec\": ");
    test_add_spec(modules, false, 1);
    test_add_str(modules, "}}");
    return modules;
}

void family_modules(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *modules = part_modules(&p, other);
    test_add_str(modules, ", ");
    family_each(modules, n, "{\"fqn\": \"m", "\", \"signature\": null}");
    test_add_str(modules, "]");
    family_end(&p, out);
}

#define TUPLE                                                                                      \
    "{\\\"type\\\": \\\"builtins.tuple\\\", \\\"context\\\": \\\"null\\\", "                       \
    "\\\"children_spec\\\": ["
#define NO_KEYWORDS                                                                                \
    "{\\\"type\\\": \\\"builtins.dict\\\", \\\"context\\\": \\\"[]\\\", \\\"children_spec\\\": "   \
    "[]}"

/* Modules that are called with tuples of tuples of nothing. */
void family_deep_specs(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *modules = part_modules(&p, other);
    for (size_t i = 0; i < n; i++) {
        family_number(
            modules, ", {\"fqn\": \"m", i,
            "\", \"signature\": {\"inputs\": [], \"outputs\": [], \"in_spec\": \"[1, " TUPLE TUPLE);
        test_add_repeat(modules, TUPLE, NESTED_SPECS);
        test_add_repeat(modules, "]}", NESTED_SPECS);
        test_add_str(modules, "]}, " NO_KEYWORDS "]}]\", \"out_spec\": ");
        test_add_spec(modules, false, 0);
        test_add_str(modules, "}}");
    }
    test_add_str(modules, "]");
    family_end(&p, out);
}

/* A dict of many keys, each of them a tuple of nothing. */
void family_wide_specs(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *modules = part_modules(&p, other);
    test_add_str(modules, ", {\"fqn\": \"m\", \"signature\": {\"inputs\": [], \"outputs\": [], "
                          "\"in_spec\": \"[1, " TUPLE TUPLE
                          "]}, {\\\"type\\\": \\\"builtins.dict\\\", \\\"context\\\": \\\"[");
    family_each(modules, n, "\\\\\\\"k", "\\\\\\\"");
    test_add_str(modules, "]\\\", \\\"children_spec\\\": [");
    family_times(modules, n, TUPLE "]}");
    test_add_str(modules, "]}]}]\", \"out_spec\": ");
    test_add_spec(modules, false, 0);
    test_add_str(modules, "}}]");
    family_end(&p, out);
}

/* ------------------------------------------------------------ texts of languages */

void family_guards(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    family_part_last(&p, other);
    test_text *guards = family_part(&p, "ExportedProgram.guards_code");
    test_add_str(guards, "[");
    family_each(guards, n, "\"L['x'].size()[0] == ", "\"");
    test_add_str(guards, "]");
    family_end(&p, out);
}

void family_long_guard(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    family_part_last(&p, other);
    test_text *guards = family_part(&p, "ExportedProgram.guards_code");
    test_add_str(guards, "[\"L['x'].size()[0] == 1");
    test_add_repeat(guards, " + 1", n);
    test_add_str(guards, "\"]");
    family_end(&p, out);
}

/* One node with metadata: a key and its value, which is three texts, the second of
 * them n times. */
static void make_metadata(test_text *out, size_t n, bool other, const char *const texts[4]) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[{\"target\": \"torch.ops.my.call.default\", \"inputs\": [], "
                        "\"outputs\": [], \"metadata\": {\"");
    test_add_str(nodes, texts[0]);
    test_add_str(nodes, "\": \"");
    test_add_str(nodes, texts[1]);
    test_add_repeat(nodes, texts[2], n);
    test_add_str(nodes, texts[3]);
    test_add_str(nodes, "\"}}, ");
    family_last(nodes, other);
    family_end(&p, out);
}

void family_stack_trace(test_text *out, size_t n, bool other) {
    make_metadata(out, n, other,
                  (const char *[]){"stack_trace", "", "File \\\"a.py\\\", line 1\\n", ""});
}

void family_module_stack(test_text *out, size_t n, bool other) {
    make_metadata(out, n, other,
                  (const char *[]){"nn_module_stack", "L__self__,,a.B", ";L__self___a,a,a.B", ""});
}

#define SOURCE                                                                                     \
    "{\\\"name\\\": \\\"a\\\", \\\"target\\\": \\\"b\\\", \\\"graph_id\\\": 1, "                   \
    "\\\"pass_name\\\": \\\"p\\\", \\\"action\\\": \\\"create\\\", \\\"from_node\\\": []}"

void family_sources(test_text *out, size_t n, bool other) {
    make_metadata(out, n, other, (const char *[]){"from_node", "[" SOURCE, ", " SOURCE, "]"});
}

void family_custom(test_text *out, size_t n, bool other) {
    make_metadata(
        out, n, other,
        (const char *[]){"custom", "{\\\"k\\\": [1", ", 2.5, null, \\\"\\\\u00e9\\\"", "]}"});
}
