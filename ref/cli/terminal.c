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

/* Whether a stream is a terminal that takes more than lines. */
static bool is_capable(int descriptor) {
    const char *terminal = getenv("TERM");
    bool dumb = terminal == NULL || strcmp(terminal, "dumb") == 0;
    return !dumb && isatty(descriptor) != 0;
}

static bool wants_color(int descriptor) {
    const char *no_color = getenv("NO_COLOR");
    bool plain = no_color != NULL && no_color[0] != '\0';
    return !plain && is_capable(descriptor);
}

bool terminal_colors_output(void) {
    return wants_color(STDOUT_FILENO);
}

bool terminal_colors_errors(void) {
    return wants_color(STDERR_FILENO);
}

size_t terminal_columns(void) {
    struct winsize size;
    bool known = isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    return known ? size.ws_col : 0;
}
