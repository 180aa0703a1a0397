/*
 * schema/schema.c - the rows of schema.def and version.def, and the view of
 * one version: the rows whose range holds it, each shape resolved to what a
 * reader does with it. Appendix A of SPEC.md is printed from these tables.
 */
#include "schema/schema.h"

/* ------------------------------------------------------------------- rows */

#define OWNER true
#define SIBLING false
#define IDS true
#define NO_IDS false
#define VERSION(symbol, name, major, minor, last, owner, unions, nulls, nonfinite, ids, treespec,  \
                marker, releases, note)                                                            \
    {name,                                                                                         \
     major,                                                                                        \
     minor,                                                                                        \
     last,                                                                                         \
     owner,                                                                                        \
     EP_UNION_##unions,                                                                            \
     EP_NULL_##nulls,                                                                              \
     EP_NONFINITE_##nonfinite,                                                                     \
     ids,                                                                                          \
     treespec,                                                                                     \
     marker,                                                                                       \
     releases,                                                                                     \
     note},
static const ep_version versions[] = {
#include "schema/version.def"
};
#undef VERSION

typedef struct type_row {
    uint8_t type; /* from 0 */
    uint8_t kind; /* ep_kind */
    uint8_t since;
    uint8_t until;
    const char *name;
} type_row;

typedef enum shape_form {
    FORM_SCALAR,
    FORM_TYPE,
    FORM_OPEN_END,
    FORM_OPTIONAL,
    FORM_LIST,
    FORM_DICT,
    FORM_TUPLE
} shape_form;

typedef struct shape_row {
    uint8_t form;
    uint8_t of;
    uint8_t second;
    uint8_t op;       /* of a scalar */
    const char *name; /* of a scalar or a type */
} shape_row;

#define TYPE_OF(type) (EP_SHAPE_##type - EP_SHAPE_FIRST_TYPE)

#define TYPE(type, kind, clause, since, until)                                                     \
    {TYPE_OF(type), EP_KIND_##kind, EP_##since, EP_##until, #type},
static const type_row type_rows[] = {
#include "schema/schema.def"
};

#define ROW(of, called, made, otherwise, number, first, last)                                      \
    {.literal = "\"" #called "\": ",                                                               \
     .name = #called,                                                                              \
     .name_size = sizeof(#called) - 1,                                                             \
     .literal_size = sizeof(#called) + 3,                                                          \
     .type = TYPE_OF(of),                                                                          \
     .shape = (made),                                                                              \
     .fallback = EP_FALLBACK_##otherwise,                                                          \
     .since = EP_##first,                                                                          \
     .until = EP_##last,                                                                           \
     .id = (number),                                                                               \
     .ordinal = EP_ROW(of, called, first)},
#define FIELD(type, name, shape, fallback, id, since, until)                                       \
    ROW(type, name, EP_SHAPE_##shape, fallback, id, since, until)
#define VARIANT(type, name, shape, id, since, until)                                               \
    ROW(type, name, EP_SHAPE_##shape, REQUIRED, id, since, until)
#define ENUMERATOR(type, name, value, since, until)                                                \
    ROW(type, name, EP_SHAPE_none, REQUIRED, value, since, until)
static const ep_row rows[] = {
#include "schema/schema.def"
};

#define NAME(type) [EP_SHAPE_##type] = {FORM_TYPE, 0, 0, 0, #type},
#define SHAPE(name, form, of, second)                                                              \
    [EP_SHAPE_##name] = {FORM_##form, EP_SHAPE_##of, EP_SHAPE_##second, 0, NULL},
#define SCALAR(name, op) [EP_SHAPE_##name] = {FORM_SCALAR, 0, 0, EP_OP_##op, #name},
static const shape_row shape_rows[EP_SHAPE_COUNT] = {
    SCALAR(none, NONE_BOOL) SCALAR(str, STR) SCALAR(int, INT) SCALAR(float, FLOAT)
        SCALAR(bool, BOOL) SCALAR(unit, UNIT) SCALAR(bytes, BYTES)
#include "schema/schema.def"
};

/* --------------------------------------------------------------- versions */

EP_API const ep_version *ep_version_at(size_t i) {
    return i < EP_COUNT_OF(versions) ? &versions[i] : NULL;
}

ep_version_number ep_version_number_of(const ep_version *version) {
    return (ep_version_number)(version - versions);
}

/* Whether a release, "2.4.1", is the one asked for: itself, or by "2.4". */
static bool is_release(ep_bytes release, ep_bytes wanted) {
    return release.size >= wanted.size && memcmp(release.data, wanted.data, wanted.size) == 0 &&
           (release.size == wanted.size || release.data[wanted.size] == '.');
}

static bool has_release(const ep_version *version, ep_bytes wanted) {
    if (version->releases == NULL) {
        return false;
    }
    for (const char *p = version->releases; *p != '\0';) {
        ep_bytes release = {p, 0};
        while (p[release.size] != '\0' && p[release.size] != ' ') {
            release.size++;
        }
        if (is_release(release, wanted)) {
            return true;
        }
        p += release.size;
        p += *p == ' ';
    }
    return false;
}

EP_API const ep_version *ep_version_find(const char *name) {
    ep_bytes wanted = name == NULL ? EP_TEXT("") : ep_text_of(name);
    if (ep_text_equal(wanted, EP_TEXT("latest"))) {
        return &versions[EP_COUNT_OF(versions) - 1];
    }
    bool by_release = wanted.size > 6 && memcmp(name, "torch-", 6) == 0;
    for (size_t i = 0; i < EP_COUNT_OF(versions); i++) {
        bool found = by_release ? has_release(&versions[i], ep_text_of(name + 6))
                                : ep_text_equal(wanted, ep_text_of(versions[i].name));
        if (found) {
            return &versions[i];
        }
    }
    return NULL;
}

const ep_version *ep_version_of_number(int32_t major, int32_t minor, bool forward) {
    const ep_version *below = NULL;
    for (size_t i = 0; i < EP_COUNT_OF(versions); i++) {
        const ep_version *v = &versions[i];
        if (!v->owns_number || v->major != major || (v->minor < 0) != (minor < 0)) {
            continue;
        }
        if (v->minor <= minor && minor <= v->minor_last) {
            return v; /* SPEC 3.1.3 */
        }
        /* versions rise */
        if (v->minor < minor && (below == NULL || EP_ALWAYS(below->minor < v->minor))) {
            below = v; /* SPEC 3.10.1 */
        }
    }
    return forward ? below : NULL;
}

/* ------------------------------------------------------------------- views */

static bool holds(uint8_t since, uint8_t until, ep_version_number version) {
    return since <= version && version < until;
}

uint8_t ep_type_find(const ep_type *type, const char *name, size_t size) {
    for (uint8_t i = 0; i < type->count; i++) {
        const ep_row *row = type->members[i].row;
        if (row->name_size == size && memcmp(row->name, name, size) == 0) {
            return i;
        }
    }
    return EP_NO_MEMBER;
}

/* The shape of a member: as_none is true and never false. */
static const ep_shape *member_shape(const ep_schema *schema, const ep_row *row, uint8_t kind) {
    bool none = kind == EP_KIND_UNION && row->shape == EP_SHAPE_bool &&
                ep_text_equal(ep_text_of(row->name), EP_TEXT("as_none"));
    return &schema->shapes[none ? EP_SHAPE_none : row->shape];
}

/* The rows of a type are together, and so are its members. */
static bool make_types(ep_schema *schema, ep_arena *arena, ep_type **types) {
    ep_version_number version = ep_version_number_of(schema->version);
    ep_type *next = ep_arena_array(arena, 0, EP_TYPE_COUNT, sizeof *next);
    TRY(next != NULL);
    for (size_t i = 0; i < EP_COUNT_OF(type_rows); i++) {
        const type_row *row = &type_rows[i];
        if (holds(row->since, row->until, version)) {
            *next = (ep_type){.name = row->name, .number = row->type, .kind = row->kind};
            schema->types[row->type] = types[row->type] = next++;
        }
    }
    return true;
}

static bool make_members(ep_schema *schema, ep_arena *arena, ep_type *const *types) {
    ep_version_number version = ep_version_number_of(schema->version);
    ep_member *next = ep_arena_array(arena, 0, EP_ROW_COUNT, sizeof *next);
    TRY(next != NULL);
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        const ep_row *row = &rows[i];
        ep_type *type = types[row->type];
        if (type == NULL || !holds(row->since, row->until, version)) {
            continue;
        }
        if (type->count == 0) {
            type->members = next;
        }
        *next++ = (ep_member){row, member_shape(schema, row, type->kind)};
        schema->numbers[i] = type->count;
        type->required |= (uint64_t)(row->fallback == EP_FALLBACK_REQUIRED) << type->count;
        type->count++;
    }
    return true;
}

static uint8_t op_of_kind(const ep_type *type) {
    if (type == NULL || type->kind == EP_KIND_STRUCT) {
        return EP_OP_STRUCT;
    }
    return type->kind == EP_KIND_UNION ? EP_OP_UNION : EP_OP_ENUM;
}

static uint8_t op_of_form(uint8_t form) {
    switch ((shape_form)form) {
    case FORM_LIST:
        return EP_OP_LIST;
    case FORM_DICT:
        return EP_OP_DICT;
    case FORM_TUPLE:
        return EP_OP_TUPLE;
    case FORM_OPEN_END:
        return EP_OP_OPEN_END;
    case FORM_SCALAR:
    case FORM_TYPE:
    case FORM_OPTIONAL:
        break;
    }
    EP_UNREACHABLE(); /* the caller handles these */
    return EP_OP_STR;
}

/* Shapes are made of shapes with lower numbers, or of types. */
static void make_shape(ep_schema *schema, size_t number) {
    const shape_row *row = &shape_rows[number];
    ep_shape *shape = &schema->shapes[number];
    *shape = (ep_shape){.number = (uint8_t)number};
    shape->of = &schema->shapes[row->of];
    shape->second = &schema->shapes[row->second];
    if (row->form == FORM_SCALAR) {
        shape->op = row->op;
    } else if (row->form == FORM_TYPE) {
        shape->type = schema->types[number - EP_SHAPE_FIRST_TYPE];
        shape->op = op_of_kind(shape->type);
    } else if (row->form == FORM_OPTIONAL) {
        *shape = schema->shapes[row->of];
        shape->number = (uint8_t)number;
        shape->nullable = true;
    } else {
        shape->op = op_of_form(row->form);
    }
}

ep_schema *ep_schema_make(ep_arena *arena, const ep_version *version) {
    ep_type *types[EP_TYPE_COUNT] = {NULL}; /* while they can be written */
    ep_schema *schema = ep_arena_alloc(arena, sizeof *schema);
    if (schema == NULL) {
        return NULL;
    }
    memset(schema, 0, sizeof *schema);
    schema->version = version;
    if (!make_types(schema, arena, types) || !make_members(schema, arena, types)) {
        return NULL;
    }
    for (size_t i = 0; i < EP_SHAPE_COUNT; i++) {
        make_shape(schema, i);
    }
    schema->root = schema->types[TYPE_OF(ExportedProgram)];
    return schema;
}

/* ---------------------------------------------------------------- questions */

static void widen(ep_range *range, const ep_row *row) {
    range->since = row->since < range->since ? row->since : range->since;
    range->until = row->until > range->until ? row->until : range->until;
}

ep_range ep_history_of(const ep_type *type, ep_bytes name) {
    ep_range range = {EP_FUTURE, 0};
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        if (rows[i].type == type->number &&
            ep_text_equal(name, (ep_bytes){rows[i].name, rows[i].name_size})) {
            widen(&range, &rows[i]);
        }
    }
    return range;
}

ep_range ep_history_of_value(const ep_type *type, int64_t value) {
    ep_range range = {EP_FUTURE, 0};
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        if (rows[i].type == type->number && rows[i].id == value) {
            widen(&range, &rows[i]);
        }
    }
    return range;
}

/* Enumerators that are one thing under two names. */
#define RENAMED(older, newer) {{#older, sizeof(#older) - 1}, {#newer, sizeof(#newer) - 1}},
static const struct {
    ep_bytes older;
    ep_bytes newer;
} renamed[] = {
#include "schema/renamed.def"
};
#undef RENAMED

uint8_t ep_enumerator_find(const ep_type *type, const ep_row *row) {
    ep_bytes name = {row->name, row->name_size};
    uint8_t found = ep_type_find(type, name.data, name.size);
    for (size_t i = 0; found == EP_NO_MEMBER && i < EP_COUNT_OF(renamed); i++) {
        if (ep_text_equal(name, renamed[i].older)) {
            found = ep_type_find(type, renamed[i].newer.data, renamed[i].newer.size);
        } else if (ep_text_equal(name, renamed[i].newer)) {
            found = ep_type_find(type, renamed[i].older.data, renamed[i].older.size);
        }
    }
    return found;
}

ep_bytes ep_fallback_json(ep_fallback fallback) {
    static const ep_bytes texts[] = {
        [EP_FALLBACK_REQUIRED] = {"null", 4},       [EP_FALLBACK_NONE] = {"null", 4},
        [EP_FALLBACK_FALSE] = {"false", 5},         [EP_FALLBACK_EMPTY_LIST] = {"[]", 2},
        [EP_FALLBACK_EMPTY_DICT] = {"{}", 2},       [EP_FALLBACK_EMPTY_STR] = {"\"\"", 2},
        [EP_FALLBACK_OLD_TORCH] = {"\"<=2.4\"", 7},
    };
    return texts[fallback];
}

/* Appends to a text that is cut at size; at counts on. */
static size_t append(char *text, size_t size, size_t at, const char *more) {
    for (; *more != '\0'; more++, at++) {
        if (at + 1 < size) {
            text[at] = *more;
        }
    }
    if (size > 0) {
        text[at < size ? at : size - 1] = '\0';
    }
    return at;
}

static const char *form_opening(uint8_t form) {
    switch ((shape_form)form) {
    case FORM_LIST:
        return "list<";
    case FORM_DICT:
        return "dict<str,";
    case FORM_TUPLE:
        return "tuple<";
    case FORM_OPTIONAL:
        return "optional<";
    case FORM_OPEN_END: /* PyTorch declares it an int */
        return "int";
    case FORM_SCALAR:
    case FORM_TYPE:
        break;
    }
    EP_UNREACHABLE(); /* the caller handles these */
    return "";
}

/* What is still to be printed of a shape: itself, or a text after it. */
typedef struct piece {
    size_t number;
    const char *text;
} piece;

enum { PIECES_MAX = 32 };

/* Without recursion: what follows a part waits on a short stack. */
size_t ep_shape_text(const ep_shape *shape, char *text, size_t size) {
    piece stack[PIECES_MAX];
    size_t depth = 0;
    size_t at = 0;
    /* as_none is the shape "none", a bool to PyTorch */
    size_t first = shape->number == EP_SHAPE_none ? (size_t)EP_SHAPE_bool : shape->number;
    stack[depth++] = (piece){first, NULL};
    while (depth > 0 && EP_ALWAYS(depth < PIECES_MAX - 4)) { /* no shape is nested so deep */
        piece next = stack[--depth];
        if (next.text != NULL) {
            at = append(text, size, at, next.text);
            continue;
        }
        const shape_row *row = &shape_rows[next.number];
        at = append(text, size, at, row->name != NULL ? row->name : form_opening(row->form));
        if (row->of == EP_SHAPE_none) {
            continue;
        }
        stack[depth++] = (piece){0, ">"};
        if (row->second != EP_SHAPE_none) {
            stack[depth++] = (piece){row->second, NULL};
            stack[depth++] = (piece){0, ","};
        }
        stack[depth++] = (piece){row->of, NULL};
    }
    return at;
}
