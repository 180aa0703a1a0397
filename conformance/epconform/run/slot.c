/*
 * run/slot.c - see slot.h.
 */
#include "run/slot.h"

#include <time.h>

enum { FLOOD_SLACK = 64 << 20 };

int64_t clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

event worker_fail(worker *w, outcome o, const char *why) {
    if (why != NULL) {
        strbuf_text(&w->why, why);
    }
    w->failure = o;
    event e = w->has_task                                            ? EVENT_FAILURE
              : w->phase == PHASE_READY || w->phase == PHASE_CLOSING ? EVENT_LATE
                                                                     : EVENT_NO_HELLO;
    process_finish(&w->process);
    w->phase = PHASE_DOWN;
    return e;
}

double worker_seconds(const session *s, const vector *v) {
    const cJSON *bounds = cJSON_GetObjectItemCaseSensitive(v->line, "bounds");
    double own = (double)vector_size(bounds, "seconds", 0);
    return s->bounds && own > 0 && own < s->timeout ? own : s->timeout;
}

event worker_late(worker *w, const session *s) {
    bool is_hello = w->phase == PHASE_HELLO;
    double seconds = is_hello ? s->start_timeout : worker_seconds(s, w->task.vector);
    strbuf_format(&w->why, "no %s in %g second%s (%s)",
                  is_hello                    ? "hello"
                  : w->phase == PHASE_COMMAND ? "end"
                                              : "answer",
                  seconds, seconds == 1.0 ? "" : "s", is_hello ? "--start-timeout" : "--timeout");
    return worker_fail(w, OUTCOME_TIMEOUT, NULL);
}

size_t worker_left(const worker *w) {
    size_t documents = w->task.document.size + w->task.other.size;
    size_t whole = w->head.size + (w->phase == PHASE_HELLO ? 0 : documents);
    return w->phase == PHASE_HELLO || w->phase == PHASE_HEADER || w->phase == PHASE_PRODUCT ||
                   w->phase == PHASE_COMMAND
               ? whole - w->sent
               : 0;
}

/* The part of the request that goes next: the line, the document, or the other one. */
static vector_bytes next_part(const worker *w) {
    size_t at = w->sent;
    vector_bytes part = {w->head.data, w->head.size};
    for (int i = 0; at >= part.size; i++) {
        at -= part.size;
        part = i == 0 ? w->task.document : w->task.other;
    }
    return (vector_bytes){part.data + at, part.size - at};
}

void worker_send(worker *w) {
    while (worker_left(w) > 0 && !w->broken) {
        vector_bytes part = next_part(w);
        traffic t = process_write(&w->process, part.data, part.size, &w->sent);
        if (t == TRAFFIC_NOTHING_YET) {
            return;
        }
        w->broken = t == TRAFFIC_END;
    }
}

size_t worker_product_limit(const worker *w) {
    return w->task.document.size + w->task.other.size + w->task.wanted.size + FLOOD_SLACK;
}
