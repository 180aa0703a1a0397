/*
 * json.c - see json.h. cJSON's own strings end at a zero byte and are written
 * as they are, so texts are put in as finished JSON instead.
 */
#include "json.h"

#include "memory.h"
#include "safe.h"

static bool exhausted; /* an allocation failed since the last product */

static void *allocate(size_t size) {
    void *block = memory_resize(NULL, size);
    exhausted = exhausted || block == NULL;
    return block;
}

void json_start(void) {
    cJSON_Hooks hooks = {.malloc_fn = allocate, .free_fn = memory_free};
    cJSON_InitHooks(&hooks);
}

cJSON *json_text(ep_bytes text) {
    buffer b = {0};
    safe_json(&b, text);
    const char *string = buffer_string(&b);
    cJSON *item = b.failed ? NULL : cJSON_CreateRaw(string);
    exhausted = exhausted || b.failed;
    buffer_free(&b);
    return item;
}

cJSON *json_buffer(buffer *b) {
    cJSON *item = json_text(buffer_bytes(b));
    exhausted = exhausted || b->failed;
    buffer_free(b);
    return item;
}

void json_add(cJSON *object, const char *key, cJSON *item) {
    if (!cJSON_AddItemToObject(object, key, item)) {
        cJSON_Delete(item);
    }
}

void json_append(cJSON *array, cJSON *item) {
    if (!cJSON_AddItemToArray(array, item)) {
        cJSON_Delete(item);
    }
}

void json_add_text(cJSON *object, const char *key, ep_bytes text) {
    json_add(object, key, json_text(text));
}

void json_add_string(cJSON *object, const char *key, const char *text) {
    if (text == NULL) {
        cJSON_AddNullToObject(object, key);
    } else {
        json_add_text(object, key, bytes_of(text));
    }
}

void json_add_number(cJSON *object, const char *key, size_t number) {
    cJSON_AddNumberToObject(object, key, (double)number);
}

void json_put(buffer *b, cJSON *item, bool many_lines) {
    char *text = many_lines ? cJSON_Print(item) : cJSON_PrintUnformatted(item);
    cJSON_Delete(item);
    if (text == NULL || exhausted) {
        b->failed = true;
    } else {
        buffer_text(b, text);
        buffer_byte(b, '\n');
    }
    cJSON_free(text);
    exhausted = false;
}
