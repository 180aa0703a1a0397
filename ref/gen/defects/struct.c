/*
 * struct.c - defects of structs and unions (SPEC 3.5, 3.6): members that
 * are missing, unknown, or of another version.
 */
#include "edit.h"

#include <string.h>

/* ------------------------------------------------------------------- history */

/* What the versions had as members of a type. */
typedef struct history {
    const char *type;
    const char *name;    /* asked for */
    bool met;            /* in any version */
    const char *foreign; /* drawn of those that other versions have only */
    size_t count;
} history;

static void look_at(defect *d, const ep_schema *schema, history *h) {
    ep_member_info info;
    size_t of = schema_type(schema, h->type);
    for (size_t i = 0; ep_schema_member(schema, of, i, &info); i++) {
        h->met = h->met || (h->name != NULL && strcmp(info.name, h->name) == 0);
        if (!version_has(d, h->type, info.name) && draw(d, ++h->count) == 0) {
            h->foreign = info.name;
        }
    }
}

static void look_back(defect *d, history *h) {
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        ep_arena arena;
        const ep_schema *schema;
        arena_open(&arena, 0);
        if (ep_schema_open(&arena, ep_version_at(i), &schema, NULL)) {
            look_at(d, schema, h);
        }
        ep_arena_free(&arena);
    }
}

/* A member that the type has in other versions only; NULL if there is none. */
static const char *foreign_member(defect *d, const char *type) {
    history h = {.type = type};
    look_back(d, &h);
    return h.foreign;
}

static bool ever_has(defect *d, const char *type, const char *name) {
    history h = {.type = type, .name = name};
    look_back(d, &h);
    return h.met;
}

/* Types of which some version has members that the program's has not. */
typedef struct foreign_types {
    const char *types[64];
    size_t count;
} foreign_types;

static void find_foreign(defect *d, foreign_types *all, ep_kind kind) {
    ep_type_info info;
    for (size_t i = 0; ep_schema_type(d->schema, i, &info) && all->count < COUNT_OF(all->types);
         i++) {
        if (info.kind == kind && foreign_member(d, info.name) != NULL) {
            all->types[all->count++] = info.name;
        }
    }
}

static bool is_foreign(const defect *d, const place *p, const void *context) {
    const foreign_types *all = context;
    (void)d;
    for (size_t i = 0; i < all->count; i++) {
        if (is_of(p, all->types[i])) {
            return true;
        }
    }
    return false;
}

/* A name like another one, that the type has in no version. */
static void put_unlike(defect *d, const char *type, const char *name) {
    static const char *const forms[] = {"%s", "_%", "%_", "%2", "x%", "%.%", "", " %", "%%"};
    size_t begin = d->with.size;
    const char *unlike;
    do {
        d->with.size = begin;
        put_template(d, DRAW_FROM(d, forms), bytes_of(name));
        unlike = buffer_string(&d->with);
    } while (!d->with.failed && ever_has(d, type, unlike + begin));
}

/* ------------------------------------------------------------------- structs */

static bool is_struct(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    return p->kind == EP_KIND_STRUCT;
}

static const char *const odd_values[] = {"null", "0", "\"a\"", "[]", "{}", "true", "{\"a\": [1]}"};

/* One of the members, by name, of a type of the program's version. */
static const char *own_member(defect *d, const char *type) {
    ep_member_info info;
    const char *name = "a";
    size_t of = schema_type(d->schema, type);
    for (size_t i = 0; ep_schema_member(d->schema, of, i, &info); i++) {
        name = draw(d, i + 1) == 0 ? info.name : name;
    }
    return name;
}

static bool added_field(defect *d) {
    const place *p = draw_place(d, is_struct, NULL);
    const char *type = ep_value_type(p->value);
    insert_into(d, p);
    put(d, "\"");
    put_unlike(d, type, own_member(d, type));
    put(d, "\": ");
    put(d, DRAW_FROM(d, odd_values));
    return true;
}

/* A field whose absence has no code of its own that comes first. */
static bool is_field(const defect *d, const place *p, const void *context) {
    (void)context;
    const place *in = outer(d, p);
    return in != NULL && in->kind == EP_KIND_STRUCT &&
           !is_member(p, "ExportedProgram", "schema_version") &&
           !is_member(in, "ExportedProgram", "schema_version");
}

static bool renamed_field(defect *d) {
    const place *p = draw_place(d, is_field, NULL);
    replace_bytes(d, p->key + 1, p->key + 1 + key_at(d, p).size, "");
    put_unlike(d, p->type, p->member);
    return true;
}

bool defect_unknown_field(defect *d) {
    static defect_function *const ways[] = {added_field, renamed_field};
    return TRY_WAYS(d, ways);
}

bool defect_field_version(defect *d) {
    foreign_types all = {.count = 0};
    find_foreign(d, &all, EP_KIND_STRUCT);
    const place *p = draw_place(d, is_foreign, &all);
    if (p == NULL) {
        return no_place(d, "none of its structs has other fields in other versions");
    }
    insert_member(d, p, foreign_member(d, ep_value_type(p->value)));
    put(d, DRAW_FROM(d, odd_values));
    return true;
}

/* A field that has no default; of a union that has all its variants, each. */
static bool is_required(const defect *d, const place *p, const void *context) {
    ep_member_info info;
    const place *in = outer(d, p);
    if (in != NULL && in->kind == EP_KIND_UNION) {
        return d->version->unions == EP_UNION_ALL_FIELDS;
    }
    if (!is_field(d, p, context)) {
        return false;
    }
    size_t of = schema_type(d->schema, p->type);
    for (size_t i = 0; ep_schema_member(d->schema, of, i, &info); i++) {
        if (strcmp(info.name, p->member) == 0) {
            return info.default_json == NULL;
        }
    }
    return false;
}

bool defect_missing_field(defect *d) {
    return remove_part(d, draw_place(d, is_required, NULL));
}

/* -------------------------------------------------------------------- unions */

static bool is_union(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    return p->kind == EP_KIND_UNION;
}

static const place *union_place(defect *d) {
    const place *p = draw_place(d, is_union, NULL);
    d->why = p == NULL ? "it has no unions" : NULL;
    return p;
}

/* Makes room for another tag: in the place of the one that is there, or, where
 * all variants stand, beside them. What is put then is the tag. */
static void replace_tag(defect *d, const place *p) {
    const place *value = tagged(d, p);
    if (d->version->unions == EP_UNION_TYPE_VALUE) {
        replace_text(d, first_in(d, p), "");
    } else if (d->version->unions == EP_UNION_ALL_FIELDS && draw(d, 2) == 0) {
        insert_into(d, p);
        put(d, "\"");
        d->after = d->after == NULL ? "\": null" : "\": null, ";
    } else {
        replace_bytes(d, value->key + 1, value->key + 1 + key_at(d, value).size, "");
    }
}

/* In the form with a tag and a value, the keys of these may be others. */
static bool renamed_key(defect *d) {
    static const char *const keys[] = {"$Type", "type", "value", "$tag", "as_none", "$"};
    const place *p = union_place(d);
    if (p == NULL || d->version->unions != EP_UNION_TYPE_VALUE) {
        return false;
    }
    const place *part = draw(d, 2) == 0 ? first_in(d, p) : tagged(d, p);
    return replace_bytes(d, part->key + 1, part->key + 1 + key_at(d, part).size,
                         DRAW_FROM(d, keys));
}

static bool renamed_tag(defect *d) {
    const place *p = union_place(d);
    if (p == NULL) {
        return false;
    }
    replace_tag(d, p);
    put_unlike(d, ep_value_type(p->value), ep_value_name(p->value, 0));
    return true;
}

bool defect_unknown_tag(defect *d) {
    static defect_function *const ways[] = {renamed_tag, renamed_tag, renamed_key};
    return TRY_WAYS(d, ways);
}

bool defect_tag_version(defect *d) {
    foreign_types all = {.count = 0};
    find_foreign(d, &all, EP_KIND_UNION);
    const place *p = draw_place(d, is_foreign, &all);
    if (p == NULL) {
        return no_place(d, "none of its unions has other tags in other versions");
    }
    replace_tag(d, p);
    put(d, foreign_member(d, ep_value_type(p->value)));
    return true;
}

bool defect_no_tag(defect *d) {
    const place *p = union_place(d);
    if (p == NULL) {
        return false;
    }
    if (d->version->unions == EP_UNION_ALL_FIELDS) {
        return replace(d, tagged(d, p), "null");
    }
    if (d->version->unions == EP_UNION_TYPE_VALUE && draw(d, 2) == 0) {
        return remove_part(d, tagged(d, p));
    }
    return replace(d, p, "{}");
}

/* Where all variants stand: a null behind the value. */
static bool is_other_variant(const defect *d, const place *p, const void *context) {
    (void)context;
    const place *in = outer(d, p);
    return in != NULL && in->kind == EP_KIND_UNION && p->kind == EP_KIND_NULL && p > tagged(d, in);
}

bool defect_second_tag(defect *d) {
    static const char *const values[] = {"0", "\"a\"", "[]", "{}", "true", "{\"name\": \"x\"}"};
    if (d->version->unions == EP_UNION_ALL_FIELDS) {
        const place *other = draw_place(d, is_other_variant, NULL);
        return other != NULL ? replace(d, other, DRAW_FROM(d, values))
                             : no_place(d, "its unions end with their values");
    }
    const place *p = union_place(d);
    if (p == NULL) {
        return false;
    }
    const char *own = ep_value_name(p->value, 0);
    const char *tag = own_member(d, ep_value_type(p->value));
    insert_behind(d, p);
    put_quoted(d, bytes_of(strcmp(tag, own) == 0 ? "as_other" : tag));
    put(d, ": ");
    put(d, DRAW_FROM(d, odd_values));
    return true;
}
