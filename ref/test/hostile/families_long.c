/*
 * families_long.c - families that are long in one text and many in what mentions
 * it: where an operation says the text at each mention, what it writes is the
 * square of the program. Half of each program is the text.
 */
#include "families_parts.h"

#define PIECE "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* ---------------------------------------------------------------------- modules */

#define NOTHING                                                                                    \
    "{\\\"type\\\": \\\"builtins.tuple\\\", \\\"context\\\": \\\"null\\\", "                       \
    "\\\"children_spec\\\": []}"
#define SPEC_BEGIN                                                                                 \
    "\"[1, {\\\"type\\\": \\\"builtins.tuple\\\", \\\"context\\\": \\\"null\\\", "                 \
    "\\\"children_spec\\\": [{\\\"type\\\": \\\"builtins.tuple\\\", \\\"context\\\": "             \
    "\\\"null\\\", \\\"children_spec\\\": [{\\\"type\\\": null, \\\"context\\\": null, "           \
    "\\\"children_spec\\\": []}"
#define SPEC_END                                                                                   \
    "]}, {\\\"type\\\": \\\"builtins.dict\\\", \\\"context\\\": \\\"[]\\\", "                      \
    "\\\"children_spec\\\": []}]}]\""

/* A module of 7.4, where an entry lists the values of all calls. */
static void make_calls(test_text *out, size_t n, size_t name, size_t spec) {
    program_parts p = family_begin();
    p.version = "7.4";
    test_text *modules = family_part(&p, "GraphModule.module_call_graph");
    test_add_str(modules, "[{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], "
                          "\"in_spec\": ");
    test_add_spec(modules, true, 1);
    test_add_str(modules, ", \"out_spec\": ");
    test_add_spec(modules, false, 1);
    test_add_str(modules, "}}, {\"fqn\": \"m");
    test_add_repeat(modules, PIECE, name);
    test_add_str(modules, "\", \"signature\": {\"inputs\": [");
    family_times(modules, n, TENSOR("x"));
    test_add_str(modules, "], \"outputs\": [");
    family_times(modules, n, TENSOR("x"));
    test_add_str(modules, "], \"in_spec\": " SPEC_BEGIN);
    test_add_repeat(modules, ", " NOTHING, spec);
    test_add_str(modules, SPEC_END ", \"out_spec\": ");
    test_add_spec(modules, false, 1);
    test_add_str(modules, "}}]");
    family_part_last(&p, false);
    family_end(&p, out);
}

void family_long_calls(test_text *out, size_t n, bool other) {
    (void)other;
    make_calls(out, n, n, 0);
}

void family_long_specs(test_text *out, size_t n, bool other) {
    (void)other;
    make_calls(out, n, 0, n);
}

/* ------------------------------------------------------------------------ nodes */

void family_long_map(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    p.version = "5.3";
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[{\"target\": \"torch.ops.higher_order.map_impl\", \"inputs\": "
                        "[{\"name\": \"f");
    test_add_repeat(nodes, PIECE, n);
    test_add_str(nodes, "\", \"arg\": {\"as_graph\": {\"name\": \"g\", \"graph\": {\"inputs\": [");
    family_each(nodes, n, "{\"as_tensor\": {\"name\": \"y", "\"}}");
    test_add_str(nodes, "], \"outputs\": [], \"nodes\": [], "
                        "\"tensor_values\": {");
    family_each(nodes, n, "\"y", "\": " META_OF("2"));
    test_add_str(nodes, "}, \"sym_int_values\": {}, \"sym_bool_values\": {}, "
                        "\"is_single_tensor_return\": false, \"custom_obj_values\": {}}}}}, "
                        "{\"name\": \"\", \"arg\": {\"as_tensors\": [");
    family_times(nodes, n, "{\"name\": \"x\"}");
    test_add_str(nodes, "]}}, {\"name\": \"\", \"arg\": {\"as_tensors\": []}}], \"outputs\": [], "
                        "\"metadata\": {}}, ");
    family_last(nodes, other);
    family_end(&p, out);
}

/* All differ in the other, so that each is told of. */
void family_long_target(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[{\"target\": \"torch.ops.my.c");
    test_add_repeat(nodes, PIECE, n);
    test_add_str(nodes, ".default\", \"inputs\": [");
    family_each(nodes, n, "{\"name\": \"a",
                other ? "\", \"arg\": {\"as_int\": 1}}" : "\", \"arg\": {\"as_int\": 2}}");
    test_add_str(nodes, CALL_END ", ");
    family_last(nodes, false);
    family_end(&p, out);
}

void family_long_argument(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[" CALL "{\"name\": \"a");
    test_add_repeat(nodes, "\\u00e9", n);
    test_add_str(nodes, "\", \"arg\": {\"as_floats\": [");
    family_times(nodes, n, other ? "1.5" : "2.5");
    test_add_str(nodes, "]}}" CALL_END ", ");
    family_last(nodes, false);
    family_end(&p, out);
}

void family_long_stack(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[{\"target\": \"torch.ops.my.call.default\", \"inputs\": [], "
                        "\"outputs\": [], \"metadata\": {\"nn_module_stack\": \"");
    for (size_t i = 0; i < n; i++) {
        family_number(nodes, i == 0 ? "k" : ";k", i, ",m,c.C");
    }
    test_add_repeat(nodes, PIECE, n);
    test_add_str(nodes, "\"}}, ");
    family_last(nodes, other);
    family_end(&p, out);
}
