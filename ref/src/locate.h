/*
 * locate.h - layer 0: the JSON pointer of a byte.
 */
#ifndef EP_LOCATE_H
#define EP_LOCATE_H

#include "span.h"

/* No input is walked deeper than this, whatever the limits say. */
enum { EP_DEPTH_MAX = 65535 };

/*
 * Writes error->pointer and error->pointer_cut: the innermost value that
 * offset lies in, or the member whose key begins there (at_key). Everything
 * before offset must be the beginning of a valid document. Linear in offset.
 */
void ep_locate(ep_bytes input, size_t offset, bool at_key, ep_error *error);

#endif
