/*
 * mutator/mutate_tree.c - mutations of the tree of values, by their types.
 */
#include "mutator/mutate_texts.def"
#include "mutator/mutate_work.h"

#include <string.h>

/* ------------------------------------------------------------------- filters */

static bool is_members(const value *v, ep_op op) {
    return v->form == FORM_OBJECT && v->whole && has_op(v, op) && v->shape->type != NULL &&
           v->shape->type->count > 0;
}

FILTER(bool filter_struct, is_members(v, EP_OP_STRUCT))

FILTER(bool filter_union, is_members(v, EP_OP_UNION))

static bool is_dict(const value *v) {
    return v->form == FORM_OBJECT && v->whole && has_op(v, EP_OP_DICT);
}

FILTER(bool filter_many, (v->form == FORM_ARRAY && v->whole && has_op(v, EP_OP_LIST)) || is_dict(v))

/* A part of something whose end is known. */
FILTER(bool filter_part, v->parent != NO_PLACE && t->items[v->parent].whole)

FILTER(bool filter_item, filter_part(t, v) && filter_many(t, &t->items[v->parent]))

FILTER(bool filter_key, filter_part(t, v) && v->key != 0)

FILTER(bool filter_field, filter_key(t, v) && !filter_many(t, &t->items[v->parent]))

/* The variants that are not meant, in the form that writes them all, are left
 * alone: there are too many of them. */
FILTER(bool filter_typed, v->shape != NULL && filter_part(t, v) &&
                              (t->text.data[v->begin] != 'n' || v->shape->nullable))

FILTER(bool filter_scalar,
       filter_typed(t, v) && v->shape->op < EP_OP_STRUCT && v->form >= FORM_STRING && v->whole)

FILTER(bool filter_number, filter_scalar(t, v) && v->form == FORM_WORD)

/* ------------------------------------------------------------------- editing */

/* Inserts m->spare as a part. */
static bool insert_anywhere(fuzz_mutator *m, const value *in) {
    size_t i = draw(m, in->count + 1);
    bool last = i >= in->count;
    size_t at = last ? in->end - 1 : place_start(mutate_part(&m->table, in, i));
    buffer_text(&m->with, last && in->count > 0 ? ", " : "");
    buffer_put(&m->with, m->spare.data, m->spare.size);
    buffer_text(&m->with, last ? "" : ", ");
    return mutate_put(m, at, at);
}

static void put_text(buffer *b, const value_table *t, size_t begin, size_t end) {
    buffer_put(b, t->text.data + begin, end - begin);
}

/* --------------------------------------------------------------- insert, drop */

static bool has_member(const value_table *t, const value *in, const ep_row *row) {
    for (size_t i = place_number(t, in) + 1; i < in->next; i = t->items[i].next) {
        if (t->items[i].row == row) {
            return true;
        }
    }
    return false;
}

/* A field that is not written; where all are, a new value for one of them. */
bool mutation_insert_member(fuzz_mutator *m, const value *v) {
    const ep_type *type = v->shape->type;
    size_t first = draw(m, type->count);
    for (size_t i = 0; i < type->count; i++) {
        const ep_member *member = &type->members[(first + i) % type->count];
        if (!has_member(&m->table, v, member->row)) {
            mutate_make_key(&m->spare, member->row);
            mutate_make(m, &m->spare, (making){m->table.schema, member->shape, member->row, 0});
            return insert_anywhere(m, v);
        }
    }
    const value *part = v->count == 0 ? NULL : mutate_part(&m->table, v, draw(m, v->count));
    return part != NULL && part->shape != NULL && mutation_remake_value(m, part);
}

bool mutation_insert_item(fuzz_mutator *m, const value *v) {
    if (is_dict(v)) {
        mutate_make_name(m, &m->spare);
        buffer_text(&m->spare, ": ");
    }
    mutate_make(m, &m->spare, (making){m->table.schema, v->shape->of, v->row, 0});
    return insert_anywhere(m, v);
}

/* With the comma behind or before it. */
bool mutation_drop_part(fuzz_mutator *m, const value *v) {
    const value_table *t = &m->table;
    const value *in = &t->items[v->parent];
    bool last = v->next >= in->next;
    size_t begin = last && in->count > 1 ? mutate_part(t, in, in->count - 2)->end : place_start(v);
    return mutate_put(m, begin, last ? v->end : place_start(&t->items[v->next]));
}

/* Once more, in a dict mostly under another name; or as often as there is room for. */
bool mutation_double_part(fuzz_mutator *m, const value *v) {
    const value *in = &m->table.items[v->parent];
    bool renamed = is_dict(in) && !once_in(m, 8);
    size_t begin = renamed ? v->begin : place_start(v);
    size_t fitting = (m->max - m->size) / (v->end - begin + 2);
    size_t times = once_in(m, 4) ? (once_in(m, 3) ? fitting : 1 + draw(m, 40)) : 1;
    if (renamed) {
        mutate_make_name(m, &m->spare);
        buffer_text(&m->spare, ": ");
    }
    put_text(&m->spare, &m->table, begin, v->end);
    for (size_t i = 1; i < times && i < 4096; i++) {
        buffer_text(&m->spare, ", ");
        put_text(&m->spare, &m->table, begin, v->end);
    }
    return insert_anywhere(m, in);
}

/* ------------------------------------------------------------------ new values */

/* Most scalars are strings, so numbers have a share of their own. */
bool mutation_remake_value(fuzz_mutator *m, const value *v) {
    mutate_make(m, &m->with, (making){m->table.schema, v->shape, v->row, 0});
    return mutate_put_value(m, v);
}

/* A number at a limit or beyond, or a value of another kind. */
bool mutation_harm_value(fuzz_mutator *m, const value *v) {
    static const char *const numbers[] = {ODD_NUMBERS};
    if (v->form != FORM_WORD || once_in(m, 3)) {
        mutate_make_any(m, &m->with);
    } else {
        buffer_text(&m->with, DRAW_FROM(m, numbers));
    }
    return mutate_put_value(m, v);
}

/* A small program of some version instead of all that there is. */
bool mutation_make_program(fuzz_mutator *m, const value *v) {
    (void)v;
    const ep_schema *schema = mutate_schema(m, draw(m, m->versions));
    TRY(schema != NULL);
    const ep_shape *shape = &schema->shapes[EP_SHAPE_ExportedProgram];
    mutate_make(m, &m->with, (making){schema, shape, NULL, 0});
    TRY(mutate_put(m, 0, m->size));
    buffer_clear(&m->with);
    if (mutate_look(m)) {
        (void)mutate_renumber(m, schema->version); /* it may be that already */
    }
    return true;
}

/* --------------------------------------------------------------------- splices */

static bool is_like(const value *v, const value *other) {
    return v->shape != NULL && other->shape != NULL && v->shape->number == other->shape->number;
}

/* A value of the same type with other bytes, from a drawn one on. */
static const value *draw_like(fuzz_mutator *m, const value_table *t, const value *like) {
    ep_bytes own = {m->text + like->begin, like->end - like->begin};
    size_t first = draw(m, t->count);
    for (size_t i = 0; i < t->count; i++) {
        const value *v = &t->items[(first + i) % t->count];
        if (is_like(v, like) && v->whole &&
            bytes_compare((ep_bytes){t->text.data + v->begin, v->end - v->begin}, own) != 0) {
            return v;
        }
    }
    return NULL;
}

bool mutate_splice(fuzz_mutator *m, const value_table *t, const value *v) {
    const value *from = v == NULL ? NULL : draw_like(m, t, v);
    TRY(from != NULL);
    put_text(&m->with, t, from->begin, from->end);
    return mutate_put_value(m, v);
}

bool mutation_splice_value(fuzz_mutator *m, const value *v) {
    return mutate_splice(m, &m->table, v);
}

/* Brackets, as many on each side. */
bool mutation_nest_value(fuzz_mutator *m, const value *v) {
    size_t depth = once_in(m, 4) ? 1 + draw(m, 1200) : 1 + draw(m, 4);
    for (size_t i = 0; i < 2 * depth; i++) {
        buffer_byte(&m->with, i < depth ? '[' : ']');
    }
    return mutate_put_value(m, v);
}
