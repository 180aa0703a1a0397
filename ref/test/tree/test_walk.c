/*
 * test_walk.c - the tree by names (fields.c), and the walk that is told of
 * members by name (walk.c): held against a count of the same members in the
 * text, in every version.
 */
#include "tree/walk.h"

#include "opened.h"
#include "samples.h"

/* ------------------------------------------------------------------------ fields */

/* Slots and fields are each other's inverse, and say what the schema says. */
static void test_slots(void) {
    for (size_t v = 0; ep_version_at(v) != NULL; v++) {
        test_opened o = {0};
        const ep_schema *schema = NULL;
        size_t found = 0;
        test_arena(&o.arena, &o.heap, 0);
        if (CHECK(ep_schema_open(&o.arena, ep_version_at(v), &schema, NULL))) {
            ep_fields_open(&o.fields, schema);
            for (size_t i = 0; i < EP_FIELD_COUNT; i++) {
                uint8_t slot = o.fields.slot[i];
                uint8_t type = ep_field_type((ep_field)i);
                if (slot == EP_NO_MEMBER) {
                    continue;
                }
                found++;
                CHECK(schema->types[type] != NULL && slot < schema->types[type]->count);
                CHECK_EQ_INT(o.fields.field[type][slot], i);
            }
        }
        CHECK(found > 80); /* of some 200, in the smallest version */
        test_close(&o);
    }
}

static const ep_node *graph_of(const test_opened *o) {
    const ep_node *module =
        ep_field_node(&o->fields, o->program->root, EP_F_ExportedProgram_graph_module);
    return ep_field_node(&o->fields, module, EP_F_GraphModule_graph);
}

static void test_fields(void) {
    test_opened o = {0};
    test_add_str(&o.text, test_sample_of("8.20"));
    if (test_open(&o)) {
        const ep_fields *f = &o.fields;
        const ep_node *graph = graph_of(&o);
        uint64_t nodes = ep_field_bits(f, graph, EP_F_Graph_nodes);
        CHECK_EQ_INT(ep_list_count(nodes), 1);
        const ep_node *node = ep_item_node(nodes, 0);
        CHECK(ep_field_present(f, node, EP_F_Node_name));
        CHECK(!ep_field_present(f, node, EP_F_Node_is_hop_single_tensor_return));
        CHECK_EQ_INT(ep_field_bits(f, node, EP_F_Node_is_hop_single_tensor_return), 0);
        CHECK(!ep_field_present(f, graph, EP_F_Graph_constants)); /* of version 1 */
        CHECK(ep_field_node(f, graph, EP_F_Graph_constants) == NULL);
        uint64_t inputs = ep_field_bits(f, graph, EP_F_Graph_inputs);
        CHECK_EQ_INT(ep_tag(f, ep_item_node(inputs, 0)), EP_F_Argument_as_tensor);
        ep_ref name =
            ep_field_bits(f, ep_tag_node(ep_item_node(inputs, 0)), EP_F_TensorArgument_name);
        CHECK(ep_text_is(o.text.data, name, EP_TEXT("x")));
        uint64_t values = ep_field_bits(f, graph, EP_F_Graph_tensor_values);
        CHECK(ep_text_is(o.text.data, ep_dict_key(values, 0), EP_TEXT("x")));
        const ep_node *meta = ep_node_at(ep_dict_value(values, 0));
        CHECK_EQ_INT(ep_field_bits(f, meta, EP_F_TensorMeta_dtype), 35);
    }
    test_close(&o);
}

static void test_ref_text(void) {
    test_opened o = {0};
    ep_bytes text;
    test_program_with(&o.text, "8.20", "Graph.inputs",
                      "[{\"as_string\": \"plain\"}, {\"as_string\": \"\\u00e9\\n\"}]");
    if (test_open(&o)) {
        uint64_t inputs = ep_field_bits(&o.fields, graph_of(&o), EP_F_Graph_inputs);
        ep_bytes input = {o.text.data, o.text.size};
        CHECK(ep_ref_text(&o.arena, input, ep_item_node(inputs, 0)->slots[0], &text));
        CHECK_EQ_STR(text.data, text.size, "plain");
        CHECK(text.data >= o.text.data && text.data < o.text.data + o.text.size);
        CHECK(ep_ref_text(&o.arena, input, ep_item_node(inputs, 1)->slots[0], &text));
        CHECK_EQ_STR(text.data, text.size, "\xC3\xA9\n");
        test_heap heap = {.fail_at = 1, .fail_on = true};
        ep_arena none;
        test_arena(&none, &heap, 0);
        CHECK(ep_ref_text(&none, input, ep_item_node(inputs, 0)->slots[0], &text));
        CHECK(!ep_ref_text(&none, input, ep_item_node(inputs, 1)->slots[0], &text));
        ep_arena_free(&none);
    }
    test_close(&o);
}

/* -------------------------------------------------------------------------- walks */

enum { NAME = EP_WALK_TELL, EXPR };

typedef struct told {
    const test_opened *o;
    size_t names;
    size_t expressions;
    size_t stop_after; /* 0: never */
    test_text texts;   /* of the names, each with a blank */
} told;

static bool hear(void *context, ep_node *node, uint8_t member, uint8_t ask) {
    told *t = context;
    const ep_type *type = t->o->program->schema->types[node->type];
    CHECK(member < type->count);
    if (ask == NAME) {
        ep_bytes text = ep_ref_raw(t->o->text.data, node->slots[member]);
        test_add(&t->texts, text.data, text.size);
        test_add_str(&t->texts, " ");
        t->names++;
    } else {
        CHECK_EQ_INT(ask, EXPR);
        CHECK_EQ_INT(type->kind, EP_KIND_UNION);
        t->expressions++;
    }
    return t->stop_after == 0 || t->names + t->expressions < t->stop_after;
}

static bool walk(told *t, ep_arena *arena, bool *out_of_memory) {
    ep_walk w;
    ep_walk_init(&w, arena, t->o->program->schema);
    ep_walk_ask(&w, &t->o->fields, EP_F_TensorArgument_name, NAME);
    ep_walk_ask(&w, &t->o->fields, EP_F_SymInt_as_expr, EXPR);
    ep_walk_ask(&w, &t->o->fields, EP_F_Graph_constants, EXPR); /* not in every version */
    return ep_walk_run(&w, t->o->program->root, hear, t, out_of_memory);
}

/* Names wherever a type leads to them: lists, lists of lists, dicts, optionals,
 * unions, graphs in arguments in dicts in arguments. */
static const char everywhere[] =
    "[{\"as_tensor\": {\"name\": \"a\"}}, {\"as_tensors\": [{\"name\": \"b\"}, {\"name\": "
    "\"c\"}]}, {\"as_nested_tensors\": [[{\"name\": \"d\"}], [], [{\"name\": \"e\"}]]}, "
    "{\"as_optional_tensor\": {\"as_tensor\": {\"name\": \"f\"}}}, {\"as_optional_tensors\": "
    "[{\"as_none\": true}, {\"as_tensor\": {\"name\": \"g\"}}]}, {\"as_int\": 1}, "
    "{\"as_string_to_argument\": {\"k\": {\"as_string_to_argument\": {\"l\": {\"as_graph\": "
    "{\"name\": \"n\", \"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": \"h\"}}], \"outputs\": "
    "[], \"nodes\": [], \"tensor_values\": {}, \"sym_int_values\": {\"s\": {\"as_expr\": "
    "{\"expr_str\": \"u0\"}}}, \"sym_bool_values\": {}}}}}}, \"m\": {\"as_tensor\": {\"name\": "
    "\"i\"}}}}]";

static void test_everywhere(void) {
    test_opened o = {0};
    told t = {.o = &o};
    bool out_of_memory = true;
    test_program_with(&o.text, "8.20", "Graph.inputs", everywhere);
    if (test_open(&o)) {
        CHECK(walk(&t, &o.arena, &out_of_memory));
        CHECK(!out_of_memory);
        CHECK_EQ_INT(t.names, 9);
        CHECK_EQ_INT(t.expressions, 1);
        test_add(&t.texts, "", 1);
        for (char name = 'a'; name <= 'i'; name++) { /* in no certain order */
            CHECK(strchr(t.texts.data, name) != NULL);
        }
    }
    test_close(&o);
    test_text_free(&t.texts);
}

/* A visitor that says no stops the walk, which is no lack of memory. */
static void test_stop(void) {
    test_opened o = {0};
    test_program_with(&o.text, "8.20", "Graph.inputs", everywhere);
    if (test_open(&o)) {
        for (size_t n = 1; n <= 10; n++) {
            told t = {.o = &o, .stop_after = n};
            bool out_of_memory = true;
            CHECK(!walk(&t, &o.arena, &out_of_memory));
            CHECK(!out_of_memory);
            CHECK_EQ_INT(t.names + t.expressions, n);
            test_text_free(&t.texts);
        }
    }
    test_close(&o);
}

/* Many values of one kind, where each allocation is refused. */
static void test_refused(const char *before, const char *item, const char *behind) {
    test_opened o = {0};
    size_t refused = 0;
    test_text hole = {0};
    test_add_str(&hole, before);
    test_add_str(&hole, item);
    for (size_t i = 0; i < 1000; i++) {
        test_add_str(&hole, ", ");
        test_add_str(&hole, item);
    }
    test_add_str(&hole, behind);
    test_add(&hole, "", 1);
    test_program_with(&o.text, "8.20", "Graph.inputs", hole.data);
    test_text_free(&hole);
    if (test_open(&o)) {
        for (size_t n = 1;; n++) {
            test_heap heap = {.fail_at = n, .fail_on = true};
            ep_arena arena;
            told t = {.o = &o};
            bool out_of_memory = false;
            test_arena(&arena, &heap, 0);
            bool ok = walk(&t, &arena, &out_of_memory);
            CHECK_EQ_INT(ok, !out_of_memory);
            ep_arena_free(&arena);
            CHECK_EQ_INT(heap.bytes, 0);
            test_text_free(&t.texts);
            if (ok) {
                CHECK_EQ_INT(t.names, 1001);
                break;
            }
            refused++;
        }
    }
    CHECK(refused > 1);
    test_close(&o);
}

static size_t occurrences(const char *text, const char *part) {
    size_t n = 0;
    for (; (text = strstr(text, part)) != NULL; text++) {
        n++;
    }
    return n;
}

/* The samples: as many as their texts have. */
static void test_versions(void) {
    for (size_t i = 0; i < TEST_SAMPLES; i++) {
        test_opened o = {0};
        told t = {.o = &o};
        bool out_of_memory;
        const char *json = test_samples[i].json;
        size_t expressions =
            occurrences(json, "{\"as_expr\": {") + occurrences(json, "\"$type\": \"as_expr\"");
        test_add_str(&o.text, json);
        if (test_open(&o)) {
            bool constants = o.fields.slot[EP_F_Graph_constants] != EP_NO_MEMBER;
            CHECK_EQ_INT(constants, strcmp(test_samples[i].version, "1") == 0);
            t.expressions = 0;
            ep_walk w;
            ep_walk_init(&w, &o.arena, o.program->schema);
            ep_walk_ask(&w, &o.fields, EP_F_SymInt_as_expr, EXPR);
            CHECK(ep_walk_run(&w, o.program->root, hear, &t, &out_of_memory));
            if (!CHECK_EQ_INT(t.expressions, expressions)) {
                fprintf(stderr, "    of %s\n", test_samples[i].version);
            }
        }
        test_close(&o);
    }
}

int main(void) {
    test_slots();
    test_fields();
    test_ref_text();
    test_everywhere();
    test_stop();
    test_refused("[", "{\"as_tensor\": {\"name\": \"a\"}}", "]");
    test_refused("[{\"as_nested_tensors\": [[", "{\"name\": \"a\"}", "]]}]");
    test_versions();
    return check_report();
}
