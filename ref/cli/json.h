/*
 * json.h - the one writer of JSON of all commands. An item is the JSON text that
 * it will be, so that a key and a string may hold any bytes: both go through
 * safe_json, and there is no other way in. Want of memory sticks to the item, is
 * handed on to what the item is put into, and is noticed once, by json_put.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "common/names.h"

/* An array, an object, or a value; NULL is one for which there was no memory. */
typedef struct json json;

json *json_object(void);
json *json_array(void);
json *json_text(ep_bytes text);
json *json_integer(int64_t number);
json *json_list(size_t count, json *item(const void *context, size_t i), const void *context);
json *json_integers(const int64_t *numbers, size_t count); /* an array */

json *json_sorted_names(const name_list *list); /* an array of texts; NULL: no memory */
json *json_counts(const name_list *list);       /* an object: of each name its count */

json *json_words(const char *text); /* an array of what is between spaces; NULL has none */
json *json_bool(bool value);
json *json_null(void);

/* The JSON text of an item, as a text. */
json *json_spelled(json *item);

/* What is JSON already, of this program's own making. */
json *json_finished(ep_bytes text);

/* A text that was broken into lines for a terminal, as one. */
json *json_unbroken(const char *text);

/* The text of a buffer, which is freed; its failure is one of the product. */
json *json_buffer(buffer *b);

/* Puts an item behind those of an object or an array, and frees it. A key is put
 * as it is given: that no other has the same is the caller's. */
void json_add(json *object, const char *key, json *item);
void json_add_at(json *object, ep_bytes key, json *item);
void json_append(json *array, json *item);

/*
 * Members of an object, in one call: keys with the kinds of their values, "file:t count:n", and
 * the values. t: ep_bytes; u: ep_bytes, an empty one is null; s: const char *, NULL is null;
 * n: size_t; i: int64_t; m: bool and int64_t, null where it is false; b: bool; j: an item. A "?"
 * before the kind takes a bool before the value: without it the member is left out. Brackets are
 * those of JSON: "tool{name:s} runs[{at:n}]"; a value in an array has no key: ":t :t".
 * json_make makes the object.
 */
json *json_make(const char *members, ...);
void json_members(json *object, const char *members, ...);

/* Puts the JSON text on a line, and frees the item.
 * The buffer fails when memory was short while the item was made. */
void json_put(buffer *b, json *item);

/* For an item that is not put. */
void json_free(json *item);

#endif
