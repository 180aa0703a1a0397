/*
 * report/text.h - what a report writes into a text: JSON, and bytes packed for
 * a page.
 */
#ifndef EPCONFORM_REPORT_TEXT_H
#define EPCONFORM_REPORT_TEXT_H

#include "text/strbuf.h"

#include <cjson/cJSON.h>

/* A comma, unless an array or object has just been opened. */
void report_put_comma(strbuf *text);

/* A JSON string of UTF-8. */
void report_put_string(strbuf *text, const char *words, size_t size);

/* `"name":`, with a comma before it as above. */
void report_put_key(strbuf *text, const char *name);

/* `[1,2,3]` */
void report_put_numbers(strbuf *text, const size_t *numbers, size_t count);

/* A value; null if there is none. */
void report_put_json(strbuf *text, const cJSON *value);

/* The bytes of a text, gzip and then base64. False, and said on standard
 * error, if they cannot be packed. */
bool report_put_packed(strbuf *text, const strbuf *bytes);

/* The JSON object that a file holds; NULL, and said on standard error, if it
 * holds none. The caller deletes it. */
cJSON *report_read_json(const char *path);

#endif
