/*
 * edit.c - the edits that rows of defect.def name, and what is put; see edit.h.
 */
#include "edit.h"

#include <string.h>

/* ------------------------------------------------------------------ versions */

bool version_within(const ep_version *version, const char *since, const char *until) {
    return (since == NULL || version >= ep_version_find(since)) &&
           (until == NULL || version < ep_version_find(until));
}

size_t schema_type(const ep_schema *schema, ep_bytes type) {
    ep_type_info info;
    size_t i = 0;
    while (ep_schema_type(schema, i, &info) && !bytes_equal(type, info.name)) {
        i++;
    }
    return i;
}

bool find_member(const ep_schema *schema, size_t type, ep_bytes name, ep_member_info *info,
                 size_t *number) {
    for (*number = 0; ep_schema_member(schema, type, *number, info); (*number)++) {
        if (bytes_equal(name, info->name)) {
            return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------- putting */

void put(defect *d, const char *text) {
    buffer_text(&d->with, text);
}

void put_bytes(defect *d, ep_bytes bytes) {
    buffer_put(&d->with, bytes.data, bytes.size);
}

/* Of ten digits, which are no number that is out of some range. */
static void put_fresh(defect *d) {
    size_t begin = d->with.size;
    const char *made;
    do {
        d->with.size = begin;
        buffer_number(&d->with, 1000000000 + (int64_t)draw(d, 1000000000));
        made = buffer_string(&d->with);
    } while (!d->with.failed &&
             bytes_find(d->places.text, 0, bytes_of(made + begin)) < d->places.text.size);
}

/* A union that is open: its type and tag. */
typedef struct open_union {
    size_t type;
    ep_bytes tag;
} open_union;

enum { UNIONS_MAX = 4 };

/* From "Argument.as_int" on, which ends at a mark; where that is. */
static const char *begin_union(defect *d, const char *text, open_union *u) {
    ep_member_info info;
    size_t number;
    size_t dot = strcspn(text, ".");
    size_t size = strcspn(text, "\4");
    bool typed = d->version->unions == EP_UNION_TYPE_VALUE;
    u->type = schema_type(d->places.schema, (ep_bytes){text, dot});
    u->tag = (ep_bytes){text + dot + 1, size - dot - 1};
    d->foreign |= !find_member(d->places.schema, u->type, u->tag, &info, &number);
    put(d, typed ? "{\"$type\": \"" : "{\"");
    put_bytes(d, u->tag);
    put(d, typed ? "\", \"$value\": " : "\": ");
    return text + size;
}

/* With the other variants, where a version writes all of them. */
static void end_union(defect *d, const open_union *u) {
    ep_member_info info;
    bool all = d->version->unions == EP_UNION_ALL_FIELDS;
    for (size_t i = 0; all && ep_schema_member(d->places.schema, u->type, i, &info); i++) {
        if (!bytes_equal(u->tag, info.name)) {
            put(d, ", \"");
            put(d, info.name);
            put(d, "\": null");
        }
    }
    put(d, "}");
}

void put_text(defect *d, const char *text, ep_bytes old) {
    open_union unions[UNIONS_MAX];
    size_t depth = 0;
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '%': /* OLD */
            put_bytes(d, old);
            break;
        case '\1': /* FRESH */
            put_fresh(d);
            break;
        case '\2': /* OTHER */
            put_bytes(d, d->other);
            break;
        case '\3': /* UNION, */
            text = begin_union(d, text + 1, &unions[depth++]);
            break;
        case '\5': /* and its end */
            end_union(d, &unions[--depth]);
            break;
        default:
            buffer_byte(&d->with, *text);
        }
    }
}

bool replace(defect *d, size_t begin, size_t end, const char *text, ep_bytes old) {
    d->begin = begin;
    d->end = end;
    put_text(d, text, old);
    return true;
}

bool replace_text(defect *d, const place *p, const char *text, ep_bytes old) {
    return replace(d, p->begin + 1, p->end - 1, text, old);
}

bool replace_key(defect *d, const place *p, const char *text) {
    ep_bytes key = key_at(d, p);
    return replace(d, p->key + 1, p->key + 1 + key.size, text, key);
}

/* -------------------------------------------------------------------- values */

static bool is_string(const defect *d, const place *p) {
    return d->places.text.data[p->begin] == '"';
}

/* What OLD stands for: the text of a string, or the bytes of anything else. */
static ep_bytes old_of(const defect *d, const place *p) {
    return is_string(d, p) ? text_at(d, p) : bytes_at(d, p);
}

EDIT(value, replace(d, p->begin, p->end, text, old_of(d, p)))

EDIT(text, replace_text(d, p, text, text_at(d, p)))

/* Behind the last character of a string. */
EDIT(in_text, replace(d, p->end - 1, p->end - 1, text, text_at(d, p)))

bool rename_to(defect *d, const place *p, const char *text, defect_relation *is) {
    const place *other = draw_related(d, is, p);
    d->other = other == NULL ? (ep_bytes){NULL, 0} : text_at(d, other);
    return other != NULL && edit_text(d, p, text);
}

EDIT(key, replace_key(d, p, text))

EDIT(before, replace(d, p->begin, p->begin, text, old_of(d, p)))

EDIT(after, replace(d, p->end, p->end, text, bytes_at(d, p)))

/* Before all of the text, and behind all. */
EDIT(start, replace(d, 0, 0, text, d->places.text))

EDIT(end, replace(d, d->places.text.size, d->places.text.size, text, d->places.text))

/* One of the occurrences of a text within a value becomes another. */
bool edit_found(defect *d, const place *p, const char *text) {
    size_t size = strcspn(text, "\6");
    ep_bytes what = {text, size};
    ep_bytes in = bytes_at(d, p);
    size_t at = bytes_find(in, draw(d, in.size), what);
    at = at < in.size ? at : bytes_find(in, 0, what);
    return at < in.size && replace(d, p->begin + at, p->begin + at + size, text + size + 1, in);
}

/* --------------------------------------------------------------------- parts */

/* Puts a part before another, or behind the last with NULL; a key without data is none. */
static bool insert(defect *d, const place *in, const place *before, ep_bytes key,
                   const char *text) {
    size_t at = before != NULL ? place_start(before) : in->end - 1;
    put(d, before == NULL && in->count > 0 ? ", " : "");
    if (key.data != NULL) {
        put(d, "\"");
        put_bytes(d, key);
        put(d, "\": ");
    }
    replace(d, at, at, text, (ep_bytes){"", 0});
    put(d, before != NULL ? ", " : "");
    return true;
}

static const ep_bytes no_key = {NULL, 0};

/* Any part of a list, dict or object, or NULL. */
static const place *draw_part(defect *d, const place *in) {
    const place *p = first_in(d, in);
    for (size_t left = draw(d, in->count + 1); left > 0; left--) {
        p = next_of(d, p);
    }
    return p;
}

bool edit_item(defect *d, const place *list, const char *text) {
    return insert(d, list, draw_part(d, list), no_key, text);
}

bool edit_first(defect *d, const place *list, const char *text) {
    return insert(d, list, first_in(d, list), no_key, text);
}

bool edit_last(defect *d, const place *list, const char *text) {
    return insert(d, list, NULL, no_key, text);
}

/* A member or entry by its key: its value, whatever that is, or it comes in. */
bool edit_member(defect *d, const place *in, const char *text) {
    for (const place *p = first_in(d, in); p != NULL; p = next_of(d, p)) {
        if (same_bytes(key_at(d, p), d->key)) {
            return edit_value(d, p, text);
        }
    }
    return insert(d, in, draw_part(d, in), d->key, text);
}

bool edit_remove(defect *d, const place *p, const char *text) {
    const place *next = next_of(d, p);
    const place *previous = previous_of(d, p);
    (void)text;
    if (next != NULL) {
        return replace(d, place_start(p), place_start(next), "", bytes_at(d, p));
    }
    return replace(d, previous != NULL ? previous->end : place_start(p), p->end, "",
                   bytes_at(d, p));
}
