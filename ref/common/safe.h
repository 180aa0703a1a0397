/*
 * safe.h - texts from a file, made fit to be seen. What could move a cursor,
 * turn the direction of writing, hide, or break a line is spelled out as an
 * escape; bytes that are not UTF-8 likewise.
 */
#ifndef COMMON_SAFE_H
#define COMMON_SAFE_H

#include "buffer.h"

/* Whether the first character of a text, which is not empty, may be seen as it
 * is. Its size in bytes: 1 for a byte that is not UTF-8. */
bool safe_next(ep_bytes text, size_t *size);

/* For a line of text: \n, \u001b, \xff. Quotes and backslashes stay. */
void safe_text(buffer *b, ep_bytes text);

/* The same between double quotes, with quotes and backslashes escaped too. */
void safe_quoted(buffer *b, ep_bytes text);

/* For a line that is read again: what is not fit to be seen, and a backslash, is spelled
 * \\, \n, \r or \x1b, byte by byte, so that any text comes back. Whether there was any. */
bool safe_spell(buffer *b, ep_bytes text);

/* Puts what was spelled so. False: it was not, or has a zero byte. */
bool safe_read(buffer *b, ep_bytes spelled);

/* A JSON string: what it says is the text itself, but that bytes that are not
 * UTF-8 become U+FFFD. */
void safe_json(buffer *b, ep_bytes text);

/* The same as Python's json.dumps writes it: every character that is not ASCII is an
 * escape. */
void safe_json_python(buffer *b, ep_bytes text);

/* Whether a text is UTF-8. */
bool safe_is_utf8(ep_bytes text);

#endif
