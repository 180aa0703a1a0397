/*
 * families.h - programs made to hurt, each large in one thing and of any size.
 */
#ifndef EP_TEST_FAMILIES_H
#define EP_TEST_FAMILIES_H

#include "epref.h"
#include "support.h"

typedef struct family {
    const char *name;
    const char *about;
    /* Appends a program that has n of what the family is large in. With `other`
     * it differs in the last one. */
    void (*make)(test_text *text, size_t n, bool other);
    bool refused; /* by the decoder: it has an error at its end */
} family;

/* The i-th; NULL from the count of families on. */
const family *family_at(size_t i);

/* Appends the family's program of about so many bytes; returns its n. */
size_t family_make(const family *f, test_text *text, size_t bytes, bool other);

#endif
