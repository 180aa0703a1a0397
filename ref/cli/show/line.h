/*
 * line.h - one statement on its way to the screen: text with marks for colours
 * and for places where it may be broken, and the breaking of it. Text from a
 * file has passed through safe.h, so it holds no byte that is a mark.
 */
#ifndef CLI_SHOW_LINE_H
#define CLI_SHOW_LINE_H

#include "cli/style.h"

/* Marks, besides those of print (%m). */
enum {
    LINE_BREAK = 1, /* a space, or a line break if what follows to the next one does not fit */
    LINE_INNER_BREAK = 2, /* ... only where the whole between two outer ones does not fit */
    LINE_CELL = 3         /* the end of a cell, in a line that is a row of a table */
};

/* Where and how a line goes out. */
typedef struct line_layout {
    size_t indent;
    size_t width;
    bool color;
} line_layout;

/* Puts a line, broken to the width with what is broken off indented further. */
void line_put(buffer *out, const line_layout *layout, ep_bytes line);

/* The line without its marks. */
void line_plain(buffer *out, ep_bytes line);

/* What a line is made of, for who compares it: a piece of text, and where it stands. */
typedef struct line_piece {
    ep_bytes text; /* without marks */
    style in;      /* its style */
    bool cell;     /* what ends a cell; no text */
    bool space;    /* a break; no text */
} line_piece;

/* Takes the next piece off a line. False at its end. */
bool line_next(ep_bytes *line, line_piece *piece);

#endif
