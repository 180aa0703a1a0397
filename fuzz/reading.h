/*
 * reading.h - a program that was decoded, read through the functions of epref.h,
 * and what has to go together then: for the targets read and forward.
 */
#ifndef FUZZ_READING_H
#define FUZZ_READING_H

#include "fuzz.h"

typedef struct fuzz_reading {
    fuzz_work *work;
    ep_bytes text; /* of the document */
    bool partial;  /* forward reading left something out */
    size_t places; /* that were written as errors have them */
} fuzz_reading;

/* Properties: each value has parts, names and a place that go together, and what is
 * asked for and not there is nothing. */
void fuzz_read_values(fuzz_reading *reading, const ep_program *program);

/* Properties: the signature's parts are its entries, names change in all of them; a
 * partial program has none, and that is said. */
void fuzz_read_signature(fuzz_reading *reading, const ep_program *program);

/* Properties: nodes and tensors of the graph are what its values say, each tensor is found
 * by its name; a partial program has none, and that is said. */
void fuzz_read_graph(fuzz_reading *reading, const ep_program *program);

/* A number of all values of a program, as the functions that read them say them. */
uint64_t fuzz_sum_values(fuzz_work *work, const ep_program *program);

#endif
