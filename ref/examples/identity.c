/*
 * identity.c - reads a program from standard input, and prints its digest, which is the
 * same for the same program in any version and under any names: what `epref digest`
 * prints.
 *
 *     cc identity.c $(pkg-config --cflags --libs epref_archive) -o identity
 *     ./identity <program.json
 */
#include <epref_archive.h>

#include <stdio.h>

static int fail(const ep_error *error) {
    fprintf(stderr, "%zu:%zu: %s\n", error->line, error->column, ep_code_message(error->code));
    return 1;
}

int main(void) {
    static char text[16 << 20];
    ep_bytes input = {text, fread(text, 1, sizeof text, stdin)};
    ep_arena arena;
    ep_error error;
    const ep_program *program;
    char digest[EP_DIGEST_SIZE];

    ep_arena_init(&arena, ep_heap(), 0);
    bool ok = ep_decode(&arena, input, NULL, &program, &error) &&
              ep_digest(program, &arena, digest, NULL, &error);
    ep_arena_free(&arena);
    return ok ? puts(digest) < 0 : fail(&error);
}
