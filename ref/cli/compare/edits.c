/*
 * edits.c - see edits.h. Rows that both begin and end with are matched first. Between them the
 * shortest way of deletions and insertions is looked for, as Myers does ("An O(ND) Difference
 * Algorithm", 1986), but no further than EDITS_MAX edits: from the point that is furthest along by
 * then the search begins anew. Each search goes over at most 2 EDITS_MAX + 1 diagonals, and
 * over each of them no further than the furthest point, so that the whole takes at most that
 * many times the sum of both lengths: linear, whatever the rows are. The memory is that of one
 * search, of a fixed size. Fewer edits than that are always found to be the fewest.
 */
#include "edits.h"

#include "common/memory.h"

enum { EDITS_MAX = 256, REACHED_MAX = (EDITS_MAX + 1) * (EDITS_MAX + 2) / 2 };

/* The furthest row of the first listing on each diagonal, after each number of edits. */
struct edits_room {
    int64_t reached[REACHED_MAX];
};

/* One search; rows are counted from the beginnings of the span. */
typedef struct search {
    edits_room *e;
    const listing_row *rows[2];
    int64_t count[2];
    listing_key key;
    int64_t edits; /* so far */
} search;

edits_room *edits_make(void) {
    return memory_resize(NULL, sizeof(edits_room));
}

void edits_free(edits_room *e) {
    memory_free(e);
}

/* After so many edits there are one more diagonals: -edits, -edits + 2, ..., edits. */
static int64_t *reached_at(const search *s, int64_t edits, int64_t diagonal) {
    return &s->e->reached[edits * (edits + 1) / 2 + (edits + diagonal) / 2];
}

static bool is_equal(const search *s, int64_t x, int64_t y) {
    return s->rows[0][x].keys[s->key] == s->rows[1][y].keys[s->key];
}

enum { UNREACHABLE = -1 };

/* Where an edit leads from the diagonal below: a row of the first listing is deleted. */
static int64_t by_deletion(const search *s, int64_t edits, int64_t diagonal) {
    if (diagonal == -edits) {
        return UNREACHABLE;
    }
    int64_t x = *reached_at(s, edits - 1, diagonal - 1);
    return x == UNREACHABLE || x == s->count[0] ? UNREACHABLE : x + 1;
}

/* And from the one above: a row of the second is inserted. */
static int64_t by_insertion(const search *s, int64_t edits, int64_t diagonal) {
    if (diagonal == edits) {
        return UNREACHABLE;
    }
    int64_t x = *reached_at(s, edits - 1, diagonal + 1);
    return x == UNREACHABLE || x - diagonal > s->count[1] ? UNREACHABLE : x;
}

static int64_t start_on(const search *s, int64_t edits, int64_t diagonal) {
    if (edits == 0) {
        return 0;
    }
    int64_t deleted = by_deletion(s, edits, diagonal);
    int64_t inserted = by_insertion(s, edits, diagonal);
    return deleted > inserted ? deleted : inserted;
}

/* Goes on with one more edit on every diagonal. The diagonal that is furthest along. */
static int64_t go_on(search *s) {
    int64_t best = 0;
    int64_t most = UNREACHABLE;
    for (int64_t diagonal = -s->edits; diagonal <= s->edits; diagonal += 2) {
        int64_t x = start_on(s, s->edits, diagonal);
        while (x != UNREACHABLE && x < s->count[0] && x - diagonal < s->count[1] &&
               is_equal(s, x, x - diagonal)) {
            x++;
        }
        *reached_at(s, s->edits, diagonal) = x;
        if (x != UNREACHABLE && 2 * x - diagonal > most) {
            most = 2 * x - diagonal;
            best = diagonal;
        }
    }
    return best;
}

/* Goes the way back from the end of a diagonal, and matches the rows on it. */
static void keep_way(const search *s, int64_t diagonal, const edits_span *span,
                     uint32_t *const match[2]) {
    for (int64_t edits = s->edits; edits >= 0; edits--) {
        int64_t start = start_on(s, edits, diagonal);
        for (int64_t x = *reached_at(s, edits, diagonal); x-- > start;) {
            size_t one = span->from[0] + (size_t)x;
            size_t other = span->from[1] + (size_t)(x - diagonal);
            match[0][one] = (uint32_t)other;
            match[1][other] = (uint32_t)one;
        }
        if (edits > 0) {
            bool deleted = start == by_deletion(s, edits, diagonal);
            diagonal += deleted ? -1 : 1;
        }
    }
}

/* One search, and what it came to is cut off the span. */
static void match_some(search *s, edits_span *span, uint32_t *const match[2]) {
    int64_t whole = s->count[0] + s->count[1];
    int64_t diagonal = 0;
    for (s->edits = 0; s->edits <= EDITS_MAX; s->edits++) {
        diagonal = go_on(s);
        bool done = 2 * *reached_at(s, s->edits, diagonal) - diagonal == whole;
        if (done || s->edits == EDITS_MAX) {
            break;
        }
    }
    keep_way(s, diagonal, span, match);
    int64_t x = *reached_at(s, s->edits, diagonal);
    span->from[0] += (size_t)x;
    span->from[1] += (size_t)(x - diagonal);
}

static bool is_like(const listing *const sides[2], listing_key key, size_t one, size_t other) {
    return sides[0]->rows[one].keys[key] == sides[1]->rows[other].keys[key];
}

static bool is_empty(const edits_span *span) {
    return span->from[0] == span->to[0] || span->from[1] == span->to[1];
}

void edits_match(edits_room *e, const listing *const sides[2], listing_key key, edits_span span,
                 uint32_t *const match[2]) {
    while (!is_empty(&span) && is_like(sides, key, span.from[0], span.from[1])) {
        match[0][span.from[0]] = (uint32_t)span.from[1];
        match[1][span.from[1]] = (uint32_t)span.from[0];
        span.from[0]++;
        span.from[1]++;
    }
    while (!is_empty(&span) && is_like(sides, key, span.to[0] - 1, span.to[1] - 1)) {
        span.to[0]--;
        span.to[1]--;
        match[0][span.to[0]] = (uint32_t)span.to[1];
        match[1][span.to[1]] = (uint32_t)span.to[0];
    }
    while (!is_empty(&span)) {
        search s = {.e = e, .key = key};
        for (size_t side = 0; side < 2; side++) {
            s.rows[side] = sides[side]->rows + span.from[side];
            s.count[side] = (int64_t)(span.to[side] - span.from[side]);
        }
        match_some(&s, &span, match);
    }
}
