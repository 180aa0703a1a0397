/*
 * unpickle_values.c - the values of a pickle (unpickle.h): room for them, and access.
 */
#include "common/memory.h"
#include "unpickle_parts.h"

bool unpickler_reserve(unpickler *m, void *list, size_t *room, size_t count, size_t size) {
    bool counted = *room < UINT32_MAX / 2; /* room for twice as many has numbers of 32 bits */
    if (count < *room || (counted && memory_room(list, count, room, size))) {
        return true;
    }
    m->failed = true;
    return false;
}

bool unpickler_reserve_numbers(unpickler *m, numbers *n, size_t count) {
    return unpickler_reserve(m, &n->items, &n->capacity, count, sizeof(uint32_t));
}

bool unpickler_push_number(unpickler *m, uint32_t number) {
    TRY(unpickler_reserve_numbers(m, &m->stack, m->stack.count));
    m->stack.items[m->stack.count++] = number;
    return true;
}

bool unpickler_push(unpickler *m, pickled_value value) {
    unpickled *u = m->u;
    TRY(unpickler_reserve(m, &u->values, &m->value_room, u->value_count, sizeof value));
    u->values[u->value_count] = value;
    return unpickler_push_number(m, (uint32_t)u->value_count++);
}

bool unpickler_append(unpickler *m, pickled_items *items, uint32_t value) {
    unpickled *u = m->u;
    TRY(unpickler_reserve(m, &u->links, &m->link_room, u->link_count, sizeof(pickled_link)));
    uint32_t link = (uint32_t)u->link_count++;
    u->links[link] = (pickled_link){.value = value};
    if (items->count == 0) {
        items->first = link;
    } else {
        u->links[items->last].next = link;
    }
    items->last = link;
    items->count++;
    return true;
}

/* ------------------------------------------------------------------------------ values */

const pickled_value *unpickled_at(const unpickled *u, uint32_t value) {
    return &u->values[value];
}

uint32_t unpickled_next(const unpickled *u, uint32_t *at) {
    uint32_t value = u->links[*at].value;
    *at = u->links[*at].next;
    return value;
}

pickled_items unpickled_items(const unpickled *u, uint32_t value) {
    const pickled_value *v = &u->values[value];
    bool has = v->kind == PICKLED_LIST || v->kind == PICKLED_TUPLE || v->kind == PICKLED_DICT ||
               v->kind == PICKLED_SET || v->kind == PICKLED_SIZE || v->kind == PICKLED_OBJECT;
    return has ? v->is.items : (pickled_items){0};
}

ep_bytes unpickled_text(const unpickled *u, uint32_t value) {
    const pickled_value *v = &u->values[value];
    return v->kind == PICKLED_TEXT ? v->is.text : (ep_bytes){"", 0};
}

bool unpickled_name(const unpickled *u, uint32_t value, ep_bytes *module, ep_bytes *name) {
    const pickled_value *v = &u->values[value];
    if (v->kind == PICKLED_OBJECT && v->is.items.count > 0) {
        uint32_t at = v->is.items.first;
        v = &u->values[unpickled_next(u, &at)];
    }
    if (v->kind != PICKLED_GLOBAL && v->kind != PICKLED_DTYPE) {
        return false;
    }
    *module = unpickled_text(u, v->is.global.module);
    *name = unpickled_text(u, v->is.global.name);
    return true;
}

bool unpickled_is_callable(const unpickled *u, uint32_t value) {
    pickled_kind kind = u->values[value].kind;
    return kind == PICKLED_GLOBAL || kind == PICKLED_OBJECT;
}

bool unpickled_inner(const unpickled *u, uint32_t value, unpickled_subclass *parts) {
    const pickled_value *v = &u->values[value];
    TRY(v->kind == PICKLED_OBJECT && v->variant);
    uint32_t at = v->is.items.first;
    unpickled_next(u, &at);
    uint32_t inner = u->values[unpickled_next(u, &at)].is.items.first;
    uint32_t base = unpickled_next(u, &at);
    parts->function = unpickled_next(u, &inner);
    parts->class = unpickled_next(u, &inner);
    parts->arguments = unpickled_next(u, &inner);
    parts->state = unpickled_next(u, &inner);
    parts->base = u->values[base].kind == PICKLED_TENSOR ? base : PICKLED_NOTHING;
    return true;
}

size_t unpickled_numbers(const unpickled *u, uint32_t value, int64_t list[PICKLED_RANK_MAX]) {
    pickled_items items = unpickled_items(u, value);
    uint32_t at = items.first;
    for (size_t i = 0; i < items.count; i++) {
        list[i] = u->values[unpickled_next(u, &at)].is.integer;
    }
    return items.count;
}
