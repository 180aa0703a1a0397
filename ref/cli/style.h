/*
 * style.h - colours, and whether they are wanted.
 */
#ifndef CLI_STYLE_H
#define CLI_STYLE_H

#include "options.h"

typedef enum style {
    STYLE_PLAIN,
    STYLE_HEADING,
    STYLE_DIM,
    STYLE_ERROR,
    STYLE_WARNING,
    STYLE_VALUE,    /* %name */
    STYLE_OPERATOR, /* aten.linear */
    STYLE_TYPE,     /* f32[4, 2] */
    STYLE_LITERAL,  /* 1.5, "text" */
    STYLE_GRAPH,    /* @name */
    STYLE_REMOVED,
    STYLE_ADDED,
    STYLE_HUNK, /* where it is that lines were removed and added */
    STYLE_COUNT
} style;

/* In a line that is on its way to the screen (show/line.h), each is a byte, from here on. */
enum { STYLE_MARK = 16 };

/* Switches from here on, if there are to be colours. */
void style_put(buffer *b, bool color, style wanted);

/* --color, and for auto the stream, NO_COLOR and TERM. */
bool style_on_output(const options *o);
bool style_on_errors(const options *o);

#endif
