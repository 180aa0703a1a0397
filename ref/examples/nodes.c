/*
 * nodes.c - reads a program from standard input, and lists the nodes of its graph in the
 * order of execution: the operator, each argument by its name, the module that it is of.
 *
 *     cc nodes.c $(pkg-config --cflags --libs epref) -o nodes
 *     ./nodes <program.json
 */
#include <epref.h>

#include <inttypes.h>
#include <stdio.h>

static void put(ep_bytes text) {
    printf("%.*s", (int)text.size, text.data);
}

static void print_argument(const ep_graph_argument *argument) {
    printf("  ");
    put(argument->name);
    printf("=");
    if (argument->value_name.size > 0) {
        printf("%%");
        put(argument->value_name);
    } else if (ep_value_kind(argument->value) == EP_KIND_INT) {
        printf("%" PRId64, ep_value_int(argument->value));
    } else {
        printf("(%s)", argument->tag);
    }
}

static void print_node(const ep_graph_node *node, ep_arena *arena) {
    ep_bytes module;
    put(node->target);
    for (size_t i = 0; i < node->input_count; i++) {
        print_argument(&node->inputs[i]);
    }
    if (ep_node_metadata(node, "nn_module_stack", arena, &module)) {
        printf("  of ");
        put(module);
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
    ep_graph *graph;
    ep_graph_node node;

    ep_arena_init(&arena, ep_heap(), 0);
    bool ok = ep_decode(&arena, input, NULL, &program, &error) &&
              ep_graph_open(ep_program_graph(program), &arena, &graph, &error);
    for (size_t i = 0; ok && ep_graph_node_at(graph, i, &node); i++) {
        print_node(&node, &arena);
    }
    ep_arena_free(&arena);
    return ok ? 0 : fail(&error);
}
