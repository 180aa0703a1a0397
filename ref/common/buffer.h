/*
 * buffer.h - text that grows, and other things of memory. A failure to grow sticks: what is put
 * after it is dropped, and whoever uses the text asks `failed` once, at the end.
 */
#ifndef COMMON_BUFFER_H
#define COMMON_BUFFER_H

#include "epref.h"

typedef struct buffer {
    char *data;
    size_t size;
    size_t capacity;
    bool failed;
} buffer;

void buffer_put(buffer *b, const char *data, size_t size);
void buffer_byte(buffer *b, char byte);
void buffer_text(buffer *b, const char *text);
void buffer_number(buffer *b, int64_t number);
void buffer_numbers(buffer *b, const int64_t *numbers, size_t count); /* "[2, 3]" */
void buffer_spaces(buffer *b, size_t count);

/* Bytes that are the caller's to write; NULL: none, or no memory for them. */
char *buffer_room(buffer *b, size_t count);

/* Spaces, until what was put since `from` is as wide as wanted. */
void buffer_pad(buffer *b, size_t from, size_t wanted);

/* Ends the text with a zero that is not counted; "" if that fails. */
const char *buffer_string(buffer *b);

void buffer_clear(buffer *b);
void buffer_free(buffer *b);

static inline ep_bytes buffer_bytes(const buffer *b) {
    return (ep_bytes){b->data, b->size};
}

/* An empty arena over malloc that holds no more than cap bytes, 0 being no cap. */
void arena_open(ep_arena *arena, size_t cap);

/* What was put since a size: a buffer to which nothing was ever put has no data. */
static inline ep_bytes buffer_since(const buffer *b, size_t from) {
    return b->size == from ? (ep_bytes){"", 0} : (ep_bytes){b->data + from, b->size - from};
}

/* A view of a string. */
ep_bytes bytes_of(const char *text);

bool bytes_equal(ep_bytes a, const char *b);

/* Whether a text begins, or ends, with another. */
bool bytes_start(ep_bytes text, const char *start);
bool bytes_end(ep_bytes text, const char *end);

/* Where a text begins in another, from a place on; the size if nowhere. */
size_t bytes_find(ep_bytes in, size_t from, ep_bytes what);

/* A number of at most eight bytes, the lowest first. */
static inline uint64_t bytes_number(const char *at, size_t size) {
    uint64_t number = 0;
    for (size_t i = size; i > 0; i--) {
        number = number << 8 | (unsigned char)at[i - 1];
    }
    return number;
}

/* Columns of a text on a screen: its characters, each one wide. */
size_t bytes_columns(ep_bytes text);

/* Below, at or above zero, as a comes before, with or after b by their bytes. */
int bytes_compare(ep_bytes a, ep_bytes b);

#endif
