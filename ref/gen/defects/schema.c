/*
 * schema.c - defects of the schema level that are about values: the
 * version, types and numbers (SPEC 3.1 to 3.4, 3.7, 3.8). Those of structs and
 * unions are in struct.c.
 */
#include "edit.h"

#include <string.h>

/* ------------------------------------------------------------------- version */

/* Infinity, -Infinity or NaN, bare. */
static bool is_literal(const defect *d, const place *p, const void *context) {
    const char *text = d->places.text.data + p->begin;
    (void)context;
    return text[0] == 'I' || text[0] == 'N' || (text[0] == '-' && text[1] == 'I');
}

/* Without a version, or as another one's, the literals of a program would be its
 * first fault (SPEC 2.7.1). */
static const place *version_place(defect *d) {
    const place *p = draw_place(d, is_literal, NULL);
    d->why = p != NULL ? "it has literals that only some versions have" : NULL;
    return p != NULL ? NULL : draw_member(d, "ExportedProgram", "schema_version");
}

bool defect_version_missing(defect *d) {
    static const char *const names[] = {"schema_versions", "Schema_version", "version",
                                        "schema-version", ""};
    const place *p = version_place(d);
    if (p == NULL) {
        return false;
    }
    if (draw(d, 2) == 0) {
        return remove_part(d, p);
    }
    return replace_bytes(d, p->key + 1, p->key + 1 + key_at(d, p).size, DRAW_FROM(d, names));
}

bool defect_version_malformed(defect *d) {
    static const char *const wholes[] = {
        "\"8.20\"",
        "[8, 20]",
        "null",
        "8.0",
        "2.5",
        "-1",
        "2147483648",
        "true",
        "1e0",
        "{\"major\": 8}",
        "{\"minor\": 20}",
        "{}",
        "{\"major\": 8, \"minor\": null}",
    };
    static const char *const numbers[] = {"null", "\"8\"", "-1", "8.0", "2147483648",
                                          "[8]",  "true",  "{}", "1e1"};
    const place *p = version_place(d);
    if (p == NULL) {
        return false;
    }
    const place *number = first_in(d, p);
    if (number == NULL || draw(d, 2) == 0) {
        return replace(d, p, DRAW_FROM(d, wholes));
    }
    return replace(d, draw(d, 2) == 0 ? number : next_of(d, number), DRAW_FROM(d, numbers));
}

static void put_version(defect *d, int64_t major, int64_t minor) {
    if (minor < 0) {
        put_number(d, major);
        return;
    }
    put(d, "{\"major\": ");
    put_number(d, major);
    put(d, ", \"minor\": ");
    put_number(d, minor);
    put(d, "}");
}

bool defect_version_unknown(defect *d) {
    enum { NONE = -1 };
    static const int64_t numbers[][2] = {{0, NONE}, {3, NONE}, {8, NONE}, {8, 9}, {8, 4}, {0, 0},
                                         {1, 0},    {2, 0},    {4, 1},    {5, 2}, {6, 2}};
    const place *p = version_place(d);
    if (p == NULL) {
        return false;
    }
    replace(d, p, "");
    if (draw(d, 2) == 0) {
        put_version(d, 9 + (int64_t)draw(d, 2147483638), (int64_t)draw(d, 100));
    } else {
        const int64_t *number = DRAW_FROM(d, numbers);
        put_version(d, number[0], number[1]);
    }
    return true;
}

/* The number of another version; one that nobody has is another one, too. */
bool defect_version_mismatch(defect *d) {
    const place *p = version_place(d);
    const ep_version *other;
    size_t count = 0;
    if (p == NULL) {
        return false;
    }
    while (ep_version_at(count) != NULL) {
        count++;
    }
    do {
        other = ep_version_at(draw(d, count));
    } while (other->major == d->version->major && other->minor == d->version->minor);
    replace(d, p, "");
    put_version(d, other->major, other->minor);
    return true;
}

/* --------------------------------------------------------------------- types */

/* Whether it is a value whose faults are those of its type: the version has
 * codes of its own. */
static bool is_plain(const defect *d, const place *p) {
    return p->kind != EP_KIND_NULL && !is_member(p, "ExportedProgram", "schema_version") &&
           (outer(d, p) == NULL || !is_member(outer(d, p), "ExportedProgram", "schema_version"));
}

static bool fits_plain(const defect *d, const place *p, const void *context) {
    (void)context;
    return is_plain(d, p);
}

/* Values of every JSON type, but those that the kind may be. */
static const char *value_unlike(defect *d, ep_kind kind) {
    static const char *const for_text[] = {"1", "true", "[]", "{}", "0.5", "[\"a\"]"};
    static const char *const for_number[] = {"\"1\"", "true", "[]", "{}", "\"\"", "[1]"};
    static const char *const for_float[] = {"true", "[]", "{}", "false", "[0.5]"};
    static const char *const for_bool[] = {"1", "0", "\"true\"", "[]", "{}"};
    static const char *const for_object[] = {"[]", "\"a\"", "1", "true", "[{}]"};
    static const char *const for_array[] = {"{}", "\"a\"", "1", "false", "{\"a\": 1}"};
    switch (kind) {
    case EP_KIND_STR:
    case EP_KIND_BYTES:
        return DRAW_FROM(d, for_text);
    case EP_KIND_INT:
    case EP_KIND_ENUM:
    case EP_KIND_INFINITE:
        return DRAW_FROM(d, for_number);
    case EP_KIND_FLOAT:
        return DRAW_FROM(d, for_float);
    case EP_KIND_BOOL:
        return DRAW_FROM(d, for_bool);
    case EP_KIND_STRUCT:
    case EP_KIND_UNION:
    case EP_KIND_DICT:
        return DRAW_FROM(d, for_object);
    case EP_KIND_LIST:
    case EP_KIND_TUPLE:
    case EP_KIND_UNIT:
    case EP_KIND_NULL:
        break;
    }
    return DRAW_FROM(d, for_array);
}

bool defect_type(defect *d) {
    const place *p = draw_place(d, fits_plain, NULL);
    return replace(d, p, value_unlike(d, p->kind));
}

/* In the form with all variants a null is another variant's. */
static bool takes_no_null(const defect *d, const place *p, const void *context) {
    const place *in = outer(d, p);
    (void)context;
    if (!is_plain(d, p) || in == NULL || p->member == NULL || strcmp(p->member, "$type") == 0) {
        return false;
    }
    if (in->kind == EP_KIND_UNION) {
        return d->version->unions != EP_UNION_ALL_FIELDS;
    }
    return in->kind != EP_KIND_STRUCT || !is_optional(d, p->type, p->member);
}

bool defect_null(defect *d) {
    return replace(d, draw_place(d, takes_no_null, NULL), "null");
}

/* ------------------------------------------------------------------- numbers */

static bool is_integer(const defect *d, const place *p, const void *context) {
    (void)context;
    return (p->kind == EP_KIND_INT || p->kind == EP_KIND_ENUM) && is_plain(d, p);
}

bool defect_int_form(defect *d) {
    static const char *const forms[] = {"%.0", "%e0", "%E+2", "%.5", "%.25e-3", "%.0e0", "-0"};
    const place *p = draw_place(d, is_integer, NULL);
    ep_bytes digits = bytes_at(d, p);
    replace(d, p, "");
    put_template(d, DRAW_FROM(d, forms), digits);
    return true;
}

static bool is_int(const defect *d, const place *p, const void *context) {
    (void)context;
    return p->kind == EP_KIND_INT && is_plain(d, p);
}

bool defect_int_range(defect *d) {
    static const char *const numbers[] = {"9223372036854775808", "-9223372036854775809",
                                          "18446744073709551616", "-18446744073709551615",
                                          "9999999999999999999"};
    const place *p = draw_place(d, is_int, NULL);
    if (p == NULL) {
        return no_place(d, "it has no integers");
    }
    replace(d, p, DRAW_FROM(d, numbers));
    for (size_t more = draw(d, 3) == 0 ? draw(d, 40) : 0; more > 0; more--) {
        put_number(d, (int64_t)draw(d, 10));
    }
    return true;
}

static bool is_float(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    return p->kind == EP_KIND_FLOAT;
}

static const place *float_place(defect *d) {
    const place *p = draw_place(d, is_float, NULL);
    d->why = p == NULL ? "it has no floats" : NULL;
    return p;
}

bool defect_float_range(defect *d) {
    static const char *const numbers[] = {"1e400",  "-1e309",        "1.7976931348623159e308",
                                          "2E+308", "123456789e301", "-1e99999999999999999999"};
    const place *p = float_place(d);
    return p != NULL && replace(d, p, DRAW_FROM(d, numbers));
}

bool defect_float_string(defect *d) {
    static const char *const texts[] = {"inf", "-inf",     "nan",       "+Infinity", "1.5",
                                        "",    "infinity", "Infinity ", "-NaN",      "0x1p3"};
    static const char *const bare[] = {"Infinity", "-Infinity", "NaN"};
    const place *p = float_place(d);
    if (p == NULL) {
        return false;
    }
    bool spells = d->version->nonfinite == EP_NONFINITE_BARE && draw(d, 3) == 0;
    replace(d, p, "");
    put_quoted(d, bytes_of(spells ? DRAW_FROM(d, bare) : DRAW_FROM(d, texts)));
    return true;
}

/* -------------------------------------------------------------- enumerations */

/* Whether a type has an enumerator of a number; whether any version's has. */
static bool has_number(const ep_schema *schema, const char *type, int64_t number) {
    ep_member_info info;
    size_t of = schema_type(schema, type);
    for (size_t i = 0; ep_schema_member(schema, of, i, &info); i++) {
        if (info.value == number) {
            return true;
        }
    }
    return false;
}

static bool ever_has_number(const char *type, int64_t number) {
    bool has = false;
    for (size_t i = 0; !has && ep_version_at(i) != NULL; i++) {
        ep_arena arena;
        const ep_schema *schema;
        arena_open(&arena, 0);
        has = ep_schema_open(&arena, ep_version_at(i), &schema, NULL) &&
              has_number(schema, type, number);
        ep_arena_free(&arena);
    }
    return has;
}

static bool is_enum(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    return p->kind == EP_KIND_ENUM;
}

enum { ENUMERATORS = 40 }; /* above all numbers that versions have given */

bool defect_unknown_enum(defect *d) {
    const place *p = draw_place(d, is_enum, NULL);
    if (p == NULL) {
        return no_place(d, "it has no enumerators");
    }
    int64_t number;
    do {
        number = (int64_t)draw(d, 2 * ENUMERATORS) - ENUMERATORS / 2;
    } while (ever_has_number(ep_value_type(p->value), number));
    replace(d, p, "");
    put_number(d, number);
    return true;
}

bool defect_enum_version(defect *d) {
    const place *p = draw_place(d, is_enum, NULL);
    for (size_t tries = 0; p != NULL && tries < ENUMERATORS; tries++) {
        const char *type = ep_value_type(p->value);
        int64_t first = (int64_t)draw(d, ENUMERATORS);
        for (int64_t i = 0; i < ENUMERATORS; i++) {
            int64_t number = (first + i) % ENUMERATORS;
            if (!has_number(d->schema, type, number) && ever_has_number(type, number)) {
                replace(d, p, "");
                put_number(d, number);
                return true;
            }
        }
        p = draw_place(d, is_enum, NULL);
    }
    return no_place(d, "it has no enumerators of a type that changed");
}

/* ------------------------------------------------------------- bytes, tuples */

/* The values under as_none: one word, or an empty list. */
static bool is_unit(const defect *d, const place *p, const void *context) {
    (void)context;
    const place *in = outer(d, p);
    return p->kind != EP_KIND_NULL && p->member != NULL && strcmp(p->member, "as_none") == 0 &&
           in->kind == EP_KIND_UNION;
}

bool defect_unit(defect *d) {
    static const char *const filled[] = {"[1]", "[null]", "[[]]", "[{}, {}]", "[\"a\"]"};
    const place *p = draw_place(d, is_unit, NULL);
    if (p == NULL) {
        return no_place(d, "it has no as_none");
    }
    return replace(d, p, p->kind == EP_KIND_UNIT ? DRAW_FROM(d, filled) : "false");
}

static bool is_bytes(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    return p->kind == EP_KIND_BYTES;
}

static bool spoiled_bytes(defect *d) {
    static const char *const wrong[] = {"%A",    "%AB==", "%=", "%-_AA",
                                        "%AA=A", "%A===", "% ", "%AAB="};
    const place *p = draw_place(d, is_bytes, NULL);
    if (p == NULL) {
        return no_place(d, "it has no bytes");
    }
    ep_bytes text = text_at(d, p);
    bool padded = text.size == 0 || text.data[text.size - 1] == '=';
    replace_text(d, p, "");
    put_template(d, DRAW_FROM(d, wrong), padded ? bytes_of("Zm9v") : text);
    return true;
}

/* A constant that nothing uses, or an example of an input. */
static bool added_bytes(defect *d) {
    static const char *const wrong[] = {
        "A", "AA", "AB==", "A===", "====", "AA==AA==", "AA-_", "AAE=\\n", "AAEC=", "AA= ", "AAB="};
    const place *graph = draw(d, 2) == 0 ? root_graph(d) : NULL;
    const place *p = first_in(d, d->places.items);
    if (graph != NULL) {
        insert_into(d, part_of(d, graph, "constants"));
        put(d, "\"");
        put_fresh(d, "constant_");
        put(d, "\": ");
        put_quoted(d, bytes_of(DRAW_FROM(d, wrong)));
        return true;
    }
    while (strcmp(p->member, "example_inputs") != 0) {
        p = next_of(d, p);
    }
    replace(d, p, "[[");
    put_quoted(d, bytes_of(DRAW_FROM(d, wrong)));
    put(d, "], {}]");
    return true;
}

bool defect_base64(defect *d) {
    static defect_function *const ways[] = {spoiled_bytes, added_bytes};
    return TRY_WAYS(d, ways);
}

static bool is_tuple(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    return p->kind == EP_KIND_TUPLE;
}

bool defect_tuple_length(defect *d) {
    const place *p = draw_place(d, is_tuple, NULL);
    if (p == NULL) {
        return no_place(d, "it has no tuples");
    }
    if (draw(d, 2) == 0) {
        return remove_part(d, next_of(d, first_in(d, p)));
    }
    insert_behind(d, p);
    put(d, draw(d, 2) == 0 ? "0" : "[]");
    return true;
}
