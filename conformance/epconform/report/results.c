/*
 * report/results.c - see report_results.h. What a run wrote is in the page as it is, but for its
 * results, which stand in the order of the vectors: null where there is none, and of those that
 * pass the outcome alone.
 */
#include "report/results.h"

#include "run/outcome.h"
#include "run/testee.h"
#include "text/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool complain(const char *place, const char *what) {
    fprintf(stderr, "epconform: %s: %s\n", place, what);
    return false;
}

/* ----------------------------------------------------------------- reading */

static const char *testee_id(const cJSON *run) {
    return vector_text(cJSON_GetObjectItemCaseSensitive(run, "testee"), "id");
}

static bool is_skip(const char *why) {
    int i = SKIP_NONE;
    while (why != NULL && i < SKIP_COUNT && strcmp(skip_name((skip)i), why) != 0) {
        i++;
    }
    return why != NULL && i < SKIP_COUNT;
}

/* Whether a result has an outcome, and one that was skipped a reason. */
static bool is_result(const cJSON *result) {
    const char *name = vector_text(result, "outcome");
    outcome o;
    return name != NULL && outcome_find(name, &o) &&
           (o != OUTCOME_SKIPPED || is_skip(vector_text(result, "skip")));
}

/* Leaves what the page shows of a result: of one that passes more than that only where the
 * testee had a choice. */
static void strip(const vector *v, cJSON *result) {
    static const char *const keys[] = {"id", "ms", "cause", "detail", "message", "got"};
    bool chosen = strcmp(vector_text(v->line, "verdict"), "implementation-defined") == 0;
    bool all = !chosen && strcmp(vector_text(result, "outcome"), "pass") == 0;
    for (size_t i = 0; i < (all ? sizeof keys / sizeof *keys : 2); i++) {
        cJSON_DeleteItemFromObjectCaseSensitive(result, keys[i]);
    }
}

/* Puts the results of a run into the places of their vectors; false, and said, if one is wrong. */
static bool place_results(const suite *s, const char *path, cJSON *results, cJSON **placed) {
    for (cJSON *result; results != NULL && (result = results->child) != NULL;) {
        const char *id = vector_text(result, "id");
        const vector *v = id != NULL ? suite_find(s, id) : NULL;
        if (v == NULL || !is_result(result) || placed[v - s->vectors] != NULL) {
            fprintf(stderr, "epconform: %s: a result that is unknown, or there twice: %s\n", path,
                    id != NULL ? id : "without an id");
            return false;
        }
        placed[v - s->vectors] = cJSON_DetachItemViaPointer(results, result);
        strip(v, result);
    }
    return true;
}

static bool order_results(const suite *s, cJSON *run, const char *path) {
    cJSON **placed = memory_take(s->count, sizeof *placed);
    cJSON *results = cJSON_GetObjectItemCaseSensitive(run, "results");
    bool ok = place_results(s, path, results, placed);
    cJSON *ordered = cJSON_CreateArray();
    for (size_t i = 0; i < s->count; i++) {
        cJSON_AddItemToArray(ordered, placed[i] != NULL ? placed[i] : cJSON_CreateNull());
    }
    cJSON_DeleteItemFromObjectCaseSensitive(run, "results");
    cJSON_AddItemToObject(run, "results", ordered);
    free(placed);
    return ok;
}

static bool is_there(const report_results *results, const char *id) {
    for (size_t i = 0; i < results->count; i++) {
        if (strcmp(testee_id(results->runs[i]), id) == 0) {
            return true;
        }
    }
    return false;
}

/* What keeps a run out of the report; NULL: nothing. */
static const char *fault_of(const suite *s, const report_results *results, const cJSON *run) {
    const char *format = vector_text(run, "format");
    const char *digest = vector_text(cJSON_GetObjectItemCaseSensitive(run, "suite"), "sha256");
    bool known = format != NULL && strcmp(format, "epconform-results") == 0;
    if (!known || vector_size(run, "version", 0) != 1 || testee_id(run) == NULL) {
        return "no results of version 1";
    }
    if (digest == NULL || strcmp(digest, s->sha256) != 0) {
        return "results of another suite";
    }
    return is_there(results, testee_id(run))
               ? "a testee that has results already: run one with --name"
               : NULL;
}

static bool read_run(const suite *s, const char *path, report_results *results) {
    cJSON *run = vector_json_read(path);
    if (run == NULL) {
        return false;
    }
    const char *fault = fault_of(s, results, run);
    if (fault != NULL) {
        cJSON_Delete(run);
        return complain(path, fault);
    }
    results->runs[results->count++] = run;
    return order_results(s, run, path);
}

bool report_results_read(const suite *s, const word_list *paths, report_results *results) {
    *results = (report_results){memory_take(paths->count + 1, sizeof(cJSON *)), 0};
    for (size_t i = 0; i < paths->count; i++) {
        if (!read_run(s, paths->words[i], results)) {
            return false;
        }
    }
    return true;
}

void report_results_free(report_results *results) {
    for (size_t i = 0; i < results->count; i++) {
        cJSON_Delete(results->runs[i]);
    }
    free(results->runs);
    *results = (report_results){0};
}

/* -------------------------------------------------- testees without results */

static void put_absent(const char *home, const char *name, cJSON *testees) {
    char *path = memory_format("%s/%s/testee.json", home, name);
    cJSON *said = vector_json_read(path);
    if (said != NULL) {
        cJSON *json = cJSON_CreateObject();
        cJSON_DeleteItemFromObjectCaseSensitive(said, "id");
        cJSON_AddStringToObject(said, "id", name);
        cJSON_AddItemToObject(json, "testee", said);
        cJSON_AddItemToArray(testees, json);
    }
    free(path);
}

/* What testee.json of a folder says; folders may hold other things, too. */
static void put_absents(const report_results *results, const char *home, cJSON *testees) {
    word_list names = {NULL, 0};
    testee_names(home, &names);
    for (size_t i = 0; i < names.count; i++) {
        if (!is_there(results, names.words[i])) {
            put_absent(home, names.words[i], testees);
        }
    }
    words_free(&names);
}

void report_results_put(const report_results *results, const char *home, cJSON *page) {
    cJSON *testees = cJSON_AddArrayToObject(page, "testees");
    for (size_t i = 0; i < results->count; i++) {
        cJSON_AddItemReferenceToArray(testees, results->runs[i]);
    }
    put_absents(results, home, testees);
}
