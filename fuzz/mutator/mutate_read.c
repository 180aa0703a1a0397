/*
 * mutator/mutate_read.c - of what types the values of a text are. The text may be broken in
 * any way.
 */
#include "mutator/mutate_work.h"

#include <string.h>

/* The member of a type that a text between quotes names. */
static uint8_t member_named(const value_table *t, const ep_type *type, size_t begin, size_t end) {
    return end < begin + 2 ? EP_NO_MEMBER
                           : ep_type_find(type, t->text.data + begin + 1, end - begin - 2);
}

static void type_member(value *v, const ep_type *type, uint8_t member) {
    if (member != EP_NO_MEMBER) {
        v->row = type->members[member].row;
        v->shape = type->members[member].shape;
    }
}

/* Unions in any of the three forms that they have had. SPEC 3.6.1 */
static void type_part(const value_table *t, value *in, value *v) {
    const ep_type *type = in->shape->type;
    v->row = in->row;
    switch ((int)in->shape->op) {
    case EP_OP_STRUCT:
    case EP_OP_UNION:
        if (type == NULL || v->key == 0) {
            break;
        }
        if (in->shape->op == EP_OP_STRUCT || t->text.data[v->key + 1] != '$') {
            type_member(v, type, member_named(t, type, v->key, v->key_end));
        } else if (place_key_is(t, v, "$value")) {
            type_member(v, type, in->tag);
        } else if (place_key_is(t, v, "$type") && v->form == FORM_STRING) {
            in->tag = member_named(t, type, v->begin, v->end);
        }
        break;
    case EP_OP_LIST:
    case EP_OP_DICT:
        v->shape = in->shape->of;
        break;
    case EP_OP_TUPLE:
        v->shape = v->index == 0 ? in->shape->of : in->shape->second;
        break;
    }
}

bool mutate_is_config(const value_table *t) {
    return t->count > 1 && place_key_is(t, &t->items[1], "config");
}

void mutate_type(value_table *t, const ep_schema *schema) {
    t->schema = schema;
    for (size_t i = 0; i < t->count; i++) {
        value *v = &t->items[i];
        value *in = v->parent == NO_PLACE ? NULL : &t->items[v->parent];
        v->row = NULL;
        v->shape = NULL;
        v->tag = EP_NO_MEMBER;
        if (i == 0) {
            v->shape = &schema->shapes[mutate_is_config(t) ? EP_SHAPE_PayloadConfig
                                                           : EP_SHAPE_ExportedProgram];
        } else if (in != NULL && in->shape != NULL) {
            type_part(t, in, v);
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
    bool string = v->form == FORM_STRING && v->row != NULL && has_op(v, EP_OP_STR);
    for (size_t i = 0; string && i < COUNT_OF(speakers); i++) {
        if (strcmp(v->row->name, speakers[i].member) == 0) {
            return speakers[i].language;
        }
    }
    return LANGUAGE_NONE;
}
