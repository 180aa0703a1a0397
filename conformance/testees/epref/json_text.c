/*
 * json_text.c - see json_text.h.
 */
#include "json_text.h"

#include "common/safe.h"

json_list json_list_open(buffer *out) {
    buffer_byte(out, '[');
    return (json_list){.out = out};
}

void json_list_close(json_list *list) {
    buffer_text(list->out, "]\n");
}

static void put_key(json_list *list, const char *key) {
    buffer_text(list->out, list->continued ? ", " : "");
    safe_json(list->out, bytes_of(key));
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
        safe_json(list->out, text);
    }
}

void json_put_string(json_list *list, const char *key, const char *text) {
    json_put_text(list, key, bytes_of(text != NULL ? text : ""));
}

void json_put_number(json_list *list, const char *key, size_t number) {
    put_key(list, key);
    buffer_number(list->out, (int64_t)number);
}

void json_put_bool(json_list *list, const char *key, bool value) {
    put_key(list, key);
    buffer_text(list->out, value ? "true" : "false");
}
