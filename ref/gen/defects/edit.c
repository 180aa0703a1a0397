/*
 * edit.c - the edit of a defect, and its version; see edit.h.
 */
#include "edit.h"

#include <string.h>

/* ------------------------------------------------------------------ versions */

bool version_within(const ep_version *version, const char *since, const char *until) {
    return (since == NULL || version >= ep_version_find(since)) &&
           (until == NULL || version < ep_version_find(until));
}

bool within(const defect *d, const char *since, const char *until) {
    return version_within(d->version, since, until);
}

size_t schema_type(const ep_schema *schema, const char *type) {
    ep_type_info info;
    size_t i = 0;
    while (ep_schema_type(schema, i, &info) && strcmp(info.name, type) != 0) {
        i++;
    }
    return i;
}

/* The member's number; false if there is none. */
static bool find_member(const defect *d, size_t type, const char *member, size_t *number) {
    ep_member_info info;
    for (*number = 0; ep_schema_member(d->schema, type, *number, &info); (*number)++) {
        if (strcmp(info.name, member) == 0) {
            return true;
        }
    }
    return false;
}

bool version_has(const defect *d, const char *type, const char *member) {
    size_t number;
    return find_member(d, schema_type(d->schema, type), member, &number);
}

bool is_optional(const defect *d, const char *type, const char *member) {
    static const char optional[] = "optional";
    char text[64] = "";
    size_t number;
    size_t of = schema_type(d->schema, type);
    if (!find_member(d, of, member, &number)) {
        return true;
    }
    ep_schema_member_type(d->schema, of, number, text, sizeof text);
    for (size_t i = 0; i + 1 < sizeof optional; i++) {
        if ((text[i] | 0x20) != optional[i]) {
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------- editing */

bool replace_bytes(defect *d, size_t begin, size_t end, const char *with) {
    d->begin = begin;
    d->end = end;
    put(d, with);
    return true;
}

bool replace(defect *d, const place *p, const char *with) {
    return replace_bytes(d, p->begin, p->end, with);
}

bool replace_text(defect *d, const place *p, const char *with) {
    return replace_bytes(d, p->begin + 1, p->end - 1, with);
}

bool replace_found(defect *d, const place *p, const char *what, const char *with) {
    ep_bytes in = bytes_at(d, p);
    size_t count = 0;
    for (size_t at = find_bytes(in, 0, what); at < in.size; at = find_bytes(in, at + 1, what)) {
        count++;
    }
    if (count == 0) {
        return no_place(d, "a text of this kind has nothing to spoil");
    }
    size_t at = find_bytes(in, 0, what);
    for (size_t left = draw(d, count); left > 0; left--) {
        at = find_bytes(in, at + 1, what);
    }
    return replace_bytes(d, p->begin + at, p->begin + at + strlen(what), with);
}

/* Where a part begins, its key included. */
static size_t part_begin(const place *p) {
    return p->key != 0 ? p->key : p->begin;
}

bool insert_behind(defect *d, const place *list) {
    return replace_bytes(d, list->end - 1, list->end - 1, list->count == 0 ? "" : ", ");
}

bool insert_into(defect *d, const place *list) {
    size_t before = draw(d, list->count + 1);
    const place *p = first_in(d, list);
    if (before == list->count) {
        return insert_behind(d, list);
    }
    while (before-- > 0) {
        p = next_of(d, p);
    }
    d->after = ", ";
    return replace_bytes(d, part_begin(p), part_begin(p), "");
}

bool insert_member(defect *d, const place *object, const char *key) {
    insert_into(d, object);
    put_quoted(d, bytes_of(key));
    put(d, ": ");
    return true;
}

bool remove_part(defect *d, const place *p) {
    const place *next = next_of(d, p);
    const place *previous = previous_of(d, p);
    if (next != NULL) {
        return replace_bytes(d, part_begin(p), part_begin(next), "");
    }
    return replace_bytes(d, previous != NULL ? previous->end : part_begin(p), p->end, "");
}

/* ------------------------------------------------------------------- putting */

void put(defect *d, const char *text) {
    buffer_text(&d->with, text);
}

void put_bytes(defect *d, ep_bytes bytes) {
    buffer_put(&d->with, bytes.data, bytes.size);
}

void put_quoted(defect *d, ep_bytes text) {
    put(d, "\"");
    put_bytes(d, text);
    put(d, "\"");
}

void put_number(defect *d, int64_t number) {
    buffer_number(&d->with, number);
}

void put_template(defect *d, const char *template, ep_bytes bytes) {
    for (; *template != '\0'; template ++) {
        if (*template == '%') {
            put_bytes(d, bytes);
        } else {
            buffer_byte(&d->with, *template);
        }
    }
}

void put_fresh(defect *d, const char *letters) {
    size_t begin = d->with.size;
    ep_bytes name;
    do {
        d->with.size = begin;
        put(d, letters);
        put_number(d, (int64_t)(1000 + draw(d, 1000000)));
        buffer_byte(&d->with, '\0');
        if (d->with.failed) {
            return;
        }
        d->with.size--;
        name = (ep_bytes){d->with.data + begin, d->with.size - begin};
    } while (find_bytes(d->places.text, 0, name.data) < d->places.text.size);
}

/* The other variants of a union whose version writes all of them. */
static void put_nulls(defect *d, const char *type, const char *tag, bool before) {
    ep_member_info info;
    size_t of = schema_type(d->schema, type);
    bool met = false;
    for (size_t i = 0; ep_schema_member(d->schema, of, i, &info); i++) {
        if (strcmp(info.name, tag) == 0) {
            met = true;
        } else if (met != before) {
            put(d, before ? "\"" : ", \"");
            put(d, info.name);
            put(d, before ? "\": null, " : "\": null");
        }
    }
}

void put_union(defect *d, const char *type, const char *tag) {
    put(d, "{");
    switch (d->version->unions) {
    case EP_UNION_ALL_FIELDS:
        put_nulls(d, type, tag, true);
        break;
    case EP_UNION_TYPE_VALUE:
        put(d, "\"$type\": \"");
        put(d, tag);
        put(d, "\", \"$value\": ");
        return;
    case EP_UNION_SINGLE_KEY:
        break;
    }
    put(d, "\"");
    put(d, tag);
    put(d, "\": ");
}

void put_union_end(defect *d, const char *type, const char *tag) {
    if (d->version->unions == EP_UNION_ALL_FIELDS) {
        put_nulls(d, type, tag, false);
    }
    put(d, "}");
}

void put_variant(defect *d, const char *type, const char *tag, const char *value) {
    put_union(d, type, tag);
    put(d, value);
    put_union_end(d, type, tag);
}

/* How a tag of Argument holds a name: under the tag as_name of a union, or, of
 * a TensorArgument, as a field. */
static const char *name_union(const char *tag) {
    static const char *const rows[][2] = {{"as_sym_int", "SymIntArgument"},
                                          {"as_sym_float", "SymFloatArgument"},
                                          {"as_sym_bool", "SymBoolArgument"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (strcmp(rows[i][0], tag) == 0) {
            return rows[i][1];
        }
    }
    return NULL;
}

void put_value(defect *d, const char *tag, ep_bytes name) {
    const char *inner = name_union(tag);
    put_union(d, "Argument", tag);
    if (inner != NULL) {
        put_union(d, inner, "as_name");
        put_quoted(d, name);
        put_union_end(d, inner, "as_name");
    } else {
        put(d, "{\"name\": ");
        put_quoted(d, name);
        put(d, "}");
    }
    put_union_end(d, "Argument", tag);
}
