/*
 * summary.h - what the hunks of two programs leave out: names that are others, types that
 * follow from types; and all of it in figures.
 */
#ifndef CLI_COMPARE_SUMMARY_H
#define CLI_COMPARE_SUMMARY_H

#include "hunks.h"

/* "renamed: %add -> %add_1", of names that differ and are partners; or {"renamed": [["%add",
 * "%add_1"]]}. Nothing where there are none. */
void summary_put_renamed(const hunks *h);

/* How many names have partners of another name. */
size_t summary_renamed(const pairing *p);

/* The types of rows that only follow: "~ f32[4] -> f32[8]: %relu and 3 more". */
void summary_put_followed(const hunks *h);

/* What differs in a section. */
typedef struct summary_counts {
    size_t inserted;
    size_t deleted;
    size_t changed;
    size_t followed;
    size_t noted; /* fields that no line shows */
} summary_counts;

/* False for want of memory. */
bool summary_count(const hunks *h, show_part part, summary_counts *counts);

#endif
