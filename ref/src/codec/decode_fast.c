/*
 * codec/decode_fast.c - the fast reader: a function for each type and shape, which the
 * preprocessor makes of the rows of schema.def. A row is code here: FIELD(Device, type,
 * str, ...) reads `"type": ` and a string into the next slot.
 *
 * It knows the released versions, PyTorch's order of fields, and plain spelling: with any
 * white space, without escapes in names. Whatever else it meets, an error too, it gives up
 * with nothing changed, and the general reader takes the value, whose parts are tried
 * again. A type does not hold itself here (EP_IS_CUT), so that functions neither recurse
 * nor read a byte more often than types are nested.
 *
 * Functions take the cursor and return it behind what they have read, or NULL.
 */
#include "codec/decoder.h"
#include "codec/released.h"

#include "base/plain.h"
#include "json/keys.h"

enum {
    MARGIN = 256,     /* what may be read without a look at the end of the input */
    SHORT = 18,       /* so many digits fit into a word */
    DEPTH = 24,       /* no value nests arrays and objects deeper */
    STRING_LEAST = 64 /* the least limit of strings: longer than any name, and a step */
};

static bool is_room(const ep_decoder *d, const char *p) {
    return p < d->safe;
}

/* ------------------------------------------------------------------ memory */

/* The last block of the arena is kept in two pointers meanwhile. */
static void enter_block(ep_decoder *d) {
    ep_block *block = d->attempt->arena->blocks; /* the view is in it */
    d->room = (char *)block + block->used;
    d->room_end = (char *)block + block->size;
}

static void leave_block(ep_decoder *d) {
    ep_block *block = d->attempt->arena->blocks;
    block->used = (size_t)(d->room - (char *)block);
}

static EP_NOINLINE void *take_more(ep_decoder *d, size_t size) {
    leave_block(d);
    void *memory = ep_arena_alloc(d->attempt->arena, size);
    enter_block(d);
    return memory;
}

/* Words of the tree. */
EP_INLINE void *take(ep_decoder *d, size_t size) {
    char *memory = d->room;
    if (EP_UNLIKELY(size > (size_t)(d->room_end - memory))) {
        return take_more(d, size);
    }
    d->room = memory + size;
    return memory;
}

/* ------------------------------------------------------------- white space */

static EP_NOINLINE const char *pass_space(const ep_decoder *d, const char *p) {
    static const char spaces[] = "        ";
    while (is_room(d, p)) {
        if (*p == '\n' || *p == '\r' || *p == '\t') {
            p++;
        } else if (*p == ' ') {
            while (memcmp(p, spaces, 8) == 0 && is_room(d, p)) {
                p += 8;
            }
            p += memcmp(p, spaces, 4) == 0 ? 4 : 0;
            p += memcmp(p, spaces, 2) == 0 ? 2 : 0;
            p += *p == ' ';
        } else {
            break;
        }
    }
    return p;
}

/* To the next token. */
EP_INLINE const char *token(const ep_decoder *d, const char *p) {
    return EP_LIKELY((unsigned char)*p > ' ') ? p : pass_space(d, p);
}

/* The key of a field that is not spelled as PyTorch spells it: to its value. key begins with
 * a brace, or a comma and a space; name is its size. */
static EP_NOINLINE const char *pass_key(const ep_decoder *d, const char *p, const char *key,
                                        size_t name) {
    p = *key == ',' ? token(d, p) : p;
    TRY(*p == *key);
    p = token(d, p + 1);
    TRY(memcmp(p, key + (*key == ',' ? 2 : 1), name + 2) == 0);
    p = token(d, p + name + 2);
    TRY(*p == ':');
    return token(d, p + 1);
}

/* Past a key, up to a value that begins with a quote if it is a string. */
EP_INLINE const char *match(const ep_decoder *d, const char *p, const char *key, size_t name,
                            bool string) {
    size_t size = name + (*key == ',' ? 6 : 5);
    if (EP_LIKELY(memcmp(p, key, size + string) == 0)) {
        return p + size;
    }
    p = pass_key(d, p, key, name);
    return p == NULL || (string && *p != '"') ? NULL : p;
}

static EP_NOINLINE bool is_another(const ep_decoder *d, const char **p, char bracket) {
    const char *at = token(d, *p);
    bool comma = *at == ',';
    *p = comma ? token(d, at + 1) : *at == bracket ? at + 1 : NULL;
    return comma;
}

/* Whether a comma follows, or the bracket: past it. NULL when neither does. */
EP_INLINE bool another(const ep_decoder *d, const char **p, char bracket) {
    const char *at = *p;
    if (EP_LIKELY(memcmp(at, ", ", 2) == 0)) {
        *p = at + 2;
        return true;
    }
    if (EP_LIKELY(*at == bracket)) {
        *p = at + 1;
        return false;
    }
    return is_another(d, p, bracket);
}

/* ----------------------------------------------------------------- scalars */

static bool is_short(char c) {
    return c == '"' || c == '\\' || c == 'b' || c == 'f' || c == 'n' || c == 'r' || c == 't';
}

/* What is left of a string behind its plain beginning. Escapes of one letter are all that most
 * have; the lexer knows the others. */
static EP_NOINLINE const char *read_rest(ep_decoder *d, const char *start, const char *p,
                                         uint64_t *ref) {
    unsigned flags = 0;
    for (;;) {
        p = ep_plain_end(p, d->safe);
        TRY(is_room(d, p));
        if (*p != '\\' || !is_short(p[1])) {
            break;
        }
        flags = EP_REF_ESCAPED;
        p += 2;
    }
    size_t size = (size_t)(p - start);
    if (*p != '"' || size > d->limits.string) {
        d->lexer.p = start - 1;
        TRY(ep_lex_string(&d->lexer, ref) && is_room(d, d->lexer.p));
        return d->lexer.p;
    }
    *ref = ep_ref_make((size_t)(start - d->lexer.begin), size, flags);
    return p + 1;
}

/* A string; its quote has been seen. */
EP_INLINE const char *fast_str(ep_decoder *d, const char *p, uint64_t *ref) {
    const char *start = p + 1;
    TRY(is_room(d, p));
    size_t size = ep_plain_run(start);
    if (EP_UNLIKELY(start[size] != '"')) {
        return read_rest(d, start, start + size, ref);
    }
    *ref = ep_ref_make((size_t)(start - d->lexer.begin), size, 0);
    return start + size + 1;
}

/* What the general reader reads. */
static EP_NOINLINE const char *read_scalar(ep_decoder *d, const char *p, ep_shape_number shape,
                                           uint64_t *bits) {
    bool present = true;
    d->lexer.p = p;
    TRY(is_room(d, p) && ep_read_scalar(d, &d->schema->shapes[shape], *p, bits, &present));
    TRY(present && is_room(d, d->lexer.p));
    return d->lexer.p;
}

static EP_NOINLINE const char *read_long(ep_decoder *d, const char *p, uint64_t *bits) {
    const char *first = p;
    uint64_t n = 0;
    for (; ep_is_digit(*p) && p - first < SHORT; p++) {
        n = n * 10 + (unsigned)(*p - '0');
    }
    bool ends = *p == ',' || *p == '}' || *p == ']';
    if (EP_UNLIKELY(p == first || *first == '0' || !ends)) {
        return read_scalar(d, first, EP_SHAPE_int, bits);
    }
    *bits = n;
    return p;
}

EP_INLINE const char *fast_int(ep_decoder *d, const char *p, uint64_t *bits) {
    if (EP_LIKELY(ep_is_digit(*p) && (p[1] == ',' || p[1] == '}' || p[1] == ']'))) {
        *bits = (uint64_t)(*p - '0');
        return p + 1;
    }
    return read_long(d, p, bits);
}

EP_INLINE const char *fast_bool(ep_decoder *d, const char *p, uint64_t *bits) {
    (void)d;
    *bits = *p == 't';
    TRY(memcmp(p, *bits ? "true" : "fals", 4) == 0 && (*bits || p[4] == 'e'));
    return p + (*bits ? 4 : 5);
}

#define GENERAL(shape)                                                                             \
    EP_INLINE const char *fast_##shape(ep_decoder *d, const char *p, uint64_t *bits) {             \
        return read_scalar(d, p, EP_SHAPE_##shape, bits);                                          \
    }
GENERAL(float)
GENERAL(unit)
GENERAL(bytes)

/* ------------------------------------------------------------- collections */

EP_INLINE bool push(ep_decoder *d, uint64_t bits) {
    return ep_stack_push(&d->values, bits);
}

/* Moves the last n values into the tree. */
EP_INLINE const char *make_list(ep_decoder *d, const char *p, size_t n, uint64_t *bits) {
    ep_list *list = take(d, sizeof *list + n * sizeof(uint64_t));
    TRY(p != NULL && list != NULL);
    d->values.count -= n;
    d->count += n;
    const uint64_t *values = d->values.words + d->values.count;
    list->count = n;
    for (size_t i = 0; i < n; i++) {
        list->items[i] = values[i];
    }
    *bits = ep_pointer_bits(list);
    return p;
}

/* A string that is the same as one before, which most texts of metadata are. It ends in
 * another way if it is not, mostly. */
EP_INLINE const char *recall(const ep_decoder *d, const char *p, ep_ref ref) {
    const char *before = d->lexer.begin + ep_ref_offset(ref) - 1;
    size_t size = ep_ref_size(ref) + 2;
    TRY(size >= 8 && is_room(d, p) && size <= (size_t)(d->safe - p));
    TRY(ep_load64(p + size - 8) == ep_load64(before + size - 8));
    bool same = size <= 16 ? ep_load64(p) == ep_load64(before) : memcmp(p, before, size - 8) == 0;
    return same ? p + size : NULL;
}

static EP_NOINLINE const char *read_text(ep_decoder *d, const char *p, const ep_list *last,
                                         size_t i, uint64_t *ref) {
    const char *end = last == NULL ? NULL : recall(d, p, last->items[i]);
    d->recalled = end != NULL;
    if (end == NULL) {
        TRY(is_room(d, p) && *p == '"');
        return fast_str(d, p, ref);
    }
    ep_ref old = last->items[i];
    *ref = ep_ref_make((size_t)(p + 1 - d->lexer.begin), ep_ref_size(old), ep_ref_flags(old));
    return end;
}

/* A key, to the value behind its colon. */
EP_INLINE const char *read_key(ep_decoder *d, const char *p, const ep_list *last, size_t i) {
    uint64_t key;
    TRY((p = read_text(d, p, last, i, &key)) != NULL);
    p = token(d, p);
    TRY(*p == ':' && ep_stack_push(&d->keys, key));
    return token(d, p + 1 + (p[1] == ' '));
}

/* Moves the last n keys and values into the tree. known: no two of the keys are the same,
 * as they were in the dict before. SPEC 2.5.1 */
static EP_NOINLINE const char *make_dict(ep_decoder *d, const char *p, size_t n, bool known,
                                         uint64_t *bits) {
    const ep_ref *keys = d->keys.words + d->keys.count - n;
    size_t second = n;
    TRY(known || ep_keys_find_repeat(d->lexer.begin, keys, n, &d->values, &second));
    const uint64_t *values = d->values.words + d->values.count - n;
    ep_list *dict = take(d, sizeof *dict + 2 * n * sizeof(uint64_t));
    TRY(second == n && dict != NULL);
    dict->count = n;
    for (size_t i = 0; i < n; i++) {
        dict->items[i] = keys[i];
        dict->items[n + i] = values[i];
    }
    d->keys.count -= n;
    d->values.count -= n;
    d->count += n;
    *bits = ep_pointer_bits(dict);
    return p;
}

/* ------------------------------------------------------------------ shapes */

/* A value by the number of its shape and its reader; NULL if it is cut. */
#define VALUE(shape, read, p, bits)                                                                \
    (EP_IS_CUT(shape) || (IS_STRING(shape) && *(p) != '"') ? NULL                                  \
     : (shape) == EP_SHAPE_SymInt                          ? read_sym_int(d, (p), (bits))          \
                                                           : read(d, (p), (bits)))
#define IS_STRING(shape) ((shape) == EP_SHAPE_str)

#define TYPE_OF(type) (EP_SHAPE_##type - EP_SHAPE_FIRST_TYPE)

#define READER(name)                                                                               \
    static EP_UNUSED const char *fast_##name(ep_decoder *d, const char *p, uint64_t *bits)

#define NAME(type) READER(type);
#define SHAPE(name, form, of, second) READER(name);
#include "schema/schema.def"

/* {"as_int": N}, as most sizes and strides of tensors are; NULL for anything else, which
 * fast_SymInt reads. */
EP_INLINE const char *short_sym_int(ep_decoder *d, const char *p, uint64_t *bits) {
    static const char opening[] = "{\"as_int\": ";
    const char *first = p + sizeof opening - 1;
    TRY(d->single_key && memcmp(p, opening, sizeof opening - 1) == 0 && ep_is_digit(*first));
    const char *end = first + 1;
    uint64_t n = (uint64_t)(*first - '0');
    for (; ep_is_digit(*end) && end - first < SHORT; end++) {
        n = n * 10 + (unsigned)(*end - '0');
    }
    TRY(*end == '}' && (*first != '0' || end == first + 1));
    ep_node *node = take(d, sizeof *node + sizeof n);
    TRY(node != NULL);
    node->type = TYPE_OF(SymInt);
    node->tag = d->schema->numbers[EP_ROW(SymInt, as_int, V1_2023_08)];
    node->present = 0;
    node->offset = (uint32_t)(p - d->lexer.begin);
    node->slots[0] = n;
    d->count++;
    *bits = ep_pointer_bits(node);
    return end + 1;
}

EP_INLINE const char *read_sym_int(ep_decoder *d, const char *p, uint64_t *bits) {
    const char *past = short_sym_int(d, p, bits);
    return EP_LIKELY(past != NULL) ? past : fast_SymInt(d, p, bits);
}

#define READ_OPTIONAL(of, item, second, other) return VALUE(of, item, p, bits);

#define READ_LIST(of, item, second, other)                                                         \
    size_t n = 0;                                                                                  \
    TRY(*p == '[');                                                                                \
    p = token(d, p + 1);                                                                           \
    *bits = 0;                                                                                     \
    if (*p == ']') {                                                                               \
        return p + 1;                                                                              \
    }                                                                                              \
    do {                                                                                           \
        uint64_t value = 0;                                                                        \
        TRY(is_room(d, p) && (p = VALUE(of, item, p, &value)) != NULL && push(d, value));          \
        n++;                                                                                       \
    } while (another(d, &p, ']'));                                                                 \
    return make_list(d, p, n, bits);

#define READ_DICT(of, item, second, other)                                                         \
    const ep_list *last = IS_STRING(of) ? d->last : NULL;                                          \
    bool known = IS_STRING(of);                                                                    \
    size_t n = 0;                                                                                  \
    TRY(*p == '{');                                                                                \
    p = token(d, p + 1);                                                                           \
    *bits = 0;                                                                                     \
    if (*p == '}') {                                                                               \
        return p + 1;                                                                              \
    }                                                                                              \
    do {                                                                                           \
        uint64_t value = 0;                                                                        \
        last = last != NULL && n < last->count ? last : NULL;                                      \
        TRY((p = read_key(d, p, last, n)) != NULL);                                                \
        known = known && d->recalled;                                                              \
        if (IS_STRING(of)) {                                                                       \
            TRY((p = read_text(d, p, last, last == NULL ? 0 : (size_t)last->count + n, &value)) != \
                NULL);                                                                             \
        } else {                                                                                   \
            TRY((p = VALUE(of, item, p, &value)) != NULL);                                         \
        }                                                                                          \
        TRY(push(d, value));                                                                       \
        n++;                                                                                       \
    } while (another(d, &p, '}'));                                                                 \
    TRY(p != NULL && (p = make_dict(d, p, n, known, bits)) != NULL);                               \
    d->last = IS_STRING(of) ? ep_list_at(*bits) : d->last;                                         \
    return p;

#define READ_TUPLE(of, item, second, other)                                                        \
    uint64_t value = 0;                                                                            \
    TRY(*p == '[');                                                                                \
    p = token(d, p + 1);                                                                           \
    TRY((p = VALUE(of, item, p, &value)) != NULL && push(d, value) && another(d, &p, ']'));        \
    TRY((p = VALUE(second, other, p, &value)) != NULL && push(d, value) && !another(d, &p, ']'));  \
    return make_list(d, p, 2, bits);

#define READ_OPEN_END(of, item, second, other)                                                     \
    return read_scalar(d, p, EP_SHAPE_int_or_infinite, bits);

#define SHAPE(name, form, of, second)                                                              \
    READER(name) {                                                                                 \
        READ_##form(EP_SHAPE_##of, fast_##of, EP_SHAPE_##second, fast_##second)                    \
    }
#include "schema/schema.def"

/* ------------------------------------------------------------------- types */

/* Which shapes may be null. */
enum { IS_OPTIONAL = 1, IS_LIST = 0, IS_DICT = 0, IS_TUPLE = 0, IS_OPEN_END = 0 };
#define SHAPE(name, form, of, second) NULLABLE_##name = IS_##form,
#define NAME(type) NULLABLE_##type = 0,
enum {
    NULLABLE_str = 0,
    NULLABLE_int = 0,
    NULLABLE_float = 0,
    NULLABLE_bool = 0,
    NULLABLE_unit = 0,
    NULLABLE_bytes = 0,
#include "schema/schema.def"
};

/* A value that is being read. */
typedef struct part {
    ep_kind kind;
    unsigned n;       /* slots, or tags, so far */
    unsigned read;    /* of them, those that are in the text */
    unsigned present; /* a bit for each slot that holds a value */
    uint64_t values;  /* of an enum: a bit for each */
    ep_node *node;
} part;

EP_INLINE const char *begin(ep_decoder *d, const char *p, part *x, unsigned type, uint64_t *bits) {
    if (x->kind == EP_KIND_ENUM) {
        return fast_int(d, p, bits);
    }
    size_t slots = x->kind == EP_KIND_UNION ? 1 : d->schema->types[type]->count;
    x->node = take(d, sizeof(ep_node) + slots * sizeof(uint64_t));
    TRY(x->node != NULL);
    x->node->type = (uint8_t)type;
    x->node->tag = EP_NO_MEMBER;
    x->node->offset = (uint32_t)(p - d->lexer.begin);
    return p;
}

EP_INLINE const char *end(ep_decoder *d, const char *p, const part *x, uint64_t *bits) {
    if (x->kind == EP_KIND_ENUM) {
        return *bits < 64 && (x->values >> *bits & 1) != 0 ? p : NULL;
    }
    if (EP_UNLIKELY(*p != '}')) {
        p = token(d, p);
        TRY(*p == '}');
    }
    x->node->present = (uint16_t)x->present;
    d->count += x->read;
    *bits = ep_pointer_bits(x->node);
    return p + 1;
}

/* The opening of a single-key union that is not spelled as PyTorch spells it, respelled,
 * with the first byte of its value; NULL if that is no help. */
static EP_NOINLINE const char *respell(ep_decoder *d, const char *p, const char *tag) {
    size_t size = 1;
    TRY(tag == p && *p == '{');
    p = token(d, p + 1);
    TRY(*p == '"');
    while (ep_is_plain(p[size]) && size < EP_LITERAL_SIZE) {
        size++;
    }
    d->value = token(d, p + size + 1);
    TRY(p[size] == '"' && *d->value == ':');
    d->value = token(d, d->value + 1);
    memset(d->tag, 0, sizeof d->tag);
    d->tag[0] = '{';
    memcpy(d->tag + 1, p, size + 1);
    memcpy(d->tag + size + 2, ": ", 2);
    d->tag[size + 4] = *d->value;
    return d->tag;
}

/* Each TYPE ends the function before and begins its own. */
#define BEGIN(type, its_kind, number)                                                              \
    READER(type) {                                                                                 \
        const char *tag = p;                                                                       \
        part x = {.kind = EP_KIND_##its_kind};                                                     \
        if (x.kind == EP_KIND_UNION && !d->single_key) {                                           \
            return fast_all_##type(d, p, bits);                                                    \
        }                                                                                          \
        TRY((p = begin(d, p, &x, number, bits)) != NULL);                                          \
    again:

#define END                                                                                        \
    if (x.kind == EP_KIND_UNION) {                                                                 \
        TRY((tag = respell(d, p, tag)) != NULL);                                                   \
        goto again;                                                                                \
    }                                                                                              \
    goto done;                                                                                     \
    done:                                                                                          \
    return end(d, p, &x, bits);                                                                    \
    }

#define IS_REQUIRED(fallback) (EP_FALLBACK_##fallback == EP_FALLBACK_REQUIRED)

/* The key of a first field, or of another. */
#define KEY(is_first, name) ((is_first) ? "{\"" #name "\": \"" : ", \"" #name "\": \"")

/* Whether the tag is as_none in a version where that is true. SPEC 3.6.7 */
#define IS_NONE(name, shape)                                                                       \
    ((shape) == EP_SHAPE_bool && sizeof(#name) == 8 && memcmp(#name, "as_none", 7) == 0)

#define VARIANT_VALUE(name, shape, read)                                                           \
    x.node->slots[0] = 0;                                                                          \
    TRY((p = VALUE(shape, read, p, &x.node->slots[0])) != NULL);                                   \
    TRY(!IS_NONE(name, shape) || x.node->slots[0] == 1);

/* {"tag": null, "other tag": value, ...}, of versions that write all. SPEC 3.6.1 */
#define ALL_BEGIN(type, number)                                                                    \
    READER(all_##type) {                                                                           \
        part x = {.kind = EP_KIND_UNION};                                                          \
        TRY((p = begin(d, p, &x, number, bits)) != NULL);

#define ALL_END                                                                                    \
    return x.node->tag == EP_NO_MEMBER ? NULL : end(d, p, &x, bits);                               \
    }

#define VARIANT(type, name, shape, id, since, until)                                               \
    if (EP_IN(d->release, since, until)) {                                                         \
        TRY(is_room(d, p));                                                                        \
        if (memcmp(p, ", \"" #name "\": null", sizeof(#name) + 9) == 0) {                          \
            p += sizeof(#name) + 9;                                                                \
        } else {                                                                                   \
            TRY((p = pass_key(d, p, KEY(x.n == 0, name), sizeof(#name) - 1)) != NULL);             \
            if (memcmp(p, "null", 4) == 0) {                                                       \
                p += 4;                                                                            \
            } else {                                                                               \
                TRY(x.node->tag == EP_NO_MEMBER);                                                  \
                x.node->tag = (uint8_t)x.n;                                                        \
                VARIANT_VALUE(name, EP_SHAPE_##shape, fast_##shape)                                \
            }                                                                                      \
        }                                                                                          \
        x.n++;                                                                                     \
        x.read++;                                                                                  \
    }
#define TYPE(type, kind, clause, since, until) ALL_END ALL_BEGIN(type, TYPE_OF(type))
#define TYPE_AGAIN(type, kind, clause, since, until)
ALL_BEGIN(nothing, 0)
#include "schema/schema.def"
ALL_END

/* SPEC 3.6 */
#define VARIANT(type, name, shape, id, since, until)                                               \
    if (EP_IN_ANY(since, until)) {                                                                 \
        size_t size = sizeof(#name) + 4;                                                           \
        if (memcmp(tag, KEY(true, name), size + IS_STRING(EP_SHAPE_##shape)) == 0 &&               \
            EP_IN(d->release, since, until)) {                                                     \
            p = EP_LIKELY(p == tag) ? p + size : d->value;                                         \
            VARIANT_VALUE(name, EP_SHAPE_##shape, fast_##shape)                                    \
            x.node->tag = d->schema->numbers[EP_ROW(type, name, since)];                           \
            x.read = 1;                                                                            \
            goto done;                                                                             \
        }                                                                                          \
    }

/* SPEC 3.5 */
#define FIELD(type, name, shape, fallback, id, since, until)                                       \
    if (EP_IN(d->release, since, until)) {                                                         \
        const char *at = NULL;                                                                     \
        if (IS_REQUIRED(fallback) || *p != '}') {                                                  \
            at = match(d, p, KEY(x.read == 0, name), sizeof(#name) - 1,                            \
                       IS_STRING(EP_SHAPE_##shape));                                               \
        }                                                                                          \
        if (at == NULL || (NULLABLE_##shape && memcmp(at, "null", 4) == 0)) {                      \
            TRY(at != NULL || !IS_REQUIRED(fallback));                                             \
            x.node->slots[x.n] = 0;                                                                \
            x.read += at != NULL;                                                                  \
            p = at != NULL ? at + 4 : p;                                                           \
        } else {                                                                                   \
            TRY((p = VALUE(EP_SHAPE_##shape, fast_##shape, at, &x.node->slots[x.n])) != NULL);     \
            x.present |= 1u << x.n;                                                                \
            x.read++;                                                                              \
        }                                                                                          \
        x.n++;                                                                                     \
    }

#define ENUMERATOR(type, name, value, since, until)                                                \
    x.values |= (uint64_t)EP_IN(d->release, since, until) << (value);

#define TYPE(type, kind, clause, since, until) END BEGIN(type, kind, TYPE_OF(type))
#define TYPE_AGAIN(type, kind, clause, since, until)
BEGIN(nothing, ENUM, 0)
#include "schema/schema.def"
END

    /* ------------------------------------------------------------------- entry */

    typedef const char *
    reader(ep_decoder *d, const char *p, uint64_t *bits);

#define NAME(type) [TYPE_OF(type)] = EP_IS_CUT(EP_SHAPE_##type) ? NULL : fast_##type,
static reader *const readers[EP_TYPE_COUNT] = {
#include "schema/schema.def"
};

void ep_fast_init(ep_decoder *d) {
    size_t size = (size_t)(d->lexer.end - d->lexer.begin);
    bool able = size > MARGIN && d->limits.string >= STRING_LEAST;
    d->safe = able ? d->lexer.end - MARGIN : d->lexer.begin;
    d->release = d->attempt->general ? -1 : ep_release_of(d->schema->version);
    d->single_key = d->schema->version->unions == EP_UNION_SINGLE_KEY;
}

/* Reads a value at the cursor, or leaves all as it was. */
EP_INLINE bool try_value(ep_decoder *d, reader *read, uint64_t *bits) {
    ep_block *block = d->attempt->arena->blocks;
    char *room = d->room;
    size_t count = d->count, values = d->values.count, keys = d->keys.count;
    const char *p = read(d, d->lexer.p, bits);
    if (EP_LIKELY(p != NULL && d->count <= d->limits.values)) {
        d->lexer.p = p;
        return true;
    }
    ep_arena_rewind(d->attempt->arena, (ep_arena_mark){block, (size_t)(room - (char *)block)});
    enter_block(d);
    d->count = count;
    d->values.count = values;
    d->keys.count = keys;
    d->last = NULL;
    return false;
}

/* The reader of a shape's values, where they can be read fast here. */
static reader *reader_of(const ep_decoder *d, const ep_shape *shape) {
    bool fast = shape->type != NULL && d->release >= 0 && is_room(d, d->lexer.p) &&
                d->depth + DEPTH <= d->limits.depth;
    return fast ? readers[shape->type->number] : NULL;
}

bool ep_fast_value(ep_decoder *d, const ep_shape *shape, uint64_t *bits) {
    reader *read = reader_of(d, shape);
    const char *start = d->lexer.p;
    TRY(read != NULL);
    enter_block(d);
    bool ok = try_value(d, read, bits);
    leave_block(d);
    d->lexer.p = ok ? d->lexer.p : start;
    return ok;
}

bool ep_fast_items(ep_decoder *d, const ep_shape *shape) {
    reader *read = reader_of(d, shape->of);
    bool ok;
    TRY(read != NULL);
    enter_block(d);
    const char *at = token(d, d->lexer.p);
    const char *next = at;
    do {
        uint64_t bits;
        d->lexer.p = at = next;
        d->count++;
        ok = try_value(d, read, &bits) && push(d, bits);
        d->count -= !ok;
        at = ok ? d->lexer.p : at;
        next = ok && at[0] == ',' && at[1] == ' ' ? at + 2 : NULL;
        if (next != NULL && shape->op == EP_OP_DICT) {
            next = read_key(d, next, NULL, 0);
        }
    } while (next != NULL && is_room(d, next));
    leave_block(d);
    d->lexer.p = next != NULL ? next : at;
    return ok && next == NULL;
}
