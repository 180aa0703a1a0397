/*
 * test_same.c - which parts of a program are equal: pairs of nodes; want of memory at
 * every allocation.
 */
#include "tree/same.h"

#include "check.h"
#include "support.h"

/* Two nodes of a program. */
typedef struct pair_row {
    const char *one;
    const char *other;
    bool same;
} pair_row;

#define NODE(inputs, metadata, rest)                                                               \
    "{\"target\": \"a\", \"inputs\": [" inputs "], \"outputs\": [], \"metadata\": {" metadata      \
    "}" rest "}"
#define GIVEN(arg) "{\"name\": \"x\", \"arg\": " arg "}"
#define INTS(items) GIVEN("{\"as_ints\": [" items "]}")
#define KEYS_TO_L                                                                                  \
    "\"d\": \"\", \"e\": \"\", \"f\": \"\", \"g\": \"\", \"h\": \"\", \"i\": \"\", \"j\": \"\", "  \
    "\"k\": "                                                                                      \
    "\"\", \"l\": \"\", "
#define KEYS_ABC KEYS_TO_L "\"a\": \"1\", \"b\": \"2\", \"c\": \"3\""
#define KEYS_CAB KEYS_TO_L "\"c\": \"3\", \"\\u0061\": \"1\", \"b\": \"2\""

static const pair_row rows[] = {
    {NODE("", "", ""), NODE("", "", ""), true},
    {NODE(INTS("1, 2"), "", ""), NODE(INTS("1, 2"), "", ""), true},
    {NODE(INTS("1, 2"), "", ""), NODE(INTS("1, 3"), "", ""), false},
    {NODE(INTS("1, 2"), "", ""), NODE(INTS("1"), "", ""), false},
    {NODE(INTS("1"), "", ""), NODE("", "", ""), false},
    {NODE(GIVEN("{\"as_int\": 1}"), "", ""), NODE(GIVEN("{\"as_float\": 1.0}"), "", ""), false},
    {NODE(GIVEN("{\"as_float\": 1.0}"), "", ""), NODE(GIVEN("{\"as_float\": 1.00}"), "", ""), true},
    {NODE(GIVEN("{\"as_string\": \"ab\"}"), "", ""),
     NODE(GIVEN("{\"as_string\": \"\\u0061b\"}"), "", ""), true},
    {NODE(GIVEN("{\"as_string\": \"\\u0061b\"}"), "", ""),
     NODE(GIVEN("{\"as_string\": \"\\u0061c\"}"), "", ""), false},
    /* the entries of a dict in another order, and other keys and values */
    {NODE("", KEYS_ABC, ""), NODE("", KEYS_ABC, ""), true},
    {NODE("", KEYS_ABC, ""), NODE("", KEYS_CAB, ""), true},
    {NODE("", KEYS_CAB, ""), NODE("", KEYS_ABC, ""), true},
    {NODE("", "\"a\": \"1\", \"b\": \"2\"", ""), NODE("", "\"b\": \"1\", \"a\": \"2\"", ""), false},
    {NODE("", "\"a\": \"1\", \"b\": \"2\"", ""), NODE("", "\"a\": \"1\", \"d\": \"2\"", ""), false},
    {NODE("", "\"a\": \"1\"", ""), NODE("", "", ""), false},
    /* null, and what is not */
    {NODE("", "", ", \"name\": null"), NODE("", "", ""), true},
    {NODE("", "", ", \"name\": \"n\""), NODE("", "", ""), false},
    {NODE("", "", ""), NODE("", "", ", \"name\": \"n\""), false},
};

typedef struct opened {
    test_heap heap;
    ep_arena arena;
    test_text text;
    ep_value one;
    ep_value other;
} opened;

static bool open_row(opened *o, const pair_row *row) {
    test_text list = {0};
    const ep_program *program;
    ep_error error;
    *o = (opened){.heap = {0}};
    test_add_str(&list, "[");
    test_add_str(&list, row->one);
    test_add_str(&list, ", ");
    test_add_str(&list, row->other);
    test_add(&list, "]", 2);
    test_program_with(&o->text, "8.20", "Graph.nodes", list.data);
    test_text_free(&list);
    test_arena(&o->arena, &o->heap, 0);
    if (!CHECK_NOTE(ep_decode(&o->arena, test_text_exact(&o->text), NULL, &program, &error),
                    error.pointer)) {
        return false;
    }
    ep_value module = ep_value_field(ep_program_root(program), "graph_module");
    ep_value nodes = ep_value_field(ep_value_field(module, "graph"), "nodes");
    o->one = ep_value_item(nodes, 0);
    o->other = ep_value_item(nodes, 1);
    return CHECK_EQ_INT(ep_value_count(nodes), 2);
}

static void close_row(opened *o) {
    ep_arena_free(&o->arena);
    CHECK_EQ_INT(o->heap.bytes, 0);
    test_text_free(&o->text);
}

/* With all memory, and with each allocation refused: the comparison says that it has
 * none, or what it says with all of it. Returns whether none was refused. */
static bool compare(const opened *o, const pair_row *row, size_t fail_at, bool all) {
    ep_arena arena;
    test_heap heap = {.fail_at = fail_at, .fail_on = all, .apart = &arena};
    bool same = false;
    test_arena(&arena, &heap, 0);
    bool ok = ep_same_values(&arena, o->one, o->other, &same);
    bool refused = fail_at != 0 && heap.calls >= fail_at;
    if (!CHECK(ok || refused) || !CHECK(!ok || same == row->same)) {
        fprintf(stderr, "    %s\n    %s\n", row->one, row->other);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    return !refused;
}

static void check_row(const pair_row *row) {
    opened o;
    if (open_row(&o, row)) {
        size_t n = 1;
        compare(&o, row, 0, false);
        while (!compare(&o, row, n, false)) {
            compare(&o, row, n, true);
            n++;
        }
        CHECK(n > 1);
    }
    close_row(&o);
}

int main(void) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_row(&rows[i]);
    }
    return check_report();
}
