/*
 * style.c - see style.h. The sixteen colours that every terminal has, as its
 * owner chose them.
 */
#include "style.h"

#include "terminal.h"

void style_put(buffer *b, bool color, style wanted) {
    static const char *const codes[STYLE_COUNT] = {
        [STYLE_PLAIN] = "\x1b[0m",        [STYLE_HEADING] = "\x1b[0;1m",
        [STYLE_DIM] = "\x1b[0;2m",        [STYLE_ERROR] = "\x1b[0;1;31m",
        [STYLE_WARNING] = "\x1b[0;1;35m", [STYLE_VALUE] = "\x1b[0;36m",
        [STYLE_OPERATOR] = "\x1b[0;1m",   [STYLE_TYPE] = "\x1b[0;32m",
        [STYLE_LITERAL] = "\x1b[0;33m",   [STYLE_GRAPH] = "\x1b[0;35m",
        [STYLE_REMOVED] = "\x1b[0;31m",   [STYLE_ADDED] = "\x1b[0;32m",
        [STYLE_HUNK] = "\x1b[0;36m",
    };
    if (color) {
        buffer_text(b, codes[wanted]);
    }
}

bool style_on_output(const options *o) {
    return o->color == COLOR_ALWAYS ||
           (o->color == COLOR_AUTO && o->output == NULL && terminal_colors(false));
}

bool style_on_errors(const options *o) {
    return o->color == COLOR_ALWAYS || (o->color == COLOR_AUTO && terminal_colors(true));
}
