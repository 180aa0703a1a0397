/*
 * output.h - where products go: a file, whole or not at all, or standard output.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "common/buffer.h"
#include "common/status.h"

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

/* Takes a piece of a product. False: *what says why it could not be written. */
typedef bool output_put(void *sink, ep_bytes piece, failure *what);

/* Makes a product, and gives it on piece by piece. False: *what says why there is none,
 * or what put said. */
typedef bool output_make(void *context, output_put *put, void *sink, failure *what);

/* Gives on the bytes that the context, an ep_bytes, is of. */
bool output_bytes(void *context, output_put *put, void *sink, failure *what);

/* Likewise a product that is made while it is written, and is no text: it is refused to a
 * terminal. */
bool output_write_made(const char *path, output_make *make, void *context, failure *what);

/* The same into a new file below a folder, at a path as io_enter takes it; folders that are
 * not there are made, that one too. Nothing that is there is replaced or followed. */
bool output_write_below(const char *folder, const char *path, output_make *make, void *context,
                        failure *what);

#endif
