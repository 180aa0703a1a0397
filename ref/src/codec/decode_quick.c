/*
 * codec/decode_quick.c - the fast path for small objects, of which programs mostly
 * consist, such as {"name": "x", "arg": {"as_tensor": {"name": "y"}}}. They are read
 * whole and without a frame. Every check of the general path is made here too. An
 * object that fails one, or is not spelled as PyTorch spells it, is left to a frame with
 * the cursor where it was, so that all errors are made in one place.
 *
 * The functions call each other in a fixed order, so that nothing recurses:
 *   many    a list of any of those below            a Node's inputs
 *   record  a struct of unions, lists and terms     a TensorMeta
 *   union   a single-key union of lists and terms   {"as_tensors": [...]}
 *   list    of scalars and terms                    [{"as_int": 2}]
 *   term    a simple struct, or a union of those    a SymInt
 *   simple  a struct of scalars and leaves          a SymExpr
 *   leaf    a struct or union of scalars            a SymExprHint
 */
#include "codec/decoder.h"

#include "base/plain.h"

/* The greatest nesting of arrays and objects on the quick path: one of each kind above,
 * and the [] of as_none. */
enum { QUICK_DEPTH = 8 };

typedef bool read_part(ep_decoder *d, const ep_shape *shape, uint64_t *bits, bool *present);

/* Whether there is room to look for a separator, a literal and a bracket. */
static inline bool has_room(const ep_decoder *d) {
    return d->lexer.end - d->lexer.p > EP_LITERAL_SIZE + 4;
}

/* A scalar, or null; the cursor is on its first byte. */
EP_INLINE bool quick_scalar(ep_decoder *d, const ep_shape *shape, uint64_t *bits, bool *present) {
    char c = *d->lexer.p;
    TRY(ep_decode_count(d));
    if (c == 'n') {
        /* LCOV_EXCL_START one of its copies reads nothing that may be null */
        TRY(shape->nullable && memcmp(d->lexer.p, "null", 4) == 0);
        /* LCOV_EXCL_STOP */
        d->lexer.p += 4;
        *present = false;
        return true;
    }
    if (shape->op == EP_OP_STR && c == '"') {
        return ep_lex_string(&d->lexer, bits);
    }
    return ep_read_scalar(d, shape, c, bits, present);
}

/*
 * {"field": value, ...} in the order of the rows, with nothing required left
 * out (SPEC 3.5.3). read is known where this is inlined.
 */
EP_INLINE bool quick_fields(ep_decoder *d, const ep_type *type, uint64_t *bits, read_part *read) {
    ep_node *node = ep_decode_node(d, type, type->count);
    TRY(node != NULL && *d->lexer.p == '{'); /* its slots are set below, one by one */
    d->lexer.p++;
    bool first = true;
    for (uint8_t i = 0; i < type->count; i++) {
        const ep_row *row = type->members[i].row;
        const char *p = d->lexer.p;
        TRY(has_room(d));
        bool parted = first || (p[0] == ',' && p[1] == ' ');
        p += first ? 0 : 2;
        node->slots[i] = 0;
        if (!parted || !ep_at_literal(p, row)) {
            TRY((type->required >> i & 1) == 0);
            continue;
        }
        bool present = true;
        first = false;
        d->lexer.p = p + row->literal_size;
        TRY(has_room(d) && read(d, type->members[i].shape, &node->slots[i], &present));
        node->present |= (uint16_t)((unsigned)present << i);
    }
    *bits = ep_pointer_bits(node);
    return d->lexer.p < d->lexer.end && *d->lexer.p++ == '}';
}

/* The tag of a single-key union, up to its value; EP_NO_MEMBER if unsure. */
EP_INLINE uint8_t quick_tag(ep_decoder *d, const ep_type *type) {
    const char *p = d->lexer.p + 1;
    uint8_t tag = d->hints[type->number];
    if (tag < type->count && ep_at_literal(p, type->members[tag].row)) {
        d->lexer.p = p + type->members[tag].row->literal_size;
        return tag;
    }
    const char *end = *p == '"' ? ep_plain_end(p + 1, d->lexer.end) : p;
    if (d->lexer.end - end < 3 || memcmp(end, "\": ", 3) != 0) {
        return EP_NO_MEMBER;
    }
    tag = ep_type_find(type, p + 1, (size_t)(end - p) - 1);
    d->hints[type->number] = tag;
    d->lexer.p = end + 3;
    return tag;
}

/* {"tag": value}; SPEC 3.6.4, 3.6.5 */
EP_INLINE bool quick_tagged(ep_decoder *d, const ep_type *type, uint64_t *bits, read_part *read) {
    ep_node *node = ep_decode_node(d, type, 1);
    TRY(node != NULL);
    TRY(has_room(d)); /* LCOV_EXCL_BR_LINE where some of its copies are called there is room */
    TRY(*d->lexer.p == '{');
    node->slots[0] = 0;
    node->tag = quick_tag(d, type);
    TRY(node->tag != EP_NO_MEMBER && has_room(d));
    bool present = true;
    TRY(read(d, type->members[node->tag].shape, &node->slots[0], &present));
    TRY(present); /* LCOV_EXCL_BR_LINE no variant may be null */
    *bits = ep_pointer_bits(node);
    return d->lexer.p < d->lexer.end && *d->lexer.p++ == '}';
}

/* ep_read_scalar refuses what is no scalar. */
static bool leaf_part(ep_decoder *d, const ep_shape *shape, uint64_t *bits, bool *present) {
    return quick_scalar(d, shape, bits, present);
}

static bool quick_leaf(ep_decoder *d, const ep_type *type, uint64_t *bits) {
    TRY(type != NULL && has_room(d));
    return type->kind == EP_KIND_STRUCT ? quick_fields(d, type, bits, leaf_part)
                                        : quick_tagged(d, type, bits, leaf_part);
}

/* A null, too, is read as a scalar. */
EP_INLINE bool is_scalar(const ep_decoder *d, const ep_shape *shape) {
    return shape->op < EP_OP_STRUCT || *d->lexer.p == 'n';
}

static bool simple_part(ep_decoder *d, const ep_shape *shape, uint64_t *bits, bool *present) {
    if (is_scalar(d, shape)) {
        return quick_scalar(d, shape, bits, present);
    }
    return ep_decode_count(d) && quick_leaf(d, shape->type, bits);
}

static bool quick_simple(ep_decoder *d, const ep_type *type, uint64_t *bits) {
    return quick_fields(d, type, bits, simple_part);
}

static bool term_part(ep_decoder *d, const ep_shape *shape, uint64_t *bits, bool *present) {
    if (is_scalar(d, shape)) {
        return quick_scalar(d, shape, bits, present);
    }
    TRY(ep_decode_count(d));
    return shape->op == EP_OP_STRUCT ? quick_simple(d, shape->type, bits)
                                     : quick_leaf(d, shape->type, bits);
}

static bool quick_term(ep_decoder *d, const ep_type *type, uint64_t *bits) {
    TRY(type != NULL); /* who reads items or parts has looked for room */
    return type->kind == EP_KIND_STRUCT ? quick_simple(d, type, bits)
                                        : quick_tagged(d, type, bits, term_part);
}

typedef bool read_item(ep_decoder *d, const ep_shape *shape, uint64_t *bits);

EP_INLINE bool quick_items(ep_decoder *d, const ep_shape *item, read_item *read) {
    for (;;) {
        uint64_t bits = 0;
        TRY(has_room(d) && ep_decode_count(d) && read(d, item, &bits));
        TRY(ep_stack_push(&d->values, bits) && has_room(d));
        const char *p = d->lexer.p;
        if (p[0] == ']') {
            d->lexer.p++;
            return true;
        }
        TRY(p[0] == ',' && p[1] == ' ');
        d->lexer.p += 2;
    }
}

/* [item, ...] */
EP_INLINE bool quick_list(ep_decoder *d, const ep_shape *shape, uint64_t *bits, read_item *read) {
    size_t base = d->values.count;
    TRY(*d->lexer.p == '[');
    TRY(has_room(d)); /* LCOV_EXCL_BR_LINE who reads a part has looked for it */
    d->lexer.p++;
    *bits = 0;
    if (*d->lexer.p == ']') {
        d->lexer.p++;
        return true;
    }
    bool ok = quick_items(d, shape->of, read) && ep_decode_list(d, base, bits);
    d->values.count = base;
    return ok;
}

/* An item of a list: ep_read_scalar refuses a null as any other wrong token. */
static bool term_item(ep_decoder *d, const ep_shape *shape, uint64_t *bits) {
    bool present;
    return shape->op < EP_OP_STRUCT ? ep_read_scalar(d, shape, *d->lexer.p, bits, &present)
                                    : quick_term(d, shape->type, bits);
}

static bool quick_terms(ep_decoder *d, const ep_shape *shape, uint64_t *bits) {
    return quick_list(d, shape, bits, term_item);
}

static bool union_part(ep_decoder *d, const ep_shape *shape, uint64_t *bits, bool *present) {
    if (is_scalar(d, shape)) {
        return quick_scalar(d, shape, bits, present);
    }
    TRY(ep_decode_count(d));
    return shape->op == EP_OP_LIST ? quick_terms(d, shape, bits) : quick_term(d, shape->type, bits);
}

static bool quick_union(ep_decoder *d, const ep_type *type, uint64_t *bits) {
    return quick_tagged(d, type, bits, union_part);
}

static bool record_part(ep_decoder *d, const ep_shape *shape, uint64_t *bits, bool *present) {
    if (shape->op == EP_OP_UNION && *d->lexer.p != 'n') {
        return ep_decode_count(d) && quick_union(d, shape->type, bits);
    }
    return union_part(d, shape, bits, present);
}

static bool quick_record(ep_decoder *d, const ep_type *type, uint64_t *bits) {
    TRY(has_room(d));
    return quick_fields(d, type, bits, record_part);
}

static bool try_quick(ep_decoder *d, const ep_type *type, uint64_t *bits) {
    if (type->leaf) {
        return quick_leaf(d, type, bits);
    }
    return type->kind == EP_KIND_UNION ? quick_union(d, type, bits) : quick_record(d, type, bits);
}

static bool record_item(ep_decoder *d, const ep_shape *shape, uint64_t *bits) {
    return try_quick(d, shape->type, bits);
}

/* A list of scalars is quick enough with a frame. */
static bool quick_many(ep_decoder *d, const ep_shape *shape, uint64_t *bits) {
    TRY(shape->op == EP_OP_LIST && shape->of->type != NULL && shape->of->type->quick);
    return quick_list(d, shape, bits, record_item);
}

bool ep_quick_value(ep_decoder *d, const ep_shape *shape, uint64_t *bits) {
    const ep_type *type = shape->type;
    const char *start = d->lexer.p;
    size_t count = d->count;
    ep_arena_mark mark = ep_arena_now(d->attempt->arena);
    TRY(d->literals && d->depth + QUICK_DEPTH <= d->limits.depth);
    TRY(type == NULL || type->quick);
    d->trial = true;
    bool ok = type == NULL ? quick_many(d, shape, bits) : try_quick(d, type, bits);
    d->trial = false;
    if (EP_LIKELY(ok)) {
        return true;
    }
    ep_arena_rewind(d->attempt->arena, mark);
    d->lexer.p = start;
    d->count = count;
    return false;
}
