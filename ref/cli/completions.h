/*
 * completions.h - scripts that complete the command line in bash, zsh and fish, made from
 * commands.def and options.def.
 */
#ifndef CLI_COMPLETIONS_H
#define CLI_COMPLETIONS_H

#include "options.h"

/* The script for a shell: one of the choices of --completions. */
void completions_put(buffer *b, const char *shell);

#endif
