/*
 * nearest.c - see nearest.h. The distance is that of Damerau and Levenshtein, with adjacent
 * letters exchanged at most once, and without regard to case; a word that was broken off is
 * nearer than one that was misspelled.
 */
#include "nearest.h"
#include "print.h"

enum { LONGEST = 32, EXCHANGED = 2, ROWS = 3 };

nearest nearest_to(ep_bytes word) {
    return (nearest){.word = word, .distance = word.size / 3 + (word.size > 1) + 1};
}

static char lower(char c) {
    return 'A' <= c && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same(ep_bytes a, size_t i, ep_bytes b, size_t j) {
    return lower(a.data[i]) == lower(b.data[j]);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* The rows of the table are those of i - 2, i - 1 and i letters of a. */
static size_t cell(size_t rows[ROWS][LONGEST + 1], ep_bytes a, size_t i, ep_bytes b, size_t j) {
    size_t best = rows[1][j - 1] + !same(a, i - 1, b, j - 1);
    best = least(best, least(rows[1][j], rows[2][j - 1]) + 1);
    bool exchanged =
        i >= EXCHANGED && j >= EXCHANGED && same(a, i - 1, b, j - 2) && same(a, i - 2, b, j - 1);
    return exchanged ? least(best, rows[0][j - 2] + 1) : best;
}

static size_t distance(ep_bytes a, ep_bytes b) {
    size_t rows[ROWS][LONGEST + 1];
    for (size_t j = 0; j <= b.size; j++) {
        rows[0][j] = rows[1][j] = rows[2][j] = j;
    }
    for (size_t i = 1; i <= a.size; i++) {
        for (size_t j = 0; j <= b.size; j++) {
            rows[0][j] = rows[1][j];
            rows[1][j] = rows[2][j];
        }
        rows[2][0] = i;
        for (size_t j = 1; j <= b.size; j++) {
            rows[2][j] = cell(rows, a, i, b, j);
        }
    }
    return rows[2][b.size];
}

static bool begins_with(ep_bytes text, ep_bytes start) {
    size_t at = 0;
    while (at < start.size && at < text.size && same(text, at, start, at)) {
        at++;
    }
    return start.size > 1 && at == start.size;
}

void nearest_try(nearest *n, ep_bytes candidate) {
    if (n->word.size > LONGEST || candidate.size > LONGEST) {
        return;
    }
    size_t far = begins_with(candidate, n->word) ? 1 : distance(n->word, candidate);
    if (far < n->distance) {
        n->distance = far;
        n->best = candidate;
    }
}

void nearest_put(buffer *b, const nearest *n) {
    if (n->best.size > 0) {
        print(b, "; did you mean %r?", n->best.data, n->best.size);
    }
}
