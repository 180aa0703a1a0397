/*
 * result.c - see result.h.
 */
#include "result.h"

#include "memory.h"

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

/* Results stand in the order of the vectors. */
const result *run_find(const run *r, const vector *v) {
    size_t low = 0;
    size_t high = r->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->results[middle].vector == v) {
            return &r->results[middle];
        }
        if (r->results[middle].vector < v) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
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
