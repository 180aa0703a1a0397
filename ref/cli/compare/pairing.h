/*
 * pairing.h - which line of one listing is which line of another, and which name is which.
 * Lines are matched in order; names are partners when lines that were matched have them in
 * the same place. A name has one partner at most.
 */
#ifndef CLI_COMPARE_PAIRING_H
#define CLI_COMPARE_PAIRING_H

#include "edits.h"

typedef enum pairing_state {
    ROW_ALONE,   /* only one listing has it */
    ROW_SAME,    /* the same, but for names that are partners */
    ROW_FOLLOWS, /* its types alone are others, and so are those of what it is made of */
    ROW_CHANGED
} pairing_state;

/* Whether the type of a name's partner is another. */
enum { TYPE_UNKNOWN, TYPE_SAME, TYPE_OTHER };

typedef struct pairing {
    const listing *sides[2];
    uint32_t *row[2];  /* of each row: the other listing's, or none */
    uint32_t *name[2]; /* of each name: the other listing's, or none */
    uint8_t *state;    /* of each row of the first: pairing_state */
    uint8_t *retyped;  /* of each name of the first */
    size_t cost;       /* how many lines there are to tell */
} pairing;

/* Pairs two listings. The time: n log n in the lines. False for want of memory; pairing_free in
 * any case. */
bool pairing_make(pairing *p, const listing *first, const listing *second);

/* Whether two texts, types or names are the same. */
bool pairing_same_tokens(const pairing *p, const listing_token *one, const listing_token *other);

/* Whether a name of the first listing has a partner of another name. */
bool pairing_is_renamed(const pairing *p, uint32_t name);

void pairing_free(pairing *p);

#endif
