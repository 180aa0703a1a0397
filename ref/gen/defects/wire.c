/*
 * wire.c - filters and edits of the rows about JSON and about the types of values (SPEC
 * parts 1 to 3).
 */
#include "edit.h"

#include <string.h>

/* ---------------------------------------------------------------------- JSON */

static char first_byte(const defect *d, const place *p) {
    return d->places.text.data[p->begin];
}

FITS(any, d != NULL && p != NULL)

FITS(digits, p->kind == EP_KIND_INT && first_byte(d, p) != '-')

FITS(word, strchr("tfn", first_byte(d, p)) != NULL)

FITS(string, first_byte(d, p) == '"')

FITS(keyed, fits_any(d, p) && p->key != 0)

FITS(inner, outer(d, p) != NULL)

/* The key of a member once more, behind it. */
bool edit_again(defect *d, const place *p, const char *text) {
    ep_bytes key = key_at(d, p);
    put(d, ", ");
    put_bytes(d, (ep_bytes){key.data - 1, key.size + 2});
    return replace(d, p->end, p->end, text, key);
}

/* A value in more brackets than may be. */
bool edit_deep(defect *d, const place *p, const char *text) {
    enum { DEEP = 1001 };
    size_t depth = DEEP + draw(d, 500);
    for (size_t i = 0; i < 2 * depth; i++) {
        put(d, i < depth ? "[" : "]");
    }
    return replace(d, p->begin, p->end, text, bytes_at(d, p));
}

/* Ends before the last brace. */
EDIT(cut, replace(d, draw(d, p->end), d->places.text.size, text, d->places.text))

/* -------------------------------------------------------------------- values */

/* Infinity, -Infinity or NaN, bare. */
static bool is_literal(const defect *d, const place *p) {
    const char *text = d->places.text.data + p->begin;
    return text[0] == 'I' || text[0] == 'N' || (text[0] == '-' && text[1] == 'I');
}

/* Without a version, or as another one's, literals would be the first fault of a program
 * (SPEC 2.7.1). */
bool fits_first_fault(const defect *d, const place *p) {
    (void)p;
    for (size_t i = 0; i < d->places.count; i++) {
        TRY(!is_literal(d, &d->places.items[i]));
    }
    return true;
}

/* Whether the faults of a value are those of its type: the version has codes of its own. */
FITS(plain, p->kind != EP_KIND_NULL && !is_member(p, "ExportedProgram", "schema_version") &&
                !is_member(outer(d, p), "ExportedProgram", "schema_version"))

/* A value that may be no literal, not even infinity: of another type where the version
 * writes them bare. */
bool fits_no_literal(const defect *d, const place *p) {
    const place *in = outer(d, p);
    return in != NULL && strchr("[{", first_byte(d, p)) == NULL && !is_of(in, "RangeConstraint") &&
           (d->version->nonfinite != EP_NONFINITE_BARE ||
            (p->kind != EP_KIND_FLOAT && fits_plain(d, p)));
}

/* The member that a place is; false for what is none. */
static bool member_at(const defect *d, const place *p, ep_member_info *info, char type[64]) {
    const ep_schema *schema = d->places.schema;
    size_t number;
    size_t of = p->member == NULL ? 0 : schema_type(schema, bytes_of(p->type));
    return p->member != NULL && find_member(schema, of, bytes_of(p->member), info, &number) &&
           ep_schema_member_type(schema, of, number, type, 64) > 0;
}

/* In the form with all variants a null is another variant's. */
bool fits_no_null(const defect *d, const place *p) {
    ep_member_info info;
    char type[64] = "";
    const place *in = outer(d, p);
    TRY(fits_plain(d, p) && in != NULL && p->member != NULL && strcmp(p->member, "$type") != 0);
    if (in->kind == EP_KIND_UNION) {
        return d->version->unions != EP_UNION_ALL_FIELDS;
    }
    return in->kind != EP_KIND_STRUCT ||
           (member_at(d, p, &info, type) && strncmp(type, "Optional", 8) != 0 &&
            strncmp(type, "optional", 8) != 0);
}

/* ------------------------------------------------------------ structs, unions */

/* Whether a type has a member by its name, or an enumerator by its number. */
static bool has_member(const ep_schema *schema, size_t type, const ep_member_info *wanted,
                       bool numbered) {
    ep_member_info info;
    bool found = false;
    for (size_t i = 0; !found && ep_schema_member(schema, type, i, &info); i++) {
        found = numbered ? info.value == wanted->value : strcmp(info.name, wanted->name) == 0;
    }
    return found;
}

/* Draws one that the type of a value has in other versions only; false if there is none. */
static bool draw_foreign(defect *d, const place *p, ep_member_info *drawn) {
    ep_bytes type = bytes_of(ep_value_type(p->value));
    size_t own = schema_type(d->places.schema, type);
    size_t met = 0;
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        ep_arena arena;
        const ep_schema *schema;
        ep_member_info info;
        arena_open(&arena, 0);
        bool open = ep_schema_open(&arena, ep_version_at(i), &schema, NULL);
        size_t of = open ? schema_type(schema, type) : 0;
        for (size_t j = 0; open && ep_schema_member(schema, of, j, &info); j++) {
            bool has = has_member(d->places.schema, own, &info, p->kind == EP_KIND_ENUM);
            *drawn = !has && draw(d, ++met) == 0 ? info : *drawn;
        }
        ep_arena_free(&arena);
    }
    return met > 0;
}

bool edit_foreign(defect *d, const place *p, const char *text) {
    ep_member_info info = {0};
    TRY(draw_foreign(d, p, &info));
    d->key = bytes_of(info.name);
    return edit_member(d, p, text);
}

bool edit_foreign_number(defect *d, const place *p, const char *text) {
    ep_member_info info = {0};
    TRY(draw_foreign(d, p, &info));
    buffer_number(&d->with, info.value);
    return replace(d, p->begin, p->end, text, bytes_at(d, p));
}

bool edit_foreign_tag(defect *d, const place *p, const char *text) {
    ep_member_info info = {0};
    TRY(draw_foreign(d, p, &info));
    d->other = bytes_of(info.name);
    return edit_tag(d, p, text);
}

bool edit_tag(defect *d, const place *p, const char *text) {
    const char *own = ep_value_name(p->value, 0);
    return d->version->unions == EP_UNION_TYPE_VALUE
               ? replace_text(d, first_in(d, p), text, bytes_of(own))
               : replace_key(d, tagged(d, p), text);
}

/* A field that has no default; of a union that has all its variants, each. */
bool fits_required(const defect *d, const place *p) {
    ep_member_info info;
    char type[64];
    const place *in = outer(d, p);
    if (in != NULL && in->kind == EP_KIND_UNION) {
        return d->version->unions == EP_UNION_ALL_FIELDS;
    }
    return in != NULL && in->kind == EP_KIND_STRUCT && fits_plain(d, p) &&
           member_at(d, p, &info, type) && info.default_json == NULL;
}

/* By how unions are written: with all variants; a variant that is meant, of such, and
 * another one behind it. */
FITS(of_all, fits_any(d, p) && d->version->unions == EP_UNION_ALL_FIELDS)

FITS(of_one, !fits_of_all(d, p))

static bool is_variant(const defect *d, const place *p) {
    return outer(d, p) != NULL && outer(d, p)->kind == EP_KIND_UNION;
}

FITS(variant_of_all, fits_of_all(d, p) && is_variant(d, p) && p == tagged(d, outer(d, p)))

FITS(null_behind,
     fits_of_all(d, p) && is_variant(d, p) && p->kind == EP_KIND_NULL && p > tagged(d, outer(d, p)))
