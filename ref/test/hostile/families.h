/*
 * families.h - programs made to hurt, each large in one thing and of any size.
 */
#ifndef EP_TEST_FAMILIES_H
#define EP_TEST_FAMILIES_H

#include "epref.h"
#include "support.h"

enum { FAMILY_FIELDS = 6 };

typedef struct family_settings {
    const char *version; /* NULL: 8.20 */
    size_t levels;       /* of what is nested */
    bool wide;           /* n values go in, not one */
    bool refused;        /* by the decoder: it has an error at its end */
} family_settings;

typedef struct family {
    const char *name;
    const char *about;
    family_settings settings;
    test_hole fields[FAMILY_FIELDS];                     /* with templates */
    void (*make)(test_text *text, size_t n, bool other); /* where no template will do */
} family;

/* The i-th; NULL from the count of families on. */
const family *family_at(size_t i);

/* Appends a program that has n of what the family is large in. With `other` it differs in
 * the last one, or in each. */
void family_write(const family *f, test_text *text, size_t n, bool other);

/* Appends the family's program of about so many bytes; returns its n. */
size_t family_make(const family *f, test_text *text, size_t bytes, bool other);

#endif
