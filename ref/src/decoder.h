/*
 * decoder.h - layer 3: what decode.c and decode_scalar.c share; nothing else
 * includes it.
 */
#ifndef EP_DECODER_H
#define EP_DECODER_H

#include "decode.h"
#include "lexer.h"

/* An array or object that is being read. */
typedef struct ep_frame {
    const ep_type *type;   /* of a struct or union, else NULL */
    const ep_shape *shape; /* its own */
    ep_node *node;         /* of a struct or union */
    uint64_t *slot;        /* where the result goes; NULL: onto the values */
    uint64_t seen;         /* members of a struct or union, items of a tuple */
    size_t values;         /* where its values begin */
    size_t keys;           /* where its keys begin */
    uint8_t op;            /* ep_op */
    uint8_t member;        /* the one that was read last */
    bool fresh;            /* nothing was read since the bracket */
} ep_frame;

typedef struct ep_decoder {
    ep_lexer lexer;
    const ep_schema *schema;
    ep_attempt *attempt;
    ep_limits limits;
    size_t count; /* values so far */
    size_t warnings;
    ep_frame *frames;
    size_t depth;
    size_t capacity; /* of frames */
    ep_stack values;
    ep_stack keys;
    uint8_t hints[EP_TYPE_COUNT]; /* the tag that a union had last time */
} ep_decoder;

static inline ep_frame *ep_top(const ep_decoder *d) {
    return &d->frames[d->depth - 1];
}

/* Records a fault at a byte, with the innermost field that is being read and
 * what should be there (NULL: nothing to say). Always false. */
bool ep_decode_fail(ep_decoder *d, ep_code code, const char *at, const char *expected);

/* Turns the fault just recorded into a warning, if it is one that a newer minor
 * explains and the caller asked for that; else false. */
bool ep_decode_let_pass(ep_decoder *d);

/* Records EP_MEMORY. Always false. */
bool ep_decode_no_memory(ep_decoder *d);

/* Reads a value that is no array or object; the cursor is on its first byte,
 * c. *present is left alone but for the open end of a range. */
bool ep_read_scalar(ep_decoder *d, const ep_shape *shape, char c, uint64_t *bits, bool *present);

/* What should be where a value of this op is awaited: "an integer". */
const char *ep_expected(uint8_t op);

#endif
