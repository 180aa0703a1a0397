/*
 * expected.c - see expected.h.
 */
#include "expected.h"

#include "memory.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const OUTCOMES[OUTCOME_COUNT] = {
    "pass",     "accepted", "refused", "reason", "place",    "schema", "product", "spelling",
    "warnings", "crash",    "timeout", "flood",  "protocol", "error",  "skipped"};

const char *outcome_name(outcome o) {
    return OUTCOMES[o];
}

bool outcome_find(const char *name, outcome *o) {
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        if (strcmp(OUTCOMES[i], name) == 0) {
            *o = (outcome)i;
            return true;
        }
    }
    return false;
}

static bool add_ids(expected *e, const cause *c, const cJSON *ids) {
    const cJSON *item;
    size_t more = (size_t)cJSON_GetArraySize(ids);
    e->entries = memory_resize(e->entries, e->count + more, sizeof *e->entries);
    cJSON_ArrayForEach(item, ids) {
        if (!cJSON_IsString(item)) {
            return false;
        }
        e->entries[e->count++] = (entry){memory_text(item->valuestring), c, NULL};
    }
    return cJSON_IsArray(ids);
}

static bool take_cause(void *context, const cJSON *line) {
    expected *e = context;
    const char *name = vector_text(line, "cause");
    const char *reason = vector_text(line, "reason");
    const char *link = vector_text(line, "link");
    const char *said = vector_text(line, "outcome");
    outcome o;
    if (name == NULL || reason == NULL || said == NULL || !outcome_find(said, &o) ||
        o == OUTCOME_PASS || o == OUTCOME_SKIPPED) {
        return false;
    }
    cause *c = memory_take(1, sizeof *c);
    *c =
        (cause){memory_text(name), memory_text(reason), link != NULL ? memory_text(link) : NULL, o};
    e->causes = memory_resize(e->causes, e->cause_count + 1, sizeof *e->causes);
    e->causes[e->cause_count++] = c;
    return add_ids(e, c, cJSON_GetObjectItemCaseSensitive(line, "ids"));
}

static int compare_entries(const void *left, const void *right) {
    const entry *a = left;
    const entry *b = right;
    return strcmp(a->id, b->id);
}

bool expected_read(const char *path, expected *e) {
    *e = (expected){NULL, 0, NULL, 0};
    if (path == NULL) {
        return true;
    }
    if (!suite_each_line(path, take_cause, e)) {
        return false;
    }
    if (e->count > 0) {
        qsort(e->entries, e->count, sizeof *e->entries, compare_entries);
    }
    for (size_t i = 1; i < e->count; i++) {
        if (strcmp(e->entries[i - 1].id, e->entries[i].id) == 0) {
            fprintf(stderr, "%s: %s is expected to fail twice\n", path, e->entries[i].id);
            return false;
        }
    }
    return true;
}

void expected_free(expected *e) {
    for (size_t i = 0; i < e->cause_count; i++) {
        free(e->causes[i]->name);
        free(e->causes[i]->reason);
        free(e->causes[i]->link);
        free(e->causes[i]);
    }
    for (size_t i = 0; i < e->count; i++) {
        free(e->entries[i].id);
        free(e->entries[i].stale);
    }
    free(e->causes);
    free(e->entries);
    *e = (expected){NULL, 0, NULL, 0};
}

const entry *expected_find(const expected *e, const char *id) {
    entry key = {.id = NULL};
    key.id = memory_text(id);
    const entry *found =
        e->count > 0 ? bsearch(&key, e->entries, e->count, sizeof key, compare_entries) : NULL;
    free(key.id);
    return found;
}
