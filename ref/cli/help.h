/*
 * help.h - what epref says of itself, made from commands.def and options.def.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "options.h"

/* The help of a command, or of epref for COMMAND_NONE. */
void help_put(buffer *b, command_id command);

#endif
