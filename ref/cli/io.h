/*
 * io.h - the world outside: files that are read, standard streams, the terminal.
 * With output.h the only part of epref that does input or output, but for libzip's
 * reading of an archive that it is given the path of.
 */
#ifndef CLI_IO_H
#define CLI_IO_H

#include "buffer.h"
#include "status.h"

/* What was read. Used again for the next file, so that many small ones cost
 * no allocation each. */
typedef struct io_data {
    char *data;
    size_t size;
    size_t capacity;
    bool is_zip;  /* begins as a zip archive does */
    bool on_disk; /* an archive that can be read in place: no more than its
                     first bytes are here */
} io_data;

/*
 * Reads a file, or standard input for "-", to its end or to one byte more
 * than the limit, whichever comes first. False: what->status and what->reason,
 * or what->error for want of memory.
 */
bool io_read(const char *path, size_t limit, io_data *d, failure *what);

void io_data_free(io_data *d);

/* Writes to standard error; there is nowhere to tell of a failure. */
void io_tell(ep_bytes text);

/* Whether colours are wanted on a stream by its terminal and environment. */
bool io_colors_output(void);
bool io_colors_errors(void);

/* The width of the terminal that standard output is; 0 if it is none. */
size_t io_columns(void);

#endif
