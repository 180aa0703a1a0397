/*
 * line.c - see line.h. Every byte is looked at a bounded number of times: once
 * for each of the two kinds of breaks before it, and once to be put.
 */
#include "line.h"

enum { HANGING_INDENT = 4 };

static bool is_break(char c) {
    return c == LINE_BREAK || c == LINE_INNER_BREAK;
}

static bool is_style(char c) {
    return STYLE_MARK <= c && c < STYLE_MARK + STYLE_COUNT;
}

/* Marks of which nothing is seen. */
static bool is_unseen(char c) {
    return c == LINE_CELL || is_style(c);
}

/* Columns from a place to the next break: any, or an outer one. */
static size_t columns_ahead(ep_bytes line, size_t at, char kind) {
    size_t columns = 0;
    for (; at < line.size && line.data[at] != LINE_BREAK; at++) {
        char c = line.data[at];
        if (c == LINE_INNER_BREAK && kind == LINE_INNER_BREAK) {
            break;
        }
        columns += !is_unseen(c) && ((unsigned char)c & 0xC0) != 0x80;
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
            style_put(out, layout->color, (style)(c - STYLE_MARK));
        } else if (is_break(c)) {
            column = put_break(out, layout, column, columns_ahead(line, i + 1, c));
        } else if (!is_unseen(c)) {
            buffer_byte(out, c);
            column += ((unsigned char)c & 0xC0) != 0x80;
        }
    }
    buffer_byte(out, '\n');
}

void line_plain(buffer *out, ep_bytes line) {
    for (size_t i = 0; i < line.size; i++) {
        char c = line.data[i];
        if (!is_unseen(c)) {
            buffer_byte(out, is_break(c) ? ' ' : c);
        }
    }
}

static bool is_mark(char c) {
    return is_unseen(c) || is_break(c);
}

bool line_next(ep_bytes *line, line_piece *piece) {
    piece->cell = piece->space = false;
    for (; line->size > 0 && is_mark(line->data[0]); line->data++, line->size--) {
        char c = line->data[0];
        piece->in = is_style(c) ? (style)(c - STYLE_MARK) : piece->in;
        piece->cell = c == LINE_CELL;
        piece->space = is_break(c);
        if (piece->cell || piece->space) {
            piece->text = (ep_bytes){"", 0};
            line->data++;
            line->size--;
            return true;
        }
    }
    size_t size = 0;
    while (size < line->size && !is_mark(line->data[size])) {
        size++;
    }
    if (size == 0) {
        return false;
    }
    piece->text = (ep_bytes){line->data, size};
    line->data += size;
    line->size -= size;
    return true;
}
