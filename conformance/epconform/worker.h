/*
 * worker.h - one slot in which a testee runs, a vector at a time. Its phases
 * go on by what its pipes have to say and by the clock; nothing waits here.
 */
#ifndef EPCONFORM_WORKER_H
#define EPCONFORM_WORKER_H

#include "judging.h"

#include <poll.h>

/* What all workers share. */
typedef struct session {
    const testee *testee;
    launch launch;
    double timeout;       /* seconds for an answer */
    double start_timeout; /* seconds for a hello */
    bool bounds;          /* the seconds that vectors name count, too */
    traits traits;        /* once there is a hello */
    bool has_traits;
} session;

typedef enum phase {
    PHASE_DOWN,    /* no process */
    PHASE_HELLO,   /* started and asked what it can do */
    PHASE_READY,   /* may be given a vector */
    PHASE_HEADER,  /* asked; the answer's line is awaited */
    PHASE_PRODUCT, /* the bytes behind it are */
    PHASE_COMMAND, /* a command runs */
    PHASE_ENDING,  /* nothing more will come; how it ends is awaited */
    PHASE_CLOSING  /* its input is closed; it has to end with status 0 */
} phase;

/* What a step has come to. */
typedef enum event {
    EVENT_NONE,
    EVENT_HELLO,    /* a process is ready */
    EVENT_NO_HELLO, /* it is none that can be run: why */
    EVENT_ANSWER,   /* an answer, and in `in` its product */
    EVENT_FAILURE,  /* none: failure, why */
    EVENT_CLOSED,   /* it ended as it should */
    EVENT_LATE      /* failure, why, and it is about its last vector */
} event;

typedef struct worker {
    phase phase;
    process process;
    task task;
    bool has_task;
    strbuf head; /* the request's line */
    size_t sent; /* of line and document */
    strbuf in;   /* what has come: a line, or the product */
    answer answer;
    outcome failure;
    strbuf why;
    size_t asked; /* requests so far, the last one's id */
    size_t last;  /* the result of the last vector answered by this process */
    bool has_last;
    bool broken;   /* it takes no more input */
    int64_t began; /* nanoseconds */
    int64_t deadline;
} worker;

/* The monotonic clock in nanoseconds. */
int64_t clock_now(void);

/* Starts a process and asks for its hello. False: why. */
bool worker_start(worker *w, session *s);

/* Gives a vector, which the worker owns from then on, to a ready worker; to a
 * command that is down. What becomes of it is told by worker_step. */
void worker_ask(worker *w, session *s, const task *t);

/* Whether a ready process says something that nobody asked for: EVENT_LATE. */
event worker_listen(worker *w);

/* Tells a ready process that there is nothing left. */
void worker_close(worker *w, const session *s);

/* Puts what it waits for into three entries for poll. */
void worker_watch(const worker *w, struct pollfd *fds);

/* Goes on; fds are those of worker_watch after poll. */
event worker_step(worker *w, session *s, const struct pollfd *fds);

/* For the phases: a failure, after which no process is left; the event that
 * it is. Why is added to, unless it is NULL. */
event worker_fail(worker *w, outcome o, const char *why);

/* The failure of what did not come in time. */
event worker_late(worker *w, const session *s);

/* For the phases: writes what can be written; how much a product may have. */
void worker_send(worker *w);
size_t worker_product_limit(const worker *w);

/* Kills what runs, and forgets the task. */
void worker_stop(worker *w);
void worker_free(worker *w);

/* How long poll may wait for it, in milliseconds. */
int worker_patience(const worker *w, int64_t now);

#endif
