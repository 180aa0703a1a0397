/*
 * migrate_properties.c - the properties of migration (SPEC 7.1), over every golden program
 * and every version. usage:
 *
 *     migrate_properties FOLDER [STEP]
 *
 * FOLDER is that of golden.c; STEP takes every STEP-th program only. Printed
 * are: how many programs of each version are migrated to each other version;
 * what is refused, by code; what does not come back as it was, by reason; and
 * the properties that do not hold, which have to be none:
 *
 *   valid      what is made is a program of the version, by its bytes alone
 *   same       the own version's result is the program itself, byte for byte
 *   back       a program that went to a later version comes back byte for byte,
 *              unless a step dropped or added what no step brings back
 *   again      what came back goes the first way again, to the same bytes
 *   stepwise   by way of a version between, it is the same result as at once
 *
 * Where SPEC 7.1.4 lets a property not hold, it is counted by its reason.
 */
#include "check.h"
#include "properties.h"
#include "schema/schema.h"

#include <stdlib.h>

enum { BETWEEN = 3 };

/* -------------------------------------------------------------------- tallies */

typedef struct cell {
    size_t programs;
    size_t migrated;
} cell;

/* Steps that have no way back, by their clauses; and the number for no maximum,
 * where it goes by a version that has no other word for that. */
typedef enum loss { LOSS_NONE, LOSS_DROPPED, LOSS_RANGE, LOSS_NUMBER, LOSS_COUNT } loss;

static const char *const loss_clauses[LOSS_COUNT] = {"", "7.3.2", "7.4.6", "7.2.6"};

typedef struct tallies {
    cell cells[PROPERTIES_VERSIONS_MAX][PROPERTIES_VERSIONS_MAX]; /* from, to */
    properties_refusals refusals;
    size_t losses[LOSS_COUNT]; /* what comes back changed */
    size_t returned;
    size_t stepwise;
    uint64_t state; /* of the versions that are drawn */
} tallies;

/* --------------------------------------------------------------- properties */

/* What is at hand when a property does not hold. */
typedef struct trial {
    tallies *t;
    const properties_program *p;
    size_t from;
    size_t to;
} trial;

static bool holds_for(const trial *at, const char *which, bool holds, const ep_error *error) {
    char note[2 * PROPERTIES_NAME_SIZE];
    snprintf(note, sizeof note, "%s: %s to %s: %s %s", which, at->p->name,
             ep_version_at(at->to)->name, error == NULL ? "" : ep_code_name(error->code),
             error == NULL ? "" : error->detail);
    return CHECK_NOTE(holds, note);
}

/* By its bytes alone, a document that a decoder takes as that version. */
static void check_valid(const trial *at, const properties_result *r) {
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    const ep_program *program;
    test_arena(&arena, &heap, 0);
    bool ok = properties_decode(&arena, r->built.text, at->to, &program, &error);
    if (holds_for(at, "valid", ok, &error)) {
        holds_for(at, "valid", ep_program_version(program) == ep_version_at(at->to), NULL);
    }
    ep_arena_free(&arena);
}

/* Which of the steps without a way back was taken. */
static loss loss_of(const properties_result *r) {
    for (size_t i = LOSS_DROPPED; i <= LOSS_RANGE; i++) {
        if (properties_took(r, loss_clauses[i])) {
            return (loss)i;
        }
    }
    return LOSS_NONE;
}

static void check_back(const trial *at, const properties_result *there) {
    properties_result back;
    properties_result again;
    bool ok = properties_migrate(there->built.program, at->from, &back);
    loss why = properties_ends_in_number(at->p, at->to) ? LOSS_NUMBER : loss_of(there);
    if (holds_for(at, "back", ok || at->to < at->from, &back.error) && ok) {
        bool same = properties_same(back.built.text, at->p->text);
        at->t->returned += at->to > at->from;
        at->t->losses[why] += at->to > at->from && !same;
        holds_for(at, "back", same || at->to < at->from || why != LOSS_NONE, NULL);
        holds_for(at, "same", same || at->to != at->from, NULL);
        if (!properties_took(&back, loss_clauses[LOSS_RANGE])) {
            ok = properties_migrate(back.built.program, at->to, &again);
            if (holds_for(at, "again", ok, &again.error)) {
                holds_for(at, "again", properties_same(again.built.text, there->built.text), NULL);
            }
            CHECK(properties_end(&again));
        }
    }
    CHECK(properties_end(&back));
}

/* By way of a version between; one that cannot say the program is no way. */
static void check_stepwise(const trial *at, const properties_result *there, size_t between) {
    properties_result half;
    properties_result whole;
    if (properties_migrate(at->p->program, between, &half)) {
        bool ok = properties_migrate(half.built.program, at->to, &whole);
        if (ok) {
            at->t->stepwise++;
            char which[64];
            bool same = properties_same(whole.built.text, there->built.text);
            snprintf(which, sizeof which, "stepwise by %s", ep_version_at(between)->name);
            holds_for(at, which, same || properties_ends_in_number(at->p, between), NULL);
        }
        CHECK(properties_end(&whole));
    }
    CHECK(properties_end(&half));
}

/* --------------------------------------------------------------------- the run */

static void try_version(const trial *at) {
    properties_result there;
    cell *c = &at->t->cells[at->from][at->to];
    c->programs++;
    if (!properties_migrate(at->p->program, at->to, &there)) {
        CHECK(properties_refuse(&at->t->refusals, at->p, at->to, &there.error));
        holds_for(at, "same", at->from != at->to, &there.error);
        CHECK(properties_end(&there));
        return;
    }
    c->migrated++;
    check_valid(at, &there);
    check_back(at, &there);
    size_t low = at->from < at->to ? at->from : at->to;
    size_t high = at->from < at->to ? at->to : at->from;
    for (size_t i = 0; i < BETWEEN && high - low > 1; i++) {
        size_t between = low + 1 + test_draw_below(&at->t->state, high - low - 1);
        if (ep_version_at(between)->owns_number) {
            check_stepwise(at, &there, between);
        }
    }
    CHECK(properties_end(&there));
}

static void try_program(void *context, const properties_program *p) {
    trial at = {.t = context, .p = p, .from = p->version};
    for (at.to = 0; at.to < test_version_count(); at.to++) {
        try_version(&at);
    }
}

/* -------------------------------------------------------------------- printing */

static void print_matrix(const tallies *t) {
    printf("%-12s", "to");
    for (size_t from = 0; from < test_version_count(); from++) {
        if (t->cells[from][0].programs > 0) {
            printf(" %9s", ep_version_at(from)->name);
        }
    }
    for (size_t to = 0; to < test_version_count(); to++) {
        printf("\n%-12s", ep_version_at(to)->name);
        for (size_t from = 0; from < test_version_count(); from++) {
            const cell *c = &t->cells[from][to];
            if (c->programs > 0) {
                printf(" %4zu/%-4zu", c->migrated, c->programs);
            }
        }
    }
    printf("\n");
}

static void print_rest(const tallies *t) {
    printf("\nrefused:\n");
    properties_print_refusals(&t->refusals);
    printf("\ncame back from later versions: %zu, of which not as they were:\n", t->returned);
    for (size_t i = 1; i < LOSS_COUNT; i++) {
        printf("%6zu  SPEC %s\n", t->losses[i], loss_clauses[i]);
    }
    printf("\nby way of a version between: %zu\nproperties that do not hold: %zu\n", t->stepwise,
           check_failures);
}

int main(int argc, char **argv) {
    tallies *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return 1;
    }
    t->state = 7;
    int status = properties_run(argc, argv, try_program, t);
    if (status == 0) {
        print_matrix(t);
        print_rest(t);
        status = check_report();
    }
    free(t);
    return status;
}
