/*
 * line.h - one statement on its way to the screen: text with marks for colours
 * and for places where it may be broken, and the breaking of it. Text from a
 * file has passed through safe.h, so it holds no byte that is a mark.
 */
#ifndef CLI_SHOW_LINE_H
#define CLI_SHOW_LINE_H

#include "cli/style.h"

/* A space, or a line break if what follows to the next break does not fit; an
 * inner one only where the whole between two outer ones does not fit. */
void line_break(buffer *line);
void line_inner_break(buffer *line);

/* The end of a cell, in a line that is a row of a table. */
void line_cell(buffer *line);

/* Another style from here on. */
void line_style(buffer *line, style wanted);

/* A word in a style. */
void line_word(buffer *line, style wanted, const char *word);

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
