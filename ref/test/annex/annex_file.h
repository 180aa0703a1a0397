/*
 * annex_file.h - for the tests of annexes: a file of annex/, read as SPEC F.1 says and
 * no less strictly, and rows of it compared with what the library has.
 */
#ifndef EP_TEST_ANNEX_FILE_H
#define EP_TEST_ANNEX_FILE_H

#include "schema/schema.h"

#include "check.h"
#include "support.h"

#include <stdlib.h>

enum { ANNEX_COLUMNS_MAX = 16 };

typedef struct annex {
    const char *name;
    size_t columns;
    size_t rows;
    const char **cells; /* row by row, that of the heads first */
    test_text text;     /* the file, with a zero at the end of each cell */
} annex;

static inline size_t count_byte(ep_bytes text, char byte) {
    size_t count = 0;
    for (size_t i = 0; i < text.size; i++) {
        count += text.data[i] == byte;
    }
    return count;
}

/* Puts a zero at the end of each cell, and says whether each line has so many. */
static inline bool cut(annex *file, const char **cells) {
    char *at = file->text.data;
    char *end = at + file->text.size;
    for (size_t i = 0; at < end; i++) {
        bool last = i % file->columns + 1 == file->columns;
        char *begin = at;
        while (*at != '\t' && *at != '\n') {
            at++; /* the file ends with a line */
        }
        bool holds = *at == (last ? '\n' : '\t') && at > begin;
        *at++ = '\0';
        cells[i] = begin;
        if (!CHECK_NOTE(holds, begin)) {
            return false;
        }
    }
    return true;
}

static inline void check_heads(const char **cells, size_t columns, const char *heads) {
    for (size_t i = 0; i < columns; i++) {
        size_t size = strcspn(heads, " ");
        CHECK_EQ_STR(heads, size, cells[i]);
        heads += size + (heads[size] == ' ');
    }
    CHECK_EQ_STR(heads, strlen(heads), "");
}

/* Reads the file of a name in a folder; heads are the names of its columns, with blanks
 * between. What cannot be read as it should fails a check, and has no rows. */
static inline void annex_open(annex *file, const char *folder, const char *name,
                              const char *heads) {
    char path[1024];
    *file = (annex){.name = name, .columns = 1 + count_byte(ep_text_of(heads), ' ')};
    snprintf(path, sizeof path, "%s/%s.tsv", folder, name);
    if (!CHECK_NOTE(test_read_file(path, &file->text), path)) {
        return;
    }
    ep_bytes text = test_text_bytes(&file->text);
    size_t lines = count_byte(text, '\n');
    if (!CHECK_NOTE(lines > 0 && text.data[text.size - 1] == '\n', name)) {
        return;
    }
    /* as many as there are, though a line should have more or fewer than it may */
    size_t count = lines + count_byte(text, '\t');
    file->cells = malloc(count * sizeof *file->cells);
    if (file->cells == NULL) {
        exit(EXIT_FAILURE);
    }
    bool good = CHECK_EQ_INT(count, lines * file->columns) && cut(file, file->cells);
    if (good) {
        check_heads(file->cells, file->columns, heads);
        file->rows = lines - 1;
    }
    CHECK_EQ_INT(count_byte(text, '\r'), 0);
    printf("%s: %zu rows\n", name, file->rows);
}

static inline void annex_close(annex *file) {
    free(file->cells);
    test_text_free(&file->text);
}

static inline const char *annex_cell(const annex *file, size_t row, size_t column) {
    return file->cells[(row + 1) * file->columns + column];
}

/* Checks each cell of a row. NULL and "" stand for "-". */
static inline void annex_expect(const annex *file, size_t row, const char *const *cells) {
    char note[128];
    if (row >= file->rows) {
        snprintf(note, sizeof note, "%s lacks %s", file->name, cells[0]);
        CHECK_NOTE(row < file->rows, note);
        return;
    }
    for (size_t i = 0; i < file->columns; i++) {
        const char *cell = annex_cell(file, row, i);
        const char *expected = cells[i] == NULL || *cells[i] == '\0' ? "-" : cells[i];
        if (!CHECK_EQ_STR(cell, strlen(cell), expected)) {
            fprintf(stderr, "    %s.tsv:%zu, cell %zu\n", file->name, row + 2, i + 1);
        }
    }
}

/* The name of a version; NULL for the end of the history. */
static inline const char *annex_version(size_t version) {
    const ep_version *found = ep_version_at(version);
    return found == NULL ? NULL : found->name;
}

/* The number of the version that a cell names; that of the end for "-". */
static inline size_t annex_version_number(const char *cell) {
    size_t i = 0;
    while (i < EP_FUTURE && strcmp(annex_version(i), cell) != 0) {
        i++;
    }
    CHECK_NOTE(i < EP_FUTURE || strcmp(cell, "-") == 0, cell);
    return i;
}

/* A number as text, in one of a few places that are taken in turn. */
static inline const char *annex_number(int64_t number) {
    static char texts[ANNEX_COLUMNS_MAX][24];
    static size_t next;
    char *text = texts[next++ % ANNEX_COLUMNS_MAX];
    snprintf(text, sizeof texts[0], "%" PRId64, number);
    return text;
}

#endif
