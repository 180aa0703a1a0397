/*
 * canon/face.h - H of SPEC 6.4.3, a text after the other, and what is
 * made of it.
 */
#ifndef EP_CANON_FACE_H
#define EP_CANON_FACE_H

#include "canon/canon.h"

/* What H is of no text. */
#define EP_CANON_HASH ((uint64_t)14695981039346656037u)

/* H with another text; a number stands for sixteen digits, an int for its text. */
uint64_t ep_canon_hash_text(uint64_t h, ep_bytes text);
uint64_t ep_canon_hash_number(uint64_t h, uint64_t number);
uint64_t ep_canon_hash_int(uint64_t h, int64_t value);

#endif
