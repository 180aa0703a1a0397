/*
 * canon/order.c - the final order of nodes, and the names of the values that they define
 * (SPEC 6.4.2 to 6.4.4). It is Kahn's topological sort with a binary heap of the nodes
 * that are ready: dead nodes first, by their texts, then live ones by their ranks. The
 * operands of a ready node have their names, so that the text of a dead node is what the
 * form says of it. Dead nodes that say the same are merged.
 */
#include "canon/canon.h"

#include "base/sort.h"
#include "rules/judge.h"

typedef struct ordering {
    ep_canonizer *c;
    ep_canon_graph *graph;
    uint32_t *heap; /* nodes, the next one on top */
    size_t count;
    ep_bytes *texts;  /* of dead nodes that are ready, by nodes */
    ep_map known;     /* what dead nodes that may be merged say */
    ep_stack said_by; /* the first of them, by the map's numbers */
    uint32_t *merged; /* by nodes: the next node merged into the same one; none: no more */
    bool *written;    /* by groups: some node writes it */
} ordering;

/* -------------------------------------------------------------------------- heap */

/* Whether a node comes before another when both are ready. SPEC 6.4.3 */
static bool is_before(const ordering *o, uint32_t a, uint32_t b) {
    uint32_t first = o->graph->nodes[a].rank;
    uint32_t second = o->graph->nodes[b].rank;
    if (first != EP_CANON_NONE && second != EP_CANON_NONE) {
        return first < second;
    }
    if (first != second) { /* one of them is dead */
        return first == EP_CANON_NONE;
    }
    int order = ep_sort_texts(o->texts[a], o->texts[b]);
    return order != 0 ? order < 0 : a < b;
}

static void swap(uint32_t *heap, size_t a, size_t b) {
    uint32_t node = heap[a];
    heap[a] = heap[b];
    heap[b] = node;
}

static void push(ordering *o, uint32_t node) {
    size_t at = o->count++;
    o->heap[at] = node;
    while (at > 0 && is_before(o, o->heap[at], o->heap[(at - 1) / 2])) {
        swap(o->heap, at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
}

static uint32_t pop(ordering *o) {
    uint32_t top = o->heap[0];
    o->heap[0] = o->heap[--o->count];
    for (size_t at = 0;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < o->count; child++) {
            least = is_before(o, o->heap[child], o->heap[least]) ? child : least;
        }
        if (least == at) {
            return top;
        }
        swap(o->heap, at, least);
        at = least;
    }
}

/* ------------------------------------------------------------------------- texts */

/* False for want of memory. */
static bool put(ordering *o, ep_growing *text, const ep_shape *shape, uint64_t bits) {
    ep_program copy = ep_maker_program(o->c->maker, o->c->root);
    ep_encoded value = {.shape = shape, .bits = bits};
    return ep_maker_encode_value(&copy, &value, o->c->arena, text);
}

static const ep_shape *member_shape(const ep_fields *fields, const ep_node *node, ep_field field) {
    return fields->schema->types[node->type]->members[fields->slot[field]].shape;
}

/* The text of a dead node: a line with its target, and one for each of its inputs that
 * holds no subgraph. The values in them get their new names. SPEC 6.4.4 */
static bool put_node(ordering *o, const ep_canon_node *node, ep_growing *text) {
    const ep_fields *fields = &o->c->fields;
    const ep_shape *shape = member_shape(fields, node->node, EP_F_Node_inputs)->of;
    uint64_t inputs = ep_field_bits(fields, node->node, EP_F_Node_inputs);
    const ep_canon_graph *graph = node->subgraph;
    bool ok = ep_growing_put(text, node->target->text);
    ep_canon_rename_uses(o->graph, node);
    for (size_t i = 0; ok && i < ep_list_count(inputs); i++) {
        const ep_node *input = ep_item_node(inputs, i);
        bool holds = graph != NULL && graph->input == i;
        while (graph != NULL && graph->input == i) {
            graph = graph->sibling;
        }
        ok = holds ||
             (ep_growing_put(text, EP_TEXT("\n")) && put(o, text, shape, ep_pointer_bits(input)));
    }
    return ok || ep_canon_fail(o->c, EP_MEMORY);
}

/* ------------------------------------------------------------------------ merging */

static bool find_written(ordering *o) {
    ep_canon_graph *graph = o->graph;
    o->written = ep_canon_array(o->c, graph->values.count, sizeof *o->written);
    TRY(o->written != NULL);
    for (size_t i = 0; i < graph->uses.count; i++) {
        if (graph->uses.items[i].written) {
            o->written[ep_canon_group(graph, graph->uses.items[i].value)] = true;
        }
    }
    return true;
}

/* Whether a dead node can be merged into one that says the same. */
static bool can_merge(const ordering *o, const ep_canon_node *node) {
    ep_canon_graph *graph = o->graph;
    if (node->effect != EP_EFFECT_KNOWN) {
        return false;
    }
    for (uint32_t i = 0; i < node->value_count; i++) {
        if (o->written[ep_canon_group(graph, node->first_value + i)]) {
            return false;
        }
    }
    return true;
}

/* A byte for a value, another for a place of a list that is empty. */
static bool put_leaf(void *context, const ep_leaf *leaf) {
    return ep_growing_put(context, leaf->name == NULL ? EP_TEXT("-") : EP_TEXT("v"));
}

/* Appends the form of the outputs, for one value may stand in several places. False for
 * want of memory. */
static bool put_outputs(ordering *o, const ep_canon_node *node, ep_growing *text) {
    const ep_fields *fields = &o->c->fields;
    uint64_t outputs = ep_field_bits(fields, node->node, EP_F_Node_outputs);
    for (size_t i = 0; i < ep_list_count(outputs); i++) {
        const ep_node *output = ep_item_node(outputs, i);
        const ep_row *row = fields->schema->types[output->type]->members[output->tag].row;
        TRY(ep_growing_put(text, EP_TEXT("\n")) && ep_growing_put(text, ep_text_of(row->name)) &&
            ep_growing_put(text, EP_TEXT(" ")) &&
            ep_leaves(o->c->arena, fields, output, put_leaf, text));
    }
    return true;
}

/* An entry of a table. Of an object, its class alone: its name is that of the value. */
static bool put_entry(ordering *o, const ep_canon_value *value, ep_growing *text) {
    const ep_fields *fields = &o->c->fields;
    const ep_shape *dict = member_shape(fields, o->graph->graph, ep_tables[value->entry_in].field);
    if (value->holds != EP_HOLDS_CUSTOM_OBJ) {
        return put(o, text, dict->of, value->entry);
    }
    const ep_node *entry = ep_node_at(value->entry);
    const ep_shape *shape = member_shape(fields, entry, EP_F_CustomObjArgument_class_fqn);
    return put(o, text, shape, ep_field_bits(fields, entry, EP_F_CustomObjArgument_class_fqn));
}

/* Appends the entries of the values that a node defines. False for want of memory. */
static bool put_entries(ordering *o, const ep_canon_node *node, ep_growing *text) {
    for (uint32_t i = 0; i < node->value_count; i++) {
        const ep_canon_value *value = &o->graph->values.items[node->first_value + i];
        TRY(ep_growing_put(text, EP_TEXT("\n")) &&
            (value->entry == 0 || put_entry(o, value, text)));
    }
    return true;
}

/* Merges a ready dead node into one that says the same and is ready too; *done is
 * whether there is one. Nodes that say the same become ready at the same time: they wait
 * for the same nodes. */
static bool merge(ordering *o, uint32_t number, ep_growing *text, bool *done) {
    const ep_canon_node *node = &o->graph->nodes[number];
    uint32_t known;
    bool fresh;
    ep_bytes all;
    *done = false;
    if (!can_merge(o, node)) {
        return true;
    }
    if (!put_outputs(o, node, text) || !put_entries(o, node, text) ||
        !ep_growing_keep(text, o->c->arena, &all) || !ep_map_put(&o->known, all, &known, &fresh) ||
        (fresh && !ep_stack_push(&o->said_by, number))) {
        return ep_canon_fail(o->c, EP_MEMORY);
    }
    uint32_t first = (uint32_t)o->said_by.words[known];
    if (o->texts[first].size == 0) { /* it stands before a write, and this one behind it */
        o->said_by.words[known] = number;
    } else if (first != number) {
        o->merged[number] = o->merged[first];
        o->merged[first] = number;
        *done = true;
    }
    return true;
}

/* A node that has become ready. */
static bool make_ready(ordering *o, uint32_t number) {
    const ep_canon_node *node = &o->graph->nodes[number];
    bool merged = false;
    if (node->rank == EP_CANON_NONE) {
        ep_growing text;
        ep_growing_init(&text, o->c->arena);
        bool ok = put_node(o, node, &text);
        if (ok && !ep_growing_keep(&text, o->c->arena, &o->texts[number])) {
            ok = ep_canon_fail(o->c, EP_MEMORY);
        }
        ok = ok && merge(o, number, &text, &merged);
        ep_growing_free(&text);
        TRY(ok);
    }
    if (!merged) {
        push(o, number);
    }
    return true;
}

/* ------------------------------------------------------------------------ placing */

static bool name_value(ordering *o, uint32_t number) {
    ep_canon_graph *graph = o->graph;
    TRY(ep_canon_next_name(o->c, 'v', &graph->next_name, &graph->values.items[number].renamed));
    graph->named[graph->named_count++] = number;
    return true;
}

/* Takes away the edges that leave a placed node. What has none left is ready. */
static bool release(ordering *o, uint32_t number) {
    ep_canon_graph *graph = o->graph;
    for (uint32_t at = graph->nodes[number].first_edge; at != EP_CANON_NONE;
         at = graph->edges.items[at].next) {
        uint32_t to = graph->edges.items[at].to;
        TRY(--graph->nodes[to].waits > 0 || make_ready(o, to));
    }
    return true;
}

static void use_values_of(ep_canon_graph *graph, uint32_t merged, uint32_t first) {
    const ep_canon_node *node = &graph->nodes[merged];
    for (uint32_t i = 0; i < node->value_count; i++) {
        graph->values.items[node->first_value + i].renamed =
            graph->values.items[graph->nodes[first].first_value + i].renamed;
    }
}

static bool place(ordering *o, uint32_t number) {
    ep_canon_graph *graph = o->graph;
    const ep_canon_node *node = &graph->nodes[number];
    graph->order[graph->order_count++] = number;
    o->texts[number] = (ep_bytes){NULL, 0};
    for (uint32_t i = 0; i < node->value_count; i++) {
        TRY(name_value(o, node->first_value + i));
    }
    for (uint32_t i = o->merged[number]; i != EP_CANON_NONE; i = o->merged[i]) {
        use_values_of(graph, i, number);
    }
    TRY(release(o, number));
    for (uint32_t i = o->merged[number]; i != EP_CANON_NONE; i = o->merged[i]) {
        TRY(release(o, i));
    }
    return true;
}

/* Whether the order of the document decides that a dead node is next. */
static bool is_tied(const ordering *o, uint32_t next) {
    return o->graph->nodes[next].rank == EP_CANON_NONE && o->count > 0 &&
           o->graph->nodes[o->heap[0]].rank == EP_CANON_NONE &&
           ep_sort_texts(o->texts[next], o->texts[o->heap[0]]) == 0;
}

static bool place_all(ordering *o) {
    for (uint32_t i = 0; i < o->graph->node_count; i++) {
        TRY(o->graph->nodes[i].waits > 0 || make_ready(o, i));
    }
    while (o->count > 0) {
        uint32_t next = pop(o);
        o->c->undecided = o->c->undecided || is_tied(o, next);
        TRY(place(o, next));
    }
    return true;
}

/* ------------------------------------------------------------------------- inputs */

static bool name_leaf(void *context, const ep_leaf *leaf) {
    ordering *o = context;
    ep_bytes text;
    if (!ep_leaf_is_value(leaf)) {
        return true;
    }
    TRY(ep_canon_text(o->c, *leaf->name, &text));
    uint32_t value = ep_map_find(&o->graph->names, text);
    return value == EP_MAP_NONE || name_value(o, value); /* an object of version 1 has none */
}

/* The slot of the name in the spec of a constant input; NULL for any other input. */
static uint64_t *constant_name(const ep_canonizer *c, uint64_t specs, size_t i) {
    const ep_node *spec = specs == 0 ? NULL : ep_item_node(specs, i);
    if (spec == NULL || ep_tag(&c->fields, spec) != EP_F_InputSpec_constant_input) {
        return NULL;
    }
    return &ep_node_mutable(spec->slots[0])
                ->slots[c->fields.slot[EP_F_InputToConstantInputSpec_name]];
}

static uint64_t input_specs(const ep_canonizer *c, const ep_canon_graph *graph) {
    const ep_node *module = ep_field_node(&c->fields, c->root, EP_F_ExportedProgram_graph_module);
    const ep_node *signature = ep_field_node(&c->fields, module, EP_F_GraphModule_signature);
    return graph->argument != NULL
               ? 0
               : ep_field_bits(&c->fields, signature, EP_F_GraphSignature_input_specs);
}

/* SPEC 6.4.2 */
static bool name_inputs(ordering *o) {
    ep_canonizer *c = o->c;
    uint64_t inputs = ep_field_bits(&c->fields, o->graph->graph, EP_F_Graph_inputs);
    uint64_t specs = input_specs(c, o->graph);
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        uint64_t *slot = constant_name(c, specs, i);
        if (slot != NULL) {
            TRY(ep_canon_next_name(c, 'v', &o->graph->next_name, slot));
        } else if (!ep_leaves(c->arena, &c->fields, ep_item_node(inputs, i), name_leaf, o)) {
            return ep_canon_fail(c, EP_MEMORY);
        }
    }
    return true;
}

bool ep_canon_order(ep_canonizer *c, ep_canon_graph *graph) {
    ordering o = {.c = c, .graph = graph};
    o.heap = ep_canon_array(c, graph->node_count, sizeof *o.heap);
    o.texts = ep_canon_array(c, graph->node_count, sizeof *o.texts);
    o.merged = ep_canon_array(c, graph->node_count, sizeof *o.merged);
    TRY(o.heap != NULL && o.texts != NULL && o.merged != NULL && find_written(&o));
    if (graph->node_count > 0) {
        memset(o.merged, 0xFF, graph->node_count * sizeof *o.merged); /* none */
    }
    ep_map_init(&o.known, c->arena);
    ep_stack_init(&o.said_by, c->arena);
    bool ok = name_inputs(&o) && place_all(&o);
    ep_map_free(&o.known);
    ep_stack_free(&o.said_by);
    return ok;
}
