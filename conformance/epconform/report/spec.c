/*
 * report/spec.c - see report_spec.h. `## Part 2: The wire level` begins a part,
 * `### 2.4 Strings` a section, `**2.4.1** ...` a clause.
 */
#include "report/spec.h"

#include "text/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct mark {
    const char *name;   /* of the member */
    const char *before; /* what stands before the number */
    const char *after;  /* and behind it */
} mark;

/* The end of a paragraph, or of a heading, which is one line. */
static const char *end_of(const char *from, bool paragraph) {
    const char *end = strstr(from, paragraph ? "\n\n" : "\n");
    return end != NULL ? end : from + strlen(from);
}

/* Writes what begins at `line`, if it is of the kind of the mark. */
static void put_if_marked(const mark *m, const char *line, cJSON *json) {
    size_t before = strlen(m->before);
    if (strncmp(line, m->before, before) != 0) {
        return;
    }
    const char *number = line + before;
    size_t size = strspn(number, "0123456789.");
    if (size == 0 || strncmp(number + size, m->after, strlen(m->after)) != 0) {
        return;
    }
    const char *title = number + size + strlen(m->after);
    char *key = memory_part(number, size);
    char *text = memory_part(title, (size_t)(end_of(title, m->before[0] == '*') - title));
    cJSON_AddStringToObject(json, key, text);
    free(text);
    free(key);
}

static void put_all(const mark *m, const char *spec, cJSON *json) {
    cJSON *all = cJSON_AddObjectToObject(json, m->name);
    for (const char *line = spec; line != NULL;) {
        put_if_marked(m, line, all);
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
}

void report_spec_put(const char *spec, const char *url, cJSON *page) {
    static const mark marks[] = {
        {"parts", "## Part ", ": "}, {"sections", "### ", " "}, {"clauses", "**", "** "}};
    cJSON *json = cJSON_AddObjectToObject(page, "spec");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        put_all(&marks[i], spec, json);
    }
    if (url != NULL) {
        cJSON_AddStringToObject(json, "url", url);
    }
}
