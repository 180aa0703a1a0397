/*
 * listing.h - the inputs, outputs and graph of a program as epref show prints them, line by
 * line, each with the part of the file that it is of.
 */
#ifndef CLI_COMPARE_LISTING_H
#define CLI_COMPARE_LISTING_H

#include "cli/show/show.h"

#define LISTING_NONE UINT32_MAX

typedef struct listing_row {
    size_t at; /* its line in the listing's text, with marks */
    size_t size;
    size_t number;  /* the line of epref show, were lines not broken; from 1 */
    size_t offset;  /* of its part in the file; of the last line of a graph that before it */
    uint32_t owner; /* of a subgraph's first line the row of its node, of its other lines that
                       of the first; else none */
    uint32_t end;   /* of a subgraph's first line: its last */
    uint16_t indent;
    uint8_t part; /* show_part */
    uint8_t kind; /* show_kind */
} listing_row;

typedef struct listing {
    buffer text;
    listing_row *rows;
    size_t count;
    size_t capacity;
    size_t parts[SHOW_PARTS + 1]; /* the first row of each section */
    bool failed;                  /* for want of memory; sticks */
} listing;

/* Lists a program. full: nothing is cut. False for want of memory; listing_free in any case. */
bool listing_make(listing *l, const ep_program *program, ep_arena *arena, bool full);

ep_bytes listing_line(const listing *l, uint32_t row);

/* The row of the part at an offset, or none. */
uint32_t listing_find(const listing *l, size_t offset);

void listing_free(listing *l);

#endif
