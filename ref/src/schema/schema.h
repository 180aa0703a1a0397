/*
 * schema/schema.h - the history of all types as rows, and the view of one version,
 * which drives decode, encode and every later stage.
 */
#ifndef EP_SCHEMA_H
#define EP_SCHEMA_H

#include "base/arena.h"

/* The versions, numbered in the order of the history. */
#define VERSION(symbol, ...) EP_##symbol,
typedef enum ep_version_number {
#include "schema/version.def"
    EP_FUTURE
} ep_version_number;
#undef VERSION

/* The names of types and shapes, numbered; a type's shape has its number. */
typedef enum ep_shape_number {
    EP_SHAPE_none,
    EP_SHAPE_str,
    EP_SHAPE_int,
    EP_SHAPE_float,
    EP_SHAPE_bool,
    EP_SHAPE_unit,
    EP_SHAPE_bytes,
    EP_SHAPE_FIRST_TYPE,
    EP_SHAPE_BEFORE_TYPES = EP_SHAPE_FIRST_TYPE - 1,
#define NAME(type) EP_SHAPE_##type,
#include "schema/schema.def"
    EP_SHAPE_AFTER_TYPES,
    EP_SHAPE_BEFORE_SHAPES = EP_SHAPE_AFTER_TYPES - 1,
#define SHAPE(name, form, of, second) EP_SHAPE_##name,
#include "schema/schema.def"
    EP_SHAPE_COUNT
} ep_shape_number;

/* The rows of members, numbered. */
#define EP_ROW(type, name, since) EP_ROW_##type##_##name##_##since
#define FIELD(type, name, shape, fallback, id, since, until) EP_ROW(type, name, since),
#define VARIANT(type, name, shape, id, since, until) EP_ROW(type, name, since),
#define ENUMERATOR(type, name, value, since, until) EP_ROW(type, name, since),
typedef enum ep_row_number {
#include "schema/schema.def"
    EP_ROW_COUNT
} ep_row_number;

enum { EP_TYPE_COUNT = EP_SHAPE_AFTER_TYPES - EP_SHAPE_FIRST_TYPE };

/* What a reader does with a value. */
typedef enum ep_op {
    EP_OP_STR,
    EP_OP_INT,
    EP_OP_FLOAT,
    EP_OP_BOOL,
    EP_OP_UNIT,
    EP_OP_NONE_BOOL, /* the bool of a tag as_none: always true (SPEC 3.6.7) */
    EP_OP_BYTES,
    EP_OP_OPEN_END, /* an int, or a bare infinity (SPEC 2.7.1) */
    EP_OP_ENUM,
    EP_OP_STRUCT, /* from here on: a frame of its own */
    EP_OP_UNION,
    EP_OP_LIST,
    EP_OP_DICT,
    EP_OP_TUPLE
} ep_op;

/* What a field's value is while it is absent. */
typedef enum ep_fallback {
    EP_FALLBACK_REQUIRED,
    EP_FALLBACK_NONE,
    EP_FALLBACK_FALSE,
    EP_FALLBACK_EMPTY_LIST,
    EP_FALLBACK_EMPTY_DICT,
    EP_FALLBACK_EMPTY_STR,
    EP_FALLBACK_OLD_TORCH /* "<=2.4" */
} ep_fallback;

enum { EP_LITERAL_SIZE = 40 };

/* One row of the history: a field, a variant or an enumerator. */
typedef struct ep_row {
    char literal[EP_LITERAL_SIZE]; /* "name": with quotes, colon and space, zero-filled */
    const char *name;
    uint8_t name_size;
    uint8_t literal_size;
    uint8_t type;     /* from 0 */
    uint8_t shape;    /* ep_shape_number */
    uint8_t fallback; /* ep_fallback */
    uint8_t since;    /* ep_version_number */
    uint8_t until;
    int16_t id;       /* of a field or variant; the value of an enumerator */
    uint16_t ordinal; /* ep_row_number */
} ep_row;

struct ep_type;

/* A shape in the view of a version. */
typedef struct ep_shape {
    uint8_t op; /* ep_op */
    bool nullable;
    uint8_t number;             /* ep_shape_number */
    const struct ep_type *type; /* of an enum, struct or union */
    const struct ep_shape *of;  /* of a list, dict, tuple, or an optional's own */
    const struct ep_shape *second;
} ep_shape;

typedef struct ep_member {
    const ep_row *row;
    const ep_shape *shape;
} ep_member;

enum {
    EP_MEMBERS_MAX = 48, /* fewer than the bits of a mask */
    EP_FIELDS_MAX = 16,  /* of a struct: the bits of a node's presence mask */
    EP_NO_MEMBER = 0xFF
};

/* A type in the view of a version. */
typedef struct ep_type {
    const char *name;
    uint8_t number; /* from 0 */
    uint8_t kind;   /* ep_kind */
    uint8_t count;
    uint64_t required; /* a bit for every member that may not be absent */
    const ep_member *members;
} ep_type;

struct ep_schema {
    const ep_version *version;
    const ep_type *root;                 /* ExportedProgram */
    const ep_type *types[EP_TYPE_COUNT]; /* NULL where the version has none */
    uint8_t numbers[EP_ROW_COUNT];       /* of each row's member, where the version has it */
    ep_shape shapes[EP_SHAPE_COUNT];
};

/* The version's number in the history. */
ep_version_number ep_version_number_of(const ep_version *version);

/* The version that owns a number, or the one below it of the same major when
 * newer ones are let pass; NULL if there is none. */
const ep_version *ep_version_of_number(int32_t major, int32_t minor, bool forward);

/* Makes the view of a version; NULL for want of memory. */
ep_schema *ep_schema_make(ep_arena *arena, const ep_version *version);

/* The number of the member that has a name, or EP_NO_MEMBER. */
uint8_t ep_type_find(const ep_type *type, const char *name, size_t size);

/* From which version to before which one a type had a member, or an enum a
 * value; since is past the end of the history if it never did. */
typedef struct ep_range {
    uint8_t since;
    uint8_t until;
} ep_range;

ep_range ep_history_of(const ep_type *type, ep_bytes name);
ep_range ep_history_of_value(const ep_type *type, int64_t value);

/* The member of an enum that has a value, or EP_NO_MEMBER. */
static inline uint8_t ep_type_find_value(const ep_type *type, int64_t value) {
    for (uint8_t i = 0; i != type->count; i++) {
        if (type->members[i].row->id == value) {
            return i;
        }
    }
    return EP_NO_MEMBER;
}

/* The member of an enum, of another version, that is the same enumerator, also where
 * PyTorch has renamed it; or EP_NO_MEMBER. SPEC 7.2.3 */
uint8_t ep_enumerator_find(const ep_type *type, const ep_row *row);

/* What torch 2.1 and 2.4 write for a range without a maximum, in versions that have
 * no word for it. SPEC 7.2.6 */
#define EP_INT_OO (INT64_MAX - 1)

/* The JSON text of a fallback; null for what has none. */
ep_bytes ep_fallback_json(ep_fallback fallback);

/* "list<SymInt>", cut to size; returns the whole length. */
size_t ep_shape_text(const ep_shape *shape, char *text, size_t size);

#endif
