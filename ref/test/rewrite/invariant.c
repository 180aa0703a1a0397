/*
 * invariant.c - a number of a program that no renaming and no reordering
 * changes: its nodes are counted by what they are computed from, and by how much
 * has been written before them (SPEC 6.3.5). It says less than the canonical
 * form, and does not use it: programs with different numbers are different.
 */
#include "rewriter.h"

typedef struct counting {
    ep_rewriter *rewriter;
    ep_canon_graph *graph;
    uint64_t *values; /* the number of each */
    uint64_t *writes; /* how often the group of each was written so far */
    uint64_t modes;   /* how often the mode was set so far */
    uint64_t *nodes;  /* the number of each */
    ep_map known;     /* these numbers */
    uint64_t sum;
} counting;

/* ------------------------------------------------------------------------ numbers */

static uint64_t mix(uint64_t h, uint64_t word) {
    h ^= word + UINT64_C(0x9E3779B97F4A7C15) + (h << 6) + (h >> 2);
    h = (h ^ h >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    return h ^ h >> 27;
}

static bool mix_text(counting *n, uint64_t *h, ep_ref ref) {
    ep_bytes text;
    TRY(ref == 0 || ep_rewriter_text(n->rewriter, ref, &text));
    for (size_t i = 0; ref != 0 && i < text.size; i++) {
        *h = mix(*h, (unsigned char)text.data[i]);
    }
    return true;
}

/* -------------------------------------------------------------------------- nodes */

/* How often each use was written before; then the writes of the node itself. */
static uint64_t mix_writes(counting *n, const ep_canon_node *node, uint64_t h) {
    const ep_canon_use *uses = n->graph->uses + node->first_use;
    for (uint32_t i = 0; i < node->use_count; i++) {
        h = mix(h, n->writes[ep_canon_group(n->graph, uses[i].value)]);
    }
    for (uint32_t i = 0; i < node->use_count; i++) {
        n->writes[ep_canon_group(n->graph, uses[i].value)] += uses[i].written;
    }
    return h;
}

/* Nodes that write nothing and are computed alike count once: the form may merge them
 * (SPEC 6.4.4). */
static bool add_node(counting *n, size_t node, uint64_t h, bool writes) {
    uint32_t number;
    bool fresh = true;
    n->nodes[node] = h;
    TRY(writes || ep_map_put(&n->known, (ep_bytes){(const char *)&n->nodes[node], sizeof h},
                             &number, &fresh));
    n->sum += fresh ? h : 0;
    return true;
}

/* What is computed how, from what, after how many writes. Constants among the
 * arguments are not counted. */
static bool count_nodes(counting *n) {
    ep_canon_graph *graph = n->graph;
    uint64_t world = 0;
    n->modes = 0;
    for (size_t i = 0; i < graph->node_count; i++) {
        const ep_canon_node *node = &graph->nodes[i];
        uint64_t h = 1;
        TRY(mix_text(n, &h, ep_field_bits(&n->rewriter->c.fields, node->node, EP_F_Node_target)));
        for (uint32_t j = 0; j < node->use_count; j++) {
            const ep_canon_use *use = &graph->uses[node->first_use + j];
            h = mix(mix(h, use->argument), n->values[use->value]);
        }
        for (uint32_t j = 0; j < node->value_count; j++) {
            n->values[node->first_value + j] = mix(h, j + 7);
        }
        h = mix(mix(h, n->modes), node->writes_world ? world : 0);
        world += node->writes_world;
        n->modes += node->effect == EP_EFFECT_MODE;
        h = mix(mix_writes(n, node, h), 11);
        TRY(add_node(n, i, h, node->writes));
    }
    return true;
}

/* --------------------------------------------------------------- inputs and outputs */

static uint64_t *value_of(counting *n, const ep_node *argument, bool *failed) {
    ep_ref name = ep_argument_name(&n->rewriter->c.fields, argument);
    ep_bytes text;
    if (name == 0 || !ep_rewriter_text(n->rewriter, name, &text)) {
        *failed = name != 0;
        return NULL;
    }
    uint32_t value = ep_map_find(&n->graph->names, text);
    return value == EP_MAP_NONE ? NULL : &n->values[value];
}

/* What an input or output is for: whatever has that name. */
static bool mix_target(counting *n, uint64_t *h, const ep_spec *spec, bool inputs) {
    bool value = !inputs && (spec->kind == EP_OUTPUT_USER_INPUT_MUTATION ||
                             spec->kind == EP_OUTPUT_GRADIENT_TO_USER_INPUT);
    ep_bytes text;
    if (!value) {
        return mix_text(n, h, spec->target);
    }
    TRY(ep_rewriter_text(n->rewriter, spec->target, &text));
    uint32_t number = ep_map_find(&n->graph->names, text);
    *h = mix(*h, number == EP_MAP_NONE ? 0 : n->values[number]);
    return true;
}

/* Inputs and outputs by their places; those of the program that are for something
 * with a name by that name. */
static bool count_side(counting *n, ep_specs_side side, const uint32_t *numbers, bool inputs) {
    uint64_t place = 0;
    for (size_t i = 0; i < ep_list_count(side.arguments); i++) {
        const ep_spec *spec = numbers == NULL ? NULL : &side.specs[numbers[i]];
        bool by_name = spec != NULL && spec->target != 0;
        uint64_t h = spec == NULL ? 3 : mix(3, (uint64_t)spec->kind);
        bool failed = false;
        uint64_t *value = value_of(n, ep_item_node(side.arguments, i), &failed);
        TRY(!failed && (!by_name || mix_target(n, &h, spec, inputs)));
        h = mix(h, by_name ? 0 : ++place);
        if (inputs && value != NULL) {
            *value = h;
        }
        n->sum += mix(value == NULL ? h : mix(h, *value), 13);
    }
    return true;
}

static bool count_input(counting *n, const ep_specs *specs, bool inputs) {
    ep_canonizer *c = &n->rewriter->c;
    uint32_t *numbers = NULL;
    ep_specs_side side = {.arguments =
                              ep_field_bits(&c->fields, n->graph->graph,
                                            inputs ? EP_F_Graph_inputs : EP_F_Graph_outputs)};
    if (n->graph->argument == NULL) {
        side.specs = inputs ? specs->inputs : specs->outputs;
        numbers = ep_canon_array(c, ep_list_count(side.arguments), sizeof *numbers);
        TRY(numbers != NULL && ep_specs_place(c->arena, &c->fields, c->input, side, numbers));
    }
    return count_side(n, side, numbers, inputs);
}

static bool count_graph(counting *n, const ep_specs *specs) {
    n->values = ep_canon_array(&n->rewriter->c, n->graph->value_count, sizeof *n->values);
    n->writes = ep_canon_array(&n->rewriter->c, n->graph->value_count, sizeof *n->writes);
    n->nodes = ep_canon_array(&n->rewriter->c, n->graph->node_count, sizeof *n->nodes);
    ep_map_init(&n->known, n->rewriter->c.arena);
    bool ok = n->values != NULL && n->writes != NULL && n->nodes != NULL &&
              count_input(n, specs, true) && count_nodes(n) && count_input(n, specs, false);
    ep_map_free(&n->known);
    return ok;
}

static bool count(ep_rewriter *rewriter, uint64_t *number) {
    const ep_fields *fields = &rewriter->c.fields;
    const ep_node *module =
        ep_field_node(fields, rewriter->c.root, EP_F_ExportedProgram_graph_module);
    counting n = {.rewriter = rewriter};
    ep_specs specs;
    TRY(ep_specs_read(&specs, rewriter->c.arena, fields,
                      ep_field_node(fields, module, EP_F_GraphModule_signature)));
    for (n.graph = rewriter->c.graphs; n.graph != NULL; n.graph = n.graph->next) {
        TRY(count_graph(&n, &specs));
    }
    *number = n.sum;
    return true;
}

bool ep_rewrite_invariant(const ep_program *program, ep_arena *arena, uint64_t *number) {
    ep_rewriter rewriter;
    bool ok = ep_rewriter_open(&rewriter, program, arena, 0) && count(&rewriter, number);
    ep_rewriter_close(&rewriter);
    return ok;
}
