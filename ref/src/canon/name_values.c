/*
 * canon/name_values.c - puts the nodes of all graphs in their order, and renames values
 * and subgraphs wherever they are named (SPEC 6.6; of 6.8.1 the tables).
 */
#include "canon/canon.h"

#include "rules/judge.h"
#include "json/number.h"

/* ----------------------------------------------------------------------- names */

bool ep_canon_next_name(ep_canonizer *c, char letter, uint32_t *number, uint64_t *name) {
    char text[1 + EP_INT_TEXT_SIZE] = {letter};
    ep_bytes made = {text, 0};
    do {
        made.size = 1 + ep_number_print_int((*number)++, text + 1);
    } while (ep_map_find(&c->kept, made) != EP_MAP_NONE);
    return ep_maker_name(c->maker, made, name) || ep_canon_fail(c, c->maker->code);
}

/* SPEC 6.6.2. Subgraphs are named in the order of their nodes. */
static bool name_subgraphs(ep_canonizer *c, const ep_canon_graph *graph) {
    uint32_t number = 0;
    for (size_t i = 0; i < graph->order_count; i++) {
        for (ep_canon_graph *g = graph->nodes[graph->order[i]].subgraph; g != NULL;
             g = g->sibling) {
            uint8_t slot = c->fields.slot[EP_F_GraphArgument_name];
            TRY(ep_canon_next_name(c, 'g', &number, &g->argument->slots[slot]));
        }
    }
    return true;
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
        *slot = r->graph->values.items[value].renamed;
    }
    return true;
}

static bool rename_leaf(void *context, const ep_leaf *leaf) {
    return !ep_leaf_is_value(leaf) || rename_slot(context, leaf->name);
}

static bool rename_argument(renaming *r, const ep_node *argument) {
    return ep_leaves(r->c->arena, &r->c->fields, argument, rename_leaf, r) ||
           ep_canon_fail(r->c, EP_MEMORY);
}

void ep_canon_rename_uses(const ep_canon_graph *graph, const ep_canon_node *node) {
    for (uint32_t i = 0; i < node->use_count; i++) {
        const ep_canon_use *use = &graph->uses.items[node->first_use + i];
        *use->slot = graph->values.items[use->value].renamed;
    }
}

static bool rename_list(renaming *r, uint64_t arguments) {
    for (size_t i = 0; i < ep_list_count(arguments); i++) {
        TRY(rename_argument(r, ep_item_node(arguments, i)));
    }
    return true;
}

/* The entry of an object in its table repeats the object's name. */
static void rename_entry(const ep_canonizer *c, const ep_canon_value *value) {
    uint8_t slot = c->fields.slot[EP_F_CustomObjArgument_name];
    bool object = value->holds == EP_HOLDS_CUSTOM_OBJ;
    if (object && EP_ALWAYS(slot != EP_NO_MEMBER)) { /* what is a value has a name */
        ep_node_mutable(value->entry)->slots[slot] = value->renamed;
    }
}

/* Puts the entries of a table in the order of the new names, without those of merged
 * nodes. */
static void rebuild_table(const ep_canonizer *c, const ep_canon_graph *graph, uint8_t table) {
    uint64_t bits = ep_field_bits(&c->fields, graph->graph, ep_tables[table].field);
    size_t count = 0;
    size_t at = 0;
    for (size_t i = 0; i < graph->named_count; i++) {
        const ep_canon_value *value = &graph->values.items[graph->named[i]];
        count += value->entry != 0 && value->entry_in == table;
    }
    ep_list *list = bits == 0 ? NULL : ep_list_mutable(bits);
    for (size_t i = 0; list != NULL && i < graph->named_count; i++) {
        const ep_canon_value *value = &graph->values.items[graph->named[i]];
        if (value->entry != 0 && value->entry_in == table) {
            rename_entry(c, value);
            list->items[at] = value->renamed;
            list->items[count + at++] = value->entry;
        }
    }
    if (list != NULL) {
        list->count = count;
    }
}

static bool rename_graph(ep_canonizer *c, const ep_canon_graph *graph) {
    renaming r = {c, graph};
    uint64_t nodes = ep_field_bits(&c->fields, graph->graph, EP_F_Graph_nodes);
    for (size_t i = 0; i < graph->values.count; i++) {
        *graph->values.items[i].slot = graph->values.items[i].renamed;
    }
    TRY(rename_list(&r, ep_field_bits(&c->fields, graph->graph, EP_F_Graph_outputs)));
    for (size_t i = 0; i < graph->order_count; i++) {
        const ep_canon_node *node = &graph->nodes[graph->order[i]];
        ep_list_mutable(nodes)->items[i] = ep_pointer_bits(node->node);
        ep_canon_rename_uses(graph, node);
    }
    if (nodes != 0) {
        ep_list_mutable(nodes)->count = graph->order_count;
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

/* SPEC 6.6.3 */
static bool rename_outside(ep_canonizer *c) {
    const ep_fields *fields = &c->fields;
    ep_node *module = ep_field_mutable(fields, c->root, EP_F_ExportedProgram_graph_module);
    ep_node *signature = ep_field_mutable(fields, module, EP_F_GraphModule_signature);
    renaming r = {c, c->graphs};
    return rename_specs(&r, ep_field_bits(fields, signature, EP_F_GraphSignature_input_specs)) &&
           rename_specs(&r, ep_field_bits(fields, signature, EP_F_GraphSignature_output_specs)) &&
           rename_modules(&r, module);
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
        for (size_t i = 0; ok && i < graph->order_count; i++) {
            for (ep_canon_graph *g = graph->nodes[graph->order[i]].subgraph; ok && g != NULL;
                 g = g->sibling) {
                ok = ep_canon_graph_stack_push(&open, g);
            }
        }
        ep_canon_graph_stack_reverse(&open, base); /* the first on top */
    }
    ep_canon_graph_stack_free(&open);
    return ok || ep_canon_fail(c, EP_MEMORY);
}

bool ep_canon_names(ep_canonizer *c) {
    for (const ep_canon_graph *graph = c->graphs; graph != NULL; graph = graph->next) {
        TRY(name_subgraphs(c, graph) && rename_graph(c, graph));
    }
    return rename_outside(c) && order_graphs(c);
}
