/*
 * canon/graphs.c - the graphs of the copy with their use-def chains: the values and
 * nodes of each graph, and the values that each node uses.
 */
#include "canon/canon.h"

#include "rules/judge.h"

/* ----------------------------------------------------------------- definitions */

/* The state of reading one graph. */
typedef struct reading {
    ep_canonizer *c;
    ep_canon_graph *graph;
    uint32_t definer; /* the current node, or none */
    uint32_t place;   /* the index of its next value */
    uint32_t argument;
    ep_canon_graph **child;
} reading;

/* Defines a value. A name is defined once (SPEC 5.1.1), so that a value has the number
 * of its name in the map. */
static bool define(reading *r, uint64_t *name, ep_holds holds) {
    ep_bytes text;
    uint32_t number;
    bool fresh;
    TRY(ep_canon_text(r->c, *name, &text));
    if (!ep_map_put(&r->graph->names, text, &number, &fresh)) {
        return ep_canon_fail(r->c, EP_MEMORY);
    }
    /* in a program that was checked, no name is defined twice */
    if (EP_NEVER(!fresh)) {
        return ep_canon_fail(r->c, EP_INTERNAL);
    }
    const ep_canon_value value = {
        .slot = name,
        .definer = r->definer,
        .place = r->place++,
        .met = EP_CANON_NONE,
        .group = number,
        .holds = (uint8_t)holds,
    };
    return ep_canon_values_push(&r->graph->values, value) || ep_canon_fail(r->c, EP_MEMORY);
}

/* An object of version 1 has no name, and no table lists it (SPEC 6.1.3). */
static bool is_nameless(const reading *r, const ep_leaf *leaf) {
    return leaf->holds == EP_HOLDS_CUSTOM_OBJ &&
           ep_field_bits(&r->c->fields, r->graph->graph, EP_F_Graph_custom_obj_values) == 0;
}

static bool define_leaf(void *context, const ep_leaf *leaf) {
    reading *r = context;
    return !ep_leaf_is_value(leaf) || is_nameless(r, leaf) || define(r, leaf->name, leaf->holds);
}

/* Visits the leaves of an argument. The visitor records the failure if it stops. */
static bool read_argument(reading *r, const ep_node *argument, ep_leaf_visitor *visitor) {
    return ep_leaves(r->c->arena, &r->c->fields, argument, visitor, r) ||
           ep_canon_fail(r->c, EP_MEMORY);
}

static bool define_inputs(reading *r) {
    const ep_fields *fields = &r->c->fields;
    uint64_t inputs = ep_field_bits(fields, r->graph->graph, EP_F_Graph_inputs);
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        r->place = (uint32_t)i;
        TRY(read_argument(r, ep_item_node(inputs, i), define_leaf));
    }
    return true;
}

static bool define_outputs(reading *r, ep_canon_node *node) {
    uint64_t outputs = ep_field_bits(&r->c->fields, node->node, EP_F_Node_outputs);
    node->first_value = (uint32_t)r->graph->names.count;
    r->place = 0;
    for (size_t i = 0; i < ep_list_count(outputs); i++) {
        TRY(read_argument(r, ep_item_node(outputs, i), define_leaf));
    }
    node->value_count = (uint32_t)r->graph->names.count - node->first_value;
    return true;
}

/* Finds the entry of each value in the tables. */
static bool read_tables(reading *r) {
    for (uint8_t table = 0; table < EP_TABLE_COUNT; table++) {
        uint64_t dict = ep_field_bits(&r->c->fields, r->graph->graph, ep_tables[table].field);
        for (size_t i = 0; i < ep_list_count(dict); i++) {
            ep_bytes text;
            TRY(ep_canon_text(r->c, ep_dict_key(dict, i), &text));
            uint32_t number = ep_map_find(&r->graph->names, text);
            if (number == EP_MAP_NONE) { /* a tensor of version 1 in a subgraph */
                continue;
            }
            r->graph->values.items[number].entry = ep_dict_value(dict, i);
            r->graph->values.items[number].entry_in = table;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------ uses */

static bool new_graph(ep_canonizer *c, ep_node *graph, ep_canon_graph **made) {
    *made = ep_canon_array(c, 1, sizeof **made);
    if (*made == NULL) {
        return false;
    }
    (*made)->graph = graph;
    (*made)->outside = EP_CANON_NONE;
    ep_map_init(&(*made)->names, c->arena);
    ep_canon_values_init(&(*made)->values, c->arena);
    ep_canon_uses_init(&(*made)->uses, c->arena);
    ep_canon_edges_init(&(*made)->edges, c->arena);
    (*made)->before = c->last_graph;
    if (c->last_graph == NULL) {
        c->graphs = *made;
    } else {
        c->last_graph->next = *made;
    }
    c->last_graph = *made;
    return true;
}

/* A constant beside the program keeps its name, so that no value may get that name. */
static bool keep_constant(ep_canonizer *c, ep_bytes name) {
    uint32_t number;
    bool fresh;
    return ep_map_put(&c->kept, name, &number, &fresh) || ep_canon_fail(c, EP_MEMORY);
}

static bool use_leaf(void *context, const ep_leaf *leaf) {
    reading *r = context;
    ep_bytes text;
    if (leaf->holds == EP_HOLDS_GRAPH) {
        TRY(new_graph(r->c, ep_field_mutable(&r->c->fields, leaf->node, EP_F_GraphArgument_graph),
                      r->child));
        (*r->child)->argument = leaf->node;
        (*r->child)->input = r->argument;
        r->child = &(*r->child)->sibling;
        return true;
    }
    if (!ep_leaf_is_value(leaf)) {
        return true;
    }
    TRY(ep_canon_text(r->c, *leaf->name, &text));
    uint32_t number = ep_map_find(&r->graph->names, text);
    if (number == EP_MAP_NONE || is_nameless(r, leaf)) { /* beside the program */
        return keep_constant(r->c, text);
    }
    const ep_canon_use use = {.slot = leaf->name, .value = number, .argument = r->argument};
    if (!ep_canon_uses_push(&r->graph->uses, use)) {
        return ep_canon_fail(r->c, EP_MEMORY);
    }
    return true;
}

/* The uses in a dict are in the order of its keys (SPEC 6.4). */
static bool read_uses(reading *r, ep_canon_node *node) {
    uint64_t inputs = ep_field_bits(&r->c->fields, node->node, EP_F_Node_inputs);
    node->first_use = (uint32_t)r->graph->uses.count;
    r->child = &node->subgraph;
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        const ep_node *argument =
            ep_field_node(&r->c->fields, ep_item_node(inputs, i), EP_F_NamedArgument_arg);
        r->argument = (uint32_t)i;
        TRY(ep_canon_sort_argument(r->c, argument) && read_argument(r, argument, use_leaf));
    }
    node->use_count = (uint32_t)r->graph->uses.count - node->first_use;
    return true;
}

/* ------------------------------------------------------------------- the graphs */

static bool allocate(ep_canonizer *c, ep_canon_graph *graph) {
    graph->nodes = ep_canon_array(c, graph->node_count, sizeof *graph->nodes);
    graph->order = ep_canon_array(c, graph->node_count, sizeof *graph->order);
    graph->ranked = ep_canon_array(c, graph->node_count, sizeof *graph->ranked);
    return graph->nodes != NULL && graph->order != NULL && graph->ranked != NULL;
}

static bool read_graph(ep_canonizer *c, ep_canon_graph *graph) {
    reading r = {.c = c, .graph = graph, .definer = EP_CANON_NONE};
    uint64_t nodes = ep_field_bits(&c->fields, graph->graph, EP_F_Graph_nodes);
    graph->node_count = ep_list_count(nodes);
    TRY(allocate(c, graph) && define_inputs(&r));
    for (size_t i = 0; i < graph->node_count; i++) {
        r.definer = (uint32_t)i;
        graph->nodes[i] = (ep_canon_node){
            .node = ep_item_mutable(nodes, i), .rank = EP_CANON_NONE, .first_edge = EP_CANON_NONE};
        TRY(ep_canon_target_of(c, graph->nodes[i].node, &graph->nodes[i].target) &&
            define_outputs(&r, &graph->nodes[i]));
    }
    graph->named = ep_canon_array(c, graph->values.count, sizeof *graph->named);
    TRY(graph->named != NULL && read_tables(&r));
    for (size_t i = 0; i < graph->node_count; i++) {
        TRY(read_uses(&r, &graph->nodes[i]));
    }
    return true;
}

bool ep_canon_graphs(ep_canonizer *c) {
    ep_node *module = ep_field_mutable(&c->fields, c->root, EP_F_ExportedProgram_graph_module);
    ep_canon_graph *first;
    ep_map_init(&c->target_texts, c->arena);
    ep_canon_target_stack_init(&c->targets, c->arena);
    ep_map_init(&c->kept, c->arena);
    TRY(new_graph(c, ep_field_mutable(&c->fields, module, EP_F_GraphModule_graph), &first));
    for (ep_canon_graph *graph = first; graph != NULL; graph = graph->next) {
        TRY(read_graph(c, graph));
    }
    return true;
}

void ep_canon_graphs_free(ep_canonizer *c) {
    for (ep_canon_graph *graph = c->graphs; graph != NULL; graph = graph->next) {
        ep_map_free(&graph->names);
        ep_canon_values_free(&graph->values);
        ep_canon_uses_free(&graph->uses);
        ep_canon_edges_free(&graph->edges);
    }
    ep_map_free(&c->target_texts);
    ep_canon_target_stack_free(&c->targets);
    ep_map_free(&c->kept);
}
