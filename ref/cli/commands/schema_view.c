/*
 * schema_view.c - see schema_view.h. Which types refer to which is found in
 * the texts of the members' types; there are some 60 types.
 */
#include "schema_view.h"

#include <string.h>

#include "cli/json.h"
#include "common/names.h"

enum { TYPES_MAX = 128 };

bool schema_view_member_at(const ep_schema *schema, size_t type, size_t member,
                           schema_view_member *m) {
    ep_type_info info;
    if (!ep_schema_type(schema, type, &info) || !ep_schema_member(schema, type, member, &m->info)) {
        return false;
    }
    m->enumerator = info.kind == EP_KIND_ENUM;
    m->optional = info.kind == EP_KIND_STRUCT && m->info.default_json != NULL;
    m->type[0] = '\0';
    ep_schema_member_type(schema, type, member, m->type, sizeof m->type);
    return true;
}

const char *schema_view_kind(ep_kind kind) {
    return kind == EP_KIND_ENUM ? "enum" : kind == EP_KIND_UNION ? "union" : "struct";
}

/* ------------------------------------------------------------------- header */

json *schema_view_number(const ep_version *v) {
    json *number = json_make("major:i", (int64_t)v->major);
    bool single = v->minor >= 0 && v->minor == v->minor_last;
    json_add(number, "minor", single ? json_integer(v->minor) : json_null());
    if (v->minor != v->minor_last) {
        json *list = json_array();
        for (int32_t minor = v->minor; minor <= v->minor_last; minor++) {
            json_append(list, json_integer(minor));
        }
        json_add(number, "minor_one_of", list);
    }
    return number;
}

static const char *union_name(ep_union_form form) {
    switch (form) {
    case EP_UNION_ALL_FIELDS:
        return "all_fields_with_nulls";
    case EP_UNION_TYPE_VALUE:
        return "type_value_pair";
    case EP_UNION_SINGLE_KEY:
        break;
    }
    return "single_key_dict";
}

static const char *union_description(ep_union_form form) {
    switch (form) {
    case EP_UNION_ALL_FIELDS:
        return "object holding every union field; exactly one is non-null; unit value is []";
    case EP_UNION_TYPE_VALUE:
        return "{\"$type\": tag, \"$value\": value}";
    case EP_UNION_SINGLE_KEY:
        break;
    }
    return "object with exactly one key, the tag";
}

/* --------------------------------------------------------------- references */

/* Whether a type's text, "dict<str,Node>", has a name as one of its words. */
static bool mentions(const char *text, const char *name) {
    size_t size = strlen(name);
    for (const char *p = text; *p != '\0';) {
        size_t word = strcspn(p, "<>,");
        if (word == size && memcmp(p, name, size) == 0) {
            return true;
        }
        p += word + (p[word] != '\0');
    }
    return false;
}

static bool refers_to(const ep_schema *schema, size_t type, const char *name) {
    schema_view_member m;
    for (size_t i = 0; schema_view_member_at(schema, type, i, &m); i++) {
        if (mentions(m.type, name)) {
            return true;
        }
    }
    return false;
}

static json *root_types(const ep_schema *schema) {
    json *list = json_array();
    ep_type_info type;
    ep_type_info other;
    for (size_t i = 0; ep_schema_type(schema, i, &type); i++) {
        bool used = false;
        for (size_t j = 0; ep_schema_type(schema, j, &other) && !used; j++) {
            used = j != i && refers_to(schema, j, type.name);
        }
        if (!used) {
            json_append(list, json_text(bytes_of(type.name)));
        }
    }
    return list;
}

static size_t find_type(const ep_schema *schema, const char *name) {
    ep_type_info type;
    for (size_t i = 0; ep_schema_type(schema, i, &type); i++) {
        if (strcmp(type.name, name) == 0) {
            return i;
        }
    }
    return TYPES_MAX;
}

/* The names of the types that ExportedProgram is made of, itself included. */
static size_t reach(const ep_schema *schema, const char *names[TYPES_MAX]) {
    size_t found[TYPES_MAX];
    size_t count = 0;
    ep_type_info type;
    found[count++] = find_type(schema, "ExportedProgram");
    for (size_t next = 0; next < count; next++) {
        for (size_t i = 0; ep_schema_type(schema, i, &type); i++) {
            bool known = false;
            for (size_t k = 0; k < count; k++) {
                known = known || found[k] == i;
            }
            if (!known && count < TYPES_MAX && refers_to(schema, found[next], type.name)) {
                found[count++] = i;
            }
        }
    }
    for (size_t k = 0; k < count; k++) {
        names[k] = ep_schema_type(schema, found[k], &type) ? type.name : "";
    }
    return count;
}

static json *reachable_types(const ep_schema *schema) {
    const char *names[TYPES_MAX];
    size_t count = reach(schema, names);
    json *list = json_array();
    name_list sorted = {0};
    for (size_t i = 0; i < count; i++) {
        names_add(&sorted, (name_item){.name = bytes_of(names[i])});
    }
    names_sort(&sorted);
    for (size_t i = 0; i < sorted.count; i++) {
        json_append(list, json_text(sorted.items[i].name));
    }
    if (sorted.failed) {
        json_free(list);
        list = NULL;
    }
    names_free(&sorted);
    return list;
}

/* --------------------------------------------------------------------- types */

static json *field_view(const schema_view_member *m) {
    json *field = json_make("name:s type:s required:b", m->info.name, m->type, !m->optional);
    if (m->optional) {
        json_add(field, "default", json_finished(bytes_of(m->info.default_json)));
    }
    if (m->info.id != 0) {
        json_members(field, "field_id:i", (int64_t)m->info.id);
    }
    return field;
}

static void add_members(json *object, const ep_schema *schema, size_t type, bool enumerators) {
    schema_view_member m;
    json *members = enumerators ? json_object() : json_array();
    for (size_t i = 0; schema_view_member_at(schema, type, i, &m); i++) {
        if (enumerators) {
            json_add(members, m.info.name, json_integer(m.info.value));
        } else {
            json_append(members, field_view(&m));
        }
    }
    json_add(object, enumerators ? "values" : "fields", members);
}

static json *type_view(const ep_schema *schema, size_t i, ep_kind kind, const ep_version *v) {
    json *object = json_make("kind:s", schema_view_kind(kind));
    if (kind == EP_KIND_ENUM) {
        json_members(object, "wire:s", "int");
    }
    add_members(object, schema, i, kind == EP_KIND_ENUM);
    if (kind == EP_KIND_UNION) {
        json_members(object, "union_encoding:s", union_name(v->unions));
    }
    return object;
}

json *schema_view(const ep_schema *schema, const ep_version *v) {
    json *view = json_object();
    ep_type_info type;
    json_members(view, "schema_version:j schema_version_wire:s treespec_version:j",
                 schema_view_number(v), v->minor < 0 ? "int" : "{major,minor}",
                 v->treespec > 0 ? json_integer(v->treespec) : json_null());
    json *unions = json_object();
    json_add(unions, union_name(v->unions), json_text(bytes_of(union_description(v->unions))));
    json_members(view, "union_encoding:j root_types:j reachable_from_ExportedProgram:j", unions,
                 root_types(schema), reachable_types(schema));
    json *types = json_object();
    for (size_t i = 0; ep_schema_type(schema, i, &type); i++) {
        json_add(types, type.name, type_view(schema, i, type.kind, v));
    }
    json_add(view, "types", types);
    return view;
}
