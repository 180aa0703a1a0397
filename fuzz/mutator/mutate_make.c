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
           memchr(t->text + v->begin, '\\', v->end - v->begin) == NULL;
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
    static const char *const rest[] = {"Infinity", "-Infinity", "NaN"};
    if (!once_in(m, 8)) {
        buffer_text(b, DRAW_FROM(m, floats));
        return;
    }
    const char *quote = schema->version->nonfinite == EP_NONFINITE_BARE ? "" : "\"";
    buffer_text(b, quote);
    buffer_text(b, DRAW_FROM(m, rest));
    buffer_text(b, quote);
}

static void make_int(fuzz_mutator *m, buffer *b) {
    static const char *const edges[] = {"-1", "2147483647", "4294967296", "9223372036854775807",
                                        "-9223372036854775808"};
    if (once_in(m, 8)) {
        buffer_text(b, DRAW_FROM(m, edges));
    } else {
        buffer_number(b, (int64_t)draw(m, 9));
    }
}

static void make_enum(fuzz_mutator *m, buffer *b, const ep_type *type) {
    if (type != NULL && type->count > 0) {
        buffer_number(b, type->members[draw(m, type->count)].row->id);
    } else {
        buffer_byte(b, '1');
    }
}

void mutate_make_any(fuzz_mutator *m, buffer *b) {
    static const char *const values[] = {ANY_VALUES};
    buffer_text(b, DRAW_FROM(m, values));
}

/* --------------------------------------------------------------------- unions */

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

static void put_key(buffer *b, const ep_row *row) {
    buffer_put(b, row->literal, row->literal_size);
}

static void make_tagged(fuzz_mutator *m, buffer *b, making wish, const ep_member *member) {
    mutate_make(m, b, (making){wish.schema, member->shape, member->row, wish.depth + 1});
}

/* In the form of the version. SPEC 3.6.1 */
static void make_union(fuzz_mutator *m, buffer *b, making wish, uint8_t tag) {
    const ep_type *type = wish.shape->type;
    const ep_member *member = &type->members[tag];
    buffer_byte(b, '{');
    switch (wish.schema->version->unions) {
    case EP_UNION_SINGLE_KEY:
        put_key(b, member->row);
        make_tagged(m, b, wish, member);
        break;
    case EP_UNION_TYPE_VALUE:
        buffer_text(b, "\"$type\": \"");
        buffer_text(b, member->row->name);
        buffer_text(b, "\", \"$value\": ");
        make_tagged(m, b, wish, member);
        break;
    case EP_UNION_ALL_FIELDS:
        for (uint8_t i = 0; i < type->count; i++) {
            buffer_text(b, i > 0 ? ", " : "");
            put_key(b, type->members[i].row);
            if (i == tag) {
                make_tagged(m, b, wish, member);
            } else {
                buffer_text(b, "null");
            }
        }
        break;
    }
    buffer_byte(b, '}');
}

/* -------------------------------------------------------------------- values */

static void make_struct(fuzz_mutator *m, buffer *b, making wish) {
    const ep_type *type = wish.shape->type;
    const char *comma = "";
    buffer_byte(b, '{');
    for (uint8_t i = 0; type != NULL && i < type->count; i++) {
        bool required = (type->required >> i & 1) != 0;
        if (required || wish.schema->version->nulls == EP_NULL_WRITTEN || once_in(m, 4)) {
            buffer_text(b, comma);
            put_key(b, type->members[i].row);
            make_tagged(m, b, wish, &type->members[i]);
            comma = ", ";
        }
    }
    buffer_byte(b, '}');
}

static void make_many(fuzz_mutator *m, buffer *b, making wish) {
    bool dict = wish.shape->op == EP_OP_DICT;
    size_t count = wish.depth > 2 ? 0 : draw(m, 3);
    making item = {wish.schema, wish.shape->of, wish.row, wish.depth + 1};
    buffer_byte(b, dict ? '{' : '[');
    for (size_t i = 0; i < count; i++) {
        buffer_text(b, i > 0 ? ", " : "");
        if (dict) {
            mutate_make_name(m, b);
            buffer_text(b, ": ");
        }
        mutate_make(m, b, item);
    }
    buffer_byte(b, dict ? '}' : ']');
}

static void make_tuple(fuzz_mutator *m, buffer *b, making wish) {
    buffer_byte(b, '[');
    mutate_make(m, b, (making){wish.schema, wish.shape->of, wish.row, wish.depth + 1});
    buffer_text(b, ", ");
    mutate_make(m, b, (making){wish.schema, wish.shape->second, wish.row, wish.depth + 1});
    buffer_byte(b, ']');
}

static void make_part(fuzz_mutator *m, buffer *b, making wish) {
    switch ((ep_op)wish.shape->op) {
    case EP_OP_STRUCT:
        make_struct(m, b, wish);
        break;
    case EP_OP_UNION:
        if (wish.shape->type != NULL && wish.shape->type->count > 0) {
            make_union(m, b, wish, draw_tag(m, wish.shape->type, wish.depth));
        } else {
            buffer_text(b, "{}");
        }
        break;
    case EP_OP_LIST:
    case EP_OP_DICT:
        make_many(m, b, wish);
        break;
    case EP_OP_TUPLE:
        make_tuple(m, b, wish);
        break;
    case EP_OP_STR:
        make_string(m, b, wish.row);
        break;
    case EP_OP_INT:
    case EP_OP_OPEN_END:
        make_int(m, b);
        break;
    case EP_OP_FLOAT:
        make_float(m, b, wish.schema);
        break;
    case EP_OP_BOOL:
        buffer_text(b, once_in(m, 2) ? "true" : "false");
        break;
    case EP_OP_UNIT:
        buffer_text(b, "[]");
        break;
    case EP_OP_NONE_BOOL:
        buffer_text(b, "true");
        break;
    case EP_OP_BYTES:
        buffer_text(b, once_in(m, 2) ? "\"\"" : "\"AAEC\"");
        break;
    case EP_OP_ENUM:
        make_enum(m, b, wish.shape->type);
        break;
    }
}

/* It calls itself through the types, whose nesting ends at DEEPER at the latest. */
void mutate_make(fuzz_mutator *m, buffer *b, making wish) {
    bool none = wish.shape->nullable && (wish.depth > DEEP || once_in(m, 2));
    if (none || wish.depth > DEEPER) {
        buffer_text(b, "null");
    } else {
        make_part(m, b, wish);
    }
}
