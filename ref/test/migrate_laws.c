/*
 * migrate_laws.c - the laws of migration (SPEC 7.1), over every golden program
 * and every version. usage:
 *
 *     migrate_laws FOLDER [STEP]
 *
 * FOLDER is that of golden.c; STEP takes every STEP-th program only. Printed
 * are: how many programs of each version are migrated to each other version;
 * what is refused, by code; what does not come back as it was, by reason; and
 * the laws that do not hold, which have to be none:
 *
 *   valid      what is made is a program of the version, by its bytes alone
 *   same       the own version's result is the program itself, byte for byte
 *   back       a program that went to a later version comes back byte for byte,
 *              unless a step dropped or added what no step brings back
 *   again      what came back goes the first way again, to the same bytes
 *   stepwise   by way of a version between, it is the same result as at once
 *
 * Where SPEC 7.1.4 lets a law not hold, it is counted by its reason.
 */
#include "check.h"
#include "corpus.h"
#include "schema.h"
#include "support.h"

#include <stdlib.h>

enum { VERSIONS_MAX = 64, REFUSALS_MAX = 512, BETWEEN = 3, NAME_SIZE = 192 };

/* -------------------------------------------------------------------- tallies */

typedef struct cell {
    size_t programs;
    size_t migrated;
} cell;

/* Programs that a code keeps from a version; the first of them. */
typedef struct refusal {
    const char *code;
    size_t from;
    size_t first; /* the versions to which it happened */
    size_t last;
    size_t count;
    char example[NAME_SIZE + EP_POINTER_SIZE + EP_DETAIL_SIZE];
} refusal;

/* Steps that have no way back, by their clauses; and the number for no maximum,
 * where it goes by a version that has no other word for that. */
typedef enum loss { LOSS_NONE, LOSS_DROPPED, LOSS_RANGE, LOSS_NUMBER, LOSS_COUNT } loss;

static const char *const loss_clauses[LOSS_COUNT] = {"", "7.3.2", "7.4.6", "7.2.6"};

#define NO_MAXIMUM "9223372036854775806"

typedef struct tallies {
    cell cells[VERSIONS_MAX][VERSIONS_MAX]; /* from, to */
    refusal refusals[REFUSALS_MAX];
    size_t refusal_count;
    size_t losses[LOSS_COUNT]; /* what comes back changed */
    size_t returned;
    size_t stepwise;
} tallies;

static void add_refusal(tallies *t, const char *name, size_t from, size_t to,
                        const ep_error *error) {
    const char *code = ep_code_name(error->code);
    for (size_t i = 0; i < t->refusal_count; i++) {
        refusal *r = &t->refusals[i];
        if (r->from == from && strcmp(r->code, code) == 0) {
            r->first = to < r->first ? to : r->first;
            r->last = to > r->last ? to : r->last;
            r->count++;
            return;
        }
    }
    if (CHECK(t->refusal_count < REFUSALS_MAX)) {
        refusal *r = &t->refusals[t->refusal_count++];
        *r = (refusal){.code = code, .from = from, .first = to, .last = to, .count = 1};
        snprintf(r->example, sizeof r->example, "%s to %s, %s, %s", name, ep_version_at(to)->name,
                 error->pointer, error->detail);
    }
}

/* ------------------------------------------------------------------ migrating */

/* A program at a version, with the memory that it lives in. */
typedef struct result {
    test_heap heap;
    ep_arena arena;
    ep_built built;
    ep_error error;
    bool lost[LOSS_COUNT]; /* which steps were taken */
} result;

static void note_step(void *context, const char *clause, const char *about, size_t times) {
    result *r = context;
    CHECK(times > 0 && about[0] != '\0');
    for (size_t i = LOSS_DROPPED; i <= LOSS_RANGE; i++) {
        r->lost[i] = r->lost[i] || strcmp(clause, loss_clauses[i]) == 0;
    }
}

static bool migrate(const ep_program *program, size_t to, result *r) {
    memset(r, 0, sizeof *r);
    test_arena(&r->arena, &r->heap, 0);
    ep_migrate_options options = {
        .version = ep_version_at(to), .report = note_step, .report_context = r};
    bool ok = ep_migrate(program, &r->arena, &options, &r->built, &r->error);
    CHECK(ok == (r->error.code == EP_OK) && ok == (r->built.program != NULL));
    return ok;
}

static void end(result *r) {
    ep_arena_free(&r->arena);
    CHECK_EQ_INT(r->heap.bytes, 0);
}

static bool same_text(ep_bytes a, ep_bytes b) {
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

/* ----------------------------------------------------------------------- laws */

/* What is at hand when a law does not hold. */
typedef struct trial {
    tallies *t;
    const char *name;
    ep_bytes text; /* of the program */
    const ep_program *program;
    size_t from;
    size_t to;
} trial;

static bool law(const trial *at, const char *which, bool holds, const ep_error *error) {
    char note[2 * NAME_SIZE];
    snprintf(note, sizeof note, "%s: %s to %s: %s %s", which, at->name, ep_version_at(at->to)->name,
             error == NULL ? "" : ep_code_name(error->code), error == NULL ? "" : error->detail);
    return CHECK_NOTE(holds, note);
}

/* By its bytes alone, a document that a decoder takes as that version. */
static void check_valid(const trial *at, const result *r) {
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    const ep_program *program;
    ep_decode_options options = ep_decode_options_default();
    const ep_version *version = ep_version_at(at->to);
    options.version = version->owns_number ? NULL : version;
    test_arena(&arena, &heap, 0);
    bool ok = ep_decode(&arena, r->built.text, &options, &program, &error);
    if (law(at, "valid", ok, &error)) {
        law(at, "valid", ep_program_version(program) == version, NULL);
        law(at, "valid", ep_check(program, &arena, NULL, &error), &error);
    }
    ep_arena_free(&arena);
}

/* SPEC 7.2.6: versions without open ends. */
static bool is_closed(size_t version) {
    const char *name = ep_version_at(version)->name;
    return strcmp(name, "1-2023-08") == 0 || strcmp(name, "1") == 0 || strcmp(name, "5.3") == 0;
}

/* Whether the number stands in the program, and the version makes it an end. */
static bool ends_in_number(const trial *at, size_t by) {
    if (is_closed(at->from) || !is_closed(by)) {
        return false;
    }
    for (size_t i = 0; i + sizeof NO_MAXIMUM - 1 <= at->text.size; i++) {
        if (memcmp(at->text.data + i, NO_MAXIMUM, sizeof NO_MAXIMUM - 1) == 0) {
            return true;
        }
    }
    return false;
}

static loss loss_of(const result *r) {
    for (size_t i = 1; i < LOSS_COUNT; i++) {
        if (r->lost[i]) {
            return (loss)i;
        }
    }
    return LOSS_NONE;
}

static void check_back(const trial *at, const result *there) {
    result back;
    result again;
    bool ok = migrate(there->built.program, at->from, &back);
    loss why = ends_in_number(at, at->to) ? LOSS_NUMBER : loss_of(there);
    if (law(at, "back", ok || at->to < at->from, &back.error) && ok) {
        bool same = same_text(back.built.text, at->text);
        at->t->returned += at->to > at->from;
        at->t->losses[why] += at->to > at->from && !same;
        law(at, "back", same || at->to < at->from || why != LOSS_NONE, NULL);
        law(at, "same", same || at->to != at->from, NULL);
        if (!back.lost[LOSS_RANGE]) {
            ok = migrate(back.built.program, at->to, &again);
            if (law(at, "again", ok, &again.error)) {
                law(at, "again", same_text(again.built.text, there->built.text), NULL);
            }
            end(&again);
        }
    }
    end(&back);
}

/* By way of a version between; one that cannot say the program is no way. */
static void check_stepwise(const trial *at, const result *there, size_t between) {
    result half;
    result whole;
    if (migrate(at->program, between, &half)) {
        bool ok = migrate(half.built.program, at->to, &whole);
        if (ok) {
            at->t->stepwise++;
            char which[64];
            bool same = same_text(whole.built.text, there->built.text);
            snprintf(which, sizeof which, "stepwise by %s", ep_version_at(between)->name);
            law(at, which, same || ends_in_number(at, between), NULL);
        }
        end(&whole);
    }
    end(&half);
}

/* --------------------------------------------------------------------- the run */

static void try_version(const trial *at, uint64_t *state) {
    result there;
    cell *c = &at->t->cells[at->from][at->to];
    c->programs++;
    if (!migrate(at->program, at->to, &there)) {
        add_refusal(at->t, at->name, at->from, at->to, &there.error);
        law(at, "same", at->from != at->to, &there.error);
        end(&there);
        return;
    }
    c->migrated++;
    check_valid(at, &there);
    check_back(at, &there);
    size_t low = at->from < at->to ? at->from : at->to;
    size_t high = at->from < at->to ? at->to : at->from;
    for (size_t i = 0; i < BETWEEN && high - low > 1; i++) {
        size_t between = low + 1 + test_draw_below(state, high - low - 1);
        if (ep_version_at(between)->owns_number) {
            check_stepwise(at, &there, between);
        }
    }
    end(&there);
}

static void try_program(tallies *t, const char *name, test_text *text, uint64_t *state) {
    test_heap heap = {0};
    ep_arena arena;
    trial at = {.t = t, .name = name, .text = test_text_exact(text)};
    test_arena(&arena, &heap, 0);
    if (ep_decode(&arena, at.text, NULL, &at.program, NULL) &&
        ep_check(at.program, &arena, NULL, NULL)) {
        at.from = ep_version_number_of(ep_program_version(at.program));
        for (at.to = 0; at.to < test_version_count(); at.to++) {
            try_version(&at, state);
        }
    }
    ep_arena_free(&arena);
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
    for (size_t i = 0; i < t->refusal_count; i++) {
        const refusal *r = &t->refusals[i];
        printf("%6zu  %-22s from %-5s to %s ... %s, as %s\n", r->count, r->code,
               ep_version_at(r->from)->name, ep_version_at(r->first)->name,
               ep_version_at(r->last)->name, r->example);
    }
    printf("\ncame back from later versions: %zu, of which not as they were:\n", t->returned);
    for (size_t i = 1; i < LOSS_COUNT; i++) {
        printf("%6zu  SPEC %s\n", t->losses[i], loss_clauses[i]);
    }
    printf("\nby way of a version between: %zu\nlaws that do not hold: %zu\n", t->stepwise,
           check_failures);
}

static void run(const corpus *c, size_t step, tallies *t) {
    uint64_t state = 7;
    for (size_t i = 0; i < c->n; i += step) {
        char name[NAME_SIZE];
        test_text text = {0};
        snprintf(name, sizeof name, "%s/%s", c->entries[i].release, c->entries[i].model);
        if (CHECK(corpus_read(c, i, "program.json", &text))) {
            try_program(t, name, &text, &state);
        }
        test_text_free(&text);
    }
}

int main(int argc, char **argv) {
    corpus c;
    if (argc < 2 || argc > 3) {
        fputs("usage: migrate_laws FOLDER [STEP]\n", stderr);
        return 2;
    }
    size_t step = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 1;
    tallies *t = calloc(1, sizeof *t);
    if (t == NULL || test_version_count() > VERSIONS_MAX || !corpus_open(&c, argv[1])) {
        free(t);
        return 1;
    }
    run(&c, step == 0 ? 1 : step, t);
    print_matrix(t);
    print_rest(t);
    free(t);
    corpus_close(&c);
    return check_report();
}
