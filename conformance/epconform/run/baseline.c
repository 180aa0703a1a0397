/*
 * run/baseline.c - see baseline.h.
 */
#include "run/baseline.h"

#include "run/tally.h"
#include "text/memory.h"

#include <stdlib.h>
#include <string.h>

/* A line that is written, and the ids that it gets. */
typedef struct group {
    char *name;
    outcome outcome;
    cJSON *line; /* as it was read; NULL: it is new */
    word_list ids;
} group;

typedef struct groups {
    group *items;
    size_t count;
} groups;

static group *add_group(groups *all, const char *name, outcome o, cJSON *line) {
    all->items = memory_resize(all->items, all->count + 1, sizeof *all->items);
    all->items[all->count] = (group){memory_text(name), o, line, {NULL, 0}};
    return &all->items[all->count++];
}

/* The group of a cause that was read. */
static group *group_of_cause(const groups *all, const cause *c) {
    size_t i = 0;
    while (all->items[i].line != c->line) {
        i++;
    }
    return &all->items[i];
}

static group *find_group(const groups *all, const char *name, outcome o) {
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].outcome == o && strcmp(all->items[i].name, name) == 0) {
            return &all->items[i];
        }
    }
    return NULL;
}

/* --------------------------------------------------------------------- deal */

static bool fits(const group *g, const result *one) {
    const cJSON *glob;
    cJSON_ArrayForEach(glob, cJSON_GetObjectItemCaseSensitive(g->line, "match")) {
        if (g->outcome == one->outcome && glob_fits(glob->valuestring, one->vector->id)) {
            return true;
        }
    }
    return false;
}

/* The name of a cause that nobody has thought about yet: "accepted-EP_MISSING_FIELD". */
static char *name_of(const result *one) {
    const char *code = tally_code(one);
    return code[0] != '\0' ? memory_format("%s-%s", outcome_name(one->outcome), code)
                           : memory_text(outcome_name(one->outcome));
}

static group *group_of(groups *all, const result *one) {
    if (one->cause != NULL) {
        return group_of_cause(all, one->cause);
    }
    for (size_t i = 0; i < all->count; i++) {
        if (fits(&all->items[i], one)) {
            return &all->items[i];
        }
    }
    char *name = name_of(one);
    group *found = find_group(all, name, one->outcome);
    if (found == NULL) {
        found = add_group(all, name, one->outcome, NULL);
    }
    free(name);
    return found;
}

/* What was expected of vectors that this run says nothing of. */
static void keep_others(const run *r, groups *all) {
    for (size_t i = 0; i < r->expected->count; i++) {
        const entry *e = &r->expected->entries[i];
        const vector *v = suite_find(r->suite, e->id);
        bool is_known = v != NULL ? run_find(r, v) != NULL : e->change == CHANGE_GONE;
        if (!is_known) {
            words_add(&group_of_cause(all, e->cause)->ids, e->id);
        }
    }
}

static void deal(const run *r, groups *all) {
    for (size_t i = 0; i < r->expected->cause_count; i++) {
        const cause *c = r->expected->causes[i];
        add_group(all, c->name, c->outcome, c->line);
    }
    keep_others(r, all);
    for (size_t i = 0; i < r->count; i++) {
        const result *one = &r->results[i];
        if (one->cause != NULL || result_is_unexpected(one)) {
            words_add(&group_of(all, one)->ids, one->vector->id);
        }
    }
}

/* -------------------------------------------------------------------- write */

/* With a blank behind commas and colons, as the lines are kept. */
static void put_spaced(strbuf *b, const char *json) {
    for (bool inside = false; *json != '\0'; json++) {
        strbuf_put(b, json, 1);
        if (inside && *json == '\\') {
            strbuf_put(b, ++json, 1);
        } else if (*json == '"') {
            inside = !inside;
        } else if (!inside && (*json == ',' || *json == ':')) {
            strbuf_text(b, " ");
        }
    }
}

/* All that stood in the line but its ids; then the ids. */
static void put_group(strbuf *b, group *g) {
    cJSON *line = g->line != NULL ? cJSON_Duplicate(g->line, 1) : cJSON_CreateObject();
    if (g->line == NULL) {
        cJSON_AddStringToObject(line, "cause", g->name);
        cJSON_AddStringToObject(line, "outcome", outcome_name(g->outcome));
        cJSON_AddStringToObject(line, "reason", "Nobody has said why yet.");
    }
    words_sort(&g->ids);
    cJSON_DeleteItemFromObjectCaseSensitive(line, "ids");
    cJSON *ids = cJSON_AddArrayToObject(line, "ids");
    for (size_t i = 0; i < g->ids.count; i++) {
        cJSON_AddItemToArray(ids, cJSON_CreateString(g->ids.words[i]));
    }
    char *printed = cJSON_PrintUnformatted(line);
    put_spaced(b, printed);
    strbuf_text(b, "\n");
    cJSON_free(printed);
    cJSON_Delete(line);
}

void baseline_put(const run *r, strbuf *b) {
    groups all = {NULL, 0};
    deal(r, &all);
    for (size_t i = 0; i < all.count; i++) {
        group *g = &all.items[i];
        if (g->ids.count > 0 || cJSON_HasObjectItem(g->line, "match")) {
            put_group(b, g);
        }
        free(g->name);
        words_free(&g->ids);
    }
    free(all.items);
}
