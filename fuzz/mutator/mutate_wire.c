/*
 * mutator/mutate_wire.c - mutations of the text: another spelling of the same document,
 * damage of its syntax, and the version that it says it is of.
 */
#include "mutator/mutate_texts.def"
#include "mutator/mutate_work.h"

#include <stdio.h>
#include <string.h>

/* -------------------------------------------------------------- white space */

typedef enum spacing { SPACING_NONE, SPACING_LINES, SPACING_MIXED } spacing;

static void put_space(fuzz_mutator *m, spacing how) {
    static const char *const spaces[] = {"", " ", "\n", "\t", "\r\n", "  ", " \n "};
    if (how == SPACING_LINES) {
        buffer_byte(&m->with, '\n');
    } else if (how == SPACING_MIXED) {
        buffer_text(&m->with, DRAW_FROM(m, spaces));
    }
}

static bool is_mark(char c) {
    return c == ',' || c == ':' || c == '[' || c == ']' || c == '{' || c == '}';
}

static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* A value, or the whole, with other white space around its marks. */
static void put_respaced(fuzz_mutator *m, size_t begin, size_t end, spacing how) {
    bool quoted = false;
    for (size_t at = begin; at < end; at++) {
        char c = m->text[at];
        if (quoted && c == '\\' && at + 1 < end) {
            buffer_put(&m->with, m->text + at++, 2);
            continue;
        }
        quoted ^= c == '"';
        if (quoted || c == '"' || !is_space(c)) {
            buffer_byte(&m->with, c);
        }
        if (!quoted && is_mark(c)) {
            put_space(m, how);
        }
    }
}

FILTER(static bool has_parts, v->form <= FORM_ARRAY && v->count > 0)

bool mutation_reformat(fuzz_mutator *m) {
    static const spacing ways[] = {SPACING_NONE, SPACING_LINES, SPACING_MIXED};
    const value *v = once_in(m, 2) ? NULL : mutate_pick(m, &m->table, has_parts);
    size_t begin = v == NULL ? 0 : v->begin;
    size_t end = v == NULL ? m->size : v->end;
    put_respaced(m, begin, end, DRAW_FROM(m, ways));
    return mutate_put(m, begin, end);
}

/* ------------------------------------------------------------------- escapes */

FILTER(static bool is_text, v->form == FORM_STRING && v->whole && v->end - v->begin > 2)

FILTER(static bool is_keyed, v->key != NO_VALUE && v->key_end - v->key > 2)

/* Ordinary characters as escapes, which say the same. */
static void put_escaped(fuzz_mutator *m, size_t begin, size_t end) {
    size_t often = 1 + draw(m, 8);
    for (size_t at = begin; at < end; at++) {
        unsigned char c = (unsigned char)m->text[at];
        if (c == '\\' && at + 1 < end) {
            buffer_put(&m->with, m->text + at++, 2);
        } else if (c >= ' ' && c < 127 && once_in(m, often)) {
            char escape[8];
            snprintf(escape, sizeof escape, once_in(m, 2) ? "\\u%04x" : "\\u%04X", c);
            buffer_text(&m->with, escape);
        } else {
            buffer_byte(&m->with, (char)c);
        }
    }
}

bool mutation_escape_string(fuzz_mutator *m) {
    bool key = once_in(m, 3);
    const value *v = mutate_pick(m, &m->table, key ? is_keyed : is_text);
    TRY(v != NULL);
    size_t begin = (key ? v->key : v->begin) + 1;
    size_t end = (key ? v->key_end : v->end) - 1;
    put_escaped(m, begin, end);
    return mutate_put(m, begin, end);
}

/* -------------------------------------------------------------------- damage */

/* The next mark from a drawn place on, so that the syntax is hit rather than
 * one of the many texts; or the place itself. */
static size_t draw_mark(fuzz_mutator *m) {
    size_t at = draw(m, m->size);
    if (once_in(m, 4)) {
        return at;
    }
    for (size_t i = at; i < m->size; i++) {
        if (is_mark(m->text[i]) || m->text[i] == '"') {
            return i;
        }
    }
    return at;
}

bool mutation_damage_wire(fuzz_mutator *m) {
    static const char *const marks[] = {WIRE_MARKS};
    TRY(m->size != 0);
    size_t at = draw_mark(m);
    if (once_in(m, 12)) { /* a text that ends too early */
        return at > 0 && mutate_put(m, at, m->size);
    }
    buffer_text(&m->with, DRAW_FROM(m, marks));
    return mutate_put(m, at, at + draw(m, 2));
}

/* ------------------------------------------------------------------- versions */

FILTER(bool filter_version, v->key != NO_VALUE && v->key_end - v->key == 16 &&
                                memcmp(t->text + v->key, "\"schema_version\"", 16) == 0)

static void put_number(fuzz_mutator *m, int32_t major, int32_t minor) {
    if (minor < 0) {
        buffer_number(&m->with, major);
        return;
    }
    buffer_text(&m->with, "{\"major\": ");
    buffer_number(&m->with, major);
    buffer_text(&m->with, ", \"minor\": ");
    buffer_number(&m->with, minor);
    buffer_byte(&m->with, '}');
}

bool mutate_renumber(fuzz_mutator *m, const ep_version *version) {
    const value *v = mutate_pick(m, &m->table, filter_version);
    TRY(v != NULL);
    put_number(m, version->major, version->minor);
    return mutate_put(m, v->begin, v->end);
}

/* Mostly one that is near: a text of this may be one of that, too. */
static const ep_version *draw_version(fuzz_mutator *m) {
    size_t now = (size_t)ep_version_number_of(m->table.schema->version);
    size_t at = now + draw(m, 7);
    if (once_in(m, 3) || at < 3 || at >= m->versions + 3) {
        return ep_version_at(draw(m, m->versions));
    }
    return ep_version_at(at - 3);
}

bool mutation_change_version(fuzz_mutator *m, const value *v) {
    if (!once_in(m, 6)) {
        return mutate_renumber(m, draw_version(m));
    }
    put_number(m, (int32_t)draw(m, 10), once_in(m, 4) ? -1 : (int32_t)draw(m, 30));
    return mutate_put(m, v->begin, v->end);
}
