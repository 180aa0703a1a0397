/*
 * check.h - the test framework, all of it. A test is a program: its main
 * calls functions that use the CHECK macros, and ends with
 *
 *     return check_report();
 *
 * A check that fails says so on standard error, and the test goes on. Each
 * macro evaluates its arguments once. Its value is whether the check held, so
 * that what only makes sense then can be left out:
 *
 *     if (CHECK(read(text, &value))) { CHECK_EQ_INT(value, 5); }
 */
#ifndef EP_TEST_CHECK_H
#define EP_TEST_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* That a condition is true. The note, a string, says what was at hand. */
#define CHECK(condition) check_true(CHECK_AT(#condition), (condition), "")
#define CHECK_NOTE(condition, note) check_true(CHECK_AT(#condition), (condition), (note))

/* That two integers are equal; or two times 64 bits, which are shown as hex. */
#define CHECK_EQ_INT(actual, expected)                                                             \
    check_int(CHECK_AT(#actual), (int64_t)(actual), (int64_t)(expected))
#define CHECK_EQ_BITS(actual, expected) check_bits(CHECK_AT(#actual), (actual), (expected))

/* That bytes are equal: to other bytes, or to those of a string. */
#define CHECK_EQ_BYTES(actual, size, expected, expected_size)                                      \
    check_bytes(CHECK_AT(#actual), (actual), (size), (expected), (expected_size))
#define CHECK_EQ_STR(actual, size, expected)                                                       \
    check_str(CHECK_AT(#actual), (actual), (size), (expected))

#define CHECK_AT(what) ((check_place){__FILE__, __LINE__, what})

typedef struct check_place {
    const char *file;
    int line;
    const char *what; /* the source of what is checked */
} check_place;

static size_t check_count;
static size_t check_failures;

/* Counts a check; begins the line of one that failed. Returns whether it held. */
static inline bool check_counted(check_place at, bool holds) {
    check_count++;
    if (!holds) {
        check_failures++;
        fprintf(stderr, "%s:%d: %s ", at.file, at.line, at.what);
    }
    return holds;
}

static inline bool check_true(check_place at, bool holds, const char *note) {
    if (!check_counted(at, holds)) {
        fprintf(stderr, "is false%s%s\n", *note == '\0' ? "" : ": ", note);
    }
    return holds;
}

static inline bool check_int(check_place at, int64_t actual, int64_t expected) {
    bool holds = actual == expected;
    if (!check_counted(at, holds)) {
        fprintf(stderr, "is %" PRId64 ", not %" PRId64 "\n", actual, expected);
    }
    return holds;
}

static inline bool check_bits(check_place at, uint64_t actual, uint64_t expected) {
    bool holds = actual == expected;
    if (!check_counted(at, holds)) {
        fprintf(stderr, "is 0x%016" PRIx64 ", not 0x%016" PRIx64 "\n", actual, expected);
    }
    return holds;
}

/* In quotes, with \xNN for what is not plain ASCII. */
static inline void check_show(const char *data, size_t size) {
    fputc('"', stderr);
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)data[i];
        if (byte >= ' ' && byte < 0x7F && byte != '"' && byte != '\\') {
            fputc(byte, stderr);
        } else {
            fprintf(stderr, "\\x%02X", byte);
        }
    }
    fputc('"', stderr);
}

static inline bool check_bytes(check_place at, const char *actual, size_t size,
                               const char *expected, size_t expected_size) {
    bool holds = size == expected_size && (size == 0 || memcmp(actual, expected, size) == 0);
    if (!check_counted(at, holds)) {
        fputs("is ", stderr);
        check_show(actual, size);
        fputs(", not ", stderr);
        check_show(expected, expected_size);
        fputc('\n', stderr);
    }
    return holds;
}

static inline bool check_str(check_place at, const char *actual, size_t size,
                             const char *expected) {
    return check_bytes(at, actual, size, expected, strlen(expected));
}

/* The status for main: 0 if checks were made and all of them held. */
static inline int check_report(void) {
    printf("%zu checks, %zu failed\n", check_count, check_failures);
    return check_count != 0 && check_failures == 0 ? 0 : 1;
}

#endif
