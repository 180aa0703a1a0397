/*
 * text/values.c - see values.h. A container that is still open keeps in `after`
 * which one it stands in, so that no depth needs a stack.
 */
#include "text/values.h"

#include "text/memory.h"
#include "text/strbuf.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_VALUES = 256, NONE = VALUES_MAX, NO_DIGIT = 16 };

typedef struct reader {
    values *v;
    uint32_t at;
    uint32_t end;
    uint32_t capacity;
    uint32_t open; /* the innermost open container */
    bool fresh;    /* nothing is in it yet */
} reader;

/* --------------------------------------------------------------------- bytes */

/* The next byte; zero at the end, which begins nothing. */
static char peek(const reader *r) {
    return r->at < r->end ? r->v->text[r->at] : '\0';
}

static bool take(reader *r, char c) {
    bool is_there = r->at < r->end && r->v->text[r->at] == c;
    r->at += is_there;
    return is_there;
}

static void skip_blanks(reader *r) {
    while (r->at < r->end && memchr(" \t\n\r", r->v->text[r->at], 4) != NULL) {
        r->at++;
    }
}

static bool take_word(reader *r, const char *word) {
    size_t size = strlen(word);
    bool is_there = r->end - r->at >= size && memcmp(r->v->text + r->at, word, size) == 0;
    r->at += is_there ? (uint32_t)size : 0;
    return is_there;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool take_digits(reader *r) {
    uint32_t from = r->at;
    while (is_digit(peek(r))) {
        r->at++;
    }
    return r->at > from;
}

static unsigned hex_digit(char c) {
    return is_digit(c)            ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                  : NO_DIGIT;
}

/* ---------------------------------------------------------------------- list */

static value *add(reader *r, value_kind kind) {
    values *v = r->v;
    if (v->count == VALUES_MAX) {
        return NULL;
    }
    if (v->count == r->capacity) {
        r->capacity = r->capacity > 0 ? r->capacity * 2 : FIRST_VALUES;
        v->list = memory_resize(v->list, r->capacity, sizeof *v->list);
    }
    value *added = &v->list[v->count++];
    *added = (value){.at = r->at, .after = v->count, .kind = kind};
    return added;
}

/* What a reader of one value has gone past is its text. */
static bool add_simple(reader *r, value_kind kind, bool (*read)(reader *)) {
    value *added = add(r, kind);
    if (added == NULL || !read(r)) {
        return false;
    }
    added->size = r->at - added->at;
    return true;
}

static bool open_container(reader *r, value_kind kind) {
    value *added = add(r, kind);
    if (added == NULL) {
        return false;
    }
    added->after = r->open;
    r->open = r->v->count - 1;
    r->fresh = true;
    r->at++;
    return true;
}

static void close_container(reader *r) {
    value *closed = &r->v->list[r->open];
    r->open = closed->after;
    closed->after = r->v->count;
    closed->size = r->at - closed->at;
    r->fresh = false;
}

/* ------------------------------------------------------------------- scalars */

static bool read_escape(reader *r) {
    if (!take(r, 'u')) {
        char c = peek(r);
        r->at += c != '\0';
        return c != '\0' && strchr("\"\\/bfnrt", c) != NULL;
    }
    for (int i = 0; i < 4; i++, r->at++) {
        if (hex_digit(peek(r)) == NO_DIGIT) {
            return false;
        }
    }
    return true;
}

static bool read_string(reader *r) {
    bool good = take(r, '"');
    while (good && !take(r, '"')) {
        const char *here = r->v->text + r->at;
        size_t size = utf8_size(here, r->end - r->at);
        r->at += (uint32_t)size;
        good = size > 0 && (unsigned char)*here >= ' ' && (*here != '\\' || read_escape(r));
    }
    return good;
}

static bool read_word(reader *r) {
    static const char *const words[] = {"true", "false", "null", "NaN", "Infinity", "-Infinity"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (take_word(r, words[i])) {
            return true;
        }
    }
    return false;
}

static bool read_number(reader *r) {
    value *number = &r->v->list[r->v->count - 1];
    take(r, '-');
    if (!take(r, '0') && !take_digits(r)) {
        return false;
    }
    if (take(r, '.')) {
        number->kind = VALUE_FLOAT;
        if (!take_digits(r)) {
            return false;
        }
    }
    if (take(r, 'e') || take(r, 'E')) {
        number->kind = VALUE_FLOAT;
        if (!take(r, '+')) {
            take(r, '-');
        }
        return take_digits(r);
    }
    return true;
}

/* ---------------------------------------------------------------- containers */

/* A container is only opened. */
static bool read_value(reader *r) {
    skip_blanks(r);
    char c = peek(r);
    bool is_word =
        !is_digit(c) && (c != '-' || (r->end - r->at > 1 && r->v->text[r->at + 1] == 'I'));
    if (c == '{' || c == '[') {
        return open_container(r, c == '{' ? VALUE_OBJECT : VALUE_ARRAY);
    }
    r->fresh = false;
    return c == '"'  ? add_simple(r, VALUE_STRING, read_string)
           : is_word ? add_simple(r, VALUE_WORD, read_word)
                     : add_simple(r, VALUE_INTEGER, read_number);
}

static bool read_key(reader *r) {
    skip_blanks(r);
    if (!add_simple(r, VALUE_KEY, read_string)) {
        return false;
    }
    skip_blanks(r);
    return take(r, ':');
}

/* What stands between two values: ends of containers, a comma, a key. */
static bool read_between(reader *r) {
    while (r->open != NONE) {
        bool is_object = r->v->list[r->open].kind == VALUE_OBJECT;
        skip_blanks(r);
        if (take(r, is_object ? '}' : ']')) {
            close_container(r);
        } else {
            return (r->fresh || take(r, ',')) && (!is_object || read_key(r));
        }
    }
    skip_blanks(r);
    return r->at == r->end;
}

bool values_read(values *v, const char *text, size_t size) {
    reader r = {.v = v, .end = (uint32_t)size, .open = NONE};
    *v = (values){.text = text};
    bool good = size < UINT32_MAX;
    do {
        good = good && read_value(&r) && read_between(&r);
    } while (good && r.open != NONE);
    if (!good) {
        values_free(v);
    }
    return good;
}

void values_free(values *v) {
    free(v->list);
    *v = (values){.text = NULL};
}

uint32_t values_inside(const values *v, uint32_t i) {
    bool is_object = v->list[i].kind == VALUE_OBJECT;
    uint32_t count = 0;
    for (uint32_t each = i + 1; each < v->list[i].after; count++) {
        each = v->list[each + is_object].after;
    }
    return count;
}

/* ---------------------------------------------------------------- characters */

characters characters_of(const values *v, uint32_t i) {
    const value *string = &v->list[i];
    return (characters){v->text, string->at + 1, string->at + string->size - 1};
}

static uint32_t four_digits(const char *text) {
    return hex_digit(text[0]) << 12 | hex_digit(text[1]) << 8 | hex_digit(text[2]) << 4 |
           hex_digit(text[3]);
}

/* Behind \u. */
static uint32_t next_unicode(characters *c) {
    const char *text = c->text + c->at;
    uint32_t first = four_digits(text);
    c->at += 4;
    if ((first & 0xFC00) != 0xD800 || c->end - c->at < 6 || text[4] != '\\' || text[5] != 'u') {
        return first;
    }
    uint32_t second = four_digits(text + 6);
    if ((second & 0xFC00) != 0xDC00) {
        return first;
    }
    c->at += 6;
    return 0x10000 + ((first & 0x3FF) << 10 | (second & 0x3FF));
}

static uint32_t next_escape(characters *c) {
    static const char from[] = "bfnrt";
    static const char to[] = "\b\f\n\r\t";
    char letter = c->text[c->at++];
    const char *found = strchr(from, letter);
    return letter == 'u'   ? next_unicode(c)
           : found != NULL ? (uint32_t)to[found - from]
                           : (uint32_t)letter;
}

uint32_t characters_next(characters *c) {
    static const unsigned char masks[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    if (c->at == c->end) {
        return NO_CHARACTER;
    }
    if (c->text[c->at] == '\\') {
        c->at++;
        return next_escape(c);
    }
    size_t size = utf8_size(c->text + c->at, c->end - c->at);
    uint32_t code = (unsigned char)c->text[c->at] & masks[size];
    for (size_t i = 1; i < size; i++) {
        code = code << 6 | ((unsigned char)c->text[c->at + i] & 0x3F);
    }
    c->at += (uint32_t)size;
    return code;
}
