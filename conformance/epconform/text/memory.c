/*
 * text/memory.c - see memory.h.
 */
#include "text/memory.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *block) {
    if (block == NULL) {
        fputs("epconform: out of memory\n", stderr);
        exit(3);
    }
    return block;
}

void *memory_take(size_t count, size_t size) {
    return checked(calloc(count > 0 ? count : 1, size > 0 ? size : 1));
}

void *memory_resize(void *old, size_t count, size_t size) {
    if (size > 0 && count > SIZE_MAX / size) {
        return checked(NULL);
    }
    return checked(realloc(old, count * size > 0 ? count * size : 1));
}

char *memory_part(const char *text, size_t size) {
    char *copy = memory_take(size + 1, 1);
    memcpy(copy, text, size);
    return copy;
}

char *memory_text(const char *text) {
    return memory_part(text, strlen(text));
}

char *memory_format(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int size = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = memory_take((size_t)(size > 0 ? size : 0) + 1, 1);
    va_start(list, format);
    vsnprintf(text, (size_t)(size > 0 ? size : 0) + 1, format, list);
    va_end(list);
    return text;
}

static void *take_for_json(size_t size) {
    return checked(malloc(size > 0 ? size : 1));
}

void memory_for_json(void) {
    cJSON_Hooks hooks = {take_for_json, free};
    cJSON_InitHooks(&hooks);
}
