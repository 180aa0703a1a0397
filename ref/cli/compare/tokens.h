/*
 * tokens.h - a line of epref show, taken apart into tokens of a listing.
 */
#ifndef CLI_COMPARE_TOKENS_H
#define CLI_COMPARE_TOKENS_H

#include "listing.h"

/* The graphs, by their numbers, in which the names of a line are looked up. */
typedef struct tokens_graphs {
    uint32_t values;
    uint32_t graphs; /* of the first name of a subgraph's own line: that of its node */
} tokens_graphs;

/* Puts the tokens of a row behind those of the listing, and fills in its keys. */
void tokens_take(listing *l, listing_row *row, tokens_graphs graphs);

#endif
