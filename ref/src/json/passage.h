/*
 * json/passage.h - a string, decoded for the parser of a language inside it. The parser
 * sees the text without escapes. The place of a fault is mapped back, through every
 * string around the text, to the byte of the file.
 */
#ifndef EP_PASSAGE_H
#define EP_PASSAGE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

typedef struct ep_passage {
    ep_bytes text;                  /* UTF-8 without escapes */
    ep_bytes raw;                   /* what it was decoded from, between the quotes */
    size_t offset;                  /* of raw: in the outer text, or in the file */
    const struct ep_passage *outer; /* the passage around raw; NULL: the file */
} ep_passage;

/* Opens a string of the file. The text is raw itself when it has no escapes,
 * else in the arena. False for want of memory. Linear in the string. */
bool ep_passage_open(ep_passage *passage, ep_arena *arena, ep_bytes input, ep_ref ref);

/* Opens a string of an embedded document; ref counts from the outer text. */
bool ep_passage_open_inner(ep_passage *passage, ep_arena *arena, const ep_passage *outer,
                           ep_ref ref);

/* The byte of the file that a place in the text, its end included, comes from. Linear
 * in the strings around it; only faults need it. */
size_t ep_passage_offset(const ep_passage *passage, const char *at);

/* Records a fault at a place in the text. Always false. */
bool ep_passage_fail(const ep_passage *passage, ep_fault *fault, ep_code code, const char *at,
                     const char *expected);

#endif
