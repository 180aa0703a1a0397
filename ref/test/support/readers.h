/*
 * readers.h - the two readers of the decoder, and the two writers of the encoder, beside
 * each other.
 */
#ifndef EP_TEST_READERS_H
#define EP_TEST_READERS_H

#include "epref.h"

/* The bytes behind which the fast reader does nothing: white space for the end of a text, so
 * that it reads all of it. */
enum { READERS_MARGIN = 1024 };

/* Reads a text as a version by both, and writes what they made by both. NULL, or what
 * differs: the verdict, the fault, the warnings, the tree or the bytes. NULL too where memory
 * runs out. */
const char *readers_differ(ep_bytes text, const ep_version *version, bool forward);

#endif
