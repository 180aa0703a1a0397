/*
 * place.c - see place.h.
 */
#include "place.h"

#include <string.h>

#include "common/memory.h"

typedef struct reader {
    place_list *list;
    size_t at;
    size_t open;    /* the place that is open */
    size_t key;     /* the quote of the key that was read last; 0: none */
    size_t key_end; /* behind its closing quote */
} reader;

/* A byte; at the end one that ends all. */
static char byte_at(const reader *r, size_t at) {
    return at < r->list->text.size ? r->list->text.data[at] : '"';
}

static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static bool ends_word(char c) {
    return is_space(c) || c == ',' || c == ':' || c == '"' || c == '[' || c == ']' || c == '{' ||
           c == '}';
}

/* Most strings have no escape: then the next quote is the end. */
static void skip_string(reader *r) {
    ep_bytes text = r->list->text;
    const char *begin = text.data + r->at + 1;
    const char *quote = memchr(begin, '"', text.size - r->at - 1);
    r->at++;
    if (quote != NULL && memchr(begin, '\\', (size_t)(quote - begin)) == NULL) {
        r->at = (size_t)(quote - text.data);
    }
    for (; byte_at(r, r->at) != '"'; r->at++) {
        r->at += byte_at(r, r->at) == '\\';
    }
    r->at = r->at < text.size ? r->at + 1 : text.size;
}

/* Numbers, literals, and whatever else stands where a value should. */
static void skip_word(reader *r) {
    do {
        r->at++;
    } while (!ends_word(byte_at(r, r->at)));
}

/* Whether a string is a key, and that is read: a colon comes next, but for white space. */
static bool read_key(reader *r) {
    const place_list *list = r->list;
    size_t begin = r->at;
    if (r->open == NO_PLACE || list->items[r->open].form != FORM_OBJECT) {
        return false;
    }
    skip_string(r);
    size_t end = r->at;
    size_t colon = end;
    while (is_space(byte_at(r, colon))) {
        colon++;
    }
    bool key = byte_at(r, colon) == ':';
    r->key = key ? begin : r->key;
    r->key_end = key ? end : r->key_end;
    r->at = key ? end : begin;
    return key;
}

static void end_value(reader *r, size_t number, bool whole) {
    place *p = &r->list->items[number];
    p->end = r->at;
    p->next = r->list->count;
    p->whole = whole;
}

static bool read_value(reader *r) {
    place_list *list = r->list;
    size_t number = list->count;
    size_t begin = r->at;
    char c = byte_at(r, begin);
    if (!memory_room(&list->items, number, &list->capacity, sizeof *list->items)) {
        return false;
    }
    list->items[list->count++] =
        (place){.begin = begin,
                .key = r->key,
                .key_end = r->key_end,
                .parent = r->open,
                .index = r->open == NO_PLACE ? 0 : list->items[r->open].count++,
                .form = c == '{'   ? FORM_OBJECT
                        : c == '[' ? FORM_ARRAY
                        : c == '"' ? FORM_STRING
                                   : FORM_WORD};
    r->key = 0;
    if (c == '{' || c == '[') {
        r->open = number;
        r->at++;
    } else if (c == '"') {
        skip_string(r);
        end_value(r, number, r->at - begin >= 2 && list->text.data[r->at - 1] == '"');
    } else {
        skip_word(r);
        end_value(r, number, true);
    }
    return true;
}

static void close_value(reader *r, bool whole) {
    r->at += whole;
    if (r->open != NO_PLACE) {
        end_value(r, r->open, whole);
        r->open = r->list->items[r->open].parent;
    }
    r->key = 0;
}

bool places_read(place_list *list, ep_bytes text, size_t most) {
    reader r = {.list = list, .open = NO_PLACE};
    list->text = text;
    list->count = 0;
    while (r.at < text.size && list->count < most) {
        char c = text.data[r.at];
        if (is_space(c) || c == ',' || c == ':') {
            r.at++;
        } else if (c == '}' || c == ']') {
            close_value(&r, true);
        } else if ((c != '"' || !read_key(&r)) && !read_value(&r)) {
            return false;
        }
    }
    r.at = text.size;
    while (r.open != NO_PLACE) {
        close_value(&r, false);
    }
    return true;
}

void places_free(place_list *list) {
    memory_free(list->items);
    *list = (place_list){.count = 0};
}

bool place_key_is(const place_list *list, const place *p, const char *name) {
    return p->key != 0 &&
           bytes_equal((ep_bytes){list->text.data + p->key + 1, p->key_end - p->key - 2}, name);
}

/* -------------------------------------------------------------------- types */

static void decode_field(const place_list *list, const place *in, place *p) {
    p->type = ep_value_type(in->value);
    for (size_t i = 0; i < ep_value_count(in->value); i++) {
        if (place_key_is(list, p, ep_value_name(in->value, i))) {
            p->member = ep_value_name(in->value, i);
            p->value = ep_value_item(in->value, i);
        }
    }
    p->kind = ep_value_kind(p->value);
}

/* What stands in a union: its value, its tag, or a variant that is null. */
static void decode_variant(const place_list *list, const place *in, place *p) {
    const char *tag = ep_value_name(in->value, 0);
    p->type = ep_value_type(in->value);
    if (place_key_is(list, p, "$type")) {
        p->member = "$type";
        p->kind = EP_KIND_STR;
    } else if (place_key_is(list, p, "$value") || (tag != NULL && place_key_is(list, p, tag))) {
        p->member = tag;
        p->value = ep_value_item(in->value, 0);
        p->kind = ep_value_kind(p->value);
    }
}

void places_decode(place_list *list, const ep_program *program) {
    list->items[0].value = ep_program_root(program);
    list->items[0].kind = EP_KIND_STRUCT;
    for (place *p = list->items + 1; p < list->items + list->count; p++) {
        const place *in = &list->items[p->parent];
        if (in->kind == EP_KIND_STRUCT) {
            decode_field(list, in, p);
        } else if (in->kind == EP_KIND_UNION) {
            decode_variant(list, in, p);
        } else {
            p->type = in->type;
            p->member = in->member;
            p->nest = in->nest + 1;
            p->value = ep_value_item(in->value, p->index);
            p->kind = ep_value_kind(p->value);
        }
        p->kind = list->text.data[p->begin] == 'n' ? EP_KIND_NULL : p->kind;
    }
}
