/*
 * table.c - see table.h. A cell that is much longer than others does not make
 * its column wider.
 */
#include "table.h"

#include "common/memory.h"
#include "common/safe.h"

enum { GAP = 2, WIDEST = 44 };

void table_end_cell(table *t) {
    if (!memory_room(&t->ends, t->cells, &t->capacity, sizeof *t->ends)) {
        t->failed = true;
        return;
    }
    t->ends[t->cells++] = t->text.size;
}

void table_text(table *t, ep_bytes text) {
    safe_text(&t->text, text);
    table_end_cell(t);
}

void table_number(table *t, uint64_t number) {
    buffer_number(&t->text, (int64_t)number);
    table_end_cell(t);
}

void table_end_row(table *t) {
    do {
        table_end_cell(t);
    } while (!t->failed && t->cells % TABLE_COLUMNS != 0);
}

static ep_bytes cell(const table *t, size_t i) {
    size_t start = i == 0 ? 0 : t->ends[i - 1];
    return (ep_bytes){t->text.data + start, t->ends[i] - start};
}

static void measure(const table *t, size_t widths[TABLE_COLUMNS]) {
    for (size_t i = 0; i < t->cells; i++) {
        size_t columns = bytes_columns(cell(t, i));
        size_t *width = &widths[i % TABLE_COLUMNS];
        if (columns > *width && columns <= WIDEST) {
            *width = columns;
        }
    }
}

/* Puts a row without spaces at its end. */
static void put_row(buffer *out, const table *t, size_t row, const size_t widths[TABLE_COLUMNS],
                    bool color) {
    size_t owed = 0;
    for (size_t i = 0; i < TABLE_COLUMNS; i++) {
        ep_bytes text = cell(t, row * TABLE_COLUMNS + i);
        size_t columns = bytes_columns(text);
        size_t rest = columns < widths[i] ? widths[i] - columns : 0;
        if (text.size > 0) {
            buffer_spaces(out, owed + (t->right[i] ? rest : 0));
            style_put(out, color && t->styles[i] != STYLE_PLAIN, t->styles[i]);
            buffer_put(out, text.data, text.size);
            style_put(out, color && t->styles[i] != STYLE_PLAIN, STYLE_PLAIN);
            owed = 0;
        }
        bool empty_column = widths[i] == 0 && text.size == 0;
        owed += (t->right[i] && text.size > 0 ? 0 : rest) + (empty_column ? 0 : GAP);
    }
    buffer_byte(out, '\n');
}

void table_put(buffer *out, table *t, size_t indent, bool color) {
    size_t widths[TABLE_COLUMNS] = {0};
    out->failed = out->failed || t->failed || t->text.failed;
    if (!out->failed) {
        measure(t, widths);
        for (size_t row = 0; row < t->cells / TABLE_COLUMNS; row++) {
            buffer_spaces(out, indent);
            put_row(out, t, row, widths, color);
        }
    }
    buffer_free(&t->text);
    memory_free(t->ends);
    *t = (table){0};
}
