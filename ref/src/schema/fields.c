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

/* Names stand in the order of the members, mostly: a guess is right, mostly. */
static uint8_t find(const ep_type *type, const member_name *name, uint8_t guess) {
    if (type == NULL) {
        return EP_NO_MEMBER;
    }
    const ep_row *row = guess < type->count ? type->members[guess].row : NULL;
    bool right = row != NULL && ep_text_equal((ep_bytes){row->name, row->name_size},
                                              (ep_bytes){name->name, name->size});
    return right ? guess : ep_type_find(type, name->name, name->size);
}

void ep_fields_open(ep_fields *fields, const ep_schema *schema) {
    uint8_t guess = 0;
    fields->schema = schema;
    memset(fields->field, EP_F_none, sizeof fields->field);
    for (size_t i = 0; i < EP_FIELD_COUNT; i++) {
        guess = i > 0 && names[i].type == names[i - 1].type ? guess : 0;
        uint8_t slot = find(schema->types[names[i].type], &names[i], guess);
        fields->slot[i] = slot;
        if (slot != EP_NO_MEMBER) {
            fields->field[names[i].type][slot] = (uint8_t)i;
            guess = (uint8_t)(slot + 1);
        }
    }
}

bool ep_ref_decode(ep_arena *arena, ep_bytes input, ep_ref ref, ep_bytes *text) {
    char *buffer = ep_arena_alloc(arena, ep_ref_size(ref));
    TRY(buffer != NULL);
    *text = (ep_bytes){buffer, ep_text_decode(input.data, ref, buffer)};
    return true;
}
