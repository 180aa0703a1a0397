/*
 * mutator/mutate_pickle.c - mutations of a pickle by its opcodes: they go, stand twice or
 * elsewhere, or become others; their numbers, texts and globals are changed. What cannot be
 * read to its end is mutated as far as it can be.
 */
#include "archive/pickle/operands.h"
#include "common/buffer.h"
#include "mutator/mutate_texts.def"
#include "mutator/mutate_zip.h"

#include <string.h>

enum { OPCODES_MAX = 1024 };

typedef struct opcode {
    uint32_t begin;
    uint32_t end;
    uint8_t code;
} opcode;

typedef struct pickling {
    mutate_random *r;
    char *data;
    size_t size;
    size_t room;
    opcode opcodes[OPCODES_MAX];
    size_t count;
} pickling;

static void read_opcodes(pickling *p) {
#define OPCODE(code, argument, pops, effect) [code] = ARGUMENT_##argument + 1,
    static const uint8_t arguments[256] = {
#include "archive/pickle/pickle.def"
    };
#undef OPCODE
    cursor at = {p->data, p->data + p->size};
    p->count = 0;
    while (at.p < at.end && p->count < OPCODES_MAX) {
        opcode *o = &p->opcodes[p->count];
        operands taken;
        o->begin = (uint32_t)(at.p - p->data);
        o->code = (uint8_t)*at.p++;
        if (arguments[o->code] == 0 ||
            !operands_take(&at, (argument)(arguments[o->code] - 1), &taken)) {
            break;
        }
        o->end = (uint32_t)(at.p - p->data);
        p->count++;
    }
}

/* Puts bytes, which lie elsewhere, for others. */
static bool put(pickling *p, size_t begin, size_t end, ep_bytes with) {
    size_t kept = p->size - (end - begin);
    if (with.size > p->room - kept) {
        return false;
    }
    memmove(p->data + begin + with.size, p->data + end, p->size - end);
    if (with.size > 0) {
        memcpy(p->data + begin, with.data, with.size);
    }
    p->size = kept + with.size;
    return true;
}

static const opcode *draw_opcode(const pickling *p) {
    return &p->opcodes[mutate_below(p->r, p->count)];
}

/* One of some codes; NULL where there is none. */
static const opcode *draw_of(const pickling *p, const char *codes) {
    size_t first = mutate_below(p->r, p->count);
    for (size_t i = 0; i < p->count; i++) {
        const opcode *o = &p->opcodes[(first + i) % p->count];
        if (o->code != 0 && strchr(codes, o->code) != NULL) {
            return o;
        }
    }
    return NULL;
}

static bool delete_opcode(pickling *p) {
    const opcode *o = draw_opcode(p);
    return put(p, o->begin, o->end, (ep_bytes){"", 0});
}

/* A run of opcodes, once more, there or elsewhere. */
static bool repeat_opcodes(pickling *p) {
    char kept[256];
    const opcode *first = draw_opcode(p);
    size_t left = (size_t)(p->opcodes + p->count - first);
    const opcode *last = first + mutate_below(p->r, left < 8 ? left : 8);
    size_t size = last->end - first->begin;
    const opcode *to = mutate_one_in(p->r, 2) ? last : draw_opcode(p);
    if (size > sizeof kept) {
        return false;
    }
    memcpy(kept, p->data + first->begin, size);
    return put(p, to->end, to->end, (ep_bytes){kept, size});
}

static bool swap_opcodes(pickling *p) {
    char kept[256];
    const opcode *a = draw_opcode(p);
    const opcode *b = a + 1;
    if (b == p->opcodes + p->count || a->end - a->begin > sizeof kept) {
        return false;
    }
    size_t size = a->end - a->begin;
    memcpy(kept, p->data + a->begin, size);
    memmove(p->data + a->begin, p->data + b->begin, b->end - b->begin);
    memcpy(p->data + a->begin + (b->end - b->begin), kept, size);
    return true;
}

/* An opcode without an operand becomes another one. */
static bool change_code(pickling *p) {
    static const char codes[] = "(012N\x88\x89])}\x8f"
                                "aseutldo\x90\x91\x85\x86\x87\x94QRb\x81\x92\x93.";
    const opcode *o = draw_of(p, codes);
    if (o == NULL) {
        return false;
    }
    bool truth = o->code == 0x88 || o->code == 0x89;
    p->data[o->begin] = truth ? (char)(o->code ^ 1) : codes[mutate_below(p->r, sizeof codes - 1)];
    return true;
}

/* Sizes, strides, offsets, counts: near what they were, small, or far out. */
static bool change_integer(pickling *p) {
    static const int64_t far[] = {-1, 0, INT32_MAX, UINT32_MAX, INT64_MAX, INT64_MIN, 1 << 20};
    const opcode *o = draw_of(p, "KMJ\x8a");
    if (o == NULL) {
        return false;
    }
    size_t skip = o->code == 0x8a ? 2 : 1;
    size_t size = o->end - o->begin - skip;
    int64_t number = (int64_t)zip_get(p->data + o->begin + skip, size < 8 ? size : 8);
    char made[10] = {(char)0x8a, 8};
    switch (mutate_below(p->r, 4)) {
    case 0:
        number = (int64_t)mutate_below(p->r, 10);
        break;
    case 1:
        number = far[mutate_below(p->r, sizeof far / sizeof far[0])];
        break;
    default:
        number = (int64_t)((uint64_t)number + mutate_below(p->r, 5) - 2);
    }
    if (number >= 0 && number < 256) {
        made[0] = 'K';
        made[1] = (char)number;
        return put(p, o->begin, o->end, (ep_bytes){made, 2});
    }
    zip_put(made + 2, 8, (uint64_t)number);
    return put(p, o->begin, o->end, (ep_bytes){made, sizeof made});
}

/* A text of the pickle for another one: a storage's key, a name, a device. */
static bool change_text(pickling *p) {
    char kept[256];
    const opcode *to = draw_of(p, "X");
    const opcode *from = draw_of(p, "X");
    if (to == NULL || to == from) {
        return false;
    }
    size_t size = from->end - from->begin;
    if (mutate_one_in(p->r, 3)) { /* "0" and "1" */
        bool empty = to->end - to->begin == 5;
        p->data[to->end - 1] = (char)(p->data[to->end - 1] ^ (empty ? 0 : 1));
        return !empty;
    }
    if (size > sizeof kept) {
        return false;
    }
    memcpy(kept, p->data + from->begin, size);
    return put(p, to->begin, to->end, (ep_bytes){kept, size});
}

static bool change_global(pickling *p) {
    static const char *const globals[] = {PICKLE_GLOBALS};
    const opcode *o = draw_of(p, "c");
    return o != NULL &&
           put(p, o->begin, o->end,
               bytes_of(globals[mutate_below(p->r, sizeof globals / sizeof globals[0])]));
}

/* A storage is of complex numbers, as tensors are that are conjugate. */
static bool make_complex(pickling *p) {
    for (size_t i = 0; i < p->count; i++) {
        const opcode *o = &p->opcodes[i];
        ep_bytes text = {p->data + o->begin, o->end - o->begin};
        if (o->code == 'c' && bytes_end(text, "Storage\n")) {
            return put(p, o->begin, o->end, bytes_of("ctorch\nComplexFloatStorage\n"));
        }
    }
    return false;
}

/* {'neg': True, 'conj': True} behind the last argument of a tensor, and a tuple. */
static bool add_metadata(pickling *p) {
    static const ep_bytes made[] = {
        {"}X\3\0\0\0neg\x88s", 11},
        {"}X\4\0\0\0conj\x88s", 12},
        {"}(X\4\0\0\0conj\x88X\3\0\0\0neg\x88u", 23},
    };
    const opcode *o = draw_of(p, "t");
    if (mutate_one_in(p->r, 2) && make_complex(p)) {
        read_opcodes(p);
        o = draw_of(p, "t");
    }
    return o != NULL &&
           put(p, o->begin, o->begin, made[mutate_below(p->r, sizeof made / sizeof made[0])]);
}

size_t zip_mutate_pickle(mutate_random *r, char *data, size_t size, size_t room) {
    static bool (*const rows[])(pickling * p) = {
        delete_opcode,  repeat_opcodes, swap_opcodes, change_code, change_integer, change_integer,
        change_integer, change_text,    change_text,  change_text, change_global,  add_metadata,
    };
    pickling p = {.r = r, .data = data, .size = size, .room = room};
    bool done = false;
    for (size_t left = 1 + mutate_below(r, 2); left > 0; left--) {
        read_opcodes(&p);
        done = (p.count > 0 && rows[mutate_below(r, sizeof rows / sizeof rows[0])](&p)) || done;
    }
    return done ? p.size : 0;
}
