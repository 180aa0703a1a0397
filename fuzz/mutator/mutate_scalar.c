/*
 * mutator/mutate_scalar.c - mutations of strings, and of names, which stand in many places.
 */
#include "mutator/mutate_texts.def"
#include "mutator/mutate_work.h"

#include <string.h>

/* ------------------------------------------------------------------- strings */

FILTER(bool filter_string, v->form == FORM_STRING && v->whole && v->parent != NO_PLACE)

/* Inside the quotes: a piece more, or, now and then, so many of it instead; or a name. */
bool mutation_change_string(fuzz_mutator *m, const value *v) {
    static const char *const pieces[] = {STRING_PIECES};
    size_t begin = v->begin + 1;
    size_t end = v->end - 1;
    bool is_long = once_in(m, 6);
    size_t times = is_long ? 1 + draw(m, once_in(m, 8) ? 5000 : 200) : 1;
    const char *piece = DRAW_FROM(m, pieces);
    if (once_in(m, 6)) {
        mutate_make_name(m, &m->with);
        return mutate_put_value(m, v);
    }
    for (size_t i = 0; i < times; i++) {
        buffer_text(&m->with, piece);
    }
    size_t places[] = {begin, end, begin + draw(m, end - begin + 1)};
    size_t at = is_long ? begin : DRAW_FROM(m, places);
    return mutate_put(m, at, is_long ? end : at);
}

/* The languages are drawn before the places: most strings are metadata. */
bool mutation_change_language(fuzz_mutator *m, const value *v) {
    static const uint8_t languages[] = {
        LANGUAGE_EXPRESSION, LANGUAGE_EXPRESSION, LANGUAGE_EXPRESSION, LANGUAGE_TREESPEC,
        LANGUAGE_TREESPEC,   LANGUAGE_TREESPEC,   LANGUAGE_METADATA,   LANGUAGE_METADATA,
        LANGUAGE_TARGET,     LANGUAGE_TARGET,     LANGUAGE_GUARD,      LANGUAGE_GUARD,
        LANGUAGE_DEVICE};
    language which = (language)DRAW_FROM(m, languages);
    size_t first = place_number(&m->table, v);
    for (size_t i = 0; i < m->table.count; i++) {
        v = &m->table.items[(first + i) % m->table.count];
        if (v->whole && mutate_language(v) == which) {
            ep_bytes text = {m->text + v->begin + 1, v->end - v->begin - 2};
            return mutate_change_text(m, text, which) && mutate_put(m, v->begin + 1, v->end - 1);
        }
    }
    return false;
}

/* --------------------------------------------------------------------- names */

/* What names a value or a node, so that others may refer to it. */
FILTER(bool filter_reference,
       filter_string(t, v) && v->row != NULL && v->end - v->begin > 2 &&
           (strcmp(v->row->name, "name") == 0 || strcmp(v->row->name, "as_name") == 0))

/* In all its places, as a value and as a key. */
bool mutation_rename_all(fuzz_mutator *m, const value *v) {
    static const char *const tails[] = {"_1\"", "_2\"", "x\"", "0\"", "\\u00e9\"", "_\"", ".a\""};
    ep_bytes old = {m->text + v->begin, v->end - v->begin};
    if (once_in(m, 3)) {
        mutate_make_name(m, &m->spare);
    } else {
        buffer_put(&m->spare, old.data, old.size - 1);
        buffer_text(&m->spare, DRAW_FROM(m, tails));
    }
    ep_bytes text = {m->text, m->size};
    size_t from = 0;
    for (size_t at; (at = bytes_find(text, from, old)) < m->size; from = at + old.size) {
        buffer_put(&m->with, m->text + from, at - from);
        buffer_put(&m->with, m->spare.data, m->spare.size);
    }
    buffer_put(&m->with, m->text + from, m->size - from);
    return mutate_put(m, 0, m->size);
}
