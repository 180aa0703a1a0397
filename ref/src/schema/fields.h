/*
 * schema/fields.h - members of the tree by name. The slot of a member differs by
 * version; code above the codec asks for Graph.nodes or as_tensor, and finds nothing
 * where the version has no such member.
 */
#ifndef EP_FIELDS_H
#define EP_FIELDS_H

#include "schema/tree.h"

#define MEMBER(type, member) EP_F_##type##_##member,
typedef enum ep_field {
#include "schema/fields.def"
    EP_FIELD_COUNT,
    EP_F_none = EP_FIELD_COUNT /* a tag that no stage asks for */
} ep_field;
#undef MEMBER

typedef struct ep_fields {
    const ep_schema *schema;
    uint8_t slot[EP_FIELD_COUNT];                 /* or EP_NO_MEMBER */
    uint8_t field[EP_TYPE_COUNT][EP_MEMBERS_MAX]; /* of a union's tag, an ep_field */
} ep_fields;

/* The names in the view of a version; not in need of being freed. Bounded by
 * the history. */
void ep_fields_open(ep_fields *fields, const ep_schema *schema);

/* The number of the type that has a field, from 0. */
uint8_t ep_field_type(ep_field field);

/* Whether the version has the field, and the node a value for it. */
static inline bool ep_field_present(const ep_fields *fields, const ep_node *node, ep_field field) {
    uint8_t slot = fields->slot[field];
    return slot != EP_NO_MEMBER && (node->present >> slot & 1) != 0;
}

/* The slot's bits: 0, which is nothing, empty or false, where it is absent. Not of an end
 * of a range, whose slot is then its sign. */
static inline uint64_t ep_field_bits(const ep_fields *fields, const ep_node *node, ep_field field) {
    uint8_t slot = fields->slot[field];
    return slot != EP_NO_MEMBER ? node->slots[slot] : 0;
}

/* A field that holds a struct or union; NULL where it is absent. */
static inline const ep_node *ep_field_node(const ep_fields *fields, const ep_node *node,
                                           ep_field field) {
    return ep_node_at(ep_field_bits(fields, node, field));
}

/* The same of a tree that may be changed. */
static inline ep_node *ep_field_mutable(const ep_fields *fields, const ep_node *node,
                                        ep_field field) {
    return ep_node_mutable(ep_field_bits(fields, node, field));
}

/* The tag of a union. */
static inline ep_field ep_tag(const ep_fields *fields, const ep_node *node) {
    return (ep_field)fields->field[node->type][node->tag];
}

/* The value under the tag, when that is a struct or union. */
static inline const ep_node *ep_tag_node(const ep_node *node) {
    return ep_node_at(node->slots[0]);
}

/* The items of a list, and the i-th as a node. */
static inline const ep_node *ep_item_node(uint64_t list, size_t i) {
    return ep_node_at(ep_list_at(list)->items[i]);
}

static inline ep_node *ep_item_mutable(uint64_t list, size_t i) {
    return ep_node_mutable(ep_list_at(list)->items[i]);
}

/* The i-th key of a dict, and the value under it. */
static inline ep_ref ep_dict_key(uint64_t dict, size_t i) {
    return ep_list_at(dict)->items[i];
}

static inline uint64_t ep_dict_value(uint64_t dict, size_t i) {
    return ep_list_at(dict)->items[ep_list_at(dict)->count + i];
}

/* The slow path of ep_ref_text. */
bool ep_ref_decode(ep_arena *arena, ep_bytes input, ep_ref ref, ep_bytes *text);

/* The decoded text of a string; in the arena if it has escapes. False for want
 * of memory. */
static inline bool ep_ref_text(ep_arena *arena, ep_bytes input, ep_ref ref, ep_bytes *text) {
    *text = ep_ref_raw(input.data, ref);
    return EP_LIKELY((ep_ref_flags(ref) & EP_REF_ESCAPED) == 0) ||
           ep_ref_decode(arena, input, ref, text);
}

#endif
