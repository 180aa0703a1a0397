/*
 * test_leaves.c - what an Argument names (leaves.c): in the order of the file,
 * with the slot that holds each name.
 */
#include "tree/leaves.h"

#include "opened.h"
#include "whole.h"

static uint64_t inputs_of(const test_opened *o) {
    const ep_node *module =
        ep_field_node(&o->fields, o->program->root, EP_F_ExportedProgram_graph_module);
    const ep_node *graph = ep_field_node(&o->fields, module, EP_F_GraphModule_graph);
    return ep_field_bits(&o->fields, graph, EP_F_Graph_inputs);
}

typedef struct told {
    const char *input;
    size_t count;
    size_t stop_after; /* 0: never */
    test_text all;     /* a letter for what it holds, the name, a blank */
} told;

static bool hear(void *context, const ep_leaf *leaf) {
    static const char letters[] = "-tifbog";
    told *t = context;
    test_add(&t->all, &letters[leaf->holds], 1);
    if (leaf->name != NULL) {
        ep_bytes name = ep_ref_raw(t->input, *leaf->name);
        test_add(&t->all, name.data, name.size);
    }
    test_add_str(&t->all, " ");
    CHECK(leaf->node != NULL);
    t->count++;
    return t->stop_after == 0 || t->count < t->stop_after;
}

/* Tells of all inputs of the graph. */
static bool tell(const test_opened *o, told *t, ep_arena *arena) {
    uint64_t inputs = inputs_of(o);
    t->input = o->text.data;
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        TRY(ep_leaves(arena, &o->fields, ep_item_node(inputs, i), hear, t));
    }
    return true;
}

static void check_leaves(const char *version, const char *inputs, const char *expected) {
    test_opened o = {0};
    told t = {0};
    test_program_with(&o.text, version, "Graph.inputs", inputs);
    if (test_open(&o)) {
        CHECK(tell(&o, &t, &o.arena));
        CHECK_EQ_STR(t.all.data, t.all.size, expected);
    }
    test_text_free(&t.all);
    test_close(&o);
}

static const char everywhere[] =
    "[{\"as_tensor\": {\"name\": \"a\"}}, {\"as_tensors\": [{\"name\": \"b\"}, {\"name\": "
    "\"c\"}]}, {\"as_nested_tensors\": [[{\"name\": \"d\"}], [], [{\"name\": \"e\"}]]}, "
    "{\"as_optional_tensor\": {\"as_tensor\": {\"name\": \"f\"}}}, {\"as_optional_tensors\": "
    "[{\"as_none\": true}, {\"as_tensor\": {\"name\": \"g\"}}]}, {\"as_int\": 1}, "
    "{\"as_string_to_argument\": {\"k\": {\"as_string_to_argument\": {\"l\": {\"as_graph\": "
    "{\"name\": \"n\", \"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": \"inner\"}}], "
    "\"outputs\": [], \"nodes\": [], \"tensor_values\": {}, \"sym_int_values\": {}, "
    "\"sym_bool_values\": {}}}}, \"o\": {\"as_tensor\": {\"name\": \"h\"}}}}, \"m\": "
    "{\"as_tensor\": {\"name\": \"i\"}}}}, {\"as_sym_int\": {\"as_name\": \"j\"}}, "
    "{\"as_sym_ints\": [{\"as_int\": 2}, {\"as_name\": \"k\"}]}, {\"as_sym_bool\": {\"as_name\": "
    "\"l\"}}, {\"as_sym_bools\": [{\"as_bool\": true}, {\"as_name\": \"m\"}]}, "
    "{\"as_sym_float\": {\"as_name\": \"n\"}}, {\"as_sym_floats\": [{\"as_float\": 0.5}, "
    "{\"as_name\": \"o\"}]}, {\"as_custom_obj\": {\"name\": \"p\", \"class_fqn\": \"C\"}}, "
    "{\"as_operator\": \"x\"}, {\"as_string\": \"y\"}]";

static void test_tags(void) {
    check_leaves("8.20", everywhere, "ta tb tc td te tf t tg gn th ti ij i ik bl b bm fn f fo op ");
}

/* The optional tensors before 5.3 hold the name itself, and the custom objects
 * of version 1 have none. */
static void test_older(void) {
    test_text one = {0};
    check_leaves("5.1", "[{\"as_optional_tensors\": [{\"as_none\": []}, {\"as_tensor\": \"a\"}]}]",
                 "t ta ");
    check_leaves("5.3", "[{\"as_optional_tensors\": [{\"as_tensor\": {\"name\": \"a\"}}]}]", "ta ");
    check_leaves("3.1", "[{\"$type\": \"as_tensor\", \"$value\": {\"name\": \"a\"}}]", "ta ");
    test_add_str(&one, "[");
    test_add_union(&one, "1", "Argument", "as_custom_obj", "{\"blob\": \"QQ==\"}");
    test_add(&one, "]", 2);
    check_leaves("1", one.data, "o ");
    test_text_free(&one);
}

/* The slot is the tree's own. */
static void test_slots(void) {
    test_opened o = {0};
    told t = {0};
    test_program_with(&o.text, "8.20", "Graph.inputs", "[{\"as_tensor\": {\"name\": \"a\"}}]");
    if (test_open(&o)) {
        const ep_node *tensor = ep_tag_node(ep_item_node(inputs_of(&o), 0));
        CHECK(tell(&o, &t, &o.arena));
        CHECK_EQ_STR(t.all.data, t.all.size, "ta ");
        CHECK(ep_text_is(o.text.data, tensor->slots[o.fields.slot[EP_F_TensorArgument_name]],
                         EP_TEXT("a")));
    }
    test_text_free(&t.all);
    test_close(&o);
}

static void test_stop(void) {
    test_opened o = {0};
    test_program_with(&o.text, "8.20", "Graph.inputs", everywhere);
    if (test_open(&o)) {
        for (size_t n = 1; n <= 21; n++) {
            told t = {.stop_after = n};
            CHECK(!tell(&o, &t, &o.arena));
            CHECK_EQ_INT(t.count, n);
            test_text_free(&t.all);
        }
    }
    test_close(&o);
}

static void test_refused(void) {
    test_opened o = {0};
    size_t refused = 0;
    test_program_with(&o.text, "8.20", "Graph.inputs", everywhere);
    if (test_open(&o)) {
        for (size_t n = 1;; n++) {
            test_heap heap = {.fail_at = n, .fail_on = true};
            ep_arena arena;
            told t = {0};
            test_arena(&arena, &heap, 0);
            bool ok = tell(&o, &t, &arena);
            CHECK_EQ_INT(ok, t.count == 21);
            ep_arena_free(&arena);
            CHECK_EQ_INT(heap.bytes, 0);
            test_text_free(&t.all);
            if (ok) {
                break;
            }
            refused++;
        }
    }
    CHECK(refused > 0);
    test_close(&o);
}

int main(void) {
    test_tags();
    test_older();
    test_slots();
    test_stop();
    test_refused();
    return check_report();
}
