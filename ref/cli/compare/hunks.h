/*
 * hunks.h - two programs as a unified diff of what epref show prints of them.
 */
#ifndef CLI_COMPARE_HUNKS_H
#define CLI_COMPARE_HUNKS_H

#include "notes.h"

typedef struct hunks {
    const pairing *pairs;
    const notes *notes;
    buffer *out;
    size_t context; /* lines around what differs */
    bool color;
    bool full; /* nothing is folded or summed up */
} hunks;

/* What a row of the two programs comes to. */
typedef struct hunk_step {
    uint32_t row[2]; /* none: the program does not have it */
    bool apart;      /* it differs, as it is printed */
} hunk_step;

/* The rows of a section of both, in their order. */
typedef struct hunk_steps {
    hunk_step *items;
    size_t count;
} hunk_steps;

/* Some of them, around what differs. */
typedef struct hunk {
    show_part part;
    hunk_steps steps;
    size_t next[2]; /* of each listing, the first row that is not before the hunk */
} hunk;

/* False for want of memory. The steps are freed with memory_free. */
bool hunks_steps(const hunks *h, show_part part, hunk_steps *steps);

/* Called with each hunk. */
typedef void hunk_take(const hunks *h, void *context, const hunk *one);

/* Calls take for the hunks of all sections, in order. False for want of memory. */
bool hunks_each(const hunks *h, hunk_take *take, void *context);

/* The first line of a hunk in what epref show prints, and the number of lines; the line before,
 * where there are none. */
typedef struct hunk_range {
    size_t line;
    size_t count;
} hunk_range;

hunk_range hunks_range(const hunks *h, const hunk *one, size_t side);

/* Puts all hunks. False for want of memory. */
bool hunks_put(const hunks *h);

/* Puts the notes of the program. */
void hunks_put_notes(const hunks *h);

/* Puts a line that begins with a sign, in its colour: '-', '+', ' ', '~' or '@'. */
void hunks_begin_line(const hunks *h, char sign);
void hunks_end_line(const hunks *h, char sign);

#endif
