/*
 * json_text.c - see json_text.h. Texts are UTF-8 and may hold zeros; a byte that is none
 * is written as U+FFFD.
 */
#include "json_text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The bytes of the character that begins here; 0: it is none. */
static size_t width_of(ep_bytes text, size_t at) {
    unsigned char c = (unsigned char)text.data[at];
    size_t width = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    for (size_t i = 1; i < width; i++) {
        if (at + i >= text.size || ((unsigned char)text.data[at + i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return width;
}

static void put_quoted(buffer *b, ep_bytes text) {
    buffer_byte(b, '"');
    for (size_t i = 0; i < text.size;) {
        unsigned char c = (unsigned char)text.data[i];
        size_t width = width_of(text, i);
        if (width == 0) {
            buffer_text(b, "\\ufffd");
        } else if (c < ' ' || c == '"' || c == '\\') {
            char escape[8];
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)c);
            buffer_text(b, escape);
        } else {
            buffer_put(b, text.data + i, width);
        }
        i += width > 0 ? width : 1;
    }
    buffer_byte(b, '"');
}

json_list json_list_open(buffer *out) {
    buffer_byte(out, '[');
    return (json_list){.out = out};
}

void json_list_close(json_list *list) {
    buffer_text(list->out, "]\n");
}

static void put_key(json_list *list, const char *key) {
    buffer_text(list->out, list->continued ? ", " : "");
    put_quoted(list->out, (ep_bytes){key, strlen(key)});
    buffer_text(list->out, ": ");
    list->continued = true;
}

void json_open(json_list *list, const char *key) {
    if (key != NULL) {
        put_key(list, key);
    } else {
        buffer_text(list->out, list->count++ > 0 ? ",\n " : "");
    }
    buffer_byte(list->out, '{');
    list->continued = false;
}

void json_close(json_list *list) {
    buffer_byte(list->out, '}');
    list->continued = true;
}

void json_put_text(json_list *list, const char *key, ep_bytes text) {
    if (text.size > 0) {
        put_key(list, key);
        put_quoted(list->out, text);
    }
}

void json_put_string(json_list *list, const char *key, const char *text) {
    json_put_text(list, key, (ep_bytes){text, text != NULL ? strlen(text) : 0});
}

void json_put_number(json_list *list, const char *key, size_t number) {
    put_key(list, key);
    buffer_number(list->out, (int64_t)number);
}

void json_put_bool(json_list *list, const char *key, bool value) {
    put_key(list, key);
    buffer_text(list->out, value ? "true" : "false");
}
