/*
 * rules/scope.c - the symbol tables: for each graph, the names that its tables list and
 * those that inputs and nodes define. Nothing is checked here; duplicates are kept for
 * the rules.
 */
#include "rules/judge.h"

/* --------------------------------------------------------------- definitions */

/* The entry of a name in its scope, inserted if it is new. NULL for want of memory,
 * which is then recorded in the judge. */
static ep_definition *entry_of(ep_judge *judge, ep_scope *scope, ep_ref name) {
    ep_bytes text;
    uint32_t number;
    bool fresh;
    if (!ep_ref_text(judge->arena, judge->input, name, &text) ||
        !ep_definitions_reserve(&scope->entries, 1) ||
        !ep_map_put(&scope->names, text, &number, &fresh)) {
        judge->out_of_memory = true;
        return NULL;
    }
    ep_definition *entry = &scope->entries.items[number];
    if (fresh) {
        *entry = (ep_definition){.name = name};
        scope->entries.count++;
    }
    return entry;
}

/* Whether two texts are written with the same bytes, and without escapes. */
static bool same_bytes(const ep_judge *judge, ep_ref a, ep_ref b) {
    return (uint32_t)a == (uint32_t)b && (ep_ref_flags(a) & EP_REF_ESCAPED) == 0 &&
           ep_name_equal(ep_ref_raw(judge->input.data, a), ep_ref_raw(judge->input.data, b));
}

/* The entry of a name that is defined. PyTorch lists values in the order in which they
 * are defined, so that the entry behind the last one saves a search of most names. */
static ep_definition *entry_defined(ep_judge *judge, ep_scope *scope, ep_ref name) {
    ep_definition *entry = NULL;
    if (scope->expected < scope->entries.count) {
        entry = &scope->entries.items[scope->expected];
    }
    if (entry == NULL || !same_bytes(judge, entry->name, name)) {
        entry = entry_of(judge, scope, name);
    }
    if (entry != NULL && entry->listed <= EP_HOLDS_TENSOR) {
        scope->expected = (size_t)(entry - scope->entries.items) + 1;
    }
    return entry;
}

/* The first definition holds. SPEC 5.1.1 */
static void define(ep_judge *judge, ep_scope *scope, const ep_use *use, uint32_t order) {
    ep_definition *entry = entry_defined(judge, scope, use->name);
    if (entry == NULL) {
        return;
    }
    ep_judge_place(&entry->definitions, use->name);
    entry->constant = order == EP_ORDER_CONSTANT ? use->name : entry->constant;
    if (entry->order != 0) {
        return;
    }
    entry->defined_at = use->name;
    entry->defined = (uint8_t)use->holds;
    entry->order = order;
}

/* The context of the definitions of an argument. */
typedef struct defining {
    ep_scope *scope;
    uint32_t order;
} defining;

static void visit_definition(ep_judge *judge, void *context, const ep_use *use) {
    const defining *to = context;
    if (use->holds != EP_HOLDS_GRAPH) {
        define(judge, to->scope, use, to->order);
    }
}

static void define_all(ep_judge *judge, ep_scope *scope, uint64_t arguments, uint32_t order) {
    defining to = {scope, order};
    for (size_t i = 0; i < ep_list_count(arguments); i++) {
        ep_judge_uses(judge, ep_item_node(arguments, i), visit_definition, &to);
    }
}

/* -------------------------------------------------------------------- tables */

const ep_table ep_tables[EP_TABLE_COUNT] = {
    {EP_F_Graph_tensor_values, EP_HOLDS_TENSOR},
    {EP_F_Graph_sym_int_values, EP_HOLDS_SYM_INT},
    {EP_F_Graph_sym_bool_values, EP_HOLDS_SYM_BOOL},
    {EP_F_Graph_sym_float_values, EP_HOLDS_SYM_FLOAT},
    {EP_F_Graph_custom_obj_values, EP_HOLDS_CUSTOM_OBJ},
};

static void list_table(ep_judge *judge, ep_scope *scope, const ep_table *table) {
    uint64_t dict = ep_field_bits(&judge->fields, scope->graph, table->field);
    size_t room = scope->entries.count + ep_list_count(dict);
    if (!ep_map_reserve(&scope->names, room) ||
        !ep_definitions_reserve(&scope->entries, ep_list_count(dict))) {
        judge->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < ep_list_count(dict); i++) {
        ep_ref key = ep_dict_key(dict, i);
        ep_definition *entry = entry_of(judge, scope, key);
        if (entry == NULL) {
            return;
        }
        ep_judge_place(&entry->listings, key);
        entry->listed = (uint8_t)table->holds; /* the last; 5.1.5 refuses another */
        entry->listed_at = key;
        entry->value = ep_dict_value(dict, i);
    }
}

/* Version 1 keeps constant tensors in the graph itself, where nodes use them by
 * name; no table lists them. SPEC 5.1.2 */
static void define_constants(ep_judge *judge, ep_scope *scope) {
    uint64_t dict = ep_field_bits(&judge->fields, scope->graph, EP_F_Graph_constants);
    for (size_t i = 0; i < ep_list_count(dict); i++) {
        ep_use constant = {.holds = EP_HOLDS_TENSOR, .name = ep_dict_key(dict, i)};
        define(judge, scope, &constant, EP_ORDER_CONSTANT);
    }
}

/* -------------------------------------------------------------------- graphs */

static ep_scope *new_scope(ep_judge *judge, const ep_node *graph) {
    ep_scope *scope = ep_arena_alloc(judge->arena, sizeof *scope);
    if (scope == NULL) {
        judge->out_of_memory = true;
        return NULL;
    }
    *scope = (ep_scope){.graph = graph};
    ep_map_init(&scope->names, judge->arena);
    ep_definitions_init(&scope->entries, judge->arena);
    ep_stack_init(&scope->node_names, judge->arena);
    *judge->last_scope = scope;
    judge->last_scope = &scope->next;
    return scope;
}

/* The context is the graph whose node takes the subgraph. */
static void visit_subgraph(ep_judge *judge, void *context, const ep_use *use) {
    ep_scope *outer = context;
    if (use->holds != EP_HOLDS_GRAPH) {
        return;
    }
    const ep_node *graph = ep_field_node(&judge->fields, use->node, EP_F_GraphArgument_graph);
    ep_scope *scope = new_scope(judge, graph);
    if (scope != NULL) {
        scope->outer = outer;
        scope->argument = use->node;
        outer->holds_subgraphs = true;
    }
}

/* The name of a node: most are named as their value, whose entry was just found. */
static void read_node_name(ep_judge *judge, ep_scope *scope, const ep_node *node) {
    if (!ep_field_present(&judge->fields, node, EP_F_Node_name)) {
        return;
    }
    ep_ref name = ep_field_bits(&judge->fields, node, EP_F_Node_name);
    ep_definition *last = scope->expected == 0 ? NULL : &scope->entries.items[scope->expected - 1];
    if (last != NULL && same_bytes(judge, last->name, name)) {
        ep_judge_place(&last->nodes, name);
    } else if (!ep_stack_push(&scope->node_names, name)) {
        judge->out_of_memory = true;
    }
}

/* Names and subgraphs of one graph; its subgraphs come after it in the list. */
static void read_graph(ep_judge *judge, ep_scope *scope) {
    const ep_fields *fields = &judge->fields;
    uint64_t nodes = ep_field_bits(fields, scope->graph, EP_F_Graph_nodes);
    for (size_t i = 0; i < EP_TABLE_COUNT; i++) {
        list_table(judge, scope, &ep_tables[i]);
    }
    define_constants(judge, scope);
    define_all(judge, scope, ep_field_bits(fields, scope->graph, EP_F_Graph_inputs),
               EP_ORDER_INPUT);
    for (size_t i = 0; i < ep_list_count(nodes) && !judge->out_of_memory; i++) {
        const ep_node *node = ep_item_node(nodes, i);
        uint64_t inputs = ep_field_bits(fields, node, EP_F_Node_inputs);
        for (size_t j = 0; j < ep_list_count(inputs); j++) {
            const ep_node *named = ep_item_node(inputs, j);
            const ep_node *argument = ep_field_node(fields, named, EP_F_NamedArgument_arg);
            if (ep_judge_holds_graphs(judge, argument)) {
                ep_judge_uses(judge, argument, visit_subgraph, scope);
            }
        }
        define_all(judge, scope, ep_field_bits(fields, node, EP_F_Node_outputs),
                   EP_ORDER_NODE + (uint32_t)i);
        read_node_name(judge, scope, node);
    }
}

bool ep_scopes_open(ep_judge *judge, const ep_node *graph) {
    judge->scopes = NULL;
    judge->last_scope = &judge->scopes;
    new_scope(judge, graph);
    for (ep_scope *scope = judge->scopes; scope != NULL && !judge->out_of_memory;
         scope = scope->next) {
        read_graph(judge, scope);
    }
    return !judge->out_of_memory;
}

void ep_scopes_free(ep_judge *judge) {
    for (ep_scope *scope = judge->scopes; scope != NULL; scope = scope->next) {
        ep_map_free(&scope->names);
        ep_definitions_free(&scope->entries);
        ep_stack_free(&scope->node_names);
    }
}
