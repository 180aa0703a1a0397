/*
 * lines.h - lists as text: lines of words with a blank behind each, at the end of the line
 * a name, which may hold blanks. What could break a line is spelled out in a name, with a
 * backslash, which no name of an archive holds (SPEC 8.1.4), so that any name comes back.
 */
#ifndef ARCHIVE_LINES_H
#define ARCHIVE_LINES_H

#include "common/buffer.h"

typedef struct lines {
    ep_bytes rest;
    ep_bytes line; /* what is left of the line at hand */
    size_t number; /* of it, from 1 on */
} lines;

/* A text, before its first line. NULL, or what is wrong with it: static, and l->number says
 * in which line. */
const char *lines_open(lines *l, ep_bytes text);

/* Goes on to the next line; false at the end. */
bool lines_next(lines *l);

/* Each takes a part of the line; false: it does not stand there. */
bool lines_word(lines *l, ep_bytes *word);
bool lines_number(lines *l, uint64_t *number);
bool lines_date(lines *l, uint32_t *date);

/* The rest of the line, put into a buffer in place of what it held. */
bool lines_name(lines *l, buffer *name);

/* Put a part, and the blank behind it. Of a date all bits come back, be it one of the
 * calendar or not. */
void lines_put_word(buffer *b, const char *word);
void lines_put_number(buffer *b, uint64_t number);
void lines_put_date(buffer *b, uint32_t date);

/* Puts the name, and ends the line. */
void lines_put_name(buffer *b, ep_bytes name);

#endif
