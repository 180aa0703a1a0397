/*
 * codec/decode.c - a document from bytes to tree, driven by the rows of one version.
 * There is no recursion: each open array or object is a frame on a stack, and a loop
 * works on the innermost. Lists, dicts and tuples are read here, structs and unions by
 * decode_object.c, and their values by decode_value.c.
 *
 * The items of a list are kept on one growable stack until the list is complete, so
 * that the tree has no slack.
 *
 * SPEC 2.5, 3.8.2; the wire clauses on the way.
 */
#include "codec/decoder.h"

#include "json/keys.h"

static bool close_list(ep_decoder *d, const ep_frame *frame) {
    uint64_t bits;
    return ep_decode_list(d, frame->values, &bits) ? ep_close_frame(d, bits)
                                                   : ep_decode_no_memory(d);
}

/* Up to the next item; *end when the array ends instead. */
EP_INLINE bool next_item(ep_decoder *d, ep_frame *frame, bool *end) {
    char c;
    *end = false;
    TRY(ep_lex_peek(&d->lexer, &c));
    if (c == ']') {
        *end = true;
        return true;
    }
    if (!frame->fresh) {
        if (EP_UNLIKELY(c != ',')) {
            return ep_lex_unexpected(&d->lexer); /* SPEC 2.1.2 */
        }
        d->lexer.p++;
        d->lexer.p += d->lexer.p < d->lexer.end && *d->lexer.p == ' ';
    }
    frame->fresh = false;
    return true;
}

static bool read_list(ep_decoder *d) {
    ep_frame *frame = ep_top(d);
    size_t depth = d->depth;
    do {
        bool end;
        TRY(next_item(d, frame, &end));
        if (end) {
            return close_list(d, frame);
        }
        TRY(ep_fast_items(d, frame->shape) || ep_read_item(d, frame->shape->of));
    } while (d->depth == depth);
    return true;
}

/* Two items, each of its own shape (SPEC 3.8.2). */
static bool read_tuple(ep_decoder *d) {
    ep_frame *frame = ep_top(d);
    size_t n = d->values.count - frame->values;
    bool end;
    char c;
    TRY(next_item(d, frame, &end));
    TRY(ep_lex_peek(&d->lexer, &c));
    if (end == (n < 2)) {
        return ep_decode_fail(d, EP_TUPLE_LENGTH, d->lexer.p, "two items");
    }
    return end ? close_list(d, frame)
               : ep_read_item(d, n == 0 ? frame->shape->of : frame->shape->second);
}

/* Moves the keys and values of a dict into the tree. */
static bool make_dict(ep_decoder *d, const ep_frame *frame, size_t n, uint64_t *bits) {
    ep_list *dict = ep_list_make(d->attempt->arena, n, 2 * n);
    TRY(dict != NULL);
    memcpy(dict->items, d->keys.words + frame->keys, n * sizeof(uint64_t));
    memcpy(dict->items + n, d->values.words + frame->values, n * sizeof(uint64_t));
    d->values.count = frame->values;
    d->keys.count = frame->keys;
    *bits = ep_pointer_bits(dict);
    return true;
}

/* SPEC 2.5.1 */
static bool close_dict(ep_decoder *d, const ep_frame *frame) {
    size_t n = d->keys.count - frame->keys;
    size_t second;
    uint64_t bits;
    if (n == 0) {
        return ep_close_frame(d, 0);
    }
    const ep_ref *keys = d->keys.words + frame->keys;
    if (!ep_keys_find_repeat(d->lexer.begin, keys, n, &d->values, &second)) {
        return ep_decode_no_memory(d);
    }
    if (second < n) {
        return ep_decode_fail_key(d, EP_DUPLICATE_KEY,
                                  d->lexer.begin + ep_ref_offset(keys[second]) - 1);
    }
    return make_dict(d, frame, n, &bits) ? ep_close_frame(d, bits) : ep_decode_no_memory(d);
}

static bool read_dict(ep_decoder *d) {
    ep_frame *frame = ep_top(d);
    size_t depth = d->depth;
    do {
        char c;
        ep_ref key;
        TRY(ep_lex_peek(&d->lexer, &c));
        if (c == '}') {
            return close_dict(d, frame);
        }
        if (!frame->fresh) {
            if (c != ',') {
                return ep_lex_unexpected(&d->lexer); /* SPEC 2.1.2 */
            }
            d->lexer.p++;
            TRY(ep_lex_peek(&d->lexer, &c));
        }
        if (c != '"') {
            return ep_lex_unexpected(&d->lexer); /* SPEC 2.1.2 */
        }
        frame->fresh = false;
        TRY(ep_lex_string(&d->lexer, &key));
        if (!ep_stack_push(&d->keys, key)) {
            return ep_decode_no_memory(d);
        }
        TRY(ep_lex_byte(&d->lexer, ':'));
        TRY(ep_fast_items(d, frame->shape) || ep_read_item(d, frame->shape->of));
    } while (d->depth == depth);
    return true;
}

/* ---------------------------------------------------------------- document */

static bool read_frame(ep_decoder *d) {
    switch ((ep_op)ep_top(d)->op) {
    case EP_OP_STRUCT:
        return ep_read_struct(d);
    case EP_OP_UNION:
        return ep_read_union(d);
    case EP_OP_LIST:
        return read_list(d);
    case EP_OP_DICT:
        return read_dict(d);
    case EP_OP_TUPLE:
        return read_tuple(d);
    case EP_OP_STR:
    case EP_OP_INT:
    case EP_OP_FLOAT:
    case EP_OP_BOOL:
    case EP_OP_UNIT:
    case EP_OP_NONE_BOOL:
    case EP_OP_BYTES:
    case EP_OP_OPEN_END:
    case EP_OP_ENUM:
        break;
    }
    EP_UNREACHABLE(); /* only containers have a frame */
    return ep_lex_fail(&d->lexer, EP_INTERNAL, d->lexer.p);
}

/* How long it is, and whether a mark is before it, is a matter of the wire. */
static bool read_document(ep_decoder *d, uint64_t *root) {
    const ep_shape *shape = d->attempt->shape;
    bool present;
    if (shape == NULL) {
        shape = &d->schema->shapes[EP_SHAPE_ExportedProgram];
    }
    TRY(ep_read_slot(d, shape, root, &present));
    while (d->depth > 0) {
        TRY(read_frame(d));
    }
    return ep_lex_finish(&d->lexer);
}

bool ep_decode_as(ep_attempt *attempt, const ep_node **root) {
    uint64_t bits = 0;
    ep_decoder d = {
        .lexer = {.begin = attempt->input.data, .p = attempt->input.data, .fault = &attempt->fault},
        .schema = attempt->schema,
        .attempt = attempt,
        .limits = attempt->options->limits,
        .told = {.warn = attempt->options->warn, .context = attempt->options->warn_context},
    };
    d.lexer.end = d.lexer.begin + attempt->input.size;
    d.lexer.string_limit = d.limits.string;
    ep_fast_init(&d);
    ep_stack_init(&d.values, attempt->arena);
    ep_stack_init(&d.keys, attempt->arena);
    bool ok = read_document(&d, &bits);
    ep_stack_free(&d.values);
    ep_stack_free(&d.keys);
    if (d.frames != NULL) {
        ep_arena_give(attempt->arena, d.frames, d.capacity * sizeof(ep_frame));
    }
    *root = ok ? ep_node_at(bits) : NULL;
    return ok;
}
