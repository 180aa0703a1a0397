/*
 * run/likeness.c - see likeness.h. Both texts are read into a list of their values, with the
 * characters of strings as UTF-8, in which a surrogate without its other half is a character.
 */
#include "run/likeness.h"

#include "text/memory.h"
#include "text/strbuf.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 1 << 22, DEPTH_MAX = 10000 }; /* of a text that is read */
enum { POINTER_MAX = 200, SHOWN = 40, SHOWN_BEFORE = 16 };

typedef enum value_kind {
    VALUE_OBJECT,
    VALUE_ARRAY,
    VALUE_STRING,
    VALUE_INTEGER,
    VALUE_FLOAT, /* with a fraction or an exponent */
    VALUE_WORD   /* true, false, null and the bare words */
} value_kind;

/* A part of the characters of a text. */
typedef struct span {
    uint32_t at;
    uint32_t size;
} span;

/* A value. Those in it follow it in the list, up to `after`. */
typedef struct value {
    uint32_t at; /* in the text */
    uint32_t end;
    uint32_t after;
    uint32_t count;       /* of the values in a container */
    uint32_t key_at;      /* in the text, of a member */
    span key;             /* of a member */
    span string;          /* of a string */
    uint32_t counterpart; /* of a member, in the other text */
    value_kind kind;
} value;

/* A text, how far it is read, and what is in it. */
typedef struct json {
    const char *text;
    size_t at;
    size_t size;
    strbuf characters;
    value *list;
    uint32_t count;
    uint32_t capacity;
} json;

/* -------------------------------------------------------------------- reading */

/* The next byte; zero at the end, which begins nothing. */
static char peek(const json *j) {
    return j->at < j->size ? j->text[j->at] : '\0';
}

static bool take(json *j, const char *word) {
    size_t size = strlen(word);
    bool is_there = j->size - j->at >= size && memcmp(j->text + j->at, word, size) == 0;
    j->at += is_there ? size : 0;
    return is_there;
}

static void skip_blanks(json *j) {
    while (j->at < j->size && memchr(" \t\n\r", j->text[j->at], 4) != NULL) {
        j->at++;
    }
}

static bool take_digits(json *j) {
    size_t from = j->at;
    while (peek(j) >= '0' && peek(j) <= '9') {
        j->at++;
    }
    return j->at > from;
}

static bool read_hex(json *j, uint32_t *code) {
    static const char digits[] = "0123456789abcdefABCDEF";
    *code = 0;
    for (int i = 0; i < 4; i++, j->at++) {
        const char *found = peek(j) != '\0' ? strchr(digits, peek(j)) : NULL;
        if (found == NULL) {
            return false;
        }
        uint32_t digit = (uint32_t)(found - digits);
        *code = *code << 4 | (digit < 16 ? digit : digit - 6);
    }
    return true;
}

static void put_code(strbuf *b, uint32_t c) {
    static const unsigned leads[] = {0, 0xC0, 0xE0, 0xF0};
    unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    char bytes[4] = {(char)(leads[more] | c >> (6 * more))};
    for (unsigned i = 1; i <= more; i++) {
        bytes[i] = (char)(0x80 | (c >> (6 * (more - i)) & 0x3F));
    }
    strbuf_put(b, bytes, more + 1);
}

/* Behind \u. */
static bool read_unicode(json *j) {
    uint32_t code;
    uint32_t second;
    if (!read_hex(j, &code)) {
        return false;
    }
    size_t behind = j->at;
    if ((code & 0xFC00) == 0xD800 && take(j, "\\u")) {
        if (!read_hex(j, &second)) {
            return false;
        }
        bool is_pair = (second & 0xFC00) == 0xDC00;
        code = is_pair ? 0x10000 + ((code & 0x3FF) << 10 | (second & 0x3FF)) : code;
        j->at = is_pair ? j->at : behind;
    }
    put_code(&j->characters, code);
    return true;
}

static bool read_character(json *j) {
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    size_t width = utf8_size(j->text + j->at, j->size - j->at);
    if (width == 0 || (unsigned char)peek(j) < ' ') {
        return false;
    }
    if (!take(j, "\\")) {
        strbuf_put(&j->characters, j->text + j->at, width);
        j->at += width;
        return true;
    }
    if (take(j, "u")) {
        return read_unicode(j);
    }
    const char *found = peek(j) != '\0' ? strchr(from, peek(j)) : NULL;
    if (found != NULL) {
        strbuf_put(&j->characters, &to[found - from], 1);
        j->at++;
    }
    return found != NULL;
}

static bool read_string(json *j, span *read) {
    size_t from = j->characters.size;
    bool good = take(j, "\"");
    while (good && !take(j, "\"")) {
        good = read_character(j);
    }
    *read = (span){(uint32_t)from, (uint32_t)(j->characters.size - from)};
    return good;
}

static bool read_word(json *j, value_kind *kind) {
    static const char *const words[] = {"true", "false", "null", "NaN", "Infinity", "-Infinity"};
    *kind = VALUE_WORD;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (take(j, words[i])) {
            return true;
        }
    }
    return false;
}

static bool read_number(json *j, value_kind *kind) {
    *kind = VALUE_INTEGER;
    take(j, "-");
    bool good = take(j, "0") || take_digits(j);
    if (good && take(j, ".")) {
        *kind = VALUE_FLOAT;
        good = take_digits(j);
    }
    if (good && (take(j, "e") || take(j, "E"))) {
        *kind = VALUE_FLOAT;
        good = (take(j, "+") || take(j, "-") || true) && take_digits(j);
    }
    return good;
}

static bool read_value(json *j, value begun, unsigned depth);

static bool read_inside(json *j, uint32_t *count, bool is_object, unsigned depth) {
    const char *close = is_object ? "}" : "]";
    bool good = depth < DEPTH_MAX;
    j->at++;
    skip_blanks(j);
    for (*count = 0; good && (*count > 0 || !take(j, close)); ++*count) {
        value begun = {.key_at = 0};
        skip_blanks(j);
        begun.key_at = (uint32_t)j->at;
        if (is_object) {
            good = read_string(j, &begun.key);
            skip_blanks(j);
            good = good && take(j, ":");
        }
        good = good && read_value(j, begun, depth + 1);
        skip_blanks(j);
        if (good && take(j, close)) {
            ++*count;
            return true;
        }
        good = good && take(j, ",");
    }
    return good;
}

static bool read_value(json *j, value begun, unsigned depth) {
    uint32_t own = j->count++;
    if (own == VALUES_MAX) {
        return false;
    }
    if (own == j->capacity) {
        j->capacity = j->capacity > 0 ? j->capacity * 2 : 256;
        j->list = memory_resize(j->list, j->capacity, sizeof *j->list);
    }
    skip_blanks(j);
    begun.at = (uint32_t)j->at;
    char c = peek(j);
    begun.kind = c == '{' ? VALUE_OBJECT : c == '[' ? VALUE_ARRAY : VALUE_STRING;
    bool good = c == '{' || c == '[' ? read_inside(j, &begun.count, c == '{', depth)
                : c == '"'           ? read_string(j, &begun.string)
                                     : read_word(j, &begun.kind) || read_number(j, &begun.kind);
    begun.end = (uint32_t)j->at;
    begun.after = j->count;
    j->list[own] = begun;
    return good;
}

/* False: it is no JSON, or too large. */
static bool read_text(json *j, vector_bytes text) {
    *j = (json){.text = text.data, .size = text.size};
    bool good = text.size < UINT32_MAX && read_value(j, (value){.at = 0}, 0);
    skip_blanks(j);
    return good && j->at == j->size;
}

/* ---------------------------------------------------------------- differences */

typedef struct comparison {
    json wanted;
    json got;
    strbuf pointer; /* of what is compared */
    difference *d;
} comparison;

static void put_step(strbuf *b, const json *j, span key) {
    strbuf_text(b, "/");
    for (uint32_t i = 0; i < key.size; i++) {
        const char *c = j->characters.data + key.at + i;
        strbuf_put(b, *c == '~' || *c == '/' ? (*c == '~' ? "~0" : "~1") : c,
                   *c == '~' || *c == '/' ? 2 : 1);
    }
}

/* Of the pointer what is fit to be shown. */
static bool part(comparison *c, char *what, size_t wanted_at, size_t got_at) {
    strbuf clean = {NULL, 0, 0};
    const char *pointer = strbuf_string(&c->pointer);
    size_t size = c->pointer.size;
    if (size > POINTER_MAX) {
        for (size = POINTER_MAX; ((unsigned char)pointer[size] & 0xC0) == 0x80;) {
            size--; /* not inside of a character */
        }
    }
    strbuf_clean(&clean, pointer, size);
    strbuf_text(&clean, size < c->pointer.size ? "..." : "");
    *c->d = (difference){strbuf_take(&clean), what, wanted_at, got_at};
    return false;
}

/* A piece of a value, not long before where it differs. */
static void put_piece(strbuf *b, const json *j, const value *whole, size_t at) {
    size_t from = at - whole->at > SHOWN_BEFORE ? at - SHOWN_BEFORE : whole->at;
    size_t size = whole->end - from;
    strbuf_text(b, from > whole->at ? "'..." : "'");
    strbuf_ascii(b, j->text + from, size < SHOWN ? size : SHOWN);
    strbuf_text(b, size > SHOWN ? "...'" : "'");
}

/* Two values that differ where each says. */
static bool part_at(comparison *c, const value *wanted, const value *got, size_t wanted_at,
                    size_t got_at) {
    strbuf b = {NULL, 0, 0};
    strbuf_text(&b, "expected ");
    put_piece(&b, &c->wanted, wanted, wanted_at);
    strbuf_text(&b, ", got ");
    put_piece(&b, &c->got, got, got_at);
    return part(c, strbuf_take(&b), wanted_at, got_at);
}

/* ------------------------------------------------------------------ comparing */

typedef struct member {
    const char *key;
    uint32_t size;
    value *value;
} member;

static int compare_keys(const void *left, const void *right) {
    const member *a = left;
    const member *b = right;
    int order = memcmp(a->key, b->key, a->size < b->size ? a->size : b->size);
    return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

/* The members by their keys. */
static member *sort_members(const json *j, const value *object) {
    member *members = memory_take(object->count + 1, sizeof *members);
    value *each = j->list + (object - j->list) + 1;
    for (uint32_t i = 0; i < object->count; i++, each = j->list + each->after) {
        members[i] = (member){strbuf_string(&j->characters) + each->key.at, each->key.size, each};
    }
    qsort(members, object->count, sizeof *members, compare_keys);
    return members;
}

/* The first key that stands there twice; NULL: none does. */
static const value *find_twice(const member *members, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        if (compare_keys(&members[i - 1], &members[i]) == 0) {
            return members[i].value;
        }
    }
    return NULL;
}

/* Objects whose keys are not the same: one that is wanted, or one that is there. */
static bool part_at_key(comparison *c, const value *wanted, const value *got, const value *key[2],
                        const char *what) {
    put_step(&c->pointer, key[0] != NULL ? &c->wanted : &c->got,
             key[0] != NULL ? key[0]->key : key[1]->key);
    return part(c, memory_text(what), key[0] != NULL ? key[0]->key_at : wanted->at,
                key[1] != NULL ? key[1]->key_at : got->at);
}

/* Holds the sorted members of two objects against each other. */
static bool match_members(comparison *c, const value *wanted, const value *got, const member *left,
                          const member *right) {
    const value *twice[2] = {find_twice(left, wanted->count), find_twice(right, got->count)};
    if (twice[0] != NULL || twice[1] != NULL) {
        return part_at_key(c, wanted, got, twice, "a key that is there twice");
    }
    for (uint32_t i = 0; i < wanted->count || i < got->count; i++) {
        int order = i == wanted->count ? 1
                    : i == got->count  ? -1
                                       : compare_keys(&left[i], &right[i]);
        if (order != 0) {
            const value *key[2] = {order < 0 ? left[i].value : NULL,
                                   order > 0 ? right[i].value : NULL};
            return part_at_key(c, wanted, got, key,
                               order < 0 ? "expected, and is not there"
                                         : "is there, and not expected");
        }
        left[i].value->counterpart = (uint32_t)(right[i].value - c->got.list);
    }
    return true;
}

static bool compare_values(comparison *c, const value *wanted, const value *got);

/* The values in two containers, in the order of the wanted one. */
static bool compare_inside(comparison *c, const value *wanted, const value *got) {
    const value *each = wanted + 1;
    const value *other = got + 1;
    size_t size = c->pointer.size;
    for (uint32_t i = 0; i < wanted->count; i++) {
        if (wanted->kind == VALUE_OBJECT) {
            other = &c->got.list[each->counterpart];
            put_step(&c->pointer, &c->wanted, each->key);
        } else {
            strbuf_format(&c->pointer, "/%u", i);
        }
        if (!compare_values(c, each, other)) {
            return false;
        }
        each = &c->wanted.list[each->after];
        other = &c->got.list[other->after];
        c->pointer.size = size;
    }
    return true;
}

static bool compare_objects(comparison *c, const value *wanted, const value *got) {
    member *left = sort_members(&c->wanted, wanted);
    member *right = sort_members(&c->got, got);
    bool same = match_members(c, wanted, got, left, right);
    free(left);
    free(right);
    return same && compare_inside(c, wanted, got);
}

static bool compare_arrays(comparison *c, const value *wanted, const value *got) {
    if (wanted->count != got->count) {
        return part(
            c, memory_format("expected an array of %u, got one of %u", wanted->count, got->count),
            wanted->at, got->at);
    }
    return compare_inside(c, wanted, got);
}

/* Where the character stands in the text in which so many bytes of a string are gone past. */
static size_t place_in(const json *j, const value *string, size_t bytes) {
    json again = {.text = j->text, .at = string->at + 1, .size = string->end - 1};
    size_t at = again.at;
    while (again.at < again.size && read_character(&again) && again.characters.size <= bytes) {
        at = again.at;
    }
    strbuf_free(&again.characters);
    return at;
}

static bool compare_strings(comparison *c, const value *wanted, const value *got) {
    const char *left = strbuf_string(&c->wanted.characters) + wanted->string.at;
    const char *right = strbuf_string(&c->got.characters) + got->string.at;
    size_t size = wanted->string.size < got->string.size ? wanted->string.size : got->string.size;
    size_t at = 0;
    while (at < size && left[at] == right[at]) {
        at++;
    }
    return (at == wanted->string.size && at == got->string.size) ||
           part_at(c, wanted, got, place_in(&c->wanted, wanted, at), place_in(&c->got, got, at));
}

/* A locale is never set, so that the point is a point. */
static double double_of(const json *j, const value *number) {
    char *text = memory_part(j->text + number->at, number->end - number->at);
    double made = strtod(text, NULL);
    free(text);
    return made;
}

/* Integers, words and floats. */
static bool compare_texts(comparison *c, const value *wanted, const value *got) {
    size_t size = wanted->end - wanted->at;
    bool same = size == got->end - got->at &&
                memcmp(c->wanted.text + wanted->at, c->got.text + got->at, size) == 0;
    if (!same && wanted->kind == VALUE_FLOAT) {
        double left = double_of(&c->wanted, wanted);
        double right = double_of(&c->got, got);
        same = memcmp(&left, &right, sizeof left) == 0;
    }
    return same || part_at(c, wanted, got, wanted->at, got->at);
}

static bool compare_values(comparison *c, const value *wanted, const value *got) {
    value_kind kind = wanted->kind;
    return kind != got->kind      ? part_at(c, wanted, got, wanted->at, got->at)
           : kind == VALUE_OBJECT ? compare_objects(c, wanted, got)
           : kind == VALUE_ARRAY  ? compare_arrays(c, wanted, got)
           : kind == VALUE_STRING ? compare_strings(c, wanted, got)
                                  : compare_texts(c, wanted, got);
}

likeness likeness_of(vector_bytes wanted, vector_bytes got, difference *d) {
    comparison c = {.d = d};
    likeness found = LIKENESS_UNKNOWN;
    *d = (difference){NULL, NULL, 0, 0};
    if (read_text(&c.wanted, wanted) && read_text(&c.got, got)) {
        bool same = compare_values(&c, c.wanted.list, c.got.list);
        found = same ? LIKENESS_SAME : LIKENESS_OTHER;
    }
    strbuf_free(&c.wanted.characters);
    strbuf_free(&c.got.characters);
    strbuf_free(&c.pointer);
    free(c.wanted.list);
    free(c.got.list);
    return found;
}

void difference_free(difference *d) {
    free(d->pointer);
    free(d->what);
    *d = (difference){NULL, NULL, 0, 0};
}
