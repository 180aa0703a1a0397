/*
 * codec/decode.c - arrays and objects, from bytes to tree, driven by the rows of one
 * version. There is no recursion: each open array or object is a frame on a stack, and
 * a loop works on the innermost.
 *
 * The items of a list are kept on one growable stack until the list is complete, so
 * that the tree has no slack. Structs and unions are read by decode_object.c, scalars
 * by decode_scalar.c. Small objects in PyTorch's spelling, which are most, are read
 * without a frame by decode_quick.c.
 *
 * SPEC 2.5, 3.4, 3.8.2; the wire clauses on the way.
 */
#include "codec/decoder.h"

#include "json/keys.h"

enum { FIRST_FRAMES = 32 };

/* ------------------------------------------------------------------ faults */

bool ep_decode_no_memory(ep_decoder *d) {
    return ep_lex_fail(&d->lexer, EP_MEMORY, d->lexer.p); /* SPEC 1.4.5 */
}

/* The innermost struct or union whose member is being read; NULL at the root. */
static const ep_frame *innermost_type(const ep_decoder *d) {
    for (size_t i = d->depth; i > 0; i--) {
        if (d->frames[i - 1].type != NULL) {
            return &d->frames[i - 1];
        }
    }
    return NULL;
}

bool ep_decode_fail(ep_decoder *d, ep_code code, const char *at, const char *expected) {
    ep_lex_fail(&d->lexer, code, at);
    ep_fault *fault = d->lexer.fault;
    const ep_frame *frame = innermost_type(d);
    fault->expected = expected;
    if (frame != NULL) {
        fault->type = frame->type->name;
        fault->member = frame->member < frame->type->count
                            ? frame->type->members[frame->member].row->name
                            : NULL;
    }
    return false;
}

bool ep_decode_fail_type(ep_decoder *d, ep_code code, const char *at, uint8_t member) {
    ep_top(d)->member = member;
    return ep_decode_fail(d, code, at, NULL);
}

bool ep_decode_fail_key(ep_decoder *d, ep_code code, const char *at) {
    ep_decode_fail_type(d, code, at, EP_NO_MEMBER);
    d->lexer.fault->place = EP_PLACE_KEY;
    return false;
}

/* ------------------------------------------------------------------ frames */

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
        frame->node = ep_decode_node(d, shape->type, slots);
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
        return ep_quick_value(d, shape, slot) || open_frame(d, shape, c, slot);
    }
    if (shape->op == EP_OP_STR && c == '"') {
        return ep_lex_string(&d->lexer, slot);
    }
    return ep_read_scalar(d, shape, c, slot, present);
}

/* An item of a list, tuple or dict, onto the values. */
static bool read_item(ep_decoder *d, const ep_shape *shape) {
    char c;
    uint64_t bits = 0;
    bool present = true;
    TRY(ep_lex_peek(&d->lexer, &c));
    TRY(ep_decode_count(d));
    if (EP_UNLIKELY(c == 'n')) {
        return ep_read_null(d, false);
    }
    if (shape->op >= EP_OP_STRUCT) {
        if (!ep_quick_value(d, shape, &bits)) {
            return open_frame(d, shape, c, NULL);
        }
    } else if (shape->op == EP_OP_STR && c == '"') {
        TRY(ep_lex_string(&d->lexer, &bits));
    } else {
        TRY(ep_read_scalar(d, shape, c, &bits, &present));
    }
    if (!ep_stack_push(&d->values, bits)) {
        return ep_decode_no_memory(d);
    }
    return true;
}

/* ------------------------------------------------------- lists, dicts, tuples */

bool ep_decode_list(ep_decoder *d, size_t base, uint64_t *bits) {
    size_t n = d->values.count - base;
    *bits = 0;
    if (n == 0) {
        return true;
    }
    ep_list *list = ep_list_make(d->attempt->arena, n, n);
    TRY(list != NULL);
    memcpy(list->items, d->values.words + base, n * sizeof(uint64_t));
    d->values.count = base;
    *bits = ep_pointer_bits(list);
    return true;
}

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
        TRY(read_item(d, frame->shape->of));
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
               : read_item(d, n == 0 ? frame->shape->of : frame->shape->second);
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

/* A key's colon, and the space that PyTorch writes after it. */
EP_INLINE bool read_colon(ep_decoder *d) {
    const char *p = d->lexer.p;
    if (EP_LIKELY(d->lexer.end - p > 2 && p[0] == ':' && p[1] == ' ')) {
        d->lexer.p += 2;
        return true;
    }
    return ep_lex_byte(&d->lexer, ':');
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
            d->lexer.p += d->lexer.p < d->lexer.end && *d->lexer.p == ' ';
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
        TRY(read_colon(d));
        TRY(read_item(d, frame->shape->of));
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
    default:
        EP_UNREACHABLE(); /* only containers have a frame */
        return ep_lex_fail(&d->lexer, EP_INTERNAL, d->lexer.p);
    }
}

static bool read_document(ep_decoder *d, uint64_t *root) {
    const ep_shape *shape = d->attempt->shape;
    bool present;
    if (shape == NULL) {
        shape = &d->schema->shapes[EP_SHAPE_ExportedProgram];
    }
    TRY(ep_lex_start(&d->lexer, d->limits.bytes));
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
    d.literals = d.limits.string >= EP_LITERAL_SIZE; /* SPEC 1.4.4 */
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
