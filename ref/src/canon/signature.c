/*
 * canon/signature.c - the order of the program's inputs and outputs, with their specs
 * (SPEC 6.5).
 */
#include "canon/canon.h"

#include "base/sort.h"

/* The sort key of an input or output. */
typedef struct sort_key {
    uint32_t row;   /* a row of 6.5.1 or 6.5.2 */
    uint32_t place; /* of the input that it names; 0: none */
    uint32_t met;   /* when a visit met it; it decides between inputs of equal names */
    ep_bytes name;
} sort_key;

static int compare_counts(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int compare_keys(const void *context, uint32_t a, uint32_t b) {
    const sort_key *first = (const sort_key *)context + a;
    const sort_key *second = (const sort_key *)context + b;
    int order = compare_counts(first->row, second->row);
    order = order != 0 ? order : compare_counts(first->place, second->place);
    order = order != 0 ? order : ep_sort_texts(first->name, second->name);
    return order != 0 ? order : compare_counts(first->met, second->met);
}

/* -------------------------------------------------------------------- reading */

/* The inputs or the outputs in the order of the document, and their new order. */
typedef struct side {
    uint64_t arguments; /* of the graph */
    size_t count;
    uint32_t *numbers; /* of the specs */
    sort_key *keys;
    const uint32_t *order;
} side;

struct ep_canon_sides {
    ep_specs specs;
    side inputs;
    side outputs;
    uint32_t *places; /* of the inputs, in their order */
};

static bool open_side(ep_canonizer *c, side *s, const ep_spec *specs, ep_field arguments) {
    s->arguments = ep_field_bits(&c->fields, c->graphs->graph, arguments);
    s->count = ep_list_count(s->arguments);
    s->numbers = ep_canon_array(c, s->count, sizeof *s->numbers);
    s->keys = ep_canon_array(c, s->count, sizeof *s->keys);
    TRY(s->numbers != NULL && s->keys != NULL);
    return ep_specs_place(c->arena, &c->fields, c->input, (ep_specs_side){specs, s->arguments},
                          s->numbers) ||
           ep_canon_fail(c, EP_MEMORY);
}

static bool sort_side(ep_canonizer *c, side *s) {
    s->order = ep_sort_order(c->arena, s->count, compare_keys, s->keys);
    return s->order != NULL || ep_canon_fail(c, EP_MEMORY);
}

/* The place of a value among the inputs; 0 if it is none. */
static uint32_t place_of(const ep_canonizer *c, ep_bytes name) {
    const ep_canon_graph *graph = c->graphs;
    uint32_t value = ep_map_find(&graph->names, name);
    /* in a program that was checked, what is named so is an input */
    bool input = EP_ALWAYS(value != EP_MAP_NONE) &&
                 EP_ALWAYS(graph->values.items[value].definer == EP_CANON_NONE);
    return EP_ALWAYS(input) ? c->signature->places[graph->values.items[value].place] : 0;
}

static bool open_inputs(ep_canonizer *c, struct ep_canon_sides *s) {
    TRY(open_side(c, &s->inputs, s->specs.inputs, EP_F_Graph_inputs));
    for (size_t i = 0; i < s->inputs.count; i++) {
        const ep_spec *spec = &s->specs.inputs[s->inputs.numbers[i]];
        sort_key *key = &s->inputs.keys[i];
        ep_spec_order order = ep_input_order(spec->kind, EP_CANON_EPREF);
        key->row = order.row;
        TRY(order.by != EP_SPEC_BY_TARGET || ep_canon_text(c, spec->target, &key->name));
    }
    TRY(sort_side(c, &s->inputs));
    s->places = ep_canon_array(c, s->inputs.count, sizeof *s->places);
    TRY(s->places != NULL);
    for (uint32_t i = 0; i < s->inputs.count; i++) {
        s->places[s->inputs.order[i]] = i;
    }
    return true;
}

static bool open_outputs(ep_canonizer *c, struct ep_canon_sides *s) {
    TRY(open_side(c, &s->outputs, s->specs.outputs, EP_F_Graph_outputs));
    for (size_t i = 0; i < s->outputs.count; i++) {
        const ep_spec *spec = &s->specs.outputs[s->outputs.numbers[i]];
        sort_key *key = &s->outputs.keys[i];
        ep_bytes target;
        ep_spec_order order = ep_output_order(spec->kind, EP_CANON_EPREF);
        key->row = order.row;
        if (order.by == EP_SPEC_BY_PLACE) {
            continue;
        }
        TRY(ep_canon_text(c, spec->target, &target));
        if (order.by == EP_SPEC_BY_INPUT) {
            key->place = place_of(c, target);
        } else {
            key->name = target;
        }
    }
    return sort_side(c, &s->outputs);
}

bool ep_canon_signature(ep_canonizer *c) {
    ep_node *module = ep_field_mutable(&c->fields, c->root, EP_F_ExportedProgram_graph_module);
    struct ep_canon_sides *s = ep_canon_array(c, 1, sizeof *s);
    TRY(s != NULL);
    c->signature = s;
    if (!ep_specs_read(&s->specs, c->arena, &c->fields,
                       ep_field_node(&c->fields, module, EP_F_GraphModule_signature))) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    TRY(open_inputs(c, s) && open_outputs(c, s));
    c->graphs->outputs = s->outputs.order;
    return true;
}

/* -------------------------------------------------------------------- ordering */

/* Orders inputs of equal names by when a visit met them first. SPEC 6.5.1 */
static bool order_inputs(ep_canonizer *c, struct ep_canon_sides *s) {
    const ep_canon_graph *graph = c->graphs;
    for (size_t i = 0; i < graph->values.count; i++) {
        const ep_canon_value *value = &graph->values.items[i];
        if (value->definer != EP_CANON_NONE) {
            break;
        }
        if (s->inputs.keys[value->place].name.size > 0) {
            s->inputs.keys[value->place].met = value->met;
        }
    }
    TRY(sort_side(c, &s->inputs));
    for (size_t i = 1; i < s->inputs.count; i++) {
        uint32_t at = s->inputs.order[i];
        bool named = s->inputs.keys[at].name.size > 0;
        bool tied = named && compare_keys(s->inputs.keys, s->inputs.order[i - 1], at) == 0;
        c->undecided = c->undecided || tied;
    }
    return true;
}

static bool permute(ep_canonizer *c, uint64_t list, const uint32_t *order) {
    size_t count = ep_list_count(list);
    uint64_t *scratch = ep_canon_array(c, count, sizeof *scratch);
    TRY(scratch != NULL);
    if (count > 0) {
        ep_sort_apply(order, ep_list_mutable(list)->items, count, scratch);
    }
    return true;
}

bool ep_canon_signature_order(ep_canonizer *c) {
    struct ep_canon_sides *s = c->signature;
    const ep_fields *fields = &c->fields;
    TRY(order_inputs(c, s));
    uint64_t inputs = ep_field_bits(fields, s->specs.node, EP_F_GraphSignature_input_specs);
    uint64_t outputs = ep_field_bits(fields, s->specs.node, EP_F_GraphSignature_output_specs);
    return permute(c, s->inputs.arguments, s->inputs.order) &&
           permute(c, s->outputs.arguments, s->outputs.order) &&
           permute(c, inputs, s->inputs.order) && permute(c, outputs, s->outputs.order);
}
