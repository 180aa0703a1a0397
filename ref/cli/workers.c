/*
 * workers.c - see workers.h. Each process takes the next piece that nobody has, by a number that
 * they share, and writes what comes of it to a pipe of its own, as a head and a product; it waits
 * while that is full. So no result has to be kept until its turn. A process that is gone is
 * replaced, if there is still work, and the piece that nobody brings was its.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "workers.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/memory.h"

/* What stands before a product. */
typedef struct head {
    uint64_t piece;
    uint64_t size;
    uint32_t result;
    uint32_t failed; /* for want of memory */
} head;

typedef struct worker {
    pid_t process;
    int pipe;   /* -1: there is none */
    bool ready; /* the head of its next result was read */
    head head;
} worker;

typedef struct crew {
    const workers_job *job;
    atomic_size_t *next; /* the first piece that nobody has; shared */
    worker *workers;
    struct pollfd *polled;
    size_t size;
} crew;

static bool write_whole(int file, const void *from, size_t size) {
    const char *p = from;
    while (size > 0) {
        ssize_t put = write(file, p, size);
        if (put < 0 && errno != EINTR) {
            return false;
        }
        p += put > 0 ? put : 0;
        size -= put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* Puts so many bytes behind a buffer. False: they end early, or there is no memory for them. */
static bool read_whole(int file, size_t size, buffer *to) {
    char piece[1 << 16];
    while (size > 0 && !to->failed) {
        ssize_t got = read(file, piece, size < sizeof piece ? size : sizeof piece);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        buffer_put(to, piece, got > 0 ? (size_t)got : 0);
        size -= got > 0 ? (size_t)got : 0;
    }
    return !to->failed;
}

/* Until there are no more pieces, or nobody reads any more. */
static void serve(const crew *c, int file) {
    buffer product = {0};
    for (size_t i; (i = atomic_fetch_add(c->next, 1)) < c->job->count;) {
        head h = {.piece = i};
        buffer_clear(&product);
        buffer_put(&product, (const char *)&h, sizeof h);
        h.result = (uint32_t)c->job->work(c->job->context, i, &product);
        h.failed = product.failed;
        h.size = product.failed ? 0 : product.size - sizeof h;
        const void *from = &h;
        if (!product.failed) {
            from = memcpy(product.data, &h, sizeof h);
        }
        if (!write_whole(file, from, sizeof h + h.size)) {
            break;
        }
    }
    _exit(0);
}

/* In a process that has just begun, the pipes of the others are closed: they would not see
 * that this one's parent is gone. */
static bool start(const crew *c, worker *w) {
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    w->process = fork();
    if (w->process == 0) {
        for (size_t i = 0; i < c->size; i++) {
            if (c->workers[i].pipe >= 0) {
                close(c->workers[i].pipe);
            }
        }
        close(ends[0]);
        serve(c, ends[1]);
    }
    close(ends[1]);
    w->pipe = ends[0];
    if (w->process < 0) {
        close(ends[0]);
        w->pipe = -1;
    }
    return w->pipe >= 0;
}

static void leave(worker *w) {
    if (w->pipe >= 0) {
        close(w->pipe);
        waitpid(w->process, NULL, 0);
        w->pipe = -1;
    }
    w->ready = false;
}

/* Reads the head of a process's next result; no more bytes mean that it has ended. */
static void read_head(worker *w, buffer *text) {
    buffer_clear(text);
    w->ready = read_whole(w->pipe, sizeof w->head, text);
    if (w->ready) {
        memcpy(&w->head, text->data, sizeof w->head);
    } else if (!text->failed) {
        leave(w);
    }
}

/* Who has done a piece; NULL: nobody will bring it, or for want of memory. */
static worker *bringer_of(crew *c, size_t piece, buffer *text) {
    for (;;) {
        nfds_t count = 0;
        for (size_t i = 0; i < c->size; i++) {
            worker *w = &c->workers[i];
            if (w->ready && w->head.piece == piece) {
                return w;
            }
            bool there = w->pipe >= 0 || (atomic_load(c->next) < c->job->count && start(c, w));
            if (there && !w->ready) {
                c->polled[count++] = (struct pollfd){.fd = w->pipe, .events = POLLIN};
            }
        }
        if (count == 0 || (poll(c->polled, count, -1) < 0 && errno != EINTR)) {
            return NULL;
        }
        for (size_t i = 0, at = 0; i < c->size && !text->failed && at < count; i++) {
            worker *w = &c->workers[i];
            if (w->pipe == c->polled[at].fd && c->polled[at++].revents != 0) {
                read_head(w, text);
            }
        }
        if (text->failed) {
            return NULL;
        }
    }
}

/* Up to the first piece that cannot be done by others. */
static bool run(crew *c, size_t *next) {
    buffer product = {0};
    bool ok = true;
    for (bool more = true; ok && more && *next < c->job->count;) {
        worker *w = bringer_of(c, *next, &product);
        head h = w != NULL ? w->head : (head){.result = STATUS_INTERNAL};
        ok = !product.failed && (w != NULL || *next < atomic_load(c->next));
        buffer_clear(&product);
        bool lost = w == NULL || !read_whole(w->pipe, (size_t)h.size, &product);
        ok = ok && !product.failed;
        if (w != NULL) {
            w->ready = false;
        }
        if (ok) {
            h.result = lost ? (uint32_t)STATUS_INTERNAL : h.result;
            product.failed = h.failed != 0;
            more = c->job->take(c->job->context, (*next)++, (status)h.result, &product, lost);
        }
    }
    buffer_free(&product);
    return ok;
}

bool workers_run(const workers_job *job, size_t processes, size_t *next) {
    crew c = {.job = job, .size = processes};
    size_t shared = sizeof *c.next;
    c.workers = memory_resize(NULL, processes * sizeof *c.workers);
    c.polled = memory_resize(NULL, processes * sizeof *c.polled);
    c.next = mmap(NULL, shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool ok = c.workers != NULL && c.polled != NULL && c.next != MAP_FAILED;
    for (size_t i = 0; c.workers != NULL && i < processes; i++) {
        c.workers[i] = (worker){.pipe = -1};
    }
    *next = 0;
    ok = ok && run(&c, next);
    for (size_t i = 0; c.workers != NULL && i < processes; i++) {
        leave(&c.workers[i]);
    }
    if (c.next != MAP_FAILED) {
        munmap(c.next, shared);
    }
    memory_free(c.workers);
    memory_free(c.polled);
    return ok;
}

size_t workers_processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (size_t)count : 1;
}
