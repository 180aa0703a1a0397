/*
 * json.h - what --format=json needs of cJSON. Texts may hold any bytes. Want
 * of memory is noticed once, when the product is printed.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <cJSON.h>

#include "buffer.h"

/* Makes cJSON tell of want of memory; once, before all else. */
void json_start(void);

cJSON *json_text(ep_bytes text);

/* The text of a buffer, which is freed; its failure is one of the product. */
cJSON *json_buffer(buffer *b);

/* Puts an item into an object or an array, or frees it where memory was short for
 * one of them. */
void json_add(cJSON *object, const char *key, cJSON *item);
void json_append(cJSON *array, cJSON *item);

/* Members of an object. A NULL string is null. */
void json_add_text(cJSON *object, const char *key, ep_bytes text);
void json_add_string(cJSON *object, const char *key, const char *text);
void json_add_number(cJSON *object, const char *key, size_t number);

/* Puts the JSON text and a line end, on one line or many, and frees the item.
 * The buffer fails when memory was short while the item was made. */
void json_put(buffer *b, cJSON *item, bool many_lines);

#endif
