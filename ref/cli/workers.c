/*
 * workers.c - see workers.h. Each process has a socket, on which it is given the number of a
 * piece at a time and answers with a head and a product. One that is gone is replaced, if
 * there is still work.
 */
#define _DEFAULT_SOURCE

#include "workers.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/memory.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

enum { AHEAD = 64, PIECE = 1 << 16 };

/* What stands before a product. */
typedef struct head {
    uint64_t size;
    uint32_t result;
    uint32_t failed; /* for want of memory */
} head;

typedef struct worker {
    pid_t process;
    int socket; /* -1: there is none */
    bool busy;
    size_t piece;
    buffer answer; /* what came of it so far */
} worker;

/* A result that waits for its turn. */
typedef struct slot {
    buffer product;
    status result;
    bool done;
    bool lost;
} slot;

typedef struct crew {
    const workers_job *job;
    worker *workers;
    size_t size;
    slot *slots; /* of the pieces from `taken` on, in a ring */
    size_t room;
    size_t given; /* pieces that were given away */
    size_t taken; /* results that were taken */
    bool stopped;
    bool failed;
} crew;

/* --------------------------------------------------------------- the other side */

static bool read_whole(int socket, void *to, size_t size) {
    char *p = to;
    while (size > 0) {
        ssize_t got = read(socket, p, size);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        p += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool write_whole(int socket, const void *from, size_t size) {
    const char *p = from;
    while (size > 0) {
        ssize_t put = send(socket, p, size, MSG_NOSIGNAL);
        if (put < 0 && errno != EINTR) {
            return false;
        }
        p += put > 0 ? put : 0;
        size -= put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* Until nobody asks any more. */
static void serve(const workers_job *job, int socket) {
    size_t piece;
    buffer product = {0};
    while (read_whole(socket, &piece, sizeof piece)) {
        buffer_clear(&product);
        head h = {.result = (uint32_t)job->work(job->context, piece, &product)};
        h.size = product.failed ? 0 : product.size;
        h.failed = product.failed;
        if (!write_whole(socket, &h, sizeof h) || !write_whole(socket, product.data, h.size)) {
            break;
        }
    }
    _exit(0);
}

/* -------------------------------------------------------------------- this side */

static void leave(worker *w) {
    if (w->socket >= 0) {
        close(w->socket);
        waitpid(w->process, NULL, 0);
        w->socket = -1;
    }
    w->busy = false;
    buffer_clear(&w->answer);
}

/* In a process that has just begun, the sockets of the others are closed: they would not
 * be told that this one's parent is gone. */
static void close_others(const crew *c) {
    for (size_t i = 0; i < c->size; i++) {
        if (c->workers[i].socket >= 0) {
            close(c->workers[i].socket);
        }
    }
}

static bool start(crew *c, worker *w) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
        return false;
    }
    w->process = fork();
    if (w->process == 0) {
        close(pair[0]);
        close_others(c);
        serve(c->job, pair[1]);
    }
    close(pair[1]);
    if (w->process < 0) {
        close(pair[0]);
        return false;
    }
    w->socket = pair[0];
    return true;
}

static slot *slot_of(crew *c, size_t piece) {
    return &c->slots[piece % c->room];
}

/* Gives a piece to whoever has none, and begins a process where there is none. */
static void give(crew *c) {
    for (size_t i = 0; i < c->size && !c->stopped; i++) {
        worker *w = &c->workers[i];
        if (w->busy || c->given == c->job->count || c->given == c->taken + c->room) {
            continue;
        }
        if (w->socket < 0 && !start(c, w)) {
            continue;
        }
        w->piece = c->given;
        if (write_whole(w->socket, &w->piece, sizeof w->piece)) {
            w->busy = true;
            c->given++;
        } else {
            leave(w);
        }
    }
}

static void finish(crew *c, worker *w, bool lost) {
    slot *s = slot_of(c, w->piece);
    head h = {.size = 0};
    if (!lost) {
        memcpy(&h, w->answer.data, sizeof h);
        buffer_put(&s->product, w->answer.data + sizeof h, (size_t)h.size);
    }
    s->product.failed = s->product.failed || h.failed != 0;
    s->result = lost ? STATUS_INTERNAL : (status)h.result;
    s->lost = lost;
    s->done = true;
    w->busy = false;
    buffer_clear(&w->answer);
}

static bool is_answered(const worker *w) {
    head h;
    if (w->answer.size < sizeof h) {
        return false;
    }
    memcpy(&h, w->answer.data, sizeof h);
    return w->answer.size - sizeof h >= h.size;
}

/* Takes what a process has to say; that it says nothing any more is its end. */
static void hear(crew *c, worker *w) {
    char piece[PIECE];
    ssize_t got = read(w->socket, piece, sizeof piece);
    if (got < 0 && errno == EINTR) {
        return;
    }
    if (got > 0) {
        buffer_put(&w->answer, piece, (size_t)got);
        c->failed = c->failed || w->answer.failed;
    } else {
        finish(c, w, true);
        leave(w);
    }
    if (w->busy && !c->failed && is_answered(w)) {
        finish(c, w, false);
    }
}

static void take(crew *c) {
    for (; !c->stopped && c->taken < c->given && slot_of(c, c->taken)->done; c->taken++) {
        slot *s = slot_of(c, c->taken);
        c->stopped = !c->job->take(c->job->context, c->taken, s->result, &s->product, s->lost);
        buffer_clear(&s->product);
        s->done = false;
    }
}

/* Waits until somebody answers. False: nobody is at work. */
static bool wait_for_answers(crew *c, struct pollfd *polled) {
    nfds_t count = 0;
    for (size_t i = 0; i < c->size; i++) {
        if (c->workers[i].busy) {
            polled[count++] = (struct pollfd){.fd = c->workers[i].socket, .events = POLLIN};
        }
    }
    if (count == 0 || (poll(polled, count, -1) < 0 && errno != EINTR)) {
        return false;
    }
    for (size_t i = 0, at = 0; i < c->size; i++) {
        if (c->workers[i].busy && polled[at++].revents != 0) {
            hear(c, &c->workers[i]);
        }
    }
    return true;
}

static void run(crew *c, struct pollfd *polled) {
    bool working = true;
    while (working && !c->stopped && !c->failed && c->taken < c->job->count) {
        give(c);
        working = wait_for_answers(c, polled);
        take(c);
    }
}

static void dismiss(crew *c) {
    for (size_t i = 0; c->workers != NULL && i < c->size; i++) {
        leave(&c->workers[i]);
        buffer_free(&c->workers[i].answer);
    }
    for (size_t i = 0; c->slots != NULL && i < c->room; i++) {
        buffer_free(&c->slots[i].product);
    }
    memory_free(c->workers);
    memory_free(c->slots);
}

bool workers_run(const workers_job *job, size_t processes, size_t *next) {
    crew c = {.job = job, .size = processes, .room = processes * AHEAD};
    c.workers = memory_resize(NULL, c.size * sizeof *c.workers);
    c.slots = memory_resize(NULL, c.room * sizeof *c.slots);
    struct pollfd *polled = memory_resize(NULL, c.size * sizeof *polled);
    for (size_t i = 0; c.workers != NULL && i < c.size; i++) {
        c.workers[i] = (worker){.socket = -1};
    }
    if (c.slots != NULL) {
        memset(c.slots, 0, c.room * sizeof *c.slots);
    }
    if (c.workers != NULL && c.slots != NULL && polled != NULL) {
        run(&c, polled);
    }
    dismiss(&c);
    memory_free(polled);
    *next = c.taken;
    return c.stopped || c.taken == job->count;
}

size_t workers_processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (size_t)count : 1;
}
