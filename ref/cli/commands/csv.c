/*
 * csv.c - see csv.h. A comma stands behind each cell; csv_end makes the last one the line's end.
 */
#include "csv.h"

#include <string.h>

#include "common/safe.h"

void csv_text(buffer *row, ep_bytes text) {
    buffer seen = {0};
    bool quoted = false;
    safe_text(&seen, text);
    for (size_t i = 0; i < seen.size; i++) {
        quoted = quoted || strchr(",\"", seen.data[i]) != NULL;
    }
    buffer_text(row, quoted ? "\"" : "");
    for (size_t i = 0; i < seen.size; i++) {
        buffer_text(row, seen.data[i] == '"' ? "\"" : "");
        buffer_byte(row, seen.data[i]);
    }
    buffer_text(row, quoted ? "\"," : ",");
    row->failed = row->failed || seen.failed;
    buffer_free(&seen);
}

void csv_number(buffer *row, bool known, uint64_t number) {
    if (known) {
        buffer_number(row, number > INT64_MAX ? INT64_MAX : (int64_t)number);
    }
    buffer_byte(row, ',');
}

void csv_end(buffer *row) {
    row->size -= !row->failed;
    buffer_text(row, "\r\n");
}
