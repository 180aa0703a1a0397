/*
 * mutator/mutate_scalar.c - mutations of numbers, literals and strings, and of names,
 * which stand in many places.
 */
#include "mutator/mutate_texts.def"
#include "mutator/mutate_work.h"

#include <string.h>

/* ------------------------------------------------------------------- scalars */

bool filter_scalar(const value_table *t, const value *v) {
    return v->shape != NULL && v->shape->op < EP_OP_STRUCT && v->parent != NO_VALUE &&
           v->form >= FORM_STRING && v->whole && !(is_null(t, v) && !v->shape->nullable);
}

bool filter_number(const value_table *t, const value *v) {
    return filter_scalar(t, v) && v->form == FORM_WORD;
}

/* Another value of its type. Most scalars are strings, so numbers have a share
 * of their own. */
bool mutation_change_scalar(fuzz_mutator *m, const value *v) {
    mutate_make(m, &m->with, (making){m->table.schema, v->shape, v->row, 0});
    return mutate_put_value(m, v);
}

/* A value of its kind at a limit or beyond, or of another kind. */
bool mutation_harm_scalar(fuzz_mutator *m, const value *v) {
    static const char *const numbers[] = {ODD_NUMBERS};
    if (once_in(m, 3)) {
        mutate_make_any(m, &m->with);
    } else {
        buffer_text(&m->with, DRAW_FROM(m, numbers));
    }
    return mutate_put_value(m, v);
}

/* ------------------------------------------------------------------- strings */

bool filter_string(const value_table *t, const value *v) {
    (void)t;
    return v->form == FORM_STRING && v->whole && v->parent != NO_VALUE;
}

static void put_long(fuzz_mutator *m) {
    static const char *const parts[] = {"a", "ab\\u00e9", "é", "\\\\", "\\ud83d\\ude00"};
    const char *part = DRAW_FROM(m, parts);
    size_t times = 1 + draw(m, once_in(m, 8) ? 5000 : 200);
    for (size_t i = 0; i < times; i++) {
        buffer_text(&m->with, part);
    }
}

/* Inside the quotes: a piece more, another text, or a long one. */
bool mutation_change_string(fuzz_mutator *m, const value *v) {
    static const char *const pieces[] = {STRING_PIECES};
    size_t begin = v->begin + 1;
    size_t end = v->end - 1;
    size_t at = begin + draw(m, end - begin + 1);
    if (once_in(m, 6)) {
        put_long(m);
        return mutate_put(m, begin, end);
    }
    if (once_in(m, 6)) {
        mutate_make_name(m, &m->with);
        return mutate_put_value(m, v);
    }
    if (!once_in(m, 3)) {
        at = once_in(m, 2) ? begin : end;
    }
    buffer_text(&m->with, DRAW_FROM(m, pieces));
    return mutate_put(m, at, at);
}

#define SPEAKS(name, LANGUAGE)                                                                     \
    static bool name(const value_table *t, const value *v) {                                       \
        (void)t;                                                                                   \
        return v->whole && mutate_language(v) == LANGUAGE;                                         \
    }
SPEAKS(is_expression, LANGUAGE_EXPRESSION)
SPEAKS(is_treespec, LANGUAGE_TREESPEC)
SPEAKS(is_metadata, LANGUAGE_METADATA)
SPEAKS(is_target, LANGUAGE_TARGET)
SPEAKS(is_guard, LANGUAGE_GUARD)
SPEAKS(is_device, LANGUAGE_DEVICE)
#undef SPEAKS

/* The languages are drawn before the places: most strings are metadata. */
bool mutation_change_language(fuzz_mutator *m) {
    static value_filter *const filters[] = {
        is_expression, is_expression, is_expression, is_treespec, is_treespec,
        is_treespec,   is_metadata,   is_metadata,   is_target,   is_target,
        is_guard,      is_guard,      is_device};
    const value *v = mutate_pick(m, &m->table, DRAW_FROM(m, filters));
    if (v == NULL) {
        return false;
    }
    ep_bytes text = {m->text + v->begin + 1, v->end - v->begin - 2};
    return mutate_change_text(m, text, mutate_language(v)) &&
           mutate_put(m, v->begin + 1, v->end - 1);
}

/* --------------------------------------------------------------------- names */

/* What names a value or a node, so that others may refer to it. */
bool filter_reference(const value_table *t, const value *v) {
    return filter_string(t, v) && v->row != NULL && v->end - v->begin > 2 &&
           (strcmp(v->row->name, "name") == 0 || strcmp(v->row->name, "as_name") == 0);
}

static void put_new_name(fuzz_mutator *m, buffer *b, const value *v) {
    static const char *const tails[] = {"_1", "_2", "x", "0", "\\u00e9", "_", ".a"};
    if (once_in(m, 3)) {
        mutate_make_name(m, b);
        return;
    }
    buffer_put(b, m->text + v->begin, v->end - v->begin - 1);
    buffer_text(b, DRAW_FROM(m, tails));
    buffer_byte(b, '"');
}

/* Puts the text up to a place; where the name stands there, the new one. */
static void put_renamed(fuzz_mutator *m, ep_bytes old, size_t *at, size_t place) {
    if (m->size - place >= old.size && memcmp(m->text + place, old.data, old.size) == 0) {
        buffer_put(&m->with, m->text + *at, place - *at);
        buffer_put(&m->with, m->spare.data, m->spare.size);
        *at = place + old.size;
    }
}

/* In all its places, as a value and as a key. */
bool mutation_rename_all(fuzz_mutator *m, const value *v) {
    const value_table *t = &m->table;
    ep_bytes old = {m->text + v->begin, v->end - v->begin};
    put_new_name(m, &m->spare, v);
    size_t at = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (t->items[i].key != NO_VALUE && t->items[i].shape != NULL) {
            put_renamed(m, old, &at, t->items[i].key);
        }
        if (t->items[i].form == FORM_STRING) {
            put_renamed(m, old, &at, t->items[i].begin);
        }
    }
    buffer_put(&m->with, m->text + at, m->size - at);
    return mutate_put(m, 0, m->size);
}

bool mutation_rename_one(fuzz_mutator *m, const value *v) {
    put_new_name(m, &m->with, v);
    return mutate_put_value(m, v);
}
