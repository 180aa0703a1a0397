/*
 * run/tally.c - see tally.h.
 */
#include "run/tally.h"

#include "text/memory.h"

#include <stdlib.h>
#include <string.h>

const char *tally_code(const result *one) {
    const char *wanted = vector_text(one->vector->line, "code");
    const char *got = vector_text(one->got, "code");
    return wanted != NULL ? wanted : got != NULL ? got : "";
}

static const char *clause_of(const vector *v) {
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(v->line, "clause"), 0);
    return cJSON_IsString(first) ? first->valuestring : "";
}

const tally_group *tally_add(tally *t, const result *one) {
    tally_group own = {one->outcome, tally_code(one), clause_of(one->vector), one->vector, 1};
    for (size_t i = 0; i < t->count; i++) {
        tally_group *each = &t->groups[i];
        if (each->outcome == own.outcome && strcmp(each->code, own.code) == 0 &&
            strcmp(each->clause, own.clause) == 0) {
            each->count++;
            return each;
        }
    }
    t->groups = memory_resize(t->groups, t->count + 1, sizeof *t->groups);
    t->groups[t->count] = own;
    return &t->groups[t->count++];
}

/* Groups of one size stand as their first vectors do in the suite. */
static int compare_groups(const void *left, const void *right) {
    const tally_group *a = left;
    const tally_group *b = right;
    int by_count = (a->count < b->count) - (a->count > b->count);
    return by_count != 0 ? by_count : (a->first > b->first) - (a->first < b->first);
}

tally tally_of(const run *r) {
    tally t = {NULL, 0};
    for (size_t i = 0; i < r->count; i++) {
        if (result_is_unexpected(&r->results[i])) {
            tally_add(&t, &r->results[i]);
        }
    }
    if (t.count > 0) {
        qsort(t.groups, t.count, sizeof *t.groups, compare_groups);
    }
    return t;
}

void tally_free(tally *t) {
    free(t->groups);
    *t = (tally){NULL, 0};
}
