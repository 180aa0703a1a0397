/*
 * cutting.c - see cutting.h. The text is gone through once; which member a place is in is known
 * when its string is met.
 */
#include "cutting.h"

#include <string.h>

#include "common/memory.h"

/* An array or object that is open. */
typedef struct level {
    bool is_object;
    bool wants_key;
    bool keeps;   /* it has a member that stays */
    bool is_cut;  /* the member at hand does not */
    size_t items; /* before the one at hand */
    ep_bytes key; /* of the member at hand, as it is spelled */
    size_t begin; /* of that member */
    size_t comma; /* the last one */
} level;

typedef struct cutter {
    ep_bytes text;
    const name_list *places;
    size_t next; /* of the places */
    level *levels;
    size_t depth;
    size_t capacity;
    size_t copied; /* up to here */
    size_t line;   /* at the byte at hand, from 1 on */
    size_t start;  /* of that line */
    buffer *out;
    cutting_told *told;
    void *context;
    bool failed;
} cutter;

static level *innermost(cutter *c) {
    return &c->levels[c->depth - 1];
}

static void open_level(cutter *c, bool is_object) {
    if (!memory_room(&c->levels, c->depth, &c->capacity, sizeof *c->levels)) {
        c->failed = true;
        return;
    }
    c->levels[c->depth++] = (level){.is_object = is_object, .wants_key = is_object};
}

static bool is_space(char byte) {
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

static size_t after_space(ep_bytes text, size_t at) {
    while (at < text.size && is_space(text.data[at])) {
        at++;
    }
    return at;
}

/* The quote that ends the string which begins at a quote. */
static size_t end_of_string(ep_bytes text, size_t at) {
    for (at++; at < text.size && text.data[at] != '"'; at++) {
        at += text.data[at] == '\\';
    }
    return at;
}

/* ------------------------------------------------------------------------------------ places */

/* A part of a pointer, as RFC 6901 spells it. False: it does not fit. */
static bool put_part(ep_error *place, size_t *size, ep_bytes part) {
    enum { MOST = 3 }; /* bytes of a turn, and the zero at the end */
    size_t at = *size;
    for (size_t i = 0; i <= part.size; i++) {
        if (sizeof place->pointer - at < MOST) {
            return false;
        }
        char byte = i == 0 ? '/' : part.data[i - 1];
        bool escaped = i > 0 && (byte == '~' || byte == '/');
        place->pointer[at++] = escaped ? '~' : byte;
        if (escaped) {
            place->pointer[at++] = byte == '~' ? '0' : '1';
        }
    }
    *size = at;
    return true;
}

static void put_pointer(cutter *c, ep_error *place) {
    size_t size = 0;
    for (size_t i = 0; i < c->depth && !place->pointer_cut; i++) {
        const level *l = &c->levels[i];
        buffer number = {0};
        if (!l->is_object) {
            buffer_number(&number, (int64_t)l->items);
        }
        place->pointer_cut = !put_part(place, &size, l->is_object ? l->key : buffer_bytes(&number));
        c->failed = c->failed || number.failed;
        buffer_free(&number);
    }
    place->pointer[size] = '\0';
}

static void tell(cutter *c, const name_item *item) {
    ep_error place = {.code = (ep_code)item->count,
                      .offset = (size_t)item->place,
                      .line = c->line,
                      .column = (size_t)item->place - c->start + 1};
    put_pointer(c, &place);
    c->told(c->context, &place);
}

/* ----------------------------------------------------------------------------------- members */

static void copy_until(cutter *c, size_t at) {
    if (at > c->copied) {
        buffer_put(c->out, c->text.data + c->copied, at - c->copied);
    }
}

/* The member at hand, whose value ends before a byte, with the comma before it; of the first that
 * stays with the one behind it. */
static void cut_member(cutter *c, size_t end) {
    level *l = innermost(c);
    size_t next = after_space(c->text, end);
    l->is_cut = true;
    if (l->keeps) {
        copy_until(c, l->comma);
        c->copied = end;
        return;
    }
    copy_until(c, l->begin);
    bool more = next < c->text.size && c->text.data[next] == ',';
    c->copied = more ? after_space(c->text, next + 1) : next;
}

/* A value from a quote on; end: the other quote. */
static void take_value(cutter *c, size_t begin, size_t end) {
    bool hit = false;
    for (; c->next < c->places->count && c->places->items[c->next].place <= end; c->next++) {
        const name_item *item = &c->places->items[c->next];
        if (item->place > begin && !hit && innermost(c)->is_object) {
            hit = true;
            tell(c, item);
        }
    }
    if (hit) {
        cut_member(c, end + 1);
    }
}

static size_t take_string(cutter *c, size_t at) {
    level *l = c->depth > 0 ? innermost(c) : NULL;
    size_t end = end_of_string(c->text, at);
    if (l != NULL && l->wants_key) {
        l->key = (ep_bytes){c->text.data + at + 1, end - at - 1};
        l->begin = at;
        l->wants_key = false;
    } else if (l != NULL) {
        take_value(c, at, end);
    }
    return end;
}

static void take_comma(cutter *c, size_t at) {
    level *l = innermost(c);
    l->keeps = l->keeps || !l->is_cut;
    l->is_cut = false;
    l->wants_key = l->is_object;
    l->comma = at;
    l->items++;
}

/* The byte at hand; the last one that belongs to it. */
static size_t take(cutter *c, size_t at) {
    char byte = c->text.data[at];
    if (byte == '"') {
        return take_string(c, at);
    }
    if (byte == '{' || byte == '[') {
        open_level(c, byte == '{');
    } else if ((byte == '}' || byte == ']') && c->depth > 0) {
        c->depth--;
    } else if (byte == ',' && c->depth > 0) {
        take_comma(c, at);
    } else if (byte == '\n') {
        c->line++;
        c->start = at + 1;
    }
    return at;
}

bool cutting_put(buffer *out, ep_bytes text, const name_list *places, cutting_told *told,
                 void *context) {
    cutter c = {
        .text = text, .places = places, .line = 1, .out = out, .told = told, .context = context};
    for (size_t i = 0; i < text.size && !c.failed; i++) {
        i = take(&c, i);
    }
    copy_until(&c, text.size);
    memory_free(c.levels);
    return !c.failed && !out->failed;
}
