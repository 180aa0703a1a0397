/*
 * bench_epref.c - the benchmark of epref itself: the strict, typed decode with
 * an arena on malloc, the encoder into a buffer that is made as large as the
 * input, the judgement of what was decoded up to the program level, and its
 * canonical form, the judgement included. The encoder's bytes must be the input's:
 * the inputs are PyTorch's own, or as PyTorch would write them.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "epref.h"

/* What bench_main asks for after an operation. */
static size_t last_arena_peak;

typedef struct decoded {
    ep_arena arena;
    const ep_program *program;
} decoded;

typedef struct buffer {
    char *data;
    size_t size, room;
} buffer;

static void *allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void release(void *context, void *block, size_t size)
{
    (void)context;
    (void)size;
    free(block);
}

static const ep_allocator from_malloc = {.allocate = allocate, .release = release};

static void print_error(const ep_error *error)
{
    fprintf(stderr, "bench: %s at %zu: %s %s\n", ep_code_name(error->code), error->offset,
            error->pointer, error->detail);
}

/* ---------------------------------------------------------------- decode */

static void drop_tree(void *tree)
{
    decoded *box = tree;
    ep_arena_free(&box->arena);
    free(box);
}

static void *decode(bench_text input)
{
    ep_error error;
    decoded *tree = malloc(sizeof *tree);
    if (tree == NULL) return NULL;
    ep_arena_init(&tree->arena, &from_malloc, 0);
    const ep_bytes bytes = {input.data, input.size};
    const bool ok = ep_decode(&tree->arena, bytes, NULL, &tree->program, &error);
    last_arena_peak = ep_arena_peak(&tree->arena);
    if (ok) return tree;
    print_error(&error);
    drop_tree(tree);
    return NULL;
}

/* ---------------------------------------------------------------- encode */

static bool append(void *context, const char *data, size_t size)
{
    buffer *out = context;
    if (size > out->room - out->size) {
        const size_t room = 2 * out->room + size;
        char *larger = realloc(out->data, room);
        if (larger == NULL) return false;
        out->data = larger;
        out->room = room;
    }
    memcpy(out->data + out->size, data, size);
    out->size += size;
    return true;
}

static bool encode(void *tree, size_t room, bench_output *output)
{
    ep_error error;
    ep_arena scratch;
    ep_arena_init(&scratch, &from_malloc, 0);
    /* Made here, not before: the peers pay for their buffers, too. */
    buffer out = {.data = malloc(room), .room = room};
    if (out.data == NULL) return false;
    const decoded *box = tree;
    const bool ok = ep_encode(box->program, &scratch, append, &out, &error);
    last_arena_peak = ep_arena_peak(&scratch);
    ep_arena_free(&scratch);
    if (!ok) print_error(&error);
    *output = (bench_output){.owner = out.data, .data = out.data, .size = out.size};
    return ok;
}

static void drop_output(bench_output *output)
{
    free(output->owner);
}

/* ----------------------------------------------------------------- check */

static bool check(void *tree)
{
    ep_error error;
    ep_arena scratch;
    const decoded *box = tree;
    ep_arena_init(&scratch, &from_malloc, 0);
    const bool ok = ep_check(box->program, &scratch, NULL, &error);
    last_arena_peak = ep_arena_peak(&scratch);
    ep_arena_free(&scratch);
    if (!ok) print_error(&error);
    return ok;
}

/* ----------------------------------------------------------------- canon */

static bool canon(void *tree)
{
    ep_error error;
    ep_arena scratch;
    ep_built built;
    const ep_canon_options options = {.form = EP_CANON_EPREF};
    const decoded *box = tree;
    ep_arena_init(&scratch, &from_malloc, 0);
    const bool ok = ep_canon(box->program, &scratch, &options, &built, &error);
    last_arena_peak = ep_arena_peak(&scratch);
    ep_arena_free(&scratch);
    if (!ok) print_error(&error);
    return ok;
}

static size_t arena_peak(void)
{
    return last_arena_peak;
}

int main(int argc, char **argv)
{
    const bench_peer peer = {.name = "epref",
                             .version = ep_library_version(),
                             .decode = decode,
                             .drop_tree = drop_tree,
                             .encode = encode,
                             .drop_output = drop_output,
                             .check = check,
                             .canon = canon,
                             .arena_peak = arena_peak,
                             .same_bytes = true};
    return bench_main(argc, argv, &peer);
}
