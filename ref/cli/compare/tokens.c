/*
 * tokens.c - see tokens.h. Texts are hashed on the way; who compares them looks at the bytes
 * too.
 */
#include "tokens.h"

#include <string.h>

#include "cli/show/line.h"
#include "common/memory.h"

enum { CELL_MARK = '\t', CELL_KIND = 0, CELL_TARGET = 3 };

/* A line that is being taken apart. */
typedef struct taker {
    listing *l;
    listing_row *row;
    tokens_graphs graphs;
    size_t text;         /* where the text that is not yet a token begins in the words */
    size_t cell;         /* the number of the cell */
    uint64_t subject;    /* the hash of what is the subject so far */
    bool operator_known; /* the subject of a node */
    bool defining;       /* values are defined */
    size_t depth;        /* brackets that are open in a type */
} taker;

/* ------------------------------------------------------------------------ hashes */

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_text(ep_bytes text) {
    uint64_t hash = text.size + 1;
    for (size_t i = 0; i < text.size; i++) {
        hash = mix(hash, (unsigned char)text.data[i]);
    }
    return hash;
}

/* ------------------------------------------------------------------------ tokens */

static void add_token(taker *t, listing_token token) {
    listing *l = t->l;
    bool room = memory_room(&l->tokens, l->token_count, &l->token_capacity, sizeof token);
    l->failed = l->failed || !room || l->words.failed || l->token_count >= LISTING_NONE ||
                l->words.size - token.at > UINT32_MAX;
    if (l->failed) {
        return;
    }
    token.size = (uint32_t)(l->words.size - token.at);
    token.hash = hash_text(listing_word(l, &token));
    l->tokens[l->token_count++] = token;
    t->row->count++;
}

/* Makes a token of the text that has come together. */
static void end_text(taker *t, bool in_type) {
    if (t->l->words.size > t->text) {
        add_token(t, (listing_token){.at = t->text, .kind = TOKEN_TEXT, .in_type = in_type});
    }
    t->text = t->l->words.size;
}

static void add_name(taker *t, ep_bytes text, listing_token token) {
    end_text(t, token.in_type);
    token.at = t->l->words.size;
    buffer_put(&t->l->words, text.data, text.size);
    add_token(t, token);
    t->text = t->l->words.size;
}

static void add_text(taker *t, ep_bytes text) {
    buffer_put(&t->l->words, text.data, text.size);
}

/* ------------------------------------------------------------------------- types */

static bool is_letter(char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return '0' <= c && c <= '9';
}

/* Words of expressions that are no symbols; names of functions have a bracket behind them. */
static bool is_word(ep_bytes text) {
    static const char *const words[] = {"and",  "or", "not",   "if",     "else",
                                        "True", "oo", "False", "int_oo", "None"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (bytes_equal(text, words[i])) {
            return true;
        }
    }
    return false;
}

static size_t word_size(ep_bytes text) {
    size_t size = 0;
    while (size < text.size &&
           (is_letter(text.data[size]) || (size > 0 && is_digit(text.data[size])))) {
        size++;
    }
    return size;
}

/* "f32[s0, 3]": what is a name between brackets is a symbol. */
static void take_type(taker *t, ep_bytes text) {
    bool ranges = t->row->part == SHOW_SYMBOLS;
    listing_token symbol = {.kind = TOKEN_SYMBOL, .in_type = !ranges};
    end_text(t, false);
    while (text.size > 0) {
        size_t size = word_size(text);
        ep_bytes word = {text.data, size > 0 ? size : 1};
        bool call = size < text.size && text.data[size] == '(';
        text = (ep_bytes){text.data + word.size, text.size - word.size};
        if (size > 0 && (t->depth > 0 || ranges) && !call && !is_word(word)) {
            add_name(t, word, symbol);
            continue;
        }
        t->depth += word.data[0] == '[' || word.data[0] == '(';
        t->depth -= t->depth > 0 && (word.data[0] == ']' || word.data[0] == ')');
        add_text(t, word);
    }
    t->depth = 0;
    end_text(t, !ranges);
}

/* ------------------------------------------------------------------------- lines */

static void take_text(taker *t, const line_piece *piece) {
    bool cells = t->row->part <= SHOW_OUTPUTS;
    bool is_operator = piece->in == STYLE_OPERATOR;
    bool subject =
        cells ? t->cell == CELL_KIND || t->cell == CELL_TARGET : is_operator && !t->operator_known;
    if (subject) {
        t->subject = mix(t->subject, hash_text(piece->text));
        t->operator_known = is_operator;
    }
    t->defining = t->defining && !is_operator;
    add_text(t, piece->text);
}

static void take_piece(taker *t, const line_piece *piece) {
    static const char space = ' ';
    static const char cell = CELL_MARK;
    if (piece->aside) {
        return;
    }
    if (piece->space || piece->cell) {
        add_text(t, (ep_bytes){piece->space ? &space : &cell, 1});
        t->cell += piece->cell;
    } else if (piece->in == STYLE_VALUE) {
        add_name(t, piece->text,
                 (listing_token){
                     .kind = TOKEN_VALUE, .graph = t->graphs.values, .defines = t->defining});
    } else if (piece->in == STYLE_GRAPH) {
        add_name(t, piece->text, (listing_token){.kind = TOKEN_GRAPH, .graph = t->graphs.graphs});
    } else if (piece->in == STYLE_TYPE) {
        take_type(t, piece->text);
    } else {
        take_text(t, piece);
    }
}

static bool defines(const listing_row *row) {
    return row->kind == SHOW_NODE || row->kind == SHOW_BEGIN || row->part == SHOW_INPUTS;
}

static void fill_keys(listing *l, listing_row *row, uint64_t subject) {
    uint64_t place = mix(mix(mix(1, row->part), row->kind), row->indent);
    uint64_t exact = place;
    uint64_t shape = place;
    for (size_t i = 0; i < row->count; i++) {
        const listing_token *token = &l->tokens[row->first + i];
        if (!token->in_type) {
            exact = mix(exact, token->hash);
            shape = mix(shape, token->kind == TOKEN_TEXT ? token->hash : token->kind);
        }
    }
    row->keys[KEY_EXACT] = exact;
    row->keys[KEY_SHAPE] = shape;
    row->keys[KEY_SUBJECT] = mix(place, subject);
}

void tokens_take(listing *l, listing_row *row, tokens_graphs graphs) {
    taker t = {.l = l, .row = row, .graphs = graphs, .text = l->words.size};
    line_piece piece = {.in = STYLE_PLAIN};
    ep_bytes line = listing_line(l, row);
    t.defining = defines(row);
    while (line_next(&line, &piece) && !l->failed) {
        take_piece(&t, &piece);
    }
    end_text(&t, false);
    if (!l->failed) {
        fill_keys(l, row, t.subject);
    }
}
