/*
 * draw.c - drawing places, and looking around; see edit.h.
 */
#include "edit.h"

#include <string.h>

/* ------------------------------------------------------------------- drawing */

bool no_place(defect *d, const char *why) {
    d->why = why;
    return false;
}

bool try_ways(defect *d, defect_function *const *ways, size_t count) {
    size_t first = draw(d, count);
    for (size_t i = 0; i < count; i++) {
        buffer_clear(&d->with);
        d->after = NULL;
        if (ways[(first + i) % count](d)) {
            return true;
        }
    }
    return false;
}

const place *draw_place(defect *d, place_filter *fits, const void *context) {
    size_t count = 0;
    for (size_t i = 0; i < d->places.count; i++) {
        count += fits(d, &d->places.items[i], context);
    }
    if (count == 0) {
        return NULL;
    }
    const place *p = d->places.items;
    for (size_t left = draw(d, count) + 1; left > 0; p++) {
        left -= fits(d, p, context);
    }
    return p - 1;
}

static bool fits_member(const defect *d, const place *p, const void *context) {
    const member_row *row = context;
    (void)d;
    return p->nest == 0 && p->kind != EP_KIND_NULL && is_member(p, row->type, row->member);
}

const place *draw_member(defect *d, const char *type, const char *member) {
    member_row row = {type, member};
    return draw_place(d, fits_member, &row);
}

static bool fits_item(const defect *d, const place *p, const void *context) {
    const member_row *row = context;
    (void)d;
    return p->nest == 1 && is_member(p, row->type, row->member);
}

const place *draw_item(defect *d, const char *type, const char *member) {
    member_row row = {type, member};
    return draw_place(d, fits_item, &row);
}

static bool fits_any(const defect *d, const place *p, const void *context) {
    (void)d;
    return p->nest == 0 && p->kind != EP_KIND_NULL && is_any_member(p, context);
}

const place *draw_of(defect *d, const member_row *rows) {
    return draw_place(d, fits_any, rows);
}

/* ------------------------------------------------------------------- looking */

bool is_member(const place *p, const char *type, const char *member) {
    return p->type != NULL && p->member != NULL && strcmp(p->type, type) == 0 &&
           strcmp(p->member, member) == 0;
}

bool is_any_member(const place *p, const member_row *rows) {
    for (; rows->type != NULL; rows++) {
        if (is_member(p, rows->type, rows->member)) {
            return true;
        }
    }
    return false;
}

bool is_of(const place *p, const char *type) {
    bool node = p->kind == EP_KIND_STRUCT || p->kind == EP_KIND_UNION;
    const char *own = node ? ep_value_type(p->value) : NULL;
    return own != NULL && strcmp(own, type) == 0;
}

static size_t number_of(const defect *d, const place *p) {
    return (size_t)(p - d->places.items);
}

const place *first_in(const defect *d, const place *in) {
    (void)d;
    return in->count == 0 ? NULL : in + 1;
}

const place *outer(const defect *d, const place *p) {
    return number_of(d, p) == 0 ? NULL : &d->places.items[p->parent];
}

const place *next_of(const defect *d, const place *p) {
    const place *in = outer(d, p);
    return in == NULL || p->next >= in->next ? NULL : &d->places.items[p->next];
}

const place *previous_of(const defect *d, const place *p) {
    const place *in = outer(d, p);
    const place *before = in == NULL ? NULL : first_in(d, in);
    if (before == p) {
        return NULL;
    }
    while (before != NULL && before->next != number_of(d, p)) {
        before = &d->places.items[before->next];
    }
    return before;
}

const place *part_of(const defect *d, const place *in, const char *name) {
    for (const place *p = first_in(d, in); p != NULL; p = next_of(d, p)) {
        if (p->key != 0 && bytes_equal(key_at(d, p), name)) {
            return p->kind == EP_KIND_NULL ? NULL : p;
        }
    }
    return NULL;
}

const place *owner(const defect *d, const place *p, const char *type) {
    do {
        p = outer(d, p);
    } while (p != NULL && !is_of(p, type));
    return p;
}

const place *tagged(const defect *d, const place *p) {
    const char *tag = ep_value_name(p->value, 0);
    for (const place *in = first_in(d, p); in != NULL; in = next_of(d, in)) {
        if (in->member != NULL && tag != NULL && strcmp(in->member, tag) == 0) {
            return in;
        }
    }
    return NULL;
}

bool has_tag(const place *p, const char *tag) {
    const char *own = p->kind == EP_KIND_UNION ? ep_value_name(p->value, 0) : NULL;
    return own != NULL && strcmp(own, tag) == 0;
}

ep_bytes bytes_at(const defect *d, const place *p) {
    return (ep_bytes){d->places.text.data + p->begin, p->end - p->begin};
}

ep_bytes text_at(const defect *d, const place *p) {
    return (ep_bytes){d->places.text.data + p->begin + 1, p->end - p->begin - 2};
}

ep_bytes key_at(const defect *d, const place *p) {
    const char *key = d->places.text.data + p->key + 1;
    size_t size = 0;
    while (key[size] != '"') {
        size += key[size] == '\\' ? 2 : 1;
    }
    return (ep_bytes){key, size};
}

bool same_bytes(ep_bytes a, ep_bytes b) {
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

size_t find_bytes(ep_bytes in, size_t from, const char *what) {
    size_t size = strlen(what);
    for (size_t at = from; at + size <= in.size; at++) {
        if (memcmp(in.data + at, what, size) == 0) {
            return at;
        }
    }
    return in.size;
}

const place *root_graph(const defect *d) {
    const place *p = d->places.items;
    while (!is_member(p, "GraphModule", "graph")) {
        p++;
    }
    return p;
}
