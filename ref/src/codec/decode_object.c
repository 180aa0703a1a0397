/*
 * codec/decode_object.c - structs and unions. PyTorch writes fields in the order of the
 * rows, so the next member is predicted and its literal compared whole. Only when the
 * prediction is wrong is a key read and looked up. SPEC 3.5, 3.6, 3.10.2.
 */
#include "codec/decoder.h"

#include "schema/wire.h"

enum {
    KEY_BUFFER = 6 * EP_LITERAL_SIZE, /* a known name, every character escaped */
    AT_END = EP_NO_MEMBER - 1         /* the closing brace in a member's place */
};

/* ----------------------------------------------------------------- members */

/* Records why a key is no member of the type. SPEC 3.5.1, 3.5.2, 3.6.2, 3.6.3 */
static bool refuse_key(ep_decoder *d, ep_ref key, const char *at) {
    const ep_type *type = ep_top(d)->type;
    bool tag = type->kind == EP_KIND_UNION;
    ep_range range = {EP_FUTURE, 0};
    char name[KEY_BUFFER];
    if (ep_ref_size(key) <= sizeof name) {
        size_t size = ep_text_decode(d->lexer.begin, key, name);
        range = ep_history_of(type, (ep_bytes){name, size});
    }
    if (range.since == EP_FUTURE) {
        ep_decode_fail_key(d, tag ? EP_UNKNOWN_TAG : EP_UNKNOWN_FIELD, at);
    } else {
        ep_decode_fail_key(d, tag ? EP_TAG_VERSION : EP_FIELD_VERSION, at);
    }
    ep_decode_note_history(d, range);
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

/* SPEC 3.10.2: skips the value of a member that only a newer minor has. The wire level of
 * the whole document, its limits too, was judged before it is read forward. */
static bool pass_over(ep_decoder *d) {
    ep_wire wire;
    ep_wire_init(&wire, d->attempt->arena, &d->lexer, &d->limits);
    bool ok = ep_wire_value(&wire);
    ep_wire_free(&wire);
    return ok;
}

static bool is_single_key(const ep_decoder *d, const ep_frame *frame) {
    return frame->op == EP_OP_UNION && d->schema->version->unions == EP_UNION_SINGLE_KEY;
}

/* Reads up to a member's value, or the end of the object. *member is the member's
 * number, AT_END, or EP_NO_MEMBER for one that forward reading skips. */
static bool next_member(ep_decoder *d, uint8_t *member) {
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
        return ep_decode_fail_key(d, EP_SECOND_TAG, at);
    }
    *member = find_member(d, frame->type, key);
    if (*member == EP_NO_MEMBER) {
        refuse_key(d, key, at);
        TRY(ep_decode_let_pass(d));
    } else if ((frame->seen >> *member & 1) != 0) { /* SPEC 2.5.1 */
        return ep_decode_fail_key(d, EP_DUPLICATE_KEY, at);
    }
    return ep_lex_byte(&d->lexer, ':');
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
    return ep_decode_fail_type(d, EP_MISSING_FIELD, d->lexer.p, lowest_bit(missing));
}

bool ep_read_struct(ep_decoder *d) {
    ep_frame *frame = ep_top(d);
    size_t depth = d->depth;
    do {
        uint8_t member;
        bool present;
        TRY(next_member(d, &member));
        if (member == AT_END) {
            TRY(check_required(d, frame));
            return ep_close_frame(d, ep_pointer_bits(frame->node));
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
        TRY(ep_read_slot(d, shape, &node->slots[member], &present));
        node->present |= (uint16_t)((unsigned)present << member);
    } while (d->depth == depth);
    return true;
}

/* ------------------------------------------------------------------ unions */

static bool close_union(ep_decoder *d, ep_frame *frame) {
    if (frame->seen == 0 && frame->fresh) { /* SPEC 3.6.4 */
        return ep_decode_fail_type(d, EP_NO_TAG, d->lexer.p, EP_NO_MEMBER);
    }
    return ep_close_frame(d, ep_pointer_bits(frame->node));
}

/* {tag: value} */
static bool read_single_key(ep_decoder *d) {
    ep_frame *frame = ep_top(d);
    uint8_t member;
    bool present;
    if (!frame->fresh) {
        if (EP_LIKELY(d->lexer.p < d->lexer.end && *d->lexer.p == '}')) {
            return ep_close_frame(d, ep_pointer_bits(frame->node));
        }
        return next_member(d, &member) && close_union(d, frame); /* a second key has failed */
    }
    TRY(next_member(d, &member));
    if (EP_UNLIKELY(member == AT_END)) {
        return close_union(d, frame);
    }
    frame->fresh = false;
    if (EP_UNLIKELY(member == EP_NO_MEMBER)) {
        return pass_over(d);
    }
    frame->member = member;
    frame->seen = (uint64_t)1 << member;
    frame->node->tag = member;
    return ep_read_slot(d, frame->type->members[member].shape, &frame->node->slots[0], &present);
}

/* Every variant, one of them not null. */
static bool read_all_fields(ep_decoder *d) {
    ep_frame *frame = ep_top(d);
    size_t depth = d->depth;
    do {
        uint8_t member;
        char c;
        bool present;
        TRY(next_member(d, &member));
        if (member == AT_END) {
            TRY(check_required(d, frame)); /* SPEC 3.6.1 */
            bool none = frame->node->tag == EP_NO_MEMBER;
            return none ? ep_decode_fail_type(d, EP_NO_TAG, d->lexer.p,
                                              EP_NO_MEMBER) /* SPEC 3.6.4 */
                        : ep_close_frame(d, ep_pointer_bits(frame->node));
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
            TRY(ep_decode_count(d) && ep_read_null(d, true));
            continue;
        }
        if (frame->node->tag != EP_NO_MEMBER) { /* SPEC 3.6.5 */
            return ep_decode_fail(d, EP_SECOND_TAG, d->lexer.p, NULL);
        }
        frame->node->tag = member;
        TRY(ep_read_slot(d, frame->type->members[member].shape, &frame->node->slots[0], &present));
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
        return ep_decode_fail_type(d, EP_NO_TAG, at, EP_NO_MEMBER);
    }
    if (c != '"') {
        return ep_lex_unexpected(&d->lexer);
    }
    TRY(ep_lex_string(&d->lexer, &key));
    if (!ep_text_is(d->lexer.begin, key, name)) {
        return ep_decode_fail_key(d, EP_UNKNOWN_TAG, at);
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
    bool present;
    TRY(ep_read_scalar(d, &d->schema->shapes[EP_SHAPE_str], c, &name, &present));
    *member = find_member(d, ep_top(d)->type, name);
    return *member != EP_NO_MEMBER || refuse_key(d, name, at);
}

/* {"$type": tag, "$value": value} */
static bool read_type_value(ep_decoder *d) {
    ep_frame *frame = ep_top(d);
    uint8_t member = EP_NO_MEMBER;
    bool present;
    char c;
    if (!frame->fresh) {
        TRY(ep_lex_peek(&d->lexer, &c));
        if (c == '}') {
            return ep_close_frame(d, ep_pointer_bits(frame->node));
        }
        TRY(ep_lex_byte(&d->lexer, ','));
        TRY(ep_lex_peek(&d->lexer, &c));
        return c != '"' ? ep_lex_unexpected(&d->lexer) /* SPEC 3.6.5 */
                        : ep_decode_fail_key(d, EP_SECOND_TAG, d->lexer.p);
    }
    frame->member = EP_NO_MEMBER;
    TRY(read_type_name(d, &member));
    TRY(ep_lex_peek(&d->lexer, &c));
    if (c == '}') {
        return ep_decode_fail_type(d, EP_NO_TAG, d->lexer.p, member); /* SPEC 3.6.4 */
    }
    TRY(ep_lex_byte(&d->lexer, ','));
    TRY(expect_key(d, EP_TEXT("$value")));
    frame->fresh = false;
    frame->member = member;
    frame->node->tag = member;
    return ep_read_slot(d, frame->type->members[member].shape, &frame->node->slots[0], &present);
}

bool ep_read_union(ep_decoder *d) {
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
