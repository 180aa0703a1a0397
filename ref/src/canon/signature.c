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
    uint32_t used;  /* the first use; it decides between inputs of equal names */
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
    return order != 0 ? order : compare_counts(first->used, second->used);
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
    uint32_t *places;  /* of the inputs, in their order */
    uint32_t *used_at; /* by values: the position of the first use, in the order of nodes */
};

static bool open_side(ep_canonizer *c, side *s, const ep_spec *specs, ep_field arguments) {
    s->arguments = ep_field_bits(&c->fields, c->graphs->graph, arguments);
    s->count = ep_list_count(s->arguments);
    s->numbers = ep_canon_array(c, s->count, sizeof *s->numbers);
    s->keys = ep_canon_array(c, s->count, sizeof *s->keys);
    TRY(s->numbers != NULL && s->keys != NULL);
    if (!ep_specs_place(c->arena, &c->fields, c->input, (ep_specs_side){specs, s->arguments},
                        s->numbers)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    return true;
}

static bool sort_side(ep_canonizer *c, side *s) {
    s->order = ep_sort_order(c->arena, s->count, compare_keys, s->keys);
    if (s->order == NULL) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    return true;
}

/* The place of a value among the inputs; 0 if it is none. */
static uint32_t place_of(const ep_canonizer *c, ep_bytes name) {
    const ep_canon_graph *graph = c->graphs;
    uint32_t value = ep_map_find(&graph->names, name);
    /* in a program that was checked, what is named so is an input */
    bool input = EP_ALWAYS(value != EP_MAP_NONE) &&
                 EP_ALWAYS(graph->values[value].definer == EP_CANON_NONE) &&
                 EP_ALWAYS(!graph->values[value].constant);
    return EP_ALWAYS(input) ? c->signature->places[graph->values[value].place] : 0;
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
        uint32_t at = s->inputs.order[i];
        uint32_t before = i == 0 ? 0 : s->inputs.order[i - 1];
        bool named = s->inputs.keys[at].name.size > 0;
        bool same = i > 0 && named && compare_keys(s->inputs.keys, before, at) == 0;
        s->places[at] = same ? s->places[before] : i;
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
    c->graphs->input_places = s->places;
    c->graphs->outputs = s->outputs.order;
    return true;
}

/* -------------------------------------------------------------------- ordering */

static uint32_t use_value(uint32_t *used_at, uint32_t at) {
    if (*used_at != EP_CANON_NONE) {
        return at;
    }
    *used_at = at;
    return at + 1;
}

/* Finds the first use of each value, in the order of nodes and then of outputs. */
static bool find_first_uses(ep_canonizer *c, struct ep_canon_sides *s) {
    const ep_canon_graph *graph = c->graphs;
    uint32_t at = 0;
    s->used_at = ep_canon_array(c, graph->value_count, sizeof *s->used_at);
    TRY(s->used_at != NULL);
    memset(s->used_at, 0xFF, graph->value_count * sizeof *s->used_at); /* none */
    for (size_t i = 0; i < graph->node_count; i++) {
        const ep_canon_node *node = &graph->nodes[graph->order[i]];
        for (uint32_t j = 0; j < node->use_count; j++) {
            at = use_value(&s->used_at[graph->uses[node->first_use + j].value], at);
        }
    }
    for (size_t i = 0; i < s->outputs.count; i++) {
        const ep_node *output = ep_item_node(s->outputs.arguments, s->outputs.order[i]);
        ep_ref name = ep_argument_name(&c->fields, output);
        ep_bytes text;
        TRY(name == 0 || ep_canon_text(c, name, &text));
        uint32_t value = name == 0 ? EP_MAP_NONE : ep_map_find(&graph->names, text);
        at = value == EP_MAP_NONE ? at : use_value(&s->used_at[value], at);
    }
    return true;
}

/* Orders inputs of equal names by their first uses. SPEC 6.5.1 */
static bool order_inputs(ep_canonizer *c, struct ep_canon_sides *s) {
    const ep_canon_graph *graph = c->graphs;
    TRY(find_first_uses(c, s));
    for (size_t i = 0; i < graph->value_count; i++) {
        const ep_canon_value *value = &graph->values[i];
        if (value->definer != EP_CANON_NONE) {
            break;
        }
        if (!value->constant && s->inputs.keys[value->place].name.size > 0) {
            s->inputs.keys[value->place].used = s->used_at[i];
        }
    }
    return sort_side(c, &s->inputs);
}

/* Permutes the items of a list; of a dict, the values with their keys. */
static bool permute(ep_canonizer *c, uint64_t bits, const uint32_t *order, bool dict) {
    size_t count = ep_list_count(bits);
    uint64_t *scratch = ep_canon_array(c, count, sizeof *scratch);
    TRY(scratch != NULL);
    for (size_t half = 0; count > 0 && half < (dict ? 2 : 1); half++) {
        ep_sort_apply(order, ep_list_mutable(bits)->items + half * count, count, scratch);
    }
    return true;
}

/* ------------------------------------------------------------------- version 1 */

/* The sort key of the entries of a dict. */
typedef enum by { BY_VALUE, BY_INPUT } by;

typedef struct part {
    uint8_t field;
    by by;
} part;

static const part parts[] = {
    {EP_F_GraphSignature_inputs_to_parameters, BY_VALUE},
    {EP_F_GraphSignature_inputs_to_buffers, BY_VALUE},
    {EP_F_GraphSignature_buffers_to_mutate, BY_VALUE},
    {EP_F_BackwardSignature_gradients_to_parameters, BY_VALUE},
    {EP_F_BackwardSignature_gradients_to_user_inputs, BY_INPUT},
};

/* The places of the outputs in their new order, by their names. */
typedef struct output_index {
    ep_map names;
    ep_stack places;
} output_index;

static bool output_places(ep_canonizer *c, output_index *outs) {
    const side *outputs = &c->signature->outputs;
    for (uint32_t i = 0; i < outputs->count; i++) {
        const ep_node *output = ep_item_node(outputs->arguments, i); /* in their new order */
        ep_ref name = ep_argument_name(&c->fields, output);
        ep_bytes text;
        uint32_t number;
        bool fresh;
        if (name == 0) {
            continue;
        }
        TRY(ep_canon_text(c, name, &text));
        if (!ep_map_put(&outs->names, text, &number, &fresh) ||
            (fresh && !ep_stack_push(&outs->places, i))) {
            return ep_canon_fail(c, EP_MEMORY);
        }
    }
    return true;
}

/* Reads the sort keys of one dict. */
static bool read_keys(ep_canonizer *c, const part *p, uint64_t dict, const output_index *outs,
                      sort_key *keys) {
    for (size_t i = 0; i < ep_list_count(dict); i++) {
        ep_bytes target;
        ep_bytes value;
        TRY(ep_canon_text(c, ep_dict_value(dict, i), &target) &&
            ep_canon_text(c, ep_dict_key(dict, i), &value));
        uint32_t output = ep_map_find(&outs->names, value);
        uint32_t input = ep_map_find(&c->graphs->names, value);
        /* in a program that was checked, it is one of the two */
        keys[i].used = output != EP_MAP_NONE             ? (uint32_t)outs->places.words[output]
                       : EP_ALWAYS(input != EP_MAP_NONE) ? c->signature->used_at[input]
                                                         : 0;
        if (p->by == BY_INPUT) {
            keys[i].place = place_of(c, target);
        } else {
            keys[i].name = target;
        }
    }
    return true;
}

static bool sort_part(ep_canonizer *c, const part *p, const output_index *outs) {
    const ep_node *node = c->signature->specs.node;
    if (p->field == EP_F_BackwardSignature_gradients_to_parameters ||
        p->field == EP_F_BackwardSignature_gradients_to_user_inputs) {
        node = ep_field_node(&c->fields, node, EP_F_GraphSignature_backward_signature);
    }
    uint64_t dict = node == NULL ? 0 : ep_field_bits(&c->fields, node, (ep_field)p->field);
    size_t count = ep_list_count(dict);
    side s = {.count = count};
    s.keys = ep_canon_array(c, count, sizeof *s.keys);
    TRY(s.keys != NULL);
    return read_keys(c, p, dict, outs, s.keys) && sort_side(c, &s) &&
           permute(c, dict, s.order, true);
}

/* SPEC 6.5.3 */
static bool order_parts(ep_canonizer *c) {
    output_index outs;
    ep_map_init(&outs.names, c->arena);
    ep_stack_init(&outs.places, c->arena);
    bool ok = output_places(c, &outs);
    for (size_t i = 0; ok && i < EP_COUNT_OF(parts); i++) {
        ok = sort_part(c, &parts[i], &outs);
    }
    ep_map_free(&outs.names);
    ep_stack_free(&outs.places);
    return ok;
}

bool ep_canon_signature_order(ep_canonizer *c) {
    struct ep_canon_sides *s = c->signature;
    const ep_fields *fields = &c->fields;
    TRY(order_inputs(c, s));
    TRY(permute(c, s->inputs.arguments, s->inputs.order, false));
    TRY(permute(c, s->outputs.arguments, s->outputs.order, false));
    if (fields->slot[EP_F_GraphSignature_input_specs] == EP_NO_MEMBER) {
        return order_parts(c);
    }
    uint64_t inputs = ep_field_bits(fields, s->specs.node, EP_F_GraphSignature_input_specs);
    uint64_t outputs = ep_field_bits(fields, s->specs.node, EP_F_GraphSignature_output_specs);
    return permute(c, inputs, s->inputs.order, false) &&
           permute(c, outputs, s->outputs.order, false);
}
