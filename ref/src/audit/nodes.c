/*
 * audit/nodes.c - the nodes whose operators take strings for more than strings (SPEC
 * 9.3.2, 9.4.1), called by themselves or by an operator that calls what it is given.
 */
#include "audit/audit.h"

#define TAKES(target, look) {target, EP_LOOK_##look},
static const struct takes_row {
    const char *target;
    ep_look look;
} rows[] = {
#include "audit/audit.def"
};

enum { ROWS = EP_COUNT_OF(rows) };

/* Remembers the target under its row, if it has one. */
static void find_row(const ep_auditor *auditor, ep_ref target, ep_ref *found) {
    for (size_t i = 0; i < ROWS; i++) {
        if (ep_text_is(auditor->input.data, target, ep_text_of(rows[i].target))) {
            found[i] = target;
        }
    }
}

/* The value that an input of a node has under a tag; NULL if it has another. */
static const ep_node *value_under(const ep_fields *fields, uint64_t inputs, size_t i,
                                  ep_field tag) {
    const ep_node *value = ep_field_node(fields, ep_item_node(inputs, i), EP_F_NamedArgument_arg);
    return value != NULL && ep_tag(fields, value) == tag ? value : NULL;
}

/* Each string of the node may be the one that the operator takes so. Where it has none,
 * what is imported is not known, and the operator is reported. */
static bool audit_strings(ep_auditor *auditor, ep_look look, uint64_t inputs, ep_ref target) {
    bool any = false;
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        const ep_node *text = value_under(&auditor->fields, inputs, i, EP_F_Argument_as_string);
        any = any || text != NULL;
        TRY(text == NULL || ep_audit_string(auditor, look, text->slots[0]));
    }
    return any || look != EP_LOOK_CLASS_PATH || ep_audit_string(auditor, look, target);
}

bool ep_audit_node(ep_auditor *auditor, const ep_node *node) {
    const ep_fields *fields = &auditor->fields;
    uint64_t inputs = ep_field_bits(fields, node, EP_F_Node_inputs);
    ep_ref found[ROWS] = {0};
    find_row(auditor, ep_field_bits(fields, node, EP_F_Node_target), found);
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        const ep_node *called = value_under(fields, inputs, i, EP_F_Argument_as_operator);
        if (called != NULL) {
            find_row(auditor, called->slots[0], found);
        }
    }
    for (size_t i = 0; i < ROWS; i++) {
        TRY(found[i] == 0 || audit_strings(auditor, rows[i].look, inputs, found[i]));
    }
    return true;
}
