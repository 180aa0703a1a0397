/*
 * test_core.c - the minimal reference alone: each program that is named comes back
 * byte for byte, and one that is cut short is refused where it ends. What is linked
 * is epref_core and the C library, so nothing else of epref can be needed.
 */
#include "epref.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(void *context, size_t size) {
    (void)context;
    return malloc(size);
}

static void release(void *context, void *block, size_t size) {
    (void)context;
    (void)size;
    free(block);
}

static const ep_allocator HEAP = {allocate, release, NULL};

/* The whole file, to be freed; a file that cannot be read ends the test. */
static ep_bytes read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(2);
    }
    size_t size = (size_t)ftell(file);
    char *data = malloc(size + 1);
    rewind(file);
    if (data == NULL || fread(data, 1, size, file) != size) {
        perror(path);
        exit(2);
    }
    fclose(file);
    return (ep_bytes){data, size};
}

/* A sink: each piece has to be the next bytes of the input. */
static bool compare(void *context, const char *data, size_t size) {
    ep_bytes *rest = context;
    if (size > rest->size || memcmp(rest->data, data, size) != 0) {
        return false;
    }
    rest->data += size;
    rest->size -= size;
    return true;
}

static bool comes_back(ep_bytes input) {
    ep_arena arena;
    ep_error error;
    const ep_program *program;
    ep_bytes rest = input;
    ep_arena_init(&arena, &HEAP, 0);
    bool same = ep_decode(&arena, input, NULL, &program, &error) &&
                ep_encode(program, &arena, compare, &rest, &error) && rest.size == 0;
    ep_arena_free(&arena);
    return same;
}

/* The error of a program without its last byte is at its end, and has a clause. */
static bool is_refused_when_cut(ep_bytes input) {
    ep_arena arena;
    ep_error error;
    const ep_program *program;
    ep_arena_init(&arena, &HEAP, 0);
    bool refused =
        !ep_decode(&arena, (ep_bytes){input.data, input.size - 1}, NULL, &program, &error) &&
        error.code == EP_END && error.offset == input.size - 1 &&
        ep_code_clause(error.code) != NULL;
    ep_arena_free(&arena);
    return refused;
}

int main(int count, char **paths) {
    int failures = 0;
    for (int i = 1; i < count; i++) {
        ep_bytes input = read_file(paths[i]);
        if (!comes_back(input)) {
            printf("%s: does not come back as it was\n", paths[i]);
            failures++;
        }
        if (!is_refused_when_cut(input)) {
            printf("%s: without its last byte it is not refused at its end\n", paths[i]);
            failures++;
        }
        free((char *)(uintptr_t)input.data);
    }
    printf("%d programs, %d failures\n", count - 1, failures);
    return failures == 0 && count > 1 ? 0 : 1;
}
