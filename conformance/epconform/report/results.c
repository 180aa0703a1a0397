/*
 * report/results.c - see report_results.h. The outcomes of a testee are a
 * string with one letter a vector: a capital one of `outcomes`, a small one of
 * `skips` for a vector that was not run, a full stop where there is no result.
 * Beside it, `details` has what else there is to say, by the vector's number.
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

/* The letter of a result; zero if it is none. */
static char letter_of(const cJSON *result) {
    const char *name = vector_text(result, "outcome");
    const char *why = vector_text(result, "skip");
    outcome o;
    if (name == NULL || !outcome_find(name, &o)) {
        return '\0';
    }
    if (o != OUTCOME_SKIPPED) {
        return (char)('A' + (int)o);
    }
    for (int i = SKIP_NONE; why != NULL && i < SKIP_COUNT; i++) {
        if (strcmp(skip_name((skip)i), why) == 0) {
            return (char)('a' + i);
        }
    }
    return '\0';
}

static size_t index_of(const suite *s, const vector *v) {
    return (size_t)(v - s->vectors);
}

/* Writes the letter of one result; false, and said, if it is wrong. */
static bool take_result(const suite *s, const cJSON *result, const char *path, char *letters) {
    const char *id = vector_text(result, "id");
    const vector *v = id != NULL ? suite_find(s, id) : NULL;
    char letter = letter_of(result);
    if (v == NULL || letter == '\0' || letters[index_of(s, v)] != '.') {
        fprintf(stderr, "epconform: %s: a result that is unknown, or there twice: %s\n", path,
                id != NULL ? id : "without an id");
        return false;
    }
    letters[index_of(s, v)] = letter;
    return true;
}

/* Adds the letters of a run to it. */
static bool add_outcomes(const suite *s, cJSON *run, const char *path) {
    char *letters = memory_take(s->count + 1, 1);
    const cJSON *result;
    bool ok = true;
    memset(letters, '.', s->count);
    cJSON_ArrayForEach(result, cJSON_GetObjectItemCaseSensitive(run, "results")) {
        ok = ok && take_result(s, result, path, letters);
    }
    cJSON_DeleteItemFromObjectCaseSensitive(run, "outcomes");
    cJSON_AddStringToObject(run, "outcomes", letters);
    free(letters);
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
    return add_outcomes(s, run, path);
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

/* ----------------------------------------------------------------- writing */

/* What is said of a result beyond its outcome; of one that passes only where
 * the testee had a choice. NULL: nothing. */
static cJSON *detail_of(const vector *v, const cJSON *result) {
    static const char *const keys[] = {"cause", "detail", "message", "got"};
    bool chosen = strcmp(vector_text(v->line, "verdict"), "implementation-defined") == 0;
    cJSON *detail = NULL;
    if (!chosen && strcmp(vector_text(result, "outcome"), "pass") == 0) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        cJSON *value = cJSON_GetObjectItemCaseSensitive(result, keys[i]);
        if (value != NULL) {
            detail = detail != NULL ? detail : cJSON_CreateObject();
            cJSON_AddItemReferenceToObject(detail, keys[i], value);
        }
    }
    return detail;
}

static void put_details(const suite *s, const cJSON *run, cJSON *json) {
    cJSON *details = cJSON_AddArrayToObject(json, "details");
    const cJSON *result;
    cJSON_ArrayForEach(result, cJSON_GetObjectItemCaseSensitive(run, "results")) {
        const vector *v = suite_find(s, vector_text(result, "id"));
        cJSON *detail = detail_of(v, result);
        if (detail != NULL) {
            cJSON *pair = cJSON_CreateArray();
            cJSON_AddItemToArray(pair, cJSON_CreateNumber((double)index_of(s, v)));
            cJSON_AddItemToArray(pair, detail);
            cJSON_AddItemToArray(details, pair);
        }
    }
}

/* The members of these names. */
static cJSON *parts_of(const cJSON *whole, const char *const *keys, size_t count) {
    cJSON *parts = cJSON_CreateObject();
    for (size_t i = 0; i < count; i++) {
        cJSON_AddItemReferenceToObject(parts, keys[i],
                                       cJSON_GetObjectItemCaseSensitive(whole, keys[i]));
    }
    return parts;
}

static cJSON *run_json(const suite *s, const cJSON *run) {
    static const char *const keys[] = {"testee",  "suite",  "shard",  "complete",
                                       "seconds", "counts", "causes", "outcomes"};
    cJSON *json = parts_of(run, keys, sizeof keys / sizeof *keys);
    put_details(s, run, json);
    return json;
}

static void put_words(cJSON *page) {
    cJSON *outcomes = cJSON_AddArrayToObject(page, "outcomes");
    cJSON *skips = cJSON_AddArrayToObject(page, "skips");
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        cJSON_AddItemToArray(outcomes, cJSON_CreateString(outcome_name((outcome)i)));
    }
    for (int i = SKIP_NONE; i < SKIP_COUNT; i++) {
        cJSON_AddItemToArray(skips, cJSON_CreateString(skip_name((skip)i)));
    }
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

void report_results_put(const suite *s, const report_results *results, const char *home,
                        cJSON *page) {
    cJSON *testees = cJSON_AddArrayToObject(page, "testees");
    put_words(page);
    for (size_t i = 0; i < results->count; i++) {
        cJSON_AddItemToArray(testees, run_json(s, results->runs[i]));
    }
    put_absents(results, home, testees);
}
