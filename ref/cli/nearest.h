/*
 * nearest.h - of the words that there are, the one that was meant by a word that is none of
 * them.
 */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include "common/buffer.h"

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

#endif
