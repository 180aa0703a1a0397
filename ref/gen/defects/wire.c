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

FITS(array, first_byte(d, p) == '[')

FITS(object, first_byte(d, p) == '{')

FITS(filled, p->count > 0 && (fits_array(d, p) || fits_object(d, p)))

FITS(filled_object, p->count > 0 && fits_object(d, p))

/* An integer without a sign. */
bool fits_digits(const defect *d, const place *p) {
    ep_bytes text = bytes_at(d, p);
    for (size_t i = 0; i < text.size; i++) {
        TRY(text.data[i] >= '0' && text.data[i] <= '9');
    }
    return true;
}

FITS(word, strchr("tfn", first_byte(d, p)) != NULL)

FITS(string, first_byte(d, p) == '"')

FITS(keyed, fits_any(d, p) && p->key != 0)

FITS(characters, fits_keyed(d, p) || fits_string(d, p))

FITS(later, outer(d, p) != NULL && p != first_in(d, outer(d, p)))

FITS(inner, outer(d, p) != NULL)

/* Ends before the last brace. */
EDIT(cut, replace(d, draw(d, p->end), d->places.text.size, text, d->places.text))

/* For the comma before it. */
bool edit_comma(defect *d, const place *p, const char *text) {
    size_t end = previous_of(d, p)->end;
    return replace(d, end, end + 1, text, bytes_at(d, p));
}

EDIT(colon, replace(d, p->key + key_at(d, p).size + 2, p->begin, text, bytes_at(d, p)))

/* A byte that is drawn, between two characters. */
bool edit_control(defect *d, const place *p, const char *text) {
    edit_between(d, p, text);
    buffer_byte(&d->with, (char)draw(d, 0x20));
    return true;
}

/* The key of a member once more, behind any of its object, maybe with its first character as
 * an escape. */
bool edit_again(defect *d, const place *p, const char *text) {
    static const char digits[] = "0123456789abcdef";
    ep_bytes key = key_at(d, p);
    const place *before = first_in(d, outer(d, p));
    for (size_t left = draw(d, outer(d, p)->count); left > 0; left--) {
        before = next_of(d, before);
    }
    put(d, ", \"");
    if (key.size > 0 && key.data[0] != '\\' && draw(d, 3) == 0) {
        char escape[] = {
            '\\', 'u', '0', '0', digits[key.data[0] >> 4 & 15], digits[key.data[0] & 15], 0};
        put(d, escape);
        key = (ep_bytes){key.data + 1, key.size - 1};
    }
    put_bytes(d, key);
    put(d, "\": ");
    return replace(d, before->end, before->end, text, bytes_at(d, p));
}

/* A value in more brackets than may be. */
bool edit_deep(defect *d, const place *p, const char *text) {
    enum { DEEP = 1001 };
    size_t depth = DEEP + draw(d, 500);
    bool object = text[0] == '{';
    for (size_t i = 0; i < depth; i++) {
        put(d, text);
    }
    put(d, object ? "{" : "");
    for (size_t i = 0; i < depth + object; i++) {
        put(d, object ? "}" : "]");
    }
    return replace(d, p->begin, p->end, "", bytes_at(d, p));
}

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

/* A value that may be no literal: of another type where the version writes them bare. */
static bool takes_no_literal(const defect *d, const place *p) {
    bool leaf = outer(d, p) != NULL && !fits_array(d, p) && !fits_object(d, p);
    return leaf && (d->version->nonfinite != EP_NONFINITE_BARE ||
                    (p->kind != EP_KIND_FLOAT && fits_plain(d, p)));
}

FITS(no_end, takes_no_literal(d, p) && !is_of(outer(d, p), "RangeConstraint"))

FITS(no_literal, takes_no_literal(d, p))

FITS(spelled_bare, fits_any(d, p) && d->version->nonfinite == EP_NONFINITE_BARE)

/* The member that a place is; false for what is none. */
static bool member_at(const defect *d, const place *p, ep_member_info *info, char type[64]) {
    size_t number;
    bool found =
        p->member != NULL && find_member(d->schema, p->type, bytes_of(p->member), info, &number);
    if (found) {
        ep_schema_member_type(d->schema, schema_type(d->schema, p->type), number, type, 64);
    }
    return found;
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

/* The number of another version; one that nobody has is another one, too. */
bool edit_version(defect *d, const place *p, const char *text) {
    const ep_version *other;
    size_t count = 0;
    while (ep_version_at(count) != NULL) {
        count++;
    }
    do {
        other = ep_version_at(draw(d, count));
    } while (other->major == d->version->major && other->minor == d->version->minor);
    replace(d, p->begin, p->end, other->minor < 0 ? "" : "{\"major\": ", bytes_at(d, p));
    put_number(d, other->major);
    if (other->minor >= 0) {
        put(d, text);
        put_number(d, other->minor);
        put(d, "}");
    }
    return true;
}

/* ------------------------------------------------------------ structs, unions */

/* Whether a type has a member by its name, or an enumerator by its number. */
static bool has_member(const ep_schema *schema, const char *type, const ep_member_info *wanted) {
    ep_type_info of;
    ep_member_info info;
    size_t number = schema_type(schema, type);
    bool numbered = ep_schema_type(schema, number, &of) && of.kind == EP_KIND_ENUM;
    for (size_t i = 0; ep_schema_member(schema, number, i, &info); i++) {
        if (numbered ? info.value == wanted->value : strcmp(info.name, wanted->name) == 0) {
            return true;
        }
    }
    return false;
}

/* Draws one that the type has in other versions only; false if there is none. */
static bool draw_foreign(defect *d, const char *type, ep_member_info *drawn) {
    size_t met = 0;
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        ep_arena arena;
        const ep_schema *schema;
        ep_member_info info;
        arena_open(&arena, 0);
        bool open = ep_schema_open(&arena, ep_version_at(i), &schema, NULL);
        size_t of = open ? schema_type(schema, type) : 0;
        for (size_t j = 0; open && ep_schema_member(schema, of, j, &info); j++) {
            if (!has_member(d->schema, type, &info) && draw(d, ++met) == 0) {
                *drawn = info;
            }
        }
        ep_arena_free(&arena);
    }
    return met > 0;
}

/* With a name, or a number, that its type has in other versions. */
bool edit_foreign(defect *d, const place *p, const char *text) {
    ep_member_info info;
    TRY(draw_foreign(d, ep_value_type(p->value), &info));
    d->key = bytes_of(info.name);
    return edit_member(d, p, text);
}

bool edit_foreign_number(defect *d, const place *p, const char *text) {
    ep_member_info info;
    bool drawn = draw_foreign(d, ep_value_type(p->value), &info);
    if (drawn) {
        replace(d, p->begin, p->end, text, bytes_at(d, p));
        put_number(d, info.value);
    }
    return drawn;
}

bool edit_foreign_tag(defect *d, const place *p, const char *text) {
    ep_member_info info;
    bool drawn = draw_foreign(d, ep_value_type(p->value), &info);
    d->other = bytes_of(drawn ? info.name : "");
    return drawn && edit_tag(d, p, text);
}

bool edit_tag(defect *d, const place *p, const char *text) {
    const char *own = ep_value_name(p->value, 0);
    return d->version->unions == EP_UNION_TYPE_VALUE
               ? replace_text(d, first_in(d, p), text, bytes_of(own))
               : replace_key(d, tagged(d, p), text);
}

/* Whose absence has no code of its own that comes first. */
bool fits_field(const defect *d, const place *p) {
    const place *in = outer(d, p);
    return in != NULL && in->kind == EP_KIND_STRUCT &&
           !is_member(p, "ExportedProgram", "schema_version") &&
           !is_member(in, "ExportedProgram", "schema_version");
}

/* A field that has no default; of a union that has all its variants, each. */
bool fits_required(const defect *d, const place *p) {
    ep_member_info info;
    char type[64];
    const place *in = outer(d, p);
    if (in != NULL && in->kind == EP_KIND_UNION) {
        return d->version->unions == EP_UNION_ALL_FIELDS;
    }
    return fits_field(d, p) && member_at(d, p, &info, type) && info.default_json == NULL;
}

/* By how unions are written: with all variants; a variant that is meant, of such, and
 * another one behind it. */
FITS(of_all, fits_any(d, p) && d->version->unions == EP_UNION_ALL_FIELDS)

FITS(of_one, !fits_of_all(d, p))

FITS(without_int, !fits_of_all(d, p) && !has_tag(p, "as_int"))

static bool is_variant(const defect *d, const place *p) {
    return outer(d, p) != NULL && outer(d, p)->kind == EP_KIND_UNION;
}

FITS(variant_of_all, fits_of_all(d, p) && is_variant(d, p) && p == tagged(d, outer(d, p)))

FITS(null_behind,
     fits_of_all(d, p) && is_variant(d, p) && p->kind == EP_KIND_NULL && p > tagged(d, outer(d, p)))

/* A tag or a value, which stand under keys of their own. */
FITS(typed, is_variant(d, p) && d->version->unions == EP_UNION_TYPE_VALUE)

FITS(typed_value, fits_typed(d, p) && p != first_in(d, outer(d, p)))

FITS(second_of_tuple, fits_later(d, p) && outer(d, p)->kind == EP_KIND_TUPLE)
