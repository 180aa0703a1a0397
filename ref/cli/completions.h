/*
 * completions.h - the command line completed in bash, zsh and fish. What a script asks the
 * command answers from commands.def and options.def.
 */
#ifndef CLI_COMPLETIONS_H
#define CLI_COMPLETIONS_H

#include "options.h"

/* The script for a shell: one of the choices of --completions; or for "line" what completes the
 * last word of a line, a word a line. */
void completions_put(buffer *b, const char *shell, const char *line);

#endif
