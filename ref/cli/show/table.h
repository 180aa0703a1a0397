/*
 * table.h - text in columns, as wide as what stands in them.
 */
#ifndef CLI_SHOW_TABLE_H
#define CLI_SHOW_TABLE_H

#include "cli/style.h"

enum { TABLE_COLUMNS = 5 };

typedef struct table {
    buffer text;  /* of the cells, one after another */
    size_t *ends; /* of each cell in it */
    size_t cells;
    size_t capacity;
    bool failed; /* for want of memory; sticks */
    style styles[TABLE_COLUMNS];
    bool right[TABLE_COLUMNS]; /* columns of numbers */
} table;

/* Ends the cell that was put into t->text; TABLE_COLUMNS of them are a row. */
void table_end_cell(table *t);

/* A whole cell. */
void table_text(table *t, ep_bytes text);
void table_number(table *t, uint64_t number);

/* Ends the cell, and the row of which it is one. */
void table_end_row(table *t);

/* Puts the rows and frees the table. */
void table_put(buffer *out, table *t, size_t indent, bool color);

#endif
