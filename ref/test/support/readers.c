/*
 * readers.c - see readers.h.
 */
#include "readers.h"

#include "codec/decode.h"
#include "codec/encode.h"
#include "support.h"

typedef struct reading {
    ep_arena arena;
    ep_attempt attempt;
    ep_decode_options options;
    const ep_node *root;
    bool ok;
    uint64_t warned; /* a sum of the warnings, and of the bytes written later */
    uint64_t written;
} reading;

static void add(uint64_t *sum, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        *sum = (*sum ^ bytes[i]) * 0x100000001B3u;
    }
}

static void warn(void *context, const ep_error *error) {
    reading *r = context;
    add(&r->warned, &error->code, sizeof error->code);
    add(&r->warned, &error->offset, sizeof error->offset);
    add(&r->warned, error->detail, strlen(error->detail));
}

static bool sum_up(void *context, const char *data, size_t size) {
    add(context, data, size);
    return true;
}

static void read_by(reading *r, ep_bytes text, const ep_version *version, bool general) {
    ep_arena_init(&r->arena, ep_heap(), 0);
    r->options = ep_decode_options_default();
    r->options.warn = warn;
    r->options.warn_context = r;
    r->attempt.arena = &r->arena;
    r->attempt.input = text;
    r->attempt.options = &r->options;
    r->attempt.general = general;
    r->attempt.schema = ep_schema_make(&r->arena, version);
    r->ok = r->attempt.schema != NULL && ep_decode_as(&r->attempt, &r->root);
    if (r->attempt.schema == NULL) {
        r->attempt.fault.code = EP_MEMORY;
    }
}

static void write_by(reading *r, bool general) {
    const ep_schema *schema = r->attempt.schema;
    ep_program program = {.schema = schema, .input = r->attempt.input, .root = r->root};
    ep_encoded value = {&schema->shapes[EP_SHAPE_ExportedProgram], ep_pointer_bits(r->root),
                        general};
    ep_encode_value(&program, &value, &r->arena, sum_up, &r->written);
}

/* ------------------------------------------------------------------- trees */

static bool same_value(const ep_shape *shape, uint64_t a, uint64_t b);

static bool same_node(const ep_type *type, const ep_node *a, const ep_node *b) {
    if ((a == NULL) != (b == NULL)) {
        return false;
    }
    if (a == NULL) {
        return true;
    }
    if (memcmp(a, b, sizeof *a) != 0) {
        return false;
    }
    if (type->kind == EP_KIND_UNION) { /* one whose tag was passed over has none */
        return a->tag == EP_NO_MEMBER ||
               same_value(type->members[a->tag].shape, a->slots[0], b->slots[0]);
    }
    for (size_t i = 0; i < type->count; i++) {
        if (!same_value(type->members[i].shape, a->slots[i], b->slots[i])) {
            return false;
        }
    }
    return true;
}

static bool same_list(const ep_shape *shape, const ep_list *a, const ep_list *b) {
    if (a == NULL || b == NULL || a->count != b->count) {
        return a == b;
    }
    bool dict = shape->op == EP_OP_DICT;
    for (size_t i = 0; i < a->count; i++) {
        const ep_shape *of = shape->op == EP_OP_TUPLE && i == 1 ? shape->second : shape->of;
        size_t at = dict ? (size_t)a->count + i : i;
        if ((dict && a->items[i] != b->items[i]) || !same_value(of, a->items[at], b->items[at])) {
            return false;
        }
    }
    return true;
}

static bool same_value(const ep_shape *shape, uint64_t a, uint64_t b) {
    if (shape->op < EP_OP_STRUCT) {
        return a == b;
    }
    if (shape->op == EP_OP_STRUCT || shape->op == EP_OP_UNION) {
        return same_node(shape->type, ep_node_at(a), ep_node_at(b));
    }
    return same_list(shape, ep_list_at(a), ep_list_at(b));
}

static bool same_fault(const ep_fault *a, const ep_fault *b) {
    return a->code == b->code && a->offset == b->offset && a->place == b->place &&
           a->type == b->type && a->member == b->member && a->expected == b->expected &&
           a->since == b->since && a->until == b->until;
}

static const char *compare(reading *fast, reading *general) {
    if (fast->ok != general->ok) {
        return "the verdict";
    }
    if (fast->warned != general->warned ||
        fast->attempt.passed_over != general->attempt.passed_over) {
        return "the warnings";
    }
    if (!fast->ok) {
        return same_fault(&fast->attempt.fault, &general->attempt.fault) ? NULL : "the fault";
    }
    if (!same_node(fast->attempt.schema->root, fast->root, general->root)) {
        return "the tree";
    }
    if (fast->attempt.passed_over) { /* which cannot be written */
        return NULL;
    }
    write_by(fast, false);
    write_by(general, true);
    return fast->written == general->written ? NULL : "the bytes";
}

const char *readers_differ(ep_bytes text, const ep_version *version, bool forward) {
    reading fast = {.attempt.forward = forward};
    reading general = {.attempt.forward = forward};
    read_by(&fast, text, version, false);
    read_by(&general, text, version, true);
    bool memory = fast.attempt.fault.code == EP_MEMORY || general.attempt.fault.code == EP_MEMORY;
    const char *what = memory ? NULL : compare(&fast, &general);
    ep_arena_free(&fast.arena);
    ep_arena_free(&general.arena);
    return what;
}
