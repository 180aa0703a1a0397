/*
 * printer.h - values, arguments and types of a program as people write them,
 * into a line (line.h): %name: f32[4, 2], [1, 2], "text", channels_last.
 */
#ifndef CLI_SHOW_PRINTER_H
#define CLI_SHOW_PRINTER_H

#include "common/names.h"

/* An array or object that is being printed. */
typedef struct printer_frame {
    ep_value value;
    size_t next;
    char close;
} printer_frame;

typedef struct printer {
    buffer line;
    name_list *values; /* of the graph at hand: what types are looked up in */
    ep_arena scratch;  /* for texts; printer_end_line empties it */
    printer_frame *frames;
    size_t depth;
    size_t capacity;
    bool full;   /* nothing is cut */
    bool typed;  /* values are followed by their types */
    bool failed; /* for want of memory; sticks */
} printer;

void printer_open(printer *p);
void printer_close(printer *p);

/* Empties the line, and what was allocated for it. */
void printer_end_line(printer *p);

/* An argument, or any other value. */
void printer_put(printer *p, ep_value value);

/* The type of a value by its name in the graph; false if it is not there. */
bool printer_put_type(printer *p, ep_bytes name);

/* "aten.linear", from "torch.ops.aten.linear.default" */
void printer_put_operator(printer *p, ep_bytes target);

/* "%name" or "@name" */
void printer_put_name(printer *p, char sign, ep_bytes name);

/* The TensorMeta of a value's type, which version 1 wraps; a null value if it
 * is no tensor's. */
ep_value printer_meta(ep_value type);

/* What people call the type of a symbolic number, "int"; NULL: it is none of one. */
const char *printer_number(ep_value type);

/* Cuts what was put into the line since `from`, when it is longer than what may be
 * said at each mention of a value. */
void printer_cut(printer *p, size_t from);

/* "4, 2", as many as there may be. */
void printer_put_sizes(printer *p, ep_value sizes);

/* "cuda:0" */
void printer_put_device(printer *p, ep_value device);

/* "f32", "channels_last" */
void printer_put_enumerator(printer *p, ep_value value);

/* An integer or a symbolic expression. */
void printer_put_size(printer *p, ep_value size);

#endif
