/*
 * run/records_json.c - see records.h: the results of a run as JSON, a vector a line.
 */
#include "run/records.h"

#include <string.h>

static void add_text(cJSON *into, const char *key, const char *text) {
    if (text != NULL) {
        cJSON_AddStringToObject(into, key, text);
    }
}

/* The versions that it reads, whatever the operation. */
static cJSON *schemas_of(const cJSON *hello) {
    const cJSON *said = cJSON_GetObjectItemCaseSensitive(hello, "schemas");
    const cJSON *all = cJSON_IsObject(said) ? cJSON_GetObjectItemCaseSensitive(said, "*") : said;
    return cJSON_IsArray(all) ? cJSON_Duplicate(all, 1) : cJSON_CreateNull();
}

static cJSON *testee_json(const run *r) {
    cJSON *json = cJSON_CreateObject();
    const testee *t = r->testee;
    const cJSON *hello = r->traits->hello;
    const cJSON *operations = cJSON_GetObjectItemCaseSensitive(hello, "operations");
    add_text(json, "id", t->id);
    add_text(json, "name",
             t->name != NULL           ? t->name
             : r->traits->name != NULL ? r->traits->name
                                       : t->id);
    add_text(json, "version", r->traits->version != NULL ? r->traits->version : "");
    add_text(json, "description", t->description);
    add_text(json, "link", t->link);
    cJSON_AddItemToObject(json, "operations",
                          operations != NULL ? cJSON_Duplicate(operations, 1)
                                             : cJSON_CreateArray());
    cJSON_AddItemToObject(json, "schemas", schemas_of(hello));
    return json;
}

static cJSON *suite_json(const run *r) {
    cJSON *json = cJSON_CreateObject();
    add_text(json, "sha256", r->suite->sha256);
    cJSON_AddNumberToObject(json, "vectors", (double)r->suite->count);
    cJSON_AddNumberToObject(json, "chosen", (double)r->count);
    return json;
}

static cJSON *counts_json(const run *r) {
    counts c = run_count(r);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "passed", (double)c.passed);
    cJSON_AddNumberToObject(json, "expected", (double)c.expected);
    cJSON_AddNumberToObject(json, "unexpected", (double)c.unexpected);
    cJSON_AddNumberToObject(json, "skipped", (double)c.skipped);
    cJSON_AddNumberToObject(json, "stale", (double)c.stale);
    return json;
}

static cJSON *causes_json(const run *r) {
    cJSON *json = cJSON_CreateArray();
    for (size_t i = 0; i < r->expected->cause_count; i++) {
        const cause *c = r->expected->causes[i];
        cJSON *one = cJSON_CreateObject();
        add_text(one, "cause", c->name);
        add_text(one, "reason", c->reason);
        add_text(one, "link", c->link);
        cJSON_AddItemToArray(json, one);
    }
    return json;
}

static double tenths(double number) {
    return (double)(long long)(number * 10 + 0.5) / 10;
}

static cJSON *head_json(const run *r) {
    cJSON *json = cJSON_CreateObject();
    size_t shards = r->selection->shards > 0 ? r->selection->shards : 1;
    double shard[2] = {shards > 1 ? (double)r->selection->shard : 1, (double)shards};
    add_text(json, "format", "epconform-results");
    cJSON_AddNumberToObject(json, "version", 1);
    cJSON_AddItemToObject(json, "testee", testee_json(r));
    cJSON_AddItemToObject(json, "suite", suite_json(r));
    cJSON_AddItemToObject(json, "shard", cJSON_CreateDoubleArray(shard, 2));
    cJSON_AddBoolToObject(json, "complete", r->complete);
    cJSON_AddNumberToObject(json, "seconds", tenths(r->seconds));
    cJSON_AddItemToObject(json, "counts", counts_json(r));
    cJSON_AddItemToObject(json, "causes", causes_json(r));
    return json;
}

static cJSON *result_json(const result *one) {
    cJSON *json = cJSON_CreateObject();
    add_text(json, "id", one->vector->id);
    add_text(json, "outcome", outcome_name(one->outcome));
    add_text(json, "skip", one->outcome == OUTCOME_SKIPPED ? skip_name(one->skip) : NULL);
    add_text(json, "cause", one->cause != NULL ? one->cause->name : NULL);
    add_text(json, "detail", one->detail);
    add_text(json, "message", one->message);
    if (one->got != NULL) {
        cJSON_AddItemToObject(json, "got", cJSON_Duplicate(one->got, 1));
    }
    if (one->skip == SKIP_NONE || one->skip == SKIP_UNSUPPORTED) {
        cJSON_AddNumberToObject(json, "ms", tenths(one->ms));
    }
    return json;
}

static void put_json(strbuf *b, const cJSON *json) {
    char *text = cJSON_PrintUnformatted(json);
    strbuf_text(b, text);
    cJSON_free(text);
}

static void put_line(strbuf *b, const cJSON *line, bool is_first) {
    strbuf_text(b, is_first ? "\n" : ",\n");
    put_json(b, line);
}

/* The head without its closing brace. */
static void put_head(strbuf *b, const cJSON *head) {
    put_json(b, head);
    b->size--;
    strbuf_text(b, ",\"results\":[");
}

void records_json(const run *r, strbuf *b) {
    cJSON *head = head_json(r);
    bool is_first = true;
    put_head(b, head);
    for (size_t i = 0; i < r->count; i++) {
        if (r->results[i].done) {
            cJSON *line = result_json(&r->results[i]);
            put_line(b, line, is_first);
            cJSON_Delete(line);
            is_first = false;
        }
    }
    strbuf_text(b, "\n]}\n");
    cJSON_Delete(head);
}
