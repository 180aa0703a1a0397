/*
 * operands.h - what stands behind the opcodes of pickle, by the rows of pickle.def.
 */
#ifndef ARCHIVE_OPERANDS_H
#define ARCHIVE_OPERANDS_H

#include "cursor.h"

typedef enum argument {
    ARGUMENT_NONE,
    ARGUMENT_BYTES_1,
    ARGUMENT_BYTES_2,
    ARGUMENT_BYTES_4,
    ARGUMENT_BYTES_8,
    ARGUMENT_SIZED_1, /* as many bytes as the number before them says */
    ARGUMENT_SIZED_4,
    ARGUMENT_SIZED_8,
    ARGUMENT_LINE,
    ARGUMENT_LINES /* two */
} argument;

/* The numbers of a memo that a pickle of so many bytes may use are below this one: those of one
 * byte, and no more than it has bytes, so that what a memo takes is linear in the pickle.
 * torch.save remembers some ten for each tensor. SPEC 8.5.2 */
static inline size_t operands_memo_room(size_t size) {
    enum { LEAST = 1 << 8, MOST = 1 << 24 };
    return size < LEAST ? LEAST : size < MOST ? size : MOST;
}

/* A number of a memo in a line of protocol 0; one beyond the most is the most. False for what is
 * none. */
static inline bool operands_line_number(ep_bytes line, size_t most, uint64_t *number) {
    *number = 0;
    for (size_t i = 0; i < line.size; i++) {
        if (line.data[i] < '0' || line.data[i] > '9') {
            return false;
        }
        *number = *number * 10 + (uint64_t)(line.data[i] - '0');
        *number = *number < most ? *number : most;
    }
    return line.size > 0;
}

/* What stands after an opcode. */
typedef struct operands {
    uint64_t number;
    ep_bytes text;
    ep_bytes second;
} operands;

static inline bool operands_take(cursor *c, argument kind, operands *o) {
    switch (kind) {
    case ARGUMENT_NONE:
        return true;
    case ARGUMENT_BYTES_1:
        return cursor_number(c, 1, &o->number);
    case ARGUMENT_BYTES_2:
        return cursor_number(c, 2, &o->number);
    case ARGUMENT_BYTES_4:
        return cursor_number(c, 4, &o->number);
    case ARGUMENT_BYTES_8:
        return cursor_number(c, 8, &o->number);
    case ARGUMENT_SIZED_1:
        return cursor_number(c, 1, &o->number) && cursor_bytes(c, o->number, &o->text);
    case ARGUMENT_SIZED_4:
        return cursor_number(c, 4, &o->number) && cursor_bytes(c, o->number, &o->text);
    case ARGUMENT_SIZED_8:
        return cursor_number(c, 8, &o->number) && cursor_bytes(c, o->number, &o->text);
    case ARGUMENT_LINE:
        return cursor_line(c, &o->text);
    case ARGUMENT_LINES:
        return cursor_line(c, &o->text) && cursor_line(c, &o->second);
    }
    return false;
}

#endif
