/*
 * leaf.c - see leaf.h. It goes over the text of a document that was decoded, so that it
 * need not be judged.
 */
#include "leaf.h"

#include <stdlib.h>
#include <string.h>

/* A string, number or word, which lies in the text. */
typedef struct leaf {
    const char *at;
    size_t size;
    char kind; /* '"', '0', or the first letter of a word */
    bool key;  /* of a member */
} leaf;

typedef struct leaves {
    leaf *items;
    size_t count;
} leaves;

static const char *end_of_string(const char *p) {
    for (p++; *p != '"'; p++) {
        p += *p == '\\';
    }
    return p + 1;
}

static leaf leaf_at(const char *p, const char *end) {
    static const char between[] = " \t\r\n,:]}";
    leaf l = {.at = p, .kind = *p};
    const char *behind = p;
    if (*p == '"') {
        behind = end_of_string(p);
    } else {
        while (behind < end && memchr(between, *behind, sizeof between - 1) == NULL) {
            behind++;
        }
        l.kind = *p == '-' || (*p >= '0' && *p <= '9') ? '0' : *p;
    }
    l.size = (size_t)(behind - p);
    while (behind < end && memchr(" \t\r\n", *behind, 4) != NULL) {
        behind++;
    }
    l.key = behind < end && *behind == ':';
    return l;
}

static bool is_between(char c) {
    return memchr(" \t\r\n,:[]{}", c, 10) != NULL;
}

/* At most one for each byte. */
static leaves find_leaves(ep_bytes text) {
    leaves found = {malloc((text.size + 1) * sizeof(leaf)), 0};
    const char *end = text.data + text.size;
    for (const char *p = text.data; found.items != NULL && p < end;) {
        if (is_between(*p)) {
            p++;
        } else {
            leaf l = leaf_at(p, end);
            found.items[found.count++] = l;
            p += l.size;
        }
    }
    return found;
}

static void add_text(test_text *out, const char *text) {
    test_add(out, text, strlen(text));
}

/* The same with a character more, a digit more or less, or the other word. */
static void add_beside(test_text *out, const leaf *l) {
    if (l->kind == '"') {
        test_add(out, l->at, l->size - 1);
        add_text(out, "_\"");
    } else if (l->kind == '0') {
        char last = l->at[l->size - 1];
        test_add(out, l->at, l->size - 1);
        add_text(out, last == '9' ? "8" : (char[]){(char)(last + 1), '\0'});
    } else {
        add_text(out, l->kind == 't' ? "false" : "true");
    }
}

static const leaf *draw_leaf(fuzz_input *input, const leaves *found, char kind) {
    enum { TRIES = 16 };
    for (int i = 0; found->count > 0 && i < TRIES; i++) {
        const leaf *l = &found->items[fuzz_below(input, found->count)];
        if (!l->key && (kind == '\0' || l->kind == kind)) {
            return l;
        }
    }
    return NULL;
}

bool fuzz_change_leaf(fuzz_input *input, ep_bytes text, test_text *out) {
    leaves found = find_leaves(text);
    const leaf *l = draw_leaf(input, &found, '\0');
    if (l != NULL) {
        const leaf *other = fuzz_below(input, 2) == 0 ? draw_leaf(input, &found, l->kind) : NULL;
        const char *behind = l->at + l->size;
        test_add(out, text.data, (size_t)(l->at - text.data));
        if (other != NULL) {
            test_add(out, other->at, other->size);
        } else {
            add_beside(out, l);
        }
        test_add(out, behind, (size_t)(text.data + text.size - behind));
    }
    free(found.items);
    return l != NULL;
}

/* One character, or one escape; a pair of surrogates is one. */
static const char *behind_character(const char *p) {
    if (*p != '\\') {
        for (p++; ((unsigned char)*p & 0xC0) == 0x80; p++) {
        }
        return p;
    }
    bool high = p[1] == 'u' && (p[2] | 0x20) == 'd' && memchr("89abAB", p[3], 6) != NULL;
    return p + (high ? 12 : p[1] == 'u' ? 6 : 2);
}

bool fuzz_place_in_string(ep_bytes text, size_t offset, size_t *index) {
    const char *end = text.data + text.size;
    const char *place = text.data + offset;
    *index = 0;
    for (const char *p = text.data; p < end && p < place;) {
        const char *behind = *p == '"' ? end_of_string(p) : p + 1;
        if (place > p && place < behind) {
            for (p++; p < place; p = behind_character(p)) {
                ++*index;
            }
            return true;
        }
        p = behind;
    }
    return false;
}
