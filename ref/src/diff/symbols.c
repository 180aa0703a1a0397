/*
 * diff/symbols.c - expressions of two programs, compared up to the renaming of symbols;
 * see diff.h. A symbol has another number in the other program if an earlier symbol is
 * missing there. Partners form a partial bijection: two symbols become partners when the
 * first expressions in which they occur are alike.
 */
#include "canon/symbols.h"
#include "diff/diff.h"

/* A cursor in an expression in srepr, in which a symbol is Symbol('s0', ...). */
typedef struct reader {
    ep_bytes left;
    ep_bytes before; /* up to the symbol's name, or to the end */
    ep_bytes name;
    bool found;
} reader;

static bool begins(ep_bytes text, ep_bytes part) {
    return text.size >= part.size && memcmp(text.data, part.data, part.size) == 0;
}

static void take(ep_bytes *text, size_t size, ep_bytes *taken) {
    *taken = (ep_bytes){text->data, size};
    *text = (ep_bytes){text->data + size, text->size - size};
}

/* Advances to the next symbol. */
static void next_symbol(reader *r) {
    static const char opening[] = "Symbol('";
    ep_bytes mark = EP_TEXT(opening);
    size_t at = 0;
    while (at < r->left.size && !begins((ep_bytes){r->left.data + at, r->left.size - at}, mark)) {
        at++;
    }
    r->found = at < r->left.size;
    take(&r->left, r->found ? at + mark.size : at, &r->before);
    for (at = 0; at < r->left.size && r->left.data[at] != '\''; at++) {
    }
    take(&r->left, at, &r->name);
}

/* The number of a symbol. A new one has no partner. */
static bool number_of(ep_diff_half *half, ep_bytes name, uint32_t *number) {
    bool fresh;
    return ep_map_put(&half->symbols, name, number, &fresh) &&
           (!fresh || ep_stack_push(&half->partners, EP_DIFF_NONE));
}

/* Whether two symbols are partners. Two symbols without a partner become partners. */
static bool same_symbol(ep_differ *d, const reader r[2], bool *same) {
    uint32_t a;
    uint32_t b;
    TRY(number_of(&d->half[0], r[0].name, &a) && number_of(&d->half[1], r[1].name, &b));
    uint64_t *partner = &d->half[0].partners.words[a];
    uint64_t *back = &d->half[1].partners.words[b];
    if (*partner == EP_DIFF_NONE && *back == EP_DIFF_NONE) {
        *partner = b;
        *back = a;
    }
    *same = *partner == b;
    return true;
}

/* Whether two expressions are equal up to the names of symbols. */
static bool alike(const ep_bytes texts[2]) {
    reader r[2] = {{.left = texts[0]}, {.left = texts[1]}};
    do {
        next_symbol(&r[0]);
        next_symbol(&r[1]);
        if (r[0].found != r[1].found || !ep_text_equal(r[0].before, r[1].before)) {
            return false;
        }
    } while (r[0].found);
    return true;
}

/* The text of a string, and whether it is an expression. */
static bool read_text(ep_differ *d, size_t half, ep_ref ref, ep_bytes *text, bool *parsed) {
    ep_expression_options options = {
        .form = EP_EXPRESSION_SREPR, .any_sort = true, .depth = SIZE_MAX};
    const ep_expression *expression;
    ep_passage passage;
    ep_fault fault = {.code = EP_OK};
    TRY(ep_passage_open(&passage, d->arena, d->half[half].input, ref));
    *text = passage.text;
    *parsed = ep_expression_parse(d->arena, &passage, &options, &expression, &fault);
    return fault.code != EP_MEMORY;
}

/* What was written beside an expr_ast need not be an expression: it has no symbols then.
 * SPEC 6.1.3 */
bool ep_diff_same_expression(ep_differ *d, const ep_ref refs[2], bool *same) {
    ep_bytes texts[2];
    bool parsed[2];
    TRY(read_text(d, 0, refs[0], &texts[0], &parsed[0]) &&
        read_text(d, 1, refs[1], &texts[1], &parsed[1]));
    if (!parsed[0] || !parsed[1]) {
        *same = ep_text_equal(texts[0], texts[1]);
        return true;
    }
    reader r[2] = {{.left = texts[0]}, {.left = texts[1]}};
    *same = alike(texts);
    while (*same) {
        next_symbol(&r[0]);
        next_symbol(&r[1]);
        if (!r[0].found) {
            break;
        }
        TRY(same_symbol(d, r, same));
    }
    return true;
}

/* ------------------------------------------------------------------ keys of ranges */

/* The number of a symbol's partner, or none. */
static uint64_t partner_number(const ep_diff_half *half, ep_bytes symbol) {
    uint32_t number = ep_map_find(&half->symbols, symbol);
    return number == EP_MAP_NONE ? EP_DIFF_NONE : half->partners.words[number];
}

/* The partner of a symbol in the other program. One that has none is compared by its
 * name, unless the other program's symbol of that name is the partner of another: then it
 * is a text that is no symbol. */
static ep_bytes partner_of(const ep_differ *d, ep_bytes symbol) {
    uint64_t partner = partner_number(&d->half[0], symbol);
    if (partner != EP_DIFF_NONE) {
        return d->half[1].symbols.keys[partner].text;
    }
    bool taken = partner_number(&d->half[1], symbol) != EP_DIFF_NONE;
    return taken ? EP_TEXT("?") : symbol;
}

bool ep_diff_translate(ep_differ *d, ep_bytes key, ep_bytes *translated) {
    ep_canon_key_part part = {.next = 0};
    ep_growing text;
    ep_growing_init(&text, d->arena);
    bool ok = true;
    while (ok && ep_canon_key_next(key, &part)) {
        ok = ep_growing_put(&text, part.is_symbol ? partner_of(d, part.text) : part.text);
    }
    ok = ok && ep_growing_keep(&text, d->arena, translated);
    ep_growing_free(&text);
    return ok;
}
