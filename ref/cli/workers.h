/*
 * workers.h - pieces of work that several processes do, and whose results come in the order
 * of the pieces. Processes and not threads: nothing is shared that would have to be locked,
 * the count of memory included, and a file that one of them does not survive is that file's
 * failure alone.
 */
#ifndef CLI_WORKERS_H
#define CLI_WORKERS_H

#include "common/buffer.h"
#include "common/status.h"

/* Does the i-th piece, in another process; puts what comes of it into the product. */
typedef status workers_do(void *context, size_t i, buffer *product);

/* Takes the result of the i-th piece, in this process; false: no more are wanted. lost: the
 * process ended before there was one. */
typedef bool workers_take(void *context, size_t i, status result, buffer *product, bool lost);

typedef struct workers_job {
    size_t count;
    workers_do *work;
    workers_take *take;
    void *context;
} workers_job;

/*
 * Does a job in so many processes. False: not all was done, for want of memory or of
 * processes; *next is the first piece whose result was not taken. What comes before its turn
 * waits where it was made.
 */
bool workers_run(const workers_job *job, size_t processes, size_t *next);

/* How many processors there are; 1, if that is not known. */
size_t workers_processors(void);

#endif
