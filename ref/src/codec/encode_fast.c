/*
 * codec/encode_fast.c - the fast writer: a function for each type and shape, which the
 * preprocessor makes of the rows of schema.def, as in decode_fast.c. It writes into the
 * writer's buffer and hands nothing to the sink. What does not fit there, a text that has to
 * be encoded anew, or a type that is cut (EP_IS_CUT) makes it give up; the general writer
 * then writes over what it wrote.
 *
 * Functions take the place to write at and return the one behind, or NULL.
 */
#include "codec/encoder.h"
#include "codec/released.h"

#include "json/number.h"

#define PUT(literal) (memcpy(o, literal, sizeof(literal) - 1), o += sizeof(literal) - 1)

/* Whether as much as EP_WRITER_SLACK may be written. */
EP_INLINE bool is_room(const ep_encoder *e, const char *o) {
    return o < e->writer.buffer + EP_WRITER_CHUNK;
}

/* ----------------------------------------------------------------- scalars */

EP_INLINE char *out_str(const ep_encoder *e, char *o, ep_ref ref) {
    enum { STEP = 32 }; /* a copy of known size */
    size_t offset = ep_ref_offset(ref), size = ep_ref_size(ref);
    const char *from = e->input.data + offset;
    TRY((ep_ref_flags(ref) & EP_REF_FOREIGN) == 0 && is_room(e, o) &&
        size < (size_t)(e->writer.buffer + EP_WRITER_CHUNK - o));
    *o = '"';
    if (EP_LIKELY(size <= STEP && e->input.size - offset >= STEP)) {
        memcpy(o + 1, from, STEP);
    } else {
        memcpy(o + 1, from, size);
    }
    o[size + 1] = '"';
    return o + size + 2;
}

EP_INLINE char *out_bytes(const ep_encoder *e, char *o, ep_ref ref) {
    return out_str(e, o, ref);
}

/* Sizes have few digits. */
static EP_NOINLINE char *out_long(char *o, uint64_t bits) {
    unsigned n = (unsigned)bits;
    if (bits >= 10000) {
        return o + ep_number_print_int((int64_t)bits, o);
    }
    size_t size = n < 100 ? 2 : n < 1000 ? 3 : 4;
    for (size_t i = size; i-- > 0; n /= 10) {
        o[i] = (char)('0' + n % 10);
    }
    return o + size;
}

EP_INLINE char *out_int(const ep_encoder *e, char *o, uint64_t bits) {
    (void)e;
    if (EP_LIKELY(bits <= 9)) {
        *o = (char)('0' + bits);
        return o + 1;
    }
    return out_long(o, bits);
}

EP_INLINE char *out_bool(const ep_encoder *e, char *o, uint64_t bits) {
    (void)e;
    memcpy(o, bits != 0 ? "true " : "false", 5);
    return o + (bits != 0 ? 4 : 5);
}

size_t ep_encode_float(const ep_version *version, uint64_t bits, char *text) {
    double value = ep_float_of(bits);
    if (value - value == 0) {
        return ep_number_print_float(value, text); /* SPEC 3.9.4 */
    }
    const char *words = value != value ? "\"NaN\"" : value < 0 ? "\"-Infinity\"" : "\"Infinity\"";
    bool quoted = version->nonfinite != EP_NONFINITE_BARE; /* SPEC 3.9.6 */
    ep_bytes word = ep_text_of(words + !quoted);
    word.size -= !quoted;
    memcpy(text, word.data, word.size);
    return word.size;
}

EP_INLINE char *out_float(const ep_encoder *e, char *o, uint64_t bits) {
    return o + ep_encode_float(e->schema->version, bits, o);
}

EP_INLINE char *out_unit(const ep_encoder *e, char *o, uint64_t bits) {
    (void)e;
    (void)bits;
    return PUT("[]");
}

ep_bytes ep_encode_absent(const ep_member *member, uint64_t bits) {
    if (member->shape->op == EP_OP_OPEN_END) {
        return (int64_t)bits < 0 ? EP_TEXT("-Infinity") : EP_TEXT("Infinity");
    }
    return ep_fallback_json((ep_fallback)member->row->fallback);
}

/* A slot without a value. */
static EP_NOINLINE char *out_absent(char *o, const ep_member *member, uint64_t bits) {
    ep_bytes text = ep_encode_absent(member, bits);
    memcpy(o, text.data, text.size);
    return o + text.size;
}

/* ------------------------------------------------------------------ shapes */

/* A value by the number of its shape and its writer; NULL if it is cut. */
#define VALUE(shape, out, bits)                                                                    \
    (EP_IS_CUT(shape)             ? NULL                                                           \
     : (shape) == EP_SHAPE_SymInt ? put_sym_int(e, o, (bits))                                      \
                                  : out(e, o, (bits)))

#define TYPE_OF(type) (EP_SHAPE_##type - EP_SHAPE_FIRST_TYPE)

#define WRITER(name) static EP_UNUSED char *out_##name(const ep_encoder *e, char *o, uint64_t bits)

#define NAME(type) WRITER(type);
#define SHAPE(name, form, of, second) WRITER(name);
#include "schema/schema.def"

/* {"as_int": N}, as most sizes and strides of tensors are, without a call. */
EP_INLINE char *put_sym_int(const ep_encoder *e, char *o, uint64_t bits) {
    const ep_node *node = ep_node_at(bits);
    if (!e->single_key || node->tag != e->schema->numbers[EP_ROW(SymInt, as_int, V1_2023_08)]) {
        return out_SymInt(e, o, bits);
    }
    PUT("{\"as_int\": ");
    o = out_int(e, o, node->slots[0]);
    *o = '}';
    return o + 1;
}

#define OUT_OPTIONAL(of, item, second, other) return VALUE(of, item, bits);

#define OUT_OPEN_END(of, item, second, other) return out_int(e, o, bits);

#define OUT_LIST(of, item, second, other)                                                          \
    const ep_list *list = ep_list_at(bits);                                                        \
    size_t n = ep_list_count(bits);                                                                \
    *o++ = '[';                                                                                    \
    for (size_t i = 0; i < n; i++) {                                                               \
        if (i > 0) {                                                                               \
            PUT(", ");                                                                             \
        }                                                                                          \
        TRY(is_room(e, o) && (o = VALUE(of, item, list->items[i])) != NULL);                       \
    }                                                                                              \
    *o++ = ']';                                                                                    \
    return o;

#define OUT_TUPLE(of, item, second, other)                                                         \
    const ep_list *list = ep_list_at(bits);                                                        \
    *o++ = '[';                                                                                    \
    TRY((o = VALUE(of, item, list->items[0])) != NULL);                                            \
    PUT(", ");                                                                                     \
    TRY((o = VALUE(second, other, list->items[1])) != NULL);                                       \
    *o++ = ']';                                                                                    \
    return o;

#define OUT_DICT(of, item, second, other)                                                          \
    const ep_list *list = ep_list_at(bits);                                                        \
    size_t n = ep_list_count(bits);                                                                \
    *o++ = '{';                                                                                    \
    for (size_t i = 0; i < n; i++) {                                                               \
        if (i > 0) {                                                                               \
            PUT(", ");                                                                             \
        }                                                                                          \
        TRY((o = out_str(e, o, list->items[i])) != NULL);                                          \
        PUT(": ");                                                                                 \
        TRY((o = VALUE(of, item, list->items[n + i])) != NULL);                                    \
    }                                                                                              \
    *o++ = '}';                                                                                    \
    return o;

#define SHAPE(name, form, of, second)                                                              \
    WRITER(name) {                                                                                 \
        OUT_##form(EP_SHAPE_##of, out_##of, EP_SHAPE_##second, out_##second)                       \
    }
#include "schema/schema.def"

/* ------------------------------------------------------------------- types */

static char *out_null(char *o, const ep_member *member) {
    memcpy(o, member->row->literal, EP_LITERAL_SIZE);
    o += member->row->literal_size;
    return PUT("null");
}

/* A union that is written with all its tags, up to the value and from there on. SPEC 3.6.1 */
static EP_NOINLINE char *out_before(const ep_encoder *e, char *o, const ep_type *type, size_t tag) {
    *o++ = '{';
    for (size_t i = 0; i < tag && is_room(e, o); i++) {
        o = out_null(o, &type->members[i]);
        PUT(", ");
    }
    return out_null(o, &type->members[tag]) - 4;
}

static EP_NOINLINE char *out_after(const ep_encoder *e, char *o, const ep_type *type, size_t tag) {
    for (size_t i = tag + 1; i < type->count && is_room(e, o); i++) {
        PUT(", ");
        o = out_null(o, &type->members[i]);
    }
    return o;
}

/* Each TYPE ends the function before and begins its own. */
#define BEGIN(name, its_kind, number)                                                              \
    WRITER(name) {                                                                                 \
        const bool all = EP_KIND_##its_kind == EP_KIND_UNION && !e->single_key;                    \
        const ep_type *type = e->schema->types[number];                                            \
        const ep_node *node = ep_node_at(bits);                                                    \
        unsigned n = 0, written = 0;                                                               \
        int row = -1;                                                                              \
        (void)n;                                                                                   \
        (void)written;                                                                             \
        if (EP_KIND_##its_kind == EP_KIND_ENUM) {                                                  \
            return out_int(e, o, bits);                                                            \
        }                                                                                          \
        if (EP_KIND_##its_kind == EP_KIND_UNION) {                                                 \
            row = type->members[node->tag].row->ordinal;                                           \
            o = all ? out_before(e, o, type, node->tag) : o;                                       \
        }                                                                                          \
        switch (row) {                                                                             \
        case -1:;

#define END                                                                                        \
    }                                                                                              \
    o = all ? out_after(e, o, type, node->tag) : o;                                                \
    *o++ = '}';                                                                                    \
    return o;                                                                                      \
    }

/* The key of a first field, or of another. */
#define KEY(is_first, name)                                                                        \
    if (is_first) {                                                                                \
        PUT("{\"" #name "\": ");                                                                   \
    } else {                                                                                       \
        PUT(", \"" #name "\": ");                                                                  \
    }

#define IS_NULL(fallback)                                                                          \
    (EP_FALLBACK_##fallback == EP_FALLBACK_REQUIRED || EP_FALLBACK_##fallback == EP_FALLBACK_NONE)

/* SPEC 3.9.2, 3.9.7 */
#define FIELD(of, name, shape, fallback, id, since, until)                                         \
    if (EP_IN(e->release, since, until)) {                                                         \
        if ((node->present >> n & 1) != 0) {                                                       \
            KEY(written++ == 0, name)                                                              \
            TRY((o = VALUE(EP_SHAPE_##shape, out_##shape, node->slots[n])) != NULL);               \
        } else if (!(e->omits && EP_FALLBACK_##fallback == EP_FALLBACK_NONE)) {                    \
            KEY(written++ == 0, name)                                                              \
            if (IS_NULL(fallback) && EP_SHAPE_##shape != EP_SHAPE_int_or_infinite) {               \
                PUT("null");                                                                       \
            } else {                                                                               \
                o = out_absent(o, &type->members[n], node->slots[n]);                              \
            }                                                                                      \
        }                                                                                          \
        n++;                                                                                       \
    }

/* SPEC 3.9.8 */
#define VARIANT(of, name, shape, id, since, until)                                                 \
    break;                                                                                         \
    case EP_ROW(of, name, since):                                                                  \
        if (EP_IN_ANY(since, until)) {                                                             \
            if (!all) {                                                                            \
                PUT("{\"" #name "\": ");                                                           \
            }                                                                                      \
            TRY((o = VALUE(EP_SHAPE_##shape, out_##shape, node->slots[0])) != NULL);               \
        }

#define TYPE(type, kind, clause, since, until) END BEGIN(type, kind, TYPE_OF(type))
#define TYPE_AGAIN(type, kind, clause, since, until)
BEGIN(nothing, ENUM, 0)
#include "schema/schema.def"
END

    /* ------------------------------------------------------------------- entry */

    typedef char *
    writer(const ep_encoder *e, char *o, uint64_t bits);

#define NAME(type) [TYPE_OF(type)] = EP_IS_CUT(EP_SHAPE_##type) ? NULL : out_##type,
static writer *const writers[EP_TYPE_COUNT] = {
#include "schema/schema.def"
};

void ep_fast_open(ep_encoder *e) {
    const ep_version *version = e->schema->version;
    e->release = ep_release_of(version);
    e->single_key = version->unions == EP_UNION_SINGLE_KEY;
    e->omits = version->nulls == EP_NULL_OMITTED;
}

bool ep_fast_put(ep_encoder *e, const ep_shape *shape, uint64_t bits) {
    writer *put = shape->type == NULL || e->release < 0 ? NULL : writers[shape->type->number];
    TRY(put != NULL);
    if (e->writer.size > EP_WRITER_CHUNK / 2) {
        ep_writer_flush(&e->writer);
    }
    char *end = put(e, e->writer.buffer + e->writer.size, bits);
    TRY(end != NULL && is_room(e, end)); /* where it is full, nulls are left out */
    e->writer.size = (size_t)(end - e->writer.buffer);
    return true;
}
