/*
 * unpickle_parts.h - what the files of the reader of pickles share: the values
 * (unpickle_values.c), what calls of known functions make (rebuild.c), what opcodes do
 * (unpickle_steps.c), and the machine (unpickle.c).
 */
#ifndef ARCHIVE_UNPICKLE_PARTS_H
#define ARCHIVE_UNPICKLE_PARTS_H

#include "operands.h"
#include "unpickle.h"

/* Numbers of values, that of a mark among them. */
typedef struct numbers {
    uint32_t *items;
    size_t count;
    size_t capacity;
} numbers;

struct unpickler_row;

typedef struct unpickler {
    unpickled *u;
    cursor at;
    const struct unpickler_row *row; /* of the opcode */
    operands o;                      /* likewise */
    numbers stack;
    numbers memo;
    size_t memo_count;
    size_t memo_max; /* see operands_memo_room */
    size_t value_room;
    size_t link_room;
    size_t tensor_room;
    size_t storage_room;
    bool failed; /* for want of memory */
} unpickler;

/* What an opcode does; NULL for what is none. The rest is that of its row in pickle.def. */
typedef bool unpickler_step(unpickler *m);

typedef struct unpickler_row {
    unpickler_step *step;
    pickled_kind kind;
    argument argument;
    uint8_t pops;
    bool variant;
} unpickler_row;

extern const unpickler_row unpickler_rows[256];

/* Both return false. */
static inline bool unpickler_refuse(unpickler *m, const char *why) {
    m->u->why = m->u->why != NULL ? m->u->why : why;
    return false;
}

static inline bool unpickler_malformed(unpickler *m) {
    return unpickler_refuse(m, "it is malformed");
}

static inline bool unpickler_refuse_call(unpickler *m) {
    return unpickler_refuse(m, "it calls what is no function or class");
}

bool unpickler_push_number(unpickler *m, uint32_t number);
bool unpickler_reserve_numbers(unpickler *m, numbers *n, size_t count);

/* Makes a value, and puts it on the stack. */
bool unpickler_push(unpickler *m, pickled_value value);

/* Puts a value behind the items of another. */
bool unpickler_append(unpickler *m, pickled_items *items, uint32_t value);

/* Calls a function with arguments: pushes what it returns. */
bool unpickler_call(unpickler *m, uint32_t function, uint32_t arguments);

/* Pushes the storage of a persistent id. */
bool unpickler_load(unpickler *m, uint32_t id);

/* Room for one more item behind `count` of `size` bytes each. */
bool unpickler_reserve(unpickler *m, void *list, size_t *room, size_t count, size_t size);

#endif
