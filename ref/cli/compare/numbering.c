/*
 * numbering.c - see numbering.h. Mentions are sorted by their hashes, and where these are
 * equal by their texts: whatever the names, it takes n log n.
 */
#include "numbering.h"

#include <string.h>

#include "common/memory.h"

typedef struct mention {
    uint64_t hash;
    uint32_t token;
} mention;

/* Below, at or above zero, as a name comes before, with or behind another. */
static int compare_names(const listing *l, const mention *a, const mention *b) {
    const listing_token *one = &l->tokens[a->token];
    const listing_token *other = &l->tokens[b->token];
    if (a->hash != b->hash) {
        return a->hash < b->hash ? -1 : 1;
    }
    if (one->kind != other->kind) {
        return one->kind < other->kind ? -1 : 1;
    }
    if (one->graph != other->graph) {
        return one->graph < other->graph ? -1 : 1;
    }
    return bytes_compare(listing_word(l, one), listing_word(l, other));
}

static void merge(const listing *l, const mention *from, mention *to, const size_t bounds[3]) {
    size_t left = bounds[0];
    size_t right = bounds[1];
    for (size_t i = bounds[0]; i < bounds[2]; i++) {
        bool take_left = left < bounds[1] &&
                         (right >= bounds[2] || compare_names(l, &from[left], &from[right]) <= 0);
        to[i] = take_left ? from[left++] : from[right++];
    }
}

/* Stable: of one name the mentions stay in their order. There is room for them twice. */
static mention *sort(const listing *l, mention *mentions, size_t count) {
    mention *from = mentions;
    mention *to = mentions + count;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t i = 0; i < count; i += 2 * width) {
            size_t middle = count - i > width ? i + width : count;
            size_t end = count - i > 2 * width ? i + 2 * width : count;
            merge(l, from, to, (size_t[3]){i, middle, end});
        }
        mention *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

static size_t list_mentions(const listing *l, mention *mentions) {
    size_t count = 0;
    for (size_t i = 0; i < l->token_count; i++) {
        if (l->tokens[i].kind != TOKEN_TEXT) {
            mentions[count++] = (mention){l->tokens[i].hash, (uint32_t)i};
        }
    }
    return count;
}

/* Names have the token that defines them, else the first. */
static void number_mentions(listing *l, const mention *sorted, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bool fresh = i == 0 || compare_names(l, &sorted[i - 1], &sorted[i]) != 0;
        listing_token *token = &l->tokens[sorted[i].token];
        l->name_count += fresh;
        listing_name *name = &l->names[l->name_count - 1];
        token->name = (uint32_t)(l->name_count - 1);
        if (fresh || (token->defines && !l->tokens[name->token].defines)) {
            *name = (listing_name){.token = sorted[i].token, .row = LISTING_NONE};
        }
    }
}

/* The type behind a name: a colon or the end of a cell is between them. */
static void find_type(const listing *l, const listing_row *row, size_t at, listing_name *name) {
    size_t end = row->first + row->count;
    size_t from = at + 2;
    bool typed = from < end && l->tokens[at + 1].kind == TOKEN_TEXT && l->tokens[from].in_type;
    for (size_t i = from; typed && i < end && l->tokens[i].in_type; i++) {
        name->type_count++;
    }
    name->type = from;
}

static void place_names(listing *l) {
    for (size_t i = 0; i < l->row_count; i++) {
        const listing_row *row = &l->rows[i];
        for (size_t at = row->first; at < row->first + row->count; at++) {
            const listing_token *token = &l->tokens[at];
            listing_name *name = token->kind == TOKEN_TEXT ? NULL : &l->names[token->name];
            if (name != NULL && name->token == at) {
                name->row = (uint32_t)i;
                find_type(l, row, at, name);
            }
        }
    }
}

bool numbering_run(listing *l) {
    size_t most = l->token_count;
    mention *mentions = memory_resize(NULL, 2 * (most + 1) * sizeof *mentions);
    size_t count = mentions == NULL ? 0 : list_mentions(l, mentions);
    l->names = memory_resize(NULL, (count + 1) * sizeof *l->names);
    bool ok = mentions != NULL && l->names != NULL;
    if (ok) {
        number_mentions(l, sort(l, mentions, count), count);
        place_names(l);
    }
    memory_free(mentions);
    return ok;
}
