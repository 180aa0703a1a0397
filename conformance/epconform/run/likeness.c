/*
 * run/likeness.c - see likeness.h. Pairs of values that are still to be compared
 * stand on a stack of its own, the next of the wanted text on top; members are
 * paired after both sides are sorted by their keys.
 */
#include "run/likeness.h"

#include "text/memory.h"
#include "text/strbuf.h"
#include "text/values.h"

#include <stdlib.h>
#include <string.h>

enum { POINTER_MAX = 200, SHOWN = 40, SHOWN_BEFORE = 16, NO_VALUE = VALUES_MAX };

typedef struct member {
    const values *v;
    uint32_t key;
    uint32_t place; /* among the members of its object */
} member;

typedef struct pair {
    uint32_t wanted;
    uint32_t got;
} pair;

typedef struct comparison {
    values wanted;
    values got;
    pair *pairs;
    size_t count;
    size_t capacity;
    member *members; /* room for those of two objects */
    size_t room;
    difference *d;
} comparison;

/* ---------------------------------------------------------------- differences */

/* A character as UTF-8, a surrogate, too, and as JSON pointers have it. */
static void put_character(strbuf *b, uint32_t c) {
    unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned leads[] = {0, 0xC0, 0xE0, 0xF0};
    char bytes[4] = {(char)(leads[more] | c >> (6 * more))};
    for (unsigned i = 1; i <= more; i++) {
        bytes[i] = (char)(0x80 | (c >> (6 * (more - i)) & 0x3F));
    }
    if (c == '~' || c == '/') {
        strbuf_text(b, c == '~' ? "~0" : "~1");
    } else {
        strbuf_put(b, bytes, more + 1);
    }
}

static void put_key(strbuf *b, const values *v, uint32_t key) {
    characters c = characters_of(v, key);
    strbuf_text(b, "/");
    for (uint32_t next; b->size < POINTER_MAX && (next = characters_next(&c)) != NO_CHARACTER;) {
        put_character(b, next);
    }
}

/* Puts the steps from the whole down to a value, as far as there is room. */
static void put_steps(strbuf *b, const values *v, uint32_t to) {
    uint32_t at = 0;
    while (at != to && b->size < POINTER_MAX) {
        bool is_object = v->list[at].kind == VALUE_OBJECT;
        unsigned before = 0;
        at += 1 + is_object;
        for (; v->list[at].after <= to; before++) {
            at = v->list[at].after + is_object;
        }
        if (is_object) {
            put_key(b, v, at - 1);
        } else {
            strbuf_format(b, "/%u", before);
        }
    }
}

/* The pointer of a wanted value, and of a member that one side has under it. */
static char *pointer_of(const comparison *c, uint32_t wanted, const values *side, uint32_t key) {
    strbuf steps = {NULL, 0, 0};
    strbuf clean = {NULL, 0, 0};
    put_steps(&steps, &c->wanted, wanted);
    if (side != NULL) {
        put_key(&steps, side, key);
    }
    bool is_long = steps.size >= POINTER_MAX;
    strbuf_clean(&clean, strbuf_string(&steps), steps.size);
    strbuf_text(&clean, is_long ? "..." : "");
    strbuf_free(&steps);
    return strbuf_take(&clean);
}

/* A piece of a value, not long before where it differs. */
static void put_piece(strbuf *b, const values *v, uint32_t i, uint32_t at) {
    const value *whole = &v->list[i];
    uint32_t from = at - whole->at > SHOWN_BEFORE ? at - SHOWN_BEFORE : whole->at;
    uint32_t size = whole->at + whole->size - from;
    strbuf_text(b, from > whole->at ? "'..." : "'");
    strbuf_ascii(b, v->text + from, size < SHOWN ? size : SHOWN);
    strbuf_text(b, size > SHOWN ? "...'" : "'");
}

/* Two values that differ where each says. */
static bool part(comparison *c, pair p, uint32_t wanted_at, uint32_t got_at) {
    strbuf b = {NULL, 0, 0};
    strbuf_text(&b, "expected ");
    put_piece(&b, &c->wanted, p.wanted, wanted_at);
    strbuf_text(&b, ", got ");
    put_piece(&b, &c->got, p.got, got_at);
    *c->d = (difference){pointer_of(c, p.wanted, NULL, 0), strbuf_take(&b), wanted_at, got_at};
    return false;
}

static bool part_at_start(comparison *c, pair p) {
    return part(c, p, c->wanted.list[p.wanted].at, c->got.list[p.got].at);
}

/* Objects that do not have the same keys: one that is wanted, or that is
 * there; NO_VALUE: not on this side. */
static bool part_at_key(comparison *c, pair p, pair keys, const char *what) {
    bool is_wanted = keys.wanted != NO_VALUE;
    const values *side = is_wanted ? &c->wanted : &c->got;
    uint32_t key = is_wanted ? keys.wanted : keys.got;
    uint32_t wanted_at = c->wanted.list[is_wanted ? keys.wanted : p.wanted].at;
    uint32_t got_at = c->got.list[keys.got != NO_VALUE ? keys.got : p.got].at;
    *c->d = (difference){pointer_of(c, p.wanted, side, key), memory_text(what), wanted_at, got_at};
    return false;
}

/* -------------------------------------------------------------------- sorting */

static bool is_inside(const characters *c) {
    return c->at < c->end && ((unsigned char)c->text[c->at] & 0xC0) == 0x80;
}

/* Goes past what is the same byte for byte and has no escapes: for speed. */
static void skip_alike(characters *x, characters *y) {
    uint32_t from = x->at;
    while (x->at < x->end && y->at < y->end && x->text[x->at] == y->text[y->at] &&
           x->text[x->at] != '\\') {
        x->at++;
        y->at++;
    }
    while (x->at > from && (is_inside(x) || is_inside(y))) {
        x->at--; /* to where a character begins */
        y->at--;
    }
}

static int compare_keys(const values *a, uint32_t left, const values *b, uint32_t right) {
    characters x = characters_of(a, left);
    characters y = characters_of(b, right);
    uint32_t from_x;
    uint32_t from_y;
    skip_alike(&x, &y);
    do {
        from_x = characters_next(&x);
        from_y = characters_next(&y);
    } while (from_x == from_y && from_x != NO_CHARACTER);
    return (from_x > from_y) - (from_x < from_y);
}

static int compare_members_keys(const void *left, const void *right) {
    const member *a = left;
    const member *b = right;
    return compare_keys(a->v, a->key, b->v, b->key);
}

static void take_members(const values *v, uint32_t object, member *members) {
    uint32_t count = 0;
    for (uint32_t i = object + 1; i < v->list[object].after; i = v->list[i + 1].after) {
        members[count] = (member){v, i, count};
        count++;
    }
    qsort(members, count, sizeof *members, compare_members_keys);
}

/* The key that stands there twice; NO_VALUE: none does. */
static uint32_t find_twice(const values *v, const member *members, size_t count) {
    for (size_t i = 1; i < count; i++) {
        if (compare_keys(v, members[i - 1].key, v, members[i].key) == 0) {
            return members[i].key;
        }
    }
    return NO_VALUE;
}

/* ------------------------------------------------------------------ comparing */

/* Room for more pairs, on top of those that are there. */
static pair *push(comparison *c, size_t more) {
    if (c->capacity - c->count < more) {
        c->capacity = c->capacity * 2 > c->count + more ? c->capacity * 2 : c->count + more;
        c->pairs = memory_resize(c->pairs, c->capacity, sizeof *c->pairs);
    }
    c->count += more;
    return c->pairs + (c->count - more);
}

static bool compare_arrays(comparison *c, pair p) {
    uint32_t count = values_inside(&c->wanted, p.wanted);
    uint32_t other = values_inside(&c->got, p.got);
    pair each = {p.wanted + 1, p.got + 1};
    if (count != other) {
        part_at_start(c, p);
        free(c->d->what);
        c->d->what = memory_format("expected an array of %u, got one of %u", count, other);
        return false;
    }
    pair *pairs = push(c, count);
    for (uint32_t i = count; i > 0; i--) {
        pairs[i - 1] = each;
        each.wanted = c->wanted.list[each.wanted].after;
        each.got = c->got.list[each.got].after;
    }
    return true;
}

/* Holds the sorted keys of two objects against each other. */
static bool compare_members(comparison *c, pair p, pair counts, const member *left,
                            const member *right) {
    uint32_t twice = find_twice(&c->wanted, left, counts.wanted);
    uint32_t again = find_twice(&c->got, right, counts.got);
    if (twice != NO_VALUE || again != NO_VALUE) {
        return part_at_key(c, p, (pair){twice, again}, "a key that is there twice");
    }
    for (uint32_t i = 0; i < counts.wanted || i < counts.got; i++) {
        int order = i == counts.wanted ? 1
                    : i == counts.got
                        ? -1
                        : compare_keys(&c->wanted, left[i].key, &c->got, right[i].key);
        if (order < 0) {
            return part_at_key(c, p, (pair){left[i].key, NO_VALUE}, "expected, and is not there");
        }
        if (order > 0) {
            return part_at_key(c, p, (pair){NO_VALUE, right[i].key}, "is there, and not expected");
        }
    }
    return true;
}

static bool compare_objects(comparison *c, pair p) {
    pair counts = {values_inside(&c->wanted, p.wanted), values_inside(&c->got, p.got)};
    size_t most = counts.wanted > counts.got ? counts.wanted : counts.got;
    if (most == 0) {
        return true;
    }
    if (c->room < 2 * most) {
        c->room = 2 * 2 * most;
        c->members = memory_resize(c->members, c->room, sizeof *c->members);
    }
    member *left = c->members;
    member *right = left + most;
    take_members(&c->wanted, p.wanted, left);
    take_members(&c->got, p.got, right);
    if (!compare_members(c, p, counts, left, right)) {
        return false;
    }
    pair *pairs = push(c, most);
    for (size_t i = 0; i < most; i++) {
        pairs[most - 1 - left[i].place] = (pair){left[i].key + 1, right[i].key + 1};
    }
    return true;
}

static bool compare_strings(comparison *c, pair p) {
    characters wanted = characters_of(&c->wanted, p.wanted);
    characters got = characters_of(&c->got, p.got);
    uint32_t wanted_at;
    uint32_t got_at;
    uint32_t next;
    skip_alike(&wanted, &got);
    do {
        wanted_at = wanted.at;
        got_at = got.at;
        next = characters_next(&wanted);
        if (next != characters_next(&got)) {
            return part(c, p, wanted_at, got_at);
        }
    } while (next != NO_CHARACTER);
    return true;
}

/* A locale is never set, so that the point is a point. */
static double double_of(const values *v, uint32_t i) {
    char *text = memory_part(v->text + v->list[i].at, v->list[i].size);
    double number = strtod(text, NULL);
    free(text);
    return number;
}

/* Integers, words and floats. */
static bool compare_texts(comparison *c, pair p) {
    const value *wanted = &c->wanted.list[p.wanted];
    const value *got = &c->got.list[p.got];
    if (wanted->size == got->size &&
        memcmp(c->wanted.text + wanted->at, c->got.text + got->at, got->size) == 0) {
        return true;
    }
    if (wanted->kind == VALUE_FLOAT) {
        double left = double_of(&c->wanted, p.wanted);
        double right = double_of(&c->got, p.got);
        if (memcmp(&left, &right, sizeof left) == 0) {
            return true;
        }
    }
    return part_at_start(c, p);
}

static bool compare_pair(comparison *c, pair p) {
    value_kind kind = c->wanted.list[p.wanted].kind;
    if (kind != c->got.list[p.got].kind) {
        return part_at_start(c, p);
    }
    return kind == VALUE_OBJECT   ? compare_objects(c, p)
           : kind == VALUE_ARRAY  ? compare_arrays(c, p)
           : kind == VALUE_STRING ? compare_strings(c, p)
                                  : compare_texts(c, p);
}

static bool compare_all(comparison *c) {
    bool same = true;
    *push(c, 1) = (pair){0, 0};
    while (same && c->count > 0) {
        c->count--;
        same = compare_pair(c, c->pairs[c->count]);
    }
    return same;
}

likeness likeness_of(vector_bytes wanted, vector_bytes got, difference *d) {
    comparison c = {.d = d};
    likeness found = LIKENESS_UNKNOWN;
    *d = (difference){NULL, NULL, 0, 0};
    if (values_read(&c.wanted, wanted.data, wanted.size) &&
        values_read(&c.got, got.data, got.size)) {
        found = compare_all(&c) ? LIKENESS_SAME : LIKENESS_OTHER;
    }
    values_free(&c.wanted);
    values_free(&c.got);
    free(c.pairs);
    free(c.members);
    return found;
}

void difference_free(difference *d) {
    free(d->pointer);
    free(d->what);
    *d = (difference){NULL, NULL, 0, 0};
}
