/*
 * carried.h - files of this folder that are inside the program: texts of
 * help, starter adapters. CMakeLists.txt lists them.
 */
#ifndef EPCONFORM_CARRIED_H
#define EPCONFORM_CARRIED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct embedded_file {
    const char *name;           /* "help/run.txt" */
    const unsigned char *bytes; /* with a zero behind them */
    size_t size;
} embedded_file;

/* The last one has no name. */
extern const embedded_file EMBEDDED[];

/* The embedded file of a name; NULL: there is none. */
const embedded_file *embedded_find(const char *name);

/* Prints the help of a command, "epconform" for all of them; false: none. */
bool help_print(const char *command, FILE *out);

#endif
