/*
 * summary.c - see summary.h.
 */
#include "summary.h"

#include <string.h>

#include "cli/json.h"
#include "common/memory.h"
#include "common/safe.h"

enum { RENAMED_TOLD = 6 };

/* -------------------------------------------------------------------------- names */

static ep_bytes name_text(const listing *l, uint32_t name) {
    return listing_word(l, &l->tokens[l->names[name].token]);
}

size_t summary_renamed(const pairing *p) {
    size_t count = 0;
    for (size_t i = 0; i < p->sides[0]->name_count; i++) {
        count += pairing_is_renamed(p, (uint32_t)i);
    }
    return count;
}

static void put_more(buffer *b, size_t count) {
    if (count > 0) {
        buffer_text(b, " and ");
        buffer_number(b, (int64_t)count);
        buffer_text(b, " more");
    }
}

static void put_renaming(const hunks *h, uint32_t name) {
    const pairing *p = h->pairs;
    safe_text(h->out, name_text(p->sides[0], name));
    buffer_text(h->out, " -> ");
    safe_text(h->out, name_text(p->sides[1], p->name[0][name]));
}

/* Renamings that were told. */
typedef struct told {
    uint32_t names[RENAMED_TOLD];
    size_t count;
} told;

/* Whether a name of another graph was renamed in the same way. */
static bool was_told(const pairing *p, const told *t, uint32_t name) {
    for (size_t i = 0; i < t->count; i++) {
        uint32_t other = t->names[i];
        if (bytes_compare(name_text(p->sides[0], name), name_text(p->sides[0], other)) == 0 &&
            bytes_compare(name_text(p->sides[1], p->name[0][name]),
                          name_text(p->sides[1], p->name[0][other])) == 0) {
            return true;
        }
    }
    return false;
}

/* The name whose first token is the next from *at on, in the order of the first program, of
 * those that are renamed; none behind the last. */
static uint32_t next_renamed(const pairing *p, size_t *at) {
    const listing *l = p->sides[0];
    while (*at < l->token_count) {
        size_t i = (*at)++;
        uint32_t name = l->tokens[i].name;
        if (l->tokens[i].kind != TOKEN_TEXT && l->names[name].token == i &&
            pairing_is_renamed(p, name)) {
            return name;
        }
    }
    return LISTING_NONE;
}

static void put_renamed_json(const hunks *h) {
    const pairing *p = h->pairs;
    json *pairs = json_array();
    json *object = json_object();
    size_t at = 0;
    for (uint32_t name = next_renamed(p, &at); name != LISTING_NONE; name = next_renamed(p, &at)) {
        json *pair = json_array();
        json_append(pair, json_text(name_text(p->sides[0], name)));
        json_append(pair, json_text(name_text(p->sides[1], p->name[0][name])));
        json_append(pairs, pair);
    }
    json_add(object, "renamed", pairs);
    json_put(h->out, object, false);
}

static void put_renamed_text(const hunks *h, size_t count) {
    const pairing *p = h->pairs;
    size_t left = count;
    size_t at = 0;
    told t = {.count = 0};
    hunks_begin_line(h, '@');
    buffer_text(h->out, "renamed: ");
    for (uint32_t name = next_renamed(p, &at); name != LISTING_NONE; name = next_renamed(p, &at)) {
        bool again = was_told(p, &t, name);
        if (!again && t.count == RENAMED_TOLD && !h->full) {
            continue;
        }
        left--;
        if (!again) {
            buffer_text(h->out, left + 1 < count ? ", " : "");
            put_renaming(h, name);
        }
        if (t.count < RENAMED_TOLD) {
            t.names[t.count++] = name;
        }
    }
    put_more(h->out, left);
    hunks_end_line(h, '@');
}

void summary_put_renamed(const hunks *h) {
    size_t count = summary_renamed(h->pairs);
    if (count > 0 && h->json) {
        put_renamed_json(h);
    } else if (count > 0) {
        put_renamed_text(h, count);
    }
}

/* -------------------------------------------------------------------------- types */

enum { CHANGES_MAX = 8 };

/* Values whose types changed alike. */
typedef struct type_change {
    uint32_t name; /* the first */
    size_t count;
} type_change;

typedef struct type_changes {
    type_change items[CHANGES_MAX];
    size_t count;
    size_t others; /* values of further changes */
    size_t total;
} type_changes;

static void put_type(buffer *b, const listing *l, uint32_t name) {
    const listing_name *named = &l->names[name];
    for (size_t i = 0; i < named->type_count; i++) {
        ep_bytes word = listing_word(l, &l->tokens[named->type + i]);
        buffer_put(b, word.data, word.size);
    }
}

static bool same_type(const listing *l, uint32_t a, uint32_t b) {
    const listing_name *names[2] = {&l->names[a], &l->names[b]};
    bool same = names[0]->type_count == names[1]->type_count;
    for (size_t i = 0; same && i < names[0]->type_count; i++) {
        same = bytes_compare(listing_word(l, &l->tokens[names[0]->type + i]),
                             listing_word(l, &l->tokens[names[1]->type + i])) == 0;
    }
    return same;
}

static void add_change(const pairing *p, type_changes *changes, uint32_t name) {
    changes->total++;
    for (size_t i = 0; i < changes->count; i++) {
        type_change *each = &changes->items[i];
        if (same_type(p->sides[0], each->name, name) &&
            same_type(p->sides[1], p->name[0][each->name], p->name[0][name])) {
            each->count++;
            return;
        }
    }
    if (changes->count == CHANGES_MAX) {
        changes->others++;
    } else {
        changes->items[changes->count++] = (type_change){name, 1};
    }
}

/* The values that a row defines. */
static void add_row(const pairing *p, type_changes *changes, size_t row) {
    const listing *l = p->sides[0];
    for (size_t i = 0; i < l->rows[row].count; i++) {
        const listing_token *token = &l->tokens[l->rows[row].first + i];
        if (token->defines && p->retyped[token->name] == TYPE_OTHER) {
            add_change(p, changes, token->name);
        }
    }
}

/* Whether two texts are the same, the second of which is the end of the buffer. */
static bool look_same(const buffer *b, const size_t from[3]) {
    ep_bytes one = {b->data + from[0], from[1] - from[0]};
    return !b->failed && bytes_compare(one, buffer_since(b, from[2])) == 0;
}

static void put_change(const hunks *h, const type_change *change) {
    const pairing *p = h->pairs;
    size_t from[3];
    hunks_begin_line(h, '~');
    buffer_text(h->out, "   ");
    from[0] = h->out->size;
    put_type(h->out, p->sides[0], change->name);
    from[1] = h->out->size;
    buffer_text(h->out, " -> ");
    from[2] = h->out->size;
    put_type(h->out, p->sides[1], p->name[0][change->name]);
    if (look_same(h->out, from)) {
        buffer_text(h->out, " of other symbols");
    }
    buffer_text(h->out, ": ");
    safe_text(h->out, name_text(p->sides[1], p->name[0][change->name]));
    put_more(h->out, change->count - 1);
    hunks_end_line(h, '~');
}

void summary_put_followed(const hunks *h) {
    type_changes changes = {.count = 0};
    for (size_t row = 0; row < h->pairs->sides[0]->row_count && !h->full; row++) {
        if (h->pairs->state[row] == ROW_FOLLOWS) {
            add_row(h->pairs, &changes, row);
        }
    }
    if (changes.total == 0) {
        return;
    }
    hunks_begin_line(h, '~');
    buffer_text(h->out, " types that follow from these, of ");
    buffer_number(h->out, (int64_t)changes.total);
    buffer_text(h->out, changes.total == 1 ? " value:" : " values:");
    hunks_end_line(h, '~');
    for (size_t i = 0; i < changes.count; i++) {
        put_change(h, &changes.items[i]);
    }
    if (changes.others > 0) {
        hunks_begin_line(h, '~');
        buffer_text(h->out, "  ");
        put_more(h->out, changes.others);
        hunks_end_line(h, '~');
    }
}

/* ------------------------------------------------------------------------ figures */

static size_t count_notes(const notes *n, uint32_t first) {
    size_t count = 0;
    for (uint32_t i = first; i != LISTING_NONE; i = n->items[i].next) {
        count++;
    }
    return count;
}

bool summary_count(const hunks *h, show_part part, summary_counts *counts) {
    hunk_steps steps;
    *counts = (summary_counts){0};
    if (!hunks_steps(h, part, &steps)) {
        return false;
    }
    for (size_t i = 0; i < steps.count; i++) {
        const uint32_t *row = steps.items[i].row;
        counts->inserted += row[0] == LISTING_NONE;
        counts->deleted += row[1] == LISTING_NONE;
        if (row[0] != LISTING_NONE && row[1] != LISTING_NONE) {
            counts->changed += h->pairs->state[row[0]] == ROW_CHANGED;
            counts->followed += h->pairs->state[row[0]] == ROW_FOLLOWS;
        }
        for (size_t side = 0; side < 2; side++) {
            bool there = row[side] != LISTING_NONE;
            counts->noted += there ? count_notes(h->notes, h->notes->first[side][row[side]]) : 0;
        }
    }
    memory_free(steps.items);
    return true;
}
