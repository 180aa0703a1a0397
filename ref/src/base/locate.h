/*
 * base/locate.h - the JSON pointer of a byte.
 */
#ifndef EP_LOCATE_H
#define EP_LOCATE_H

#include "base/span.h"

/* The greatest depth that is tracked, whatever the limits of decoding are. */
enum { EP_DEPTH_MAX = 65535 };

/* The kind of thing at the byte of an error. */
typedef enum ep_place {
    EP_PLACE_VALUE, /* a value, or what follows one */
    EP_PLACE_KEY,   /* a key, and its member is meant */
    EP_PLACE_TOKEN  /* the middle of a value that is not complete */
} ep_place;

/*
 * Writes error->pointer and error->pointer_cut: the innermost value that
 * offset lies in, or the member whose key begins there. Everything
 * before offset must be the beginning of a valid document. Linear in offset.
 */
void ep_locate(ep_bytes input, size_t offset, ep_place place, ep_error *error);

#endif
