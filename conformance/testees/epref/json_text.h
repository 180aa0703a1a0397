/*
 * json_text.h - products that are lists of objects, as JSON.
 */
#ifndef EPREF_TESTEE_JSON_TEXT_H
#define EPREF_TESTEE_JSON_TEXT_H

#include "common/buffer.h"

/* A list, of which each object begins with the first member that is put. */
typedef struct json_list {
    buffer *out;
    size_t count;   /* of objects */
    bool continued; /* the object has a member */
} json_list;

json_list json_list_open(buffer *out);
void json_list_close(json_list *list);

/* An object of the list; or inside one, under a key. */
void json_open(json_list *list, const char *key);
void json_close(json_list *list);

/* A member of the object. A string that is NULL, or empty, is left out. */
void json_put_text(json_list *list, const char *key, ep_bytes text);
void json_put_string(json_list *list, const char *key, const char *text);
void json_put_number(json_list *list, const char *key, size_t number);
void json_put_bool(json_list *list, const char *key, bool value);

#endif
