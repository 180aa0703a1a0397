/*
 * tree/maker.h - construction of a typed tree for one version: nodes by the numbers of
 * their types, members by their names, texts in one growing text that becomes the input
 * of the program. The rows decide what the version has; a member that it lacks is
 * distinguished from a failure.
 */
#ifndef EP_MAKER_H
#define EP_MAKER_H

#include "base/map.h"
#include "codec/encode.h"
#include "schema/fields.h"

/* Bytes that grow. */
typedef struct ep_growing {
    ep_arena *arena;
    char *data;
    size_t size;
    size_t capacity;
} ep_growing;

void ep_growing_init(ep_growing *growing, ep_arena *arena);
void ep_growing_free(ep_growing *growing);

/* Appends; false for want of memory. */
bool ep_growing_put(ep_growing *growing, ep_bytes bytes);

/* The bytes as they are now, copied into an arena. False for want of memory. */
bool ep_growing_keep(const ep_growing *growing, ep_arena *arena, ep_bytes *kept);

/* Appends a text with the escapes that it has between the quotes of a JSON string
 * (SPEC 3.9.3). False for want of memory, or when the text is not UTF-8; *code is
 * the reason. */
bool ep_growing_put_escaped(ep_growing *growing, ep_bytes text, ep_code *code);

typedef struct ep_maker {
    ep_arena *arena; /* keeps the tree */
    ep_fields fields;
    ep_growing text; /* the strings of the tree, without their quotes */
    ep_map known;    /* texts that stand in it already ... */
    ep_stack refs;   /* ... and where, by the map's numbers */
    ep_code code;    /* EP_OK, or the first failure: it sticks */
} ep_maker;

/* A maker of trees of a version. False for want of memory. */
bool ep_maker_open(ep_maker *maker, ep_arena *arena, const ep_schema *schema);

/* A maker whose trees can use the strings of a program: its text begins with the
 * program's input. */
bool ep_maker_open_on(ep_maker *maker, ep_arena *arena, const ep_schema *schema, ep_bytes input);

/* Frees all but the tree; the tree's strings are freed too. */
void ep_maker_free(ep_maker *maker);

/* Records a failure; always false. */
bool ep_maker_fail(ep_maker *maker, ep_code code);

/* A string. The text is copied. Errors: EP_ARGUMENT for what is no UTF-8,
 * EP_LIMIT_STRING, EP_LIMIT_BYTES, EP_MEMORY. The length of the text. */
bool ep_maker_text(ep_maker *maker, ep_bytes text, uint64_t *bits);

/* A string of letters and digits, which is not interned: for names, which occur once. */
bool ep_maker_name(ep_maker *maker, ep_bytes name, uint64_t *bits);

/* The type of a number in the version; NULL if it has none. */
static inline const ep_type *ep_maker_type(const ep_maker *maker, ep_shape_number type) {
    return maker->fields.schema->types[type - EP_SHAPE_FIRST_TYPE];
}

/* Whether the version has a member. */
static inline bool ep_maker_has(const ep_maker *maker, ep_field field) {
    return maker->fields.slot[field] != EP_NO_MEMBER;
}

/* The shape of a member that the version has. */
const ep_shape *ep_maker_shape(const ep_maker *maker, ep_shape_number type, ep_field field);

/* A struct without any member yet. NULL for want of memory, or when the
 * version has no such type, which is then EP_ARGUMENT. */
ep_node *ep_maker_struct(ep_maker *maker, ep_shape_number type);

/* Gives a struct's member a value; nothing happens when the version has no
 * such member. */
void ep_maker_set(const ep_maker *maker, ep_node *node, ep_field field, uint64_t bits);

/* A union that holds a value under a tag. NULL for want of memory, or when the
 * version has no such tag, which is then EP_ARGUMENT. */
ep_node *ep_maker_union(ep_maker *maker, ep_shape_number type, ep_field tag, uint64_t bits);

/* The value of an enumerator by its name. EP_ARGUMENT if the version has none. */
bool ep_maker_enum(ep_maker *maker, ep_shape_number type, ep_bytes name, uint64_t *bits);

/* A list of items, or a dict of keys and as many values. */
bool ep_maker_list(ep_maker *maker, const uint64_t *items, size_t count, uint64_t *bits);
bool ep_maker_dict(ep_maker *maker, const ep_stack *keys, const ep_stack *values, uint64_t *bits);

/* The tree as a program, for as long as the maker is. */
ep_program ep_maker_program(const ep_maker *maker, const ep_node *root);

/* Appends a value of a program that can be encoded, as it is written (SPEC 3.9). False
 * for want of memory. */
bool ep_maker_encode_value(const ep_program *program, const ep_encoded *value, ep_arena *arena,
                           ep_growing *text);

/* The text of a program that can be encoded, in the arena. False for want of memory. */
bool ep_maker_encode(const ep_program *program, ep_arena *arena, ep_bytes *text);

#endif
