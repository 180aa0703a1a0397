/*
 * json.c - see json.h. Items are short-lived: what is put into another is copied
 * there at once, as often as it is deep, and no report is deeper than six.
 */
#include "json.h"

#include <stdarg.h>
#include <string.h>

#include "common/memory.h"
#include "common/safe.h"
#include "words.h"

struct json {
    buffer text; /* without the closing bracket, and "" before the first item */
    char opening;
};

static json *make(char opening, buffer text) {
    json *item = memory_resize(NULL, sizeof *item);
    if (item == NULL) {
        buffer_free(&text);
    } else {
        *item = (json){.text = text, .opening = opening};
    }
    return item;
}

void json_free(json *item) {
    if (item != NULL) {
        buffer_free(&item->text);
        memory_free(item);
    }
}

json *json_object(void) {
    return make('{', (buffer){0});
}

json *json_array(void) {
    return make('[', (buffer){0});
}

json *json_text(ep_bytes text) {
    buffer b = {0};
    safe_json(&b, text);
    return make(0, b);
}

json *json_integer(int64_t number) {
    buffer b = {0};
    buffer_number(&b, number);
    return make(0, b);
}

json *json_list(size_t count, json *item(const void *context, size_t i), const void *context) {
    json *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_append(array, item(context, i));
    }
    return array;
}

static json *integer_item(const void *numbers, size_t i) {
    return json_integer(((const int64_t *)numbers)[i]);
}

json *json_integers(const int64_t *numbers, size_t count) {
    return json_list(count, integer_item, numbers);
}

json *json_words(const char *text) {
    json *list = json_array();
    ep_bytes word;
    while (words_next(&text, &word)) {
        json_append(list, json_text(word));
    }
    return list;
}

json *json_sorted_names(const name_list *list) {
    json *array = json_array();
    name_list sorted = {0};
    for (size_t i = 0; i < list->count; i++) {
        names_add(&sorted, (name_item){.name = list->items[i].name});
    }
    names_sort(&sorted);
    for (size_t i = 0; i < sorted.count; i++) {
        json_append(array, json_text(sorted.items[i].name));
    }
    if (sorted.failed) {
        json_free(array);
        array = NULL;
    }
    names_free(&sorted);
    return array;
}

json *json_counts(const name_list *list) {
    json *object = json_object();
    for (size_t i = 0; i < list->count; i++) {
        json_add_at(object, list->items[i].name, json_integer((int64_t)list->items[i].count));
    }
    return object;
}

json *json_finished(ep_bytes text) {
    buffer b = {0};
    buffer_put(&b, text.data, text.size);
    return make(0, b);
}

json *json_bool(bool value) {
    return json_finished(bytes_of(value ? "true" : "false"));
}

json *json_null(void) {
    return json_finished(bytes_of("null"));
}

json *json_unbroken(const char *text) {
    buffer b = {0};
    for (; *text != '\0'; text++) {
        buffer_byte(&b, *text == '\n' ? ' ' : *text);
    }
    return json_buffer(&b);
}

json *json_buffer(buffer *b) {
    json *item = json_text(buffer_bytes(b));
    if (item != NULL) {
        item->text.failed = item->text.failed || b->failed;
    }
    buffer_free(b);
    return item;
}

/* ------------------------------------------------------------------- nesting */

/* Puts a whole item, and frees it. */
static void put_item(buffer *b, json *item) {
    if (item == NULL) {
        b->failed = true;
        return;
    }
    if (item->opening != 0) {
        buffer_byte(b, item->opening);
    }
    buffer_put(b, item->text.data, item->text.size);
    if (item->opening != 0) {
        buffer_byte(b, item->opening == '{' ? '}' : ']');
    }
    b->failed = b->failed || item->text.failed;
    json_free(item);
}

/* Behind a bracket, which a string does not end with, there is none. */
static void put_comma(buffer *b) {
    if (b->size > 0 && b->data[b->size - 1] != '{' && b->data[b->size - 1] != '[') {
        buffer_byte(b, ',');
    }
}

void json_add_at(json *object, ep_bytes key, json *item) {
    if (object == NULL) {
        json_free(item);
        return;
    }
    put_comma(&object->text);
    safe_json(&object->text, key);
    buffer_byte(&object->text, ':');
    put_item(&object->text, item);
}

void json_add(json *object, const char *key, json *item) {
    json_add_at(object, bytes_of(key), item);
}

void json_append(json *array, json *item) {
    if (array == NULL) {
        json_free(item);
        return;
    }
    put_comma(&array->text);
    put_item(&array->text, item);
}

static json *item_of(char kind, va_list *values) {
    if (kind == 't') {
        return json_text(va_arg(*values, ep_bytes));
    }
    if (kind == 'u') {
        ep_bytes text = va_arg(*values, ep_bytes);
        return text.size == 0 ? json_null() : json_text(text);
    }
    if (kind == 's') {
        const char *text = va_arg(*values, const char *);
        return text == NULL ? json_null() : json_text(bytes_of(text));
    }
    if (kind == 'm') {
        bool known = va_arg(*values, int) != 0;
        int64_t number = va_arg(*values, int64_t);
        return known ? json_integer(number) : json_null();
    }
    return kind == 'n'   ? json_integer((int64_t)va_arg(*values, size_t))
           : kind == 'i' ? json_integer(va_arg(*values, int64_t))
           : kind == 'b' ? json_bool(va_arg(*values, int) != 0)
                         : va_arg(*values, json *);
}

/* Returns what follows the kind. */
static const char *add_value(json *to, ep_bytes key, const char *kind, va_list *values) {
    bool there = *kind != '?' || va_arg(*values, int) != 0;
    kind += *kind == '?';
    json *item = item_of(*kind, values);
    if (!there) {
        json_free(item);
    } else if (key.size > 0) {
        json_add_at(to, key, item);
    } else {
        json_append(to, item);
    }
    return kind + 1;
}

static void put_bracket(buffer *b, ep_bytes key, char bracket) {
    if (bracket == '{' || bracket == '[') {
        put_comma(b);
    }
    if (key.size > 0) {
        safe_json(b, key);
        buffer_byte(b, ':');
    }
    buffer_byte(b, bracket);
}

static void add_members(json *to, const char *members, va_list *values) {
    while (*members != '\0') {
        ep_bytes key = {members, strcspn(members, ":{[]} ")};
        char mark = members[key.size];
        members += key.size + 1;
        if (mark == ':') {
            members = add_value(to, key, members, values);
        } else if (mark != ' ' && to != NULL) {
            put_bracket(&to->text, key, mark);
        }
    }
}

json *json_spelled(json *item) {
    buffer text = {0};
    put_item(&text, item);
    return json_buffer(&text);
}

json *json_make(const char *members, ...) {
    json *object = json_object();
    va_list values;
    va_start(values, members);
    add_members(object, members, &values);
    va_end(values);
    return object;
}

void json_members(json *object, const char *members, ...) {
    va_list values;
    va_start(values, members);
    add_members(object, members, &values);
    va_end(values);
}

void json_put(buffer *b, json *item) {
    put_item(b, item);
    buffer_byte(b, '\n');
}
