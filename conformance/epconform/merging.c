/*
 * merging.c - the command `epconform merge`: one results file of those of all
 * shards of one run, in the order of the suite.
 */
#include "arguments.h"
#include "epconform.h"
#include "memory.h"
#include "output.h"
#include "records.h"
#include "twins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A results file. */
typedef struct part {
    const char *path;
    cJSON *json;
    size_t shard;
} part;

typedef struct merging {
    suite suite;
    part *parts;
    size_t count;
    cJSON **lines; /* the results, in the places of their vectors */
    size_t found;
    size_t void_ones; /* refusals that show nothing, now that all twins are there */
} merging;

static bool refuse(const char *path, const char *why) {
    fprintf(stderr, "epconform: %s: %s\n", path, why);
    return false;
}

static const cJSON *member(const cJSON *json, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(json, key);
}

/* ------------------------------------------------------------------- reading */

static cJSON *read_json(const char *path) {
    vector_bytes text;
    if (!vector_file_read(path, &text)) {
        return NULL;
    }
    char *copy = memory_part(text.data, text.size);
    cJSON *json = cJSON_Parse(copy);
    free(copy);
    vector_bytes_free(&text);
    return json;
}

static bool is_results(const cJSON *json) {
    const char *format = vector_text(json, "format");
    return format != NULL && strcmp(format, "epconform-results") == 0 &&
           vector_size(json, "version", 0) == 1 && cJSON_IsArray(member(json, "results")) &&
           cJSON_GetArraySize(member(json, "shard")) == 2 &&
           cJSON_IsObject(member(json, "counts")) && cJSON_IsObject(member(json, "testee"));
}

static bool read_part(part *p) {
    p->json = read_json(p->path);
    if (!is_results(p->json)) {
        return refuse(p->path, "no results of epconform");
    }
    p->shard = (size_t)cJSON_GetArrayItem(member(p->json, "shard"), 0)->valuedouble;
    return cJSON_IsTrue(member(p->json, "complete")) || refuse(p->path, "is not complete");
}

/* ------------------------------------------------------------------ agreement */

static bool is_same(const cJSON *a, const cJSON *b, const char *key) {
    return cJSON_Compare(member(a, key), member(b, key), 1) != 0;
}

static bool is_of_suite(const merging *m, const part *p) {
    const char *sha256 = vector_text(member(p->json, "suite"), "sha256");
    return sha256 != NULL && strcmp(sha256, m->suite.sha256) == 0;
}

/* One of the same run as the first, and no shard twice. */
static bool fits(const merging *m, size_t i) {
    const part *p = &m->parts[i];
    const part *first = &m->parts[0];
    const cJSON *shards = cJSON_GetArrayItem(member(p->json, "shard"), 1);
    if (!is_of_suite(m, p)) {
        return refuse(p->path, "is of another suite");
    }
    if (!is_same(p->json, first->json, "testee") || !is_same(p->json, first->json, "causes")) {
        return refuse(p->path, "is of another testee, or has other expected failures");
    }
    if (shards->valuedouble != (double)m->count) {
        return refuse(p->path, "is one of another number of shards");
    }
    for (size_t k = 0; k < i; k++) {
        if (m->parts[k].shard == p->shard) {
            return refuse(p->path, "is a shard that another file is, too");
        }
    }
    return true;
}

/* Puts the results of a part in their places. */
static bool place(merging *m, const part *p) {
    cJSON *line;
    cJSON_ArrayForEach(line, member(p->json, "results")) {
        const char *id = vector_text(line, "id");
        const vector *v = id != NULL ? suite_find(&m->suite, id) : NULL;
        if (v == NULL) {
            return refuse(p->path, "has a result of a vector that the suite has not");
        }
        size_t at = (size_t)(v - m->suite.vectors);
        if (m->lines[at] != NULL) {
            return refuse(p->path, "has a result that another file has, too");
        }
        m->lines[at] = line;
        m->found++;
    }
    return true;
}

/* --------------------------------------------------------------------- twins */

/* The outcome of a vector; skipped, too, if it has no result. */
static outcome outcome_at(const merging *m, const vector *v) {
    outcome o = OUTCOME_SKIPPED;
    const cJSON *line = v != NULL ? m->lines[v - m->suite.vectors] : NULL;
    const char *name = vector_text(line, "outcome");
    return name != NULL && outcome_find(name, &o) ? o : OUTCOME_SKIPPED;
}

/* A shard does not have the twins of all its vectors. */
static void leave_void(merging *m) {
    for (size_t i = 0; i < m->suite.count; i++) {
        const vector *v = &m->suite.vectors[i];
        const char *twin = vector_text(v->line, "twin");
        if (twins_matter(v, outcome_at(m, v), member(m->lines[i], "got")) &&
            twins_void(outcome_at(m, suite_find(&m->suite, twin)))) {
            cJSON_ReplaceItemInObjectCaseSensitive(m->lines[i], "outcome",
                                                   cJSON_CreateString("skipped"));
            cJSON_AddStringToObject(m->lines[i], "skip", skip_name(SKIP_TWIN));
            char *detail = twins_detail(twin);
            cJSON_AddStringToObject(m->lines[i], "detail", detail);
            free(detail);
            m->void_ones++;
        }
    }
}

/* ------------------------------------------------------------------- merging */

static double sum(const merging *m, const char *object, const char *key) {
    double total = 0;
    for (size_t i = 0; i < m->count; i++) {
        const cJSON *from = object != NULL ? member(m->parts[i].json, object) : m->parts[i].json;
        const cJSON *item = member(from, key);
        total += cJSON_IsNumber(item) ? item->valuedouble : 0;
    }
    return total;
}

static void set_number(cJSON *json, const char *key, double number) {
    cJSON_ReplaceItemInObjectCaseSensitive(json, key, cJSON_CreateNumber(number));
}

static cJSON *make_head(const merging *m) {
    static const char *const keys[] = {"passed", "expected", "unexpected", "skipped", "stale"};
    const double whole[] = {1, 1};
    cJSON *results = cJSON_DetachItemFromObjectCaseSensitive(m->parts[0].json, "results");
    cJSON *head = cJSON_Duplicate(m->parts[0].json, 1);
    cJSON_AddItemToObject(m->parts[0].json, "results", results);
    cJSON_ReplaceItemInObjectCaseSensitive(head, "shard", cJSON_CreateDoubleArray(whole, 2));
    cJSON *counts_of = cJSON_GetObjectItemCaseSensitive(head, "counts");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        set_number(counts_of, keys[i], sum(m, "counts", keys[i]));
    }
    set_number(counts_of, "passed", sum(m, "counts", "passed") - (double)m->void_ones);
    set_number(counts_of, "skipped", sum(m, "counts", "skipped") + (double)m->void_ones);
    double tenths = sum(m, NULL, "seconds") * 10 + 0.5;
    set_number(head, "seconds", (double)(long long)tenths / 10);
    set_number(cJSON_GetObjectItemCaseSensitive(head, "suite"), "chosen",
               sum(m, "suite", "chosen"));
    return head;
}

static bool write_merged(const merging *m, const cJSON *head, const char *path) {
    strbuf b = {NULL, 0, 0};
    size_t count = 0;
    const cJSON **lines = memory_take(m->suite.count, sizeof *lines);
    for (size_t i = 0; i < m->suite.count; i++) {
        if (m->lines[i] != NULL) {
            lines[count++] = m->lines[i];
        }
    }
    records_print(head, lines, count, &b);
    bool ok = output_write(path, &b);
    strbuf_free(&b);
    free(lines);
    return ok;
}

static int finish(merging *m, const char *path) {
    leave_void(m);
    cJSON *head = make_head(m);
    const cJSON *counts_of = member(head, "counts");
    size_t chosen = vector_size(member(head, "suite"), "chosen", 0);
    bool good = vector_size(counts_of, "unexpected", 0) + vector_size(counts_of, "stale", 0) == 0;
    int status = good ? STATUS_GOOD : STATUS_FAILURES;
    if (chosen != m->found) {
        fprintf(stderr, "epconform: %zu vectors were chosen, %zu have results\n", chosen, m->found);
        status = STATUS_TROUBLE;
    } else if (!write_merged(m, head, path)) {
        status = STATUS_TROUBLE;
    }
    cJSON_Delete(head);
    return status;
}

static bool read_parts(merging *m, const word_list *paths) {
    m->parts = memory_take(paths->count, sizeof *m->parts);
    m->lines = memory_take(m->suite.count, sizeof *m->lines);
    m->count = paths->count;
    for (size_t i = 0; i < m->count; i++) {
        m->parts[i].path = paths->words[i];
        if (!read_part(&m->parts[i]) || !fits(m, i) || !place(m, &m->parts[i])) {
            return false;
        }
    }
    return true;
}

static int merge(const places *p, const word_list *paths, const char *out) {
    merging m = {.count = 0};
    bool ok = suite_read(p, &m.suite) && read_parts(&m, paths);
    int status = ok ? finish(&m, out) : STATUS_TROUBLE;
    for (size_t i = 0; i < m.count; i++) {
        cJSON_Delete(m.parts[i].json);
    }
    free(m.parts);
    free(m.lines);
    suite_free(&m.suite);
    return status;
}

int merge_main(char **argv) {
    places p = places_default();
    word_list paths = {NULL, 0};
    const char *out = NULL;
    const argument known[] = {
        {.name = "--json", .value = &out},
        {.name = "--suite", .value = &p.suite},
        {.name = "--corpora", .value = &p.corpora},
        {.name = "--manifest", .list = &p.manifests},
        {.name = NULL},
    };
    int status = STATUS_USAGE;
    if (!arguments_read(argv, known, &paths)) {
        status = STATUS_USAGE;
    } else if (paths.count == 0 || out == NULL) {
        fputs("epconform: merge needs results files and --json=FILE\n", stderr);
    } else {
        status = merge(&p, &paths, out);
    }
    words_free(&paths);
    words_free(&p.manifests);
    return status;
}
