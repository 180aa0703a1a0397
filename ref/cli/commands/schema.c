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
#include "cli/versions.h"
#include "command.h"
#include "schema_view.h"

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
    print(b, "VERSION%pPYTORCH%pNOTE", VERSION_COLUMN, RELEASE_COLUMN);
    style_put(b, color, STYLE_PLAIN);
    buffer_byte(b, '\n');
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        const ep_version *v = ep_version_at(i);
        buffer releases = {0};
        put_releases(&releases, v->releases);
        print(b, "%s%p%s%p%s\n", v->name, VERSION_COLUMN, buffer_string(&releases),
              v->note != NULL ? RELEASE_COLUMN : 0, v->note != NULL ? v->note : "");
        b->failed = b->failed || releases.failed;
        buffer_free(&releases);
    }
}

static void put_list_json(buffer *b) {
    json *list = json_array();
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        const ep_version *v = ep_version_at(i);
        json *row =
            json_make("name:s schema_version:j releases:j owns_number:b note:s", v->name,
                      schema_view_number(v), json_words(v->releases), v->owns_number, v->note);
        json_append(list, row);
    }
    json_put(b, list);
}

/* -------------------------------------------------------------- one version */

static const char *union_text(ep_union_form form) {
    switch (form) {
    case EP_UNION_ALL_FIELDS:
        return "every tag, all but one null";
    case EP_UNION_TYPE_VALUE:
        return "{\"$type\": tag, \"$value\": value}";
    case EP_UNION_SINGLE_KEY:
        break;
    }
    return "{tag: value}";
}

static const char *nonfinite_text(ep_nonfinite_form form) {
    switch (form) {
    case EP_NONFINITE_BARE:
        return "Infinity, -Infinity, NaN";
    case EP_NONFINITE_QUOTED_INFINITY:
        return "\"Infinity\", \"-Infinity\"; no NaN";
    case EP_NONFINITE_QUOTED:
        break;
    }
    return "\"Infinity\", \"-Infinity\", \"NaN\"";
}

static void put_heading(buffer *b, const ep_version *v, bool color) {
    style_put(b, color, STYLE_HEADING);
    print(b, "schema %s", v->name);
    style_put(b, color, STYLE_PLAIN);
    buffer_text(b, "\n  PyTorch     ");
    put_releases(b, v->releases);
    print(b, "%s%s\n  unions      %s\n  null fields %s\n  not finite  %s\n",
          v->note != NULL ? "\n  note        " : "", v->note != NULL ? v->note : "",
          union_text(v->unions), v->nulls == EP_NULL_WRITTEN ? "written" : "left out",
          nonfinite_text(v->nonfinite));
}

static void put_field(buffer *b, const schema_view_member *m, bool color) {
    size_t from = b->size;
    print(b, "    %s%s", m->info.name, m->enumerator ? " = " : ": ");
    if (m->enumerator) {
        buffer_number(b, m->info.value);
    } else {
        buffer_text(b, m->type);
    }
    if (m->optional) {
        print(b, " = %s", m->info.default_json);
    }
    if (m->info.id != 0) {
        buffer_pad(b, from, 60);
        style_put(b, color, STYLE_DIM);
        print(b, " # %i", (int64_t)m->info.id);
        style_put(b, color, STYLE_PLAIN);
    }
    buffer_byte(b, '\n');
}

static void put_type(buffer *b, const ep_schema *schema, size_t i, bool color) {
    ep_type_info type;
    schema_view_member member;
    ep_schema_type(schema, i, &type);
    print(b, "\n%s ", schema_view_kind(type.kind));
    style_text(b, color, STYLE_HEADING, type.name);
    buffer_text(b, ":\n");
    for (size_t m = 0; schema_view_member_at(schema, i, m, &member); m++) {
        put_field(b, &member, color);
    }
}

static void put_version(buffer *b, const ep_schema *schema, const ep_version *v, bool color) {
    ep_type_info type;
    put_heading(b, v, color);
    for (size_t i = 0; ep_schema_type(schema, i, &type); i++) {
        put_type(b, schema, i, color);
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
        json_put(&product, schema_view(schema, v));
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
