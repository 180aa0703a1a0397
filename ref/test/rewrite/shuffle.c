/*
 * shuffle.c - other orders of dicts, guards and modules, and other things
 * said about where a program came from (SPEC 6.2, 6.8).
 */
#include "rewriter.h"

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

static bool forget(void *context, const ep_rewriter_slot *slot) {
    static const char *const versions[] = {"<=2.4", "2.7.0+cpu", "2.9.0a0+gitabc", "3.1.4.dev5"};
    ep_rewriter *rewriter = context;
    switch ((int)slot->field) {
    case EP_F_ExportedProgram_example_inputs:
        slot->node->present = (uint16_t)(slot->node->present & ~(1u << slot->member));
        *slot->bits = 0;
        break;
    case EP_F_Node_metadata:
    case EP_F_Graph_co_fileinfo_ordered_list:
        *slot->bits = 0;
        break;
    case EP_F_ExportedProgram_torch_version:
        return ep_rewriter_put(rewriter, ep_text_of(versions[ep_rewriter_below(rewriter, 4)]),
                               slot->bits);
    default:
        break;
    }
    return true;
}

bool ep_rewriter_provenance(ep_rewriter *rewriter) {
    return ep_rewriter_visit(rewriter, rewriter->c.root, true, forget, rewriter);
}
