/*
 * float_stream.c - a filter by which scripts/prove/floats has Python judge the
 * numbers of libepref:
 *
 *     float_stream print    lines of 16 hex digits (bits) to Python's repr
 *     float_stream read     lines of JSON numbers to 16 hex digits
 *
 * Exit status: 0 done, 1 a line that is not of its form, 2 usage or input.
 */
#include "epref.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BITS_SIZE = 16, CHUNK = 1 << 20 };

/* Writes the answer to a line into text, without a line feed. Returns its
 * length; 0 for a line that is not of the form. */
typedef size_t answer_function(ep_bytes line, char *text);

static const char hex_digits[] = "0123456789abcdef";

static size_t answer_print(ep_bytes line, char *text) {
    uint64_t bits = 0;
    if (line.size != BITS_SIZE) {
        return 0;
    }
    for (size_t i = 0; i < BITS_SIZE; i++) {
        const char *digit = memchr(hex_digits, line.data[i], BITS_SIZE);
        if (digit == NULL) {
            return 0;
        }
        bits = bits << 4 | (uint64_t)(digit - hex_digits);
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return ep_float_text(value, text);
}

static size_t answer_read(ep_bytes line, char *text) {
    double value;
    if (!ep_float_read(line, &value)) {
        return 0;
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (size_t i = 0; i < BITS_SIZE; i++) {
        text[i] = hex_digits[bits >> (60 - 4 * i) & 15];
    }
    return BITS_SIZE;
}

/* All of standard input; *data is to be freed. False when it cannot be had. */
static bool read_input(char **data, size_t *size) {
    size_t got;
    do {
        char *larger = realloc(*data, *size + CHUNK);
        if (larger == NULL) {
            return false;
        }
        *data = larger;
        got = fread(larger + *size, 1, CHUNK, stdin);
        *size += got;
    } while (got == CHUNK);
    return !ferror(stdin);
}

static int answer_lines(ep_bytes input, answer_function *answer) {
    const char *p = input.data;
    const char *end = p + input.size;
    while (p < end) {
        const char *feed = memchr(p, '\n', (size_t)(end - p));
        const char *stop = feed == NULL ? end : feed;
        char text[EP_FLOAT_SIZE + 1];
        size_t size = answer((ep_bytes){p, (size_t)(stop - p)}, text);
        if (size == 0) {
            fprintf(stderr, "float_stream: not of its form: %.*s\n", (int)(stop - p), p);
            return 1;
        }
        text[size] = '\n';
        if (fwrite(text, 1, size + 1, stdout) != size + 1) {
            return 2;
        }
        p = feed == NULL ? end : feed + 1;
    }
    return fflush(stdout) == 0 ? 0 : 2;
}

int main(int argc, char **argv) {
    answer_function *answer = NULL;
    if (argc == 2 && strcmp(argv[1], "print") == 0) {
        answer = answer_print;
    } else if (argc == 2 && strcmp(argv[1], "read") == 0) {
        answer = answer_read;
    } else {
        fputs("usage: float_stream print|read <LINES\n", stderr);
        return 2;
    }
    char *data = NULL;
    size_t size = 0;
    int status = 2;
    if (read_input(&data, &size)) {
        status = answer_lines((ep_bytes){data, size}, answer);
    }
    free(data);
    return status;
}
