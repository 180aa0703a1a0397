/*
 * run/answer.c - see answer.h.
 */
#include "run/answer.h"

#include "run/testee.h"
#include "text/memory.h"

#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------- requests */

void request_hello(strbuf *b) {
    strbuf_text(b, "{\"type\": \"hello\", \"protocol\": 1}\n");
}

void request_run(strbuf *b, const vector *v, const char *operation, size_t id,
                 request_sizes sizes) {
    const cJSON *options = cJSON_GetObjectItemCaseSensitive(v->line, "options");
    strbuf_format(b, "{\"type\": \"run\", \"id\": %zu, \"operation\": \"%s\"", id, operation);
    if (options != NULL) {
        char *text = cJSON_PrintUnformatted(options);
        strbuf_format(b, ", \"options\": %s", text);
        cJSON_free(text);
    }
    strbuf_format(b, ", \"size\": %zu", sizes.document);
    if (operation_has_other(operation)) {
        strbuf_format(b, ", \"other\": %zu", sizes.other);
    }
    strbuf_text(b, "}\n");
}

/* ------------------------------------------------------------------ objects */

static bool is_text(const char *line, size_t size) {
    for (size_t i = 0; i < size;) {
        size_t width = utf8_size(line + i, size - i);
        if (width == 0 || line[i] == '\0') {
            return false;
        }
        i += width;
    }
    return true;
}

static bool has_twice(const cJSON *object) {
    for (const cJSON *item = object->child; item != NULL; item = item->next) {
        if (cJSON_GetObjectItemCaseSensitive(object, item->string) != item) {
            return true;
        }
    }
    return false;
}

static void quote(strbuf *why, const char *what, const char *line, size_t size) {
    size_t shown = size < 80 ? size : 80;
    strbuf_format(why, "%s: ", what);
    strbuf_clean(why, line, shown);
    strbuf_text(why, shown < size ? "..." : "");
}

cJSON *object_read(const char *line, size_t size, strbuf *why) {
    const char *end = NULL;
    char *copy = memory_part(line, size);
    cJSON *json = is_text(line, size) ? cJSON_ParseWithOpts(copy, &end, 1) : NULL;
    bool good = cJSON_IsObject(json) && !has_twice(json);
    free(copy);
    if (!good) {
        quote(why, "no JSON object", line, size);
        cJSON_Delete(json);
        return NULL;
    }
    return json;
}

/* ------------------------------------------------------------------ answers */

static const char *const VERDICTS[] = {"valid", "invalid", "unsupported", "error"};

enum { VERDICT_COUNT = sizeof VERDICTS / sizeof VERDICTS[0] };

const char *verdict_name(verdict v) {
    return VERDICTS[v];
}

static bool is_string(const cJSON *item) {
    return cJSON_IsString(item) != 0;
}

static bool is_verdict(const cJSON *item) {
    return is_string(item) &&
           words_index(VERDICTS, VERDICT_COUNT, item->valuestring) < VERDICT_COUNT;
}

static bool is_warning(const cJSON *item) {
    return cJSON_IsObject(item) && cJSON_GetArraySize(item) == 3 &&
           is_string(cJSON_GetObjectItemCaseSensitive(item, "code")) &&
           vector_is_count(cJSON_GetObjectItemCaseSensitive(item, "offset")) &&
           is_string(cJSON_GetObjectItemCaseSensitive(item, "pointer"));
}

static bool is_warnings(const cJSON *array) {
    const cJSON *item;
    cJSON_ArrayForEach(item, array) {
        if (!is_warning(item)) {
            return false;
        }
    }
    return cJSON_IsArray(array);
}

typedef struct answer_key {
    const char *name;
    bool (*is_good)(const cJSON *);
} answer_key;

static const answer_key KEYS[] = {
    {"id", vector_is_count},     {"verdict", is_verdict},   {"size", vector_is_count},
    {"schema", is_string},       {"code", is_string},       {"clause", is_string},
    {"offset", vector_is_count}, {"line", vector_is_count}, {"column", vector_is_count},
    {"pointer", is_string},      {"message", is_string},    {"warnings", is_warnings},
};

static bool is_good_member(const cJSON *item) {
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        if (strcmp(KEYS[i].name, item->string) == 0) {
            return KEYS[i].is_good(item);
        }
    }
    return false;
}

bool answer_of(answer *a, cJSON *json, strbuf *why) {
    const char *said = vector_text(json, "verdict");
    *a = (answer){.json = json};
    for (const cJSON *item = json->child; item != NULL; item = item->next) {
        if (!is_good_member(item)) {
            quote(why, "a key that is none, or a value that it cannot have", item->string,
                  strlen(item->string));
            return false;
        }
    }
    if (said == NULL) {
        strbuf_text(why, "an answer without a verdict");
        return false;
    }
    a->verdict = (verdict)words_index(VERDICTS, VERDICT_COUNT, said);
    a->has_size = cJSON_HasObjectItem(json, "size");
    a->size = vector_size(json, "size", 0);
    return true;
}

bool answer_read(answer *a, const char *line, size_t size, size_t id, strbuf *why) {
    *a = (answer){0};
    cJSON *json = object_read(line, size, why);
    if (json == NULL || !answer_of(a, json, why)) {
        return false;
    }
    const cJSON *said = cJSON_GetObjectItemCaseSensitive(json, "id");
    if (said == NULL || said->valuedouble != (double)id) {
        strbuf_format(why, "an answer with another id than %zu", id);
        return false;
    }
    return true;
}

void answer_free(answer *a) {
    cJSON_Delete(a->json);
    *a = (answer){0};
}
