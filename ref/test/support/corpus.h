/*
 * corpus.h - an unpacked folder of golden programs: what is in it, in a fixed
 * order: <root>/<release>/<model>/program.json and what lies beside it.
 */
#ifndef EP_TEST_CORPUS_H
#define EP_TEST_CORPUS_H

#include "support.h"

typedef struct corpus_entry {
    char *release;
    char *model;
} corpus_entry;

typedef struct corpus {
    const char *root;
    corpus_entry *entries; /* by release as versions, then by model */
    size_t n;
} corpus;

/* Every folder two levels down that holds a program.json. False, with a word
 * on standard error, when there is none. */
bool corpus_open(corpus *c, const char *root);
void corpus_close(corpus *c);

/* Reads a file of an entry. False, silently, when there is none. */
bool corpus_read(const corpus *c, size_t i, const char *name, test_text *text);

#endif
