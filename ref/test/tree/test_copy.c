/*
 * test_copy.c - a tree once more (copy.c): it is encoded as the first one is,
 * and to change it leaves the first as it was.
 */
#include "tree/copy.h"

#include "opened.h"
#include "samples.h"

static void check_encoded(test_opened *o, const ep_node *root) {
    ep_program program = {.schema = o->program->schema, .input = o->program->input, .root = root};
    test_text text = {0};
    CHECK(ep_encode(&program, &o->arena, test_sink, &text, NULL));
    CHECK_EQ_BYTES(text.data, text.size, o->text.data, o->text.size);
    test_text_free(&text);
}

/* Lists of lists, dicts in dicts, tuples, graphs in arguments in graphs. */
static const char graphs[] =
    "[{\"as_nested_tensors\": [[{\"name\": \"d\"}], [], [{\"name\": \"e\"}, {\"name\": \"f\"}]]}, "
    "{\"as_int_lists\": [[1, 2], [], [3]]}, {\"as_floats\": [1.0, 0.5]}, {\"as_strings\": "
    "[\"\\n\", \"\"]}, {\"as_optional_tensors\": [{\"as_none\": true}, {\"as_tensor\": {\"name\": "
    "\"g\"}}]}, {\"as_string_to_argument\": {\"k\": {\"as_string_to_argument\": {\"l\": "
    "{\"as_graph\": {\"name\": \"n\", \"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": "
    "\"h\"}}], \"outputs\": [], \"nodes\": [], \"tensor_values\": {}, \"sym_int_values\": {\"s\": "
    "{\"as_expr\": {\"expr_str\": \"u0\", \"hint\": {\"as_int\": 3}}}}, \"sym_bool_values\": {}, "
    "\"is_single_tensor_return\": false, \"custom_obj_values\": {}, \"sym_float_values\": "
    "{}}}}}}, \"m\": {\"as_none\": true}}}]";

static void check_copy(test_opened *o) {
    if (test_open(o)) {
        ep_node *copy = ep_copy_tree(&o->arena, o->program->schema, o->program->root);
        if (CHECK(copy != NULL)) {
            CHECK(copy != o->program->root);
            CHECK_EQ_INT(copy->offset, o->program->root->offset);
            check_encoded(o, copy);
        }
    }
    test_close(o);
}

static void test_shapes(void) {
    test_opened o = {0};
    test_program_with(&o.text, "8.20", "Graph.inputs", graphs);
    check_copy(&o);
}

/* Version 1 has tuples: those of dimensions, and of example inputs. */
static void test_tuples(void) {
    test_opened o = {0};
    test_hole holes[] = {
        {"ExportedProgram.equality_constraints", "[[[\"x\", 0], [\"y\", 1]], [[\"x\", 1], [\"z\", "
                                                 "2]]]"},
        {"ExportedProgram.example_inputs", "[[\"QQ==\", \"QUE=\"], {\"k\": \"QUFB\"}]"},
        {NULL, NULL},
    };
    test_program(&o.text, "1", holes);
    check_copy(&o);
}

static void test_samples_of_versions(void) {
    for (size_t i = 0; i < TEST_SAMPLES; i++) {
        test_opened o = {0};
        test_add_str(&o.text, test_samples[i].json);
        check_copy(&o);
    }
}

/* Nothing of the first tree is part of the second. */
static void test_change(void) {
    test_opened o = {0};
    ep_fields f;
    test_program_with(&o.text, "8.20", "Graph.inputs", graphs);
    if (test_open(&o)) {
        ep_fields_open(&f, o.program->schema);
        ep_node *copy = ep_copy_tree(&o.arena, o.program->schema, o.program->root);
        if (CHECK(copy != NULL)) {
            const ep_node *module = ep_field_node(&f, copy, EP_F_ExportedProgram_graph_module);
            const ep_node *graph = ep_field_node(&f, module, EP_F_GraphModule_graph);
            ep_list *inputs = (ep_list *)(uintptr_t)graph->slots[f.slot[EP_F_Graph_inputs]];
            ep_node *nested = (ep_node *)(uintptr_t)inputs->items[0];
            ep_list *tensors = (ep_list *)(uintptr_t)nested->slots[0];
            tensors->items[1] = tensors->items[2];
            inputs->items[1] = inputs->items[0];
            copy->present = 0;
            check_encoded(&o, o.program->root);
        }
    }
    test_close(&o);
}

static void test_refused(void) {
    test_opened o = {0};
    size_t refused = 0;
    test_program_with(&o.text, "8.20", "Graph.inputs", graphs);
    if (test_open(&o)) {
        for (size_t n = 1;; n++) {
            test_heap heap = {.fail_at = n, .fail_on = true};
            ep_arena arena;
            test_arena(&arena, &heap, 0);
            bool ok = ep_copy_tree(&arena, o.program->schema, o.program->root) != NULL;
            ep_arena_free(&arena);
            CHECK_EQ_INT(heap.bytes, 0);
            if (ok) {
                break;
            }
            refused++;
        }
    }
    CHECK(refused > 1);
    test_close(&o);
}

int main(void) {
    test_shapes();
    test_tuples();
    test_samples_of_versions();
    test_change();
    test_refused();
    return check_report();
}
