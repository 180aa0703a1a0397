/*
 * merging.c - the command `epconform merge`: one results file of those of all
 * shards of one run, in the order of the suite.
 */
#include "epconform.h"
#include "run/records.h"
#include "text/arguments.h"
#include "text/memory.h"
#include "text/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHARDS_MAX = 1000000, MISSING_SAID = 10 };

/* A results file. */
typedef struct part {
    const char *path;
    cJSON *json;
    selection chosen; /* the shard that it is */
} part;

typedef struct merging {
    suite suite;
    part *parts;
    size_t count;
    cJSON **lines; /* the results, in the places of their vectors */
    size_t found;
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

static size_t shard_number(const cJSON *json, int place) {
    const cJSON *item = cJSON_GetArrayItem(member(json, "shard"), place);
    double number = cJSON_IsNumber(item) ? item->valuedouble : 0;
    return number >= 1 && number <= SHARDS_MAX ? (size_t)number : 0;
}

static bool read_part(part *p) {
    p->json = read_json(p->path);
    if (!is_results(p->json)) {
        return refuse(p->path, "no results of epconform");
    }
    p->chosen = (selection){.shard = shard_number(p->json, 0), .shards = shard_number(p->json, 1)};
    if (p->chosen.shard == 0 || p->chosen.shard > p->chosen.shards) {
        return refuse(p->path, "\"shard\" is no part of a whole");
    }
    return cJSON_IsTrue(member(p->json, "complete")) || refuse(p->path, "is not complete");
}

/* ------------------------------------------------------------------ agreement */

/* By what is printed: both were printed by one program. */
static bool is_same(const cJSON *a, const cJSON *b, const char *key) {
    char *left = cJSON_PrintUnformatted(member(a, key));
    char *right = cJSON_PrintUnformatted(member(b, key));
    bool same = left != NULL && right != NULL && strcmp(left, right) == 0;
    cJSON_free(left);
    cJSON_free(right);
    return same;
}

static bool is_of_suite(const merging *m, const part *p) {
    const char *sha256 = vector_text(member(p->json, "suite"), "sha256");
    return sha256 != NULL && strcmp(sha256, m->suite.sha256) == 0;
}

/* Whether one of the first parts is a shard. */
static bool has_shard(const merging *m, size_t count, size_t shard) {
    for (size_t i = 0; i < count; i++) {
        if (m->parts[i].chosen.shard == shard) {
            return true;
        }
    }
    return false;
}

/* One of the same run as the first, and no shard twice. */
static bool fits(const merging *m, size_t i) {
    const part *p = &m->parts[i];
    const part *first = &m->parts[0];
    if (!is_of_suite(m, p)) {
        return refuse(p->path, "is of another suite");
    }
    if (!is_same(p->json, first->json, "testee") || !is_same(p->json, first->json, "causes")) {
        return refuse(p->path, "is of another testee, or has other expected failures");
    }
    if (p->chosen.shards != first->chosen.shards) {
        return refuse(p->path, "is one of another number of shards");
    }
    if (has_shard(m, i, p->chosen.shard)) {
        fprintf(stderr, "epconform: %s: shard %zu is there twice\n", p->path, p->chosen.shard);
        return false;
    }
    return true;
}

static bool has_all(const merging *m) {
    size_t shards = m->parts[0].chosen.shards;
    size_t missing = 0;
    for (size_t shard = 1; shard <= shards && missing < MISSING_SAID; shard++) {
        if (!has_shard(m, m->count, shard)) {
            fprintf(stderr, "epconform: shard %zu of %zu is missing\n", shard, shards);
            missing++;
        }
    }
    return missing == 0;
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
        if (!selection_takes(&p->chosen, id)) {
            return refuse(p->path, "has a result of another shard");
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

/* Counts what the lines say: all but stale. */
static counts count_lines(const merging *m) {
    counts c = {0};
    for (size_t i = 0; i < m->suite.count; i++) {
        const char *outcome_of = vector_text(m->lines[i], "outcome");
        const char *why = vector_text(m->lines[i], "skip");
        if (outcome_of == NULL) {
            continue;
        }
        if (strcmp(outcome_of, "pass") == 0) {
            c.passed++;
        } else if (strcmp(outcome_of, "skipped") == 0) {
            c.skipped++;
            c.void_ones += why != NULL && strcmp(why, skip_name(SKIP_TWIN)) == 0;
        } else {
            *(member(m->lines[i], "cause") != NULL ? &c.expected : &c.unexpected) += 1;
        }
    }
    c.stale = (size_t)sum(m, "counts", "stale");
    return c;
}

static cJSON *make_head(const merging *m, const counts *c) {
    const double whole[] = {1, 1};
    cJSON *results = cJSON_DetachItemFromObjectCaseSensitive(m->parts[0].json, "results");
    cJSON *head = cJSON_Duplicate(m->parts[0].json, 1);
    cJSON_AddItemToObject(m->parts[0].json, "results", results);
    cJSON_ReplaceItemInObjectCaseSensitive(head, "shard", cJSON_CreateDoubleArray(whole, 2));
    cJSON *counts_of = cJSON_GetObjectItemCaseSensitive(head, "counts");
    set_number(counts_of, "passed", (double)c->passed);
    set_number(counts_of, "expected", (double)c->expected);
    set_number(counts_of, "unexpected", (double)c->unexpected);
    set_number(counts_of, "skipped", (double)c->skipped);
    set_number(counts_of, "stale", (double)c->stale);
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

static void print_total(const merging *m, const counts *c, const char *id, FILE *out) {
    strbuf b = {NULL, 0, 0};
    const char *name = id != NULL ? id : "testee";
    strbuf_clean(&b, name, strlen(name));
    strbuf_text(&b, ": ");
    strbuf_count(&b, m->found);
    strbuf_format(&b, " vectors of %zu shards: ", m->count);
    counts_put(c, &b);
    strbuf_format(&b, " (%.1f s)\n", sum(m, NULL, "seconds"));
    fputs(strbuf_string(&b), out);
    strbuf_free(&b);
}

static int finish(const merging *m, const char *path) {
    counts c = count_lines(m);
    cJSON *head = make_head(m, &c);
    size_t chosen = vector_size(member(head, "suite"), "chosen", 0);
    int status = c.unexpected + c.stale == 0 ? STATUS_GOOD : STATUS_FAILURES;
    if (chosen != m->found) {
        fprintf(stderr, "epconform: %zu vectors were chosen, %zu have results\n", chosen, m->found);
        status = STATUS_TROUBLE;
    } else if (!write_merged(m, head, path)) {
        status = STATUS_TROUBLE;
    } else {
        print_total(m, &c, vector_text(member(head, "testee"), "id"),
                    strcmp(path, "-") == 0 ? stderr : stdout);
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
    return has_all(m);
}

static int merge(const places *p, const word_list *paths, const char *out) {
    merging m = {.count = 0};
    bool ok = output_try(out) && suite_read(p, &m.suite) && read_parts(&m, paths);
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
    places_free(&p);
    return status;
}
