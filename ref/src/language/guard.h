/*
 * language/guard.h - guards: the lines of Python in ExportedProgram.guards_code, which
 * a loader compiles (SPEC 4.4). Accepted is exactly what PyTorch's printer of shape
 * guards writes, blank for blank: relations of sizes, strides and integers of the
 * inputs.
 */
#ifndef EP_GUARD_H
#define EP_GUARD_H

#include "json/passage.h"

typedef enum ep_guard_kind {
    EP_GUARD_LOCAL,     /* L['x'] */
    EP_GUARD_INDEX,     /* [0], ['key'] */
    EP_GUARD_ATTRIBUTE, /* .name */
    EP_GUARD_METHOD,    /* .size() */
    EP_GUARD_NUMBER,    /* 3, (in brackets) -1, 0.5, 1/2 */
    EP_GUARD_CONSTANT,  /* True, math.inf */
    EP_GUARD_OPERATOR,  /* with its blanks; the words not, and, or, if, else */
    EP_GUARD_FUNCTION,  /* the name */
    EP_GUARD_OPEN,
    EP_GUARD_CLOSE,
    EP_GUARD_COMMA
} ep_guard_kind;

/* The tokens partition the text. */
typedef struct ep_guard_token {
    uint32_t offset; /* in the text */
    uint32_t size;
    uint8_t kind; /* ep_guard_kind */
} ep_guard_token;

typedef struct ep_guard {
    ep_bytes text; /* of the passage */
    size_t count;
    const ep_guard_token *tokens;
} ep_guard;

/* Parses a guard: EP_GUARD at the first byte that no guard has there,
 * EP_LIMIT_DEPTH beyond depth nested brackets, EP_MEMORY. */
bool ep_guard_parse(ep_arena *arena, const ep_passage *passage, size_t depth,
                    const ep_guard **guard, ep_fault *fault);

/* The bytes of a token. */
static inline ep_bytes ep_guard_text(const ep_guard *guard, size_t i) {
    const ep_guard_token *token = &guard->tokens[i];
    return (ep_bytes){guard->text.data + token->offset, token->size};
}

/* The name in a token of the kind EP_GUARD_LOCAL, as Python quotes it. */
static inline ep_bytes ep_guard_local(const ep_guard *guard, size_t i) {
    ep_bytes text = ep_guard_text(guard, i);
    return (ep_bytes){text.data + 3, text.size - 5};
}

#endif
