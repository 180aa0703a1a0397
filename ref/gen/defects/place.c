/*
 * place.c - see place.h. The text is one that the decoder has
 * accepted, so nothing is judged here.
 */
#include "place.h"

#include <string.h>

#include "common/memory.h"

typedef struct reader {
    place_list *list;
    size_t at;
    size_t open; /* the place that is open */
    size_t key;  /* the quote of the key that was read last; 0: none */
} reader;

static char byte_at(const reader *r) {
    return r->list->text.data[r->at];
}

/* -------------------------------------------------------------------- types */

/* Whether the key that was read is so called. */
static bool key_is(const reader *r, const char *name) {
    ep_bytes text = r->list->text;
    size_t size = strlen(name);
    const char *key = text.data + r->key + 1;
    return text.size - r->key > size + 1 && memcmp(key, name, size) == 0 && key[size] == '"';
}

static void type_field(const reader *r, const place *in, place *p) {
    p->type = ep_value_type(in->value);
    for (size_t i = 0; i < ep_value_count(in->value); i++) {
        if (key_is(r, ep_value_name(in->value, i))) {
            p->member = ep_value_name(in->value, i);
            p->value = ep_value_item(in->value, i);
        }
    }
    p->kind = ep_value_kind(p->value);
}

/* What stands in a union: its value, its tag, or a variant that is null. */
static void type_variant(const reader *r, const place *in, place *p) {
    const char *tag = ep_value_name(in->value, 0);
    p->type = ep_value_type(in->value);
    if (key_is(r, "$type")) {
        p->member = "$type";
        p->kind = EP_KIND_STR;
    } else if (key_is(r, "$value") || (tag != NULL && key_is(r, tag))) {
        p->member = tag;
        p->value = ep_value_item(in->value, 0);
        p->kind = ep_value_kind(p->value);
    }
}

static void type_place(const reader *r, const place *in, place *p) {
    if (in->kind == EP_KIND_STRUCT) {
        type_field(r, in, p);
    } else if (in->kind == EP_KIND_UNION) {
        type_variant(r, in, p);
    } else {
        p->type = in->type;
        p->member = in->member;
        p->nest = in->nest + 1;
        p->value = ep_value_item(in->value, in->count);
        p->kind = ep_value_kind(p->value);
    }
}

/* --------------------------------------------------------------------- text */

static void skip_string(reader *r) {
    for (r->at++; byte_at(r) != '"'; r->at++) {
        r->at += byte_at(r) == '\\';
    }
    r->at++;
}

static void skip_word(reader *r) {
    while (r->at < r->list->text.size && strchr(",]} \n\r\t", byte_at(r)) == NULL) {
        r->at++;
    }
}

static bool begin_value(reader *r, const ep_program *program) {
    place_list *list = r->list;
    if (!memory_room(&list->items, list->count, &list->capacity, sizeof *list->items)) {
        return false;
    }
    place *p = &list->items[list->count];
    *p = (place){.begin = r->at, .key = r->key, .parent = r->open};
    if (list->count == 0) {
        p->value = ep_program_root(program);
        p->kind = EP_KIND_STRUCT;
    } else {
        place *in = &list->items[r->open];
        type_place(r, in, p);
        in->count++;
    }
    if (byte_at(r) == 'n') {
        p->kind = EP_KIND_NULL;
    }
    list->count++;
    r->key = 0;
    return true;
}

static void end_value(reader *r, size_t number) {
    r->list->items[number].end = r->at;
    r->list->items[number].next = r->list->count;
}

static bool read_value(reader *r, const ep_program *program) {
    size_t number = r->list->count;
    if (!begin_value(r, program)) {
        return false;
    }
    char first = byte_at(r);
    if (first == '{' || first == '[') {
        r->open = number;
        r->at++;
        return true;
    }
    if (first == '"') {
        skip_string(r);
    } else {
        skip_word(r);
    }
    end_value(r, number);
    return true;
}

static void close_value(reader *r) {
    r->at++;
    end_value(r, r->open);
    r->open = r->list->items[r->open].parent;
}

/* Whether a string is a key: in an object, and none was read. */
static bool is_key(const reader *r) {
    const place_list *list = r->list;
    return list->count > 0 && r->key == 0 && byte_at(r) == '"' &&
           list->text.data[list->items[r->open].begin] == '{';
}

bool places_read(place_list *list, ep_bytes text, const ep_program *program) {
    reader r = {.list = list};
    *list = (place_list){.text = text};
    while (r.at < text.size) {
        char c = byte_at(&r);
        if (strchr(" \n\r\t,:", c) != NULL) {
            r.at++;
        } else if (c == '}' || c == ']') {
            close_value(&r);
        } else if (is_key(&r)) {
            r.key = r.at;
            skip_string(&r);
        } else if (!read_value(&r, program)) {
            return false;
        }
    }
    return true;
}

void places_free(place_list *list) {
    memory_free(list->items);
    *list = (place_list){.count = 0};
}
