/*
 * canon/name_values.c - puts the nodes of all graphs in their order, and renames values
 * and subgraphs wherever they are named (SPEC 6.6; of 6.8.1 the tables).
 */
#include "canon/canon.h"

#include "base/sort.h"
#include "rules/judge.h"
#include "json/number.h"

/* ----------------------------------------------------------------------- names */

/* Whether a name stays in use for something else: a constant of version 1, a constant
 * beside the program, or a name in an equality constraint that is no value's. */
static bool is_kept(const ep_canonizer *c, const ep_canon_graph *graph, ep_bytes name) {
    uint32_t value = ep_map_find(&graph->names, name);
    return (value != EP_MAP_NONE && graph->values[value].constant) ||
           ep_map_find(&c->kept, name) != EP_MAP_NONE;
}

/* Makes the next name of a letter and a number. A name that stays in use for something
 * else is skipped. */
static bool next_name(ep_canonizer *c, const ep_canon_graph *graph, char letter, uint32_t *number,
                      uint64_t *name) {
    char text[1 + EP_INT_TEXT_SIZE] = {letter};
    ep_bytes made = {text, 0};
    for (;; ++*number) {
        made.size = 1 + ep_number_print_int(*number, text + 1);
        if (!is_kept(c, graph, made)) {
            break;
        }
    }
    if (!ep_maker_text(c->maker, made, name)) {
        return ep_canon_fail(c, c->maker->code);
    }
    return true;
}

/* Keeps a name in an equality constraint that is no value's. */
static bool keep_name(ep_canonizer *c, ep_ref ref) {
    ep_bytes name;
    uint32_t number;
    bool fresh;
    TRY(ep_canon_text(c, ref, &name));
    if (ep_map_find(&c->graphs->names, name) == EP_MAP_NONE &&
        !ep_map_put(&c->kept, name, &number, &fresh)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    return true;
}

static bool keep_names(ep_canonizer *c) {
    uint64_t list = ep_field_bits(&c->fields, c->root, EP_F_ExportedProgram_equality_constraints);
    for (size_t i = 0; i < ep_list_count(list); i++) {
        const ep_list *sides = ep_list_at(ep_list_at(list)->items[i]);
        TRY(keep_name(c, ep_list_at(sides->items[0])->items[0]) &&
            keep_name(c, ep_list_at(sides->items[1])->items[0]));
    }
    return true;
}

/* The state of numbering the values of one graph. */
typedef struct numbering {
    ep_canonizer *c;
    ep_canon_graph *graph;
    uint32_t next; /* the next number */
    size_t count;  /* of the values that are numbered */
} numbering;

static bool name_value(numbering *n, uint32_t number) {
    ep_canon_value *value = &n->graph->values[number];
    TRY(next_name(n->c, n->graph, 'v', &n->next, &value->renamed));
    value->number = n->next++;
    n->graph->by_number[n->count++] = number;
    return true;
}

static int compare_constants(const void *context, uint32_t a, uint32_t b) {
    const ep_canon_graph *graph = context;
    return ep_sort_texts(graph->names.keys[a].text, graph->names.keys[b].text);
}

/* Tensors of version 1 keep their names, as constants. */
static bool keep_constants(numbering *n) {
    ep_canon_graph *graph = n->graph;
    for (uint32_t i = 0; i < graph->value_count && graph->values[i].constant; i++) {
        graph->values[i].renamed = graph->values[i].name;
        graph->by_number[n->count++] = i;
    }
    if (!ep_sort_numbers(n->c->arena, graph->by_number, n->count, compare_constants, graph)) {
        return ep_canon_fail(n->c, EP_MEMORY);
    }
    return true;
}

static bool name_leaf(void *context, const ep_leaf *leaf) {
    numbering *n = context;
    ep_bytes text;
    if (!ep_leaf_is_value(leaf)) {
        return true;
    }
    TRY(ep_canon_text(n->c, *leaf->name, &text));
    return name_value(n, ep_map_find(&n->graph->names, text));
}

/* The slot of the name in the spec of a constant input; NULL for any other input. */
static uint64_t *constant_name(const ep_canonizer *c, uint64_t specs, size_t i) {
    const ep_node *spec = specs == 0 ? NULL : ep_item_node(specs, i);
    if (spec == NULL || ep_tag(&c->fields, spec) != EP_F_InputSpec_constant_input) {
        return NULL;
    }
    ep_node *inner = ep_node_mutable(spec->slots[0]);
    uint8_t slot = c->fields.slot[EP_F_InputToConstantInputSpec_name];
    slot = slot == EP_NO_MEMBER ? c->fields.slot[EP_F_ConstantInputSpec_name] : slot;
    return &inner->slots[slot];
}

static uint64_t input_specs(const ep_canonizer *c, const ep_canon_graph *graph) {
    const ep_node *module = ep_field_node(&c->fields, c->root, EP_F_ExportedProgram_graph_module);
    const ep_node *signature = ep_field_node(&c->fields, module, EP_F_GraphModule_signature);
    return graph->argument != NULL
               ? 0
               : ep_field_bits(&c->fields, signature, EP_F_GraphSignature_input_specs);
}

static bool name_inputs(numbering *n) {
    ep_canonizer *c = n->c;
    uint64_t inputs = ep_field_bits(&c->fields, n->graph->graph, EP_F_Graph_inputs);
    uint64_t specs = input_specs(c, n->graph);
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        uint64_t *slot = constant_name(c, specs, i);
        if (slot != NULL) {
            TRY(next_name(c, n->graph, 'v', &n->next, slot));
            n->next++;
        } else if (!ep_leaves(c->arena, &c->fields, ep_item_node(inputs, i), name_leaf, n)) {
            return ep_canon_fail(c, EP_MEMORY);
        }
    }
    return true;
}

/* SPEC 6.6.2. Subgraphs are named in the order of their nodes. */
static bool name_subgraphs(ep_canonizer *c, ep_canon_graph *graph) {
    uint32_t number = 0;
    for (size_t i = 0; i < graph->node_count; i++) {
        for (ep_canon_graph *g = graph->nodes[graph->order[i]].subgraph; g != NULL;
             g = g->sibling) {
            uint8_t slot = c->fields.slot[EP_F_GraphArgument_name];
            TRY(next_name(c, graph, 'g', &number, &g->argument->slots[slot]));
            number++;
        }
    }
    return true;
}

/* SPEC 6.6.1 */
static bool name_graph(ep_canonizer *c, ep_canon_graph *graph) {
    numbering n = {.c = c, .graph = graph};
    graph->by_number = ep_canon_array(c, graph->value_count, sizeof *graph->by_number);
    TRY(graph->by_number != NULL && keep_constants(&n) && name_inputs(&n));
    for (size_t i = 0; i < graph->node_count; i++) {
        const ep_canon_node *node = &graph->nodes[graph->order[i]];
        for (uint32_t j = 0; j < node->value_count; j++) {
            TRY(name_value(&n, node->first_value + j));
        }
    }
    return name_subgraphs(c, graph);
}

/* ---------------------------------------------------------------------- renaming */

typedef struct renaming {
    ep_canonizer *c;
    const ep_canon_graph *graph;
} renaming;

/* Renames the value in a slot. A name that is no value's stays. */
static bool rename_slot(const renaming *r, uint64_t *slot) {
    ep_bytes text;
    TRY(ep_canon_text(r->c, *slot, &text));
    uint32_t value = ep_map_find(&r->graph->names, text);
    if (value != EP_MAP_NONE) {
        *slot = r->graph->values[value].renamed;
    }
    return true;
}

static bool rename_leaf(void *context, const ep_leaf *leaf) {
    return !ep_leaf_is_value(leaf) || rename_slot(context, leaf->name);
}

static bool rename_argument(renaming *r, const ep_node *argument) {
    if (!ep_leaves(r->c->arena, &r->c->fields, argument, rename_leaf, r)) {
        return ep_canon_fail(r->c, EP_MEMORY);
    }
    return true;
}

static bool rename_list(renaming *r, uint64_t arguments) {
    for (size_t i = 0; i < ep_list_count(arguments); i++) {
        TRY(rename_argument(r, ep_item_node(arguments, i)));
    }
    return true;
}

static bool rename_node(renaming *r, const ep_node *node) {
    const ep_fields *fields = &r->c->fields;
    uint64_t inputs = ep_field_bits(fields, node, EP_F_Node_inputs);
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        TRY(rename_argument(
            r, ep_field_node(fields, ep_item_node(inputs, i), EP_F_NamedArgument_arg)));
    }
    return rename_list(r, ep_field_bits(fields, node, EP_F_Node_outputs));
}

/* The entry of an object in its table repeats the object's name. */
static void rename_entry(const ep_canonizer *c, const ep_canon_value *value) {
    uint8_t slot = c->fields.slot[EP_F_CustomObjArgument_name];
    bool object = value->holds == EP_HOLDS_CUSTOM_OBJ;
    if (object && EP_ALWAYS(slot != EP_NO_MEMBER)) { /* what is a value has a name */
        ep_node_mutable(value->entry)->slots[slot] = value->renamed;
    }
}

static void rebuild_table(const ep_canonizer *c, const ep_canon_graph *graph, uint8_t table) {
    uint64_t bits = ep_field_bits(&c->fields, graph->graph, ep_tables[table].field);
    size_t count = ep_list_count(bits);
    ep_list *list = ep_list_mutable(bits);
    size_t at = 0;
    for (size_t i = 0; i < graph->value_count && at < count; i++) {
        const ep_canon_value *value = &graph->values[graph->by_number[i]];
        if (value->entry != 0 && value->entry_in == table) {
            rename_entry(c, value);
            list->items[at] = value->renamed;
            list->items[count + at++] = value->entry;
        }
    }
}

static bool rename_graph(ep_canonizer *c, const ep_canon_graph *graph) {
    renaming r = {c, graph};
    uint64_t nodes = ep_field_bits(&c->fields, graph->graph, EP_F_Graph_nodes);
    ep_list *list = ep_list_mutable(nodes);
    TRY(rename_list(&r, ep_field_bits(&c->fields, graph->graph, EP_F_Graph_inputs)));
    TRY(rename_list(&r, ep_field_bits(&c->fields, graph->graph, EP_F_Graph_outputs)));
    for (size_t i = 0; i < graph->node_count; i++) {
        ep_node *node = graph->nodes[graph->order[i]].node;
        list->items[i] = ep_pointer_bits(node);
        TRY(rename_node(&r, node));
    }
    for (uint8_t table = 0; table < EP_TABLE_COUNT; table++) {
        rebuild_table(c, graph, table);
    }
    return true;
}

/* ------------------------------------------------------------------ the signature */

/* Renames the values in a struct of the signature or of the module call graph. */
static bool rename_struct(renaming *r, ep_node *node) {
    const ep_fields *fields = &r->c->fields;
    const ep_type *type = fields->schema->types[node->type];
    for (uint8_t i = 0; i < type->count; i++) {
        const ep_shape *shape = type->members[i].shape;
        ep_field field = (ep_field)fields->field[node->type][i];
        if ((node->present >> i & 1) == 0) {
            continue;
        }
        switch ((int)shape->number) {
        case EP_SHAPE_TensorArgument:
        case EP_SHAPE_TokenArgument:
        case EP_SHAPE_CustomObjArgument: { /* the name is the first member */
            TRY(rename_slot(r, &ep_node_mutable(node->slots[i])->slots[0]));
            break;
        }
        case EP_SHAPE_Argument:
            TRY(rename_argument(r, ep_node_at(node->slots[i])));
            break;
        case EP_SHAPE_list_Argument:
            TRY(rename_list(r, node->slots[i]));
            break;
        default:
            TRY((field != EP_F_UserInputMutationSpec_user_input_name &&
                 field != EP_F_GradientToUserInputSpec_user_input_name) ||
                rename_slot(r, &node->slots[i]));
        }
    }
    return true;
}

static bool rename_specs(renaming *r, uint64_t specs) {
    for (size_t i = 0; i < ep_list_count(specs); i++) {
        TRY(rename_struct(r, ep_node_mutable(ep_item_node(specs, i)->slots[0])));
    }
    return true;
}

/* Renames a list of version 1; or the keys of a dict, and its values too if asked. */
static bool rename_part(renaming *r, const ep_node *node, ep_field field, bool values) {
    uint64_t bits = node == NULL ? 0 : ep_field_bits(&r->c->fields, node, field);
    size_t count = ep_list_count(bits);
    for (size_t i = 0; i < (values ? 2 * count : count); i++) {
        TRY(rename_slot(r, &ep_list_mutable(bits)->items[i]));
    }
    return true;
}

static bool rename_parts(renaming *r, const ep_node *signature) {
    const ep_fields *fields = &r->c->fields;
    ep_node *backward = ep_field_mutable(fields, signature, EP_F_GraphSignature_backward_signature);
    static const ep_field keys[] = {
        EP_F_GraphSignature_inputs_to_parameters, EP_F_GraphSignature_inputs_to_buffers,
        EP_F_GraphSignature_user_inputs, EP_F_GraphSignature_user_outputs,
        EP_F_GraphSignature_buffers_to_mutate};
    for (size_t i = 0; i < EP_COUNT_OF(keys); i++) {
        TRY(rename_part(r, signature, keys[i], false));
    }
    TRY(rename_part(r, backward, EP_F_BackwardSignature_gradients_to_parameters, false) &&
        rename_part(r, backward, EP_F_BackwardSignature_gradients_to_user_inputs, true));
    uint8_t slot = fields->slot[EP_F_BackwardSignature_loss_output];
    return backward == NULL || rename_slot(r, &backward->slots[slot]);
}

static bool rename_modules(renaming *r, const ep_node *module) {
    const ep_fields *fields = &r->c->fields;
    uint64_t entries = ep_field_bits(fields, module, EP_F_GraphModule_module_call_graph);
    for (size_t i = 0; i < ep_list_count(entries); i++) {
        ep_node *signature =
            ep_field_mutable(fields, ep_item_node(entries, i), EP_F_ModuleCallEntry_signature);
        TRY(signature == NULL || rename_struct(r, signature));
    }
    return true;
}

/* A constraint is two pairs, each of a name and a dimension. */
static bool rename_constraints(renaming *r) {
    uint64_t list =
        ep_field_bits(&r->c->fields, r->c->root, EP_F_ExportedProgram_equality_constraints);
    for (size_t i = 0; i < ep_list_count(list); i++) {
        const ep_list *sides = ep_list_at(ep_list_at(list)->items[i]);
        TRY(rename_slot(r, &ep_list_mutable(sides->items[0])->items[0]) &&
            rename_slot(r, &ep_list_mutable(sides->items[1])->items[0]));
    }
    return true;
}

/* SPEC 6.6.3 */
static bool rename_outside(ep_canonizer *c) {
    const ep_fields *fields = &c->fields;
    ep_node *module = ep_field_mutable(fields, c->root, EP_F_ExportedProgram_graph_module);
    ep_node *signature = ep_field_mutable(fields, module, EP_F_GraphModule_signature);
    renaming r = {c, c->graphs};
    return rename_specs(&r, ep_field_bits(fields, signature, EP_F_GraphSignature_input_specs)) &&
           rename_specs(&r, ep_field_bits(fields, signature, EP_F_GraphSignature_output_specs)) &&
           rename_parts(&r, signature) && rename_modules(&r, module) && rename_constraints(&r);
}

/* ---------------------------------------------------------------------- the whole */

/* Preorder, for 6.7.4: each graph before its subgraphs, these in their order. */
static bool order_graphs(ep_canonizer *c) {
    ep_canon_graph_stack open;
    ep_canon_graph_stack_init(&open, c->arena);
    bool ok = ep_canon_graph_stack_push(&open, c->graphs);
    while (ok && open.count > 0) {
        ep_canon_graph *graph = ep_canon_graph_stack_pop(&open);
        size_t base = open.count;
        ok = ep_canon_graph_stack_push(&c->graph_order, graph);
        for (size_t i = 0; ok && i < graph->node_count; i++) {
            for (ep_canon_graph *g = graph->nodes[graph->order[i]].subgraph; ok && g != NULL;
                 g = g->sibling) {
                ok = ep_canon_graph_stack_push(&open, g);
            }
        }
        ep_canon_graph_stack_reverse(&open, base); /* the first on top */
    }
    ep_canon_graph_stack_free(&open);
    if (!ok) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    return true;
}

bool ep_canon_names(ep_canonizer *c) {
    TRY(keep_names(c));
    for (ep_canon_graph *graph = c->graphs; graph != NULL; graph = graph->next) {
        TRY(name_graph(c, graph));
    }
    for (const ep_canon_graph *graph = c->graphs; graph != NULL; graph = graph->next) {
        TRY(rename_graph(c, graph));
    }
    return ep_canon_sort_constraints(c) && rename_outside(c) && order_graphs(c);
}
