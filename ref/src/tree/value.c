/*
 * tree/value.c - the public functions that read a decoded program and the types of a
 * version.
 */
#include "base/error.h"
#include "schema/tree.h"

static const ep_shape *shape_of(ep_value value) {
    return value.shape;
}

static ep_value no_value(ep_value parent) {
    return (ep_value){parent.program, NULL, 0};
}

static ep_value value_of(ep_value parent, const ep_shape *shape, uint64_t bits) {
    return (ep_value){parent.program, shape, bits};
}

EP_API ep_value ep_program_root(const ep_program *program) {
    if (program == NULL) {
        return (ep_value){NULL, NULL, 0};
    }
    return (ep_value){program, &program->schema->shapes[EP_SHAPE_ExportedProgram],
                      ep_pointer_bits(program->root)};
}

EP_API ep_kind ep_value_kind(ep_value value) {
    if (value.shape == NULL) {
        return EP_KIND_NULL;
    }
    switch ((ep_op)shape_of(value)->op) {
    case EP_OP_STR:
        return EP_KIND_STR;
    case EP_OP_INT:
        return EP_KIND_INT;
    case EP_OP_OPEN_END:
        return EP_KIND_INFINITE; /* an int there has the shape of one: see struct_item */
    case EP_OP_FLOAT:
        return EP_KIND_FLOAT;
    case EP_OP_BOOL:
    case EP_OP_NONE_BOOL:
        return EP_KIND_BOOL;
    case EP_OP_UNIT:
        return EP_KIND_UNIT;
    case EP_OP_BYTES:
        return EP_KIND_BYTES;
    case EP_OP_ENUM:
        return EP_KIND_ENUM;
    case EP_OP_STRUCT:
        return EP_KIND_STRUCT;
    case EP_OP_UNION:
        return EP_KIND_UNION;
    case EP_OP_LIST:
        return EP_KIND_LIST;
    case EP_OP_DICT:
        return EP_KIND_DICT;
    case EP_OP_TUPLE:
        return EP_KIND_TUPLE;
    }
    EP_UNREACHABLE(); /* each has its case */
    return EP_KIND_NULL;
}

EP_API const char *ep_value_type(ep_value value) {
    return value.shape == NULL || shape_of(value)->type == NULL ? NULL
                                                                : shape_of(value)->type->name;
}

EP_API size_t ep_value_count(ep_value value) {
    switch (ep_value_kind(value)) {
    case EP_KIND_STRUCT:
        return shape_of(value)->type->count;
    case EP_KIND_UNION:
        return ep_node_at(value.bits)->tag == EP_NO_MEMBER ? 0 : 1;
    case EP_KIND_LIST:
    case EP_KIND_DICT:
    case EP_KIND_TUPLE:
        return ep_list_count(value.bits);
    case EP_KIND_NULL:
    case EP_KIND_STR:
    case EP_KIND_INT:
    case EP_KIND_FLOAT:
    case EP_KIND_BOOL:
    case EP_KIND_UNIT:
    case EP_KIND_BYTES:
    case EP_KIND_ENUM:
    case EP_KIND_INFINITE:
        break;
    }
    return 0;
}

/* The one default that is a text of its own; no string can have these bits. */
#define OLD_TORCH UINT64_MAX

/* No string of a document begins at its first byte. */
static bool is_default_text(uint64_t bits) {
    return bits == OLD_TORCH || ep_ref_offset(bits) == 0;
}

/* What an absent field reads as (SPEC 3.5.4): all but one default are 0. */
static ep_value default_of(ep_value parent, const ep_member *member) {
    switch ((ep_fallback)member->row->fallback) {
    case EP_FALLBACK_FALSE:
    case EP_FALLBACK_EMPTY_LIST:
    case EP_FALLBACK_EMPTY_DICT:
    case EP_FALLBACK_EMPTY_STR:
        return value_of(parent, member->shape, 0);
    case EP_FALLBACK_OLD_TORCH:
        return value_of(parent, member->shape, OLD_TORCH);
    case EP_FALLBACK_REQUIRED:
    case EP_FALLBACK_NONE:
        break;
    }
    return no_value(parent);
}

static ep_value struct_item(ep_value value, size_t i) {
    const ep_node *node = ep_node_at(value.bits);
    const ep_shape *shape = shape_of(value)->type->members[i].shape;
    bool present = (node->present >> i & 1) != 0;
    if (shape->op == EP_OP_OPEN_END) {
        const ep_shape *shapes = value.program->schema->shapes;
        return value_of(value, present ? &shapes[EP_SHAPE_int] : shape, node->slots[i]);
    }
    return present ? value_of(value, shape, node->slots[i])
                   : default_of(value, &shape_of(value)->type->members[i]);
}

EP_API ep_value ep_value_item(ep_value value, size_t i) {
    const ep_shape *shape = shape_of(value);
    size_t count = ep_value_count(value);
    if (i >= count) {
        return no_value(value);
    }
    if (shape->op == EP_OP_STRUCT) {
        return struct_item(value, i);
    }
    if (shape->op == EP_OP_UNION) {
        const ep_node *node = ep_node_at(value.bits);
        return value_of(value, shape->type->members[node->tag].shape, node->slots[0]);
    }
    const ep_list *list = ep_list_at(value.bits);
    bool second = shape->op == EP_OP_TUPLE && i == 1;
    size_t at = shape->op == EP_OP_DICT ? count + i : i;
    return value_of(value, second ? shape->second : shape->of, list->items[at]);
}

EP_API ep_value ep_value_field(ep_value value, const char *name) {
    ep_kind kind = ep_value_kind(value);
    if (name == NULL) {
        return no_value(value);
    }
    if (kind == EP_KIND_STRUCT) {
        uint8_t member = ep_type_find(shape_of(value)->type, name, ep_text_of(name).size);
        return member == EP_NO_MEMBER ? no_value(value) : struct_item(value, member);
    }
    const char *tag = kind == EP_KIND_UNION ? ep_value_name(value, 0) : NULL;
    bool same = tag != NULL && ep_text_equal(ep_text_of(tag), ep_text_of(name));
    return same ? ep_value_item(value, 0) : no_value(value);
}

EP_API const char *ep_value_name(ep_value value, size_t i) {
    ep_kind kind = ep_value_kind(value);
    if (kind != EP_KIND_STRUCT && kind != EP_KIND_UNION && kind != EP_KIND_ENUM) {
        return NULL;
    }
    const ep_type *type = shape_of(value)->type;
    if (kind == EP_KIND_STRUCT) {
        return i < type->count ? type->members[i].row->name : NULL;
    }
    uint8_t member = kind == EP_KIND_UNION ? ep_node_at(value.bits)->tag
                                           : ep_type_find_value(type, (int64_t)value.bits);
    return i > 0 || member == EP_NO_MEMBER ? NULL : type->members[member].row->name;
}

EP_API int64_t ep_value_int(ep_value value) {
    switch (ep_value_kind(value)) {
    case EP_KIND_INT:
    case EP_KIND_BOOL:
    case EP_KIND_ENUM:
    case EP_KIND_INFINITE:
        return (int64_t)value.bits;
    case EP_KIND_NULL:
    case EP_KIND_STR:
    case EP_KIND_FLOAT:
    case EP_KIND_UNIT:
    case EP_KIND_BYTES:
    case EP_KIND_STRUCT:
    case EP_KIND_UNION:
    case EP_KIND_LIST:
    case EP_KIND_DICT:
    case EP_KIND_TUPLE:
        break;
    }
    return 0;
}

EP_API double ep_value_float(ep_value value) {
    return ep_value_kind(value) == EP_KIND_FLOAT ? ep_float_of(value.bits) : 0;
}

static bool get_text(const ep_program *program, ep_ref ref, ep_arena *arena, ep_bytes *text) {
    if (ref == OLD_TORCH) {
        *text = EP_TEXT("<=2.4");
        return true;
    }
    ep_bytes raw = ep_ref_raw(program->input.data, ref);
    if ((ep_ref_flags(ref) & EP_REF_ESCAPED) == 0) {
        *text = raw;
        return true;
    }
    char *copy = ep_arena_alloc(arena, raw.size);
    TRY(copy != NULL);
    *text = (ep_bytes){copy, ep_text_decode(program->input.data, ref, copy)};
    return true;
}

EP_API bool ep_value_text(ep_value value, ep_arena *arena, ep_bytes *text) {
    ep_kind kind = ep_value_kind(value);
    TRY(text != NULL);
    *text = EP_TEXT("");
    TRY(arena != NULL && (kind == EP_KIND_STR || kind == EP_KIND_BYTES));
    return get_text(value.program, value.bits, arena, text);
}

EP_API bool ep_value_key(ep_value value, size_t i, ep_arena *arena, ep_bytes *text) {
    TRY(text != NULL);
    *text = EP_TEXT("");
    TRY(arena != NULL && ep_value_kind(value) == EP_KIND_DICT && i < ep_value_count(value));
    return get_text(value.program, ep_list_at(value.bits)->items[i], arena, text);
}

EP_API size_t ep_value_offset(ep_value value) {
    switch (ep_value_kind(value)) {
    case EP_KIND_STR:
    case EP_KIND_BYTES:
        return is_default_text(value.bits) ? 0 : ep_ref_offset(value.bits) - 1; /* its quote */
    case EP_KIND_STRUCT:
    case EP_KIND_UNION:
        return ep_node_at(value.bits)->offset;
    case EP_KIND_NULL:
    case EP_KIND_INT:
    case EP_KIND_FLOAT:
    case EP_KIND_BOOL:
    case EP_KIND_UNIT:
    case EP_KIND_ENUM:
    case EP_KIND_LIST:
    case EP_KIND_DICT:
    case EP_KIND_TUPLE:
    case EP_KIND_INFINITE:
        break;
    }
    return 0;
}

/* ------------------------------------------------------------------- schemas */

EP_API bool ep_schema_open(ep_arena *arena, const ep_version *version, const ep_schema **schema,
                           ep_error *error) {
    if (schema != NULL) {
        *schema = NULL;
    }
    if (arena == NULL || version == NULL || schema == NULL) {
        return ep_error_argument(error, EP_NULL_GIVEN);
    }
    *schema = ep_schema_make(arena, version);
    if (*schema == NULL) {
        return ep_error_plain(error, EP_MEMORY);
    }
    ep_error_clear(error);
    return true;
}

/* The i-th type that the version has; NULL past the end. */
static const ep_type *type_at(const ep_schema *schema, size_t i) {
    for (size_t t = 0; schema != NULL && t < EP_TYPE_COUNT; t++) {
        if (schema->types[t] != NULL && i-- == 0) {
            return schema->types[t];
        }
    }
    return NULL;
}

static const ep_member *member_at(const ep_schema *schema, size_t i, size_t member) {
    const ep_type *type = type_at(schema, i);
    return type != NULL && member < type->count ? &type->members[member] : NULL;
}

EP_API bool ep_schema_type(const ep_schema *schema, size_t i, ep_type_info *info) {
    const ep_type *type = type_at(schema, i);
    TRY(type != NULL && info != NULL);
    *info = (ep_type_info){type->name, (ep_kind)type->kind, type->count};
    return true;
}

EP_API bool ep_schema_member(const ep_schema *schema, size_t i, size_t member,
                             ep_member_info *info) {
    const ep_member *m = member_at(schema, i, member);
    TRY(m != NULL && info != NULL);
    bool enumerator = type_at(schema, i)->kind == EP_KIND_ENUM;
    ep_fallback fallback = (ep_fallback)m->row->fallback;
    bool required = fallback == EP_FALLBACK_REQUIRED;
    *info = (ep_member_info){.name = m->row->name};
    info->default_json = required ? NULL : ep_fallback_json(fallback).data;
    info->id = !enumerator && schema->version->field_ids ? m->row->id : 0;
    info->value = enumerator ? m->row->id : 0;
    return true;
}

EP_API size_t ep_schema_member_type(const ep_schema *schema, size_t i, size_t member, char *text,
                                    size_t size) {
    const ep_member *m = member_at(schema, i, member);
    bool nowhere = text == NULL && size > 0;
    if (nowhere || m == NULL || type_at(schema, i)->kind == EP_KIND_ENUM) {
        return 0;
    }
    return ep_shape_text(m->shape, text, size);
}

EP_API void ep_value_place(ep_value value, ep_error *place) {
    static const ep_error nowhere;
    ep_kind kind = ep_value_kind(value);
    bool text = (kind == EP_KIND_STR || kind == EP_KIND_BYTES) && !is_default_text(value.bits);
    ep_fault fault = {.offset = ep_value_offset(value)};
    if (place == NULL) {
        return;
    }
    *place = nowhere;
    if (text || kind == EP_KIND_STRUCT || kind == EP_KIND_UNION) {
        ep_error_fill(place, value.program->input, &fault);
    }
}
