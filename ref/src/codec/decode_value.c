/*
 * codec/decode_value.c - one value, into a member's slot or onto the values. Scalars
 * are read by decode_scalar.c. Small objects in PyTorch's spelling, which are most, are
 * read without a frame by decode_quick.c. For any other array or object a frame is
 * opened, on which decode.c works. SPEC 3.4.
 */
#include "codec/decoder.h"

enum { FIRST_FRAMES = 32 };

static bool grow_frames(ep_decoder *d) {
    size_t capacity = d->capacity == 0 ? FIRST_FRAMES : d->capacity * 2;
    size_t size;
    /* LCOV_EXCL_START it fits in 64 bits */
    TRY(ep_size_of(capacity, sizeof(ep_frame), 0, &size));
    /* LCOV_EXCL_STOP */
    ep_frame *frames = ep_arena_take(d->attempt->arena, size);
    TRY(frames != NULL);
    if (d->frames != NULL) {
        memcpy(frames, d->frames, d->depth * sizeof(ep_frame));
        ep_arena_give(d->attempt->arena, d->frames, d->capacity * sizeof(ep_frame));
    }
    d->frames = frames;
    d->capacity = capacity;
    return true;
}

/* Opens the array or object that begins at the cursor. */
static bool open_frame(ep_decoder *d, const ep_shape *shape, char c, uint64_t *slot) {
    bool array = shape->op == EP_OP_LIST || shape->op == EP_OP_TUPLE;
    if (EP_UNLIKELY(c != (array ? '[' : '{'))) { /* SPEC 3.4.1 */
        bool present;
        uint64_t bits;
        return ep_read_scalar(d, shape, c, &bits, &present);
    }
    if (EP_UNLIKELY(d->depth >= d->limits.depth)) { /* SPEC 1.4.2 */
        return ep_decode_fail(d, EP_LIMIT_DEPTH, d->lexer.p, NULL);
    }
    if (EP_UNLIKELY(d->depth == d->capacity) && !grow_frames(d)) {
        return ep_decode_no_memory(d);
    }
    ep_frame *frame = &d->frames[d->depth];
    frame->shape = shape;
    frame->slot = slot;
    frame->seen = 0;
    frame->values = d->values.count;
    frame->keys = d->keys.count;
    frame->op = shape->op;
    frame->member = 0;
    frame->fresh = true;
    frame->type = NULL;
    if (shape->op == EP_OP_STRUCT || shape->op == EP_OP_UNION) {
        size_t slots = shape->op == EP_OP_UNION ? 1 : shape->type->count;
        frame->type = shape->type;
        frame->node = ep_decode_node(d, d->lexer.p, shape->type->number, slots);
        if (EP_UNLIKELY(frame->node == NULL)) {
            return ep_decode_no_memory(d);
        }
        memset(frame->node->slots, 0, slots * sizeof(uint64_t));
    }
    d->depth++;
    d->lexer.p++;
    return true;
}

bool ep_close_frame(ep_decoder *d, uint64_t bits) {
    uint64_t *slot = ep_top(d)->slot;
    d->depth--;
    d->lexer.p++;
    if (slot != NULL) {
        *slot = bits;
        return true;
    }
    if (!ep_stack_push(&d->values, bits)) {
        return ep_decode_no_memory(d);
    }
    return true;
}

/* ------------------------------------------------------------------ values */

bool ep_read_null(ep_decoder *d, bool nullable) {
    const char *start = d->lexer.p;
    ep_word word;
    TRY(ep_lex_word(&d->lexer, &word));
    if (!nullable) {
        return ep_decode_fail(d, EP_NULL, start, NULL); /* SPEC 3.4.2 */
    }
    return true;
}

bool ep_read_slot(ep_decoder *d, const ep_shape *shape, uint64_t *slot, bool *present) {
    char c;
    TRY(ep_lex_peek(&d->lexer, &c));
    TRY(ep_decode_count(d));
    *present = true;
    if (EP_UNLIKELY(c == 'n')) {
        *present = false;
        return ep_read_null(d, shape->nullable);
    }
    if (shape->op >= EP_OP_STRUCT) {
        return ep_fast_value(d, shape, slot) || open_frame(d, shape, c, slot);
    }
    if (shape->op == EP_OP_STR && c == '"') {
        return ep_lex_string(&d->lexer, slot);
    }
    return ep_read_scalar(d, shape, c, slot, present);
}

bool ep_read_item(ep_decoder *d, const ep_shape *shape) {
    char c;
    uint64_t bits = 0;
    bool present; /* nobody asks: an item is there */
    TRY(ep_lex_peek(&d->lexer, &c));
    TRY(ep_decode_count(d));
    if (EP_UNLIKELY(c == 'n')) {
        return ep_read_null(d, false);
    }
    if (shape->op >= EP_OP_STRUCT) {
        return open_frame(d, shape, c, NULL);
    }
    if (shape->op == EP_OP_STR && c == '"') {
        TRY(ep_lex_string(&d->lexer, &bits));
    } else {
        TRY(ep_read_scalar(d, shape, c, &bits, &present));
    }
    if (!ep_stack_push(&d->values, bits)) {
        return ep_decode_no_memory(d);
    }
    return true;
}
