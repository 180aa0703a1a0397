/*
 * run/summary.h - what people read at the end of a run: what stands in the way, what
 * was not run, failures by cause, code and clause, what has changed, and a line with
 * all the numbers.
 */
#ifndef EPCONFORM_SUMMARY_H
#define EPCONFORM_SUMMARY_H

#include "run/terminal.h"

#define RED "\x1b[31m"
#define YELLOW "\x1b[33m"
#define GREEN "\x1b[32m"
#define PLAIN "\x1b[0m"

/* The words for a colour, "" where there is none. */
const char *terminal_paint(const terminal *t, const char *color);

void summary_print(const terminal *t, const run *r);

#endif
