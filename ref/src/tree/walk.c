/*
 * tree/walk.c - see walk.h. Depth-first traversal with an explicit stack. Which members
 * lead to a requested one is computed once, over the graph of types.
 */
#include "tree/walk.h"

void ep_walk_init(ep_walk *walk, ep_arena *arena, const ep_schema *schema) {
    *walk = (ep_walk){.arena = arena, .schema = schema};
}

/* The type that a shape is of, or is a list, a dict or a list of lists of. */
static const ep_type *type_below(const ep_shape *shape) {
    while (shape->type == NULL && (shape->op == EP_OP_LIST || shape->op == EP_OP_DICT)) {
        shape = shape->of;
    }
    return shape->type;
}

/* One round of the fixed point: extends leads, the types with a member that is visited
 * or entered. False when nothing was added. */
static bool extend(ep_walk *walk, bool leads[EP_TYPE_COUNT]) {
    bool changed = false;
    for (size_t t = 0; t < EP_TYPE_COUNT; t++) {
        const ep_type *type = walk->schema->types[t];
        for (size_t i = 0; type != NULL && type->kind != EP_KIND_ENUM && i < type->count; i++) {
            const ep_shape *shape = type->members[i].shape;
            if (shape->op < EP_OP_STRUCT || walk->at[t][i] != EP_WALK_PAST) {
                continue;
            }
            const ep_type *below = type_below(shape);
            if (below != NULL && leads[below->number]) {
                walk->at[t][i] = EP_WALK_INTO;
                changed = changed || !leads[t];
                leads[t] = true;
            }
        }
    }
    return changed;
}

/* Reachability: a type leads to a requested member if it has one, or if a type that it
 * holds does. The rows have types before those that hold them, except for the graphs in
 * arguments; few rounds are therefore needed. */
static void find_ways(ep_walk *walk) {
    bool leads[EP_TYPE_COUNT];
    for (size_t t = 0; t < EP_TYPE_COUNT; t++) {
        const ep_type *type = walk->schema->types[t];
        leads[t] = false;
        for (size_t i = 0; type != NULL && i < type->count; i++) {
            leads[t] = leads[t] || walk->at[t][i] != EP_WALK_PAST;
        }
    }
    while (extend(walk, leads)) {
    }
}

void ep_walk_ask(ep_walk *walk, const ep_fields *fields, ep_field field, uint8_t ask) {
    uint8_t slot = fields->slot[field];
    if (slot != EP_NO_MEMBER) {
        walk->at[ep_field_type(field)][slot] = ask;
    }
}

typedef struct walking {
    const ep_walk *walk;
    ep_stack stack;
    ep_walk_visitor *visit;
    void *context;
    bool out_of_memory;
} walking;

/* Pushes a node, unless it is a union whose tag leads nowhere, as most are. */
static bool push_node(walking *w, uint64_t bits) {
    const ep_node *node = ep_node_at(bits);
    if (w->walk->schema->types[node->type]->kind == EP_KIND_UNION &&
        w->walk->at[node->type][node->tag] == EP_WALK_PAST) {
        return true;
    }
    return ep_stack_push(&w->stack, bits);
}

/* Pushes the content of a member; lists and dicts item by item. */
static bool push_value(walking *w, const ep_shape *shape, uint64_t bits) {
    if (shape->op == EP_OP_STRUCT || shape->op == EP_OP_UNION) {
        return push_node(w, bits);
    }
    bool nested = shape->of->op == EP_OP_LIST;
    size_t first = shape->op == EP_OP_DICT ? ep_list_count(bits) : 0;
    for (size_t i = 0; i < ep_list_count(bits); i++) {
        uint64_t item = ep_list_at(bits)->items[first + i];
        for (size_t j = 0; nested && j < ep_list_count(item); j++) {
            TRY(push_node(w, ep_list_at(item)->items[j]));
        }
        TRY(nested || push_node(w, item));
    }
    return true;
}

static bool step(walking *w, ep_node *node, uint8_t member, uint64_t bits) {
    uint8_t ask = w->walk->at[node->type][member];
    if (ask >= EP_WALK_TELL) {
        TRY(w->visit(w->context, node, member, ask));
    }
    const ep_type *type = w->walk->schema->types[node->type];
    const ep_shape *shape = type->members[member].shape;
    if (ask == EP_WALK_INTO && !push_value(w, shape, bits)) {
        w->out_of_memory = true;
        return false;
    }
    return true;
}

static bool step_node(walking *w, ep_node *node) {
    const ep_type *type = w->walk->schema->types[node->type];
    const uint8_t *at = w->walk->at[node->type];
    if (type->kind == EP_KIND_UNION) {
        return step(w, node, node->tag, node->slots[0]);
    }
    for (uint8_t i = 0; i < type->count; i++) {
        if (at[i] != EP_WALK_PAST && (node->present >> i & 1) != 0) {
            TRY(step(w, node, i, node->slots[i]));
        }
    }
    return true;
}

bool ep_walk_run(ep_walk *walk, const ep_node *root, ep_walk_visitor *visit, void *context,
                 bool *out_of_memory) {
    walking w = {.walk = walk, .visit = visit, .context = context};
    find_ways(walk);
    ep_stack_init(&w.stack, walk->arena);
    bool ok = ep_stack_push(&w.stack, ep_pointer_bits(root));
    w.out_of_memory = !ok;
    while (ok && w.stack.count > 0) {
        ok = step_node(&w, ep_node_mutable(w.stack.words[--w.stack.count]));
    }
    ep_stack_free(&w.stack);
    *out_of_memory = w.out_of_memory;
    return ok;
}
