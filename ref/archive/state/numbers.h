/*
 * numbers.h - elements of tensors as numbers: how far two of them are apart.
 */
#ifndef ARCHIVE_NUMBERS_H
#define ARCHIVE_NUMBERS_H

#include "elements.h"

/* The distance of two elements of a dtype, as near as a double has it: of complex numbers
 * that of their parts which is larger. False where it is no finite number. */
bool numbers_distance(const dtype_row *dtype, const char *a, const char *b, double *distance);

#endif
