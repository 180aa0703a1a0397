/*
 * layout.h - how a tensor lies in memory, as far as its type in epref show does not say it.
 */
#ifndef CLI_COMPARE_LAYOUT_H
#define CLI_COMPARE_LAYOUT_H

#include "cli/show/printer.h"

typedef enum layout_part {
    LAYOUT_STRIDES, /* "strides (1, 4)" */
    LAYOUT_ORDER,   /* the same, or "contiguous", as where sizes differ strides have to */
    LAYOUT_OFFSET,  /* "offset 2" */
    LAYOUT_GRAD,    /* "requires grad", "no grad" */
    LAYOUT_DEVICE   /* "on cpu:0" */
} layout_part;

enum { LAYOUT_PARTS = LAYOUT_DEVICE + 1 };

/* Puts a part into the printer's line; nothing for what is no tensor. */
void layout_put(printer *p, ep_value type, layout_part part);

#endif
