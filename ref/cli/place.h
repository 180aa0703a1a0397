/*
 * place.h - a place in a file, as all reports say it: that of an ep_error. NULL, or line 0,
 * is none, of which nothing is put.
 */
#ifndef CLI_PLACE_H
#define CLI_PLACE_H

#include "json.h"

static inline bool place_known(const ep_error *place) {
    return place != NULL && place->line > 0;
}

/* ":LINE:COL" */
void place_put(buffer *b, const ep_error *place);

/* " at /pointer" */
void place_put_pointer(buffer *b, const ep_error *place);

/* The members offset, line, column and pointer, which are null where there is no place. */
void place_add(json *object, const ep_error *place);

#endif
