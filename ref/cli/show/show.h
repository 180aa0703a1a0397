/*
 * show.h - the parts of epref show, each of which puts its section of a program
 * into the product.
 */
#ifndef CLI_SHOW_SHOW_H
#define CLI_SHOW_SHOW_H

#include "printer.h"

typedef struct show {
    const ep_program *program;
    ep_arena *arena; /* for what lives as long as the program */
    buffer *out;
    printer printer;
    size_t width;
    bool color;
    bool source;        /* say where nodes come from */
    buffer last_source; /* what was said last, in the graph at hand */
    bool failed;        /* for want of memory; sticks */
} show;

/* The names of a graph's values, sorted, to their types. */
void show_names(show *s, ep_value graph, name_list *found);

/* "inputs", on a line of its own */
void show_heading(show *s, const char *heading);

/* Puts the printer's line, and begins another. */
void show_line(show *s, size_t indent);

/* Says where a node comes from, unless that is what was said last. */
void show_source(show *s, ep_value node, size_t indent);

void show_signature(show *s);
void show_graph(show *s);

#endif
