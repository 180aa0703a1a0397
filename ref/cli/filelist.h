/*
 * filelist.h - the files that a command is about: its operands, and with --recursive what
 * lies below those that are folders.
 */
#ifndef CLI_FILELIST_H
#define CLI_FILELIST_H

#include "options.h"

typedef struct filelist_file {
    char *path;
    const char *name; /* in the path: what is behind the folder that was given, or the last part */
    bool is_folder;   /* that is not looked into, for want of --recursive */
    bool is_empty;    /* a folder that has no such files */
} filelist_file;

typedef struct filelist {
    filelist_file *files;
    size_t count;
    size_t capacity;
    bool failed; /* for want of memory; sticks */
} filelist;

/*
 * The operands, or "-" for standard input where there are none. With --recursive each
 * folder among them becomes the files below it whose names end in .pt2, in the order of
 * their names: links to files too, but of links to folders nothing. A folder that cannot be
 * read, or has none, stands for itself. Linear in what is there, times the
 * logarithm of the largest folder. filelist_free frees it in any case.
 */
void filelist_open(filelist *f, const options *o);
void filelist_free(filelist *f);

#endif
