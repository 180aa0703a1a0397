/*
 * mutator/mutate_unions.c - unions in the form of another version (SPEC 3.6.1): one of
 * them, or all of a text together with the number of such a version.
 */
#include "mutator/mutate_work.h"

#include <string.h>

/* A union whose rest is to be left out once its variant has been put. */
typedef struct open_union {
    uint32_t union_number;
    uint32_t variant; /* by number, too */
} open_union;

enum { UNIONS_MAX = 64 };

typedef struct converter {
    fuzz_mutator *m;
    const ep_schema *schema; /* of the version whose form is put */
    size_t at;               /* what is before it has been put */
    size_t depth;
    open_union open[UNIONS_MAX];
} converter;

static void put_until(converter *c, size_t end) {
    if (end > c->at) {
        buffer_put(&c->m->with, c->m->text + c->at, end - c->at);
    }
    c->at = end;
}

/* The variant of a union that has a value; NO_VALUE when none has. */
static uint32_t variant_of(const value_table *t, const value *in) {
    for (uint32_t i = number_of(t, in) + 1; i < in->next; i = t->items[i].next) {
        if (t->items[i].row != NULL && t->items[i].row != in->row && !is_null(t, &t->items[i])) {
            return i;
        }
    }
    return NO_VALUE;
}

static void put_name(converter *c, const ep_row *row, const char *after) {
    buffer_byte(&c->m->with, '"');
    buffer_text(&c->m->with, row->name);
    buffer_text(&c->m->with, after);
}

/* What stands before the value of a variant. */
static void put_opening(converter *c, const ep_type *type, const ep_row *row) {
    const ep_type *now = c->schema->types[type->number];
    buffer_byte(&c->m->with, '{');
    switch (c->schema->version->unions) {
    case EP_UNION_SINGLE_KEY:
        break;
    case EP_UNION_TYPE_VALUE:
        buffer_text(&c->m->with, "\"$type\": ");
        put_name(c, row, "\", \"$value\": ");
        return;
    case EP_UNION_ALL_FIELDS:
        for (uint8_t i = 0; now != NULL && i < now->count; i++) {
            if (strcmp(now->members[i].row->name, row->name) != 0) {
                put_name(c, now->members[i].row, "\": null, ");
            }
        }
        break;
    }
    put_name(c, row, "\": ");
}

static void open_variant(converter *c, const value *v) {
    const value_table *t = &c->m->table;
    uint32_t variant = variant_of(t, v);
    if (variant == NO_VALUE || c->depth == UNIONS_MAX) {
        return;
    }
    put_until(c, v->begin);
    put_opening(c, v->shape->type, t->items[variant].row);
    c->at = t->items[variant].begin;
    c->open[c->depth++] = (open_union){number_of(t, v), variant};
}

/* Ends the unions whose variants end before a value, and leaves the rest of them
 * out. Returns the number to go on with. */
static uint32_t close_variants(converter *c, uint32_t i) {
    const value_table *t = &c->m->table;
    while (c->depth > 0 && t->items[c->open[c->depth - 1].variant].next <= i) {
        open_union top = c->open[--c->depth];
        const value *outer = &t->items[top.union_number];
        put_until(c, t->items[top.variant].end);
        c->at = outer->end - 1;
        i = i > outer->next ? i : outer->next;
    }
    return i;
}

static bool is_union(const value_table *t, const value *v) {
    (void)t;
    return has_op(v, EP_OP_UNION) && v->form == FORM_OBJECT && v->whole && v->count > 0;
}

/* Puts the values from one to before another, which is its end. */
static void put_converted(fuzz_mutator *m, uint32_t first, const ep_schema *schema) {
    const value_table *t = &m->table;
    converter c = {.m = m, .schema = schema, .at = t->items[first].begin};
    uint32_t last = t->items[first].next;
    uint32_t i = first;
    while (i < last) {
        if (is_union(t, &t->items[i])) {
            open_variant(&c, &t->items[i]);
            bool opened = c.depth > 0 && c.open[c.depth - 1].union_number == i;
            i = opened ? c.open[c.depth - 1].variant : i;
            if (opened && is_union(t, &t->items[i])) {
                continue;
            }
        }
        i = close_variants(&c, i + 1);
    }
    close_variants(&c, last);
    put_until(&c, t->items[first].end);
}

/* A version that writes unions in another form: the nearest that is earlier, or
 * from a drawn one on. */
static const ep_schema *draw_schema(fuzz_mutator *m) {
    const ep_version *now = m->table.schema->version;
    size_t first = once_in(m, 2) ? draw(m, m->versions) : (size_t)ep_version_number_of(now);
    for (size_t i = 0; i < m->versions; i++) {
        size_t at = (first + m->versions - i) % m->versions;
        if (ep_version_at(at)->unions != now->unions) {
            return mutate_schema(m, at);
        }
    }
    return NULL;
}

bool mutation_change_unions(fuzz_mutator *m) {
    const value_table *t = &m->table;
    bool all = t->count > 0 && !once_in(m, 4);
    const value *v = all ? &t->items[0] : mutate_pick(m, t, is_union);
    const ep_schema *schema = v == NULL ? NULL : draw_schema(m);
    if (schema == NULL) {
        return false;
    }
    put_converted(m, number_of(t, v), schema);
    if (!mutate_put(m, v->begin, v->end)) {
        return false;
    }
    buffer_clear(&m->with);
    if (all && !once_in(m, 4) && mutate_look(m)) {
        (void)mutate_renumber(m, schema->version); /* there may be none */
    }
    return true;
}
