/*
 * roundtrip.c - reads a program from standard input, and says which schema
 * version it has and whether it comes out as it went in; or where and why it
 * is not valid, be it as JSON, by its types or as a program.
 *
 *     cc roundtrip.c $(pkg-config --cflags --libs epref) -o roundtrip
 *     ./roundtrip <program.json
 */
#include <epref.h>

#include <stdio.h>
#include <string.h>

/* Takes the product: each piece has to be the next bytes of the input. */
static bool compare(void *context, const char *data, size_t size) {
    ep_bytes *rest = context;
    if (size > rest->size || memcmp(rest->data, data, size) != 0) {
        return false;
    }
    rest->data += size;
    rest->size -= size;
    return true;
}

int main(void) {
    static char text[16 << 20];
    ep_bytes input = {text, fread(text, 1, sizeof text, stdin)};
    ep_bytes rest = input;
    ep_arena arena;
    ep_error error;
    const ep_program *program;

    ep_arena_init(&arena, ep_heap(), 0);
    if (!ep_decode(&arena, input, NULL, &program, &error) ||
        !ep_check(program, &arena, NULL, &error)) {
        fprintf(stderr, "%zu:%zu: %s [SPEC %s] at \"%s\"\n", error.line, error.column,
                ep_code_message(error.code), ep_code_clause(error.code), error.pointer);
        return 1;
    }
    bool same = ep_encode(program, &arena, compare, &rest, NULL) && rest.size == 0;
    printf("schema %s, %s\n", ep_program_version(program)->name,
           same ? "byte for byte as PyTorch writes it" : "not as PyTorch writes it");
    ep_arena_free(&arena);
    return 0;
}
