/*
 * line.c - see line.h. Every byte is looked at a bounded number of times: once
 * for each of the two kinds of breaks before it, and once to be put.
 */
#include "line.h"

enum { OUTER_BREAK = 1, INNER_BREAK = 2, FIRST_STYLE = 16, HANGING_INDENT = 4 };

void line_break(buffer *line) {
    buffer_byte(line, OUTER_BREAK);
}

void line_inner_break(buffer *line) {
    buffer_byte(line, INNER_BREAK);
}

void line_style(buffer *line, style wanted) {
    buffer_byte(line, (char)(FIRST_STYLE + (int)wanted));
}

void line_word(buffer *line, style wanted, const char *word) {
    line_style(line, wanted);
    buffer_text(line, word);
    line_style(line, STYLE_PLAIN);
}

static bool is_break(char c) {
    return c == OUTER_BREAK || c == INNER_BREAK;
}

static bool is_style(char c) {
    return FIRST_STYLE <= c && c < FIRST_STYLE + STYLE_COUNT;
}

/* Columns from a place to the next break: any, or an outer one. */
static size_t columns_ahead(ep_bytes line, size_t at, char kind) {
    size_t columns = 0;
    for (; at < line.size && line.data[at] != OUTER_BREAK; at++) {
        char c = line.data[at];
        if (c == INNER_BREAK && kind == INNER_BREAK) {
            break;
        }
        columns += !is_style(c) && ((unsigned char)c & 0xC0) != 0x80;
    }
    return columns;
}

/* A space or a new line; returns the column after it. */
static size_t put_break(buffer *out, const line_layout *layout, size_t column, size_t needed) {
    size_t hanging = layout->indent + HANGING_INDENT;
    if (column + 1 + needed <= layout->width || column <= hanging) {
        buffer_byte(out, ' ');
        return column + 1;
    }
    buffer_byte(out, '\n');
    buffer_spaces(out, hanging);
    return hanging;
}

void line_put(buffer *out, const line_layout *layout, ep_bytes line) {
    size_t column = layout->indent;
    buffer_spaces(out, layout->indent);
    for (size_t i = 0; i < line.size; i++) {
        char c = line.data[i];
        if (is_style(c)) {
            style_put(out, layout->color, (style)(c - FIRST_STYLE));
        } else if (is_break(c)) {
            column = put_break(out, layout, column, columns_ahead(line, i + 1, c));
        } else {
            buffer_byte(out, c);
            column += ((unsigned char)c & 0xC0) != 0x80;
        }
    }
    buffer_byte(out, '\n');
}

void line_plain(buffer *out, ep_bytes line) {
    for (size_t i = 0; i < line.size; i++) {
        char c = line.data[i];
        if (!is_style(c)) {
            buffer_byte(out, is_break(c) ? ' ' : c);
        }
    }
}
