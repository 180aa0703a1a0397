/*
 * migrate/tools.c - what the steps of a migration share: faults, and the making of lists
 * and nodes.
 */
#include "migrate/migrate.h"

/* ------------------------------------------------------------------- faults */

bool ep_migrate_fail(ep_migration *m, ep_code code, const char *member) {
    ep_fault_set(&m->fault, code, m->at->offset);
    m->fault.type = m->from.schema->types[m->at->type]->name;
    m->fault.member = member;
    return false;
}

bool ep_migrate_refuse(ep_migration *m, ep_code code, const char *member) {
    return m->for_form || ep_migrate_fail(m, code, member);
}

bool ep_migrate_no_memory(ep_migration *m) {
    return ep_fault_set(&m->fault, EP_MEMORY, 0);
}

/* SPEC 7.1.7: without a bound, the product would be the square of the program. */
bool ep_migrate_repeat(ep_migration *m, ep_ref text) {
    enum { MOST = 8 };
    m->repeated += ep_ref_size(text);
    return m->repeated <= (uint64_t)m->input.size * MOST ||
           ep_migrate_fail(m, EP_LIMIT_GROWTH, NULL);
}

bool ep_migrate_push(ep_migration *m, ep_stack *stack, uint64_t bits) {
    return ep_stack_push(stack, bits) || ep_migrate_no_memory(m);
}

bool ep_migrate_list(ep_migration *m, const ep_stack *items, uint64_t *bits) {
    return ep_maker_list(&m->maker, items->words, items->count, bits) || ep_migrate_no_memory(m);
}

/* ------------------------------------------------------------------- nodes */

ep_node *ep_migrate_new_node(ep_migration *m, const ep_type *type, uint32_t offset) {
    ep_node *node =
        ep_maker_struct(&m->maker, (ep_shape_number)(EP_SHAPE_FIRST_TYPE + type->number));
    if (node == NULL) {
        ep_migrate_no_memory(m);
        return NULL;
    }
    node->offset = offset;
    return node;
}
