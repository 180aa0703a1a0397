/*
 * mutator/mutate_wire.c - mutations of the text: another spelling of the same document,
 * damage of its syntax, and the version that it says it is of.
 */
#include "mutator/mutate_texts.def"
#include "mutator/mutate_work.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------- another spelling */

static bool is_mark(char c) {
    return strchr(",:[]{}\"", c) != NULL && c != '\0';
}

/* How a text is spelled: with some of the spaces behind its marks, if any, and with so many of
 * a hundred characters of its strings as escapes. */
typedef struct spelling {
    size_t first;
    size_t spaces;
    size_t escapes;
} spelling;

static void put_respelled(fuzz_mutator *m, size_t begin, size_t end, spelling how) {
    static const char *const spaces[] = {"", "\n", " ", "\t", "\r\n", "  ", " \n "};
    bool quoted = false;
    for (size_t at = begin; at < end; at++) {
        char c = m->text[at];
        quoted ^= c == '"';
        if (quoted && c == '\\' && at + 1 < end) {
            buffer_put(&m->with, m->text + at++, 2);
        } else if (quoted && c >= ' ' && c != '"' && c < 127 && draw(m, 100) < how.escapes) {
            char escape[8];
            snprintf(escape, sizeof escape, once_in(m, 2) ? "\\u%04x" : "\\u%04X", (unsigned)c);
            buffer_text(&m->with, escape);
        } else if (quoted || how.spaces == 0 || strchr(" \n\t\r", c) == NULL) {
            buffer_byte(&m->with, c);
        }
        if (!quoted && is_mark(c) && how.spaces > 0) {
            buffer_text(&m->with, spaces[how.first + draw(m, how.spaces)]);
        }
    }
}

/* Of a value, its key, or the whole. */
bool mutation_respell(fuzz_mutator *m, const value *v) {
    static const spelling ways[] = {{0, 7, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}};
    size_t way = draw(m, 6);
    spelling how = ways[way < 3 ? way : 3];
    how.escapes = how.spaces == 0 || once_in(m, 4) ? draw(m, 100) : 0;
    bool whole = once_in(m, 4);
    size_t begin = whole ? 0 : place_start(v);
    size_t end = whole ? m->size : v->end;
    put_respelled(m, begin, end, how);
    return mutate_put(m, begin, end);
}

/* -------------------------------------------------------------------- damage */

/* Mostly the place of a mark, so that the syntax is hit rather than one of the many texts. */
static size_t draw_mark(fuzz_mutator *m) {
    size_t at = draw(m, m->size);
    for (size_t tries = once_in(m, 4) ? 0 : 40; tries > 0 && !is_mark(m->text[at]); tries--) {
        at = draw(m, m->size);
    }
    return at;
}

bool mutation_damage_wire(fuzz_mutator *m, const value *v) {
    (void)v;
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

FILTER(bool filter_any, v != NULL)

FILTER(bool filter_version, place_key_is(t, v, "schema_version"))

static void put_number(fuzz_mutator *m, int32_t major, int32_t minor) {
    char text[64];
    snprintf(text, sizeof text,
             minor < 0 ? "%" PRId32 : "{\"major\": %" PRId32 ", \"minor\": %" PRId32 "}", major,
             minor);
    buffer_text(&m->with, text);
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
