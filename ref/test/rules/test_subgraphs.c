/*
 * test_subgraphs.c - which one output lets a subgraph say that it returns one value by
 * itself (SPEC 5.2.7).
 */
#include "check.h"
#include "whole.h"

#define OBJECT "{\"name\": \"a\", \"class_fqn\": \"my.Class\"}"

typedef struct row {
    const char *output;
    const char *table; /* that lists a, the input of the subgraph */
    const char *value; /* what it says there */
    ep_code code;
} row;

static const row rows[] = {
    {"{\"as_tensor\": {\"name\": \"a\"}}", "tensor_values", META_OF("2"), EP_OK},
    {"{\"as_sym_int\": {\"as_name\": \"a\"}}", "sym_int_values", "{\"as_int\": 1}", EP_OK},
    {"{\"as_sym_float\": {\"as_name\": \"a\"}}", "sym_float_values", "{\"as_float\": 1.0}", EP_OK},
    {"{\"as_sym_bool\": {\"as_name\": \"a\"}}", "sym_bool_values", "{\"as_bool\": true}", EP_OK},
    {"{\"as_custom_obj\": " OBJECT "}", "custom_obj_values", OBJECT, EP_OK},
    {"{\"as_int\": 3}", NULL, NULL, EP_GRAPH_RETURN},
    {"{\"as_string\": \"a\"}", NULL, NULL, EP_GRAPH_RETURN},
};

/* A subgraph that returns its input, or a constant. */
static void add_subgraph(test_text *text, const row *r) {
    static const char *const tables[] = {"tensor_values", "sym_int_values", "sym_float_values",
                                         "sym_bool_values", "custom_obj_values"};
    test_add_str(text, "{\"inputs\": [");
    test_add_str(text, r->table != NULL ? r->output : "");
    test_add_str(text, "], \"outputs\": [");
    test_add_str(text, r->output);
    test_add_str(text, "], \"nodes\": [], \"is_single_tensor_return\": true");
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        bool lists = r->table != NULL && strcmp(tables[i], r->table) == 0;
        test_add_str(text, ", \"");
        test_add_str(text, tables[i]);
        test_add_str(text, lists ? "\": {\"a\": " : "\": {");
        test_add_str(text, lists ? r->value : "");
        test_add_str(text, "}");
    }
    test_add_str(text, "}");
}

static void check_row(const row *r) {
    test_text nodes = {0};
    test_text text = {0};
    ep_error error;
    test_add_str(&nodes, "[{\"target\": \"torch.ops.my.f.default\", \"inputs\": [{\"name\": "
                         "\"g\", \"arg\": {\"as_graph\": {\"name\": \"g\", \"graph\": ");
    add_subgraph(&nodes, r);
    test_add_str(&nodes, "}}}], \"outputs\": [], \"metadata\": {}}]");
    test_add(&nodes, "", 1);
    test_whole(&text, "8.20", 0, 0, (test_hole[]){{"Graph.nodes", nodes.data}, {NULL, NULL}});
    if (!CHECK_EQ_INT(test_check(test_text_exact(&text), NULL, &error), r->code)) {
        fprintf(stderr, "    %s: %s at %s\n", r->output, ep_code_name(error.code), error.pointer);
    }
    test_text_free(&text);
    test_text_free(&nodes);
}

int main(void) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_row(&rows[i]);
    }
    return check_report();
}
