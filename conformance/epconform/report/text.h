/*
 * report/text.h - what a report is made of: members of JSON, and bytes packed
 * for a page.
 */
#ifndef EPCONFORM_REPORT_TEXT_H
#define EPCONFORM_REPORT_TEXT_H

#include "text/strbuf.h"

#include <cjson/cJSON.h>

/* `[1,2,3]`, as a member of an object. */
void report_put_numbers(cJSON *into, const char *key, const size_t *numbers, size_t count);

/* Bytes, gzip and then base64. False, and said on standard error, if they cannot be
 * packed. */
bool report_put_packed(strbuf *text, const char *data, size_t data_size);

/* The JSON object that a file holds; NULL, and said on standard error, if it
 * holds none. The caller deletes it. */
cJSON *report_read_json(const char *path);

#endif
