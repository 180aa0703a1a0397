/*
 * families_graph.c - families that are large in nodes, values, arguments and
 * subgraphs.
 */
#include "base/map.h"
#include "families_parts.h"

#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------------------- depth and length */

enum { NESTED_ARGUMENTS = 450, NESTED_GRAPHS = 130 };

void family_deep_arguments(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[");
    for (size_t i = 0; i < n; i++) {
        test_add_str(nodes, CALL "{\"name\": \"a\", \"arg\": ");
        test_add_repeat(nodes, "{\"as_string_to_argument\": {\"k\": ", NESTED_ARGUMENTS);
        test_add_str(nodes, "{\"as_none\": true}");
        test_add_repeat(nodes, "}}", NESTED_ARGUMENTS);
        test_add_str(nodes, "}" CALL_END ", ");
    }
    family_last(nodes, other);
    family_end(&p, out);
}

#define GRAPH_OPENING                                                                              \
    "{\"inputs\": [], \"outputs\": [], \"tensor_values\": {}, \"sym_int_values\": {}, "            \
    "\"sym_bool_values\": {}, \"nodes\": ["

void family_deep_graphs(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[");
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < NESTED_GRAPHS; j++) {
            family_number(nodes, CALL "{\"name\": \"\", \"arg\": {\"as_graph\": {\"name\": \"g", i,
                          "\", \"graph\": " GRAPH_OPENING);
        }
        test_add_repeat(nodes, "]}}}}" CALL_END, NESTED_GRAPHS);
        test_add_str(nodes, ", ");
    }
    family_last(nodes, other);
    family_end(&p, out);
}

enum { NAME = 24 /* bytes */, WINDOWS = 256 };

/* The next name: no two are the same. */
static void draw(uint64_t *state, char name[NAME]) {
    uint64_t number = ++*state;
    uint64_t mixed = number * 0x9E3779B97F4A7C15u;
    for (int i = 0; i < NAME; i++) {
        uint64_t *from = i < 16 ? &mixed : &number;
        name[i] = (char)('a' + *from % 16);
        *from /= 16;
    }
}

/* The map itself is asked, so that nothing here knows how a hash is made. It never holds
 * more than this name. */
static uint64_t hash_of(ep_map *map, const char name[NAME]) {
    uint32_t number;
    bool fresh;
    if (!ep_map_put(map, (ep_bytes){name, NAME}, &number, &fresh)) {
        exit(EXIT_FAILURE);
    }
    uint64_t hash = map->keys[0].hash;
    map->count = 0;
    map->slots[hash & (map->capacity - 1)] = 0;
    return hash;
}

/* So many names that begin in few slots of a map that they fill: one in WINDOWS gets
 * them all. */
static void add_pile(test_text *names, size_t count) {
    test_heap heap = {0};
    ep_arena arena;
    ep_map map;
    char name[NAME];
    uint64_t state = 0;
    size_t capacity = WINDOWS;
    while (capacity < 2 * count) {
        capacity *= 2;
    }
    test_arena(&arena, &heap, 0);
    ep_map_init(&map, &arena);
    while (names->size < count * NAME) {
        draw(&state, name);
        if ((hash_of(&map, name) & (capacity - 1)) < capacity / WINDOWS) {
            test_add(names, name, NAME);
        }
    }
    ep_map_free(&map);
    ep_arena_free(&arena);
}

/* Values whose names collide in the maps of ep_check. */
void family_colliding_names(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    size_t count = 1;
    while (2 * count <= n) {
        count *= 2;
    }
    test_text names = {0};
    add_pile(&names, count);
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_text *values = family_part(&p, "Graph.sym_int_values");
    test_add_str(nodes, "[{\"target\": \"torch.ops.my.call.default\", \"inputs\": [], "
                        "\"outputs\": [");
    test_add_str(values, "{");
    for (size_t i = 0; i < count; i++) {
        const char *name = names.data + i * NAME;
        test_add_str(nodes, i == 0 ? "{\"as_sym_int\": {\"as_name\": \""
                                   : ", {\"as_sym_int\": {\"as_name\": \"");
        test_add(nodes, name, NAME);
        test_add_str(nodes, "\"}}");
        test_add_str(values, i == 0 ? "\"" : ", \"");
        test_add(values, name, NAME);
        test_add_str(values, "\": {\"as_int\": 1}");
    }
    test_text_free(&names);
    test_add_str(nodes, "], \"metadata\": {}}, ");
    test_add_str(values, "}");
    family_last(nodes, other);
    family_end(&p, out);
}

/* ------------------------------------------------------------------------ nodes */

void family_nodes(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[");
    test_add_repeat(nodes, CALL CALL_END ", ", n);
    family_last(nodes, other);
    family_end(&p, out);
}

void family_targets(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[");
    family_each(nodes, n, "{\"target\": \"torch.ops.my.call",
                ".default\", \"inputs\": [], \"outputs\": [], \"metadata\": {}}");
    test_add_str(nodes, ", ");
    family_last(nodes, other);
    family_end(&p, out);
}

/* A node of one tensor: an operator, what it takes and the number of what it
 * gives. */
static void add_node(test_text *nodes, const char *operator, const char * from, size_t number) {
    test_add_str(nodes, "{\"target\": \"torch.ops.aten.");
    test_add_str(nodes, operator);
    test_add_str(nodes, "\", \"inputs\": [{\"name\": \"self\", \"arg\": {\"as_tensor\": "
                        "{\"name\": \"");
    test_add_str(nodes, from);
    family_number(nodes, "\"}}, \"kind\": 1}], \"outputs\": [{\"as_tensor\": {\"name\": \"n",
                  number, "\"}}], \"metadata\": {}}, ");
}

static void add_metas(test_text *values, size_t n) {
    test_add_str(values, "{\"x\": " META_OF("2"));
    for (size_t i = 0; i < n; i++) {
        family_number(values, ", \"n", i, "\": " META_OF("2"));
    }
    test_add_str(values, "}");
}

typedef enum likeness { CHAIN, TWINS, VIEWS } likeness;

static void make_tensors(test_text *out, size_t n, bool other, likeness kind) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    add_metas(family_part(&p, "Graph.tensor_values"), n);
    test_add_str(nodes, "[");
    for (size_t i = 0; i < n; i++) {
        char before[24] = "x";
        if (i > 0 && kind != TWINS) {
            snprintf(before, sizeof before, "n%zu", kind == VIEWS && i % 3 == 1 ? 0 : i - 1);
        }
        const char *operators[] = {"relu.default", "sin.default", "relu_.default"};
        const char *views[] = {i == 0 ? "clone.default" : "sin.default", "alias.default",
                               "relu_.default"};
        const char *operator= kind == VIEWS ? views[i % 3]
        : kind == CHAIN                     ? operators[i % 2]
                                            : "neg.default";
        add_node(nodes, operator, before, i);
    }
    family_last(nodes, other);
    family_end(&p, out);
}

void family_chain(test_text *out, size_t n, bool other) {
    make_tensors(out, n, other, CHAIN);
}

void family_twins(test_text *out, size_t n, bool other) {
    make_tensors(out, n, other, TWINS);
}

void family_views(test_text *out, size_t n, bool other) {
    make_tensors(out, n, other, VIEWS);
}

/* -------------------------------------------------------------------- arguments */

void family_arguments(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[" CALL);
    family_each(nodes, n, "{\"name\": \"a", "\", \"arg\": {\"as_int\": 1}}");
    test_add_str(nodes, CALL_END ", ");
    family_last(nodes, other);
    family_end(&p, out);
}

/* One node of one argument, a list. */
static void make_list(test_text *out, size_t n, bool other, const char *const tag_and_item[2]) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[" CALL "{\"name\": \"a\", \"arg\": {\"");
    test_add_str(nodes, tag_and_item[0]);
    test_add_str(nodes, "\": [");
    family_times(nodes, n, tag_and_item[1]);
    test_add_str(nodes, "]}}" CALL_END ", ");
    family_last(nodes, other);
    family_end(&p, out);
}

void family_users(test_text *out, size_t n, bool other) {
    make_list(out, n, other, (const char *[]){"as_tensors", "{\"name\": \"x\"}"});
}

void family_escaped_users(test_text *out, size_t n, bool other) {
    make_list(out, n, other, (const char *[]){"as_tensors", "{\"name\": \"\\u0078\"}"});
}

void family_ints(test_text *out, size_t n, bool other) {
    make_list(out, n, other, (const char *[]){"as_ints", "-1234567890123456789"});
}

void family_floats(test_text *out, size_t n, bool other) {
    make_list(out, n, other, (const char *[]){"as_floats", "2.2250738585072011e-308"});
}

void family_digits(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[" CALL "{\"name\": \"a\", \"arg\": {\"as_float\": 0.");
    test_add_repeat(nodes, "3", n);
    test_add_str(nodes, "}}" CALL_END ", ");
    family_last(nodes, other);
    family_end(&p, out);
}

/* ------------------------------------------------------- signature and subgraphs */

void family_inputs(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    p.inputs = n;
    p.outputs = 1;
    family_part_last(&p, other);
    test_add_str(family_part(&p, "Graph.outputs"), "[" TENSOR("x0") "]");
    test_add_str(family_part(&p, "GraphSignature.output_specs"),
                 "[{\"user_output\": {\"arg\": " TENSOR("x0") "}}]");
    test_text *inputs = family_part(&p, "Graph.inputs");
    test_text *specs = family_part(&p, "GraphSignature.input_specs");
    test_text *values = family_part(&p, "Graph.tensor_values");
    test_add_str(inputs, "[");
    family_each(inputs, n, "{\"as_tensor\": {\"name\": \"x", "\"}}");
    test_add_str(inputs, "]");
    test_add_str(specs, "[");
    family_each(specs, n, "{\"user_input\": {\"arg\": {\"as_tensor\": {\"name\": \"x", "\"}}}}");
    test_add_str(specs, "]");
    test_add_str(values, "{");
    family_each(values, n, "\"x", "\": " META_OF("2"));
    test_add_str(values, "}");
    family_end(&p, out);
}

static void add_mutation(test_text *text, const char *kind, size_t i) {
    test_add_str(text, i == 0 ? "{\"" : ", {\"");
    test_add_str(text, kind);
    family_number(text, "\": {\"arg\": {\"name\": \"p", i, "\"}, \"parameter_name\": \"w");
    family_number(text, "", i, "\"}}");
}

void family_mutations(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    family_part_last(&p, other);
    test_text *inputs = family_part(&p, "Graph.inputs");
    test_text *outputs = family_part(&p, "Graph.outputs");
    test_text *values = family_part(&p, "Graph.tensor_values");
    test_text *in = family_part(&p, "GraphSignature.input_specs");
    test_text *out_specs = family_part(&p, "GraphSignature.output_specs");
    test_add_str(inputs, "[");
    family_each(inputs, n, "{\"as_tensor\": {\"name\": \"p", "\"}}");
    test_add_str(inputs, "]");
    test_add(outputs, inputs->data, inputs->size);
    test_add_str(values, "{");
    family_each(values, n, "\"p", "\": " META_OF("2"));
    test_add_str(values, "}");
    test_add_str(in, "[");
    test_add_str(out_specs, "[");
    for (size_t i = 0; i < n; i++) {
        add_mutation(in, "parameter", i);
        add_mutation(out_specs, "parameter_mutation", i);
    }
    test_add_str(in, "]");
    test_add_str(out_specs, "]");
    family_end(&p, out);
}

void family_subgraphs(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[");
    family_each(
        nodes, n, CALL "{\"name\": \"\", \"arg\": {\"as_graph\": {\"name\": \"g",
        "\", \"graph\": {\"inputs\": [{\"as_sym_int\": {\"as_name\": \"x\"}}], "
        "\"outputs\": [], \"nodes\": [], \"tensor_values\": {}, \"sym_int_values\": {\"x\": "
        "{\"as_int\": 1}}, \"sym_bool_values\": {}}}}}" CALL_END);
    test_add_str(nodes, ", ");
    family_last(nodes, other);
    family_end(&p, out);
}

/* ---------------------------------------------------------------- errors at the end */

/* The decoder finds it, and has to say where. */
void family_late_error(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[");
    test_add_repeat(nodes, CALL CALL_END ", ", n);
    family_last(nodes, other);
    test_add_str(family_part(&p, "ExportedProgram.verifiers"), "[\"TRAINING\", 7]");
    family_end(&p, out);
}

/* ep_check finds it. */
void family_late_use(test_text *out, size_t n, bool other) {
    program_parts p = family_begin();
    test_text *nodes = family_part(&p, "Graph.nodes");
    test_add_str(nodes, "[" CALL "{\"name\": \"a\", \"arg\": {\"as_tensors\": [");
    family_times(nodes, n, "{\"name\": \"x\"}");
    test_add_str(nodes, ", {\"name\": \"y\"}]}}" CALL_END ", ");
    family_last(nodes, other);
    family_end(&p, out);
}
