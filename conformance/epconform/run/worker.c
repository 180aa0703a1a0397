/*
 * run/worker.c - see worker.h: testees that are processes and speak the protocol.
 */
#include "run/worker.h"

#include "run/one_shot.h"
#include "text/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MILLISECOND = 1000000, PATIENCE_MAX = 100, ENDING_SECONDS = 1 };
enum { STRAY_MAX = 80 };

static int64_t in_seconds(double seconds) {
    return clock_now() + (int64_t)(seconds * 1e9);
}

/* --------------------------------------------------------------------- steps */

/* Nothing more will come: a moment for its status. */
static event end(worker *w) {
    w->phase = PHASE_ENDING;
    w->deadline = in_seconds(ENDING_SECONDS);
    return EVENT_NONE;
}

bool worker_start(worker *w, session *s) {
    strbuf_clear(&w->why);
    strbuf_clear(&w->in);
    strbuf_clear(&w->head);
    if (!process_prepare(&w->process, &s->launch) ||
        !process_start(&w->process, &s->launch, &s->launch.words)) {
        strbuf_format(&w->why, "it cannot be started: %s", strbuf_string(&w->process.tail));
        return false;
    }
    request_hello(&w->head);
    w->sent = 0;
    w->broken = false;
    w->has_last = false;
    w->phase = PHASE_HELLO;
    w->deadline = in_seconds(s->start_timeout);
    return true;
}

event worker_listen(worker *w) {
    return process_read(&w->process, &w->in, STRAY_MAX) == TRAFFIC_SOME
               ? worker_fail(w, OUTCOME_PROTOCOL, "sent bytes that nobody asked for")
               : EVENT_NONE;
}

void worker_ask(worker *w, session *s, const task *t) {
    w->task = *t; /* which may be the one that it has */
    w->has_task = true;
    w->sent = 0;
    w->began = clock_now();
    w->deadline = in_seconds(worker_seconds(s, t->vector));
    strbuf_clear(&w->why);
    strbuf_clear(&w->in);
    strbuf_clear(&w->head);
    if (s->testee->is_command) {
        command_start(w, s);
        return;
    }
    request_run(&w->head, t->vector, t->operation, ++w->asked,
                (request_sizes){t->document.size, t->other.size});
    w->phase = PHASE_HEADER;
}

void worker_close(worker *w, const session *s) {
    strbuf_clear(&w->why);
    process_close_input(&w->process);
    w->phase = PHASE_CLOSING;
    w->deadline = in_seconds(s->timeout);
}

/* ------------------------------------------------------------------- output */

static event take_hello(worker *w, session *s, size_t size) {
    traits said;
    cJSON *json = object_read(w->in.data, size, &w->why);
    bool stray = w->in.size > size + 1;
    if (json == NULL || !traits_read(&said, json, &w->why)) {
        cJSON_Delete(json);
        return worker_fail(w, OUTCOME_PROTOCOL, NULL);
    }
    if (s->has_traits) {
        traits_free(&said);
    } else {
        s->traits = said;
        s->has_traits = true;
    }
    if (stray) {
        return worker_fail(w, OUTCOME_PROTOCOL, "bytes behind its hello");
    }
    strbuf_clear(&w->in);
    w->phase = PHASE_READY;
    return EVENT_HELLO;
}

/* The answer is whole once its product is, and the document was taken. */
static event take_product(worker *w) {
    if (w->in.size > w->answer.size) {
        return worker_fail(w, OUTCOME_PROTOCOL, "sent bytes that nobody asked for");
    }
    if (w->in.size < w->answer.size || worker_left(w) > 0) {
        return EVENT_NONE;
    }
    w->phase = PHASE_READY;
    w->last = w->task.index;
    w->has_last = true;
    return EVENT_ANSWER;
}

static event take_answer(worker *w, size_t size) {
    answer_free(&w->answer);
    if (!answer_read(&w->answer, w->in.data, size, w->asked, &w->why)) {
        return worker_fail(w, OUTCOME_PROTOCOL, NULL);
    }
    bool belongs = w->answer.verdict == VERDICT_VALID && operation_has_product(w->task.operation);
    if (w->answer.has_size && !belongs) {
        return worker_fail(w, OUTCOME_PROTOCOL, "a product where none belongs");
    }
    if (w->answer.size > worker_product_limit(w)) {
        strbuf_format(&w->why, "a product of %zu bytes", w->answer.size);
        return worker_fail(w, OUTCOME_FLOOD, NULL);
    }
    strbuf_drop(&w->in, size + 1);
    w->phase = PHASE_PRODUCT;
    return take_product(w);
}

static event take_line(worker *w, session *s) {
    const char *feed = w->in.size > 0 ? memchr(w->in.data, '\n', w->in.size) : NULL;
    size_t size = feed != NULL ? (size_t)(feed - w->in.data) : w->in.size;
    if (size >= LINE_MAX_SIZE) {
        return worker_fail(w, OUTCOME_FLOOD, "a line of more than 65,536 bytes");
    }
    if (feed == NULL) {
        return EVENT_NONE;
    }
    return w->phase == PHASE_HELLO ? take_hello(w, s, size) : take_answer(w, size);
}

/* How much may still be read at once: never much more than what is awaited. */
static size_t appetite(const worker *w) {
    if (w->phase == PHASE_PRODUCT) {
        return w->answer.size - w->in.size + 1;
    }
    return LINE_MAX_SIZE + 1 - w->in.size;
}

static event receive(worker *w, session *s) {
    for (;;) {
        traffic t = process_read(&w->process, &w->in, appetite(w));
        if (t == TRAFFIC_NOTHING_YET) {
            return EVENT_NONE;
        }
        if (t == TRAFFIC_END) {
            return end(w);
        }
        event e = w->phase == PHASE_PRODUCT ? take_product(w) : take_line(w, s);
        if (e != EVENT_NONE) {
            return e;
        }
    }
}

/* -------------------------------------------------------------------- ending */

/* The pipes are closed, or a request could not be written: how did it end? */
static event step_ending(worker *w) {
    int status;
    if (process_ended(&w->process, &status)) {
        process_describe(status, &w->why);
        return worker_fail(w, OUTCOME_CRASH, " before it answered");
    }
    if (clock_now() >= w->deadline) {
        return worker_fail(w, OUTCOME_CRASH,
                           w->broken ? "closed its input before it had read the request"
                                     : "closed its output before it answered");
    }
    return EVENT_NONE;
}

static event step_closing(worker *w) {
    int status;
    if (process_read(&w->process, &w->in, STRAY_MAX) == TRAFFIC_SOME) {
        return worker_fail(w, OUTCOME_PROTOCOL, "sent bytes that nobody asked for");
    }
    if (process_ended(&w->process, &status)) {
        if (status != 0) {
            process_describe(status, &w->why);
            return worker_fail(w, OUTCOME_CRASH, " when its input ended");
        }
        process_finish(&w->process);
        w->phase = PHASE_DOWN;
        return EVENT_CLOSED;
    }
    if (clock_now() >= w->deadline) {
        return worker_fail(w, OUTCOME_TIMEOUT, "did not end when its input ended");
    }
    return EVENT_NONE;
}

static event step_asked(worker *w, session *s) {
    int status;
    bool ended = process_ended(&w->process, &status); /* before its last bytes are read */
    worker_send(w);
    event e = receive(w, s);
    if (e == EVENT_NONE && w->phase == PHASE_PRODUCT) {
        e = take_product(w); /* the last of the document may have gone only now */
    }
    if (e == EVENT_NONE && w->phase != PHASE_ENDING && (w->broken || ended)) {
        return end(w); /* a child of it may still hold the pipe */
    }
    if (e == EVENT_NONE && clock_now() >= w->deadline && w->phase != PHASE_ENDING) {
        return worker_late(w, s);
    }
    return e;
}

event worker_step(worker *w, session *s, const struct pollfd *fds) {
    if (fds[2].revents != 0) {
        process_drain(&w->process);
    }
    switch (w->phase) {
    case PHASE_DOWN:
        return EVENT_NONE;
    case PHASE_READY:
        return worker_listen(w);
    case PHASE_HELLO:
    case PHASE_HEADER:
    case PHASE_PRODUCT:
        return step_asked(w, s);
    case PHASE_COMMAND:
        return command_step(w, s);
    case PHASE_ENDING:
        return step_ending(w);
    case PHASE_CLOSING:
        return step_closing(w);
    }
    return EVENT_NONE;
}

/* --------------------------------------------------------------------- poll */

static struct pollfd watch(int fd, short events, bool wanted) {
    return (struct pollfd){.fd = wanted ? fd : -1, .events = events};
}

void worker_watch(const worker *w, struct pollfd *fds) {
    bool up = w->phase != PHASE_DOWN;
    fds[0] = watch(w->process.in, POLLOUT, up && !w->broken && worker_left(w) > 0);
    fds[1] = watch(w->process.out, POLLIN, up && w->phase != PHASE_ENDING);
    fds[2] = watch(w->process.err, POLLIN, up);
}

int worker_patience(const worker *w, int64_t now) {
    bool ends = w->phase == PHASE_ENDING || w->phase == PHASE_CLOSING ||
                (w->phase == PHASE_COMMAND && w->process.out < 0);
    int64_t left = (w->deadline - now) / MILLISECOND + 1;
    int64_t most = ends ? 1 : PATIENCE_MAX;
    if (w->phase == PHASE_DOWN || w->phase == PHASE_READY) {
        return PATIENCE_MAX;
    }
    return left < 0 ? 0 : (int)(left < most ? left : most);
}

void worker_free(worker *w) {
    if (w->phase != PHASE_DOWN) {
        process_finish(&w->process);
    }
    if (w->has_task) {
        task_free(&w->task);
    }
    strbuf_free(&w->head);
    strbuf_free(&w->in);
    strbuf_free(&w->why);
    strbuf_free(&w->process.tail);
    strbuf_free(&w->process.first);
    answer_free(&w->answer);
}
