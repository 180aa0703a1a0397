/*
 * change_nodes.c - changes of what nodes are given, and of which there are in which
 * order; and of the order of the program's inputs and outputs.
 */
#include "rewriter.h"

static ep_list *nodes_of(const ep_rewriter *rewriter, const ep_canon_graph *graph) {
    return ep_list_mutable(ep_field_bits(&rewriter->c.fields, graph->graph, EP_F_Graph_nodes));
}

/* ------------------------------------------------------------------------- edges */

enum { USES_MAX = 64 };

/* The names that one node is given, with what they are of; the first ones. */
typedef struct uses {
    uint64_t *names[USES_MAX];
    ep_holds holds[USES_MAX];
    size_t count;
} uses;

static bool note_use(void *context, const ep_leaf *leaf) {
    uses *u = context;
    if (leaf->name != NULL && leaf->holds != EP_HOLDS_GRAPH && u->count < USES_MAX) {
        u->names[u->count] = leaf->name;
        u->holds[u->count++] = leaf->holds;
    }
    return true;
}

static bool read_uses(ep_rewriter *rewriter, const ep_node *node, uses *u) {
    const ep_fields *fields = &rewriter->c.fields;
    uint64_t inputs = ep_field_bits(fields, node, EP_F_Node_inputs);
    u->count = 0;
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        const ep_node *argument =
            ep_field_node(fields, ep_item_node(inputs, i), EP_F_NamedArgument_arg);
        if (!ep_leaves(rewriter->c.arena, fields, argument, note_use, u)) {
            return ep_canon_fail(&rewriter->c, EP_MEMORY);
        }
    }
    return true;
}

static bool put_swaps(ep_rewriter *rewriter, const uses *u) {
    for (size_t i = 0; i + 1 < u->count; i++) {
        for (size_t j = i + 1; j < u->count && j < i + 4; j++) {
            TRY(u->holds[i] != u->holds[j] || *u->names[i] == *u->names[j] ||
                ep_rewriter_place(rewriter, ep_pointer_bits(u->names[i]),
                                  ep_pointer_bits(u->names[j]), 0));
        }
    }
    return true;
}

bool ep_change_find_swap(ep_rewriter *rewriter) {
    for (const ep_canon_graph *g = rewriter->c.graphs; g != NULL; g = g->next) {
        for (size_t i = 0; i < g->node_count; i++) {
            uses u;
            TRY(read_uses(rewriter, g->nodes[i].node, &u) && put_swaps(rewriter, &u));
        }
    }
    return true;
}

static bool exchange(ep_rewriter *rewriter, uint64_t first, uint64_t second) {
    uint64_t *a = (uint64_t *)(uintptr_t)first;
    uint64_t *b = (uint64_t *)(uintptr_t)second;
    uint64_t word = *a;
    return ep_rewriter_set(rewriter, a, *b) && ep_rewriter_set(rewriter, b, word);
}

bool ep_change_make_swap(ep_rewriter *rewriter, const uint64_t *place, bool *made) {
    *made = true;
    return exchange(rewriter, place[0], place[1]);
}

/* A tensor's dtype and number of sizes; of another value, nothing. */
static uint64_t type_of(const ep_rewriter *rewriter, const ep_canon_value *value) {
    const ep_fields *fields = &rewriter->c.fields;
    const ep_node *meta = ep_node_at(value->entry);
    if (value->holds != EP_HOLDS_TENSOR || meta == NULL) {
        return value->holds;
    }
    if (meta->type == EP_SHAPE_TensorValue - EP_SHAPE_FIRST_TYPE) {
        meta = ep_field_node(fields, meta, EP_F_TensorValue_meta);
    }
    uint64_t rank = ep_list_count(ep_field_bits(fields, meta, EP_F_TensorMeta_sizes));
    return rank << 16 | ep_field_bits(fields, meta, EP_F_TensorMeta_dtype) << 8 | value->holds;
}

/* Another value of the same type that is there before the node; the first from a
 * random one on. */
static const ep_canon_value *find_other(ep_rewriter *rewriter, const ep_canon_graph *g,
                                        uint32_t node, uint32_t value) {
    uint64_t type = type_of(rewriter, &g->values[value]);
    size_t start = ep_rewriter_below(rewriter, g->value_count);
    for (size_t i = 0; i < g->value_count; i++) {
        size_t number = (start + i) % g->value_count;
        const ep_canon_value *other = &g->values[number];
        bool there = other->definer == EP_CANON_NONE || other->definer < node;
        if (there && number != value && type_of(rewriter, other) == type) {
            return other;
        }
    }
    return NULL;
}

/* The places of one node. */
static bool put_edges(ep_rewriter *rewriter, const ep_canon_graph *g, uint32_t node) {
    uses u;
    TRY(read_uses(rewriter, g->nodes[node].node, &u));
    for (uint32_t i = 0; i < u.count; i++) {
        uint32_t value = g->uses[g->nodes[node].first_use + i].value;
        TRY(ep_rewriter_place(rewriter, ep_pointer_bits(u.names[i]), ep_pointer_bits(g),
                              (uint64_t)node << 32 | value));
    }
    return true;
}

bool ep_change_find_edge(ep_rewriter *rewriter) {
    for (const ep_canon_graph *g = rewriter->c.graphs; g != NULL; g = g->next) {
        for (uint32_t i = 0; i < g->node_count; i++) {
            TRY(put_edges(rewriter, g, i));
        }
    }
    return true;
}

bool ep_change_make_edge(ep_rewriter *rewriter, const uint64_t *place, bool *made) {
    const ep_canon_graph *g = (const ep_canon_graph *)(uintptr_t)place[1];
    const ep_canon_value *other =
        find_other(rewriter, g, (uint32_t)(place[2] >> 32), (uint32_t)place[2]);
    *made = other != NULL;
    return !*made || ep_rewriter_set(rewriter, (uint64_t *)(uintptr_t)place[0], other->name);
}

/* --------------------------------------------------------------- inputs and outputs */

/* Places that are user inputs, or user outputs, in pairs. */
bool ep_change_find_order(ep_rewriter *rewriter) {
    bool inputs = rewriter->kind == EP_CHANGE_INPUT_ORDER;
    ep_canonizer *c = &rewriter->c;
    const ep_node *module = ep_field_node(&c->fields, c->root, EP_F_ExportedProgram_graph_module);
    uint64_t list = ep_field_bits(&c->fields, c->graphs->graph,
                                  inputs ? EP_F_Graph_inputs : EP_F_Graph_outputs);
    ep_specs specs;
    uint32_t *numbers = ep_canon_array(c, ep_list_count(list), sizeof *numbers);
    TRY(numbers != NULL);
    if (!ep_specs_read(&specs, c->arena, &c->fields,
                       ep_field_node(&c->fields, module, EP_F_GraphModule_signature)) ||
        !ep_specs_place(c->arena, &c->fields, c->input,
                        (ep_specs_side){inputs ? specs.inputs : specs.outputs, list}, numbers)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < ep_list_count(list); i++) {
        int kind = inputs ? specs.inputs[numbers[i]].kind : specs.outputs[numbers[i]].kind;
        if (kind != (inputs ? (int)EP_INPUT_USER : (int)EP_OUTPUT_USER)) {
            continue;
        }
        TRY(last == SIZE_MAX ||
            ep_rewriter_place(rewriter, last, i, (uint64_t)numbers[last] << 32 | numbers[i]));
        last = i;
    }
    return true;
}

/* Exchanges two items of a list. */
static bool exchange_items(ep_rewriter *rewriter, uint64_t list, uint64_t i, uint64_t j) {
    ep_list *items = ep_list_mutable(list);
    return exchange(rewriter, ep_pointer_bits(&items->items[i]), ep_pointer_bits(&items->items[j]));
}

/* In version 1 the names of users stand behind those of other specs. */
bool ep_change_make_order(ep_rewriter *rewriter, const uint64_t *place, bool *made) {
    bool inputs = rewriter->kind == EP_CHANGE_INPUT_ORDER;
    const ep_fields *fields = &rewriter->c.fields;
    *made = true;
    const ep_node *module =
        ep_field_node(fields, rewriter->c.root, EP_F_ExportedProgram_graph_module);
    const ep_node *signature = ep_field_node(fields, module, EP_F_GraphModule_signature);
    TRY(exchange_items(rewriter,
                       ep_field_bits(fields, rewriter->c.graphs->graph,
                                     inputs ? EP_F_Graph_inputs : EP_F_Graph_outputs),
                       place[0], place[1]));
    uint64_t specs =
        ep_field_bits(fields, signature,
                      inputs ? EP_F_GraphSignature_input_specs : EP_F_GraphSignature_output_specs);
    if (specs != 0) {
        return exchange_items(rewriter, specs, place[0], place[1]);
    }
    size_t before = inputs ? ep_list_count(ep_field_bits(
                                 fields, signature, EP_F_GraphSignature_inputs_to_parameters)) +
                                 ep_list_count(ep_field_bits(fields, signature,
                                                             EP_F_GraphSignature_inputs_to_buffers))
                           : ep_list_count(ep_field_bits(fields, signature,
                                                         EP_F_GraphSignature_buffers_to_mutate));
    uint64_t users =
        ep_field_bits(fields, signature,
                      inputs ? EP_F_GraphSignature_user_inputs : EP_F_GraphSignature_user_outputs);
    return exchange_items(rewriter, users, (place[2] >> 32) - before, (uint32_t)place[2] - before);
}

/* ---------------------------------------------------------------------- dropping */

/* Which values nodes, or the graph's outputs, use. */
static bool find_used(ep_rewriter *rewriter, const ep_canon_graph *g, bool *used) {
    uint64_t outputs = ep_field_bits(&rewriter->c.fields, g->graph, EP_F_Graph_outputs);
    for (size_t i = 0; i < g->use_count; i++) {
        used[g->uses[i].value] = true;
    }
    for (size_t i = 0; i < ep_list_count(outputs); i++) {
        ep_ref name = ep_argument_name(&rewriter->c.fields, ep_item_node(outputs, i));
        ep_bytes text;
        TRY(name == 0 || ep_rewriter_text(rewriter, name, &text));
        uint32_t value = name == 0 ? EP_MAP_NONE : ep_map_find(&g->names, text);
        if (value != EP_MAP_NONE) {
            used[value] = true;
        }
    }
    return true;
}

bool ep_change_find_drop(ep_rewriter *rewriter) {
    for (const ep_canon_graph *g = rewriter->c.graphs; g != NULL; g = g->next) {
        bool *used = ep_canon_array(&rewriter->c, g->value_count, sizeof *used);
        TRY(used != NULL && find_used(rewriter, g, used));
        for (uint32_t i = 0; i < g->node_count; i++) {
            const ep_canon_node *node = &g->nodes[i];
            bool needed = false;
            for (uint32_t j = 0; j < node->value_count; j++) {
                needed = needed || used[node->first_value + j];
            }
            TRY(needed || ep_rewriter_place(rewriter, ep_pointer_bits(g), i, 0));
        }
    }
    return true;
}

/* A table without what a node defines. */
static bool shorten_table(ep_rewriter *rewriter, const ep_canon_graph *g, uint32_t node,
                          ep_field field) {
    uint8_t slot = rewriter->c.fields.slot[field];
    uint64_t dict = ep_field_bits(&rewriter->c.fields, g->graph, field);
    ep_stack keys;
    ep_stack values;
    uint64_t bits = dict;
    bool ok = true;
    ep_stack_init(&keys, rewriter->c.arena);
    ep_stack_init(&values, rewriter->c.arena);
    for (size_t i = 0; ok && i < ep_list_count(dict); i++) {
        ep_bytes name;
        ok = ep_rewriter_text(rewriter, ep_dict_key(dict, i), &name);
        uint32_t value = ok ? ep_map_find(&g->names, name) : EP_MAP_NONE;
        if (value != EP_MAP_NONE && g->values[value].definer != node) {
            ok = (ep_stack_push(&keys, ep_dict_key(dict, i)) &&
                  ep_stack_push(&values, ep_dict_value(dict, i))) ||
                 ep_canon_fail(&rewriter->c, EP_MEMORY);
        }
    }
    ok = ok && (ep_maker_dict(&rewriter->maker, &keys, &values, &bits) ||
                ep_canon_fail(&rewriter->c, EP_MEMORY));
    ep_stack_free(&keys);
    ep_stack_free(&values);
    return ok && (slot == EP_NO_MEMBER || ep_rewriter_set(rewriter, &g->graph->slots[slot], bits));
}

bool ep_change_make_drop(ep_rewriter *rewriter, const uint64_t *place, bool *made) {
    static const ep_field tables[] = {EP_F_Graph_tensor_values, EP_F_Graph_sym_int_values,
                                      EP_F_Graph_sym_float_values, EP_F_Graph_sym_bool_values,
                                      EP_F_Graph_custom_obj_values};
    const ep_canon_graph *g = (const ep_canon_graph *)(uintptr_t)place[0];
    ep_list *nodes = nodes_of(rewriter, g);
    uint64_t *slot = &g->graph->slots[rewriter->c.fields.slot[EP_F_Graph_nodes]];
    uint64_t bits;
    uint64_t *items = ep_canon_array(&rewriter->c, (size_t)nodes->count, sizeof *items);
    TRY(items != NULL);
    for (size_t i = 0, j = 0; i < nodes->count; i++) {
        if (i != place[1]) {
            items[j++] = nodes->items[i];
        }
    }
    *made = true;
    for (size_t i = 0; i < EP_COUNT_OF(tables); i++) {
        TRY(shorten_table(rewriter, g, (uint32_t)place[1], tables[i]));
    }
    if (!ep_maker_list(&rewriter->maker, items, (size_t)nodes->count - 1, &bits)) {
        return ep_canon_fail(&rewriter->c, EP_MEMORY);
    }
    return ep_rewriter_set(rewriter, slot, bits);
}

/* ----------------------------------------------------------------------- effects */

static bool uses_of(const ep_canon_graph *g, uint32_t user, uint32_t definer) {
    const ep_canon_node *node = &g->nodes[user];
    for (uint32_t i = 0; i < node->use_count; i++) {
        if (g->values[g->uses[node->first_use + i].value].definer == definer) {
            return true;
        }
    }
    return false;
}

/* Nodes of which one has to come first, although the other uses nothing of it. */
bool ep_change_find_effects(ep_rewriter *rewriter) {
    for (const ep_canon_graph *g = rewriter->c.graphs; g != NULL; g = g->next) {
        for (uint32_t i = 0; i < g->node_count; i++) {
            for (uint32_t at = g->nodes[i].first_edge; at != EP_CANON_NONE;
                 at = g->edges.items[at].next) {
                uint32_t to = g->edges.items[at].to;
                TRY(uses_of(g, to, i) || ep_rewriter_place(rewriter, ep_pointer_bits(g), i, to));
            }
        }
    }
    return true;
}

/* The first one is moved behind the other; or the other before the first. */
bool ep_change_make_effects(ep_rewriter *rewriter, const uint64_t *place, bool *made) {
    const ep_canon_graph *g = (const ep_canon_graph *)(uintptr_t)place[0];
    ep_list *nodes = nodes_of(rewriter, g);
    bool down = ep_rewriter_below(rewriter, 2) == 0;
    uint64_t from = down ? place[1] : place[2];
    uint64_t to = down ? place[2] : place[1];
    uint64_t node = nodes->items[from];
    for (uint64_t i = from; i != to; i = down ? i + 1 : i - 1) {
        TRY(ep_rewriter_set(rewriter, &nodes->items[i], nodes->items[down ? i + 1 : i - 1]));
    }
    *made = true;
    return ep_rewriter_set(rewriter, &nodes->items[to], node);
}
