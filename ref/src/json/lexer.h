/*
 * json/lexer.h - bytes to tokens, strict JSON (SPEC part 2).
 *
 * The cursor moves over the input. A function that fails records a fault and returns
 * false. Nothing here allocates, and nothing reads past the end: the input needs no
 * terminator.
 */
#ifndef EP_LEXER_H
#define EP_LEXER_H

#include "base/error.h"
#include "base/text.h"

typedef struct ep_lexer {
    const char *begin;
    const char *p; /* the next byte */
    const char *end;
    size_t string_limit;
    ep_fault *fault;
} ep_lexer;

/* Words of JSON, and the three of Python that it is not. */
typedef enum ep_word {
    EP_WORD_NULL,
    EP_WORD_TRUE,
    EP_WORD_FALSE,
    EP_WORD_INFINITY,
    EP_WORD_MINUS_INFINITY,
    EP_WORD_NAN
} ep_word;

typedef struct ep_number {
    const char *text;
    size_t size;
    bool integer; /* neither a fraction nor an exponent */
} ep_number;

/* Records a fault at a byte of the input. Always false. */
bool ep_lex_fail(ep_lexer *lexer, ep_code code, const char *at);

/* EP_END at the end of the input, else EP_SYNTAX at the cursor. */
bool ep_lex_unexpected(ep_lexer *lexer);

/* Past white space (SPEC 2.3.1). */
void ep_lex_space(ep_lexer *lexer);

/* Past white space, to the byte that begins a value; false at the end. */
static inline bool ep_lex_peek(ep_lexer *lexer, char *c) {
    lexer->p += lexer->p != lexer->end && *lexer->p == ' '; /* as json.dumps writes it */
    if (EP_UNLIKELY(lexer->p == lexer->end || (unsigned char)*lexer->p <= ' ')) {
        ep_lex_space(lexer);
        if (lexer->p == lexer->end) {
            ep_lex_fail(lexer, EP_END, lexer->end);
            return false; /* in the compiler's sight: c is not set */
        }
    }
    *c = *lexer->p;
    return true;
}

/* The one byte c, after white space. */
bool ep_lex_byte(ep_lexer *lexer, char c);

/* A string; the cursor is on its opening quote. */
bool ep_lex_string(ep_lexer *lexer, ep_ref *ref);

/* A number; the cursor is on a minus sign or a digit. */
bool ep_lex_number(ep_lexer *lexer, ep_number *number);

/* A word; the cursor is on the first byte of a value that is no string,
 * number, array or object. */
bool ep_lex_word(ep_lexer *lexer, ep_word *word);

/* Whether what begins here is a number rather than a word. */
static inline bool ep_lex_is_number(const ep_lexer *lexer) {
    char c = *lexer->p;
    return ep_is_digit(c) || (c == '-' && !(lexer->end - lexer->p > 1 && lexer->p[1] == 'I'));
}

/* The start of the document: its size, and that no byte order mark is there. */
bool ep_lex_start(ep_lexer *lexer, size_t bytes_limit);

/* The end of the document: nothing but white space is left. */
bool ep_lex_finish(ep_lexer *lexer);

#endif
