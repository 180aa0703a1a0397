/*
 * draw.c - patterns, drawing a place, and looking around; see edit.h.
 */
#include "edit.h"

#include <string.h>

/* ------------------------------------------------------------------ patterns */

/* A word of a pattern. */
typedef struct word {
    bool any;
    bool whole;
    bool item;
    bool kinded;
    ep_kind kind;
    ep_bytes outer_type;
    ep_bytes outer_member;
    ep_bytes type;
    ep_bytes member;
    ep_bytes key;
} word;

enum { WORDS_MAX = 8 };

/* By the names of kinds in their order, from EP_KIND_STR on. */
static ep_kind kind_of(ep_bytes name) {
    static const char *const names[] = {"str",   "int",   "float",  "bool",  "unit",
                                        "bytes", "enum",  "struct", "union", "list",
                                        "dict",  "tuple", "end"};
    size_t kind = 0;
    while (kind + 1 < COUNT_OF(names) && !bytes_equal(name, names[kind])) {
        kind++;
    }
    return (ep_kind)(EP_KIND_STR + kind);
}

/* What stands behind a mark, which is cut off with it; no data without the mark. */
static ep_bytes cut(ep_bytes *text, const char *mark) {
    size_t at = bytes_find(*text, 0, bytes_of(mark));
    ep_bytes behind = {NULL, 0};
    if (at < text->size) {
        behind = (ep_bytes){text->data + at + strlen(mark), text->size - at - strlen(mark)};
        text->size = at;
    }
    return behind;
}

static word read_word(ep_bytes text) {
    word w = {.any = bytes_equal(text, "*"), .whole = bytes_equal(text, ".")};
    w.key = cut(&text, "/");
    ep_bytes kind = cut(&text, ":");
    w.kinded = kind.data != NULL;
    w.kind = w.kinded ? kind_of(kind) : EP_KIND_NULL;
    ep_bytes inner = cut(&text, ">");
    if (inner.data != NULL) {
        w.outer_type = text;
        w.outer_member = cut(&w.outer_type, ".");
        text = inner;
    }
    w.item = cut(&text, "[]").data != NULL;
    w.type = text;
    w.member = cut(&w.type, ".");
    return w;
}

/* Reads a pattern; how many words it has. */
static size_t read_words(word words[WORDS_MAX], const char *where) {
    ep_bytes rest = bytes_of(where);
    size_t count = 0;
    while (rest.data != NULL && count < WORDS_MAX) {
        ep_bytes text = rest;
        rest = cut(&text, " ");
        words[count++] = read_word(text);
    }
    return count;
}

static bool is_named(const place *p, ep_bytes type, ep_bytes member) {
    return p != NULL && p->type != NULL && p->member != NULL && bytes_equal(type, p->type) &&
           bytes_equal(member, p->member);
}

static bool is_of_type(const place *p, ep_bytes type) {
    bool typed = p != NULL && (p->kind == EP_KIND_STRUCT || p->kind == EP_KIND_UNION);
    const char *own = typed ? ep_value_type(p->value) : NULL;
    return own != NULL && bytes_equal(type, own);
}

static bool is_of_word(const defect *d, const place *p, const word *w) {
    if (w->any || w->whole) {
        return w->any || p == d->places.items;
    }
    if (w->kinded && p->kind != w->kind) {
        return false;
    }
    if (w->outer_type.data != NULL && !is_named(outer(d, p), w->outer_type, w->outer_member)) {
        return false;
    }
    if (w->member.data != NULL) {
        return p->kind != EP_KIND_NULL && p->nest == w->item && is_named(p, w->type, w->member);
    }
    return w->type.size == 0 || is_of_type(p, w->type);
}

/* The first word that a place is of; NULL for none. */
static const word *word_of(const defect *d, const place *p, const word *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (is_of_word(d, p, &words[i])) {
            return &words[i];
        }
    }
    return NULL;
}

bool is_at(const defect *d, const place *p, const char *where) {
    word words[WORDS_MAX];
    return word_of(d, p, words, read_words(words, where)) != NULL;
}

const place *draw_place(defect *d, const char *where, defect_filter *fits) {
    word words[WORDS_MAX];
    size_t count = read_words(words, where);
    const place *drawn = NULL;
    size_t met = 0;
    for (size_t i = 0; i < d->places.count; i++) {
        const place *p = &d->places.items[i];
        const word *w = word_of(d, p, words, count);
        if (w != NULL && fits(d, p) && draw(d, ++met) == 0) {
            drawn = p;
            d->key = w->key;
        }
    }
    return drawn;
}

const place *draw_related(defect *d, defect_relation *is, const place *to) {
    const place *drawn = NULL;
    size_t met = 0;
    for (size_t i = 0; i < d->places.count; i++) {
        const place *p = &d->places.items[i];
        drawn = is(d, p, to) && draw(d, ++met) == 0 ? p : drawn;
    }
    return drawn;
}

/* ------------------------------------------------------------------- looking */

bool is_member(const place *p, const char *type, const char *member) {
    return is_named(p, bytes_of(type), bytes_of(member));
}

bool is_of(const place *p, const char *type) {
    return is_of_type(p, bytes_of(type));
}

const place *first_in(const defect *d, const place *in) {
    (void)d;
    return in->count == 0 ? NULL : in + 1;
}

const place *outer(const defect *d, const place *p) {
    return p->parent == NO_PLACE ? NULL : &d->places.items[p->parent];
}

const place *next_of(const defect *d, const place *p) {
    const place *in = outer(d, p);
    return in == NULL || p->next >= in->next ? NULL : &d->places.items[p->next];
}

const place *previous_of(const defect *d, const place *p) {
    const place *in = outer(d, p);
    const place *before = in == NULL || p->index == 0 ? NULL : first_in(d, in);
    while (before != NULL && before->next != place_number(&d->places, p)) {
        before = &d->places.items[before->next];
    }
    return before;
}

const place *part_of(const defect *d, const place *in, const char *name) {
    for (const place *p = first_in(d, in); p != NULL; p = next_of(d, p)) {
        if (p->key != 0 && bytes_equal(key_at(d, p), name)) {
            return p->kind == EP_KIND_NULL ? NULL : p;
        }
    }
    return NULL;
}

const place *owner(const defect *d, const place *p, const char *type) {
    do {
        p = outer(d, p);
    } while (p != NULL && !is_of(p, type));
    return p;
}

const place *tagged(const defect *d, const place *p) {
    const char *tag = ep_value_name(p->value, 0);
    for (const place *in = first_in(d, p); in != NULL; in = next_of(d, in)) {
        if (in->member != NULL && tag != NULL && strcmp(in->member, tag) == 0) {
            return in;
        }
    }
    return NULL;
}

bool is_one_of(ep_bytes text, const char *words) {
    for (ep_bytes rest = bytes_of(words); rest.data != NULL;) {
        ep_bytes first = rest;
        rest = cut(&first, " ");
        if (same_bytes(first, text)) {
            return true;
        }
    }
    return false;
}

bool has_tag(const place *p, const char *tags) {
    const char *own = p != NULL && p->kind == EP_KIND_UNION ? ep_value_name(p->value, 0) : NULL;
    return own != NULL && is_one_of(bytes_of(own), tags);
}

ep_bytes bytes_at(const defect *d, const place *p) {
    return (ep_bytes){d->places.text.data + p->begin, p->end - p->begin};
}

ep_bytes text_at(const defect *d, const place *p) {
    return (ep_bytes){d->places.text.data + p->begin + 1, p->end - p->begin - 2};
}

ep_bytes key_at(const defect *d, const place *p) {
    return (ep_bytes){d->places.text.data + p->key + 1, p->key_end - p->key - 2};
}

bool same_bytes(ep_bytes a, ep_bytes b) {
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}
