/*
 * progress.h - how far a command is that has many files, on standard error where that is a
 * terminal: from the second on that it takes longer than one.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct progress {
    size_t total;
    size_t done;
    int64_t began; /* milliseconds, as the two behind */
    int64_t drawn;
    bool wanted;
    bool visible;
} progress;

void progress_begin(progress *p, size_t total);

/* Files are done; draws, if it is time. */
void progress_show(progress *p, size_t done);

/* Takes the line away: before output that goes to the same terminal, and at the end. */
void progress_hide(progress *p);
void progress_make_way(progress *p);

#endif
