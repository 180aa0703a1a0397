/*
 * canon_migrate.c - a program and what migration makes of it have one canonical form
 * (SPEC 6.1), over every golden program and every version that can say it.
 * usage:
 *
 *     canon_migrate FOLDER [STEP]
 *
 * FOLDER is that of golden.c; STEP takes every STEP-th program only. Each is tried as
 * it is, and with another tree spec (a list for a tuple, say), which no exporter would
 * write: that one at the versions that say elsewhere how a program is called, and at
 * another.
 *
 * Printed are the programs and versions that were tried, what was refused, by
 * code, how often the property held, and where it did not: by the clause that lets it
 * (SPEC 7.1.4), or as a failure.
 */
#include "check.h"
#include "properties.h"
#include "schema/schema.h"

#include <stdlib.h>

enum { SHOWN_BEFORE = 80, SHOWN = 200 };

typedef struct tally {
    size_t tried;
    size_t held;
    size_t excepted;
} tally;

/* What lets a form be another, by its clause: the number for no maximum, an assumption
 * that a symbol's name does not imply. */
typedef enum exception { EXCEPT_NONE, EXCEPT_NUMBER, EXCEPT_ASSUMPTION, EXCEPTIONS } exception;

static const char *const exception_clauses[EXCEPTIONS] = {"", "7.2.6", "7.5.1"};

typedef struct tallies {
    size_t programs;
    size_t changed; /* with another tree spec */
    size_t pairs;
    properties_refusals refusals;
    tally same;
    size_t exceptions[EXCEPTIONS];
} tallies;

/* A program, and what is the same for all versions. */
typedef struct trial {
    tallies *t;
    const properties_program *p;
    size_t to;
    bool changed;
    ep_bytes form; /* of the program */
} trial;

/* --------------------------------------------------------------- properties */

/* Where two texts part. */
static void show(const trial *at, ep_bytes one, ep_bytes other) {
    size_t i = 0;
    while (i < one.size && i < other.size && one.data[i] == other.data[i]) {
        i++;
    }
    size_t from = i < SHOWN_BEFORE ? 0 : i - SHOWN_BEFORE;
    size_t left = one.size - from < SHOWN ? one.size - from : SHOWN;
    size_t right = other.size - from < SHOWN ? other.size - from : SHOWN;
    fprintf(stderr, "%s to %s: first different at %zu\n    %.*s\n    %.*s\n", at->p->name,
            ep_version_at(at->to)->name, i, (int)left, one.data + from, (int)right,
            other.data + from);
}

#define SYMBOL "Symbol('"

/* What a name implies, as it stands behind it. */
static const char *implied(char first) {
    if (first == 'z' || first == 'f') {
        return "')";
    }
    return first == 's' ? "', positive=True, integer=True)" : "', integer=True)";
}

/* Whether a symbol has other assumptions, and the version has no word for them. */
static bool loses_assumption(const properties_program *p, size_t version) {
    const char *end = p->text.data + p->text.size;
    bool loses = false;
    for (size_t i = 0; p->version >= EP_V8_2 && version < EP_V8_2 && !loses; i++) {
        const char *at = p->text.data + i;
        if ((size_t)(end - at) < sizeof SYMBOL) {
            break;
        }
        if (memcmp(at, SYMBOL, sizeof SYMBOL - 1) == 0) {
            const char *name = at + sizeof SYMBOL - 1;
            const char *quote = memchr(name, '\'', (size_t)(end - name));
            size_t size = strlen(implied(*name));
            loses = quote == NULL || (size_t)(end - quote) < size ||
                    memcmp(quote, implied(*name), size) != 0;
        }
    }
    return loses;
}

static exception exception_of(const trial *at) {
    if (properties_ends_in_number(at->p, at->to)) {
        return EXCEPT_NUMBER;
    }
    return loses_assumption(at->p, at->to) ? EXCEPT_ASSUMPTION : EXCEPT_NONE;
}

static void check_form(const trial *at, const properties_result *there) {
    tally *t = &at->t->same;
    properties_result form;
    if (CHECK_NOTE(properties_canon(there->built.program, &form), form.error.detail)) {
        bool same = properties_same(form.built.text, at->form);
        exception why = same ? EXCEPT_NONE : exception_of(at);
        if (!same && why == EXCEPT_NONE) {
            show(at, form.built.text, at->form);
        }
        t->tried++;
        t->held += same;
        t->excepted += why != EXCEPT_NONE;
        at->t->exceptions[why] += !same;
        CHECK(same || why != EXCEPT_NONE);
    }
    CHECK(properties_end(&form));
}

/* --------------------------------------------------------------------- the run */

/* Whether a version is one of those that a changed program is tried at. */
static bool is_due(const trial *at) {
    size_t other = at->t->changed % test_version_count();
    return !at->changed || at->to < EP_V1_2023_12 || at->to == other;
}

static void try_versions(trial *at) {
    for (at->to = 0; at->to < test_version_count(); at->to++) {
        properties_result there;
        if (!is_due(at)) {
            continue;
        }
        at->t->pairs++;
        if (properties_migrate(at->p->program, at->to, &there)) {
            check_form(at, &there);
        } else {
            CHECK(properties_refuse(&at->t->refusals, at->p, at->to, &there.error));
        }
        CHECK(properties_end(&there));
    }
}

static void try_properties(tallies *t, const properties_program *p, bool changed) {
    trial at = {.t = t, .p = p, .changed = changed};
    properties_result form;
    if (CHECK_NOTE(properties_canon(p->program, &form), p->name)) {
        at.form = form.built.text;
        try_versions(&at);
    }
    CHECK(properties_end(&form));
}

/* A list for a tuple, from a place of the text on. False where there is none. */
static bool put_list(ep_bytes text, size_t *from, test_text *made) {
    static const char tuple[] = "builtins.tuple";
    static const char list[] = "builtins.list";
    const size_t size = sizeof tuple - 1;
    for (size_t at = *from; at + size <= text.size; at++) {
        if (memcmp(text.data + at, tuple, size) == 0) {
            test_add(made, text.data, at);
            test_add(made, list, sizeof list - 1);
            test_add(made, text.data + at + size, text.size - at - size);
            *from = at + size;
            return true;
        }
    }
    return false;
}

/* The first such program that is valid; every other time from the middle on, where the
 * modules are called. */
static void try_changed(tallies *t, const properties_program *p) {
    properties_program other = *p;
    size_t from = t->programs % 2 * p->text.size / 2;
    bool done = false;
    while (!done) {
        test_heap heap = {0};
        ep_arena arena;
        ep_error error;
        test_text text = {0};
        bool found = put_list(p->text, &from, &text);
        test_arena(&arena, &heap, 0);
        other.text = test_text_bytes(&text);
        done = !found;
        if (found && properties_decode(&arena, other.text, p->version, &other.program, &error)) {
            t->changed++;
            try_properties(t, &other, true);
            done = true;
        }
        ep_arena_free(&arena);
        CHECK_EQ_INT(heap.bytes, 0);
        test_text_free(&text);
    }
}

static void try_program(void *context, const properties_program *p) {
    tallies *t = context;
    t->programs++;
    try_properties(t, p, false);
    try_changed(t, p);
}

/* -------------------------------------------------------------------- printing */

static void print(const tallies *t) {
    printf("%zu programs at each of %zu versions, %zu with another tree spec: %zu pairs, "
           "%zu refused\n",
           t->programs, test_version_count(), t->changed, t->pairs, t->refusals.count);
    properties_print_refusals(&t->refusals);
    printf("\none form: tried %zu, held %zu, excepted %zu\n", t->same.tried, t->same.held,
           t->same.excepted);
    printf("\nexcepted by clause:\n");
    for (size_t i = 1; i < EXCEPTIONS; i++) {
        printf("%6zu  SPEC %s\n", t->exceptions[i], exception_clauses[i]);
    }
    printf("failures: %zu\n", check_failures);
}

int main(int argc, char **argv) {
    tallies *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return 1;
    }
    int status = properties_run(argc, argv, try_program, t);
    if (status == 0) {
        print(t);
        status = check_report();
    }
    free(t);
    return status;
}
