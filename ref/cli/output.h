/*
 * output.h - where products go: a file, whole or not at all, or standard output.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "buffer.h"
#include "status.h"

/*
 * Writes a product: to a file, which has either all of it or what it had
 * before, or to standard output for NULL. A file that is not a regular one is
 * written to as it is. False: what->status and what->reason, or what->error for
 * want of memory.
 */
bool output_write(const char *path, ep_bytes product, failure *what);

/* The next piece of a product, which is empty behind the last. False: there is no
 * memory for it. */
typedef bool output_pull(void *context, ep_bytes *piece);

/* Likewise a product that is not in one piece. */
bool output_write_pieces(const char *path, output_pull *pull, void *context, failure *what);

#endif
