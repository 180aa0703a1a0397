/*
 * helping.h - the texts of --help.
 */
#ifndef EPCONFORM_HELPING_H
#define EPCONFORM_HELPING_H

#include "carried.h"

#include <stdbool.h>
#include <stdio.h>

/* The embedded file of a name; NULL: there is none. */
const embedded_file *embedded_find(const char *name);

/* Prints the help of a command, "epconform" for all of them; false: none. */
bool help_print(const char *command, FILE *out);

#endif
