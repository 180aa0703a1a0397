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
    size_t left;        /* bytes that types may still be said in where values are mentioned, which
                           a file can do often: of JSON, where none is cut */
    bool failed;        /* for want of memory; sticks */
} show;

/* What types may be said in, of a program of so many bytes. */
size_t show_room(size_t bytes);

/* The names of a graph's values, sorted, to their types. */
void show_names(show *s, ep_value graph, name_list *found);

/* The name of the value that an argument is; empty if it is a constant. */
ep_bytes show_value_name(show *s, ep_value argument);

/* Puts the range of the i-th symbol into the printer's line. */
void show_put_range(show *s, size_t i);

/* "inputs", on a line of its own */
void show_heading(show *s, const char *heading);

/* Puts the printer's line, and begins another. */
void show_line(show *s, size_t indent);

/* Puts where a node comes from, if that is known. */
void show_put_source(show *s, ep_value node, buffer *b);

/* Says where a node comes from, unless that is what was said last. */
void show_source(show *s, ep_value node, size_t indent);

void show_signature(show *s);
void show_graph(show *s);

/* All of it as an object in a line. */
void show_put_json(show *s, ep_bytes label);

#endif
