/*
 * tensorfolder.h - a folder of files of tensors, as extract --to-dir writes them or others do,
 * read as if it were one file: NAME.npy, NAME.bin (the elements alone), and files of
 * safetensors, which hold names of their own.
 */
#ifndef ARCHIVE_TENSORFOLDER_H
#define ARCHIVE_TENSORFOLDER_H

#include "archive/state/given.h"

/* A file, and where it begins in the whole. */
typedef struct tensorfolder_file {
    const char *name;
    uint64_t begin;
    uint64_t length;
    int64_t changed[2];
} tensorfolder_file;

typedef struct tensorfolder {
    const char *path;
    buffer names;
    tensorfolder_file *files;
    size_t count;
    size_t opened;      /* which file is being read */
    io_data reading;    /* that one: no more are open than one */
    io_data whole;      /* all of them, one behind the other */
    given given;        /* their tensors */
    const char *blamed; /* the file that a failure is about; NULL: it is about none */
    ep_bytes tensor;    /* or the tensor */
    failure why;        /* why reading failed, if it did */
} tensorfolder;

/*
 * Reads the headers of all files of a folder, none of which may be longer than the limit. The
 * folder has to stay where it is. False: what->error or what->reason. tensorfolder_free frees
 * it in any case. n files and tensors, and bytes of headers: O(n log n).
 */
bool tensorfolder_open(const char *path, size_t limit, tensorfolder *f, failure *what);

void tensorfolder_free(tensorfolder *f);

#endif
