/*
 * schema/fields.c - see fields.h.
 */
#include "schema/fields.h"

typedef struct member_name {
    uint8_t type; /* from 0 */
    uint8_t size;
    const char *name;
} member_name;

#define MEMBER(type, member) {EP_SHAPE_##type - EP_SHAPE_FIRST_TYPE, sizeof #member - 1, #member},
static const member_name names[EP_FIELD_COUNT] = {
#include "schema/fields.def"
};
#undef MEMBER

_Static_assert(EP_F_none <= UINT8_MAX, "a field fits in a byte");

uint8_t ep_field_type(ep_field field) {
    return names[field].type;
}

void ep_fields_open(ep_fields *fields, const ep_schema *schema) {
    fields->schema = schema;
    memset(fields->field, EP_F_none, sizeof fields->field);
    for (size_t i = 0; i < EP_FIELD_COUNT; i++) {
        const ep_type *type = schema->types[names[i].type];
        uint8_t slot =
            type == NULL ? EP_NO_MEMBER : ep_type_find(type, names[i].name, names[i].size);
        fields->slot[i] = slot;
        if (slot != EP_NO_MEMBER) {
            fields->field[names[i].type][slot] = (uint8_t)i;
        }
    }
}

bool ep_ref_decode(ep_arena *arena, ep_bytes input, ep_ref ref, ep_bytes *text) {
    char *buffer = ep_arena_alloc(arena, ep_ref_size(ref));
    TRY(buffer != NULL);
    *text = (ep_bytes){buffer, ep_text_decode(input.data, ref, buffer)};
    return true;
}
