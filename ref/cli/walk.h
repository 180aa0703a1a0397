/*
 * walk.h - the strings, brackets and commas of a JSON text in their order, with the members that
 * they are in: for what a decoded program does not say, where its parts end in the file.
 */
#ifndef CLI_WALK_H
#define CLI_WALK_H

#include "common/buffer.h"

/* An array or object that is open. */
typedef struct walk_level {
    bool is_object;
    bool wants_key;
    bool keeps;   /* these two are the caller's: a member before the one at hand stays; */
    bool is_cut;  /* that one does not */
    size_t items; /* before the one at hand */
    ep_bytes key; /* of the member at hand, as it is spelled */
    size_t begin; /* of that member */
    size_t comma; /* the last one */
} walk_level;

typedef struct walk {
    ep_bytes text; /* one JSON value (SPEC part 2) */
    size_t at;     /* the mark at hand: a quote, a bracket, a comma */
    size_t end;    /* behind it, or behind the string */
    bool is_key;   /* it is a string, and one of these */
    walk_level *levels;
    size_t depth;
    size_t capacity;
    size_t line;  /* of the mark, from 0 on */
    size_t start; /* of that line */
    bool failed;  /* for want of memory */
} walk;

/* Takes the next mark, behind which the levels are those that are open then. False: there is none,
 * or no memory. Linear in the text, and what it holds in its depth; walk_close frees that. */
bool walk_next(walk *w);

/* The innermost level; NULL: none is open. */
walk_level *walk_in(const walk *w);

void walk_close(walk *w);

#endif
