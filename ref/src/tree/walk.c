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
    uint64_t asked[EP_TYPE_COUNT];  /* a bit for every member that is not passed */
    uint8_t through[EP_TYPE_COUNT]; /* of a struct, the union that alone is entered */
} walking;

static uint8_t sole_union(const walking *w, const ep_type *type) {
    uint64_t asked = type != NULL && type->kind == EP_KIND_STRUCT ? w->asked[type->number] : 0;
    for (uint8_t i = 0; asked >> i != 0; i++) {
        if (asked == UINT64_C(1) << i && w->walk->at[type->number][i] == EP_WALK_INTO &&
            type->members[i].shape->op == EP_OP_UNION) {
            return i;
        }
    }
    return EP_NO_MEMBER;
}

static void note_asked(walking *w) {
    for (size_t t = 0; t < EP_TYPE_COUNT; t++) {
        const ep_type *type = w->walk->schema->types[t];
        w->asked[t] = 0;
        for (size_t i = 0; type != NULL && i < type->count; i++) {
            w->asked[t] |= (uint64_t)(w->walk->at[t][i] != EP_WALK_PAST) << i;
        }
        w->through[t] = sole_union(w, type);
    }
}

/* Whether a node is no union whose tag leads nowhere, as the tags of most do, and not
 * merely a struct around one. */
EP_INLINE bool leads_on(const walking *w, const ep_shape *shape, uint64_t bits) {
    const ep_node *node = ep_node_at(bits);
    if (shape->op != EP_OP_UNION) {
        uint8_t member = w->through[node->type];
        if (member == EP_NO_MEMBER || (node->present >> member & 1) == 0) {
            return true;
        }
        node = ep_node_at(node->slots[member]);
    }
    return (w->asked[node->type] >> node->tag & 1) != 0;
}

static bool push_nodes(walking *w, const ep_shape *shape, const uint64_t *items, size_t count) {
    if (count > w->stack.capacity - w->stack.count) {
        TRY(ep_stack_reserve(&w->stack, count));
    }
    uint64_t *top = w->stack.words + w->stack.count;
    for (size_t i = 0; i < count; i++) {
        if (leads_on(w, shape, items[i])) {
            *top++ = items[i];
        }
    }
    w->stack.count = (size_t)(top - w->stack.words);
    return true;
}

/* Pushes the items of a list or dict. */
static bool push_items(walking *w, const ep_shape *shape, uint64_t bits) {
    size_t count = ep_list_count(bits);
    if (count == 0) {
        return true;
    }
    const uint64_t *items = ep_list_at(bits)->items + (shape->op == EP_OP_DICT ? count : 0);
    if (shape->of->op != EP_OP_LIST) {
        return push_nodes(w, shape->of, items, count);
    }
    for (size_t i = 0; i < count; i++) {
        const ep_list *inner = ep_list_at(items[i]);
        TRY(inner == NULL || push_nodes(w, shape->of->of, inner->items, (size_t)inner->count));
    }
    return true;
}

/* A member that is asked for. */
EP_INLINE bool step(walking *w, ep_node *node, uint8_t member, uint64_t bits) {
    uint8_t ask = w->walk->at[node->type][member];
    if (ask >= EP_WALK_TELL) {
        return w->visit(w->context, node, member, ask);
    }
    const ep_shape *shape = w->walk->schema->types[node->type]->members[member].shape;
    bool ok = true;
    if (shape->op != EP_OP_STRUCT && shape->op != EP_OP_UNION) {
        ok = push_items(w, shape, bits);
    } else if (leads_on(w, shape, bits)) {
        ok = ep_stack_push(&w->stack, bits);
    }
    w->out_of_memory = !ok;
    return ok;
}

/* Of a union that is asked for, its tag; of a struct the members that are. */
static bool step_node(walking *w, ep_node *node) {
    if (w->walk->schema->types[node->type]->kind == EP_KIND_UNION) {
        return step(w, node, node->tag, node->slots[0]);
    }
    uint64_t asked = w->asked[node->type] & node->present;
    for (uint8_t i = 0; asked != 0; i++, asked >>= 1) {
        if ((asked & 1) != 0) {
            TRY(step(w, node, i, node->slots[i]));
        }
    }
    return true;
}

bool ep_walk_run(ep_walk *walk, const ep_node *root, ep_walk_visitor *visit, void *context,
                 bool *out_of_memory) {
    walking w = {.walk = walk, .visit = visit, .context = context};
    find_ways(walk);
    note_asked(&w);
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
