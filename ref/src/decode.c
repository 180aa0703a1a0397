/*
 * decode.c - layer 3: arrays and objects, straight from bytes to tree, driven
 * by the rows of one version. No recursion: a stack of frames, one for each
 * open array or object, and a loop that always works on the innermost.
 *
 * PyTorch writes fields in the order of the rows, so the next one is guessed
 * and its literal compared whole; only when that fails is a key read and
 * looked up. A list's items wait on one growable stack until the list is
 * whole, so that the tree holds no slack. Small objects in PyTorch's spelling
 * do not come here at all: decode_quick.c has them.
 *
 * SPEC 3.4 to 3.6, 3.8.2, 3.10; the wire clauses on the way.
 */
#include "decoder.h"

#include "keys.h"
#include "wire.h"

enum {
    FIRST_FRAMES = 32,
    WARNINGS_MAX = 100,
    KEY_BUFFER = 6 * EP_LITERAL_SIZE, /* a known name, every character escaped */
    AT_END = EP_NO_MEMBER - 1         /* the closing brace in a member's place */
};

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

/* A fault of a type, or of one of its members, rather than of a value. */
static bool fail_type(ep_decoder *d, ep_code code, const char *at, uint8_t member) {
    ep_top(d)->member = member;
    return ep_decode_fail(d, code, at, NULL);
}

static bool fail_key(ep_decoder *d, ep_code code, const char *at) {
    fail_type(d, code, at, EP_NO_MEMBER);
    d->lexer.fault->at_key = true;
    return false;
}

/* ------------------------------------------------------------------ frames */

static bool grow_frames(ep_decoder *d) {
    size_t capacity = d->capacity == 0 ? FIRST_FRAMES : d->capacity * 2;
    size_t size;
    TRY(ep_size_of(capacity, sizeof(ep_frame), 0, &size));
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
    }
    d->depth++;
    d->lexer.p++;
    return true;
}

/* Hands the innermost frame's result to whom it belongs; the cursor is on the
 * closing bracket. */
static bool close_frame(ep_decoder *d, uint64_t bits) {
    uint64_t *slot = ep_top(d)->slot;
    d->depth--;
    d->lexer.p++;
    if (slot != NULL) {
        *slot = bits;
        return true;
    }
    return ep_stack_push(&d->values, bits) || ep_decode_no_memory(d);
}

/* ------------------------------------------------------------------ values */

/* At a byte n: passes a null, or fails. */
static bool read_null(ep_decoder *d, bool nullable) {
    const char *start = d->lexer.p;
    ep_word word;
    TRY(ep_lex_word(&d->lexer, &word));
    return nullable || ep_decode_fail(d, EP_NULL, start, NULL); /* SPEC 3.4.2 */
}

/* A member's value, into its slot; a frame is opened for what needs one. */
static bool read_slot(ep_decoder *d, const ep_shape *shape, uint64_t *slot, bool *present) {
    char c;
    TRY(ep_lex_peek(&d->lexer, &c));
    TRY(ep_decode_count(d));
    *present = true;
    if (EP_UNLIKELY(c == 'n')) {
        *present = false;
        return read_null(d, shape->nullable);
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
        return read_null(d, false);
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
    return ep_stack_push(&d->values, bits) || ep_decode_no_memory(d);
}

/* ----------------------------------------------------------------- members */

void ep_decode_note_history(ep_decoder *d, const ep_row *row) {
    if (row != NULL) {
        const ep_version *until = ep_version_at(row->until);
        d->lexer.fault->since = ep_version_at(row->since)->name;
        d->lexer.fault->until = until == NULL ? NULL : until->name;
    }
}

/* Says why a key is no member of the type. SPEC 3.5.1, 3.5.2, 3.6.2, 3.6.3 */
static bool refuse_key(ep_decoder *d, ep_ref key, const char *at) {
    const ep_type *type = ep_top(d)->type;
    bool tag = type->kind == EP_KIND_UNION;
    const ep_row *row = NULL;
    char name[KEY_BUFFER];
    if (ep_ref_size(key) <= sizeof name) {
        size_t size = ep_text_decode(d->lexer.begin, key, name);
        row = ep_history_find(type, (ep_bytes){name, size});
    }
    if (row == NULL) {
        fail_key(d, tag ? EP_UNKNOWN_TAG : EP_UNKNOWN_FIELD, at);
    } else {
        fail_key(d, tag ? EP_TAG_VERSION : EP_FIELD_VERSION, at);
    }
    ep_decode_note_history(d, row);
    return false;
}

static uint8_t find_member(const ep_decoder *d, const ep_type *type, ep_ref key) {
    ep_bytes raw = ep_ref_raw(d->lexer.begin, key);
    if ((ep_ref_flags(key) & EP_REF_ESCAPED) == 0) {
        return ep_type_find(type, raw.data, raw.size);
    }
    char name[KEY_BUFFER];
    if (raw.size > sizeof name) {
        return EP_NO_MEMBER;
    }
    return ep_type_find(type, name, ep_text_decode(d->lexer.begin, key, name));
}

/* SPEC 3.10.2. Warnings are located, which takes time, so their number is
 * bounded. */
bool ep_decode_let_pass(ep_decoder *d) {
    const ep_decode_options *options = d->attempt->options;
    TRY(d->attempt->forward);
    if (options->warn != NULL && d->warnings++ < WARNINGS_MAX) {
        ep_error error;
        ep_error_fill(&error, d->attempt->input, d->lexer.fault);
        options->warn(options->warn_context, &error);
    }
    d->attempt->passed_over = true;
    return true;
}

/* SPEC 3.10.2: passes the value of a member that only a newer minor has. */
static bool pass_over(ep_decoder *d) {
    ep_wire wire;
    ep_wire_init(&wire, d->attempt->arena, &d->lexer, &d->limits);
    wire.values = d->count;
    wire.depth = d->depth;
    bool ok = ep_wire_value(&wire);
    d->count = wire.values;
    ep_wire_free(&wire);
    return ok;
}

static bool is_single_key(const ep_decoder *d, const ep_frame *frame) {
    return frame->op == EP_OP_UNION && d->schema->version->unions == EP_UNION_SINGLE_KEY;
}

/*
 * Up to a member's value, or the end of the object: *member is its number,
 * AT_END, or EP_NO_MEMBER for one that forward lets pass. The long way of
 * next_member: any order, spacing and escaping.
 */
static EP_NOINLINE bool find_key(ep_decoder *d, uint8_t *member) {
    ep_frame *frame = ep_top(d);
    char c;
    TRY(ep_lex_peek(&d->lexer, &c));
    if (c == '}') {
        *member = AT_END;
        return true;
    }
    if (!frame->fresh) {
        TRY(ep_lex_byte(&d->lexer, ','));
        TRY(ep_lex_peek(&d->lexer, &c));
    }
    if (c != '"') {
        return ep_lex_unexpected(&d->lexer); /* SPEC 2.1.2 */
    }
    const char *at = d->lexer.p;
    ep_ref key;
    TRY(ep_lex_string(&d->lexer, &key));
    if (is_single_key(d, frame) && !frame->fresh) { /* SPEC 3.6.5 */
        return fail_key(d, EP_SECOND_TAG, at);
    }
    *member = find_member(d, frame->type, key);
    if (*member == EP_NO_MEMBER) {
        refuse_key(d, key, at);
        TRY(ep_decode_let_pass(d));
    } else if ((frame->seen >> *member & 1) != 0) { /* SPEC 2.5.1 */
        return fail_key(d, EP_DUPLICATE_KEY, at);
    }
    return ep_lex_byte(&d->lexer, ':');
}

/* As find_key; guess is the member that PyTorch would write here. */
EP_INLINE bool next_member(ep_decoder *d, ep_frame *frame, uint8_t guess, uint8_t *member) {
    const char *p = d->lexer.p;
    if (EP_LIKELY(d->lexer.end - p > EP_LITERAL_SIZE + 2)) {
        if (*p == '}') {
            *member = AT_END;
            return true;
        }
        if (!frame->fresh && p[0] == ',' && p[1] == ' ') {
            p += 2;
        }
        if (guess < frame->type->count && (frame->seen >> guess & 1) == 0 &&
            (p != d->lexer.p || frame->fresh) &&
            ep_at_literal(p, frame->type->members[guess].row)) {
            d->lexer.p = p + frame->type->members[guess].row->literal_size;
            *member = guess;
            return true;
        }
    }
    return find_key(d, member);
}

/* ----------------------------------------------------------------- structs */

static uint8_t lowest_bit(uint64_t mask) {
    uint8_t bit = 0;
    while ((mask >> bit & 1) == 0) {
        bit++;
    }
    return bit;
}

/* SPEC 3.5.3 */
static bool check_required(ep_decoder *d, const ep_frame *frame) {
    uint64_t missing = frame->type->required & ~frame->seen;
    if (EP_LIKELY(missing == 0)) {
        return true;
    }
    return fail_type(d, EP_MISSING_FIELD, d->lexer.p, lowest_bit(missing));
}

/* Reads fields until a value needs a frame or the struct ends. */
static bool read_struct(ep_decoder *d) {
    ep_frame *frame = ep_top(d);
    size_t depth = d->depth;
    do {
        uint8_t guess = frame->fresh ? 0 : (uint8_t)(frame->member + 1);
        uint8_t member;
        bool present;
        TRY(next_member(d, frame, guess, &member));
        if (member == AT_END) {
            TRY(check_required(d, frame));
            return close_frame(d, ep_pointer_bits(frame->node));
        }
        frame->fresh = false;
        if (EP_UNLIKELY(member == EP_NO_MEMBER)) {
            TRY(pass_over(d));
            continue;
        }
        frame->member = member;
        frame->seen |= (uint64_t)1 << member;
        ep_node *node = frame->node;
        const ep_shape *shape = frame->type->members[member].shape;
        TRY(read_slot(d, shape, &node->slots[member], &present));
        node->present |= (uint16_t)((unsigned)present << member);
    } while (d->depth == depth);
    return true;
}

/* ------------------------------------------------------------------ unions */

static bool close_union(ep_decoder *d, ep_frame *frame) {
    if (frame->seen == 0 && frame->fresh) { /* SPEC 3.6.4 */
        return fail_type(d, EP_NO_TAG, d->lexer.p, EP_NO_MEMBER);
    }
    return close_frame(d, ep_pointer_bits(frame->node));
}

/* {tag: value} */
static bool read_single_key(ep_decoder *d) {
    ep_frame *frame = ep_top(d);
    uint8_t *hint = &d->hints[frame->type->number];
    uint8_t member;
    bool present;
    if (!frame->fresh) {
        if (EP_LIKELY(d->lexer.p < d->lexer.end && *d->lexer.p == '}')) {
            return close_frame(d, ep_pointer_bits(frame->node));
        }
        return find_key(d, &member) && close_union(d, frame); /* a second key has failed */
    }
    TRY(next_member(d, frame, *hint, &member));
    if (EP_UNLIKELY(member == AT_END)) {
        return close_union(d, frame);
    }
    frame->fresh = false;
    if (EP_UNLIKELY(member == EP_NO_MEMBER)) {
        return pass_over(d);
    }
    *hint = member;
    frame->member = member;
    frame->seen = (uint64_t)1 << member;
    frame->node->tag = member;
    return read_slot(d, frame->type->members[member].shape, &frame->node->slots[0], &present);
}

/* Every variant, one of them not null. */
static bool read_all_fields(ep_decoder *d) {
    ep_frame *frame = ep_top(d);
    size_t depth = d->depth;
    do {
        uint8_t guess = frame->fresh ? 0 : (uint8_t)(frame->member + 1);
        uint8_t member;
        char c;
        bool present;
        TRY(next_member(d, frame, guess, &member));
        if (member == AT_END) {
            TRY(check_required(d, frame)); /* SPEC 3.6.1 */
            bool none = frame->node->tag == EP_NO_MEMBER;
            return none ? fail_type(d, EP_NO_TAG, d->lexer.p, EP_NO_MEMBER) /* SPEC 3.6.4 */
                        : close_frame(d, ep_pointer_bits(frame->node));
        }
        frame->fresh = false;
        if (EP_UNLIKELY(member == EP_NO_MEMBER)) {
            TRY(pass_over(d));
            continue;
        }
        frame->member = member;
        frame->seen |= (uint64_t)1 << member;
        TRY(ep_lex_peek(&d->lexer, &c));
        if (c == 'n') {
            TRY(ep_decode_count(d) && read_null(d, true));
            continue;
        }
        if (frame->node->tag != EP_NO_MEMBER) { /* SPEC 3.6.5 */
            return ep_decode_fail(d, EP_SECOND_TAG, d->lexer.p, NULL);
        }
        frame->node->tag = member;
        TRY(read_slot(d, frame->type->members[member].shape, &frame->node->slots[0], &present));
    } while (d->depth == depth);
    return true;
}

/* A key of the $type form, which must be this one (SPEC 3.6.6). */
static bool expect_key(ep_decoder *d, ep_bytes name) {
    char c;
    ep_ref key;
    TRY(ep_lex_peek(&d->lexer, &c));
    const char *at = d->lexer.p;
    if (c == '}') { /* SPEC 3.6.4 */
        return fail_type(d, EP_NO_TAG, at, EP_NO_MEMBER);
    }
    if (c != '"') {
        return ep_lex_unexpected(&d->lexer);
    }
    TRY(ep_lex_string(&d->lexer, &key));
    if (!ep_text_is(d->lexer.begin, key, name)) {
        return fail_key(d, EP_UNKNOWN_TAG, at);
    }
    return ep_lex_byte(&d->lexer, ':');
}

static bool read_type_name(ep_decoder *d, uint8_t *member) {
    char c;
    ep_ref name;
    TRY(expect_key(d, EP_TEXT("$type")));
    TRY(ep_lex_peek(&d->lexer, &c));
    TRY(ep_decode_count(d));
    const char *at = d->lexer.p;
    if (c != '"') {
        return ep_decode_fail(d, EP_TYPE, at, ep_expected(EP_OP_STR));
    }
    TRY(ep_lex_string(&d->lexer, &name));
    *member = find_member(d, ep_top(d)->type, name);
    if (*member == EP_NO_MEMBER) {
        refuse_key(d, name, at);
        d->lexer.fault->at_key = false;
        return false;
    }
    return true;
}

/* {"$type": tag, "$value": value} */
static bool read_type_value(ep_decoder *d) {
    ep_frame *frame = ep_top(d);
    uint8_t member;
    bool present;
    char c;
    if (!frame->fresh) {
        TRY(ep_lex_peek(&d->lexer, &c));
        if (c == '}') {
            return close_frame(d, ep_pointer_bits(frame->node));
        }
        TRY(ep_lex_byte(&d->lexer, ','));
        TRY(ep_lex_peek(&d->lexer, &c));
        return c != '"' ? ep_lex_unexpected(&d->lexer) /* SPEC 3.6.5 */
                        : fail_key(d, EP_SECOND_TAG, d->lexer.p);
    }
    frame->member = EP_NO_MEMBER;
    TRY(read_type_name(d, &member));
    TRY(ep_lex_peek(&d->lexer, &c));
    if (c == '}') {
        return fail_type(d, EP_NO_TAG, d->lexer.p, member); /* SPEC 3.6.4 */
    }
    TRY(ep_lex_byte(&d->lexer, ','));
    TRY(expect_key(d, EP_TEXT("$value")));
    frame->fresh = false;
    frame->member = member;
    frame->node->tag = member;
    return read_slot(d, frame->type->members[member].shape, &frame->node->slots[0], &present);
}

static bool read_union(ep_decoder *d) {
    switch (d->schema->version->unions) {
    case EP_UNION_SINGLE_KEY:
        return read_single_key(d);
    case EP_UNION_ALL_FIELDS:
        return read_all_fields(d);
    case EP_UNION_TYPE_VALUE:
        break;
    }
    return read_type_value(d);
}

/* ------------------------------------------------------- lists, dicts, tuples */

bool ep_decode_list(ep_decoder *d, size_t base, uint64_t *bits) {
    size_t n = d->values.count - base;
    size_t size;
    *bits = 0;
    if (n == 0) {
        return true;
    }
    TRY(ep_size_of(n, sizeof(uint64_t), sizeof(ep_list), &size));
    ep_list *list = ep_arena_alloc(d->attempt->arena, size);
    TRY(list != NULL);
    list->count = n;
    memcpy(list->items, d->values.words + base, n * sizeof(uint64_t));
    d->values.count = base;
    *bits = ep_pointer_bits(list);
    return true;
}

static bool close_list(ep_decoder *d, const ep_frame *frame) {
    uint64_t bits;
    return ep_decode_list(d, frame->values, &bits) ? close_frame(d, bits) : ep_decode_no_memory(d);
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
    TRY(next_item(d, frame, &end));
    if (end == (n < 2)) {
        return ep_decode_fail(d, EP_TUPLE_LENGTH, d->lexer.p, "two items");
    }
    return end ? close_list(d, frame)
               : read_item(d, n == 0 ? frame->shape->of : frame->shape->second);
}

/* Moves the keys and values of a dict into the tree. */
static bool make_dict(ep_decoder *d, const ep_frame *frame, size_t n, uint64_t *bits) {
    size_t size;
    TRY(ep_size_of(n, 2 * sizeof(uint64_t), sizeof(ep_list), &size));
    ep_list *dict = ep_arena_alloc(d->attempt->arena, size);
    TRY(dict != NULL);
    dict->count = n;
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
        return close_frame(d, 0);
    }
    const ep_ref *keys = d->keys.words + frame->keys;
    if (!ep_keys_find_repeat(d->lexer.begin, keys, n, &d->values, &second)) {
        return ep_decode_no_memory(d);
    }
    if (second < n) {
        return fail_key(d, EP_DUPLICATE_KEY, d->lexer.begin + ep_ref_offset(keys[second]) - 1);
    }
    return make_dict(d, frame, n, &bits) ? close_frame(d, bits) : ep_decode_no_memory(d);
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
            TRY(c == ',' || ep_lex_unexpected(&d->lexer));
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
        return read_struct(d);
    case EP_OP_UNION:
        return read_union(d);
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
    return ep_lex_fail(&d->lexer, EP_INTERNAL, d->lexer.p);
}

static bool read_document(ep_decoder *d, uint64_t *root) {
    const ep_shape *shape = &d->schema->shapes[EP_SHAPE_ExportedProgram];
    bool present;
    TRY(ep_lex_start(&d->lexer, d->limits.bytes));
    TRY(read_slot(d, shape, root, &present));
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
    };
    d.lexer.end = d.lexer.begin + attempt->input.size;
    d.lexer.string_limit = d.limits.string;
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
