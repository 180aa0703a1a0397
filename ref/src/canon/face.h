/*
 * canon/face.h - the hash H of SPEC 6.4.3 (FNV-1a, 64 bits), text by text, and the
 * hashes that are made with it.
 */
#ifndef EP_CANON_FACE_H
#define EP_CANON_FACE_H

#include "canon/canon.h"

/* H of no text. */
#define EP_CANON_HASH ((uint64_t)14695981039346656037u)

/* Extends H by another text. A number is written as sixteen hexadecimal digits, an int
 * as its text. */
uint64_t ep_canon_hash_text(uint64_t h, ep_bytes text);
uint64_t ep_canon_hash_number(uint64_t h, uint64_t number);
uint64_t ep_canon_hash_int(uint64_t h, int64_t value);

#endif
