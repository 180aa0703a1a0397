/*
 * scan_json.h - parts of JSON of a form that is known: strings, and lists of numbers.
 */
#ifndef ARCHIVE_SCAN_JSON_H
#define ARCHIVE_SCAN_JSON_H

#include "common/buffer.h"
#include "scan.h"

/* Behind an item: whether another one comes; false at the end, too, which is taken. */
bool scan_comma(scan *c, char end);

/* A string, whose text is put behind what is there. */
bool scan_text(scan *c, buffer *text);

/* Numbers between brackets, at most so many. */
bool scan_numbers(scan *c, int64_t *numbers, size_t most, size_t *count);

#endif
