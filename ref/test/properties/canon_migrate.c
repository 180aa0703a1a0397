/*
 * canon_migrate.c - what the canonical form and migration have to do with each
 * other (SPEC 6.1), over every golden program and every version that can say it.
 * usage:
 *
 *     canon_migrate FOLDER [STEP]
 *
 * FOLDER is that of golden.c; STEP takes every STEP-th program only. Each is tried as
 * it is, and with another tree spec (a list for a tuple, say), which no exporter would
 * write: that one at the versions that say elsewhere how a program is called, and at
 * another. The properties, of a program and a version:
 *
 *   said      the form can be migrated when the program can
 *   commutes  the form of the migrated program is the migrated form, byte for
 *             byte
 *   digest    at the version of digests, the form of what went to the version
 *             and from there is the form of what went at once
 *
 * Printed are the programs and versions that were tried, what was refused, by
 * code, how often each property held, and where it did not: by the clause that lets it
 * (SPEC 6.1), or as a failure.
 */
#include "check.h"
#include "properties.h"
#include "rewrite.h"
#include "schema/schema.h"

#include <stdlib.h>

enum { SHOWN_BEFORE = 80, SHOWN = 200 };

typedef enum property { PROPERTY_SAID, PROPERTY_COMMUTES, PROPERTY_DIGEST, PROPERTIES } property;

static const char *const property_names[PROPERTIES] = {"said", "commutes", "digest"};

typedef struct tally {
    size_t tried;
    size_t held;
    size_t excepted;
} tally;

/* What lets a digest be another, by its clause: a range that is added on the way,
 * the number for no maximum, an assumption that a symbol's name does not imply. */
typedef enum exception {
    EXCEPT_NONE,
    EXCEPT_RANGE,
    EXCEPT_NUMBER,
    EXCEPT_ASSUMPTION,
    EXCEPTIONS
} exception;

static const char *const exception_clauses[EXCEPTIONS] = {"", "7.4.6", "7.2.6", "7.5.1"};

typedef struct tallies {
    size_t programs;
    size_t changed; /* with another tree spec */
    size_t pairs;
    properties_refusals refusals; /* of programs */
    properties_refusals returns;  /* of migrated programs, on the way to digests */
    tally properties[PROPERTIES];
    size_t exceptions[EXCEPTIONS];
} tallies;

/* A program, and what is the same for all versions. */
typedef struct trial {
    tallies *t;
    const properties_program *p;
    size_t digests; /* the version */
    size_t to;
    bool changed;
    const ep_program *form; /* canon(p) */
    ep_bytes digested;      /* canon(migrate(p, digests)); none: it is refused */
} trial;

/* --------------------------------------------------------------- properties */

/* Where two texts part. */
static void show(const trial *at, property which, ep_bytes one, ep_bytes other) {
    size_t i = 0;
    while (i < one.size && i < other.size && one.data[i] == other.data[i]) {
        i++;
    }
    size_t from = i < SHOWN_BEFORE ? 0 : i - SHOWN_BEFORE;
    size_t left = one.size - from < SHOWN ? one.size - from : SHOWN;
    size_t right = other.size - from < SHOWN ? other.size - from : SHOWN;
    fprintf(stderr, "%s: %s to %s: first different at %zu\n    %.*s\n    %.*s\n",
            property_names[which], at->p->name, ep_version_at(at->to)->name, i, (int)left,
            one.data + from, (int)right, other.data + from);
}

static void count(const trial *at, property which, bool holds, exception why) {
    tally *t = &at->t->properties[which];
    t->tried++;
    t->held += holds;
    t->excepted += !holds && why != EXCEPT_NONE;
    at->t->exceptions[why] += !holds;
    CHECK_NOTE(holds || why != EXCEPT_NONE, property_names[which]);
}

static void compare(const trial *at, property which, exception why, ep_bytes one, ep_bytes other) {
    bool same = properties_same(one, other);
    if (!same && why == EXCEPT_NONE) {
        show(at, which, one, other);
    }
    count(at, which, same, why);
}

static void check_commutes(const trial *at, const properties_result *there) {
    properties_result form_there;
    properties_result form;
    bool said = properties_migrate(at->form, at->to, &form_there);
    count(at, PROPERTY_SAID, said, EXCEPT_NONE);
    if (CHECK_NOTE(properties_canon(there->built.program, &form), form.error.detail) && said) {
        compare(at, PROPERTY_COMMUTES, EXCEPT_NONE, form.built.text, form_there.built.text);
    }
    CHECK(properties_end(&form_there));
    CHECK(properties_end(&form));
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

static exception exception_of(const trial *at, const properties_result *there,
                              const properties_result *on) {
    const char *ranges = exception_clauses[EXCEPT_RANGE];
    if (properties_ends_in_number(at->p, at->to)) {
        return EXCEPT_NUMBER;
    }
    if (loses_assumption(at->p, at->to)) {
        return EXCEPT_ASSUMPTION;
    }
    return properties_took(there, ranges) || properties_took(on, ranges) ? EXCEPT_RANGE
                                                                         : EXCEPT_NONE;
}

static void check_digest(const trial *at, const properties_result *there) {
    properties_result on;
    properties_result form;
    if (properties_migrate(there->built.program, at->digests, &on)) {
        if (CHECK_NOTE(properties_canon(on.built.program, &form), form.error.detail)) {
            compare(at, PROPERTY_DIGEST, exception_of(at, there, &on), form.built.text,
                    at->digested);
        }
        CHECK(properties_end(&form));
    } else {
        CHECK(properties_refuse(&at->t->returns, at->p, at->to, &on.error));
    }
    CHECK(properties_end(&on));
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
            check_commutes(at, &there);
            if (at->digested.data != NULL) {
                check_digest(at, &there);
            }
        } else {
            CHECK(properties_refuse(&at->t->refusals, at->p, at->to, &there.error));
        }
        CHECK(properties_end(&there));
    }
}

static void try_properties(tallies *t, const properties_program *p, bool changed) {
    trial at = {.t = t, .p = p, .changed = changed};
    properties_result form;
    properties_result latest;
    properties_result digested = {0};
    ep_error error = {0};
    at.digests = ep_version_number_of(ep_version_find("8.20"));
    if (CHECK_NOTE(properties_canon(p->program, &form), p->name) &&
        CHECK_NOTE(properties_decode(&form.arena, form.built.text, p->version, &at.form, &error),
                   error.detail)) {
        if (properties_migrate(p->program, at.digests, &latest) &&
            CHECK_NOTE(properties_canon(latest.built.program, &digested), p->name)) {
            at.digested = digested.built.text;
        }
        try_versions(&at);
        CHECK(at.digested.data == NULL || properties_end(&digested));
        CHECK(properties_end(&latest));
    }
    CHECK(properties_end(&form));
}

static void try_changed(tallies *t, const properties_program *p) {
    test_heap heap = {0};
    ep_arena arena;
    ep_built built;
    ep_error error;
    ep_rewrite_choice wish = {.seed = t->programs, .what = EP_CHANGE_TREESPEC};
    test_arena(&arena, &heap, 0);
    CHECK_NOTE(ep_rewrite_changed(p->program, &arena, &wish, &built, &error), p->name);
    if (built.program != NULL) {
        properties_program other = *p;
        other.text = built.text;
        other.program = built.program;
        t->changed++;
        try_properties(t, &other, true);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
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
    printf("\nmigrated, and refused on the way to digests: %zu\n", t->returns.count);
    properties_print_refusals(&t->returns);
    printf("\n%-10s %8s %8s %8s\n", "property", "tried", "held", "excepted");
    for (size_t i = 0; i < PROPERTIES; i++) {
        const tally *row = &t->properties[i];
        printf("%-10s %8zu %8zu %8zu\n", property_names[i], row->tried, row->held, row->excepted);
    }
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
