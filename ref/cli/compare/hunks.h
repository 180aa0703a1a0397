/*
 * hunks.h - two programs as a unified diff of what epref show prints of them; or as JSON, an
 * object in a line for each hunk, with nothing folded or summed up.
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
    bool json; /* and full */
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

/* False for want of memory. The steps are freed with memory_free. */
bool hunks_steps(const hunks *h, show_part part, hunk_steps *steps);

/* Puts all hunks. Of JSON: {"section": "graph", "a": {"line": 12, "count": 7}, "b": ...,
 * "lines": [...]}. False for want of memory. */
bool hunks_put(const hunks *h);

/* Puts the notes of the program, where there are any; of JSON, with null for a section. */
void hunks_put_notes(const hunks *h);

/* Puts a line that begins with a sign, in its colour: '-', '+', ' ', '~' or '@'. */
void hunks_begin_line(const hunks *h, char sign);
void hunks_end_line(const hunks *h, char sign);

#endif
