/*
 * text/values.h - the values of a JSON text, of whatever origin: read in one pass,
 * without recursion, into a list in the order of the text. The bare words NaN,
 * Infinity and -Infinity are values, too.
 */
#ifndef EPCONFORM_VALUES_H
#define EPCONFORM_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VALUES_MAX = 1 << 22 }; /* a text with more of them is not read */

typedef enum value_kind {
    VALUE_OBJECT,
    VALUE_ARRAY,
    VALUE_KEY, /* stands before the value of its member */
    VALUE_STRING,
    VALUE_INTEGER,
    VALUE_FLOAT, /* with a fraction or an exponent */
    VALUE_WORD   /* true, false, null and the bare words */
} value_kind;

/* A value. Those in it follow it in the list, up to `after`. */
typedef struct value {
    uint32_t at; /* of its first byte */
    uint32_t size;
    uint32_t after; /* the first behind it and all that is in it */
    value_kind kind;
} value;

typedef struct values {
    const char *text; /* not owned */
    value *list;      /* the first is the whole */
    uint32_t count;
} values;

/* False: the text is no JSON, or too large; there is nothing to be freed. */
bool values_read(values *v, const char *text, size_t size);
void values_free(values *v);

/* How many values an array has, and how many members an object. */
uint32_t values_inside(const values *v, uint32_t i);

/* The characters of a string or key, without its quotes. */
typedef struct characters {
    const char *text;
    uint32_t at;
    uint32_t end;
} characters;

enum { NO_CHARACTER = 0x110000 };

characters characters_of(const values *v, uint32_t i);

/* The next code point, of an escape what it stands for; NO_CHARACTER at the
 * end. A surrogate without its other half is a character. */
uint32_t characters_next(characters *c);

#endif
