/*
 * words.h - what words of the command line mean: codes, findings, versions; and of the words that
 * there are, the one that was meant by a word that is none of them.
 */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include "common/buffer.h"

/* Which of some words, with a space between them, a word is; -1: none of them. */
int word_among(const char *words, const char *word);

static inline bool word_is(const char *word, const char *words) {
    return word_among(words, word) >= 0;
}

/* Takes the next of such words off a text, which may be NULL. False: there is none. */
bool words_next(const char **words, ep_bytes *word);

/* What stands for a word, in pairs up to one of NULL; other: for what is none of them. NULL is no
 * word. */
const char *word_for(const char *const (*pairs)[2], const char *word, const char *other);

typedef struct nearest {
    ep_bytes word;
    ep_bytes best; /* empty: none is near */
    size_t distance;
} nearest;

/* Begins with the word that was given. */
nearest nearest_to(ep_bytes word);

/* Looks at a word that there is, which has to last as long as the search. Of equally near
 * ones the first is kept. */
void nearest_try(nearest *n, ep_bytes candidate);

/* "; did you mean inspect?", or nothing. */
void nearest_put(buffer *b, const nearest *n);

/* Whether a word is the name of a code or finding, "EP_TYPE" or "type", in any case. */
bool is_named(const char *name, const char *word);

/* EP_OK for what is no code. */
ep_code code_named(const char *word);

/* "; did you mean EP_TYPE?", and where all are listed; with findings, one of these too. */
void codes_put_nearest(buffer *b, const char *word, bool findings);

/* "8.20", "latest"; and a release of PyTorch, whose version it is: "torch-2.13", "2.13.0",
 * "v2.13", "torch==2.13.0+cpu". A number that is both is the schema version, behind a v the
 * release. NULL: there is none. */
const ep_version *versions_named(const char *word);

/* "torch-2.13" of "2.13.0 2.13.1". */
enum { RELEASE_ROOM = 64 };
ep_bytes release_minor(char name[RELEASE_ROOM], const char *number);

/* "; did you mean torch-2.13?", and where all are listed. */
void versions_put_nearest(buffer *b, const char *word);

#endif
