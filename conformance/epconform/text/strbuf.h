/*
 * text/strbuf.h - text that grows, and what makes bytes of unknown origin fit to
 * be shown: on a terminal, in JSON, in XML.
 */
#ifndef EPCONFORM_STRBUF_H
#define EPCONFORM_STRBUF_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes, with a zero behind them that is not counted once there are any. */
typedef struct strbuf {
    char *data;
    size_t size;
    size_t capacity;
} strbuf;

void strbuf_put(strbuf *b, const char *data, size_t size);
void strbuf_text(strbuf *b, const char *text);
void strbuf_format(strbuf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A number with commas between its thousands: 19,661. The text is good until eight others were
 * made. */
const char *with_commas(size_t number);

/* Printable ASCII; of what is none, and of backslashes, \xNN. */
void strbuf_ascii(strbuf *b, const char *data, size_t size);

/* The size of a text without the white space at its end. */
size_t text_size(const char *data, size_t size);

/* UTF-8 on one line. Of bytes that are none, and of the bytes of characters that are not seen or
 * change how others are seen (controls, marks of direction, zero width), \xNN. */
void strbuf_clean(strbuf *b, const char *data, size_t size);

/* Takes bytes away at the front. */
void strbuf_drop(strbuf *b, size_t size);

/* The text, "" when nothing was put. */
const char *strbuf_string(const strbuf *b);

/* The text as a block of its own; the buffer is empty afterwards. */
char *strbuf_take(strbuf *b);

void strbuf_clear(strbuf *b);
void strbuf_free(strbuf *b);

/* The size of the character that starts there: 1 to 4; 0 if it is not UTF-8. */
size_t utf8_size(const char *data, size_t size);

#endif
