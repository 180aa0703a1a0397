/*
 * run/likeness.h - whether two JSON texts say the same, however each is written:
 * values of the same types, arrays in order, members of objects in any order,
 * strings equal character by character, integers digit by digit, floats as
 * doubles, bit by bit. An object with two equal keys is the same as none.
 */
#ifndef EPCONFORM_LIKENESS_H
#define EPCONFORM_LIKENESS_H

#include "suite/vector_bytes.h"

typedef enum likeness {
    LIKENESS_SAME,
    LIKENESS_OTHER,
    LIKENESS_UNKNOWN /* one of the two is no JSON, or too large */
} likeness;

/* The first value that differs, in the order of the wanted text. */
typedef struct difference {
    char *pointer; /* fit to be shown, and cut where it is long */
    char *what;    /* what was expected, and what there was */
    size_t wanted_at;
    size_t got_at;
} difference;

/* Fills the difference if it is LIKENESS_OTHER. */
likeness likeness_of(vector_bytes wanted, vector_bytes got, difference *d);
void difference_free(difference *d);

#endif
