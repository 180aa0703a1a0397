/*
 * mutator/mutate_pickle.c - mutations of a pickle by its opcodes: they go, stand twice or
 * elsewhere, or become others; their numbers, texts and globals are changed. What cannot be
 * read to its end is mutated as far as it can be.
 */
#include "archive/pickle/operands.h"
#include "mutator/mutate_texts.def"
#include "mutator/mutate_zip.h"

#include <string.h>

enum { OPCODES_MAX = 1024 };

/* Opcodes of a pickle: where each begins, and behind the last. */
typedef struct pickling {
    zip_work *w;
    ep_bytes data;
    size_t at[OPCODES_MAX + 1];
    size_t count;
} pickling;

static void read_opcodes(pickling *p) {
#define OPCODE(code, argument, ...) [code] = ARGUMENT_##argument + 1,
    static const uint8_t arguments[256] = {
#include "archive/pickle/pickle.def"
    };
#undef OPCODE
    cursor at = {p->data.data, p->data.data + p->data.size};
    p->count = 0;
    while (at.p < at.end && p->count < OPCODES_MAX) {
        operands taken;
        uint8_t read = arguments[(uint8_t)*at.p++];
        if (read == 0 || !operands_take(&at, (argument)(read - 1), &taken)) {
            break;
        }
        p->at[++p->count] = (size_t)(at.p - p->data.data);
    }
}

static ep_bytes text_of(const pickling *p, size_t i) {
    return (ep_bytes){p->data.data + p->at[i], p->at[i + 1] - p->at[i]};
}

/* One of some codes, or of any; the count of all where there is none. */
static size_t draw_of(const pickling *p, const char *codes) {
    size_t first = random_below(&p->w->r, p->count);
    for (size_t i = 0; i < p->count; i++) {
        size_t at = (first + i) % p->count;
        char code = p->data.data[p->at[at]];
        if (codes == NULL || (code != '\0' && strchr(codes, code) != NULL)) {
            return at;
        }
    }
    return p->count;
}

/* For an opcode. */
static ep_bytes put(pickling *p, size_t i, ep_bytes with) {
    return i == p->count ? zip_nothing : zip_splice(p->w, p->data, p->at[i], p->at[i + 1], with);
}

static ep_bytes put_before(pickling *p, size_t i, ep_bytes with) {
    return zip_splice(p->w, p->data, p->at[i], p->at[i], with);
}

/* A run of opcodes, once more, there or elsewhere. */
static ep_bytes repeat_opcodes(pickling *p) {
    size_t first = draw_of(p, NULL);
    size_t left = p->count - first;
    size_t last = first + 1 + random_below(&p->w->r, left < 8 ? left : 8);
    size_t to = random_one_in(&p->w->r, 2) ? last : draw_of(p, NULL);
    ep_bytes run = {p->data.data + p->at[first], p->at[last] - p->at[first]};
    return put_before(p, to, run);
}

/* An opcode without an operand becomes another one. */
static ep_bytes change_code(pickling *p) {
    static const char codes[] = "(012N\x88\x89])}\x8f"
                                "aseutldo\x90\x91\x85\x86\x87\x94QRb\x81\x92\x93.";
    size_t i = draw_of(p, codes);
    char code = p->data.data[p->at[i == p->count ? 0 : i]];
    bool truth = code == '\x88' || code == '\x89';
    char made = truth ? (char)(code ^ 1) : codes[random_below(&p->w->r, sizeof codes - 1)];
    return put(p, i, (ep_bytes){&made, 1});
}

/* Sizes, strides, offsets, counts: near what they were, small, or far out. */
static ep_bytes change_integer(pickling *p) {
    static const int64_t far[] = {-1, 0, INT32_MAX, UINT32_MAX, INT64_MAX, INT64_MIN, 1 << 20};
    size_t i = draw_of(p, "KMJ\x8a");
    if (i == p->count) {
        return zip_nothing;
    }
    ep_bytes old = text_of(p, i);
    size_t skip = old.data[0] == '\x8a' ? 2 : 1;
    size_t size = old.size - skip < 8 ? old.size - skip : 8;
    uint64_t near = zip_get(old.data + skip, size) + random_below(&p->w->r, 5) - 2;
    uint64_t next[] = {near, near, random_below(&p->w->r, 10), (uint64_t)ZIP_DRAW(p->w, far)};
    uint64_t number = ZIP_DRAW(p->w, next);
    char made[10] = {number < 256 ? 'K' : '\x8a', number < 256 ? (char)number : 8};
    zip_put(made + 2, 8, number);
    return put(p, i, (ep_bytes){made, number < 256 ? 2 : sizeof made});
}

/* A text of the pickle for another one: a storage's key, a name, a device; or "0" and "1". */
static ep_bytes change_text(pickling *p) {
    size_t to = draw_of(p, "X");
    ep_bytes from = to == p->count ? zip_nothing : text_of(p, draw_of(p, "X"));
    if (from.data == NULL || !random_one_in(&p->w->r, 3)) {
        return put(p, to, from);
    }
    size_t last = p->at[to + 1] - 1;
    char other = (char)(p->data.data[last] ^ 1);
    return text_of(p, to).size > 5
               ? zip_splice(p->w, p->data, last, last + 1, (ep_bytes){&other, 1})
               : zip_nothing;
}

static ep_bytes change_global(pickling *p) {
    static const char *const globals[] = {PICKLE_GLOBALS};
    return put(p, draw_of(p, "c"), bytes_of(ZIP_DRAW(p->w, globals)));
}

/* Opcodes that pickles are judged by; {'neg': True, 'conj': True}, which stands behind the
 * last argument of a tensor, before a tuple. */
static ep_bytes insert_opcodes(pickling *p) {
    static const char *const opcodes[] = {PICKLE_OPCODES};
    static const ep_bytes metadata[] = {
        {"}X\3\0\0\0neg\x88s", 11},
        {"}X\4\0\0\0conj\x88s", 12},
        {"}(X\4\0\0\0conj\x88X\3\0\0\0neg\x88u", 23},
    };
    size_t tuple = draw_of(p, "t");
    bool tensor = tuple < p->count && random_one_in(&p->w->r, 2);
    return tensor ? put_before(p, tuple, ZIP_DRAW(p->w, metadata))
                  : put_before(p, draw_of(p, NULL), bytes_of(ZIP_DRAW(p->w, opcodes)));
}

static ep_bytes delete_opcode(pickling *p) {
    return put(p, draw_of(p, NULL), bytes_of(""));
}

ep_bytes zip_mutate_pickle(zip_work *w, ep_bytes pickle) {
    static ep_bytes (*const rows[])(pickling * p) = {
        delete_opcode, repeat_opcodes, change_code,   change_integer, change_integer,
        change_text,   change_text,    change_global, insert_opcodes, insert_opcodes,
    };
    pickling p = {.w = w, .data = pickle};
    for (size_t left = 1 + random_below(&w->r, 2); left > 0; left--) {
        read_opcodes(&p);
        zip_set(&p.data, p.count > 0 ? ZIP_DRAW(w, rows)(&p) : zip_nothing);
    }
    return p.data.data == pickle.data ? zip_nothing : p.data;
}
