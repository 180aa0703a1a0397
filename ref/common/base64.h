/*
 * base64.h - the bytes that base64 text stands for.
 */
#ifndef COMMON_BASE64_H
#define COMMON_BASE64_H

#include "buffer.h"

/* Puts the bytes behind those of the buffer. The text ends at its padding, or at
 * the first character that is not of the alphabet: whether it is canonical is for
 * the decoder to say (SPEC 3.8.1). */
void base64_decode(ep_bytes text, buffer *bytes);

#endif
