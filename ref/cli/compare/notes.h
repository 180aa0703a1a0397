/*
 * notes.h - what differs and is seen in no line of epref show: a field, and what both
 * programs say there. A note belongs to a row, or to the program.
 */
#ifndef CLI_COMPARE_NOTES_H
#define CLI_COMPARE_NOTES_H

#include "pairing.h"

typedef struct note {
    size_t at[2]; /* of what each program says, in the texts; without a line end */
    size_t size[2];
    uint32_t next; /* of the same row, or none */
} note;

typedef struct notes {
    const pairing *pairs;
    buffer texts;
    note *items;
    size_t count;
    size_t capacity;
    size_t of_pairs;    /* the first so many notes */
    uint32_t *first[2]; /* of each row: its first note, or none */
    uint32_t *last[2];
    uint32_t program_first; /* of the program */
    uint32_t program_last;
    uint32_t spare_first; /* of some differences that were heard of, and are seen in a line */
    uint32_t spare_last;
    size_t spare;
    bool failed; /* for want of memory; sticks */
} notes;

/* Notes what the lines of a pairing look the same for, and are not. False for want of memory;
 * notes_free in any case. */
bool notes_make(notes *n, pairing *pairs);

/* Notes what ep_diff told, unless a line shows it. */
void notes_hear(notes *n, const ep_difference *difference);

/* When all was heard: where no line differs after all, what was heard is noted. */
void notes_settle(notes *n);

/* Whether a row has notes. */
bool notes_of(const notes *n, size_t side, uint32_t row);

ep_bytes notes_text(const notes *n, const note *item, size_t side);

/* What stands there: {"as_int": 3}, "7 (FLOAT)", or why nothing does. */
void notes_put_text(buffer *b, const ep_diff_side *side);

void notes_free(notes *n);

#endif
