/*
 * test_nodes.c - higher-order operators that another version cannot call
 * (SPEC 7.4.4, 7.4.7): conformance vectors with a change each, and what becomes of
 * them. usage:
 *
 *     test_migrate_nodes VECTORS
 */
#include "check.h"
#include "epref.h"
#include "support.h"

#include <stdlib.h>

typedef struct row {
    const char *file;
    const char *to;
    const char *old; /* what is changed, NULL: nothing */
    const char *new;
    ep_code code;
} row;

#define NAMED(arg) "{\"name\": \"\", \"arg\": " arg "}"
#define TYPED(tag, value) "{\"$type\": \"" tag "\", \"$value\": " value "}"
#define TENSOR(name) TYPED("as_tensor", "{\"name\": \"" name "\"}")
#define NO_INTS NAMED("{\"as_ints\": []}")
#define EMPTY_GRAPH                                                                                \
    "{\"name\": \"e\", \"graph\": {\"inputs\": [], \"outputs\": [], \"nodes\": [], "               \
    "\"tensor_values\": {}, \"sym_int_values\": {}, \"sym_bool_values\": {}, "                     \
    "\"is_single_tensor_return\": false, \"custom_obj_values\": {}}}"
#define NODE(graph, outputs)                                                                       \
    "\"nodes\": [{\"target\": \"torch.ops.higher_order.map_impl\", \"inputs\": [" NAMED(           \
        graph) "], \"outputs\": [" outputs "], \"metadata\": {}}, "

static const row rows[] = {
    {"migrate/4.2-map.json", "8.20", NULL, NULL, EP_OK},
    {"migrate/4.2-map.json", "8.20", NAMED(TYPED("as_int", "1")), NAMED(TYPED("as_int", "-1")),
     EP_MIGRATE_VALUE},
    {"migrate/4.2-map.json", "8.20", NAMED(TYPED("as_int", "1")), NAMED(TYPED("as_int", "3")),
     EP_MIGRATE_VALUE},
    {"migrate/4.2-map.json", "8.20", NAMED(TENSOR("t")),
     NAMED(TENSOR("t")) ", " NAMED(TYPED("as_ints", "[]")), EP_MIGRATE_VALUE},
    {"migrate/4.2-map.json", "8.20", "\"nodes\": [", NODE(TYPED("as_graph", EMPTY_GRAPH), ""),
     EP_OK},
    {"migrate/4.2-map.json", "8.20", "\"nodes\": [",
     NODE(TYPED("as_graph", EMPTY_GRAPH), TYPED("as_tensors", "[]")), EP_OK},
    {"migrate/5.1-map.json", "4.2", NULL, NULL, EP_OK},
    {"migrate/5.1-map.json", "4.2", NAMED("{\"as_tensors\": [{\"name\": \"t\"}]}"),
     NAMED("{\"as_tensors\": [{\"name\": \"t\"}]}") ", " NO_INTS, EP_MIGRATE_VALUE},
    {"migrate/5.1-map.json", "4.2", "\"nodes\": [",
     NODE("{\"as_graph\": " EMPTY_GRAPH "}", "{\"as_tensors\": []}"), EP_OK},
    {"whole/5.1-subgraph-while.json", "8.20", NULL, NULL, EP_OK},
    {"whole/7.3-subgraph-while.json", "5.1", NULL, NULL, EP_OK},
    {"whole/7.3-subgraph-while.json", "5.1", NAMED("{\"as_tensors\": []}"), NO_INTS,
     EP_MIGRATE_VALUE},
    {"whole/7.3-subgraph-while.json", "5.1",
     ", {\"name\": \"y\"}]}}, " NAMED("{\"as_tensors\": []}"),
     "]}}, " NAMED("{\"as_tensors\": [{\"name\": \"y\"}]}"), EP_MIGRATE_VALUE},
};

static bool replace(test_text *text, const row *r) {
    char *at = strstr(text->data, r->old);
    if (!CHECK_NOTE(at != NULL, r->old)) {
        return false;
    }
    test_text made = {0};
    test_add(&made, text->data, (size_t)(at - text->data));
    test_add_str(&made, r->new);
    test_add_str(&made, at + strlen(r->old));
    test_add(&made, "", 1);
    test_text_free(text);
    *text = made;
    return true;
}

static bool read_vector(const char *folder, const char *name, test_text *text) {
    test_text path = {0};
    test_add_str(&path, folder);
    test_add_str(&path, "/");
    test_add_str(&path, name);
    test_add(&path, "", 1);
    bool ok = CHECK_NOTE(test_read_file(path.data, text), name);
    test_text_free(&path);
    test_add(text, "", ok);
    return ok;
}

static void check_row(const char *folder, const row *r) {
    test_text text = {0};
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    ep_built built;
    const ep_program *program;
    ep_migrate_options options = {.version = ep_version_find(r->to)};
    if (!read_vector(folder, r->file, &text) || (r->old != NULL && !replace(&text, r))) {
        test_text_free(&text);
        return;
    }
    text.size = strlen(text.data);
    test_arena(&arena, &heap, 0);
    bool ok = CHECK(ep_decode(&arena, test_text_exact(&text), NULL, &program, &error)) &&
              ep_migrate(program, &arena, &options, &built, &error);
    if (!CHECK_EQ_INT(ok ? EP_OK : error.code, r->code)) {
        fprintf(stderr, "    %s, %s: %s %s %s\n", r->file, r->old == NULL ? "" : r->new,
                ep_code_name(error.code), error.pointer, error.detail);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    test_text_free(&text);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: test_migrate_nodes VECTORS\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_row(argv[1], &rows[i]);
    }
    return check_report();
}
