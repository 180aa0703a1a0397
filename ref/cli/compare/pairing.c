/*
 * pairing.c - see pairing.h. Lines are paired in two ways, and the one that leaves fewer lines
 * to be told is kept: first by all that they say, names included, which fits where names were
 * kept; or at once by what they say but for names, which fits where all of them moved on by one.
 * Where symbols were renamed, both are tried once more with symbols that keep their names.
 */
#include "pairing.h"

#include <string.h>

#include "common/memory.h"

/* ------------------------------------------------------------------------- names */

static uint32_t *partner_of(const pairing *p, size_t side, const listing_token *token) {
    return &p->name[side][token->name];
}

static bool are_partners(const pairing *p, const listing_token *one, const listing_token *other) {
    return *partner_of(p, 0, one) == other->name && *partner_of(p, 1, other) == one->name;
}

static bool are_free(const pairing *p, const listing_token *one, const listing_token *other) {
    return *partner_of(p, 0, one) == LISTING_NONE && *partner_of(p, 1, other) == LISTING_NONE;
}

static void make_partners(pairing *p, const listing_token *one, const listing_token *other) {
    if (are_free(p, one, other)) {
        *partner_of(p, 0, one) = other->name;
        *partner_of(p, 1, other) = one->name;
    }
}

static bool same_text(const pairing *p, const listing_token *one, const listing_token *other) {
    return one->hash == other->hash && one->size == other->size &&
           bytes_compare(listing_word(p->sides[0], one), listing_word(p->sides[1], other)) == 0;
}

bool pairing_same_tokens(const pairing *p, const listing_token *one, const listing_token *other) {
    if (one->kind != other->kind) {
        return false;
    }
    return one->kind == TOKEN_TEXT ? same_text(p, one, other) : are_partners(p, one, other);
}

/* The same, or names that have no partners yet. */
static bool may_be_same(const pairing *p, const listing_token *one, const listing_token *other) {
    return pairing_same_tokens(p, one, other) ||
           (one->kind == other->kind && one->kind != TOKEN_TEXT && are_free(p, one, other));
}

bool pairing_is_renamed(const pairing *p, uint32_t name) {
    const listing *one = p->sides[0];
    const listing *other = p->sides[1];
    uint32_t partner = p->name[0][name];
    return partner != LISTING_NONE && !same_text(p, &one->tokens[one->names[name].token],
                                                 &other->tokens[other->names[partner].token]);
}

/* ------------------------------------------------------------------------- types */

/* The tokens of two types, or parts of two lines. */
typedef struct stretch {
    const listing_token *tokens[2];
    size_t count[2];
} stretch;

static bool may_be_same_stretch(const pairing *p, const stretch *s) {
    bool same = s->count[0] == s->count[1];
    for (size_t i = 0; same && i < s->count[0]; i++) {
        same = may_be_same(p, &s->tokens[0][i], &s->tokens[1][i]);
    }
    return same;
}

static void bind_stretch(pairing *p, const stretch *s) {
    for (size_t i = 0; i < s->count[0]; i++) {
        if (s->tokens[0][i].kind != TOKEN_TEXT) {
            make_partners(p, &s->tokens[0][i], &s->tokens[1][i]);
        }
    }
}

/* Whether a name of the first listing and its partner have two types. */
static bool is_retyped(pairing *p, uint32_t name) {
    uint32_t other = p->name[0][name];
    if (other == LISTING_NONE || p->retyped[name] != TYPE_UNKNOWN) {
        return p->retyped[name] == TYPE_OTHER;
    }
    const listing_name *names[2] = {&p->sides[0]->names[name], &p->sides[1]->names[other]};
    stretch types;
    for (size_t side = 0; side < 2; side++) {
        types.tokens[side] = p->sides[side]->tokens + names[side]->type;
        types.count[side] = names[side]->type_count;
    }
    bool same = may_be_same_stretch(p, &types);
    if (same) {
        bind_stretch(p, &types);
    }
    p->retyped[name] = same ? TYPE_SAME : TYPE_OTHER;
    return !same;
}

/* -------------------------------------------------------------------------- rows */

/* The tokens of two rows, one after the other. */
typedef struct cursor {
    const listing_token *at[2];
    const listing_token *end[2];
} cursor;

static cursor cursor_of(const pairing *p, const uint32_t rows[2]) {
    cursor c;
    for (size_t side = 0; side < 2; side++) {
        const listing *l = p->sides[side];
        c.at[side] = l->tokens + l->rows[rows[side]].first;
        c.end[side] = c.at[side] + l->rows[rows[side]].count;
    }
    return c;
}

/* To the next tokens that are in types, or that are not. */
static bool advance(cursor *c, bool in_type) {
    for (size_t side = 0; side < 2; side++) {
        while (c->at[side] < c->end[side] && c->at[side]->in_type != in_type) {
            c->at[side]++;
        }
    }
    return c->at[0] < c->end[0] && c->at[1] < c->end[1];
}

static bool has_ended(const cursor *c) {
    return c->at[0] == c->end[0] && c->at[1] == c->end[1];
}

static bool may_be_same_rows(const pairing *p, const uint32_t rows[2], bool in_type) {
    cursor c = cursor_of(p, rows);
    while (advance(&c, in_type)) {
        if (!may_be_same(p, c.at[0]++, c.at[1]++)) {
            return false;
        }
    }
    return has_ended(&c);
}

/* Names in equal places become partners; of rows that are not the same, those that are
 * defined. */
static void bind_rows(pairing *p, const uint32_t rows[2], bool in_type, bool defined_only) {
    cursor c = cursor_of(p, rows);
    while (advance(&c, in_type)) {
        const listing_token *one = c.at[0]++;
        const listing_token *other = c.at[1]++;
        bool names = one->kind == other->kind && one->kind != TOKEN_TEXT;
        if (names && (!defined_only || (one->defines && other->defines))) {
            make_partners(p, one, other);
        }
    }
}

/* The row on whose values the types of a row depend: of a subgraph's inputs, the node. */
static const listing_row *source_of(const pairing *p, uint32_t row) {
    const listing *l = p->sides[0];
    bool inputs = l->rows[row].kind == SHOW_BEGIN && l->rows[row].owner != LISTING_NONE;
    return &l->rows[inputs ? l->rows[row].owner : row];
}

/* Looks at the types of all values that a row defines. */
static void see_types(pairing *p, uint32_t row) {
    const listing *l = p->sides[0];
    for (size_t i = 0; i < l->rows[row].count; i++) {
        const listing_token *token = &l->tokens[l->rows[row].first + i];
        if (token->defines) {
            is_retyped(p, token->name);
        }
    }
}

/* Whether something that a row uses has another type now. */
static bool uses_retyped(pairing *p, uint32_t row) {
    const listing_row *source = source_of(p, row);
    for (size_t i = 0; i < source->count; i++) {
        const listing_token *token = &p->sides[0]->tokens[source->first + i];
        if (token->kind == TOKEN_VALUE && !token->defines && is_retyped(p, token->name)) {
            return true;
        }
    }
    return false;
}

static pairing_state state_of(pairing *p, const uint32_t rows[2]) {
    if (!may_be_same_rows(p, rows, false)) {
        bind_rows(p, rows, false, true);
        return ROW_CHANGED;
    }
    bind_rows(p, rows, false, false);
    if (may_be_same_rows(p, rows, true)) {
        bind_rows(p, rows, true, false);
        return ROW_SAME;
    }
    see_types(p, rows[0]);
    return uses_retyped(p, rows[0]) ? ROW_FOLLOWS : ROW_CHANGED;
}

/* ------------------------------------------------------------------------- pairs */

static void match_part(pairing *p, edits_room *e, show_part part, listing_key key) {
    uint32_t *const match[2] = {p->row[0], p->row[1]};
    size_t ends[2] = {p->sides[0]->parts[part + 1], p->sides[1]->parts[part + 1]};
    edits_span gap = {{p->sides[0]->parts[part], p->sides[1]->parts[part]}, {0, 0}};
    while (gap.from[0] <= ends[0]) {
        gap.to[0] = gap.from[0];
        while (gap.to[0] < ends[0] && p->row[0][gap.to[0]] == LISTING_NONE) {
            gap.to[0]++;
        }
        bool last = gap.to[0] == ends[0];
        gap.to[1] = last ? ends[1] : p->row[0][gap.to[0]];
        size_t next[2] = {gap.to[0] + 1, gap.to[1] + 1};
        edits_match(e, p->sides, key, gap, match);
        memcpy(gap.from, next, sizeof next);
    }
}

/* Rows of one kind that are alone in a gap: one is taken to have replaced the other. */
static void match_replaced(pairing *p, show_part part) {
    const listing *const *sides = p->sides;
    size_t ends[2] = {sides[0]->parts[part + 1], sides[1]->parts[part + 1]};
    size_t at[2] = {sides[0]->parts[part], sides[1]->parts[part]};
    while (at[0] < ends[0]) {
        size_t gap[2] = {at[0], at[1]};
        for (size_t side = 0; side < 2; side++) {
            while (at[side] < ends[side] && p->row[side][at[side]] == LISTING_NONE) {
                at[side]++;
            }
        }
        const listing_row *one = &sides[0]->rows[gap[0]];
        const listing_row *other = &sides[1]->rows[gap[1]];
        if (at[0] - gap[0] == 1 && at[1] - gap[1] == 1 && one->kind == other->kind &&
            one->indent == other->indent) {
            p->row[0][gap[0]] = (uint32_t)gap[1];
            p->row[1][gap[1]] = (uint32_t)gap[0];
        }
        at[0]++;
        at[1]++;
    }
}

static void clear(pairing *p) {
    for (size_t side = 0; side < 2; side++) {
        const listing *l = p->sides[side];
        memset(p->row[side], 0xFF, (l->row_count + 1) * sizeof *p->row[side]);
        memset(p->name[side], 0xFF, (l->name_count + 1) * sizeof *p->name[side]);
    }
    memset(p->retyped, TYPE_UNKNOWN, p->sides[0]->name_count + 1);
    p->cost = 0;
}

/* Symbols of one name become partners. The names of a listing are in the order of their hashes. */
static void keep_symbols(pairing *p) {
    const listing *const *sides = p->sides;
    size_t at[2] = {0, 0};
    while (at[0] < sides[0]->name_count && at[1] < sides[1]->name_count) {
        const listing_token *one = &sides[0]->tokens[sides[0]->names[at[0]].token];
        const listing_token *other = &sides[1]->tokens[sides[1]->names[at[1]].token];
        if (one->kind == TOKEN_SYMBOL && other->kind == TOKEN_SYMBOL && same_text(p, one, other)) {
            make_partners(p, one, other);
        }
        bool second = other->hash < one->hash;
        at[0] += !second;
        at[1] += second;
    }
}

static bool has_renamed_symbol(const pairing *p) {
    const listing *l = p->sides[0];
    for (size_t i = 0; i < l->name_count; i++) {
        if (l->tokens[l->names[i].token].kind == TOKEN_SYMBOL &&
            pairing_is_renamed(p, (uint32_t)i)) {
            return true;
        }
    }
    return false;
}

/* What is used is looked at before what uses it. */
static const show_part order[] = {SHOW_INPUTS,  SHOW_GRAPH,  SHOW_OUTPUTS,
                                  SHOW_SYMBOLS, SHOW_GUARDS, SHOW_HEAD};

/* A way to pair two listings. */
typedef struct way {
    listing_key from;  /* the most that rows have to have in common; then fewer and fewer */
    bool keep_symbols; /* symbols of one name are partners */
} way;

/* How much is told of a row: one that both have is told twice, if it changed. */
static size_t cost_of(pairing_state state) {
    switch (state) {
    case ROW_SAME:
        return 0;
    case ROW_ALONE:
    case ROW_FOLLOWS:
        return 1;
    case ROW_CHANGED:
        break;
    }
    return 2;
}

static void pair_part(pairing *p, edits_room *e, show_part part, listing_key from) {
    size_t matched = 0;
    for (size_t key = from; key < LISTING_KEYS; key++) {
        match_part(p, e, part, (listing_key)key);
    }
    match_replaced(p, part);
    for (size_t row = p->sides[0]->parts[part]; row < p->sides[0]->parts[part + 1]; row++) {
        uint32_t rows[2] = {(uint32_t)row, p->row[0][row]};
        pairing_state state = rows[1] == LISTING_NONE ? ROW_ALONE : state_of(p, rows);
        p->state[row] = (uint8_t)state;
        p->cost += cost_of(state);
        matched += rows[1] != LISTING_NONE;
    }
    p->cost += p->sides[1]->parts[part + 1] - p->sides[1]->parts[part] - matched;
}

static void pair(pairing *p, edits_room *e, way by) {
    clear(p);
    if (by.keep_symbols) {
        keep_symbols(p);
    }
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        pair_part(p, e, order[i], by.from);
    }
}

static bool open(pairing *p) {
    for (size_t side = 0; side < 2; side++) {
        const listing *l = p->sides[side];
        p->row[side] = memory_resize(NULL, (l->row_count + 1) * sizeof *p->row[side]);
        p->name[side] = memory_resize(NULL, (l->name_count + 1) * sizeof *p->name[side]);
        if (p->row[side] == NULL || p->name[side] == NULL) {
            return false;
        }
    }
    p->state = memory_resize(NULL, p->sides[0]->row_count + 1);
    p->retyped = memory_resize(NULL, p->sides[0]->name_count + 1);
    return p->state != NULL && p->retyped != NULL;
}

bool pairing_make(pairing *p, const listing *first, const listing *second) {
    static const way ways[] = {
        {KEY_EXACT, false}, {KEY_SHAPE, false}, {KEY_EXACT, true}, {KEY_SHAPE, true}};
    enum { WAYS = sizeof ways / sizeof ways[0], PLAIN_WAYS = 2 };
    size_t best = 0; /* of those that are as good, the first */
    size_t last = 0;
    size_t least = SIZE_MAX;
    bool renamed = false;
    *p = (pairing){.sides = {first, second}};
    edits_room *e = edits_make();
    bool ok = e != NULL && open(p);
    for (size_t i = 0; ok && i < WAYS && least > 0 && (i < PLAIN_WAYS || renamed); i++) {
        pair(p, e, ways[i]);
        last = i;
        renamed = renamed || has_renamed_symbol(p);
        best = p->cost < least ? i : best;
        least = p->cost < least ? p->cost : least;
    }
    if (ok && last != best) {
        pair(p, e, ways[best]);
    }
    edits_free(e);
    return ok;
}

void pairing_free(pairing *p) {
    for (size_t side = 0; side < 2; side++) {
        memory_free(p->row[side]);
        memory_free(p->name[side]);
    }
    memory_free(p->state);
    memory_free(p->retyped);
    *p = (pairing){0};
}
