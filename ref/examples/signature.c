/*
 * signature.c - reads a program from standard input, and lists its inputs: the
 * name of each in the graph, of tensors dtype and shape and, of parameters, buffers,
 * constants and custom objects, the name in the state dict. It does so for every
 * schema version, whichever way its signature is written.
 *
 *     cc signature.c $(pkg-config --cflags --libs epref) -o signature
 *     ./signature <program.json
 */
#include <epref.h>

#include <inttypes.h>
#include <stdio.h>

static void put(ep_bytes text) {
    printf("%.*s", (int)text.size, text.data);
}

static void print_size(const ep_sym_int *size) {
    if (size->expr.size > 0) {
        put(size->expr);
    } else {
        printf("%" PRId64, size->number);
    }
}

static void print_shape(const ep_tensor *tensor) {
    printf("  %s[", tensor->dtype);
    for (size_t i = 0; i < tensor->rank; i++) {
        printf("%s", i > 0 ? ", " : "");
        print_size(&tensor->sizes[i]);
    }
    printf("]");
}

static void print_input(const ep_signature_entry *entry, const ep_graph *graph) {
    static const char *const kinds[] = {"token",           "parameter",    "buffer",
                                        "buffer, unsaved", "constant",     "custom object",
                                        "user input",      "user constant"};
    ep_tensor tensor;
    size_t kind = (size_t)entry->kind; /* a later version may have more of them */
    printf("%-15s  ", kind < sizeof kinds / sizeof kinds[0] ? kinds[kind] : "input");
    put(entry->name);
    if (ep_graph_tensor(graph, entry->name, &tensor)) {
        print_shape(&tensor);
    }
    if (entry->target.size > 0) {
        printf("  is ");
        put(entry->target);
    }
    putchar('\n');
}

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
    ep_signature *signature;
    ep_signature_entry entry;
    ep_graph *graph;

    ep_arena_init(&arena, ep_heap(), 0);
    bool ok = ep_decode(&arena, input, NULL, &program, &error) &&
              ep_signature_open(program, &arena, &signature, &error) &&
              ep_graph_open(ep_program_graph(program), &arena, &graph, &error);
    for (size_t i = 0; ok && ep_signature_input(signature, i, &entry); i++) {
        print_input(&entry, graph);
    }
    ep_arena_free(&arena);
    return ok ? 0 : fail(&error);
}
