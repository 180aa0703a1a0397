/*
 * run/expected.c - see expected.h.
 */
#include "run/expected.h"

#include "suite/suite.h"
#include "text/memory.h"
#include "text/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const OUTCOMES[OUTCOME_COUNT] = {
    "pass",    "accepted", "changed",  "refused",  "unwritable", "reason",
    "place",   "schema",   "product",  "spelling", "warnings",   "crash",
    "timeout", "flood",    "protocol", "error",    "skipped"};

const char *outcome_name(outcome o) {
    return OUTCOMES[o];
}

bool outcome_find(const char *name, outcome *o) {
    size_t i = words_index(OUTCOMES, OUTCOME_COUNT, name);
    *o = (outcome)i;
    return i < OUTCOME_COUNT;
}

/* ------------------------------------------------------------ what a line says */

typedef struct line_key {
    const char *name;
    bool is_list;
    bool is_needed;
} line_key;

static const line_key KEYS[] = {
    {"cause", false, true}, {"outcome", false, true}, {"reason", false, true},
    {"link", false, false}, {"split", false, false},  {"match", true, false},
    {"ids", true, false},
};

enum { KEY_COUNT = sizeof KEYS / sizeof KEYS[0] };

static bool check_key(const cJSON *line, const line_key *key, strbuf *why) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(line, key->name);
    bool good = key->is_list ? vector_is_texts(value) : cJSON_IsString(value);
    if (value == NULL && key->is_needed) {
        strbuf_format(why, "\"%s\" is missing", key->name);
    } else if (value != NULL && !good) {
        strbuf_format(why, "\"%s\": %s is wanted", key->name,
                      key->is_list ? "an array of strings" : "a string");
    }
    return why->size == 0;
}

static bool is_known(const char *name) {
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (strcmp(KEYS[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool check_line(const cJSON *line, strbuf *why) {
    const cJSON *item;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (!check_key(line, &KEYS[i], why)) {
            return false;
        }
    }
    cJSON_ArrayForEach(item, line) {
        if (!is_known(item->string)) {
            strbuf_text(why, "an unknown key: ");
            strbuf_clean(why, item->string, strlen(item->string));
            return false;
        }
    }
    return true;
}

static bool read_outcome(const char *said, outcome *o, strbuf *why) {
    bool ok = outcome_find(said, o) && *o != OUTCOME_PASS && *o != OUTCOME_SKIPPED;
    if (!ok) {
        strbuf_text(why, "\"outcome\": no failure: ");
        strbuf_clean(why, said, strlen(said));
    }
    return ok;
}

/* ------------------------------------------------------------------- reading */

static void add_ids(expected *e, const cause *c, const cJSON *ids) {
    const cJSON *item;
    size_t more = (size_t)cJSON_GetArraySize(ids);
    e->entries = memory_resize(e->entries, e->count + more, sizeof *e->entries);
    cJSON_ArrayForEach(item, ids) {
        e->entries[e->count++] = (entry){.id = memory_text(item->valuestring), .cause = c};
    }
}

static bool take_cause(void *context, const cJSON *line, strbuf *why) {
    expected *e = context;
    outcome o;
    if (!check_line(line, why) || !read_outcome(vector_text(line, "outcome"), &o, why)) {
        return false;
    }
    cause *c = memory_take(1, sizeof *c);
    c->line = cJSON_Duplicate(line, 1);
    c->name = vector_text(c->line, "cause");
    c->reason = vector_text(c->line, "reason");
    c->link = vector_text(c->line, "link");
    c->outcome = o;
    e->causes = memory_resize(e->causes, e->cause_count + 1, sizeof *e->causes);
    e->causes[e->cause_count++] = c;
    add_ids(e, c, cJSON_GetObjectItemCaseSensitive(line, "ids"));
    return true;
}

static int compare_entries(const void *left, const void *right) {
    const entry *a = left;
    const entry *b = right;
    return strcmp(a->id, b->id);
}

bool expected_read(const char *path, expected *e) {
    *e = (expected){NULL, 0, NULL, 0};
    if (path == NULL || strcmp(path, "/dev/null") == 0) {
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
        cJSON_Delete(e->causes[i]->line);
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

static int compare_id(const void *id, const void *item) {
    return strcmp(id, ((const entry *)item)->id);
}

const entry *expected_find(const expected *e, const char *id) {
    return search(id, e->entries, e->count, sizeof *e->entries, compare_id);
}
