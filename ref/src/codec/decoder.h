/*
 * codec/decoder.h - what the parts of the decoder share; nothing else includes it. Of
 * decode.c, decode_object.c, decode_value.c, decode_fast.c, decode_scalar.c and
 * decoder.c each calls only those after it.
 */
#ifndef EP_DECODER_H
#define EP_DECODER_H

#include "codec/decode.h"
#include "json/lexer.h"

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
    size_t count;     /* values so far */
    ep_listener told; /* of warnings */
    ep_frame *frames;
    size_t depth;
    size_t capacity; /* of frames */
    ep_stack values;
    ep_stack keys;

    /* Of the fast reader. */
    const char *safe; /* from here on it reads nothing */
    char *room;       /* in the arena's last block */
    char *room_end;
    int release;         /* the version's number among the released; less for others */
    bool single_key;     /* unions are {"tag": value} */
    const ep_list *last; /* the dict of strings before, */
    bool recalled;       /* and whether the last string was that in its place there */
    char tag[EP_LITERAL_SIZE + 8];
    const char *value; /* behind a tag that was respelled */
} ep_decoder;

static inline ep_frame *ep_top(const ep_decoder *d) {
    return &d->frames[d->depth - 1];
}

/* Records a fault at a byte, with the innermost field that is being read and the
 * expected kind of value (NULL: none). Always false. */
bool ep_decode_fail(ep_decoder *d, ep_code code, const char *at, const char *expected);

/* Adds to the fault just recorded which versions have what was refused. */
void ep_decode_note_history(ep_decoder *d, ep_range range);

/* Turns the fault just recorded into a warning, if it is one that a newer minor
 * explains and the caller asked for that; else false. */
bool ep_decode_let_pass(ep_decoder *d);

/* Records a fault of a type or one of its members, rather than of a value; or
 * of the member whose key begins at a byte. Always false. */
bool ep_decode_fail_type(ep_decoder *d, ep_code code, const char *at, uint8_t member);
bool ep_decode_fail_key(ep_decoder *d, ep_code code, const char *at);

/* Records EP_MEMORY. Always false. */
bool ep_decode_no_memory(ep_decoder *d);

/* Reads a value that is no array or object; the cursor is on its first byte,
 * c. *present is left alone but for the open end of a range. */
bool ep_read_scalar(ep_decoder *d, const ep_shape *shape, char c, uint64_t *bits, bool *present);

/* At a byte n: passes a null, or fails. */
bool ep_read_null(ep_decoder *d, bool nullable);

/* Reads a member's value into its slot, or an item of a list, tuple or dict onto the
 * values; a frame is opened for what needs one. */
bool ep_read_slot(ep_decoder *d, const ep_shape *shape, uint64_t *slot, bool *present);
bool ep_read_item(ep_decoder *d, const ep_shape *shape);

/* Read members of the innermost frame, until one needs a frame or the object
 * ends. */
bool ep_read_struct(ep_decoder *d);
bool ep_read_union(ep_decoder *d);

/* Stores the result of the innermost frame where it belongs; the cursor is on the
 * closing bracket. */
bool ep_close_frame(ep_decoder *d, uint64_t bits);

/* Moves the values from base on into the tree, as a list; false for want of
 * memory. */
bool ep_decode_list(ep_decoder *d, size_t base, uint64_t *bits);

/*
 * The fast reader: a struct or union of a released version in plain spelling. False when it
 * is not, or when anything is wrong with it: then nothing has changed, and the general
 * reader finds the fault.
 */
void ep_fast_init(ep_decoder *d);
bool ep_fast_value(ep_decoder *d, const ep_shape *shape, uint64_t *bits);

/* The same for items of a list, or values of a dict and the keys between them. False when
 * there is still one to read at the cursor. */
bool ep_fast_items(ep_decoder *d, const ep_shape *shape);

/* One more value. SPEC 1.4.3 */
static inline bool ep_decode_count(ep_decoder *d) {
    if (EP_UNLIKELY(++d->count > d->limits.values)) {
        return ep_lex_fail(&d->lexer, EP_LIMIT_VALUES, d->lexer.p);
    }
    return true;
}

/* A node for an object that begins at a byte, its slots not set; NULL for want of
 * memory. */
EP_INLINE ep_node *ep_decode_node(ep_decoder *d, const char *at, unsigned type, size_t slots) {
    size_t size = sizeof(ep_node) + slots * sizeof(uint64_t);
    ep_node *node = ep_arena_alloc(d->attempt->arena, size);
    if (EP_LIKELY(node != NULL)) {
        node->type = (uint8_t)type;
        node->tag = EP_NO_MEMBER;
        node->present = 0;
        node->offset = (uint32_t)(at - d->lexer.begin);
    }
    return node;
}

#endif
