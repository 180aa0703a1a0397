/*
 * families_parts.c - see families_parts.h.
 */
#include "families_parts.h"

#include <string.h>

program_parts family_begin(void) {
    return (program_parts){.version = "8.20"};
}

test_text *family_part(program_parts *p, const char *field) {
    p->fields[p->count] = field;
    return &p->texts[p->count++];
}

static bool has_part(const program_parts *p, const char *field) {
    for (size_t i = 0; i < p->count; i++) {
        if (strcmp(p->fields[i], field) == 0) {
            return true;
        }
    }
    return false;
}

/* x goes in and comes out. */
static void pass_x(program_parts *p) {
    p->inputs = 1;
    p->outputs = 1;
    test_add_str(family_part(p, "Graph.inputs"), "[" TENSOR("x") "]");
    test_add_str(family_part(p, "Graph.outputs"), "[" TENSOR("x") "]");
    test_add_str(family_part(p, "GraphSignature.input_specs"),
                 "[{\"user_input\": {\"arg\": " TENSOR("x") "}}]");
    test_add_str(family_part(p, "GraphSignature.output_specs"),
                 "[{\"user_output\": {\"arg\": " TENSOR("x") "}}]");
    if (!has_part(p, "Graph.tensor_values")) {
        test_add_str(family_part(p, "Graph.tensor_values"), "{\"x\": " META_OF("2") "}");
    }
}

void family_end(program_parts *p, test_text *out) {
    test_hole holes[FAMILY_PARTS_MAX + 1];
    if (!has_part(p, "Graph.inputs")) {
        pass_x(p);
    }
    for (size_t i = 0; i < p->count; i++) {
        test_add(&p->texts[i], "", 1);
        holes[i] = (test_hole){p->fields[i], p->texts[i].data};
    }
    holes[p->count] = (test_hole){NULL, NULL};
    test_whole(out, p->version, p->inputs, p->outputs, holes);
    for (size_t i = 0; i < p->count; i++) {
        test_text_free(&p->texts[i]);
    }
}

void family_number(test_text *text, const char *before, size_t number, const char *after) {
    test_add_str(text, before);
    test_add_int(text, (int64_t)number);
    test_add_str(text, after);
}

void family_each(test_text *text, size_t n, const char *before, const char *after) {
    for (size_t i = 0; i < n; i++) {
        test_add_str(text, i == 0 ? "" : ", ");
        family_number(text, before, i, after);
    }
}

void family_times(test_text *text, size_t n, const char *piece) {
    for (size_t i = 0; i < n; i++) {
        test_add_str(text, i == 0 ? "" : ", ");
        test_add_str(text, piece);
    }
}

void family_last(test_text *nodes, bool other) {
    test_add_str(nodes, "{\"target\": \"torch.ops.my.");
    test_add_str(nodes, other ? "other" : "last");
    test_add_str(nodes, ".default\", \"inputs\": [" CALL_END "]");
}

void family_part_last(program_parts *p, bool other) {
    test_text *nodes = family_part(p, "Graph.nodes");
    test_add_str(nodes, "[");
    family_last(nodes, other);
}

test_text *family_texts(program_parts *p) {
    test_text *nodes = family_part(p, "Graph.nodes");
    test_add_str(nodes, "[{\"target\": \"torch.ops.my.call.default\", \"inputs\": [], "
                        "\"outputs\": [], \"metadata\": {");
    return nodes;
}

void family_texts_end(test_text *texts, bool other) {
    test_add_str(texts, "}}, ");
    family_last(texts, other);
}
