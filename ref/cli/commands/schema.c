/*
 * schema.c - epref schema: the list of versions, or the types of one, as
 * text like PyTorch's dataclasses, or as JSON in the form of the catalogue
 * that is kept in corpora/schemas.
 */
#include <string.h>

#include "cli/diag.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/style.h"
#include "cli/words.h"
#include "command.h"
#include "common/macros.h"
#include "common/names.h"

/* A member of a type, with its type as text. */
typedef struct type_member {
    ep_member_info info;
    bool enumerator;
    bool optional; /* a field with a default */
    char type[64];
} type_member;

static bool member_at(const ep_schema *schema, size_t type, size_t member, type_member *m) {
    ep_type_info info;
    TRY(ep_schema_type(schema, type, &info) && ep_schema_member(schema, type, member, &m->info));
    m->enumerator = info.kind == EP_KIND_ENUM;
    m->optional = info.kind == EP_KIND_STRUCT && m->info.default_json != NULL;
    m->type[0] = '\0';
    ep_schema_member_type(schema, type, member, m->type, sizeof m->type);
    return true;
}

static const char *kind_name(ep_kind kind) {
    return kind == EP_KIND_ENUM ? "enum" : kind == EP_KIND_UNION ? "union" : "struct";
}

/* ------------------------------------------------------------------- header */

static json *version_number(const ep_version *v) {
    bool one = v->minor == v->minor_last;
    json *list = json_array();
    for (int32_t minor = v->minor; minor <= v->minor_last; minor++) {
        json_append(list, json_integer(minor));
    }
    return json_make("major:i minor:m minor_one_of:?j", (int64_t)v->major, v->minor >= 0 && one,
                     (int64_t)v->minor, !one, list);
}

enum { UNION_TEXT, UNION_NAME, UNION_DESCRIPTION, UNION_SAID };

static const char *const unions[][UNION_SAID] = {
    [EP_UNION_ALL_FIELDS] = {"every tag, all but one null", "all_fields_with_nulls",
                             "object holding every union field; exactly one is non-null; unit "
                             "value is []"},
    [EP_UNION_TYPE_VALUE] = {"{\"$type\": tag, \"$value\": value}", "type_value_pair",
                             "{\"$type\": tag, \"$value\": value}"},
    [EP_UNION_SINGLE_KEY] = {"{tag: value}", "single_key_dict",
                             "object with exactly one key, the tag"}};

static const char *const nonfinites[] = {
    [EP_NONFINITE_BARE] = "Infinity, -Infinity, NaN",
    [EP_NONFINITE_QUOTED_INFINITY] = "\"Infinity\", \"-Infinity\"; no NaN",
    [EP_NONFINITE_QUOTED] = "\"Infinity\", \"-Infinity\", \"NaN\""};

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
    type_member m;
    for (size_t i = 0; member_at(schema, type, i, &m); i++) {
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

static size_t find_type(const ep_schema *schema, ep_bytes name) {
    ep_type_info type;
    size_t i = 0;
    while (ep_schema_type(schema, i, &type) && !bytes_equal(name, type.name)) {
        i++;
    }
    return i;
}

/* The names of the types that ExportedProgram is made of, itself included. */
static json *reachable_types(const ep_schema *schema) {
    name_list found = {0};
    ep_type_info type;
    names_add(&found, (name_item){.name = bytes_of("ExportedProgram")});
    for (size_t next = 0; !found.failed && next < found.count; next++) {
        size_t from = find_type(schema, found.items[next].name);
        for (size_t i = 0; ep_schema_type(schema, i, &type); i++) {
            bool known = false;
            for (size_t k = 0; k < found.count && !known; k++) {
                known = bytes_equal(found.items[k].name, type.name);
            }
            if (!known && refers_to(schema, from, type.name)) {
                names_add(&found, (name_item){.name = bytes_of(type.name)});
            }
        }
    }
    json *sorted = found.failed ? NULL : json_sorted_names(&found);
    names_free(&found);
    return sorted;
}

/* --------------------------------------------------------------------- types */

static json *field_view(const type_member *m) {
    const char *otherwise = m->optional ? m->info.default_json : "";
    return json_make("name:s type:s required:b default:?j field_id:?i", m->info.name, m->type,
                     !m->optional, m->optional, json_finished(bytes_of(otherwise)), m->info.id != 0,
                     (int64_t)m->info.id);
}

static json *member_list(const ep_schema *schema, size_t type, bool enumerators) {
    type_member m;
    json *members = enumerators ? json_object() : json_array();
    for (size_t i = 0; member_at(schema, type, i, &m); i++) {
        if (enumerators) {
            json_add(members, m.info.name, json_integer(m.info.value));
        } else {
            json_append(members, field_view(&m));
        }
    }
    return members;
}

static json *type_view(const ep_schema *schema, size_t i, ep_kind kind, const ep_version *v) {
    if (kind == EP_KIND_ENUM) {
        return json_make("kind:s wire:s values:j", kind_name(kind), "int",
                         member_list(schema, i, true));
    }
    return json_make("kind:s fields:j union_encoding:?s", kind_name(kind),
                     member_list(schema, i, false), kind == EP_KIND_UNION,
                     unions[v->unions][UNION_NAME]);
}

static json *version_object(const ep_schema *schema, const ep_version *v) {
    ep_type_info type;
    json *encoding = json_object();
    json *types = json_object();
    json_add(encoding, unions[v->unions][UNION_NAME],
             json_text(bytes_of(unions[v->unions][UNION_DESCRIPTION])));
    for (size_t i = 0; ep_schema_type(schema, i, &type); i++) {
        json_add(types, type.name, type_view(schema, i, type.kind, v));
    }
    return json_make("schema_version:j schema_version_wire:s treespec_version:m union_encoding:j "
                     "root_types:j reachable_from_ExportedProgram:j types:j",
                     version_number(v), v->minor < 0 ? "int" : "{major,minor}", v->treespec > 0,
                     (int64_t)v->treespec, encoding, root_types(schema), reachable_types(schema),
                     types);
}

enum { VERSION_COLUMN = 12, RELEASE_COLUMN = 36 };

/* "2.1.0 2.1.1 2.1.2" is said as "2.1.0 - 2.1.2". */
static void put_releases(buffer *b, const char *releases) {
    const char *last = releases == NULL ? NULL : strrchr(releases, ' ');
    size_t size = releases == NULL ? 0 : strcspn(releases, " ");
    print(b, "%r%s%s", releases == NULL ? "" : releases, size, last != NULL ? " -" : "",
          last != NULL       ? last
          : releases == NULL ? "-"
                             : "");
}

/* ---------------------------------------------------------------- the list */

static void put_list(buffer *b, bool color) {
    style_put(b, color, STYLE_HEADING);
    print(b, "VERSION%pPYTORCH%pNOTE%z\n", VERSION_COLUMN, RELEASE_COLUMN, color, STYLE_PLAIN);
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        const ep_version *v = ep_version_at(i);
        size_t from = b->size;
        print(b, "%s%p", v->name, VERSION_COLUMN);
        put_releases(b, v->releases);
        buffer_pad(b, from, v->note != NULL ? RELEASE_COLUMN : 0);
        print(b, "%s\n", v->note != NULL ? v->note : "");
    }
}

static void put_list_json(buffer *b) {
    json *list = json_array();
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        const ep_version *v = ep_version_at(i);
        json_append(list,
                    json_make("name:s schema_version:j releases:j owns_number:b note:s", v->name,
                              version_number(v), json_words(v->releases), v->owns_number, v->note));
    }
    json_put(b, list);
}

/* -------------------------------------------------------------- one version */

static void put_heading(buffer *b, const ep_version *v, bool color) {
    print(b, "%zschema %s%Z\n  PyTorch     ", color, STYLE_HEADING, v->name);
    put_releases(b, v->releases);
    print(b, "%s%s\n  unions      %s\n  null fields %s\n  not finite  %s\n",
          v->note != NULL ? "\n  note        " : "", v->note != NULL ? v->note : "",
          unions[v->unions][UNION_TEXT], v->nulls == EP_NULL_WRITTEN ? "written" : "left out",
          nonfinites[v->nonfinite]);
}

static void put_field(buffer *b, const type_member *m, bool color) {
    size_t from = b->size;
    print(b, "    %s%s", m->info.name, m->enumerator ? " = " : ": ");
    if (m->enumerator) {
        buffer_number(b, m->info.value);
    } else {
        buffer_text(b, m->type);
    }
    print(b, m->optional ? " = %s" : "", m->info.default_json);
    if (m->info.id != 0) {
        buffer_pad(b, from, 60);
        print(b, "%z # %i%Z", color, STYLE_DIM, (int64_t)m->info.id);
    }
    buffer_byte(b, '\n');
}

static void put_version(buffer *b, const ep_schema *schema, const ep_version *v, bool color) {
    ep_type_info type;
    type_member member;
    put_heading(b, v, color);
    for (size_t i = 0; ep_schema_type(schema, i, &type); i++) {
        print(b, "\n%s %z%s%Z:\n", kind_name(type.kind), color, STYLE_HEADING, type.name);
        for (size_t m = 0; member_at(schema, i, m, &member); m++) {
            put_field(b, &member, color);
        }
    }
}

static status print_version(const options *o, const ep_version *v) {
    ep_arena arena;
    failure what = {0};
    buffer product = {0};
    const ep_schema *schema;
    arena_open(&arena, o->max_memory);
    if (!ep_schema_open(&arena, v, &schema, &what.error)) {
        what.status = status_of_code(what.error.code);
        ep_arena_free(&arena);
        return diag_fail(o, bytes_of(v->name), &what);
    }
    if (o->json) {
        json_put(&product, version_object(schema, v));
    } else {
        put_version(&product, schema, v, style_on_output(o));
    }
    ep_arena_free(&arena);
    return command_finish(o, &product, STATUS_DONE);
}

static status refuse_version(const options *o, const char *word) {
    buffer reason = {0};
    buffer_text(&reason, "no such schema version");
    versions_put_nearest(&reason, word);
    return diag_fail_word(o, word, &reason);
}

status cmd_schema(const options *o) {
    buffer product = {0};
    if (o->operand_count == 0) {
        if (o->json) {
            put_list_json(&product);
        } else {
            put_list(&product, style_on_output(o));
        }
        return command_finish(o, &product, STATUS_DONE);
    }
    const ep_version *v = versions_named(o->operands[0]);
    return v != NULL ? print_version(o, v) : refuse_version(o, o->operands[0]);
}
