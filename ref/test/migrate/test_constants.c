/*
 * test_constants.c - the tensors that version 1 keeps in the program
 * itself (SPEC 7.6.6): refused, or made inputs by who knows of what type they
 * are; want of memory at every allocation.
 *
 *     test_migrate_constants GOLDEN
 */
#include "check.h"
#include "support.h"

#include <stdlib.h>

/* Says of every constant that it is a tensor of halves, of sizes 2 and 3. */
typedef struct teller {
    size_t asked;
    bool refuses;
    bool no_sizes;
    bool no_strides;
    const char *dtype;
    char first[32]; /* the name of the first */
    bool is_base64; /* the text begins as that of a zip archive does */
} teller;

static const ep_dim sizes[] = {{2, NULL}, {3, NULL}};
static const ep_dim strides[] = {{3, NULL}, {1, NULL}};

static bool tell(void *context, ep_bytes name, ep_bytes base64, ep_tensor_info *info) {
    teller *t = context;
    if (t->asked++ == 0 && name.size < sizeof t->first) {
        memcpy(t->first, name.data, name.size);
    }
    t->is_base64 = base64.size > 4 && memcmp(base64.data, "UEsD", 4) == 0;
    *info = (ep_tensor_info){.dtype = t->dtype, .rank = 2};
    info->sizes = t->no_sizes ? NULL : sizes;
    info->strides = t->no_strides ? NULL : strides;
    info->storage_offset.number = 5;
    return !t->refuses;
}

static void find_golden(const char *folder, test_text *text) {
    char path[4096];
    snprintf(path, sizeof path, "%s/2.1.2/tensor_constant/program.json", folder);
    if (!test_read_file(path, text)) {
        exit(EXIT_FAILURE);
    }
}

/* One migration, with memory of its own. */
typedef struct bench {
    test_heap heap;
    ep_arena arena;
    const ep_program *program;
    ep_built built;
    ep_error error;
} bench;

static bool run(bench *b, ep_bytes input, const char *to, teller *t) {
    ep_migrate_options options = {.version = ep_version_find(to)};
    options.constant = t == NULL ? NULL : tell;
    options.constant_context = t;
    test_arena(&b->arena, &b->heap, 0);
    return ep_decode(&b->arena, input, NULL, &b->program, &b->error) &&
           ep_migrate(b->program, &b->arena, &options, &b->built, &b->error);
}

static void close_bench(bench *b) {
    ep_arena_free(&b->arena);
    CHECK_EQ_INT(b->heap.bytes, 0);
}

static void test_refused(ep_bytes input) {
    static const struct {
        const char *version;
        teller teller;
        bool asks;
    } rows[] = {
        {"8.20", {.dtype = "HALF"}, false},
        {"8.20", {.dtype = "HALF", .refuses = true}, true},
        {"8.20", {.dtype = "NIBBLE"}, true},
        {"8.20", {.dtype = ""}, true},
        {"8.20", {.dtype = NULL}, true},
        {"8.20", {.dtype = "HALF", .no_sizes = true}, true},
        {"8.20", {.dtype = "HALF", .no_strides = true}, true},
        {"1-2023-08", {.dtype = "HALF"}, true}, /* which has no such inputs */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bench b = {.heap = {0}};
        teller t = rows[i].teller;
        CHECK(!run(&b, input, rows[i].version, rows[i].asks ? &t : NULL));
        CHECK_EQ_INT(b.error.code, EP_MIGRATE_CONSTANT);
        CHECK_EQ_STR(b.error.pointer, strlen(b.error.pointer), "/graph_module/graph");
        CHECK(b.built.program == NULL && b.built.text.data == NULL);
        close_bench(&b);
    }
}

static void test_lifted(ep_bytes input) {
    static const char *const versions[] = {"2", "3.1", "5.1", "7.3", "8.20"};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        bench b = {.heap = {0}};
        teller t = {.dtype = "HALF"};
        if (CHECK_NOTE(run(&b, input, versions[i], &t), versions[i])) {
            CHECK_EQ_INT(t.asked, 1);
            CHECK_EQ_STR(t.first, strlen(t.first), "_tensor_constant0");
            CHECK(t.is_base64);
            CHECK(ep_check(b.built.program, &b.arena, NULL, &b.error));
        }
        close_bench(&b);
    }
}

/* Behind the buffers, before what the user gives; and of the type that it is. */
static void test_place(ep_bytes input) {
    bench b = {.heap = {0}};
    teller t = {.dtype = "HALF"};
    if (CHECK(run(&b, input, "8.20", &t))) {
        CHECK(test_holds(b.built.text,
                         "{\"tensor_constant\": {\"arg\": {\"name\": \"_tensor_constant0\"}, "
                         "\"tensor_constant_name\": \"_tensor_constant0\"}}, "
                         "{\"user_input\": "));
        CHECK(test_holds(b.built.text, "{\"as_tensor\": {\"name\": \"arg2_1\"}}, {\"as_tensor\": "
                                       "{\"name\": \"_tensor_constant0\"}}, {\"as_tensor\": "
                                       "{\"name\": \"arg3_1\"}}]"));
        CHECK(test_holds(
            b.built.text,
            "\"_tensor_constant0\": {\"dtype\": 6, \"sizes\": [{\"as_int\": 2}, "
            "{\"as_int\": 3}], \"requires_grad\": false, \"device\": {\"type\": \"cpu\", "
            "\"index\": null}, \"strides\": [{\"as_int\": 3}, {\"as_int\": 1}], "
            "\"storage_offset\": {\"as_int\": 5}, \"layout\": 7}"));
    }
    close_bench(&b);
}

/* Its own version keeps it where it is. */
static void test_kept(ep_bytes input) {
    bench b = {.heap = {0}};
    teller t = {.dtype = "HALF"};
    if (CHECK(run(&b, input, "1", &t))) {
        CHECK_EQ_BYTES(b.built.text.data, b.built.text.size, input.data, input.size);
        CHECK_EQ_INT(t.asked, 0);
    }
    close_bench(&b);
}

static void test_memory(ep_bytes input) {
    bool done = false;
    for (size_t n = 1; !done && n < 100000; n++) {
        bench b = {.heap = {.fail_at = n}};
        teller t = {.dtype = "HALF"};
        done = run(&b, input, "8.20", &t) && b.heap.calls < n;
        if (!done && b.heap.calls >= n) {
            CHECK(b.error.code == EP_MEMORY || b.built.program != NULL);
        }
        close_bench(&b);
    }
    CHECK(done);
}

int main(int argc, char **argv) {
    test_text text = {NULL, 0, 0};
    test_use_locale();
    if (argc != 2) {
        fputs("usage: test_migrate_constants GOLDEN\n", stderr);
        return EXIT_FAILURE;
    }
    find_golden(argv[1], &text);
    ep_bytes input = test_text_exact(&text);
    test_refused(input);
    test_lifted(input);
    test_place(input);
    test_kept(input);
    test_memory(input);
    test_text_free(&text);
    return check_report();
}
