/*
 * run/worker.h - what runs in a slot, a vector at a time. Its phases go on by what
 * its pipes have to say and by the clock; nothing waits here.
 */
#ifndef EPCONFORM_WORKER_H
#define EPCONFORM_WORKER_H

#include "run/slot.h"

#include <poll.h>

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

/* Kills what runs. */
void worker_free(worker *w);

/* How long poll may wait for it, in milliseconds. */
int worker_patience(const worker *w, int64_t now);

#endif
