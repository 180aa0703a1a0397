/*
 * signature.c - reads a program from standard input, and lists its inputs: the
 * name of each in the graph and, of parameters, buffers, constants and custom
 * objects, the name in the state dict. It does so for every schema version,
 * whichever way its signature is written.
 *
 *     cc signature.c $(pkg-config --cflags --libs epref) -o signature
 *     ./signature <program.json
 */
#include <epref.h>

#include <stdio.h>
#include <stdlib.h>

static void *allocate(void *context, size_t size) {
    (void)context;
    return malloc(size);
}

static void release(void *context, void *block, size_t size) {
    (void)context;
    (void)size;
    free(block);
}

static void print_input(const ep_signature_entry *entry) {
    static const char *const kinds[] = {"token",           "parameter",    "buffer",
                                        "buffer, unsaved", "constant",     "custom object",
                                        "user input",      "user constant"};
    printf("%-15s  %.*s", kinds[entry->kind], (int)entry->name.size, entry->name.data);
    if (entry->target.size > 0) {
        printf("  is %.*s", (int)entry->target.size, entry->target.data);
    }
    putchar('\n');
}

int main(void) {
    static char text[16 << 20];
    ep_bytes input = {text, fread(text, 1, sizeof text, stdin)};
    ep_allocator heap = {allocate, release, NULL};
    ep_arena arena;
    ep_error error;
    const ep_program *program;
    ep_signature *signature;
    ep_signature_entry entry;

    ep_arena_init(&arena, &heap, 0);
    if (!ep_decode(&arena, input, NULL, &program, &error) ||
        !ep_signature_open(program, &arena, &signature, &error)) {
        fprintf(stderr, "%zu:%zu: %s\n", error.line, error.column, ep_code_message(error.code));
        ep_arena_free(&arena);
        return 1;
    }
    for (size_t i = 0; ep_signature_input(signature, i, &entry); i++) {
        print_input(&entry);
    }
    ep_arena_free(&arena);
    return 0;
}
