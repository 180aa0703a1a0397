/*
 * comparison.h - the differences of two programs, by the lines of epref show that they are in.
 */
#ifndef CLI_COMPARE_COMPARISON_H
#define CLI_COMPARE_COMPARISON_H

#include "cli/show/show.h"

#define LISTING_NONE UINT32_MAX

/* Notes of a row, or of none; the numbers of the first, or none, and of the last. */
typedef struct note_list {
    uint32_t first;
    uint32_t last;
} note_list;

typedef struct listing_row {
    size_t at; /* its line in the listing's text, with marks */
    size_t size;
    size_t number;  /* the line of epref show, were lines not broken; from 1 */
    size_t offset;  /* of its part in the file; of the last line of a graph that before it */
    uint32_t owner; /* of a subgraph's first line the row of its node, of its other lines that
                       of the first; else none */
    uint32_t end;   /* of a subgraph's first line: its last */
    uint16_t indent;
    uint8_t part;     /* show_part */
    uint8_t kind;     /* show_kind */
    uint8_t state;    /* what differs in it */
    uint32_t partner; /* the other program's, or none */
    note_list notes;
} listing_row;

typedef struct listing {
    buffer text;
    listing_row *rows;
    size_t count;
    size_t capacity;
    size_t parts[SHOW_PARTS + 1]; /* the first row of each section */
    bool failed;                  /* for want of memory; sticks */
} listing;

ep_bytes listing_line(const listing *l, uint32_t row);

/* What differs in a row. */
enum {
    ROW_ALONE = 1,   /* only one program has it */
    ROW_CHANGED = 2, /* it says something else */
    ROW_RETYPED = 4  /* a value that it gives is another */
};

/* What differs and is shown in no line: what each program says there, or nothing. */
typedef struct comparison_note {
    size_t at[2]; /* in the texts; without a line end */
    size_t size[2];
    uint32_t next;     /* of the same row, or none */
    show_part section; /* of one that no row has; SHOW_PARTS: none */
} comparison_note;

typedef struct comparison {
    const ep_program *programs[2];
    ep_arena *arenas[2];
    bool full;
    bool open; /* something differs or corresponds: the rest is there */
    listing sides[2];
    note_list own; /* of the programs */
    buffer texts;
    comparison_note *notes;
    size_t count;
    size_t capacity;
    bool failed; /* for want of memory; sticks */
} comparison;

/* An ep_diff_hear_parts and an ep_diff_hear: comparison_end behind the last. */
void comparison_parts(void *context, const size_t parts[2], const ep_diff_group *differ);
void comparison_take(void *context, const ep_difference *difference);
void comparison_end(comparison *t);

/* Whether only one program has a row. */
bool comparison_alone(const comparison *t, size_t side, uint32_t row);

/* Whether two rows say the same types. */
bool comparison_same_types(const comparison *t, const uint32_t rows[2]);

ep_bytes comparison_text(const comparison *t, const comparison_note *note, size_t side);

/* What stands there: {"as_int": 3}, "7 (FLOAT)", or why nothing does. */
void comparison_put_side(buffer *b, const ep_diff_side *side);

void comparison_free(comparison *t);

#endif
