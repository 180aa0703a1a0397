/*
 * terminal.c - the command's terminal.h where there is none.
 */
#include "cli/terminal.h"

#include <unistd.h>

void terminal_tell(ep_bytes text) {
    while (text.size > 0) {
        ssize_t put = write(STDERR_FILENO, text.data, text.size);
        if (put <= 0) {
            return;
        }
        text.data += put;
        text.size -= (size_t)put;
    }
}

bool terminal_colors(bool errors) {
    (void)errors;
    return false;
}

size_t terminal_columns(void) {
    return 0;
}
