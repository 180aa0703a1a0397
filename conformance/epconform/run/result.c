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
    }
}

counts run_count(const run *r) {
    counts c = {0};
    for (size_t i = 0; i < r->count; i++) {
        count_one(&c, &r->results[i]);
    }
    for (size_t i = 0; i < r->expected->count; i++) {
        c.stale += r->expected->entries[i].stale != NULL;
    }
    return c;
}

static void put_number(strbuf *b, size_t number, const char *after) {
    strbuf_count(b, number);
    strbuf_text(b, after);
}

void counts_put(const counts *c, strbuf *b) {
    put_number(b, c->passed, " passed, ");
    put_number(b, c->expected, c->expected == 1 ? " expected failure, " : " expected failures, ");
    put_number(b, c->unexpected, " unexpected, ");
    put_number(b, c->stale, " stale; ");
    put_number(b, c->skipped - c->void_ones, " not run");
    if (c->void_ones > 0) {
        strbuf_text(b, ", ");
        put_number(b, c->void_ones, " refused as their valid twins are");
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

/* Why an entry is no expected failure; NULL: it is one, or nobody can tell. */
static char *why_stale(const run *r, const entry *e) {
    if (!selection_takes(r->selection, e->id)) {
        return NULL;
    }
    const vector *v = suite_find(r->suite, e->id);
    if (v == NULL) {
        return r->suite->whole ? memory_text("no such vector is in the suite") : NULL;
    }
    const result *found = run_find(r, v);
    if (found == NULL || !found->done || found->outcome == e->cause->outcome) {
        return NULL;
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
        free(e->stale);
        e->stale = why_stale(r, e);
    }
}

void result_free(result *r) {
    free(r->detail);
    free(r->message);
    cJSON_Delete(r->got);
    *r = (result){0};
}
