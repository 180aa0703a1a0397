/*
 * test_walk.c - a custom object that a node takes: a value of the graph in one program,
 * and in the other, too, or the name of a constant beside it (SPEC 5.1.2).
 */
#include "check.h"
#include "whole.h"

#define OBJECT(name) "{\"name\": \"" name "\", \"class_fqn\": \"my.Class\"}"
#define ARGUMENT(name) "{\"as_custom_obj\": " OBJECT(name) "}"

typedef struct source {
    test_heap heap;
    ep_arena arena;
    test_text text;
    const ep_program *program;
} source;

/* A program that is given an object o, and takes one of a name. */
static bool open_source(source *s, const char *argument) {
    test_text nodes = {0};
    ep_error error;
    *s = (source){.heap = {0}};
    test_add_str(&nodes, "[{\"target\": \"torch.ops.my.f.default\", \"inputs\": [{\"name\": "
                         "\"x\", \"arg\": ");
    test_add_str(&nodes, argument);
    test_add_str(&nodes, "}], \"outputs\": [], \"metadata\": {}}]");
    test_add(&nodes, "", 1);
    const test_hole holes[] = {
        {"Graph.inputs", "[" ARGUMENT("o") "]"},
        {"Graph.nodes", nodes.data},
        {"Graph.custom_obj_values", "{\"o\": " OBJECT("o") "}"},
        {"GraphSignature.input_specs", "[{\"user_input\": {\"arg\": " ARGUMENT("o") "}}]"},
        {NULL, NULL}};
    test_whole(&s->text, "8.20", 1, 0, holes);
    test_text_free(&nodes);
    test_arena(&s->arena, &s->heap, 0);
    return CHECK_NOTE(ep_decode(&s->arena, test_text_exact(&s->text), NULL, &s->program, &error),
                      error.pointer);
}

static void close_source(source *s) {
    ep_arena_free(&s->arena);
    CHECK_EQ_INT(s->heap.bytes, 0);
    test_text_free(&s->text);
}

static void check_pair(const char *one, const char *other, size_t differences) {
    source sources[2];
    ep_diff_options options = ep_diff_options_default();
    ep_diff_result result;
    ep_error error;
    if (open_source(&sources[0], one) && open_source(&sources[1], other)) {
        const ep_program *programs[2] = {sources[0].program, sources[1].program};
        if (!CHECK(ep_diff(programs, &sources[0].arena, &options, &result, &error)) ||
            !CHECK_EQ_INT(result.count, differences)) {
            fprintf(stderr, "    %s, %s: %s at %s\n", one, other, ep_code_name(error.code),
                    error.pointer);
        }
    }
    close_source(&sources[0]);
    close_source(&sources[1]);
}

int main(void) {
    check_pair(ARGUMENT("o"), ARGUMENT("o"), 0);
    check_pair(ARGUMENT("c"), ARGUMENT("c"), 0);
    check_pair(ARGUMENT("c"), ARGUMENT("d"), 1);
    check_pair(ARGUMENT("o"), ARGUMENT("c"), 1);
    check_pair(ARGUMENT("c"), ARGUMENT("o"), 1);
    return check_report();
}
