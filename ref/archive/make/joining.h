/*
 * joining.h - what stripping.h took apart, put together: the members that the text in a
 * stripped archive names are taken from another one, and have to be those.
 */
#ifndef ARCHIVE_JOINING_H
#define ARCHIVE_JOINING_H

#include "stripping.h"

typedef struct joining {
    zipwrite zip;
    buffer text;
    size_t line;        /* of the text, that a failure is about; 0: of none */
    bool is_of_weights; /* it is about the other archive */
    buffer blamed;      /* the member there; empty: none */
} joining;

/*
 * Plans the archive, and reads all of the members once. Both have to live as long as it is
 * written. False: *what says why, and the joining where. joining_free frees it in any case.
 * Memory is linear in the directories and the text, which may be as long as the limit.
 */
bool joining_plan(const archive *stripped, const zipfile *weights, size_t limit, joining *j,
                  failure *what);

void joining_free(joining *j);

#endif
