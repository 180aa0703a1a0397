/*
 * output.h - where products go: a file, whole or not at all, or standard output.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "buffer.h"
#include "status.h"

/*
 * Writes a product to the file at path, or to standard output for NULL.
 *
 * A regular file is replaced when all of the product is on the disk: whatever
 * happens before, a signal included, leaves it as it was and nothing beside it.
 * It keeps its permissions, and its owner and group as far as the user may give
 * them; one that the user may not write to is not replaced. A new file has the
 * permissions that the umask leaves. A symbolic link is followed. Anything else,
 * and a descriptor by name such as /dev/stdout, is written to as it is.
 *
 * False: what->status and what->reason, or what->error for want of memory. A
 * signal that came while there was something to take away is let through when
 * that is done.
 */
bool output_write(const char *path, ep_bytes product, failure *what);

/* The next piece of a product, which is empty behind the last. False: there is no
 * memory for it. */
typedef bool output_pull(void *context, ep_bytes *piece);

/* Likewise a product that is not in one piece. */
bool output_write_pieces(const char *path, output_pull *pull, void *context, failure *what);

#endif
