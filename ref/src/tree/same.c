/*
 * tree/same.c - see same.h. Depth-first comparison; the pairs of values that are still
 * to be compared are on a stack.
 */
#include "tree/same.h"

#include "base/map.h"
#include "base/stack.h"

typedef struct pair {
    ep_value a;
    ep_value b;
} pair;

EP_STACK_OF(pairs, pair);

typedef struct comparing {
    ep_arena *arena;
    const ep_program *program;
    pairs waiting;
    bool same;
} comparing;

/* The i-th of a against the j-th of b. */
static bool push_items(comparing *c, ep_value a, ep_value b, size_t i, size_t j) {
    pair items = {ep_value_item(a, i), ep_value_item(b, j)};
    return pairs_push(&c->waiting, items);
}

static bool same_texts(comparing *c, ep_value a, ep_value b) {
    ep_arena_mark mark = ep_arena_now(c->arena);
    ep_bytes one;
    ep_bytes other;
    TRY(ep_value_text(a, c->arena, &one) && ep_value_text(b, c->arena, &other));
    c->same = ep_text_equal(one, other);
    ep_arena_rewind(c->arena, mark);
    return true;
}

/* ----------------------------------------------------------------------- dicts */

static ep_ref key_at(ep_value dict, size_t i) {
    return ep_list_at(dict.bits)->items[i];
}

static bool same_order(const comparing *c, ep_value a, ep_value b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (ep_text_compare(c->program->input.data, key_at(a, i), key_at(b, i)) != 0) {
            return false;
        }
    }
    return true;
}

/* The keys of one dict are all different (SPEC 2.5.1), so the number of a key in
 * the map is its place. */
static bool pair_entries(comparing *c, ep_map *keys, ep_value a, ep_value b) {
    size_t count = ep_value_count(a);
    ep_bytes text;
    uint32_t number;
    bool fresh;
    for (size_t i = 0; i < count; i++) {
        TRY(ep_value_key(b, i, c->arena, &text) && ep_map_put(keys, text, &number, &fresh));
    }
    for (size_t i = 0; c->same && i < count; i++) {
        TRY(ep_value_key(a, i, c->arena, &text));
        number = ep_map_find(keys, text);
        c->same = number != EP_MAP_NONE;
        TRY(!c->same || push_items(c, a, b, i, number));
    }
    return true;
}

static bool compare_dicts(comparing *c, ep_value a, ep_value b) {
    size_t count = ep_value_count(a);
    if (!same_order(c, a, b, count)) {
        ep_map keys;
        ep_map_init(&keys, c->arena);
        bool ok = pair_entries(c, &keys, a, b);
        ep_map_free(&keys);
        return ok;
    }
    for (size_t i = 0; i < count; i++) {
        TRY(push_items(c, a, b, i, i));
    }
    return true;
}

/* ---------------------------------------------------------------------- values */

static bool compare_items(comparing *c, ep_value a, ep_value b) {
    size_t count = ep_value_count(a);
    for (size_t i = 0; i < count; i++) {
        TRY(push_items(c, a, b, i, i));
    }
    return true;
}

static bool same_tag(ep_value a, ep_value b) {
    return ep_node_at(a.bits)->tag == ep_node_at(b.bits)->tag;
}

static bool compare(comparing *c, ep_value a, ep_value b) {
    ep_kind kind = ep_value_kind(a);
    c->same = kind == ep_value_kind(b) && ep_value_count(a) == ep_value_count(b) &&
              (kind != EP_KIND_UNION || same_tag(a, b));
    if (!c->same) {
        return true;
    }
    switch (kind) {
    case EP_KIND_STR:
    case EP_KIND_BYTES:
        return same_texts(c, a, b);
    case EP_KIND_INT:
    case EP_KIND_BOOL:
    case EP_KIND_ENUM:
    case EP_KIND_INFINITE:
    case EP_KIND_FLOAT:
        c->same = a.bits == b.bits;
        return true;
    case EP_KIND_DICT:
        return compare_dicts(c, a, b);
    case EP_KIND_NULL: /* these two have no items */
    case EP_KIND_UNIT:
    case EP_KIND_UNION:
    case EP_KIND_STRUCT:
    case EP_KIND_LIST:
    case EP_KIND_TUPLE:
        break;
    }
    return compare_items(c, a, b);
}

bool ep_same_values(ep_arena *arena, ep_value a, ep_value b, bool *same) {
    comparing c = {.arena = arena, .program = a.program, .same = true};
    pairs_init(&c.waiting, arena);
    bool ok = pairs_push(&c.waiting, (pair){a, b});
    while (ok && c.same && c.waiting.count > 0) {
        pair next = pairs_pop(&c.waiting);
        ok = compare(&c, next.a, next.b);
    }
    pairs_free(&c.waiting);
    *same = c.same;
    return ok;
}
