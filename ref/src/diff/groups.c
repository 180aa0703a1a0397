/*
 * diff/groups.c - which parts of two programs are compared, and in which order; see
 * diff.h.
 */
#include "diff/diff.h"

/* ------------------------------------------------------------------------ keys */

/* The text of a string, as a key. */
static bool text_key(ep_differ *d, size_t half, ep_ref text, ep_bytes *key) {
    return ep_ref_text(d->arena, d->half[half].input, text, key);
}

/* The keys of two dicts. */
static bool dict_keys(ep_differ *d, const ep_diff_pair *dicts, ep_diff_keys keys[2]) {
    for (size_t half = 0; half < 2; half++) {
        uint64_t dict = dicts->bits[half];
        TRY(ep_diff_keys_open(d, &keys[half], ep_list_count(dict)));
        for (size_t i = 0; i < keys[half].count; i++) {
            TRY(text_key(d, half, ep_dict_key(dict, i), &keys[half].texts[i]));
        }
    }
    return true;
}

/* The keys of two lists of structs, which are the texts of a field; for EP_F_none the
 * lists are of strings, which are their own keys. */
static bool list_keys(ep_differ *d, const ep_diff_pair *lists, ep_field field,
                      ep_diff_keys keys[2]) {
    for (size_t half = 0; half < 2; half++) {
        uint64_t list = lists->bits[half];
        TRY(ep_diff_keys_open(d, &keys[half], ep_list_count(list)));
        for (size_t i = 0; i < keys[half].count; i++) {
            ep_ref text = field == EP_F_none
                              ? ep_list_at(list)->items[i]
                              : ep_field_bits(&d->fields, ep_item_node(list, i), field);
            TRY(text_key(d, half, text, &keys[half].texts[i]));
        }
    }
    return true;
}

/*
 * Why some comparisons below cannot run out of memory: the programs were compared as
 * wholes before, at least down to the inputs of their graphs. Since then the stack has
 * room for four frames, and a comparison that is no deeper takes no memory.
 */

/* ----------------------------------------------------------------------- items */

/* Two lists or dicts that are compared item by item. */
typedef struct comparing {
    const ep_diff_scope *scope;
    ep_diff_group group;
    ep_diff_pair lists;
} comparing;

static bool compare_item(ep_differ *d, void *context, const uint32_t items[2]) {
    const comparing *c = context;
    ep_diff_pair pair = ep_diff_items(d, &c->lists, items);
    return ep_diff_compare(d, c->scope, c->group, &pair);
}

/* Compares the items of two lists by position. */
static bool compare_lists(ep_differ *d, comparing *c) {
    size_t count[2] = {ep_list_count(c->lists.bits[0]), ep_list_count(c->lists.bits[1])};
    for (uint32_t i = 0; i < count[0] || i < count[1]; i++) {
        uint32_t items[2] = {i < count[0] ? i : EP_DIFF_NONE, i < count[1] ? i : EP_DIFF_NONE};
        TRY(EP_ALWAYS(compare_item(d, c, items))); /* needs no new frames */
    }
    return true;
}

bool ep_diff_dicts(ep_differ *d, ep_diff_group group, const ep_diff_pair *dicts) {
    ep_diff_keys keys[2];
    comparing c = {NULL, group, *dicts};
    TRY(dict_keys(d, dicts, keys) && ep_diff_match(d, keys));
    return ep_diff_go(d, keys, compare_item, &c);
}

/* ------------------------------------------------------------------- signature */

/* How the specs of one kind are matched. */
typedef struct spec_row {
    ep_field tag;
    ep_field name; /* the key; EP_F_none: they are matched by position */
    char letter;   /* they are matched with others of this letter */
} spec_row;

static const spec_row spec_rows[] = {
    {EP_F_InputSpec_token, EP_F_none, 't'},
    {EP_F_InputSpec_parameter, EP_F_InputToParameterSpec_parameter_name, 'p'},
    {EP_F_InputSpec_buffer, EP_F_InputToBufferSpec_buffer_name, 'b'},
    {EP_F_InputSpec_tensor_constant, EP_F_InputToTensorConstantSpec_tensor_constant_name, 'c'},
    {EP_F_InputSpec_custom_obj, EP_F_InputToCustomObjSpec_custom_obj_name, 'o'},
    {EP_F_InputSpec_user_input, EP_F_none, 'u'},
    {EP_F_InputSpec_constant_input, EP_F_none, 'u'},
    {EP_F_OutputSpec_token, EP_F_none, 't'},
    {EP_F_OutputSpec_buffer_mutation, EP_F_BufferMutationSpec_buffer_name, 'b'},
    {EP_F_OutputSpec_parameter_mutation, EP_F_ParameterMutationSpec_parameter_name, 'p'},
    {EP_F_OutputSpec_user_input_mutation, EP_F_none, 'm'},
    {EP_F_OutputSpec_user_output, EP_F_none, 'u'},
    {EP_F_OutputSpec_loss_output, EP_F_none, 'u'},
    {EP_F_OutputSpec_gradient_to_parameter, EP_F_GradientToParameterSpec_parameter_name, 'g'},
    {EP_F_OutputSpec_gradient_to_user_input, EP_F_none, 'i'},
};

static const spec_row *compared_row_of(const ep_differ *d, const ep_node *spec) {
    ep_field tag = ep_tag(&d->fields, spec);
    size_t i = 0;
    while (i + 1 < EP_COUNT_OF(spec_rows) && spec_rows[i].tag != tag) {
        i++;
    }
    return &spec_rows[i];
}

/* The key of a spec: the letter, and the name if the row has one. */
static bool spec_key(ep_differ *d, size_t half, const ep_node *spec, ep_bytes *key) {
    const spec_row *row = compared_row_of(d, spec);
    ep_bytes name = {NULL, 0};
    if (row->name != EP_F_none) {
        ep_ref ref = ep_field_bits(&d->fields, ep_tag_node(spec), row->name);
        TRY(text_key(d, half, ref, &name));
    }
    char *text = ep_arena_alloc(d->arena, name.size + 1);
    TRY(text != NULL);
    text[0] = row->letter;
    if (name.size > 0) {
        memcpy(text + 1, name.data, name.size);
    }
    *key = (ep_bytes){text, name.size + 1};
    return true;
}

static void root_modules(const ep_differ *d, const ep_node *modules[2]) {
    for (size_t half = 0; half < 2; half++) {
        modules[half] =
            ep_field_node(&d->fields, d->half[half].root, EP_F_ExportedProgram_graph_module);
    }
}

ep_diff_pair ep_diff_specs(const ep_differ *d, ep_field list) {
    const ep_node *nodes[2];
    root_modules(d, nodes);
    for (size_t half = 0; half < 2; half++) {
        nodes[half] = ep_field_node(&d->fields, nodes[half], EP_F_GraphModule_signature);
    }
    return ep_diff_member(d, nodes, list);
}

bool ep_diff_match_specs(ep_differ *d, ep_field list, ep_diff_keys keys[2]) {
    ep_diff_pair lists = ep_diff_specs(d, list);
    for (size_t half = 0; half < 2; half++) {
        TRY(ep_diff_keys_open(d, &keys[half], ep_list_count(lists.bits[half])));
        for (size_t i = 0; i < keys[half].count; i++) {
            TRY(spec_key(d, half, ep_item_node(lists.bits[half], i), &keys[half].texts[i]));
        }
    }
    return ep_diff_match(d, keys);
}

/* A spec is of the input or output of the graph in the same place. */
static bool compare_spec(ep_differ *d, void *context, const uint32_t items[2]) {
    const comparing *c = context;
    bool inputs = c->lists.at[0].member == d->fields.slot[EP_F_GraphSignature_input_specs];
    size_t parts[2] = {0, 0};
    for (size_t half = 0; half < 2; half++) {
        uint64_t list = ep_field_bits(&d->fields, c->scope->graph[half],
                                      inputs ? EP_F_Graph_inputs : EP_F_Graph_outputs);
        if (items[half] != EP_DIFF_NONE) {
            parts[half] = ep_item_node(list, items[half])->offset;
        }
    }
    ep_diff_enter(d, parts[0], parts[1]);
    return compare_item(d, context, items);
}

static bool compare_specs(ep_differ *d, const ep_diff_scope *scope) {
    static const ep_field lists[] = {EP_F_GraphSignature_input_specs,
                                     EP_F_GraphSignature_output_specs};
    for (size_t i = 0; i < EP_COUNT_OF(lists); i++) {
        ep_diff_keys keys[2];
        comparing c = {scope, EP_DIFF_SIGNATURE, ep_diff_specs(d, lists[i])};
        TRY(ep_diff_match_specs(d, lists[i], keys));
        TRY(EP_ALWAYS(ep_diff_go(d, keys, compare_spec, &c))); /* needs no new frames */
    }
    return true;
}

/* ----------------------------------------------------------------------- nodes */

static bool compare_input(ep_differ *d, void *context, const uint32_t items[2]) {
    const comparing *c = context;
    size_t half = items[0] != EP_DIFF_NONE ? 0 : 1;
    ep_ref name = ep_field_bits(&d->fields, ep_item_node(c->lists.bits[half], items[half]),
                                EP_F_NamedArgument_name);
    return text_key(d, half, name, &d->argument) && compare_item(d, context, items);
}

/* Matches inputs by name. Names are unique, except for those of higher-order
 * operators. */
static bool compare_inputs(ep_differ *d, const ep_diff_scope *scope,
                           const ep_node *const nodes[2]) {
    ep_arena_mark mark = ep_arena_now(d->arena);
    ep_diff_keys keys[2];
    comparing c = {scope, EP_DIFF_ARGUMENT, ep_diff_member(d, nodes, EP_F_Node_inputs)};
    bool ok = list_keys(d, &c.lists, EP_F_NamedArgument_name, keys) && ep_diff_match(d, keys) &&
              ep_diff_go(d, keys, compare_input, &c);
    d->argument = (ep_bytes){NULL, 0};
    ep_arena_rewind(d->arena, mark);
    return ok;
}

static bool compare_called(ep_differ *d, const ep_diff_scope *scope,
                           const ep_node *const nodes[2]) {
    ep_diff_pair target = ep_diff_member(d, nodes, EP_F_Node_target);
    comparing outputs = {scope, EP_DIFF_NODE, ep_diff_member(d, nodes, EP_F_Node_outputs)};
    if (!ep_diff_same_text(d, target.bits)) {
        ep_diff_tell(d, EP_DIFF_NODE, &target);
        return true; /* the nodes have nothing else in common */
    }
    uint8_t single = d->fields.slot[EP_F_Node_is_hop_single_tensor_return];
    bool ok = ep_diff_compare_member(d, scope, EP_DIFF_NODE, nodes, single);
    TRY(EP_ALWAYS(ok)); /* a bool takes no memory */
    TRY(compare_inputs(d, scope, nodes));
    return compare_lists(d, &outputs);
}

/* Notes a match for the provenance, which is compared at the end. */
static bool note_match(ep_differ *d, const ep_node *const nodes[2]) {
    return !d->options->provenance ||
           ep_diff_matches_push(&d->matched, (ep_diff_match_of){{nodes[0], nodes[1]}});
}

static bool compare_nodes(ep_differ *d, const ep_diff_scope *scope, const ep_node *const nodes[2]) {
    ep_ref target = ep_field_bits(&d->fields, nodes[0], EP_F_Node_target);
    ep_diff_enter(d, nodes[0]->offset, nodes[1]->offset);
    TRY(note_match(d, nodes) && text_key(d, 0, target, &d->target));
    bool ok = compare_called(d, scope, nodes);
    d->target = (ep_bytes){NULL, 0};
    return ok;
}

/* Reports a node that only one of the graphs has. The other item is none. */
static void tell_node(ep_differ *d, const ep_diff_pair *lists, const uint32_t items[2]) {
    ep_diff_pair pair = ep_diff_items(d, lists, items);
    ep_diff_enter(d, pair.at[0].absent ? 0 : pair.at[0].node->offset,
                  pair.at[1].absent ? 0 : pair.at[1].node->offset);
    ep_diff_tell(d, EP_DIFF_NODE, &pair);
}

/* Reports the unmatched nodes of the second graph in a span. */
static void tell_second(ep_differ *d, const ep_diff_scope *scope, const ep_diff_pair *lists,
                        uint32_t span[2]) {
    for (; span[0] < span[1]; span[0]++) {
        if (scope->node[1][span[0]] == EP_DIFF_NONE) {
            tell_node(d, lists, (uint32_t[2]){EP_DIFF_NONE, span[0]});
        }
    }
}

/* Compares the nodes in the order of the first graph. An unmatched node of the second
 * graph is reported before the node that it precedes there. */
static bool compare_all_nodes(ep_differ *d, const ep_diff_scope *scope) {
    ep_diff_pair lists = ep_diff_member(d, scope->graph, EP_F_Graph_nodes);
    uint32_t second[2] = {0, 0};
    for (uint32_t i = 0; i < scope->node_count[0]; i++) {
        uint32_t other = scope->node[0][i];
        if (other == EP_DIFF_NONE) {
            tell_node(d, &lists, (uint32_t[2]){i, EP_DIFF_NONE});
            continue;
        }
        second[1] = other;
        ep_diff_pair pair = ep_diff_items(d, &lists, (uint32_t[2]){i, other});
        const ep_node *nodes[2] = {pair.at[0].node, pair.at[1].node};
        tell_second(d, scope, &lists, second);
        TRY(compare_nodes(d, scope, nodes));
    }
    second[1] = (uint32_t)scope->node_count[1];
    tell_second(d, scope, &lists, second);
    return true;
}

/* ---------------------------------------------------------------------- tables */

/* The index of the entry of each value in the second table. */
static bool index_table(ep_differ *d, const ep_diff_scope *scope, uint64_t table,
                        uint32_t **index) {
    size_t count = scope->value_count[1] + 1;
    *index = ep_arena_array(d->arena, 0, count, sizeof **index);
    TRY(*index != NULL);
    memset(*index, 0xFF, count * sizeof **index);
    for (uint32_t i = 0; i < ep_list_count(table); i++) {
        uint32_t number = ep_diff_number(d->half[1].input, ep_dict_key(table, i));
        if (number < scope->value_count[1]) { /* LCOV_EXCL_BR_LINE tables are of values */
            (*index)[number] = i;
        }
    }
    return true;
}

/* Compares two entries. The fields of a struct are compared one by one, so that each
 * difference is reported. */
static bool compare_entries(ep_differ *d, const ep_diff_scope *scope, const ep_diff_pair *pair) {
    if (pair->shape->op != EP_OP_STRUCT) {
        return ep_diff_compare(d, scope, EP_DIFF_VALUE, pair);
    }
    return ep_diff_members(d, scope, EP_DIFF_VALUE,
                           (const ep_node *[2]){pair->at[0].node, pair->at[1].node});
}

/* Compares the entries of the values that both graphs have. A value that only one
 * graph has was reported where it is defined. */
static bool compare_table(ep_differ *d, const ep_diff_scope *scope, ep_field field) {
    ep_diff_pair tables = ep_diff_member(d, scope->graph, field);
    uint32_t *index;
    TRY(index_table(d, scope, tables.bits[1], &index));
    for (uint32_t i = 0; i < ep_list_count(tables.bits[0]); i++) {
        uint32_t number = ep_diff_number(d->half[0].input, ep_dict_key(tables.bits[0], i));
        bool known = number < scope->value_count[0];
        /* LCOV_EXCL_START tables are of values, which all have numbers */
        uint32_t other = known ? scope->value[0][number] : EP_DIFF_NONE;
        /* LCOV_EXCL_STOP */
        if (other != EP_DIFF_NONE && index[other] != EP_DIFF_NONE) {
            ep_diff_pair pair = ep_diff_items(d, &tables, (uint32_t[2]){i, index[other]});
            ep_diff_enter(d, scope->giver[0][number], scope->giver[1][other]);
            TRY(compare_entries(d, scope, &pair));
        }
    }
    return true;
}

bool ep_diff_is_root(const ep_differ *d, const ep_diff_scope *scope) {
    const ep_node *modules[2];
    root_modules(d, modules);
    return scope->graph[0] == ep_field_node(&d->fields, modules[0], EP_F_GraphModule_graph);
}

/* The main graph is no part. */
static void enter_graph(ep_differ *d, const ep_diff_scope *scope) {
    bool root = ep_diff_is_root(d, scope);
    ep_diff_enter(d, root ? 0 : scope->graph[0]->offset, root ? 0 : scope->graph[1]->offset);
}

bool ep_diff_graph(ep_differ *d, const ep_diff_scope *scope) {
    static const ep_field tables[] = {EP_F_Graph_tensor_values, EP_F_Graph_sym_int_values,
                                      EP_F_Graph_sym_float_values, EP_F_Graph_sym_bool_values,
                                      EP_F_Graph_custom_obj_values};
    comparing inputs = {scope, EP_DIFF_SUBGRAPH,
                        ep_diff_member(d, scope->graph, EP_F_Graph_inputs)};
    comparing outputs = {scope, EP_DIFF_SUBGRAPH,
                         ep_diff_member(d, scope->graph, EP_F_Graph_outputs)};
    ep_diff_pair single = ep_diff_member(d, scope->graph, EP_F_Graph_is_single_tensor_return);
    bool root = ep_diff_is_root(d, scope);
    enter_graph(d, scope);
    TRY(root ? compare_specs(d, scope) : compare_lists(d, &inputs));
    ep_diff_group group = root ? EP_DIFF_SIGNATURE : EP_DIFF_SUBGRAPH;
    enter_graph(d, scope);
    TRY(EP_ALWAYS(ep_diff_compare(d, scope, group, &single))); /* needs no new frames */
    TRY(compare_all_nodes(d, scope));
    enter_graph(d, scope);
    TRY(root || EP_ALWAYS(compare_lists(d, &outputs))); /* needs no new frames */
    for (size_t i = 0; i < EP_COUNT_OF(tables); i++) {
        TRY(compare_table(d, scope, tables[i]));
    }
    return true;
}

/* ----------------------------------------------------------------- constraints */

/* The first program's keys, with the symbols of the second. */
static bool range_keys(ep_differ *d, const ep_diff_pair *dicts, ep_diff_keys keys[2]) {
    TRY(dict_keys(d, dicts, keys));
    for (size_t i = 0; i < keys[0].count; i++) {
        TRY(ep_diff_translate(d, keys[0].texts[i], &keys[0].texts[i]));
    }
    return ep_diff_match(d, keys);
}

bool ep_diff_constraints(ep_differ *d) {
    const ep_node *roots[2] = {d->half[0].root, d->half[1].root};
    ep_diff_keys keys[2];
    comparing ranges = {NULL, EP_DIFF_CONSTRAINT,
                        ep_diff_member(d, roots, EP_F_ExportedProgram_range_constraints)};
    comparing guards = {NULL, EP_DIFF_CONSTRAINT,
                        ep_diff_member(d, roots, EP_F_ExportedProgram_guards_code)};
    ep_diff_enter(d, 0, 0);
    TRY(range_keys(d, &ranges.lists, keys));
    TRY(EP_ALWAYS(ep_diff_go(d, keys, compare_item, &ranges))); /* needs no new frames */
    TRY(list_keys(d, &guards.lists, EP_F_none, keys) && ep_diff_match(d, keys));
    return ep_diff_go(d, keys, compare_item, &guards);
}

/* --------------------------------------------------------------------- modules */

/* The names of arguments are kept only in a program with guards (SPEC 6.2.3). If one
 * program alone has guards, the difference is in the guards. */
static bool one_is_guarded(const ep_differ *d) {
    bool guarded[2];
    for (size_t half = 0; half < 2; half++) {
        const ep_node *root = d->half[half].root;
        guarded[half] =
            ep_list_count(ep_field_bits(&d->fields, root, EP_F_ExportedProgram_guards_code)) > 0;
    }
    return guarded[0] != guarded[1];
}

/* Compares the signature of a call: its inputs and outputs, and their tree specs. */
static bool compare_call(ep_differ *d, const ep_diff_scope *scope, const ep_node *const calls[2]) {
    static const struct {
        ep_field field;
        ep_diff_group group;
    } rows[] = {
        {EP_F_ModuleCallSignature_inputs, EP_DIFF_MODULE},
        {EP_F_ModuleCallSignature_outputs, EP_DIFF_MODULE},
        {EP_F_ModuleCallSignature_in_spec, EP_DIFF_TREESPEC},
        {EP_F_ModuleCallSignature_out_spec, EP_DIFF_TREESPEC},
    };
    TRY(note_match(d, calls));
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        ep_diff_pair pair = ep_diff_member(d, calls, rows[i].field);
        TRY(ep_diff_compare(d, scope, rows[i].group, &pair));
    }
    uint8_t names = d->fields.slot[EP_F_ModuleCallSignature_forward_arg_names];
    if (one_is_guarded(d)) {
        return true;
    }
    return ep_diff_compare_member(d, scope, EP_DIFF_MODULE, calls, names);
}

static bool compare_module(ep_differ *d, void *context, const uint32_t items[2]) {
    const comparing *c = context;
    ep_diff_pair pair = ep_diff_items(d, &c->lists, items);
    if (pair.at[0].absent || pair.at[1].absent) {
        ep_diff_tell(d, c->group, &pair);
        return true;
    }
    const ep_node *entries[2] = {pair.at[0].node, pair.at[1].node};
    ep_diff_pair calls = ep_diff_member(d, entries, EP_F_ModuleCallEntry_signature);
    if (calls.bits[0] == 0 || calls.bits[1] == 0) {
        if (calls.bits[0] != calls.bits[1]) {
            ep_diff_tell(d, c->group, &calls);
        }
        return true;
    }
    return compare_call(d, c->scope,
                        (const ep_node *[2]){ep_node_at(calls.bits[0]), ep_node_at(calls.bits[1])});
}

bool ep_diff_modules(ep_differ *d, const ep_diff_scope *scope) {
    const ep_node *modules[2];
    ep_diff_keys keys[2];
    root_modules(d, modules);
    comparing entries = {scope, EP_DIFF_MODULE,
                         ep_diff_member(d, modules, EP_F_GraphModule_module_call_graph)};
    ep_diff_pair metadata = ep_diff_member(d, modules, EP_F_GraphModule_metadata);
    ep_diff_pair tuples = ep_diff_member(d, modules, EP_F_GraphModule_treespec_namedtuple_fields);
    return list_keys(d, &entries.lists, EP_F_ModuleCallEntry_fqn, keys) && ep_diff_match(d, keys) &&
           ep_diff_go(d, keys, compare_module, &entries) &&
           ep_diff_dicts(d, EP_DIFF_MODULE, &metadata) &&
           ep_diff_dicts(d, EP_DIFF_TREESPEC, &tuples);
}

/* ---------------------------------------------------------------------- header */

bool ep_diff_header(ep_differ *d) {
    const ep_node *roots[2] = {d->half[0].root, d->half[1].root};
    ep_diff_pair opsets = ep_diff_member(d, roots, EP_F_ExportedProgram_opset_version);
    comparing verifiers = {NULL, EP_DIFF_HEADER,
                           ep_diff_member(d, roots, EP_F_ExportedProgram_verifiers)};
    TRY(ep_diff_dicts(d, EP_DIFF_HEADER, &opsets));
    return compare_lists(d, &verifiers);
}
