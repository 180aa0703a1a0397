/*
 * run/terminal.c - see terminal.h.
 */
#include "run/terminal.h"

#include "run/worker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 30, TENTH_OF_A_SECOND = 100000000 };
enum { TOLD_MAX = 10 }; /* lines of failures that are alike */
enum { MANY = 1000 };   /* documents, for which a command is slow */

const char *terminal_color(void *into, const char *when) {
    const char *no = getenv("NO_COLOR");
    bool is_auto = strcmp(when, "auto") == 0;
    bool color = is_auto ? isatty(STDOUT_FILENO) && (no == NULL || no[0] == '\0')
                         : strcmp(when, "always") == 0;
    *(bool *)into = color;
    return is_auto || color || strcmp(when, "never") == 0 ? NULL
                                                          : "auto, always or never is wanted";
}

/* ---------------------------------------------------------------------- bar */

static void clear_bar(const terminal *t) {
    if (t->bar) {
        fputs("\r\x1b[K", stderr);
    }
}

static void draw_bar(terminal *t, const run *r) {
    int64_t now = clock_now();
    if (t->bar && now - t->drawn >= TENTH_OF_A_SECOND) {
        t->drawn = now;
        int filled = (int)(t->done * BAR_WIDTH / r->count);
        fprintf(stderr, "\r[%.*s%*s] %s of %s, %zu unexpected\x1b[K", filled,
                "##############################", BAR_WIDTH - filled, "", with_commas(t->done),
                with_commas(r->count), t->failed);
    }
}

/* -------------------------------------------------------------------- lines */

/* Which clause decides, and which byte is wrong, as the vector says. */
static void print_place(const terminal *t, const vector *v) {
    const char *clause = vector_clause(v->line);
    if (clause == NULL) {
        return;
    }
    fprintf(t->out, " [%s", clause);
    if (cJSON_HasObjectItem(v->line, "offset")) {
        fprintf(t->out, " at byte %zu", vector_size(v->line, "offset", 0));
    }
    fputs("]", t->out);
}

static void print_failure(const terminal *t, const result *one) {
    bool is_known = one->cause != NULL;
    fprintf(t->out, "%s%s %s%s: %s", terminal_paint(t, is_known ? YELLOW : RED),
            is_known ? "EXPECTED" : "FAIL", outcome_name(one->outcome), terminal_paint(t, PLAIN),
            one->vector->id);
    fprintf(t->out, ": %s", one->detail != NULL ? one->detail : "");
    print_place(t, one->vector);
    if (one->message != NULL && one->message[0] != '\0') {
        fprintf(t->out, " -- %s", one->message);
    }
    if (one->was != NULL) {
        fprintf(t->out, " (changed: %s was expected, by %s)", outcome_name(one->was->outcome),
                one->was->name);
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

/* Of failures that are alike the first ones; what has changed is told each time. */
static bool is_told(terminal *t, const result *one) {
    bool is_new = result_is_unexpected(one) && tally_add(&t->seen, one)->count <= TOLD_MAX;
    return !t->quiet && (t->verbose || is_new || (result_is_unexpected(one) && one->was != NULL));
}

/* A command that will take long is said to, and what is quicker. */
static void warn_of_slowness(const terminal *t, const run *r) {
    if (t->done == 1 && !t->quiet && r->testee->is_command && r->count >= MANY) {
        fputs("epconform: --cmd starts a process for each document, and --proc one that answers "
              "them all. `epconform init` writes an adapter to begin with.\n",
              stderr);
    }
}

void terminal_seen(void *context, const run *r, const result *one) {
    terminal *t = context;
    t->done++;
    t->failed += result_is_unexpected(one);
    if (is_told(t, one)) {
        clear_bar(t);
        print_line(t, one);
        t->drawn = 0;
    }
    warn_of_slowness(t, r);
    draw_bar(t, r);
}

void terminal_sum(terminal *t, const run *r) {
    clear_bar(t);
    summary_print(t, r);
}

void terminal_free(terminal *t) {
    tally_free(&t->seen);
}
