/*
 * mutator/mutate_tree.c - mutations of the tree of values, by their types.
 */
#include "mutator/mutate_work.h"

#include <string.h>

/* ------------------------------------------------------------------- filters */

static bool is_object(const value *v) {
    return v->form == FORM_OBJECT && v->whole && v->shape != NULL;
}

bool filter_struct(const value_table *t, const value *v) {
    (void)t;
    return is_object(v) && v->shape->op == EP_OP_STRUCT && v->shape->type != NULL;
}

bool filter_union(const value_table *t, const value *v) {
    (void)t;
    return is_object(v) && v->shape->op == EP_OP_UNION && v->shape->type != NULL;
}

static bool is_dict(const value *v) {
    return is_object(v) && v->shape->op == EP_OP_DICT;
}

static bool is_list(const value *v) {
    return v->form == FORM_ARRAY && v->whole && has_op(v, EP_OP_LIST);
}

bool filter_many(const value_table *t, const value *v) {
    (void)t;
    return is_list(v) || is_dict(v);
}

bool filter_several(const value_table *t, const value *v) {
    return filter_many(t, v) && v->count > 1;
}

/* A part of something whose end is known. */
bool filter_part(const value_table *t, const value *v) {
    return v->parent != NO_VALUE && t->items[v->parent].whole;
}

bool filter_item(const value_table *t, const value *v) {
    return filter_part(t, v) && filter_many(t, &t->items[v->parent]);
}

bool filter_field(const value_table *t, const value *v) {
    return filter_part(t, v) && v->key != NO_VALUE && !filter_many(t, &t->items[v->parent]);
}

/* The variants that are not meant, in the form that writes them all, are left
 * alone: there are too many of them. */
bool filter_typed(const value_table *t, const value *v) {
    return v->shape != NULL && filter_part(t, v) && !(is_null(t, v) && !v->shape->nullable);
}

/* ------------------------------------------------------------------- editing */

static void put_spare(fuzz_mutator *m) {
    buffer_put(&m->with, m->spare.data, m->spare.size);
}

/* Inserts m->spare as the i-th part. */
static bool insert_part(fuzz_mutator *m, const value *in, size_t i) {
    if (in->count == 0) {
        put_spare(m);
        return mutate_put(m, in->begin + 1, in->end - 1);
    }
    size_t at = in->end - 1;
    if (i < in->count) {
        at = begin_with_key(mutate_part(&m->table, in, i));
        put_spare(m);
        buffer_text(&m->with, ", ");
    } else {
        buffer_text(&m->with, ", ");
        put_spare(m);
    }
    return mutate_put(m, at, at);
}

/* Takes a part away, with the comma behind or before it. */
static bool drop_part(fuzz_mutator *m, const value *v) {
    const value_table *t = &m->table;
    const value *in = &t->items[v->parent];
    if (v->next < in->next) {
        return mutate_put(m, begin_with_key(v), begin_with_key(&t->items[v->next]));
    }
    if (in->count < 2) {
        return mutate_put(m, begin_with_key(v), v->end);
    }
    return mutate_put(m, mutate_part(t, in, in->count - 2)->end, v->end);
}

static void put_part(fuzz_mutator *m, buffer *b, const value *v) {
    size_t begin = begin_with_key(v);
    buffer_put(b, m->text + begin, v->end - begin);
}

static void make_for(fuzz_mutator *m, buffer *b, const ep_shape *shape, const ep_row *row) {
    mutate_make(m, b, (making){m->table.schema, shape, row, 0});
}

/* --------------------------------------------------------------- insert, drop */

static bool has_member(const value_table *t, const value *in, const ep_row *row) {
    for (size_t i = number_of(t, in) + 1; i < in->next; i = t->items[i].next) {
        if (t->items[i].row == row) {
            return true;
        }
    }
    return false;
}

/* A field that is not written; where all are, a new value for one of them. */
bool mutation_insert_member(fuzz_mutator *m, const value *v) {
    if (v->shape->type->count == 0) {
        return false;
    }
    const ep_type *type = v->shape->type;
    size_t first = draw(m, type->count);
    for (size_t i = 0; i < type->count; i++) {
        const ep_member *member = &type->members[(first + i) % type->count];
        if (!has_member(&m->table, v, member->row)) {
            buffer_put(&m->spare, member->row->literal, member->row->literal_size);
            make_for(m, &m->spare, member->shape, member->row);
            return insert_part(m, v, draw(m, v->count + 1));
        }
    }
    const value *part = v->count == 0 ? NULL : mutate_part(&m->table, v, draw(m, v->count));
    if (part == NULL || part->shape == NULL) {
        return false;
    }
    make_for(m, &m->with, part->shape, part->row);
    return mutate_put_value(m, part);
}

bool mutation_insert_item(fuzz_mutator *m, const value *v) {
    if (is_dict(v)) {
        mutate_make_name(m, &m->spare);
        buffer_text(&m->spare, ": ");
    }
    make_for(m, &m->spare, v->shape->of, v->row);
    return insert_part(m, v, draw(m, v->count + 1));
}

/* A member of a type that its version does not have; NULL if there is none in
 * another version. */
static const ep_member *draw_foreign(fuzz_mutator *m, const ep_type *own, const ep_type *type) {
    size_t first = type == NULL ? 0 : draw(m, type->count);
    for (size_t i = 0; type != NULL && i < type->count; i++) {
        const ep_member *member = &type->members[(first + i) % type->count];
        if (ep_type_find(own, member->row->name, member->row->name_size) == EP_NO_MEMBER) {
            return member;
        }
    }
    return NULL;
}

static bool has_members(const value_table *t, const value *v) {
    return filter_struct(t, v) || filter_union(t, v);
}

bool mutation_insert_foreign(fuzz_mutator *m) {
    for (size_t tries = 0; tries < 24; tries++) {
        const value *v = mutate_pick(m, &m->table, has_members);
        const ep_schema *other = mutate_schema(m, draw(m, m->versions));
        if (v == NULL || other == NULL) {
            return false;
        }
        const ep_type *type = other->types[v->shape->type->number];
        const ep_member *member = draw_foreign(m, v->shape->type, type);
        if (member != NULL) {
            buffer_put(&m->spare, member->row->literal, member->row->literal_size);
            mutate_make(m, &m->spare, (making){other, member->shape, member->row, 0});
            return insert_part(m, v, draw(m, v->count + 1));
        }
    }
    return false;
}

bool mutation_drop_item(fuzz_mutator *m, const value *v) {
    return drop_part(m, v);
}

bool mutation_drop_member(fuzz_mutator *m, const value *v) {
    return drop_part(m, v);
}

bool mutation_double_member(fuzz_mutator *m, const value *v) {
    const value *in = &m->table.items[v->parent];
    put_part(m, &m->spare, v);
    return insert_part(m, in, draw(m, in->count + 1));
}

bool filter_key(const value_table *t, const value *v) {
    return filter_part(t, v) && v->key != NO_VALUE;
}

/* A key for that of another place, or for a name. */
bool mutation_rename_key(fuzz_mutator *m, const value *v) {
    const value *other = mutate_pick(m, &m->table, filter_key);
    if (once_in(m, 3)) {
        mutate_make_name(m, &m->with);
    } else {
        buffer_put(&m->with, m->text + other->key, other->key_end - other->key);
    }
    return mutate_put(m, v->key, v->key_end);
}

/* ------------------------------------------------------------------ new values */

bool mutation_retag_union(fuzz_mutator *m, const value *v) {
    if (v->shape->type->count == 0) {
        return false;
    }
    uint8_t tag = (uint8_t)draw(m, v->shape->type->count);
    mutate_make_union(m, &m->with, (making){m->table.schema, v->shape, v->row, 1}, tag);
    return mutate_put_value(m, v);
}

bool mutation_remake_value(fuzz_mutator *m, const value *v) {
    make_for(m, &m->with, v->shape, v->row);
    return mutate_put_value(m, v);
}

bool filter_nullable(const value_table *t, const value *v) {
    return v->shape != NULL && v->shape->nullable && !is_null(t, v);
}

bool mutation_null_value(fuzz_mutator *m, const value *v) {
    buffer_text(&m->with, "null");
    return mutate_put_value(m, v);
}

/* A small program of some version instead of all that there is. */
bool mutation_make_program(fuzz_mutator *m) {
    const ep_schema *schema = mutate_schema(m, draw(m, m->versions));
    if (schema == NULL) {
        return false;
    }
    const ep_shape *shape = &schema->shapes[EP_SHAPE_ExportedProgram];
    mutate_make(m, &m->with, (making){schema, shape, NULL, 0});
    if (!mutate_put(m, 0, m->size)) {
        return false;
    }
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
    size_t size = like->end - like->begin;
    size_t first = draw(m, t->count);
    for (size_t i = 0; i < t->count; i++) {
        const value *v = &t->items[(first + i) % t->count];
        bool same = v->end - v->begin == size &&
                    memcmp(t->text + v->begin, m->text + like->begin, size) == 0;
        if (is_like(v, like) && v->whole && !same) {
            return v;
        }
    }
    return NULL;
}

static bool splice_from(fuzz_mutator *m, const value_table *t) {
    for (size_t tries = 0; tries < 4; tries++) {
        const value *v = mutate_pick(m, &m->table, filter_typed);
        const value *from = v == NULL ? NULL : draw_like(m, t, v);
        if (from != NULL) {
            buffer_put(&m->with, t->text + from->begin, from->end - from->begin);
            return mutate_put_value(m, v);
        }
    }
    return false;
}

/* An item of the other text into a list or dict of this one. */
static bool join_item(fuzz_mutator *m, const value_table *t) {
    const value *v = mutate_pick(m, &m->table, filter_many);
    const value *from = v == NULL ? NULL : draw_like(m, t, v);
    if (from == NULL || from->count == 0) {
        return false;
    }
    const value *item = mutate_part(t, from, draw(m, from->count));
    size_t begin = begin_with_key(item);
    buffer_put(&m->spare, t->text + begin, item->end - begin);
    return insert_part(m, v, draw(m, v->count + 1));
}

bool mutation_splice_value(fuzz_mutator *m) {
    return splice_from(m, &m->table);
}

bool mutation_cross(fuzz_mutator *m) {
    return (once_in(m, 3) && join_item(m, &m->donor)) || splice_from(m, &m->donor);
}

/* The text from the begin of the first to the end of the second, with the two
 * exchanged. */
static bool exchange(fuzz_mutator *m, const value *a, const value *b) {
    const value *first = a < b ? a : b;
    const value *second = a < b ? b : a;
    if (second->begin < first->end) {
        return false;
    }
    buffer_put(&m->with, m->text + second->begin, second->end - second->begin);
    buffer_put(&m->with, m->text + first->end, second->begin - first->end);
    buffer_put(&m->with, m->text + first->begin, first->end - first->begin);
    return mutate_put(m, first->begin, second->end);
}

bool mutation_swap_values(fuzz_mutator *m) {
    for (size_t tries = 0; tries < 4; tries++) {
        const value *v = mutate_pick(m, &m->table, filter_typed);
        const value *other = v == NULL ? NULL : draw_like(m, &m->table, v);
        if (other != NULL && exchange(m, v, other)) {
            return true;
        }
        buffer_clear(&m->with);
    }
    return false;
}

/* What is around a value, and of its type. */
static const value *outer_like(const value_table *t, const value *v) {
    uint32_t at = v->parent;
    while (at != NO_VALUE && !is_like(&t->items[at], v)) {
        at = t->items[at].parent;
    }
    return at == NO_VALUE ? NULL : &t->items[at];
}

static bool can_nest(const value_table *t, const value *v) {
    return filter_typed(t, v) && outer_like(t, v) != NULL;
}

/* A value of a type into one of that type; or brackets around any. */
bool mutation_nest_value(fuzz_mutator *m) {
    const value *v = once_in(m, 3) ? NULL : mutate_pick(m, &m->table, can_nest);
    if (v != NULL) {
        const value *outer = outer_like(&m->table, v);
        buffer_put(&m->with, m->text + outer->begin, outer->end - outer->begin);
        return mutate_put_value(m, v);
    }
    v = mutate_pick(m, &m->table, filter_part);
    size_t depth = once_in(m, 4) ? 1 + draw(m, 1200) : 1 + draw(m, 4);
    for (size_t i = 0; v != NULL && i < depth; i++) {
        buffer_byte(&m->with, '[');
    }
    for (size_t i = 0; v != NULL && i < depth; i++) {
        buffer_byte(&m->with, ']');
    }
    return v != NULL && mutate_put_value(m, v);
}

/* ----------------------------------------------------------------------- items */

bool mutation_double_item(fuzz_mutator *m, const value *v) {
    const value *in = &m->table.items[v->parent];
    if (is_dict(in)) {
        mutate_make_name(m, &m->spare);
        buffer_text(&m->spare, ": ");
        buffer_put(&m->spare, m->text + v->begin, v->end - v->begin);
    } else {
        put_part(m, &m->spare, v);
    }
    return insert_part(m, in, draw(m, in->count + 1));
}

bool mutation_swap_items(fuzz_mutator *m, const value *in) {
    const value *a = mutate_part(&m->table, in, draw(m, in->count));
    const value *b = mutate_part(&m->table, in, draw(m, in->count));
    const value *first = a < b ? a : b;
    const value *second = a < b ? b : a;
    if (first == second) {
        return false;
    }
    put_part(m, &m->with, second);
    buffer_put(&m->with, m->text + first->end, begin_with_key(second) - first->end);
    put_part(m, &m->with, first);
    return mutate_put(m, begin_with_key(first), second->end);
}

bool filter_list_item(const value_table *t, const value *v) {
    return filter_part(t, v) && is_list(&t->items[v->parent]);
}

/* As often as there is room for, or as drawn. */
bool mutation_repeat_item(fuzz_mutator *m, const value *v) {
    size_t each = v->end - v->begin + 2;
    size_t fitting = (m->max - m->size) / each;
    size_t times = once_in(m, 3) ? fitting : 1 + draw(m, 40);
    for (size_t i = 0; i < times && i < fitting && i < 4096; i++) {
        buffer_put(&m->with, m->text + v->begin, v->end - v->begin);
        buffer_text(&m->with, ", ");
    }
    return mutate_put(m, v->begin, v->begin);
}
