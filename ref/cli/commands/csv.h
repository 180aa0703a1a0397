/*
 * csv.h - rows of comma-separated values, by RFC 4180.
 */
#ifndef CLI_COMMANDS_CSV_H
#define CLI_COMMANDS_CSV_H

#include "common/buffer.h"

/* A cell with a text of a file, fit to be seen: a row is one line. */
void csv_text(buffer *row, ep_bytes text);

/* A cell with a number, empty where it is not known. */
void csv_number(buffer *row, bool known, uint64_t number);

/* Ends a row, which has a cell. */
void csv_end(buffer *row);

#endif
