/*
 * test_schema.c - that the history of types is in order: ranges that do not
 * overlap, shapes that exist, literals and names that fit, and a view of every
 * version. The rows are read here once more, on their own.
 */
#include "schema/schema.h"

#include "check.h"
#include "support.h"

typedef struct history_row {
    const char *type;
    const char *name;
    int kind; /* ep_kind of the type */
    int shape;
    int value; /* of an enumerator */
    int since;
    int until;
    bool has_id;
} history_row;

#define NAME(type)
#define SHAPE(name, form, of, second)
#define TYPE(type, kind, clause, since, until)
#define FIELD(type, name, shape, fallback, id, since, until)                                       \
    {#type, #name, EP_KIND_STRUCT, EP_SHAPE_##shape, id, EP_##since, EP_##until, true},
#define VARIANT(type, name, shape, id, since, until)                                               \
    {#type, #name, EP_KIND_UNION, EP_SHAPE_##shape, id, EP_##since, EP_##until, true},
#define ENUMERATOR(type, name, value, since, until)                                                \
    {#type, #name, EP_KIND_ENUM, EP_SHAPE_none, value, EP_##since, EP_##until, false},
static const history_row rows[] = {
#include "schema/schema.def"
};
#undef TYPE
#undef FIELD
#undef VARIANT
#undef ENUMERATOR

#define FIELD(type, name, shape, fallback, id, since, until)
#define VARIANT(type, name, shape, id, since, until)
#define ENUMERATOR(type, name, value, since, until)
#define TYPE(type, kind, clause, since, until)                                                     \
    {#type, clause, EP_KIND_##kind, EP_SHAPE_##type, 0, EP_##since, EP_##until, false},
static const history_row types[] = {
#include "schema/schema.def"
};
#undef NAME
#undef SHAPE
#undef TYPE

#define TYPE(type, kind, clause, since, until)
#define NAME(type) #type,
#define SHAPE(name, form, of, second)
static const char *const names[] = {
#include "schema/schema.def"
};

static bool same(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

static bool overlap(const history_row *a, const history_row *b) {
    return a->since < b->until && b->since < a->until;
}

static void say(bool held, const history_row *row) {
    if (!held) {
        fprintf(stderr, "    %s.%s from version %d on\n", row->type, row->name, row->since);
    }
}

static void test_ranges(void) {
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        const history_row *row = &rows[i];
        say(CHECK(row->since < row->until), row);
        say(CHECK(row->until <= EP_FUTURE), row);
        for (size_t j = 0; j < i; j++) {
            bool one_field = same(row->type, rows[j].type) && same(row->name, rows[j].name);
            say(!one_field || CHECK(!overlap(row, &rows[j])), row);
            bool one_value = row->kind == EP_KIND_ENUM && same(row->type, rows[j].type) &&
                             row->value == rows[j].value;
            say(!one_value || CHECK(!overlap(row, &rows[j])), row);
        }
    }
    for (size_t i = 0; i < EP_COUNT_OF(types); i++) {
        say(CHECK(types[i].since < types[i].until && types[i].until <= EP_FUTURE), &types[i]);
        for (size_t j = 0; j < i; j++) {
            bool one = same(types[i].type, types[j].type);
            say(!one || CHECK(!overlap(&types[i], &types[j])), &types[i]);
        }
    }
}

/* Every row lies within the life of its type, and has its kind. */
static void test_lives(void) {
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        bool lives = false;
        for (size_t j = 0; j < EP_COUNT_OF(types); j++) {
            lives = lives || (same(rows[i].type, types[j].type) && rows[i].kind == types[j].kind &&
                              types[j].since <= rows[i].since && rows[i].until <= types[j].until);
        }
        say(CHECK(lives), &rows[i]);
    }
    for (size_t i = 0; i < EP_COUNT_OF(types); i++) {
        CHECK(types[i].shape - EP_SHAPE_FIRST_TYPE >= 0);
        CHECK_EQ_STR(names[types[i].shape - EP_SHAPE_FIRST_TYPE], strlen(types[i].type),
                     types[i].type);
        for (size_t j = 0; j < i; j++) {
            bool one_name = same(types[i].type, types[j].type);
            CHECK_EQ_INT(same(types[i].name, types[j].name), one_name); /* the clause */
        }
    }
    for (size_t i = 0; i < EP_COUNT_OF(names); i++) {
        for (size_t j = 0; j < i; j++) {
            CHECK_NOTE(!same(names[i], names[j]), names[i]);
        }
    }
}

#define RENAMED(older, newer) {#older, #newer},
static const char *const renamed[][2] = {
#include "schema/renamed.def"
};
#undef RENAMED

/* The first row of a name; NULL: there is none, or it is in several types. */
static const history_row *row_named(const char *name) {
    const history_row *found = NULL;
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        if (same(rows[i].name, name)) {
            if (found != NULL && !same(found->type, rows[i].type)) {
                return NULL;
            }
            found = found == NULL ? &rows[i] : found;
        }
    }
    return found;
}

/* Two names of one enumerator are in one enum, and in no version both. */
static void test_renamed(void) {
    for (size_t i = 0; i < EP_COUNT_OF(renamed); i++) {
        const history_row *older = row_named(renamed[i][0]);
        const history_row *newer = row_named(renamed[i][1]);
        if (CHECK_NOTE(older != NULL && newer != NULL, renamed[i][0])) {
            say(CHECK(older->kind == EP_KIND_ENUM && same(older->type, newer->type)), older);
            say(CHECK(older->until <= newer->since), older);
        }
    }
}

static void check_row(const ep_type *type, const ep_row *row) {
    char literal[EP_LITERAL_SIZE + 8] = {0};
    size_t size = strlen(row->name);
    CHECK_EQ_INT(row->name_size, size);
    if (type->kind != EP_KIND_ENUM) {
        int n = snprintf(literal, sizeof literal, "\"%s\": ", row->name);
        CHECK_EQ_BYTES(row->literal, row->literal_size, literal, (size_t)n);
        CHECK(memcmp(row->literal, literal, EP_LITERAL_SIZE) == 0); /* zeros after it */
    }
    for (size_t i = 0; i < size; i++) {
        char c = row->name[i];
        CHECK(c >= ' ' && c < 0x7F && c != '"' && c != '\\'); /* literals need no escapes */
    }
}

/* What a version has, its history holds. */
static void check_history(ep_range range, const ep_schema *schema) {
    ep_version_number version = ep_version_number_of(schema->version);
    CHECK(range.since <= version && version < range.until);
}

static void check_members(const ep_schema *schema, const ep_type *type) {
    uint64_t required = 0;
    for (size_t i = 0; i < type->count; i++) {
        const ep_row *row = type->members[i].row;
        check_row(type, row);
        CHECK_EQ_INT(ep_type_find(type, row->name, row->name_size), i);
        required |= (uint64_t)(row->fallback == EP_FALLBACK_REQUIRED) << i;
        check_history(ep_history_of(type, (ep_bytes){row->name, row->name_size}), schema);
        if (type->kind == EP_KIND_ENUM) {
            CHECK_EQ_INT(ep_type_find_value(type, row->id), i);
            CHECK_EQ_INT(ep_enumerator_find(type, row), i);
            check_history(ep_history_of_value(type, row->id), schema);
            continue;
        }
        const ep_shape *shape = type->members[i].shape;
        CHECK(shape >= schema->shapes && shape < schema->shapes + EP_SHAPE_COUNT);
        while (shape->op == EP_OP_LIST || shape->op == EP_OP_DICT || shape->op == EP_OP_TUPLE) {
            CHECK(shape->op != EP_OP_TUPLE || shape->second->number != EP_SHAPE_none);
            shape = shape->of;
        }
        bool named =
            shape->op == EP_OP_STRUCT || shape->op == EP_OP_UNION || shape->op == EP_OP_ENUM;
        CHECK_NOTE(!named || shape->type != NULL, row->name); /* no dangling types */
        CHECK(type->kind != EP_KIND_UNION || !type->members[i].shape->nullable);
    }
    CHECK_EQ_BITS(type->required, required);
}

/* Names that are no member's: cut, longer, of other letters. */
static void check_strangers(const ep_type *type) {
    for (size_t i = 0; i < type->count; i++) {
        const ep_row *row = type->members[i].row;
        char name[EP_LITERAL_SIZE + 1] = {0};
        memcpy(name, row->name, row->name_size);
        name[row->name_size] = 'x';
        CHECK_EQ_INT(ep_type_find(type, name, row->name_size + 1u), EP_NO_MEMBER);
        name[row->name_size - 1] ^= 1;
        uint8_t found = ep_type_find(type, name, row->name_size);
        CHECK(found == EP_NO_MEMBER || same(type->members[found].row->name, name) ||
              strncmp(type->members[found].row->name, name, row->name_size) == 0);
        CHECK(found != i);
    }
    CHECK_EQ_INT(ep_type_find(type, "", 0), EP_NO_MEMBER);
    CHECK_EQ_INT(ep_type_find(type, "no such member", 14), EP_NO_MEMBER);
    CHECK_EQ_INT(ep_history_of(type, EP_TEXT("no such member")).since, EP_FUTURE);
    CHECK_EQ_INT(ep_history_of_value(type, 31415).since, EP_FUTURE);
}

/* The view has exactly the rows whose range holds the version, in order. */
static void check_against_rows(const ep_schema *schema, const ep_type *type, int version) {
    size_t at = 0;
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        bool holds = rows[i].since <= version && version < rows[i].until;
        if (!holds || !same(rows[i].type, type->name)) {
            continue;
        }
        if (!CHECK(at < type->count)) {
            return;
        }
        CHECK_EQ_STR(type->members[at].row->name, type->members[at].row->name_size, rows[i].name);
        CHECK_EQ_INT(type->members[at].row->id, rows[i].value);
        bool none = same(rows[i].name, "as_none") && rows[i].shape == EP_SHAPE_bool;
        int shape = none ? EP_SHAPE_none : rows[i].shape;
        CHECK(rows[i].kind == EP_KIND_ENUM || type->members[at].shape == &schema->shapes[shape]);
        at++;
    }
    CHECK_EQ_INT(at, type->count);
}

static void check_type(const ep_schema *schema, const ep_type *type, int version) {
    CHECK(type->count > 0);
    CHECK(type->kind != EP_KIND_STRUCT || type->count <= EP_FIELDS_MAX);
    CHECK(type->count <= EP_MEMBERS_MAX);
    check_members(schema, type);
    check_strangers(type);
    check_against_rows(schema, type, version);
}

static void test_views(void) {
    size_t n = 0;
    for (; ep_version_at(n) != NULL; n++) {
        test_heap heap = {0};
        ep_arena arena;
        test_arena(&arena, &heap, 0);
        const ep_version *version = ep_version_at(n);
        CHECK_EQ_INT(ep_version_number_of(version), n);
        CHECK(ep_version_find(version->name) == version);
        const ep_schema *schema = ep_schema_make(&arena, version);
        if (CHECK(schema != NULL && schema->root != NULL)) {
            CHECK_EQ_STR(schema->root->name, strlen(schema->root->name), "ExportedProgram");
            for (size_t t = 0; t < EP_TYPE_COUNT; t++) {
                if (schema->types[t] != NULL) {
                    CHECK_EQ_INT(schema->types[t]->number, t);
                    check_type(schema, schema->types[t], (int)n);
                }
            }
        }
        ep_arena_free(&arena);
        CHECK_EQ_INT(heap.bytes, 0);
    }
    CHECK_EQ_INT(n, EP_FUTURE);
}

/* A number has one owner; every row's numbers fit together. */
static void test_versions(void) {
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        const ep_version *v = ep_version_at(i);
        CHECK(v->major > 0 && v->minor >= -1 && v->minor_last >= v->minor);
        CHECK_NOTE(v->owns_number || v->releases == NULL, v->name);
        CHECK_NOTE(!v->owns_number || v->marker == NULL, v->name);
        CHECK_NOTE(v->releases != NULL || v->note != NULL, v->name);
        CHECK(ep_version_of_number(v->major, v->minor, false) != NULL);
        for (int32_t minor = v->minor; v->owns_number && minor <= v->minor_last; minor++) {
            CHECK_NOTE(ep_version_of_number(v->major, minor, false) == v, v->name);
            CHECK_NOTE(ep_version_of_number(v->major, minor, true) == v, v->name);
        }
        for (size_t j = 0; j < i; j++) {
            const ep_version *u = ep_version_at(j);
            CHECK_NOTE(!same(u->name, v->name), v->name);
            bool both = u->owns_number && v->owns_number && u->major == v->major;
            CHECK_NOTE(!both || u->minor_last < v->minor, v->name);
            CHECK_NOTE(u->major <= v->major, v->name);
        }
    }
    CHECK(ep_version_of_number(8, 4, false) == NULL);
    CHECK(ep_version_of_number(8, 4, true) == ep_version_find("8.3"));
    CHECK(ep_version_of_number(8, 12, false) == ep_version_find("8.11"));
    CHECK(ep_version_of_number(8, 21, false) == NULL);
    CHECK(ep_version_of_number(8, 1000000, true) == ep_version_find("8.20"));
    CHECK(ep_version_of_number(8, 0, true) == NULL);
    CHECK(ep_version_of_number(9, 1, true) == NULL);
    CHECK(ep_version_of_number(0, 0, true) == NULL);
    CHECK(ep_version_of_number(8, -1, true) == NULL);
    CHECK(ep_version_of_number(1, 0, true) == NULL);
    CHECK(ep_version_of_number(2, -1, false) == ep_version_find("2"));
    CHECK(ep_version_of_number(2, 1, false) == ep_version_find("2.1"));
    CHECK(ep_version_of_number(-1, -1, true) == NULL);
}

int main(void) {
    test_ranges();
    test_lives();
    test_renamed();
    test_views();
    test_versions();
    return check_report();
}
