/*
 * diff/match.c - a hash join of the parts of two programs by their keys; see diff.h.
 */
#include "diff/diff.h"

bool ep_diff_keys_open(ep_differ *d, ep_diff_keys *keys, size_t count) {
    *keys = (ep_diff_keys){.count = count};
    if (count == 0) {
        return true;
    }
    const size_t each = sizeof *keys->texts + sizeof *keys->match;
    keys->texts = ep_arena_array(d->arena, 0, count, each);
    TRY(keys->texts != NULL);
    keys->match = (uint32_t *)(void *)(keys->texts + count);
    memset(keys->texts, 0, count * each);
    return true;
}

/* The common case: the keys are equal in the same order. */
static bool match_in_order(ep_diff_keys keys[2]) {
    bool same = keys[0].count == keys[1].count;
    for (size_t i = 0; same && i < keys[0].count; i++) {
        same = ep_text_equal(keys[0].texts[i], keys[1].texts[i]);
        keys[0].match[i] = keys[1].match[i] = (uint32_t)i;
    }
    return same;
}

/* The parts of the second program that have one key, as a list in their order. */
typedef struct chain {
    uint32_t first; /* the first part that is unmatched, or none */
    uint32_t last;
} chain;

EP_STACK_OF(chain_stack, chain);

typedef struct chains {
    ep_map map;
    chain_stack all; /* by the map's numbers */
    ep_numbers next; /* of each part: the next part of the same key */
} chains;

static bool add_to_chain(chains *c, ep_bytes text, uint32_t part) {
    uint32_t number;
    bool fresh;
    TRY(ep_map_put(&c->map, text, &number, &fresh) && ep_numbers_push(&c->next, EP_DIFF_NONE));
    if (fresh) {
        return chain_stack_push(&c->all, (chain){part, part});
    }
    chain *known = &c->all.items[number];
    c->next.items[known->last] = part;
    known->last = part;
    return true;
}

static void take_matches(chains *c, ep_diff_keys keys[2]) {
    for (size_t i = 0; i < keys[0].count; i++) {
        uint32_t number = ep_map_find(&c->map, keys[0].texts[i]);
        uint32_t part = number == EP_MAP_NONE ? EP_DIFF_NONE : c->all.items[number].first;
        if (part != EP_DIFF_NONE) {
            c->all.items[number].first = c->next.items[part];
            keys[0].match[i] = part;
            keys[1].match[part] = (uint32_t)i;
        }
    }
}

static bool match_by_map(ep_differ *d, ep_diff_keys keys[2]) {
    chains c;
    ep_map_init(&c.map, d->arena);
    chain_stack_init(&c.all, d->arena);
    ep_numbers_init(&c.next, d->arena);
    bool ok = true;
    for (uint32_t i = 0; ok && i < keys[1].count; i++) {
        ok = add_to_chain(&c, keys[1].texts[i], i);
    }
    if (ok) {
        take_matches(&c, keys);
    }
    ep_map_free(&c.map);
    chain_stack_free(&c.all);
    ep_numbers_free(&c.next);
    return ok;
}

bool ep_diff_match(ep_differ *d, ep_diff_keys keys[2]) {
    if (match_in_order(keys)) {
        return true;
    }
    for (size_t half = 0; half < 2; half++) {
        for (size_t i = 0; i < keys[half].count; i++) {
            keys[half].match[i] = EP_DIFF_NONE;
        }
    }
    return keys[0].count == 0 || keys[1].count == 0 || match_by_map(d, keys);
}

bool ep_diff_go(ep_differ *d, const ep_diff_keys keys[2], ep_diff_each *each, void *context) {
    for (uint32_t i = 0; i < keys[0].count; i++) {
        TRY(each(d, context, (uint32_t[2]){i, keys[0].match[i]}));
    }
    for (uint32_t i = 0; i < keys[1].count; i++) {
        TRY(keys[1].match[i] != EP_DIFF_NONE || each(d, context, (uint32_t[2]){EP_DIFF_NONE, i}));
    }
    return true;
}

/* ------------------------------------------------------------------- the parts */

ep_diff_pair ep_diff_member_at(const ep_differ *d, const ep_node *const nodes[2], uint8_t member) {
    ep_diff_pair pair = {.shape = d->fields.schema->types[nodes[0]->type]->members[member].shape};
    for (size_t half = 0; half < 2; half++) {
        pair.bits[half] = nodes[half]->slots[member];
        pair.at[half] = ep_diff_spot_of(d, nodes[half], NULL);
        pair.at[half].member = member;
    }
    return pair;
}

ep_diff_pair ep_diff_member(const ep_differ *d, const ep_node *const nodes[2], ep_field field) {
    return ep_diff_member_at(d, nodes, d->fields.slot[field]);
}

ep_diff_pair ep_diff_items(const ep_differ *d, const ep_diff_pair *lists, const uint32_t items[2]) {
    ep_diff_pair pair = {.shape = lists->shape->of, .at = {lists->at[0], lists->at[1]}};
    bool dict = lists->shape->op == EP_OP_DICT;
    bool nodes = pair.shape->op == EP_OP_STRUCT || pair.shape->op == EP_OP_UNION;
    for (size_t half = 0; half < 2; half++) {
        uint64_t list = lists->bits[half];
        uint32_t i = items[half];
        ep_diff_spot *at = &pair.at[half];
        if (i == EP_DIFF_NONE) {
            at->absent = true;
            continue;
        }
        pair.bits[half] = dict ? ep_dict_value(list, i) : ep_list_at(list)->items[i];
        if (nodes) {
            *at = ep_diff_spot_of(d, ep_node_at(pair.bits[half]), at);
        } else if (dict) {
            at->key = ep_dict_key(list, i);
        } else if (EP_ALWAYS(at->depth < EP_DIFF_STEPS)) { /* no list is in so many */
            at->steps[at->depth++] = i;
        }
    }
    return pair;
}

bool ep_diff_compare(ep_differ *d, const ep_diff_scope *scope, ep_diff_group group,
                     const ep_diff_pair *pair) {
    ep_diff_pair found = *pair;
    bool differs = found.at[0].absent || found.at[1].absent;
    TRY(differs || ep_diff_first(d, scope, &found, &differs));
    if (differs) {
        ep_diff_tell(d, group, &found);
    }
    return true;
}

bool ep_diff_compare_member(ep_differ *d, const ep_diff_scope *scope, ep_diff_group group,
                            const ep_node *const nodes[2], uint8_t member) {
    const ep_type *type = d->fields.schema->types[nodes[0]->type];
    bool has[2] = {ep_diff_has_member(nodes[0], type, member),
                   ep_diff_has_member(nodes[1], type, member)};
    ep_diff_pair pair = ep_diff_member_at(d, nodes, member);
    if (has[0] != has[1]) {
        ep_diff_tell(d, group, &pair);
        return true;
    }
    return !has[0] || ep_diff_compare(d, scope, group, &pair);
}

bool ep_diff_members(ep_differ *d, const ep_diff_scope *scope, ep_diff_group group,
                     const ep_node *const nodes[2]) {
    const ep_type *type = d->fields.schema->types[nodes[0]->type];
    for (uint8_t i = 0; i < type->count; i++) {
        TRY(ep_diff_compare_member(d, scope, group, nodes, i));
    }
    return true;
}
