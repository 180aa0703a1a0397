/*
 * io.h - files that are read, and standard input. With the command's output.c and
 * terminal.c the only part of epref that does input or output.
 */
#ifndef COMMON_IO_H
#define COMMON_IO_H

#include "buffer.h"
#include "status.h"

/* Reads bytes that there are, from a place on; false: they cannot be read. */
typedef bool io_reader(void *context, uint64_t place, void *to, size_t size);

/* What was read. Used again for the next file, so that many small ones cost
 * no allocation each. */
typedef struct io_data {
    char *data;
    size_t size;
    size_t capacity;    /* 0: data is a view, and freed by whom it is of */
    bool is_zip;        /* begins as a zip archive does */
    bool on_disk;       /* one that is read in place, such as an archive: no more than its
                           first bytes are here, which is all of most */
    int descriptor;     /* if so: of the file, open until the next one is read */
    io_reader *reader;  /* or of what is no file, instead of a descriptor; else NULL */
    void *context;      /* the reader's */
    uint64_t start;     /* of a window, in the file */
    uint64_t length;    /* and what it was like then */
    int64_t changed[2]; /* seconds, and nanoseconds */
} io_data;

/*
 * Reads a file, or standard input for "-", to its end or to one byte more
 * than the limit, whichever comes first; of an archive in a regular file only
 * the first bytes. False: what->status and what->reason, or what->error for want
 * of memory, or for an archive that cannot be read in place and is longer than the
 * limit.
 */
bool io_read(const char *path, size_t limit, io_data *d, failure *what);

/* Makes a folder unless it is there. False: errno says why. */
bool io_make_folder(const char *path);

/*
 * The folder that the last part of a path is in, below a folder, entered part by part and
 * through no symbolic link; of the path no part may be empty, "." or "..". make: folders
 * that are not there are made, the one that it is below too. -1: errno says why. *last is left at
 * the last part.
 */
int io_enter(const char *folder, const char *path, bool make, const char **last);

/* Opens a regular file, to be read in place. */
bool io_open(const char *path, io_data *d, failure *what);

/* Opens a regular file below a folder, as io_enter finds it, to be read in place. */
bool io_open_below(const char *folder, const char *path, io_data *d, failure *what);

/* Whether a path is that of a folder. */
bool io_is_folder(const char *path);

/* Whether there is a regular file of this path, behind links too. */
bool io_is_file(const char *path);

/* Puts the names of what is in a folder, each with a zero behind it, in no order; those that
 * begin with a dot are left out. */
bool io_list(const char *folder, buffer *names, failure *what);

/* Opens what a function reads, of so many bytes; the first of them are looked at. */
bool io_open_reader(io_reader *reader, void *context, uint64_t length, io_data *d, failure *what);

/* Whether a file that is open begins as a zip archive does: is_zip. */
bool io_look(io_data *d, failure *what);

/* Makes a view of bytes, which stay the caller's: freeing it frees nothing. */
void io_view(ep_bytes bytes, io_data *d);

/* Makes a window: bytes that there are of an archive, as one of their own. It is good as
 * long as the archive, and is not freed. */
void io_window(const io_data *of, uint64_t place, uint64_t size, io_data *window);

/* Bytes of an archive, on disk or in memory. */
uint64_t io_length(const io_data *d);

/* Reads bytes of it that there are by its length; false also when they are there no
 * longer. */
bool io_read_at(const io_data *d, uint64_t place, void *to, size_t size, failure *what);

/* The same into a buffer, behind what is in it. */
bool io_read_piece(const io_data *d, uint64_t place, size_t size, buffer *to, failure *what);

/* Refuses a file that was changed since it was opened: what was read may be of two
 * files. */
bool io_check_unchanged(const io_data *d, failure *what);

/* ok, which says how reading went, and *what with it; but where the file was changed
 * since it was opened, that: what it seemed to hold says nothing then. */
bool io_settle(const io_data *d, bool ok, failure *what);

void io_data_free(io_data *d);

#endif
