/*
 * tree/copy.c - see copy.h. A slot is first copied with its pointer unchanged. Slots
 * that point into the original wait on a stack until their targets are copied.
 */
#include "tree/copy.h"

#include "base/stack.h"

/* A slot of a copy that still points into the original. */
typedef struct shared {
    const ep_shape *shape;
    uint64_t *slot;
} shared;

EP_STACK_OF(shared_stack, shared);

typedef struct copying {
    const ep_walk *walk;
    ep_walk_visitor *visit; /* NULL: nothing is visited, and nothing stays shared */
    void *context;
    shared_stack waiting;
    uint16_t busy[EP_TYPE_COUNT]; /* of a struct: members that are requested, or may point */
} copying;

/* Whether a SymInt is a number. */
static bool is_number(const ep_type *type, const ep_node *node) {
    return type->members[node->tag].shape->op < EP_OP_STRUCT;
}

static bool holds_numbers(const ep_type *type, const ep_list *list) {
    for (size_t i = 0; i < (size_t)list->count; i++) {
        TRY(is_number(type, ep_node_at(list->items[i])));
    }
    return true;
}

/* Whether what a slot points to can stay the original's. */
static bool stays(const copying *c, const ep_shape *shape, uint64_t bits) {
    switch ((int)shape->number) {
    case EP_SHAPE_SymInt:
        return c->visit != NULL && is_number(shape->type, ep_node_at(bits));
    case EP_SHAPE_list_SymInt:
        return c->visit != NULL && holds_numbers(shape->of->type, ep_list_at(bits));
    case EP_SHAPE_Device:
        return c->visit != NULL;
    default:
        return false;
    }
}

/* Whether a slot points to what has to be copied. */
static bool points(const copying *c, const ep_shape *shape, uint64_t bits) {
    return shape->op >= EP_OP_STRUCT && bits != 0 && !stays(c, shape, bits);
}

/* Visits a member if that is requested. */
static bool visit_requested(const copying *c, ep_node *copy, uint8_t member) {
    uint8_t ask = c->walk->at[copy->type][member];
    return ask < EP_WALK_TELL || c->visit(c->context, copy, member, ask);
}

static void find_busy(copying *c) {
    for (size_t t = 0; t < EP_TYPE_COUNT; t++) {
        const ep_type *type = c->walk->schema->types[t];
        for (uint8_t i = 0; type != NULL && type->kind == EP_KIND_STRUCT && i < type->count; i++) {
            bool busy =
                c->walk->at[t][i] >= EP_WALK_TELL || type->members[i].shape->op >= EP_OP_STRUCT;
            c->busy[t] = (uint16_t)(c->busy[t] | (unsigned)busy << i);
        }
    }
}

/* The members wait in room that the caller has reserved. */
static bool visit_members(copying *c, ep_node *copy, const ep_type *type) {
    unsigned busy = c->busy[copy->type] & copy->present;
    for (uint8_t i = 0; busy != 0; i++, busy >>= 1) {
        if ((busy & 1) == 0) {
            continue;
        }
        TRY(visit_requested(c, copy, i));
        const ep_shape *shape = type->members[i].shape;
        if (points(c, shape, copy->slots[i])) {
            c->waiting.items[c->waiting.count++] = (shared){shape, &copy->slots[i]};
        }
    }
    return true;
}

static bool copy_struct(copying *c, const ep_type *type, uint64_t *slot) {
    size_t size = sizeof(ep_node) + type->count * sizeof(uint64_t);
    ep_node *copy = ep_arena_alloc(c->walk->arena, size);
    TRY(copy != NULL && shared_stack_reserve(&c->waiting, type->count));
    memcpy(copy, ep_node_at(*slot), size);
    *slot = ep_pointer_bits(copy);
    return visit_members(c, copy, type);
}

/* Copies a union, and goes on to the slot in it. */
static bool copy_union(copying *c, shared *s) {
    const ep_type *type = s->shape->type;
    const ep_node *node = ep_node_at(*s->slot);
    ep_node *copy = ep_arena_alloc(c->walk->arena, sizeof *copy + sizeof(uint64_t));
    TRY(copy != NULL);
    *copy = *node;
    copy->slots[0] = node->slots[0];
    *s->slot = ep_pointer_bits(copy);
    *s = (shared){type->members[copy->tag].shape, &copy->slots[0]};
    return visit_requested(c, copy, copy->tag);
}

/* A list, a tuple or a dict; the keys of a dict stay as they are. */
static bool copy_list(copying *c, shared s) {
    const ep_list *list = ep_list_at(*s.slot);
    const ep_shape *of = s.shape->of;
    size_t count = (size_t)list->count;
    size_t keys = s.shape->op == EP_OP_DICT ? count : 0;
    size_t size = sizeof *list + (keys + count) * sizeof(uint64_t); /* as large as the original */
    ep_list *copy = ep_arena_alloc(c->walk->arena, size);
    TRY(copy != NULL);
    memcpy(copy, list, size);
    *s.slot = ep_pointer_bits(copy);
    if (of->op < EP_OP_STRUCT && s.shape->op != EP_OP_TUPLE) {
        return true;
    }
    TRY(shared_stack_reserve(&c->waiting, count));
    for (size_t i = 0; i < count; i++) {
        const ep_shape *shape = s.shape->op == EP_OP_TUPLE && i == 1 ? s.shape->second : of;
        if (points(c, shape, copy->items[keys + i])) {
            c->waiting.items[c->waiting.count++] = (shared){shape, &copy->items[keys + i]};
        }
    }
    return true;
}

static bool copy_slot(copying *c, shared s) {
    while (s.shape->op == EP_OP_UNION) {
        TRY(copy_union(c, &s));
        if (!points(c, s.shape, *s.slot)) {
            return true;
        }
    }
    return s.shape->op == EP_OP_STRUCT ? copy_struct(c, s.shape->type, s.slot) : copy_list(c, s);
}

ep_node *ep_copy_visited(const ep_walk *walk, const ep_node *root, ep_walk_visitor *visit,
                         void *context) {
    copying c = {.walk = walk, .visit = visit, .context = context};
    uint64_t copy = ep_pointer_bits(root);
    shared_stack_init(&c.waiting, walk->arena);
    find_busy(&c);
    bool ok = copy_slot(&c, (shared){&walk->schema->shapes[EP_SHAPE_ExportedProgram], &copy});
    while (ok && c.waiting.count > 0) {
        ok = copy_slot(&c, shared_stack_pop(&c.waiting));
    }
    shared_stack_free(&c.waiting);
    return ok ? ep_node_mutable(copy) : NULL;
}

ep_node *ep_copy_tree(ep_arena *arena, const ep_schema *schema, const ep_node *root) {
    ep_walk walk;
    ep_walk_init(&walk, arena, schema);
    return ep_copy_visited(&walk, root, NULL, NULL);
}
