/*
 * run/slot.h - a slot in which a testee runs, and what both kinds of testees do in
 * it: those that speak the protocol (worker.c), and commands (one_shot.c).
 */
#ifndef EPCONFORM_SLOT_H
#define EPCONFORM_SLOT_H

#include "run/judging.h"

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

/* A failure, after which no process is left; the event that
 * it is. Why is added to, unless it is NULL. */
event worker_fail(worker *w, outcome o, const char *why);

/* The failure of what did not come in time. */
event worker_late(worker *w, const session *s);

/* The seconds for an answer: all testees', or fewer if the vector says so. */
double worker_seconds(const session *s, const vector *v);

/* What of the request is not written yet; writes what can be written. */
size_t worker_left(const worker *w);
void worker_send(worker *w);

/* The most that a product may have; all beyond is a flood. */
size_t worker_product_limit(const worker *w);

#endif
