/*
 * language/embedded.h - JSON inside a string: either any document, validated as
 * strictly as the file around it (SPEC part 2), or a text that has to be spelled as
 * PyTorch's json.dumps spells it (SPEC 4.2.1), which its parser reads piece by piece. A
 * fault has the code of the string's own language, and the byte of the file.
 */
#ifndef EP_EMBEDDED_H
#define EP_EMBEDDED_H

#include "json/lexer.h"
#include "json/passage.h"

/* One strict JSON document and nothing else, bare Infinity and NaN refused.
 * code: of whatever is wrong, but for EP_LIMIT_DEPTH and EP_MEMORY. Linear, but
 * for the keys of an object, which are n log n. */
bool ep_embedded_check(ep_arena *arena, const ep_passage *passage, size_t depth, ep_code code,
                       ep_fault *fault);

/* Reads a text from its beginning. It must not move: the lexer points into it. */
typedef struct ep_embedded {
    const ep_passage *passage;
    ep_arena *arena;
    ep_fault *fault; /* the caller's */
    ep_code code;    /* what a wrong byte is */
    ep_fault inner;  /* the lexer's */
    ep_lexer lexer;
} ep_embedded;

void ep_embedded_begin(ep_embedded *reader, ep_arena *arena, const ep_passage *passage,
                       ep_code code, ep_fault *fault);

/* Records a fault at a place of the text. Always false. */
bool ep_embedded_fail(const ep_embedded *reader, const char *at, const char *expected);
bool ep_embedded_fail_with(const ep_embedded *reader, ep_code code, const char *at);

/* Whether the next byte is c. */
static inline bool ep_embedded_at(const ep_embedded *reader, char c) {
    return reader->lexer.p != reader->lexer.end && *reader->lexer.p == c;
}

/* These very bytes; a fault is at the first that differs. */
bool ep_embedded_expect(ep_embedded *reader, ep_bytes text);

/* A string or number as json.dumps writes it. */
bool ep_embedded_string(ep_embedded *reader, ep_ref *ref);
bool ep_embedded_number(ep_embedded *reader, ep_number *number);

/* Any one value as json.dumps writes it. depth: the arrays and objects that may
 * be open in it. */
bool ep_embedded_value(ep_embedded *reader, size_t depth);

/* The end of the text. */
bool ep_embedded_end(const ep_embedded *reader);

#endif
