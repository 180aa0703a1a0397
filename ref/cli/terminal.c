/*
 * terminal.c - see terminal.h.
 */
#define _DEFAULT_SOURCE /* ioctl */

#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void terminal_tell(ep_bytes text) {
    fflush(stdout);
    fwrite(text.data, 1, text.size, stderr);
}

/* A dumb one takes lines, and no more. */
bool terminal_colors(bool errors) {
    const char *terminal = getenv("TERM");
    const char *no_color = getenv("NO_COLOR");
    bool plain = no_color != NULL && no_color[0] != '\0';
    bool dumb = terminal == NULL || strcmp(terminal, "dumb") == 0;
    return !plain && !dumb && isatty(errors ? STDERR_FILENO : STDOUT_FILENO) != 0;
}

size_t terminal_columns(void) {
    struct winsize size;
    bool known = isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    return known ? size.ws_col : 0;
}
