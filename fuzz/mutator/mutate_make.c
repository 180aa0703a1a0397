/*
 * mutator/mutate_make.c - new values of a type: as little as it takes, now and then a
 * bit more, in the spelling of the version.
 */
#include "mutator/mutate_texts.def"
#include "mutator/mutate_work.h"

#include <string.h>

enum { DEEP = 6, DEEPER = 24 };

/* ------------------------------------------------------------------- scalars */

static bool is_name(const value_table *t, const value *v) {
    TRY(v->form == FORM_STRING && v->whole && v->end - v->begin >= 3 && v->end - v->begin <= 48);
    return mutate_language(v) == LANGUAGE_NONE &&
           memchr(t->text.data + v->begin, '\\', v->end - v->begin) == NULL;
}

void mutate_make_name(fuzz_mutator *m, buffer *b) {
    static const char *const names[] = {
        "",    "x",   "s0",   "arg0_1", "add_1", "p_weight", "é", "\\ud83d\\ude00",
        "a.b", "a b", "\\\\", "0",      "if"};
    const value *v = once_in(m, 6) ? NULL : mutate_pick(m, &m->table, is_name);
    if (v != NULL) {
        buffer_put(b, m->text + v->begin, v->end - v->begin);
        return;
    }
    buffer_byte(b, '"');
    buffer_text(b, DRAW_FROM(m, names));
    buffer_byte(b, '"');
}

static void make_string(fuzz_mutator *m, buffer *b, const ep_row *row) {
    const ep_shape shape = {.op = EP_OP_STR};
    const value like = {.form = FORM_STRING, .row = row, .shape = &shape};
    language which = mutate_language(&like);
    if (which == LANGUAGE_NONE) {
        mutate_make_name(m, b);
        return;
    }
    buffer_byte(b, '"');
    mutate_make_text(m, b, which);
    buffer_byte(b, '"');
}

static void make_float(fuzz_mutator *m, buffer *b, const ep_schema *schema) {
    static const char *const floats[] = {SMALL_FLOATS};
    static const char *const rest[] = {"\"Infinity\"", "\"-Infinity\"", "\"NaN\""};
    const char *text = DRAW_FROM(m, rest);
    if (!once_in(m, 8)) {
        buffer_text(b, DRAW_FROM(m, floats));
    } else if (schema->version->nonfinite == EP_NONFINITE_BARE) {
        buffer_put(b, text + 1, strlen(text) - 2);
    } else {
        buffer_text(b, text);
    }
}

static void make_int(fuzz_mutator *m, buffer *b) {
    static const int64_t edges[] = {-1, INT32_MAX, INT64_C(1) << 32, INT64_MAX, INT64_MIN};
    buffer_number(b, once_in(m, 8) ? DRAW_FROM(m, edges) : (int64_t)draw(m, 9));
}

void mutate_make_any(fuzz_mutator *m, buffer *b) {
    static const char *const values[] = {ANY_VALUES};
    buffer_text(b, DRAW_FROM(m, values));
}

/* -------------------------------------------------------------------- values */

static void make_member(fuzz_mutator *m, buffer *b, making wish, const ep_member *member) {
    mutate_make(m, b, (making){wish.schema, member->shape, member->row, wish.depth + 1});
}

/* A variant; deep inside one without parts, if there is any. */
static uint8_t draw_tag(fuzz_mutator *m, const ep_type *type, unsigned depth) {
    uint8_t tag = (uint8_t)draw(m, type->count);
    for (uint8_t i = 0; depth > 2 && i < type->count; i++) {
        uint8_t other = (uint8_t)((tag + i) % type->count);
        if (type->members[other].shape->op < EP_OP_STRUCT) {
            return other;
        }
    }
    return tag;
}

/* In the form of the version. SPEC 3.6.1 */
static void make_union(fuzz_mutator *m, buffer *b, making wish) {
    const ep_type *type = wish.shape->type;
    ep_union_form form = wish.schema->version->unions;
    uint8_t tag = draw_tag(m, type, wish.depth);
    if (form == EP_UNION_TYPE_VALUE) {
        buffer_text(b, "\"$type\": \"");
        buffer_text(b, type->members[tag].row->name);
        buffer_text(b, "\", \"$value\": ");
        make_member(m, b, wish, &type->members[tag]);
    }
    for (uint8_t i = 0; form != EP_UNION_TYPE_VALUE && i < type->count; i++) {
        if (i == tag || form == EP_UNION_ALL_FIELDS) {
            buffer_text(b, i > 0 && form == EP_UNION_ALL_FIELDS ? ", " : "");
            mutate_make_key(b, type->members[i].row);
            buffer_text(b, i == tag ? "" : "null");
        }
        if (i == tag) {
            make_member(m, b, wish, &type->members[tag]);
        }
    }
}

static void make_struct(fuzz_mutator *m, buffer *b, making wish) {
    const ep_type *type = wish.shape->type;
    const char *comma = "";
    for (uint8_t i = 0; i < type->count; i++) {
        bool required = (type->required >> i & 1) != 0;
        if (required || wish.schema->version->nulls == EP_NULL_WRITTEN || once_in(m, 4)) {
            buffer_text(b, comma);
            mutate_make_key(b, type->members[i].row);
            make_member(m, b, wish, &type->members[i]);
            comma = ", ";
        }
    }
}

static void make_many(fuzz_mutator *m, buffer *b, making wish) {
    bool tuple = wish.shape->op == EP_OP_TUPLE;
    size_t count = tuple ? 2 : wish.depth > 2 ? 0 : draw(m, 3);
    for (size_t i = 0; i < count; i++) {
        const ep_shape *of = tuple && i == 1 ? wish.shape->second : wish.shape->of;
        buffer_text(b, i > 0 ? ", " : "");
        if (wish.shape->op == EP_OP_DICT) {
            mutate_make_name(m, b);
            buffer_text(b, ": ");
        }
        mutate_make(m, b, (making){wish.schema, of, wish.row, wish.depth + 1});
    }
}

/* What stands between braces or brackets. */
static void make_parts(fuzz_mutator *m, buffer *b, making wish) {
    const ep_type *type = wish.shape->type;
    bool list = wish.shape->op == EP_OP_LIST || wish.shape->op == EP_OP_TUPLE;
    buffer_byte(b, list ? '[' : '{');
    if (list || wish.shape->op == EP_OP_DICT) {
        make_many(m, b, wish);
    } else if (type != NULL && type->count > 0 && wish.shape->op == EP_OP_UNION) {
        make_union(m, b, wish);
    } else if (type != NULL) {
        make_struct(m, b, wish);
    }
    buffer_byte(b, list ? ']' : '}');
}

static void make_scalar(fuzz_mutator *m, buffer *b, making wish) {
    const ep_type *type = wish.shape->type;
    switch ((int)wish.shape->op) {
    case EP_OP_STR:
        make_string(m, b, wish.row);
        break;
    case EP_OP_FLOAT:
        make_float(m, b, wish.schema);
        break;
    case EP_OP_BOOL:
        buffer_text(b, once_in(m, 2) ? "true" : "false");
        break;
    case EP_OP_UNIT:
    case EP_OP_NONE_BOOL:
        buffer_text(b, wish.shape->op == EP_OP_UNIT ? "[]" : "true");
        break;
    case EP_OP_BYTES:
        buffer_text(b, once_in(m, 2) ? "\"\"" : "\"AAEC\"");
        break;
    case EP_OP_ENUM:
        buffer_number(
            b, type == NULL || type->count == 0 ? 1 : type->members[draw(m, type->count)].row->id);
        break;
    default:
        make_int(m, b);
    }
}

/* It calls itself through the types, whose nesting ends at DEEPER at the latest. */
void mutate_make(fuzz_mutator *m, buffer *b, making wish) {
    bool none = wish.shape->nullable && (wish.depth > DEEP || once_in(m, 2));
    if (none || wish.depth > DEEPER) {
        buffer_text(b, "null");
    } else if (wish.shape->op < EP_OP_STRUCT) {
        make_scalar(m, b, wish);
    } else {
        make_parts(m, b, wish);
    }
}
