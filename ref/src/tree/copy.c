/*
 * tree/copy.c - see copy.h. A slot is first copied with its pointer unchanged. Slots
 * that point into the original wait on a stack until their targets are copied.
 */
#include "tree/copy.h"

typedef struct copying {
    ep_arena *arena;
    const ep_schema *schema;
    ep_stack waiting; /* slots of copies that still point into the original, each
                         with its shape */
} copying;

/* Defers a slot that points to anything. */
static bool wait_for(copying *c, const ep_shape *shape, uint64_t *slot) {
    if (shape->op < EP_OP_STRUCT || *slot == 0) {
        return true;
    }
    return ep_stack_push(&c->waiting, ep_pointer_bits(shape)) &&
           ep_stack_push(&c->waiting, ep_pointer_bits(slot));
}

static ep_node *copy_node(copying *c, const ep_node *node) {
    const ep_type *type = c->schema->types[node->type];
    bool is_union = type->kind == EP_KIND_UNION;
    size_t slots = is_union ? 1 : type->count;
    size_t size = sizeof *node + slots * sizeof(uint64_t);
    ep_node *copy = ep_arena_alloc(c->arena, size);
    if (copy == NULL) {
        return NULL;
    }
    memcpy(copy, node, size);
    for (size_t i = 0; i < slots; i++) {
        const ep_shape *shape = type->members[is_union ? node->tag : i].shape;
        if (!wait_for(c, shape, &copy->slots[i])) {
            return NULL;
        }
    }
    return copy;
}

/* A list, a tuple or a dict; the keys of a dict stay as they are. */
static ep_list *copy_list(copying *c, const ep_shape *shape, const ep_list *list) {
    size_t count = (size_t)list->count;
    size_t keys = shape->op == EP_OP_DICT ? count : 0;
    size_t size = sizeof *list + (keys + count) * sizeof(uint64_t); /* as large as the original */
    ep_list *copy = ep_arena_alloc(c->arena, size);
    if (copy == NULL) {
        return NULL;
    }
    memcpy(copy, list, size);
    for (size_t i = 0; i < count; i++) {
        bool second = shape->op == EP_OP_TUPLE && i == 1;
        if (!wait_for(c, second ? shape->second : shape->of, &copy->items[keys + i])) {
            return NULL;
        }
    }
    return copy;
}

static bool copy_waiting(copying *c) {
    ep_stack *waiting = &c->waiting;
    while (waiting->count > 0) {
        uint64_t *slot = (uint64_t *)(uintptr_t)waiting->words[--waiting->count];
        const ep_shape *shape = (const ep_shape *)(uintptr_t)waiting->words[--waiting->count];
        bool node = shape->op == EP_OP_STRUCT || shape->op == EP_OP_UNION;
        *slot = node ? ep_pointer_bits(copy_node(c, ep_node_at(*slot)))
                     : ep_pointer_bits(copy_list(c, shape, ep_list_at(*slot)));
        TRY(*slot != 0);
    }
    return true;
}

ep_node *ep_copy_tree(ep_arena *arena, const ep_schema *schema, const ep_node *root) {
    copying c = {.arena = arena, .schema = schema};
    ep_stack_init(&c.waiting, arena);
    ep_node *copy = copy_node(&c, root);
    bool ok = copy != NULL && copy_waiting(&c);
    ep_stack_free(&c.waiting);
    return ok ? copy : NULL;
}
