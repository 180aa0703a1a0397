/*
 * numbering.h - the names in a listing get their numbers: one for each value of a graph,
 * subgraph or symbol, however often it is mentioned.
 */
#ifndef CLI_COMPARE_NUMBERING_H
#define CLI_COMPARE_NUMBERING_H

#include "listing.h"

/* Numbers the names, and lists them. False for want of memory. */
bool numbering_run(listing *l);

#endif
