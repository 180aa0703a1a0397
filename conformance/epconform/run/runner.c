/*
 * run/runner.c - see runner.h. One loop around poll drives all workers; a vector
 * goes to the next worker that is free, and its result to its own place.
 */
#include "run/runner.h"

#include "run/twins.h"
#include "text/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FDS = 3 };

/* The state of a run that goes on. */
typedef struct loop {
    runner *runner;
    worker *workers;
    struct pollfd *fds;
    size_t next; /* of the results */
    ending ending;
    bool stopped;
} loop;

static void stop(loop *l, ending why) {
    if (!l->stopped) {
        l->stopped = true;
        l->ending = why;
    }
}

/* ------------------------------------------------------------------ results */

static void settle(loop *l, result *r) {
    run *all = l->runner->run;
    const entry *e = expected_find(all->expected, r->vector->id);
    r->done = true;
    if (r >= all->results + all->count) {
        return; /* a twin beside: nobody asked for it */
    }
    bool is_expected = e != NULL && r->outcome == e->cause->outcome;
    r->cause = is_expected ? e->cause : NULL;
    r->was = e != NULL && !is_expected ? e->cause : NULL;
    l->runner->seen(l->runner->seen_context, all, r);
    if (l->runner->fail_fast && result_is_unexpected(r)) {
        stop(l, ENDING_FAIL_FAST);
    }
}

static void fail_result(result *r, const worker *w) {
    char *tail = process_said(&w->process);
    free(r->detail);
    r->detail = memory_text(strbuf_string(&w->why));
    r->outcome = w->failure;
    if (tail[0] != '\0') {
        free(r->message);
        r->message = tail;
    } else {
        free(tail);
    }
}

static result *result_of(loop *l, const worker *w) {
    result *r = &l->runner->run->results[w->task.index];
    r->ms += (double)((clock_now() - w->began) / 100000) / 10;
    return r;
}

static void finish_task(loop *l, worker *w, result *r) {
    task_free(&w->task);
    w->has_task = false;
    settle(l, r);
}

/* Whether the task is one more question about an invalid document that was accepted. */
static bool is_writing(const worker *w, const result *r) {
    return w->task.operation != r->vector->operation && r->outcome == OUTCOME_ACCEPTED;
}

/* What an invalid document was read as: of a failure that has a cause nobody asks. */
static bool asks_writing(loop *l, worker *w, const result *r) {
    const entry *e = expected_find(l->runner->run->expected, r->vector->id);
    bool is_known = e != NULL && e->cause->outcome == r->outcome;
    bool is_beside = r >= l->runner->run->results + l->runner->run->count;
    return !is_known && !is_beside && task_ask_writing(&w->task, &l->runner->session.traits, r);
}

/* A vector is done after one answer or after two: the second one says whether a document
 * that was refused is read at all, or as what one was read that was accepted. */
static void take_answer(loop *l, worker *w) {
    result *r = result_of(l, w);
    session *s = &l->runner->session;
    vector_bytes product = {w->in.data, w->in.size};
    if (is_writing(w, r)) {
        judge_writing(&w->task, &w->answer, product, r);
    } else if (w->task.operation != r->vector->operation) {
        judge_reading(&w->answer, r);
    } else {
        judge(&s->traits, &w->task, &w->answer, product, r);
        if (task_ask_reading(&w->task, &s->traits, &w->answer) || asks_writing(l, w, r)) {
            worker_ask(w, s, &w->task);
            return;
        }
    }
    finish_task(l, w, r);
}

/* Who cannot write what was accepted has accepted it nonetheless. */
static void fail_writing(result *r, const worker *w) {
    char *detail = memory_format("%s; encode: %s: %s", r->detail, outcome_name(w->failure),
                                 strbuf_string(&w->why));
    free(r->detail);
    r->detail = detail;
}

static void take_failure(loop *l, worker *w) {
    result *r = result_of(l, w);
    if (is_writing(w, r)) {
        fail_writing(r, w);
    } else {
        fail_result(r, w);
    }
    finish_task(l, w, r);
}

/* What a process does after its last answer is held against that one. */
static void take_late(loop *l, worker *w) {
    if (!w->has_last) {
        fprintf(stderr, "epconform: the testee %s\n", strbuf_string(&w->why));
        stop(l, ENDING_BROKEN);
        return;
    }
    result *r = &l->runner->run->results[w->last];
    fail_result(r, w);
    char *detail = memory_format("after its answer: %s", r->detail);
    free(r->detail);
    r->detail = detail;
    settle(l, r);
}

static void take_no_hello(loop *l, const worker *w) {
    char *tail = process_said(&w->process);
    fprintf(stderr, "epconform: the testee cannot be run: %s\n", strbuf_string(&w->why));
    if (tail[0] != '\0' && strstr(strbuf_string(&w->why), tail) == NULL) {
        fprintf(stderr, "its standard error ends: %s\n", tail);
    }
    free(tail);
    stop(l, ENDING_BROKEN);
}

static void take_profile(runner *r) {
    if (r->profile != NULL) {
        r->session.traits.profile = r->profile;
    }
}

static void take_event(loop *l, worker *w, event e) {
    switch (e) {
    case EVENT_NONE:
    case EVENT_CLOSED:
        return;
    case EVENT_HELLO:
        take_profile(l->runner);
        return;
    case EVENT_NO_HELLO:
        take_no_hello(l, w);
        return;
    case EVENT_ANSWER:
        take_answer(l, w);
        return;
    case EVENT_FAILURE:
        take_failure(l, w);
        return;
    case EVENT_LATE:
        take_late(l, w);
        return;
    }
}

/* ------------------------------------------------------------------ workers */

/* The next vector that the testee can be asked; NULL: there is none. */
static result *next_result(loop *l) {
    run *all = l->runner->run;
    const traits *t = &l->runner->session.traits;
    while (l->next < all->count + all->beside) {
        result *r = &all->results[l->next];
        r->skip = traits_lack(t, r->vector);
        if (r->skip == SKIP_NONE) {
            return r;
        }
        r->outcome = OUTCOME_SKIPPED;
        l->next++;
        settle(l, r);
    }
    return NULL;
}

static void give(loop *l, worker *w, const result *r) {
    task t = {.index = l->next};
    if (task_make(&t, r->vector)) {
        l->next++;
        worker_ask(w, &l->runner->session, &t);
        return;
    }
    task_free(&t);
    fprintf(stderr, "epconform: the document of %s cannot be made\n", r->vector->id);
    stop(l, ENDING_BROKEN);
}

/* Gives a worker that is free something to do. */
static void employ(loop *l, worker *w) {
    session *s = &l->runner->session;
    bool is_command = s->testee->is_command;
    if (w->phase == PHASE_READY && worker_listen(w) == EVENT_LATE) {
        take_late(l, w); /* and the worker is down */
    }
    result *r = l->stopped || !s->has_traits ? NULL : next_result(l);
    if (l->stopped) {
        return;
    }
    if (r == NULL && s->has_traits) {
        if (w->phase == PHASE_READY) {
            worker_close(w, s);
        }
    } else if (is_command || w->phase == PHASE_READY) {
        give(l, w, r);
    } else if (!worker_start(w, s)) {
        take_no_hello(l, w);
    }
}

static bool is_free(const worker *w) {
    return w->phase == PHASE_DOWN || w->phase == PHASE_READY;
}

/* Until the first hello nobody knows what there is to do for a second. */
static void employ_all(loop *l) {
    const session *s = &l->runner->session;
    size_t count = s->has_traits ? l->runner->jobs : 1;
    for (size_t i = 0; i < count && !l->stopped; i++) {
        if (is_free(&l->workers[i])) {
            employ(l, &l->workers[i]);
        }
    }
}

static bool all_down(const loop *l) {
    for (size_t i = 0; i < l->runner->jobs; i++) {
        if (l->workers[i].phase != PHASE_DOWN) {
            return false;
        }
    }
    return true;
}

static void wait_and_step(loop *l) {
    int patience = 100;
    int64_t now = clock_now();
    size_t jobs = l->runner->jobs;
    for (size_t i = 0; i < jobs; i++) {
        int own = worker_patience(&l->workers[i], now);
        patience = own < patience ? own : patience;
        worker_watch(&l->workers[i], l->fds + FDS * i);
    }
    if (poll(l->fds, (nfds_t)(FDS * jobs), patience) < 0) {
        memset(l->fds, 0, FDS * jobs * sizeof *l->fds); /* interrupted: nothing is known */
    }
    for (size_t i = 0; i < jobs && !l->stopped; i++) {
        worker *w = &l->workers[i];
        take_event(l, w, worker_step(w, &l->runner->session, l->fds + FDS * i));
    }
    if (process_interrupted() != 0) {
        fputs("epconform: interrupted\n", stderr);
        stop(l, ENDING_INTERRUPTED);
    }
}

/* A worker that is down after all were employed has nothing to do. */
static void drive(loop *l) {
    for (;;) {
        employ_all(l);
        if (l->stopped || all_down(l)) {
            return;
        }
        wait_and_step(l);
    }
}

/* ---------------------------------------------------------------------- run */

static void choose(run *r) {
    const suite *s = r->suite;
    bool *is_twin = memory_take(s->count, sizeof *is_twin);
    r->results = memory_take(s->count, sizeof *r->results);
    for (size_t i = 0; i < s->count; i++) {
        const vector *v = &s->vectors[i];
        if (selection_has(r->selection, v)) {
            const vector *twin = twin_of(s, v);
            r->results[r->count++].vector = v;
            if (twin != NULL) {
                is_twin[twin - s->vectors] = true;
            }
        }
    }
    for (size_t i = 0; i < s->count; i++) {
        const vector *v = &s->vectors[i];
        if (is_twin[i] && !selection_has(r->selection, v)) {
            r->results[r->count + r->beside++].vector = v;
        }
    }
    free(is_twin);
}

static void say_none(const selection *s) {
    fputs("epconform: no vector fits", stderr);
    for (size_t i = 0; i < s->filters.count; i++) {
        fprintf(stderr, " --filter=%s", s->filters.words[i]);
    }
    if (s->shards > 1) {
        fprintf(stderr, " --shard=%zu/%zu", s->shard, s->shards);
    }
    if (s->verdict != NULL) {
        fprintf(stderr, " and wants the verdict %s", s->verdict);
    }
    fputs("\n", stderr);
}

/* A command's hello is made of options, and is known before anything runs. */
static bool know_command(session *s) {
    strbuf why = {NULL, 0, 0};
    if (s->testee->is_command) {
        s->has_traits = traits_read(&s->traits, cJSON_Duplicate(s->testee->hello, 1), &why);
        if (!s->has_traits) {
            fprintf(stderr, "epconform: --operations, --schemas or --reports: %s\n",
                    strbuf_string(&why));
        }
    }
    strbuf_free(&why);
    return !s->testee->is_command || s->has_traits;
}

static void go(loop *l) {
    runner *r = l->runner;
    l->workers = memory_take(r->jobs, sizeof *l->workers);
    l->fds = memory_take(r->jobs * FDS, sizeof *l->fds);
    for (size_t i = 0; i < r->jobs; i++) {
        l->workers[i].process = (process){.in = -1, .out = -1, .err = -1};
    }
    drive(l);
    for (size_t i = 0; i < r->jobs; i++) {
        worker_free(&l->workers[i]);
    }
    free(l->workers);
    free(l->fds);
}

ending runner_go(runner *r) {
    loop l = {.runner = r, .ending = ENDING_WHOLE};
    int64_t began = clock_now();
    choose(r->run);
    if (r->run->count == 0) {
        say_none(r->run->selection);
        return ENDING_BROKEN;
    }
    r->jobs = r->jobs < r->run->count ? r->jobs : r->run->count;
    char *root = know_command(&r->session) ? folder_make() : NULL;
    if (root == NULL) {
        return ENDING_BROKEN;
    }
    take_profile(r);
    r->session.launch.root = root;
    go(&l);
    folder_remove(root);
    free(root);
    r->run->seconds = (double)(clock_now() - began) / 1e9;
    r->run->complete = l.ending == ENDING_WHOLE;
    return l.ending;
}

void runner_free(runner *r) {
    for (size_t i = 0; r->run->results != NULL && i < r->run->count + r->run->beside; i++) {
        result_free(&r->run->results[i]);
    }
    free(r->run->results);
    if (r->session.has_traits) {
        traits_free(&r->session.traits);
    }
}
