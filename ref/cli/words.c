/*
 * words.c - see words.h. The distance is that of Damerau and Levenshtein, with adjacent
 * letters exchanged at most once, and without regard to case; a word that was broken off is
 * nearer than one that was misspelled.
 */
#include "words.h"

#include <string.h>

#include "archive/zip/folded.h"
#include "print.h"

enum { LONGEST = 32 };

nearest nearest_to(ep_bytes word) {
    return (nearest){.word = word, .distance = word.size / 3 + (word.size > 1) + 1};
}

static bool same(ep_bytes a, size_t i, ep_bytes b, size_t j) {
    return folded_lower(a.data[i]) == folded_lower(b.data[j]);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Of i letters of a and j of b. */
static size_t cell(size_t rows[][LONGEST + 1], ep_bytes a, size_t i, ep_bytes b, size_t j) {
    if (i == 0 || j == 0) {
        return i + j;
    }
    size_t best = rows[i - 1][j - 1] + !same(a, i - 1, b, j - 1);
    best = least(best, least(rows[i - 1][j], rows[i][j - 1]) + 1);
    bool exchanged = i > 1 && j > 1 && same(a, i - 1, b, j - 2) && same(a, i - 2, b, j - 1);
    return exchanged ? least(best, rows[i - 2][j - 2] + 1) : best;
}

static size_t distance(ep_bytes a, ep_bytes b) {
    size_t rows[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a.size; i++) {
        for (size_t j = 0; j <= b.size; j++) {
            rows[i][j] = cell(rows, a, i, b, j);
        }
    }
    return rows[a.size][b.size];
}

/* How many letters two words begin with alike. */
static size_t common_letters(ep_bytes a, ep_bytes b) {
    size_t at = 0;
    while (at < a.size && at < b.size && same(a, at, b, at)) {
        at++;
    }
    return at;
}

void nearest_try(nearest *n, ep_bytes candidate) {
    if (n->word.size > LONGEST || candidate.size > LONGEST) {
        return;
    }
    size_t size = n->word.size;
    bool begun = size > 1 && common_letters(candidate, n->word) == size;
    size_t far = begun ? 1 : distance(n->word, candidate);
    if (far < n->distance) {
        n->distance = far;
        n->best = candidate;
    }
}

void nearest_put(buffer *b, const nearest *n) {
    print(b, n->best.size > 0 ? "; did you mean %r?" : "", n->best.data, n->best.size);
}

int word_among(const char *words, const char *word) {
    ep_bytes each;
    for (int number = 0; word != NULL && words_next(&words, &each); number++) {
        if (bytes_equal(each, word)) {
            return number;
        }
    }
    return -1;
}

bool words_next(const char **words, ep_bytes *word) {
    const char *at = *words != NULL ? *words : "";
    *word = (ep_bytes){at, strcspn(at, " ")};
    *words = at + word->size + (at[word->size] == ' ');
    return word->size > 0;
}

const char *word_for(const char *const (*pairs)[2], const char *word, const char *other) {
    while (word != NULL && (*pairs)[0] != NULL && strcmp((*pairs)[0], word) != 0) {
        pairs++;
    }
    return word != NULL && (*pairs)[0] != NULL ? (*pairs)[1] : other;
}

/* ---------------------------------------------------------------- codes and findings */

static bool same_word(ep_bytes one, ep_bytes other) {
    return one.size == other.size && common_letters(one, other) == one.size;
}

/* The part of a name that tells it from others. */
static ep_bytes own_part(const char *name) {
    return bytes_of(strchr(name, '_') + 1);
}

bool is_named(const char *name, const char *word) {
    return same_word(bytes_of(name), bytes_of(word)) || same_word(own_part(name), bytes_of(word));
}

ep_code code_named(const char *word) {
    size_t i = 0;
    while (ep_code_at(i) != EP_OK && !is_named(ep_code_name(ep_code_at(i)), word)) {
        i++;
    }
    return ep_code_at(i);
}

/* By the whole name, or by its own part. */
static void try_name(nearest *n, const char *name) {
    size_t before = n->distance;
    nearest_try(n, bytes_of(name));
    nearest_try(n, own_part(name));
    if (n->distance < before) {
        n->best = bytes_of(name);
    }
}

void codes_put_nearest(buffer *b, const char *word, bool findings) {
    nearest n = nearest_to(bytes_of(word));
    for (size_t i = 0; ep_code_at(i) != EP_OK; i++) {
        try_name(&n, ep_code_name(ep_code_at(i)));
    }
    for (int id = EP_AUDIT_NONE + 1; findings && id < EP_AUDIT_COUNT; id++) {
        try_name(&n, ep_audit_name((ep_audit_id)id));
    }
    nearest_put(b, &n);
    buffer_text(b, " (`epref explain` lists them)");
}

/* -------------------------------------------------------------------------- versions */

static const char torch[] = "torch-";

/* "torch-" and the beginning of a number; without that, where it does not fit. */
static ep_bytes name_release(char name[RELEASE_ROOM], const char *number, size_t size) {
    size = size + sizeof torch <= RELEASE_ROOM ? size : 0;
    memcpy(name, torch, sizeof torch - 1);
    memcpy(name + sizeof torch - 1, number, size);
    name[sizeof torch - 1 + size] = '\0';
    return bytes_of(name);
}

/* The release of that number, without what a build appends to it: "2.13.0+cpu". */
static const ep_version *of_release(const char *number) {
    char name[RELEASE_ROOM];
    name_release(name, number, strcspn(number, "+"));
    return '0' <= *number && *number <= '9' ? ep_version_find(name) : NULL;
}

/* What stands behind the name of PyTorch, or behind a v; the word itself if neither does. */
static const char *number_in(const char *word) {
    static const char *const names[] = {"pytorch", "torch", "PyTorch", "Torch"};
    const char *at = word;
    for (size_t i = 0; i < sizeof names / sizeof *names && at == word; i++) {
        at += bytes_start(bytes_of(word), names[i]) ? strlen(names[i]) : 0;
    }
    at += at == word ? 0 : strspn(at, "-=_ ");
    return at + (*at == 'v');
}

const ep_version *versions_named(const char *word) {
    const ep_version *found = ep_version_find(word);
    const char *number = number_in(word);
    found = found != NULL ? found : of_release(number);
    return found != NULL || number[-(number != word)] != 'v' ? found : ep_version_find(number);
}

/* "2.13" of "2.13.0 2.13.1" */
static size_t minor_size(const char *number) {
    size_t size = strcspn(number, ". ");
    return number[size] == '.' ? size + 1 + strcspn(number + size + 1, ".+ ") : size;
}

ep_bytes release_minor(char name[RELEASE_ROOM], const char *number) {
    return name_release(name, number, minor_size(number));
}

/* Of numbers none is near another: it is the same minor release that is meant, or none. */
static void try_same_minor(nearest *n, char name[RELEASE_ROOM], const char *number) {
    ep_bytes minor = release_minor(name, number);
    if (ep_version_find(name) != NULL) {
        n->best = minor;
    }
}

static void try_all(nearest *n, char (*names)[RELEASE_ROOM], size_t most) {
    size_t count = 0;
    ep_bytes release;
    nearest_try(n, bytes_of("latest"));
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        const char *at = ep_version_at(i)->releases;
        while (count < most && words_next(&at, &release)) {
            nearest_try(n, release_minor(names[count++], release.data));
        }
    }
}

void versions_put_nearest(buffer *b, const char *word) {
    enum { MOST = 64 };
    char names[MOST][RELEASE_ROOM];
    const char *number = number_in(word);
    nearest n = nearest_to(bytes_of(word));
    if ('0' <= *number && *number <= '9') {
        try_same_minor(&n, names[0], number);
    } else {
        try_all(&n, names, MOST);
    }
    nearest_put(b, &n);
    buffer_text(b, " (`epref schema` lists them)");
}
