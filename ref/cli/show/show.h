/*
 * show.h - the parts of epref show, each of which puts its section of a program
 * into the product.
 */
#ifndef CLI_SHOW_SHOW_H
#define CLI_SHOW_SHOW_H

#include "printer.h"

/* The sections, in their order. */
typedef enum show_part {
    SHOW_HEAD,
    SHOW_INPUTS,
    SHOW_OUTPUTS,
    SHOW_SYMBOLS,
    SHOW_GUARDS,
    SHOW_GRAPH,
    SHOW_PARTS
} show_part;

/* "inputs" */
const char *show_part_name(show_part part);

typedef enum show_kind {
    SHOW_ROW,   /* of any section but the graph */
    SHOW_NODE,  /* a node */
    SHOW_BEGIN, /* of a subgraph: its name and its inputs */
    SHOW_END    /* of a graph: what it returns */
} show_kind;

/* A line that goes to whoever takes lines. */
typedef struct show_row {
    show_part part;
    show_kind kind;
    size_t indent;
    ep_bytes line; /* with its marks */
    ep_value of;   /* an input or output of the graph, a node, a graph */
} show_row;

typedef void show_take(void *context, const show_row *row);

typedef struct show {
    const ep_program *program;
    ep_arena *arena; /* for what lives as long as the program */
    buffer *out;
    printer printer;
    size_t width;
    bool color;
    bool source;        /* say where nodes come from */
    buffer last_source; /* what was said last, in the graph at hand */
    show_part part;     /* the section at hand */
    show_take *take;    /* takes all lines in the place of out; may be NULL */
    void *take_context;
    size_t left; /* bytes that types may still be said in where values are mentioned, which
                    a file can do often: of JSON, where none is cut */
    bool failed; /* for want of memory; sticks */
} show;

/* What types may be said in, of a program of so many bytes. */
size_t show_room(size_t bytes);

/* The names of a graph's values, sorted, to their types. */
void show_names(show *s, ep_value graph, name_list *found);

/* The name of the value that an argument is; empty if it is a constant. */
ep_bytes show_value_name(show *s, ep_value argument);

/* Puts the range of the i-th symbol into the printer's line. */
void show_put_range(show *s, size_t i);

/* Begins a section: "inputs", on a line of its own. */
void show_heading(show *s, show_part part);

/* Puts the printer's line, and begins another. */
void show_line(show *s, size_t indent);

/* The same of a line that is of a part of the file. */
void show_part_line(show *s, size_t indent, show_kind kind, ep_value of);

/* Puts where a node comes from, if that is known. */
void show_put_source(show *s, ep_value node, buffer *b);

/* "schema 8.20, torch 2.13.0", into the printer's line. */
void show_put_versions(show *s);

/* All sections. The label is of the first line; NULL: there is none. Who takes lines gets
 * none of the head. */
void show_program(show *s, const ep_bytes *label);

void show_graph(show *s);

/* All of it as an object in a line. */
void show_put_json(show *s, ep_bytes label);

#endif
