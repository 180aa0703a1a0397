/*
 * unpickle.c - see unpickle.h. The machine runs the opcodes of a pickle; what each does
 * is in unpickle_steps.c, and what calls of known functions make in rebuild.c.
 */
#include "unpickle_parts.h"

#include "common/memory.h"

enum { MEMO_MAX = 1 << 24, STACK_MAX = 1 << 22 };

#define OPCODE(code, argument, pops, effect) [code] = ARGUMENT_##argument,
static const uint8_t arguments[256] = {
#include "pickle.def"
};

static bool fail_memory(unpickler *m) {
    m->failed = true;
    return false;
}

/* ------------------------------------------------------------------------------ memory */

bool unpickler_reserve(unpickler *m, void **items, size_t *room, const size_t count_and_size[2]) {
    size_t count = count_and_size[0];
    size_t size = count_and_size[1];
    if (count < *room) {
        return true;
    }
    size_t wanted = count + count / 2 + 16;
    void *grown = wanted > SIZE_MAX / size ? NULL : memory_resize(*items, wanted * size);
    if (grown == NULL) {
        return fail_memory(m);
    }
    *items = grown;
    *room = wanted;
    return true;
}

bool unpickler_reserve_numbers(unpickler *m, numbers *n, size_t count) {
    void *items = n->items;
    bool ok =
        unpickler_reserve(m, &items, &n->capacity, (const size_t[2]){count, sizeof(uint32_t)});
    n->items = items;
    return ok;
}

bool unpickler_push_number(unpickler *m, uint32_t number) {
    if (m->stack.count == STACK_MAX) {
        return unpickler_refuse(m,
                                "it keeps more values at a time than any that torch.save writes");
    }
    if (!unpickler_reserve_numbers(m, &m->stack, m->stack.count)) {
        return false;
    }
    m->stack.items[m->stack.count++] = number;
    return true;
}

bool unpickler_push(unpickler *m, pickled_value value) {
    unpickled *u = m->u;
    void *values = u->values;
    bool ok = unpickler_reserve(m, &values, &m->value_room,
                                (const size_t[2]){u->value_count, sizeof value});
    u->values = values;
    if (!ok) {
        return false;
    }
    u->values[u->value_count] = value;
    return unpickler_push_number(m, (uint32_t)u->value_count++);
}

bool unpickler_append(unpickler *m, pickled_items *items, uint32_t value) {
    unpickled *u = m->u;
    void *links = u->links;
    bool ok = unpickler_reserve(m, &links, &m->link_room,
                                (const size_t[2]){u->link_count, sizeof(pickled_link)});
    u->links = links;
    if (!ok) {
        return false;
    }
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

/* ------------------------------------------------------------------------- the machine */

static bool run(unpickler *m, const char *start) {
    while (m->at.p < m->at.end) {
        unsigned char code = (unsigned char)*m->at.p;
        m->u->place = (size_t)(m->at.p - start);
        m->at.p++;
        if (unpickler_steps[code] == NULL) {
            return unpickler_malformed(m);
        }
        if (!operands_take(&m->at, (argument)arguments[code], &m->o)) {
            break;
        }
        if (!unpickler_steps[code](m)) {
            return false;
        }
        if (code == '.') {
            return true;
        }
    }
    return unpickler_refuse(m, "it ends early");
}

bool unpickle(ep_bytes data, unpickled *u) {
    unpickler m = {.u = u, .at = cursor_of(data)};
    *u = (unpickled){.why = NULL};
    if (data.size == 0 || data.size > UINT32_MAX / 4) { /* an opcode makes three values at most */
        u->why = data.size == 0 ? "it is empty" : "it is longer than any that torch.save writes";
        return false;
    }
    m.memo_max = data.size < MEMO_MAX ? data.size : MEMO_MAX;
    bool ok = run(&m, data.data);
    memory_free(m.stack.items);
    memory_free(m.memo.items);
    u->why = m.failed ? NULL : u->why;
    return ok;
}

void unpickled_free(unpickled *u) {
    memory_free(u->values);
    memory_free(u->links);
    memory_free(u->tensors);
    memory_free(u->storages);
    *u = (unpickled){.why = NULL};
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
               v->kind == PICKLED_SET || v->kind == PICKLED_SIZE || v->kind == PICKLED_DEVICE ||
               v->kind == PICKLED_OBJECT;
    return has ? v->is.items : (pickled_items){0};
}

ep_bytes unpickled_text(const unpickled *u, uint32_t value) {
    const pickled_value *v = &u->values[value];
    bool has = v->kind == PICKLED_TEXT || v->kind == PICKLED_LAYOUT;
    return has ? v->is.text : (ep_bytes){"", 0};
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

size_t unpickled_numbers(const unpickled *u, uint32_t value, int64_t list[PICKLED_RANK_MAX]) {
    pickled_items items = unpickled_items(u, value);
    uint32_t at = items.first;
    for (size_t i = 0; i < items.count; i++) {
        list[i] = u->values[unpickled_next(u, &at)].is.integer;
    }
    return items.count;
}
