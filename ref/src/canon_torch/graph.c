/*
 * canon_torch/graph.c - the torch form of one graph: a topological order that depends on
 * data alone, new names for the values, and the tables in the order of these names.
 * Nothing here recurses into subgraphs: they are left on a stack. SPEC 6.9.6 to 6.9.12
 */
#include "canon_torch/canon_torch.h"
#include "rules/judge.h"

/* The state of a node in the topological sort. */
typedef struct node_state {
    size_t unmet; /* uses of values whose definers have not been placed */
    size_t edges; /* 1 + the first edge to a user; 0: none */
} node_state;

/* An edge from a node to a user of its values. */
typedef struct edge {
    size_t user;
    size_t next; /* as node_state's edges */
} edge;

EP_STACK_OF(edge_stack, edge);

typedef struct table_entry {
    ep_ref key;
    uint64_t value;
    bool present; /* it was not moved to another name */
} table_entry;

EP_STACK_OF(entry_stack, table_entry);

/* A table of values that is being renamed. */
typedef struct table {
    ep_map names;
    entry_stack entries; /* by the map's numbers */
} table;

typedef struct graph_work {
    ep_torch *t;
    ep_torch_scope *scope;
    ep_node *graph;
    uint64_t nodes;
    node_state *states;
    edge_stack edges;
    ep_torch_queue queue;
    size_t node; /* the node whose leaves are visited */
    size_t ranks;
    table tables[EP_TABLE_COUNT];
} graph_work;

/* Visits all leaves of a list of Arguments. */
static bool visit_all(graph_work *g, uint64_t arguments, ep_leaf_visitor *visit) {
    for (size_t i = 0; i < ep_list_count(arguments); i++) {
        TRY(ep_torch_leaves(g->t, ep_item_mutable(arguments, i), visit, g));
    }
    return true;
}

static ep_node *argument_of(const graph_work *g, uint64_t inputs, size_t i) {
    return ep_field_mutable(&g->t->fields, ep_item_node(inputs, i), EP_F_NamedArgument_arg);
}

static uint64_t field_of(const graph_work *g, size_t node, ep_field field) {
    return ep_field_bits(&g->t->fields, ep_item_node(g->nodes, node), field);
}

/* Visits the leaves of a node's inputs. */
static bool visit_inputs(graph_work *g, size_t node, ep_leaf_visitor *visit) {
    uint64_t inputs = field_of(g, node, EP_F_Node_inputs);
    g->node = node;
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        TRY(ep_torch_leaves(g->t, argument_of(g, inputs, i), visit, g));
    }
    return true;
}

static bool visit_outputs(graph_work *g, size_t node, ep_leaf_visitor *visit) {
    g->node = node;
    return visit_all(g, field_of(g, node, EP_F_Node_outputs), visit);
}

/* The value that a leaf names; NULL if it has no name, or an empty one. False where
 * PyTorch fails. SPEC 6.9.4 */
static bool value_of_leaf(graph_work *g, const ep_leaf *leaf, ep_torch_value **value) {
    *value = NULL;
    if (leaf->name != NULL) {
        if (ep_ref_size(*leaf->name) == 0) {
            return true;
        }
        *value = ep_torch_value_of(g->t, g->scope, *leaf->name);
        return *value != NULL;
    }
    ep_field tag = leaf->holds == EP_HOLDS_NOTHING ? EP_F_none : ep_tag(&g->t->fields, leaf->node);
    return (tag != EP_F_SymBoolArgument_as_bool && tag != EP_F_SymFloatArgument_as_float) ||
           ep_torch_fail(g->t, EP_TORCH_LEAF, leaf->node, "a name");
}

/* ------------------------------------------------------------- dependencies */

static bool note_input(void *context, const ep_leaf *leaf) {
    ep_torch_value *value;
    TRY(value_of_leaf(context, leaf, &value));
    if (value != NULL) {
        value->input = true;
    }
    return true;
}

/* SPEC 6.9.6, as the next one. */
static bool note_output(void *context, const ep_leaf *leaf) {
    graph_work *g = context;
    ep_torch_value *value;
    TRY(value_of_leaf(g, leaf, &value));
    if (value == NULL) {
        return true;
    }
    if (value->producer != 0) {
        return ep_torch_fail_name(g->t, EP_TORCH_NAME, *leaf->name, "only one node that has it");
    }
    value->producer = g->node + 1;
    return true;
}

static bool note_use(void *context, const ep_leaf *leaf) {
    graph_work *g = context;
    ep_torch_value *value;
    TRY(value_of_leaf(g, leaf, &value));
    if (value == NULL || value->constant) {
        return true;
    }
    if (value->producer == 0) {
        return value->input ||
               ep_torch_fail_name(g->t, EP_TORCH_NAME, *leaf->name, "a value of this graph");
    }
    node_state *from = &g->states[value->producer - 1];
    if (!edge_stack_push(&g->edges, (edge){.user = g->node, .next = from->edges})) {
        return ep_torch_no_memory(g->t);
    }
    from->edges = g->edges.count;
    g->states[g->node].unmet++;
    return true;
}

/* Version 1 keeps constants in the graph. SPEC 6.9.14 */
static bool note_constants(graph_work *g) {
    uint64_t dict = ep_field_bits(&g->t->fields, g->graph, EP_F_Graph_constants);
    for (size_t i = 0; i < ep_list_count(dict); i++) {
        ep_torch_value *value = ep_torch_value_of(g->t, g->scope, ep_dict_key(dict, i));
        TRY(value != NULL);
        value->constant = true;
    }
    return true;
}

static bool find_edges(graph_work *g, uint64_t inputs) {
    size_t count = ep_list_count(g->nodes);
    TRY(note_constants(g) && visit_all(g, inputs, note_input));
    for (size_t i = 0; i < count; i++) {
        TRY(visit_outputs(g, i, note_output));
    }
    for (size_t i = 0; i < count; i++) {
        TRY(visit_inputs(g, i, note_use));
    }
    return true;
}

/* -------------------------------------------------------------------- order */

/* SPEC 6.9.7 */
static bool give_rank(void *context, const ep_leaf *leaf) {
    graph_work *g = context;
    ep_torch_value *value;
    TRY(value_of_leaf(g, leaf, &value));
    if (value == NULL) {
        return true;
    }
    if (value->rank != 0) {
        return ep_torch_fail_name(g->t, EP_TORCH_NAME, *leaf->name, "a name that is new");
    }
    value->rank = ++g->ranks;
    return true;
}

/* Adds a leaf to the node's key: 1 if it has no name, 2 for the first value, ... */
static bool add_rank(void *context, const ep_leaf *leaf) {
    graph_work *g = context;
    ep_torch_value *value;
    TRY(value_of_leaf(g, leaf, &value));
    uint64_t rank = value == NULL || value->constant ? 0 : value->rank;
    return ep_torch_queue_number(&g->queue, rank + 1);
}

static bool put_node(graph_work *g, size_t node) {
    const ep_fields *fields = &g->t->fields;
    uint64_t inputs = field_of(g, node, EP_F_Node_inputs);
    TRY(ep_torch_queue_text(&g->queue, field_of(g, node, EP_F_Node_target)));
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        const ep_node *input = ep_item_node(inputs, i);
        ep_ref name = ep_field_bits(fields, input, EP_F_NamedArgument_name);
        TRY(ep_torch_queue_text(&g->queue, name) &&
            ep_torch_leaves(g->t, argument_of(g, inputs, i), add_rank, g) &&
            ep_torch_queue_number(&g->queue, 0));
    }
    return ep_torch_queue_number(&g->queue, 0) && ep_torch_queue_put(&g->queue, node);
}

/* Removes the edges that leave a placed node. */
static bool release(graph_work *g, size_t node) {
    for (size_t i = g->states[node].edges; i > 0;) {
        const edge *use = &g->edges.items[i - 1];
        if (--g->states[use->user].unmet == 0) {
            TRY(put_node(g, use->user));
        }
        i = use->next;
    }
    return true;
}

/* Fails at the first node that could not be placed: there is a cycle. */
static bool fail_cycle(graph_work *g) {
    size_t i = 0;
    while (g->states[i].unmet == 0) {
        i++;
    }
    return ep_torch_fail(g->t, EP_TORCH_CYCLE, ep_item_node(g->nodes, i),
                         "a node that uses nothing of those after it");
}

/* SPEC 6.9.8: Kahn's topological sort. */
static bool sort_nodes(graph_work *g, uint64_t inputs) {
    size_t count = ep_list_count(g->nodes);
    size_t done = 0;
    uint64_t *sorted = ep_arena_array(g->t->arena, 0, count, sizeof *sorted);
    if (sorted == NULL) {
        return ep_torch_no_memory(g->t);
    }
    TRY(visit_all(g, inputs, give_rank));
    for (size_t i = 0; i < count; i++) {
        TRY(g->states[i].unmet > 0 || put_node(g, i));
    }
    while (g->queue.count > 0) {
        size_t node = ep_torch_queue_take(&g->queue);
        sorted[done++] = ep_list_at(g->nodes)->items[node];
        TRY(visit_outputs(g, node, give_rank) && release(g, node));
    }
    if (done < count) {
        return fail_cycle(g);
    }
    if (count > 0) {
        memcpy(ep_torch_items(g->nodes), sorted, count * sizeof *sorted);
    }
    return true;
}

/* ------------------------------------------------------------------- tables */

/* Writes an entry. It replaces one of the same name. */
static bool put_entry(graph_work *g, table *values, ep_bytes name, table_entry entry) {
    uint32_t number;
    bool fresh;
    if (!entry_stack_reserve(&values->entries, 1) ||
        !ep_map_put(&values->names, name, &number, &fresh)) {
        return ep_torch_no_memory(g->t);
    }
    values->entries.count += fresh;
    values->entries.items[number] = entry;
    return true;
}

static bool open_table(graph_work *g, size_t number) {
    ep_torch *t = g->t;
    uint64_t dict = ep_field_bits(&t->fields, g->graph, ep_tables[number].field);
    for (size_t i = 0; i < ep_list_count(dict); i++) {
        table_entry entry = {ep_dict_key(dict, i), ep_dict_value(dict, i), true};
        ep_bytes name;
        if (!ep_ref_text(t->arena, t->input, entry.key, &name)) {
            return ep_torch_no_memory(t);
        }
        TRY(put_entry(g, &g->tables[number], name, entry));
    }
    return true;
}

/* Takes the entry of a name out of the table; false if there is none. */
static bool take_entry(graph_work *g, table *values, ep_ref name, table_entry *entry) {
    ep_torch *t = g->t;
    ep_arena_mark mark = ep_arena_now(t->arena);
    ep_bytes text;
    if (!ep_ref_text(t->arena, t->input, name, &text)) {
        return ep_torch_no_memory(t);
    }
    uint32_t number = ep_map_find(&values->names, text);
    ep_arena_rewind(t->arena, mark);
    bool known = number != EP_MAP_NONE;
    if (!known || EP_NEVER(!values->entries.items[number].present)) { /* none is taken twice */
        return ep_torch_fail_name(t, EP_TORCH_NAME, name, "a name in the table of its kind");
    }
    *entry = values->entries.items[number];
    values->entries.items[number].present = false;
    return true;
}

static table *table_of(graph_work *g, ep_holds holds) {
    size_t i = 0;
    while (ep_tables[i].holds != holds) {
        i++;
    }
    return &g->tables[i];
}

/* The sort keys of the entries that are in the table, and the numbers of their names. */
static ep_torch_key *keys_of(graph_work *g, const table *values, uint32_t *numbers, size_t *count) {
    size_t most = values->names.count;
    ep_torch_key *keys = ep_arena_array(g->t->arena, 0, most, sizeof *keys);
    *count = 0;
    for (size_t i = 0; keys != NULL && i < most; i++) {
        if (values->entries.items[i].present) {
            numbers[*count] = (uint32_t)i;
            keys[(*count)++] = (ep_torch_key){.text = values->names.keys[i].text};
        }
    }
    return keys;
}

/* The table as a dict in the order of the new names. SPEC 6.9.11 */
static bool dict_of(graph_work *g, const table *values, uint64_t *bits) {
    ep_arena *arena = g->t->arena;
    size_t most = values->names.count;
    size_t count;
    *bits = 0;
    if (most == 0) {
        return true;
    }
    ep_list *dict = ep_list_make(arena, 0, 2 * most); /* count is set later */
    uint32_t *numbers = ep_arena_array(arena, 0, most, sizeof *numbers);
    ep_torch_key *keys = numbers == NULL ? NULL : keys_of(g, values, numbers, &count);
    if (dict == NULL || keys == NULL) {
        return ep_torch_no_memory(g->t);
    }
    const uint32_t *order = ep_torch_order(g->t, keys, count);
    TRY(order != NULL);
    dict->count = count;
    for (size_t i = 0; i < count; i++) {
        const table_entry *entry = &values->entries.items[numbers[order[i]]];
        dict->items[i] = entry->key;
        dict->items[count + i] = entry->value;
    }
    *bits = ep_pointer_bits(dict);
    return true;
}

static bool close_table(graph_work *g, size_t number) {
    ep_torch *t = g->t;
    const ep_table *row = &ep_tables[number];
    uint64_t dict;
    if (t->fields.slot[row->field] == EP_NO_MEMBER) {
        return true;
    }
    TRY(dict_of(g, &g->tables[number], &dict));
    bool dropped = row->holds == EP_HOLDS_CUSTOM_OBJ && !ep_torch_has(t, EP_TORCH_OBJECTS);
    *ep_torch_slot(t, g->graph, row->field) = dropped ? 0 : dict;
    return true;
}

/* -------------------------------------------------------------------- names */

static bool is_optional(const ep_leaf *leaf) {
    return leaf->node->type == EP_SHAPE_OptionalTensorArgument - EP_SHAPE_FIRST_TYPE;
}

static bool note_renamed(graph_work *g, ep_ref old, ep_ref fresh) {
    return (ep_stack_push(&g->scope->old, old) && ep_stack_push(&g->scope->fresh, fresh)) ||
           ep_torch_no_memory(g->t);
}

/* Entries are moved one by one. A moved entry replaces one that has the new name
 * already. SPEC 6.9.9, 6.9.10 */
static bool rename_definition(void *context, const ep_leaf *leaf) {
    graph_work *g = context;
    ep_torch *t = g->t;
    ep_torch_name name;
    table_entry entry;
    if (is_optional(leaf)) {
        return ep_torch_fail(t, EP_TORCH_LEAF, leaf->node, "a value that can be defined");
    }
    if (leaf->name == NULL) {
        return true;
    }
    ep_torch_value *value = ep_torch_value_of(t, g->scope, *leaf->name);
    TRY(value != NULL && ep_torch_fresh(t, &t->values, g->scope->old.count, &name));
    /* only the empty name: any other that is there twice was refused for its rank (SPEC 6.9.7) */
    if (value->fresh != 0) { /* SPEC 6.9.10 */
        return ep_torch_fail_name(t, EP_TORCH_NAME, *leaf->name, "a name that is new");
    }
    table *values = table_of(g, leaf->holds);
    TRY(take_entry(g, values, *leaf->name, &entry));
    entry.key = name.ref;
    TRY(put_entry(g, values, name.text, entry));
    value->fresh = name.ref;
    TRY(note_renamed(g, *leaf->name, name.ref));
    *leaf->name = name.ref;
    return true;
}

static bool rename_use(void *context, const ep_leaf *leaf) {
    graph_work *g = context;
    ep_ref fresh = 0;
    TRY(leaf->name == NULL || ep_torch_find(g->t, g->scope, *leaf->name, &fresh));
    if (fresh != 0) {
        *leaf->name = fresh;
    }
    return true;
}

static bool rename(graph_work *g, uint64_t inputs) {
    size_t count = ep_list_count(g->nodes);
    TRY(visit_all(g, inputs, rename_definition));
    for (size_t i = 0; i < count; i++) {
        TRY(visit_outputs(g, i, rename_definition));
    }
    for (size_t i = 0; i < count; i++) {
        *ep_torch_slot(g->t, ep_item_mutable(g->nodes, i), EP_F_Node_metadata) = 0;
        TRY(visit_inputs(g, i, rename_use));
    }
    return visit_all(g, ep_field_bits(&g->t->fields, g->graph, EP_F_Graph_outputs), rename_use);
}

/* ---------------------------------------------------------------- subgraphs */

static ep_node *graph_argument(const graph_work *g, uint64_t inputs, size_t i) {
    const ep_node *argument = argument_of(g, inputs, i);
    bool holds = ep_tag(&g->t->fields, argument) == EP_F_Argument_as_graph;
    return holds ? ep_node_mutable(argument->slots[0]) : NULL;
}

/* Names the subgraphs and pushes them, the first on top. SPEC 6.9.12 */
static bool leave_subgraphs(graph_work *g) {
    ep_torch *t = g->t;
    size_t first = t->subgraphs.count;
    for (size_t i = 0; i < ep_list_count(g->nodes); i++) {
        uint64_t inputs = field_of(g, i, EP_F_Node_inputs);
        for (size_t j = 0; j < ep_list_count(inputs); j++) {
            ep_node *argument = graph_argument(g, inputs, j);
            ep_torch_name name;
            if (argument == NULL) {
                continue;
            }
            TRY(ep_torch_fresh(t, &t->graphs, t->subgraphs.count - first, &name));
            *ep_torch_slot(t, argument, EP_F_GraphArgument_name) = name.ref;
            if (!ep_torch_subgraphs_push(&t->subgraphs, argument)) {
                return ep_torch_no_memory(t);
            }
        }
    }
    ep_torch_subgraphs_reverse(&t->subgraphs, first);
    return true;
}

/* --------------------------------------------------------------------- graph */

static bool open_graph(graph_work *g) {
    ep_torch *t = g->t;
    size_t count = ep_list_count(g->nodes);
    edge_stack_init(&g->edges, t->arena);
    for (size_t i = 0; i < EP_TABLE_COUNT; i++) {
        ep_map_init(&g->tables[i].names, t->arena);
        entry_stack_init(&g->tables[i].entries, t->arena);
    }
    TRY(ep_torch_queue_open(&g->queue, t, g->nodes));
    g->states = ep_arena_array(t->arena, 0, count, sizeof *g->states);
    if (g->states == NULL) {
        return ep_torch_no_memory(t);
    }
    memset(g->states, 0, count * sizeof *g->states);
    for (size_t i = 0; i < EP_TABLE_COUNT; i++) {
        TRY(open_table(g, i));
    }
    return true;
}

static void close_graph(graph_work *g) {
    edge_stack_free(&g->edges);
    ep_torch_queue_free(&g->queue);
    for (size_t i = 0; i < EP_TABLE_COUNT; i++) {
        ep_map_free(&g->tables[i].names);
        entry_stack_free(&g->tables[i].entries);
    }
}

bool ep_torch_graph(ep_torch *t, ep_torch_scope *scope, ep_node *graph) {
    graph_work g = {.t = t,
                    .scope = scope,
                    .graph = graph,
                    .nodes = ep_field_bits(&t->fields, graph, EP_F_Graph_nodes)};
    uint64_t inputs = ep_field_bits(&t->fields, graph, EP_F_Graph_inputs);
    bool ok =
        open_graph(&g) && find_edges(&g, inputs) && sort_nodes(&g, inputs) && rename(&g, inputs);
    for (size_t i = 0; ok && i < EP_TABLE_COUNT; i++) {
        ok = close_table(&g, i);
    }
    ok = ok && leave_subgraphs(&g);
    close_graph(&g);
    return ok;
}
