/*
 * running.c - the command `epconform run`: its options, and what is done with
 * what a run came to.
 */
#include "epconform.h"
#include "run/baseline.h"
#include "run/one_shot.h"
#include "run/process.h"
#include "run/records.h"
#include "run/runner.h"
#include "run/terminal.h"
#include "run/twins.h"
#include "text/arguments.h"
#include "text/memory.h"
#include "text/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { START_SECONDS = 120, ANSWER_SECONDS = 10 };

/* The options as they were given; NULL: not. */
typedef struct wishes {
    const char *testee;
    const char *proc;
    const char *cmd;
    const char *name;
    command_words command;
    const char *expected;
    const char *write_expected;
    const char *junit;
    const char *json;
} wishes;

/* All that a run is made of. */
typedef struct setup {
    wishes w;
    places places;
    selection selection;
    testee testee;
    suite suite;
    expected expected;
    run run;
    runner runner;
    terminal terminal;
} setup;

static bool read_options(char **argv, setup *s) {
    wishes *w = &s->w;
    runner *r = &s->runner;
    const argument known[] = {
        {.name = "--testee", .value = &w->testee},
        {.name = "--proc", .value = &w->proc},
        {.name = "--cmd", .value = &w->cmd},
        {.name = "--name", .value = &w->name},
        {.name = "--filter", .list = &s->selection.filters},
        {.name = "--operations", .value = &w->command.operations},
        {.name = "--level", .value = &w->command.level},
        {.name = "--schemas", .value = &w->command.schemas},
        {.name = "--reports", .value = &w->command.reports},
        {.name = "--profile", .value = &r->profile},
        {.name = "--jobs", .take = arguments_jobs, .into = &r->jobs},
        {.name = "--timeout", .take = arguments_seconds, .into = &r->session.timeout},
        {.name = "--start-timeout", .take = arguments_seconds, .into = &r->session.start_timeout},
        {.name = "--rlimit-memory", .take = arguments_size, .into = &r->session.launch.memory},
        {.name = "--shard", .take = selection_shard, .into = &s->selection},
        {.name = "--expected", .value = &w->expected},
        {.name = "--write-expected", .value = &w->write_expected},
        {.name = "--verdict", .take = selection_verdict, .into = &s->selection},
        {.name = "--fail-fast", .flag = &r->fail_fast},
        {.name = "--bounds", .flag = &r->session.bounds},
        PLACES_ARGUMENTS(s->places),
        {.name = "--junit", .value = &w->junit},
        {.name = "--json", .value = &w->json},
        {.name = "--verbose", .flag = &s->terminal.verbose},
        {.name = "--quiet", .flag = &s->terminal.quiet},
        {.name = "--color", .take = terminal_color, .into = &s->terminal.color},
        {.name = NULL},
    };
    terminal_color(&s->terminal.color, "auto");
    return arguments_alone(argv, known);
}

static bool check_wishes(const wishes *w) {
    const command_words *c = &w->command;
    int ways = (w->testee != NULL) + (w->proc != NULL) + (w->cmd != NULL);
    bool words =
        c->operations != NULL || c->level != NULL || c->schemas != NULL || c->reports != NULL;
    if (w->name != NULL && w->name[0] == '\0') {
        fputs("epconform: --name: a name is wanted\n", stderr);
    } else if (ways != 1) {
        fputs("epconform: run needs one of --testee, --proc and --cmd\n", stderr);
    } else if (words && w->cmd == NULL) {
        fputs("epconform: --operations, --level, --schemas and --reports are for --cmd; "
              "a process says so itself\n",
              stderr);
    } else {
        return true;
    }
    return false;
}

/* What nobody has said. */
static void set_defaults(setup *s) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    runner *r = &s->runner;
    if (r->jobs == 0) {
        r->jobs = cores > 0 ? (size_t)cores : 1;
    }
    if (r->session.timeout <= 0) {
        r->session.timeout = s->testee.timeout > 0 ? s->testee.timeout : ANSWER_SECONDS;
    }
    if (r->session.start_timeout <= 0) {
        r->session.start_timeout = START_SECONDS;
    }
}

/* STATUS_GOOD when there is a testee. */
static int find_testee(setup *s) {
    const wishes *w = &s->w;
    finding f = FOUND_YES;
    if (w->testee != NULL) {
        f = testee_find(&s->places, w->testee, &s->testee);
    } else if (!testee_of_words(&s->testee, w->cmd != NULL ? w->cmd : w->proc, w->cmd != NULL)) {
        return STATUS_USAGE;
    }
    if (f != FOUND_YES) {
        return f == FOUND_BROKEN ? STATUS_TROUBLE : STATUS_NOT_INSTALLED;
    }
    if (w->name != NULL) {
        free(s->testee.id);
        s->testee.id = memory_text(w->name);
        free(s->testee.name);
        s->testee.name = memory_text(w->name);
    }
    return w->cmd == NULL || command_hello(&s->testee, &w->command) ? STATUS_GOOD : STATUS_USAGE;
}

/* Where nothing else is said, what is written is what was expected before. */
static bool read_inputs(setup *s) {
    const wishes *w = &s->w;
    bool again = w->write_expected != NULL && access(w->write_expected, F_OK) == 0;
    const char *path = w->expected != NULL ? w->expected
                       : again             ? w->write_expected
                                           : s->testee.expected;
    s->terminal.baseline = path;
    return suite_read(&s->places, &s->suite) && expected_read(path, &s->expected);
}

/* --------------------------------------------------------------- what is made */

static bool write_record(const char *path, const run *r, void (*print)(const run *, strbuf *)) {
    strbuf b = {NULL, 0, 0};
    if (path == NULL) {
        return true;
    }
    print(r, &b);
    bool ok = output_write(path, &b);
    strbuf_free(&b);
    return ok;
}

static bool write_records(const setup *s) {
    bool junit = write_record(s->w.junit, &s->run, records_junit);
    return write_record(s->w.json, &s->run, records_json) && junit;
}

/* Of a run that is not whole nobody knows what fails. */
static bool write_baseline(const setup *s) {
    const char *path = s->w.write_expected;
    if (!s->run.complete) {
        fprintf(stderr, "epconform: %s is not written: the run is not complete\n", path);
    }
    return s->run.complete && write_record(path, &s->run, baseline_put);
}

/* Before the run, so that it is not lost. */
static bool try_records(const wishes *w) {
    return output_try(w->junit) && output_try(w->json) && output_try(w->write_expected);
}

static int status_of(const setup *s, ending e) {
    counts c = run_count(&s->run);
    if (e == ENDING_BROKEN || e == ENDING_INTERRUPTED) {
        return STATUS_TROUBLE;
    }
    if (c.skipped == s->run.count) {
        fputs(c.void_ones > 0
                  ? "epconform: nothing is shown: all that was refused is as its valid twin\n"
                  : "epconform: no vector was run\n",
              stderr);
        return STATUS_TROUBLE;
    }
    if (s->w.write_expected != NULL) {
        return write_baseline(s) ? STATUS_GOOD : STATUS_TROUBLE;
    }
    return c.unexpected > 0 || c.stale > 0 ? STATUS_FAILURES : STATUS_GOOD;
}

/* A process that says its name is called so, unless somebody said otherwise. */
static void take_name(setup *s) {
    if (s->w.proc != NULL && s->w.name == NULL && s->run.traits->name[0] != '\0') {
        free(s->testee.id);
        s->testee.id = memory_text(s->run.traits->name);
    }
}

/* A run that never began has nothing to be written. */
static int conclude(setup *s, ending e) {
    if (e == ENDING_BROKEN && !s->runner.session.has_traits) {
        return STATUS_TROUBLE;
    }
    take_name(s);
    run_leave_void(&s->run);
    run_find_stale(&s->run);
    terminal_sum(&s->terminal, &s->run);
    return write_records(s) ? status_of(s, e) : STATUS_TROUBLE;
}

/* Lines for people go where no record goes. */
static void set_terminal(setup *s) {
    const wishes *w = &s->w;
    bool taken = (w->json != NULL && strcmp(w->json, "-") == 0) ||
                 (w->junit != NULL && strcmp(w->junit, "-") == 0);
    s->terminal.out = taken ? stderr : stdout;
    s->terminal.bar = isatty(STDERR_FILENO) != 0;
}

static int go(setup *s) {
    set_terminal(s);
    s->run = (run){.testee = &s->testee,
                   .traits = &s->runner.session.traits,
                   .suite = &s->suite,
                   .selection = &s->selection,
                   .expected = &s->expected};
    s->runner.run = &s->run;
    s->runner.session.testee = &s->testee;
    s->runner.session.launch.words = s->testee.words;
    s->runner.seen = terminal_seen;
    s->runner.seen_context = &s->terminal;
    int status = conclude(s, runner_go(&s->runner));
    terminal_free(&s->terminal);
    runner_free(&s->runner);
    return status;
}

static int prepare_and_go(char **argv, setup *s) {
    if (!read_options(argv, s) || !check_wishes(&s->w)) {
        return STATUS_USAGE;
    }
    int status = find_testee(s);
    if (status != STATUS_GOOD) {
        return status;
    }
    set_defaults(s);
    return try_records(&s->w) && read_inputs(s) ? go(s) : STATUS_TROUBLE;
}

int run_main(char **argv) {
    setup s = {.places = places_default()};
    process_hold_interrupts();
    int status = prepare_and_go(argv, &s);
    words_free(&s.selection.filters);
    places_free(&s.places);
    testee_free(&s.testee);
    suite_free(&s.suite);
    expected_free(&s.expected);
    return status;
}
