/*
 * help.h - what epref says of itself, made from commands.def and options.def: its help, and the
 * command line completed in bash, zsh and fish.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "options.h"

/* The help of a command, or of epref for COMMAND_NONE. */
void help_put(buffer *b, command_id command);

/* The script for a shell: one of the choices of --completions; or for "line" what completes the
 * last word of a line, a word a line. */
void completions_put(buffer *b, const char *shell, const char *line);

#endif
