/*
 * shuffle.c - other orders of dicts, guards and modules, and other things
 * said about where a program came from (SPEC 6.2, 6.8).
 */
#include "rewriter.h"

#include "language/target.h"

/* ------------------------------------------------------------------------- dicts */

static bool shuffle_dict(void *context, const ep_rewriter_slot *slot) {
    ep_list *list = slot->shape->op == EP_OP_DICT ? ep_list_mutable(*slot->bits) : NULL;
    if (list != NULL) {
        ep_rewriter_shuffle(context, list->items, (size_t)list->count, true);
    }
    return true;
}

bool ep_rewriter_dicts(ep_rewriter *rewriter) {
    return ep_rewriter_visit(rewriter, rewriter->c.root, true, shuffle_dict, rewriter);
}

/* -------------------------------------------------------------- guards and modules */

static ep_list *program_list(const ep_rewriter *rewriter, ep_field field) {
    return ep_list_mutable(ep_field_bits(&rewriter->c.fields, rewriter->c.root, field));
}

bool ep_rewriter_guards(ep_rewriter *rewriter) {
    ep_list *guards = program_list(rewriter, EP_F_ExportedProgram_guards_code);
    ep_list *constraints = program_list(rewriter, EP_F_ExportedProgram_equality_constraints);
    if (guards != NULL) {
        ep_rewriter_shuffle(rewriter, guards->items, (size_t)guards->count, false);
    }
    if (constraints != NULL) {
        ep_rewriter_shuffle(rewriter, constraints->items, (size_t)constraints->count, false);
        for (size_t i = 0; i < constraints->count; i++) {
            ep_rewriter_shuffle(rewriter, ep_list_mutable(constraints->items[i])->items, 2, false);
        }
    }
    return true;
}

/* Whether a name ends in "@" and digits that could say the number of another name:
 * entries whose numbers are equal keep their order (SPEC 6.8.2). */
static bool is_oddly_numbered(ep_bytes name) {
    size_t at = name.size;
    while (at > 0 && ep_is_digit(name.data[at - 1])) {
        at--;
    }
    return at > 0 && at < name.size && name.data[at - 1] == '@' &&
           (name.data[at] == '0' || name.size - at >= 20);
}

/* The root stays in front (SPEC 5.5.1). */
bool ep_rewriter_modules(ep_rewriter *rewriter) {
    const ep_fields *fields = &rewriter->c.fields;
    const ep_node *module =
        ep_field_node(fields, rewriter->c.root, EP_F_ExportedProgram_graph_module);
    ep_list *entries =
        ep_list_mutable(ep_field_bits(fields, module, EP_F_GraphModule_module_call_graph));
    for (size_t i = 0; entries != NULL && i < entries->count; i++) {
        ep_bytes name;
        ep_ref fqn = ep_field_bits(fields, ep_node_at(entries->items[i]), EP_F_ModuleCallEntry_fqn);
        TRY(ep_rewriter_text(rewriter, fqn, &name));
        if (is_oddly_numbered(name)) {
            return true;
        }
    }
    if (entries != NULL) {
        ep_rewriter_shuffle(rewriter, entries->items + 1, (size_t)entries->count - 1, false);
    }
    return true;
}

/* --------------------------------------------------------------------- provenance */

/* Takes a member away. */
static void leave_out(const ep_rewriter_slot *slot, bool empty) {
    *slot->bits = 0;
    if (!empty) {
        slot->node->present = (uint16_t)(slot->node->present & ~(1u << slot->member));
    }
}

static bool read_target(ep_rewriter *rewriter, const ep_node *node, ep_target *target) {
    ep_passage passage;
    ep_fault fault;
    const ep_fields *fields = &rewriter->c.fields;
    TRY(ep_passage_open(&passage, rewriter->c.arena, rewriter->c.input,
                        ep_field_bits(fields, node, EP_F_Node_target)) ||
        ep_canon_fail(&rewriter->c, EP_MEMORY));
    return ep_target_parse(&passage, ep_version_number_of(fields->schema->version), target,
                           &fault) ||
           ep_canon_fail(&rewriter->c, EP_INTERNAL); /* SPEC 4.5 */
}

/* One of the first kinds of these: null, UNKNOWN, KEYWORD, POSITIONAL. */
static void draw_kind(ep_rewriter *rewriter, size_t choice, ep_node *named) {
    static const ep_field kinds[] = {EP_F_ArgumentKind_UNKNOWN, EP_F_ArgumentKind_KEYWORD,
                                     EP_F_ArgumentKind_POSITIONAL};
    const ep_fields *fields = &rewriter->c.fields;
    const ep_type *type = fields->schema->types[EP_SHAPE_ArgumentKind - EP_SHAPE_FIRST_TYPE];
    uint8_t slot = fields->slot[EP_F_NamedArgument_kind];
    size_t drawn = ep_rewriter_below(rewriter, choice);
    uint8_t member = drawn == 0 ? EP_NO_MEMBER : fields->slot[kinds[drawn - 1]];
    named->present = (uint16_t)(named->present & ~(1u << slot));
    named->slots[slot] = 0;
    if (member != EP_NO_MEMBER) {
        named->present = (uint16_t)(named->present | 1u << slot);
        named->slots[slot] = (uint64_t)(int64_t)type->members[member].row->id;
    }
}

static bool is_positional(const ep_fields *fields, const ep_node *named) {
    const ep_type *type = fields->schema->types[EP_SHAPE_ArgumentKind - EP_SHAPE_FIRST_TYPE];
    uint8_t member = fields->slot[EP_F_ArgumentKind_POSITIONAL];
    return ep_field_present(fields, named, EP_F_NamedArgument_kind) &&
           (int64_t)ep_field_bits(fields, named, EP_F_NamedArgument_kind) ==
               type->members[member].row->id;
}

/* How far the kind of an argument may be drawn. Where arguments are found by their
 * names, none is positional; elsewhere what is positional stays so, but where
 * there is no name. A keyword stands before no positional one (SPEC 5.6.5, 6.2.2). */
enum { NO_KEYWORD = 2, NO_POSITIONAL, ANY_KIND };

static void change_kinds(ep_rewriter *rewriter, const ep_node *node, const ep_target *target) {
    const ep_fields *fields = &rewriter->c.fields;
    uint64_t inputs = ep_field_bits(fields, node, EP_F_Node_inputs);
    size_t choice = NO_POSITIONAL;
    bool by_place = target->kind == EP_TARGET_HIGHER_ORDER ||
                    (target->kind == EP_TARGET_FUNCTION && target->row->arguments == NULL);
    for (size_t i = 0; by_place && i < ep_list_count(inputs); i++) {
        choice = is_positional(fields, ep_item_node(inputs, i)) ? NO_KEYWORD : choice;
    }
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        ep_node *named = ep_item_mutable(inputs, i);
        bool unnamed = ep_ref_size(ep_field_bits(fields, named, EP_F_NamedArgument_name)) == 0;
        if (by_place && unnamed) {
            draw_kind(rewriter, ANY_KIND, named);
        } else if (!by_place || !is_positional(fields, named)) {
            draw_kind(rewriter, choice, named);
        }
    }
}

/* Whether it has one output that is a tensor only a higher-order operator says;
 * that it has is what null means (SPEC 6.2.4). */
static void change_single(ep_rewriter *rewriter, ep_node *node, const ep_target *target) {
    const ep_fields *fields = &rewriter->c.fields;
    uint64_t outputs = ep_field_bits(fields, node, EP_F_Node_outputs);
    uint8_t slot = fields->slot[EP_F_Node_is_hop_single_tensor_return];
    bool free = target->kind != EP_TARGET_HIGHER_ORDER || ep_list_count(outputs) != 1;
    bool single = !free && ep_tag(fields, ep_item_node(outputs, 0)) == EP_F_Argument_as_tensor;
    bool present = ep_field_present(fields, node, EP_F_Node_is_hop_single_tensor_return);
    bool says_so = single && (!present || node->slots[slot] != 0);
    if (slot == EP_NO_MEMBER || (!free && !says_so)) {
        return;
    }
    node->present = (uint16_t)(node->present & ~(1u << slot));
    node->slots[slot] = 0;
    if (ep_rewriter_below(rewriter, 2) == 0) {
        node->present = (uint16_t)(node->present | 1u << slot);
        node->slots[slot] = single || ep_rewriter_below(rewriter, 2) == 0;
    }
}

static bool change_node(ep_rewriter *rewriter, ep_node *node) {
    ep_target target;
    TRY(read_target(rewriter, node, &target));
    if (rewriter->c.fields.slot[EP_F_NamedArgument_kind] != EP_NO_MEMBER) {
        change_kinds(rewriter, node, &target);
    }
    change_single(rewriter, node, &target);
    return true;
}

static bool change_torch_version(ep_rewriter *rewriter, const ep_rewriter_slot *slot) {
    static const char *const versions[] = {"<=2.4", "2.7.0+cpu", "2.9.0a0+gitabc", "3.1.4.dev5"};
    return ep_rewriter_put(rewriter,
                           ep_text_of(versions[ep_rewriter_below(rewriter, EP_COUNT_OF(versions))]),
                           slot->bits);
}

/* The guards speak of the root's inputs by these names (SPEC 6.2.3). */
static bool names_are_free(const ep_rewriter *rewriter, const ep_node *signature) {
    const ep_fields *fields = &rewriter->c.fields;
    const ep_node *module =
        ep_field_node(fields, rewriter->c.root, EP_F_ExportedProgram_graph_module);
    uint64_t entries = ep_field_bits(fields, module, EP_F_GraphModule_module_call_graph);
    return program_list(rewriter, EP_F_ExportedProgram_guards_code) == NULL ||
           ep_field_node(fields, ep_item_node(entries, 0), EP_F_ModuleCallEntry_signature) !=
               signature;
}

static bool forget(void *context, const ep_rewriter_slot *slot) {
    ep_rewriter *rewriter = context;
    switch ((int)slot->field) {
    case EP_F_Node_metadata:
    case EP_F_Graph_co_fileinfo_ordered_list:
        leave_out(slot, true);
        break;
    case EP_F_ExportedProgram_example_inputs:
        leave_out(slot, false);
        break;
    case EP_F_ModuleCallSignature_forward_arg_names:
        if (names_are_free(rewriter, slot->node)) {
            leave_out(slot, false);
        }
        break;
    case EP_F_ExportedProgram_torch_version:
        return change_torch_version(rewriter, slot);
    default:
        break;
    }
    return true;
}

bool ep_rewriter_provenance(ep_rewriter *rewriter) {
    TRY(ep_rewriter_visit(rewriter, rewriter->c.root, true, forget, rewriter));
    for (const ep_canon_graph *g = rewriter->c.graphs; g != NULL; g = g->next) {
        for (size_t i = 0; i < g->node_count; i++) {
            TRY(change_node(rewriter, g->nodes[i].node));
        }
    }
    return true;
}
