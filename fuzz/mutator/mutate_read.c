/*
 * mutator/mutate_read.c - where the values of a text stand, and of what types they are.
 * The text may be broken in any way: then as much is seen as can be, and nothing
 * is refused. Linear, without recursion.
 */
#include "mutator/mutate_work.h"

#include <string.h>

typedef struct text_reader {
    value_table *table;
    size_t at;
    uint32_t open;    /* the value that is open */
    uint32_t key;     /* the key that was read last */
    uint32_t key_end; /* behind its closing quote */
} text_reader;

/* ------------------------------------------------------------------- values */

static value *add_value(text_reader *r, value_form form) {
    value_table *t = r->table;
    value *v = &t->items[t->count];
    *v = (value){.begin = (uint32_t)r->at,
                 .end = (uint32_t)t->size,
                 .key = r->key,
                 .key_end = r->key_end,
                 .parent = r->open,
                 .form = (uint8_t)form,
                 .tag = EP_NO_MEMBER};
    if (r->open != NO_VALUE) {
        t->items[r->open].count++;
    }
    t->count++;
    r->key = NO_VALUE;
    return v;
}

static void end_value(text_reader *r, value *v, bool whole) {
    v->end = (uint32_t)r->at;
    v->next = r->table->count;
    v->whole = whole;
}

/* Behind a string; the end of the text if it does not end. */
static size_t string_end(const value_table *t, size_t at) {
    for (at++; at < t->size && t->text[at] != '"'; at++) {
        at += t->text[at] == '\\';
    }
    return at < t->size ? at + 1 : t->size;
}

static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Whether a colon comes next, but for white space. */
static bool is_key(const text_reader *r, size_t at) {
    const value_table *t = r->table;
    TRY(r->open != NO_VALUE && t->items[r->open].form == FORM_OBJECT);
    while (at < t->size && is_space(t->text[at])) {
        at++;
    }
    return at < t->size && t->text[at] == ':';
}

static void read_string(text_reader *r) {
    size_t end = string_end(r->table, r->at);
    if (is_key(r, end)) {
        r->key = (uint32_t)r->at;
        r->key_end = (uint32_t)end;
        r->at = end;
        return;
    }
    value *v = add_value(r, FORM_STRING);
    bool whole = end - r->at >= 2 && r->table->text[end - 1] == '"';
    r->at = end;
    end_value(r, v, whole);
}

/* Numbers, literals, and whatever else stands where a value should. */
static void read_word(text_reader *r) {
    const value_table *t = r->table;
    value *v = add_value(r, FORM_WORD);
    for (r->at++; r->at < t->size; r->at++) {
        char c = t->text[r->at];
        if (is_space(c) || c == ',' || c == ']' || c == '}' || c == ':' || c == '"' || c == '[' ||
            c == '{') {
            break;
        }
    }
    end_value(r, v, true);
}

static void close_value(text_reader *r, bool whole) {
    r->at += whole;
    if (r->open != NO_VALUE) {
        value *v = &r->table->items[r->open];
        end_value(r, v, whole);
        r->open = v->parent;
    }
    r->key = NO_VALUE;
}

static void read_value(text_reader *r) {
    char c = r->table->text[r->at];
    if (c == '"') {
        read_string(r);
    } else if (c == '{' || c == '[') {
        add_value(r, c == '{' ? FORM_OBJECT : FORM_ARRAY);
        r->open = r->table->count - 1;
        r->at++;
    } else {
        read_word(r);
    }
}

void mutate_read(value_table *table, const char *text, size_t size) {
    text_reader r = {.table = table, .open = NO_VALUE, .key = NO_VALUE};
    table->text = text;
    table->size = size < NO_VALUE ? size : NO_VALUE - 1;
    table->count = 0;
    while (r.at < table->size && table->count < VALUES_MAX) {
        char c = text[r.at];
        if (is_space(c) || c == ',' || c == ':') {
            r.at++;
        } else if (c == '}' || c == ']') {
            close_value(&r, true);
        } else {
            read_value(&r);
        }
    }
    r.at = table->size;
    while (r.open != NO_VALUE) {
        close_value(&r, false);
    }
}

/* -------------------------------------------------------------------- types */

/* The member of a type that a value's key names. */
static uint8_t member_of_key(const value_table *t, const value *v, const ep_type *type) {
    if (v->key == NO_VALUE || v->key_end < v->key + 2) {
        return EP_NO_MEMBER;
    }
    return ep_type_find(type, t->text + v->key + 1, v->key_end - v->key - 2);
}

static bool key_is(const value_table *t, const value *v, const char *name) {
    size_t size = strlen(name);
    return v->key != NO_VALUE && v->key_end - v->key == size + 2 &&
           memcmp(t->text + v->key + 1, name, size) == 0;
}

static void type_member(value *v, const ep_type *type, uint8_t member) {
    if (member != EP_NO_MEMBER) {
        v->row = type->members[member].row;
        v->shape = type->members[member].shape;
    }
}

/* In any of the three forms that unions have had. SPEC 3.6.1 */
static void type_variant(const value_table *t, value *in, value *v) {
    const ep_type *type = in->shape->type;
    if (key_is(t, v, "$value")) {
        type_member(v, type, in->tag);
    } else if (key_is(t, v, "$type") && v->form == FORM_STRING && v->end - v->begin > 2) {
        in->tag = ep_type_find(type, t->text + v->begin + 1, v->end - v->begin - 2);
    } else {
        type_member(v, type, member_of_key(t, v, type));
    }
}

static void type_part(const value_table *t, value *in, value *v) {
    if (in->shape == NULL) {
        return;
    }
    v->row = in->row;
    if (in->shape->op == EP_OP_STRUCT && in->shape->type != NULL) {
        type_member(v, in->shape->type, member_of_key(t, v, in->shape->type));
    } else if (in->shape->op == EP_OP_UNION) {
        type_variant(t, in, v);
    } else if (in->shape->op == EP_OP_LIST || in->shape->op == EP_OP_DICT) {
        v->shape = in->shape->of;
    } else if (in->shape->op == EP_OP_TUPLE) {
        v->shape = in->item == 0 ? in->shape->of : in->shape->second;
        in->item = 1;
    }
}

bool mutate_is_config(const value_table *t) {
    return t->count > 1 && key_is(t, &t->items[1], "config");
}

void mutate_type(value_table *t, const ep_schema *schema) {
    t->schema = schema;
    for (uint32_t i = 0; i < t->count; i++) {
        value *v = &t->items[i];
        if (v->parent != NO_VALUE) {
            type_part(t, &t->items[v->parent], v);
        } else if (i == 0) {
            v->shape = &schema->shapes[mutate_is_config(t) ? EP_SHAPE_PayloadConfig
                                                           : EP_SHAPE_ExportedProgram];
        }
    }
}

/* By the name of the member alone: no two members of one name differ in this. */
static const struct {
    const char *member;
    language language;
} speakers[] = {
    {"expr_str", LANGUAGE_EXPRESSION}, {"in_spec", LANGUAGE_TREESPEC},
    {"out_spec", LANGUAGE_TREESPEC},   {"metadata", LANGUAGE_METADATA},
    {"target", LANGUAGE_TARGET},       {"as_operator", LANGUAGE_TARGET},
    {"guards_code", LANGUAGE_GUARD},   {"type", LANGUAGE_DEVICE},
};

language mutate_language(const value *v) {
    if (v->form != FORM_STRING || v->row == NULL || !has_op(v, EP_OP_STR)) {
        return LANGUAGE_NONE;
    }
    for (size_t i = 0; i < COUNT_OF(speakers); i++) {
        if (strcmp(v->row->name, speakers[i].member) == 0) {
            return speakers[i].language;
        }
    }
    return LANGUAGE_NONE;
}
