/*
 * run/result.c - see result.h.
 */
#include "run/result.h"

#include "text/memory.h"
#include "text/search.h"

#include <stdlib.h>
#include <string.h>

bool result_is_unexpected(const result *r) {
    return r->done && r->outcome != OUTCOME_PASS && r->outcome != OUTCOME_SKIPPED &&
           r->cause == NULL;
}

static void count_one(counts *c, const result *r) {
    if (!r->done) {
        c->missing++;
    } else if (r->outcome == OUTCOME_PASS) {
        c->passed++;
    } else if (r->outcome == OUTCOME_SKIPPED) {
        c->skipped++;
        c->void_ones += r->skip == SKIP_TWIN;
    } else if (r->cause != NULL) {
        c->expected++;
    } else {
        c->unexpected++;
        c->changed += r->was != NULL;
    }
}

counts run_count(const run *r) {
    counts c = {0};
    for (size_t i = 0; i < r->count; i++) {
        count_one(&c, &r->results[i]);
    }
    for (size_t i = 0; i < r->expected->count; i++) {
        c.stale += r->expected->entries[i].stale != NULL;
        c.fixed += r->expected->entries[i].change == CHANGE_FIXED;
    }
    return c;
}

void run_count_skips(const run *r, size_t why[SKIP_COUNT]) {
    memset(why, 0, SKIP_COUNT * sizeof *why);
    for (size_t i = 0; i < r->count; i++) {
        why[r->results[i].skip] += r->results[i].outcome == OUTCOME_SKIPPED;
    }
}

/* Results stand in the order of the vectors. */
static int compare_place(const void *place, const void *item) {
    const vector *v = place;
    const result *r = item;
    return (v > r->vector) - (v < r->vector);
}

static const result *find(const result *results, size_t count, const vector *v) {
    return search(v, results, count, sizeof *results, compare_place);
}

const result *run_find(const run *r, const vector *v) {
    return find(r->results, r->count, v);
}

const result *run_find_twin(const run *r, const vector *v) {
    const result *chosen = run_find(r, v);
    return chosen != NULL ? chosen : find(r->results + r->count, r->beside, v);
}

/* Nobody can tell what becomes of a vector that was not chosen, or has no result. */
static change change_of(const run *r, const entry *e, const vector *v) {
    if (v == NULL) {
        bool is_gone = r->suite->whole && selection_takes(r->selection, e->id);
        return is_gone ? CHANGE_GONE : CHANGE_NONE;
    }
    const result *found = run_find(r, v);
    if (found == NULL || !found->done || found->outcome == e->cause->outcome) {
        return CHANGE_NONE;
    }
    return found->outcome == OUTCOME_PASS      ? CHANGE_FIXED
           : found->outcome == OUTCOME_SKIPPED ? CHANGE_GONE
                                               : CHANGE_OTHER;
}

/* Why an entry is no expected failure. */
static char *why_stale(const run *r, const entry *e, const vector *v) {
    if (v == NULL) {
        return memory_text("no such vector is in the suite");
    }
    const result *found = run_find(r, v);
    if (found->outcome == OUTCOME_SKIPPED && found->skip == SKIP_TWIN) {
        return memory_text(found->detail);
    }
    if (found->outcome == OUTCOME_SKIPPED) {
        return memory_format("it was not run: %s", skip_name(found->skip));
    }
    return memory_format("expected the outcome %s, got %s", outcome_name(e->cause->outcome),
                         outcome_name(found->outcome));
}

void run_find_stale(run *r) {
    for (size_t i = 0; i < r->expected->count; i++) {
        entry *e = &r->expected->entries[i];
        const vector *v = suite_find(r->suite, e->id);
        free(e->stale);
        e->change = change_of(r, e, v);
        e->stale = e->change != CHANGE_NONE ? why_stale(r, e, v) : NULL;
    }
}

void result_free(result *r) {
    free(r->detail);
    free(r->message);
    cJSON_Delete(r->got);
    *r = (result){0};
}
