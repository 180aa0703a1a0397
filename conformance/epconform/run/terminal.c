/*
 * run/terminal.c - see terminal.h.
 */
#include "run/terminal.h"

#include "run/worker.h"
#include "text/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 30, TENTH_OF_A_SECOND = 100000000 };

static const char RED[] = "\x1b[31m";
static const char YELLOW[] = "\x1b[33m";
static const char GREEN[] = "\x1b[32m";
static const char PLAIN[] = "\x1b[0m";

bool terminal_color(const char *when, FILE *out, bool *color) {
    const char *no = getenv("NO_COLOR");
    bool is_auto = when == NULL || strcmp(when, "auto") == 0;
    *color = is_auto ? isatty(fileno(out)) && (no == NULL || no[0] == '\0')
                     : strcmp(when, "always") == 0;
    return is_auto || *color || strcmp(when, "never") == 0;
}

static const char *paint(const terminal *t, const char *color) {
    return t->color ? color : "";
}

/* ---------------------------------------------------------------------- bar */

static void clear_bar(const terminal *t) {
    if (t->bar) {
        fputs("\r\x1b[K", stderr);
    }
}

static void draw_bar(terminal *t, const run *r) {
    int64_t now = clock_now();
    if (!t->bar || now - t->drawn < TENTH_OF_A_SECOND) {
        return;
    }
    t->drawn = now;
    strbuf b = {NULL, 0, 0};
    size_t filled = t->done * BAR_WIDTH / r->count;
    strbuf_text(&b, "\r[");
    for (size_t i = 0; i < BAR_WIDTH; i++) {
        strbuf_text(&b, i < filled ? "#" : " ");
    }
    strbuf_text(&b, "] ");
    strbuf_count(&b, t->done);
    strbuf_text(&b, " of ");
    strbuf_count(&b, r->count);
    strbuf_format(&b, ", %zu unexpected\x1b[K", t->failed);
    fputs(strbuf_string(&b), stderr);
    strbuf_free(&b);
}

/* -------------------------------------------------------------------- lines */

/* Which clause decides, and which byte is wrong, as the vector says. */
static void print_place(const terminal *t, const vector *v) {
    const cJSON *clause =
        cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(v->line, "clause"), 0);
    if (!cJSON_IsString(clause)) {
        return;
    }
    fprintf(t->out, " [%s", clause->valuestring);
    if (cJSON_HasObjectItem(v->line, "offset")) {
        fprintf(t->out, " at byte %zu", vector_size(v->line, "offset", 0));
    }
    fputs("]", t->out);
}

static void print_failure(const terminal *t, const result *one) {
    bool is_known = one->cause != NULL;
    fprintf(t->out, "%s%s %s%s: %s", paint(t, is_known ? YELLOW : RED),
            is_known ? "EXPECTED" : "FAIL", outcome_name(one->outcome), paint(t, PLAIN),
            one->vector->id);
    fprintf(t->out, ": %s", one->detail != NULL ? one->detail : "");
    print_place(t, one->vector);
    if (one->message != NULL && one->message[0] != '\0') {
        fprintf(t->out, " -- %s", one->message);
    }
    fprintf(t->out, is_known ? " (%s)\n" : "\n", is_known ? one->cause->name : "");
}

static void print_line(const terminal *t, const result *one) {
    if (one->outcome == OUTCOME_PASS) {
        fprintf(t->out, "pass: %s\n", one->vector->id);
    } else if (one->outcome == OUTCOME_SKIPPED) {
        fprintf(t->out, "%s: %s\n", skip_words(one->skip), one->vector->id);
    } else {
        print_failure(t, one);
    }
}

void terminal_seen(void *context, const run *r, const result *one) {
    terminal *t = context;
    bool failed = result_is_unexpected(one);
    t->done++;
    t->failed += failed;
    if (!t->quiet && (failed || t->verbose)) {
        clear_bar(t);
        print_line(t, one);
        t->drawn = 0;
    }
    draw_bar(t, r);
}

/* ------------------------------------------------------------------ summary */

static void print_skipped(const terminal *t, const run *r) {
    size_t why[SKIP_COUNT] = {0};
    for (size_t i = 0; i < r->count; i++) {
        why[r->results[i].outcome == OUTCOME_SKIPPED ? r->results[i].skip : SKIP_NONE]++;
    }
    for (int i = SKIP_NONE + 1; i < SKIP_COUNT; i++) {
        if (why[i] > 0) {
            strbuf b = {NULL, 0, 0};
            strbuf_count(&b, why[i]);
            strbuf_text(&b, " of ");
            strbuf_count(&b, r->count);
            fprintf(t->out, "%s: %s\n", skip_words((skip)i), strbuf_string(&b));
            strbuf_free(&b);
        }
    }
}

static size_t count_cause(const run *r, const cause *c, outcome o) {
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++) {
        const result *one = &r->results[i];
        count += c != NULL ? one->cause == c : result_is_unexpected(one) && one->outcome == o;
    }
    return count;
}

static void print_causes(const terminal *t, const run *r) {
    for (size_t i = 0; i < r->expected->cause_count; i++) {
        const cause *c = r->expected->causes[i];
        size_t count = count_cause(r, c, c->outcome);
        if (count > 0) {
            fprintf(t->out, "%6zu expected, %s: %s: %s\n", count, outcome_name(c->outcome), c->name,
                    c->reason);
        }
    }
    for (int o = 0; o < OUTCOME_COUNT; o++) {
        size_t count = count_cause(r, NULL, (outcome)o);
        if (count > 0) {
            fprintf(t->out, "%6zu %sunexpected%s, %s\n", count, paint(t, RED), paint(t, PLAIN),
                    outcome_name((outcome)o));
        }
    }
}

static void print_stale(const terminal *t, const run *r) {
    for (size_t i = 0; i < r->expected->count; i++) {
        const entry *e = &r->expected->entries[i];
        if (e->stale != NULL) {
            fprintf(t->out, "%sSTALE%s: %s (%s): %s\n", paint(t, RED), paint(t, PLAIN), e->id,
                    e->cause->name, e->stale);
        }
    }
}

static void put_number(strbuf *b, const char *before, size_t number, const char *after) {
    strbuf_text(b, before);
    strbuf_count(b, number);
    strbuf_text(b, after);
}

static void print_total(const terminal *t, const run *r) {
    strbuf b = {NULL, 0, 0};
    counts c = run_count(r);
    bool good = c.unexpected == 0 && c.stale == 0 && r->complete;
    strbuf_text(&b, r->testee->id);
    put_number(&b, ": ", r->count - c.skipped + c.void_ones - c.missing, " of ");
    put_number(&b, "", r->count, " vectors run: ");
    counts_put(&c, &b);
    if (c.missing > 0) {
        put_number(&b, "; incomplete, ", c.missing, " without a result");
    }
    strbuf_format(&b, " (%.1f s)", r->seconds);
    fprintf(t->out, "%s%s%s\n", paint(t, good ? GREEN : RED), strbuf_string(&b), paint(t, PLAIN));
    strbuf_free(&b);
}

void terminal_sum(terminal *t, const run *r) {
    clear_bar(t);
    if (!t->quiet) {
        print_skipped(t, r);
        print_causes(t, r);
        print_stale(t, r);
    }
    print_total(t, r);
    fflush(t->out);
}
