/*
 * terminal.h - standard error, and what the terminal shows.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "epref.h"

/* Writes to standard error; there is nowhere to tell of a failure. */
void terminal_tell(ep_bytes text);

/* Whether colours are wanted on standard output, or error, by its terminal and environment. */
bool terminal_colors(bool errors);

/* The width of the terminal that standard output is; 0 if it is none. */
size_t terminal_columns(void);

#endif
