/*
 * schema/wire.h - any JSON value, validated and discarded: the wire level of a whole
 * document (SPEC part 2), and the values that --forward passes over.
 */
#ifndef EP_WIRE_H
#define EP_WIRE_H

#include "base/arena.h"
#include "json/lexer.h"

typedef struct ep_wire {
    ep_lexer *lexer;
    ep_limits limits;
    size_t values;         /* counted so far */
    const char *nonfinite; /* the first bare Infinity or NaN, NULL if none */
    const char *version;   /* the value of the outermost schema_version, NULL if none */
    ep_stack frames;
    ep_stack keys;
} ep_wire;

/* The stacks take from the arena; free gives them back. */
void ep_wire_init(ep_wire *wire, ep_arena *arena, ep_lexer *lexer, const ep_limits *limits);
void ep_wire_free(ep_wire *wire);

/* Skips one value; the lexer is before it. */
bool ep_wire_value(ep_wire *wire);

/* A whole document, from its first byte to its last. */
bool ep_wire_document(ep_wire *wire);

#endif
