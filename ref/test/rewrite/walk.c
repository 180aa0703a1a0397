/*
 * walk.c - everything in a tree, one value after the other, without
 * recursion.
 */
#include "rewriter.h"

typedef struct walk {
    ep_rewriter *rewriter;
    ep_stack waiting; /* a shape, a slot of that shape, and the field that it is within */
    bool subgraphs;
    ep_rewriter_visitor *visit;
    void *context;
} walk;

/* Tells of a value, which is entered later, if it is to be and has parts. */
static bool reach(walk *w, ep_rewriter_slot told, bool enter) {
    TRY(w->visit(w->context, &told));
    return !enter || told.shape->op < EP_OP_STRUCT || *told.bits == 0 ||
           (ep_stack_push(&w->waiting, ep_pointer_bits(told.shape)) &&
            ep_stack_push(&w->waiting, ep_pointer_bits(told.bits)) &&
            ep_stack_push(&w->waiting, told.within)) ||
           ep_canon_fail(&w->rewriter->c, EP_MEMORY);
}

static bool walk_member(walk *w, ep_node *node, uint8_t member, uint64_t *slot, ep_field within) {
    const ep_fields *fields = &w->rewriter->c.fields;
    const ep_shape *shape = fields->schema->types[node->type]->members[member].shape;
    ep_field field = (ep_field)fields->field[node->type][member];
    ep_rewriter_slot told = {shape, slot, node, member, field, field == EP_F_none ? within : field};
    return reach(w, told, field != EP_F_GraphArgument_graph || w->subgraphs);
}

static bool walk_node(walk *w, ep_node *node, ep_field within) {
    const ep_type *type = w->rewriter->c.fields.schema->types[node->type];
    if (type->kind == EP_KIND_UNION) {
        return walk_member(w, node, node->tag, &node->slots[0], within);
    }
    for (uint8_t i = 0; i < type->count; i++) {
        TRY((node->present >> i & 1) == 0 || walk_member(w, node, i, &node->slots[i], within));
    }
    return true;
}

/* A list, a tuple, or the values of a dict. */
static bool walk_items(walk *w, const ep_shape *shape, ep_list *list, ep_field within) {
    size_t first = shape->op == EP_OP_DICT ? (size_t)list->count : 0;
    for (size_t i = 0; i < list->count; i++) {
        const ep_shape *of = shape->op == EP_OP_TUPLE && i == 1 ? shape->second : shape->of;
        ep_rewriter_slot told = {of, &list->items[first + i], NULL, 0, EP_F_none, within};
        TRY(reach(w, told, true));
    }
    return true;
}

static bool walk_waiting(walk *w) {
    ep_stack *waiting = &w->waiting;
    while (waiting->count > 0) {
        ep_field within = (ep_field)waiting->words[--waiting->count];
        const uint64_t *slot = (const uint64_t *)(uintptr_t)waiting->words[--waiting->count];
        const ep_shape *shape = (const ep_shape *)(uintptr_t)waiting->words[--waiting->count];
        bool node = shape->op == EP_OP_STRUCT || shape->op == EP_OP_UNION;
        TRY(node ? walk_node(w, ep_node_mutable(*slot), within)
                 : walk_items(w, shape, ep_list_mutable(*slot), within));
    }
    return true;
}

bool ep_rewriter_visit(ep_rewriter *rewriter, ep_node *root, bool subgraphs,
                       ep_rewriter_visitor *visit, void *context) {
    walk w = {.rewriter = rewriter, .subgraphs = subgraphs, .visit = visit, .context = context};
    ep_stack_init(&w.waiting, rewriter->c.arena);
    bool ok = walk_node(&w, root, EP_F_none) && walk_waiting(&w);
    ep_stack_free(&w.waiting);
    return ok;
}
