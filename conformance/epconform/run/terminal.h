/*
 * run/terminal.h - what people see: a bar while a run goes on, lines of failures, of
 * each kind the first ones, and a summary whose last line has all the numbers.
 */
#ifndef EPCONFORM_TERMINAL_H
#define EPCONFORM_TERMINAL_H

#include "run/tally.h"

#include <stdint.h>
#include <stdio.h>

typedef struct terminal {
    FILE *out;
    bool quiet;
    bool verbose; /* a line for every vector */
    bool color;
    bool bar;             /* on standard error */
    const char *baseline; /* the file of expected failures; NULL: none */
    size_t done;
    size_t failed;
    tally seen;    /* the failures that were told, or left out as one more of a kind */
    int64_t drawn; /* when the bar was drawn last */
} terminal;

/* Whether to colour, of --color, into a bool: "auto" asks whether the output is a terminal. */
argument_take terminal_color;

/* A result_seen. */
void terminal_seen(void *context, const run *r, const result *one);

/* Clears the bar, and prints the summary. */
void terminal_sum(terminal *t, const run *r);

void terminal_free(terminal *t);

#define RED "\x1b[31m"
#define YELLOW "\x1b[33m"
#define GREEN "\x1b[32m"
#define PLAIN "\x1b[0m"

/* The words for a colour, "" where there is none. */
const char *terminal_paint(const terminal *t, const char *color);

/* summary.c */
void summary_print(const terminal *t, const run *r);

#endif
