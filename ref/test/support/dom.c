/*
 * dom.c - see dom.h. It recurses, copies every string, and trusts that the
 * text is JSON, which the library has said.
 */
#include "dom.h"

#include "support.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

typedef struct node {
    char kind; /* '{', '[', '"', or the first byte of a number or word */
    test_text text;
    test_text key; /* of a member of an object */
    struct node *parts;
    size_t n;
} node;

typedef struct reader {
    const char *p;
    const char *end;
} reader;

static void skip_space(reader *r) {
    while (r->p < r->end && strchr(" \t\r\n", *r->p) != NULL) {
        r->p++;
    }
}

static uint32_t read_hex(reader *r) {
    char digits[5] = {r->p[0], r->p[1], r->p[2], r->p[3], '\0'};
    r->p += 4;
    return (uint32_t)strtoul(digits, NULL, 16);
}

static void read_escape(reader *r, test_text *text) {
    static const char letters[] = "bfnrt";
    static const char controls[] = "\b\f\n\r\t";
    char c = *r->p++;
    if (c != 'u') {
        const char *at = strchr(letters, c);
        test_add(text, at == NULL ? &c : controls + (at - letters), 1);
        return;
    }
    uint32_t unit = read_hex(r);
    if (unit >= 0xD800 && unit < 0xDC00) {
        r->p += 2;
        unit = 0x10000 + (unit - 0xD800) * 1024 + (read_hex(r) - 0xDC00);
    }
    test_add_scalar(text, unit);
}

static void read_string(reader *r, test_text *text) {
    for (r->p++; *r->p != '"';) {
        char c = *r->p++;
        if (c == '\\') {
            read_escape(r, text);
        } else {
            test_add(text, &c, 1);
        }
    }
    r->p++;
}

static node read_value(reader *r);

static void read_parts(reader *r, node *value) {
    for (skip_space(r); *r->p != ']' && *r->p != '}'; skip_space(r)) {
        test_text key = {0};
        if (*r->p == ',') {
            r->p++;
            skip_space(r);
        }
        if (value->kind == '{') {
            read_string(r, &key);
            skip_space(r);
            r->p++;
        }
        if ((value->n & (value->n - 1)) == 0) {
            size_t room = value->n == 0 ? 1 : 2 * value->n;
            value->parts = realloc(value->parts, room * sizeof(node));
        }
        if (value->parts == NULL) {
            exit(EXIT_FAILURE);
        }
        value->parts[value->n] = read_value(r);
        value->parts[value->n++].key = key;
    }
    r->p++;
}

static node read_value(reader *r) {
    skip_space(r);
    node value = {.kind = *r->p};
    if (value.kind == '"') {
        read_string(r, &value.text);
    } else if (value.kind == '{' || value.kind == '[') {
        r->p++;
        read_parts(r, &value);
    } else {
        const char *start = r->p;
        while (r->p < r->end && strchr(" \t\r\n,]}", *r->p) == NULL) {
            r->p++;
        }
        test_add(&value.text, start, (size_t)(r->p - start));
    }
    test_add(&value.text, "", 1);
    return value;
}

static void free_node(node *value) {
    for (size_t i = 0; i < value->n; i++) {
        free_node(&value->parts[i]);
    }
    free(value->parts);
    test_text_free(&value->text);
    test_text_free(&value->key);
}

static bool text_same(const test_text *a, const test_text *b) {
    return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

static bool is_number(const node *value) {
    return value->kind == '-' || (value->kind >= '0' && value->kind <= '9');
}

/* strtod wants the decimal point of the locale. */
static double number_of(const test_text *text) {
    char *point = strchr(text->data, '.');
    if (point == NULL) {
        return strtod(text->data, NULL);
    }
    *point = *localeconv()->decimal_point;
    double value = strtod(text->data, NULL);
    *point = '.';
    return value;
}

static bool scalar_same(const node *a, const node *b) {
    if (!is_number(a) || !is_number(b)) {
        return a->kind == b->kind && text_same(&a->text, &b->text);
    }
    if (strpbrk(a->text.data, ".eEI") == NULL && strpbrk(b->text.data, ".eEI") == NULL) {
        return text_same(&a->text, &b->text);
    }
    double x = number_of(&a->text);
    double y = number_of(&b->text);
    return memcmp(&x, &y, sizeof x) == 0;
}

static bool is_word(const node *value, const char *word) {
    return value->kind == word[0] && strcmp(value->text.data, word) == 0;
}

/* What an absent field may be written as. */
static bool is_default(const node *value) {
    bool empty = (value->kind == '{' || value->kind == '[') && value->n == 0;
    bool text =
        value->kind == '"' && (value->text.size == 1 || strcmp(value->text.data, "<=2.4") == 0);
    return empty || text || is_word(value, "null") || is_word(value, "false");
}

static const node *member_of(const node *object, const test_text *key, size_t guess) {
    if (guess < object->n && text_same(&object->parts[guess].key, key)) {
        return &object->parts[guess];
    }
    for (size_t i = 0; i < object->n; i++) {
        if (text_same(&object->parts[i].key, key)) {
            return &object->parts[i];
        }
    }
    return NULL;
}

static bool node_same(const node *a, const node *b);

static bool object_same(const node *a, const node *b) {
    for (size_t i = 0; i < a->n; i++) {
        const node *other = member_of(b, &a->parts[i].key, i);
        if (other == NULL ? !is_word(&a->parts[i], "null") : !node_same(&a->parts[i], other)) {
            return false;
        }
    }
    for (size_t i = 0; i < b->n; i++) {
        if (member_of(a, &b->parts[i].key, i) == NULL && !is_default(&b->parts[i])) {
            return false;
        }
    }
    return true;
}

static bool node_same(const node *a, const node *b) {
    if (a->kind == '{' && b->kind == '{') {
        return object_same(a, b);
    }
    if (a->kind != '[' || b->kind != '[') {
        return scalar_same(a, b);
    }
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++) {
        same = node_same(&a->parts[i], &b->parts[i]);
    }
    return same;
}

bool dom_same(ep_bytes a, ep_bytes b) {
    reader left = {a.data, a.data + a.size};
    reader right = {b.data, b.data + b.size};
    node x = read_value(&left);
    node y = read_value(&right);
    bool same = node_same(&x, &y);
    free_node(&x);
    free_node(&y);
    return same;
}
