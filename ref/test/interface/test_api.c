/*
 * test_api.c - the public functions as their comments promise them: the arena, options,
 * forward reading, codes, versions, threads. That errors are zeroed, or whole, the sweeps ask
 * of every call (call_error_is_whole), and NULL test_nulls.
 */
#include "check.h"
#include "epref.h"
#include "samples.h"
#include "support.h"

#include <pthread.h>
#include <stdlib.h>

/* A refused decode leaves the arena as it was, with what it held before. */
static void test_arena_kept(void) {
    test_heap heap = {0};
    ep_arena arena;
    const ep_program *first;
    const ep_program *second;
    test_text out = {0};
    const char *json = test_sample_of("8.2");
    test_arena(&arena, &heap, 0);
    CHECK(ep_decode(&arena, test_bytes(json), NULL, &first, NULL));
    size_t held = heap.bytes;
    CHECK(!ep_decode(&arena, test_bytes("{\"a\": [[[1, 2"), NULL, &second, NULL));
    CHECK_EQ_INT(heap.bytes, held);
    CHECK(ep_decode(&arena, test_bytes(test_sample_of("1")), NULL, &second, NULL));
    CHECK(ep_encode(first, &arena, test_sink, &out, NULL));
    CHECK_EQ_STR(out.data, out.size, json);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    test_text_free(&out);
}

/* ------------------------------------------------------------ memory, output */

typedef struct refusing_sink {
    size_t left;  /* bytes that are taken */
    size_t calls; /* after the refusal */
    bool refused;
} refusing_sink;

static bool refuse(void *context, const char *data, size_t size) {
    refusing_sink *sink = context;
    (void)data;
    sink->calls += sink->refused;
    sink->refused = sink->refused || size > sink->left;
    sink->left -= sink->refused ? 0 : size;
    return !sink->refused;
}

static void test_output(void) {
    test_heap heap = {0};
    ep_arena arena;
    const ep_program *program;
    test_text hole = {0};
    test_text text = {0};
    test_add_str(&hole, "[\"");
    test_add_repeat(&hole, "0123456789", 20000);
    test_add_str(&hole, "\"");
    test_add_repeat(&hole, ", \"0123456789\"", 20000);
    test_add_str(&hole, "]");
    test_add(&hole, "", 1);
    test_program_with(&text, "8.20", "ExportedProgram.guards_code", hole.data);
    test_arena(&arena, &heap, 0);
    CHECK(ep_decode(&arena, test_text_exact(&text), NULL, &program, NULL));
    for (size_t left = 0; left < text.size; left += 10007) {
        ep_error error;
        refusing_sink sink = {.left = left};
        CHECK(!ep_encode(program, &arena, refuse, &sink, &error));
        CHECK_EQ_INT(error.code, EP_OUTPUT);
        CHECK(sink.refused);
        CHECK_EQ_INT(sink.calls, 0);
    }
    refusing_sink enough = {.left = text.size};
    CHECK(ep_encode(program, &arena, refuse, &enough, NULL));
    CHECK_EQ_INT(enough.left, 0);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    test_text_free(&hole);
    test_text_free(&text);
}

/* ----------------------------------------------------------------- versions */

static void test_find(void) {
    static const struct {
        const char *asked;
        const char *name;
    } rows[] = {{"1", "1"},
                {"2.1", "2.1"},
                {"8.20", "8.20"},
                {"latest", "8.20"},
                {"torch-2.4", "5.3"},
                {"torch-2.4.1", "5.3"},
                {"torch-2.1", "1"},
                {"torch-2.10", "8.15"},
                {"torch-2.15.0", "8.20"},
                {"5.3-2024-03", "5.3-2024-03"}};
    static const char *const none[] = {"",           "8",        "8.21",        "torch-",
                                       "torch-3",    "torch-2.", "torch-2.4.9", "8.2 ",
                                       "torch-2.1 ", "LATEST",   "torch",       "8.4"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const ep_version *found = ep_version_find(rows[i].asked);
        if (CHECK_NOTE(found != NULL, rows[i].asked)) {
            CHECK_EQ_STR(found->name, strlen(found->name), rows[i].name);
        }
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        CHECK_NOTE(ep_version_find(none[i]) == NULL, none[i]);
    }
    CHECK(ep_version_at(1000) == NULL);
}

static void test_releases(void) {
    static const struct {
        const char *release, *target;
        bool has;
    } rows[] = {{"2.1", "torch.ops.aten.add.Tensor", true},
                {"2.1.2", "torch.ops.aten.add.Tensor", true},
                {"2.1.3", "torch.ops.aten.none.default", true}, /* no such release */
                {"2.15", "torch.ops.aten.none.default", false},
                {"2.1", "torch.ops.aten.rms_norm.default", false},
                {"2.4", "torch.ops.aten.rms_norm.default", true},
                {"2.1", "torch.ops.mine.add.default", true},
                {"2.1", "torch.ops.higher_order.none", true},
                {"2.1", "_operator.add", true},
                {"2.1", "torch.ops.aten", false},
                {"", "torch.ops.aten.none.default", true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ep_bytes target = {rows[i].target, strlen(rows[i].target)};
        CHECK_NOTE(ep_release_has(rows[i].release, target) == rows[i].has, rows[i].target);
    }
}

/* ------------------------------------------------------------------ forward */

typedef struct warnings {
    size_t n;
    ep_error last[8];
} warnings;

static void note(void *context, const ep_error *error) {
    warnings *w = context;
    if (w->n < 8) {
        w->last[w->n] = *error;
    }
    w->n++;
}

/* An 8.20 program that says it is 8.29; a "#" stands for a member of 8.29. */
static void make_newer(test_text *text, const char *field, const char *hole) {
    test_program_with(text, "8.20", field, hole);
    test_add(text, "", 1);
    char *minor = strstr(text->data, "\"minor\": 20");
    if (CHECK(minor != NULL)) {
        memcpy(minor, "\"minor\": 29", 11);
    }
}

/* Warnings come in document order, the first hundred. */
static void test_many_warnings(void) {
    test_heap heap = {0};
    ep_arena arena;
    const ep_program *program;
    warnings w = {0};
    test_text hole = {0};
    test_text text = {0};
    ep_decode_options options = ep_decode_options_default();
    options.forward = true;
    options.warn = note;
    options.warn_context = &w;
    test_add_str(&hole, "[");
    test_add_repeat(&hole, "{\"as_new\": 1}, ", 150);
    test_add_str(&hole, "{\"as_new\": 1}]");
    test_add(&hole, "", 1);
    make_newer(&text, "Graph.inputs", hole.data);
    test_arena(&arena, &heap, 0);
    CHECK(ep_decode(&arena, test_bytes(text.data), &options, &program, NULL));
    CHECK_EQ_INT(w.n, 100);
    for (size_t i = 0; i < 8; i++) {
        char pointer[64];
        snprintf(pointer, sizeof pointer, "/graph_module/graph/inputs/%zu/as_new", i);
        CHECK_EQ_STR(w.last[i].pointer, strlen(w.last[i].pointer), pointer);
    }
    ep_arena_free(&arena);
    test_text_free(&hole);
    test_text_free(&text);
}

/* ------------------------------------------------------------- limits, codes */

/* Limits beyond what the tree can hold are taken as that. */
static void test_clamped(void) {
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    ep_decode_options options = ep_decode_options_default();
    options.limits = (ep_limits){SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    test_text text = {0};
    test_add_repeat(&text, "[", 70000);
    test_arena(&arena, &heap, 0);
    CHECK(!ep_check_wire(&arena, test_text_exact(&text), &options, &error));
    CHECK_EQ_INT(error.code, EP_LIMIT_DEPTH);
    CHECK_EQ_INT(error.offset, 65535);
    const ep_program *program;
    CHECK(ep_decode(&arena, test_bytes(test_sample_of("8.20")), &options, &program, &error));
    ep_arena_free(&arena);
    test_text_free(&text);
    ep_limits usual = ep_limits_default();
    CHECK(usual.bytes == 1u << 30 && usual.depth == 1000 && usual.values == 500000000u &&
          usual.string == 256u << 20);
    CHECK(ep_decode_options_default().version == NULL && !ep_decode_options_default().forward);
}

static void test_codes(void) {
    size_t n = 0;
    ep_code last = EP_OK;
    for (; ep_code_at(n) != EP_OK; n++) {
        ep_code code = ep_code_at(n);
        CHECK(code > last);
        last = code;
        const char *name = ep_code_name(code);
        const char *clause = ep_code_clause(code);
        const char *message = ep_code_message(code);
        if (!CHECK(name != NULL && clause != NULL && message != NULL)) {
            continue;
        }
        CHECK_NOTE(strncmp(name, "EP_", 3) == 0 && message[0] != '\0', name);
        CHECK_NOTE(strspn(clause, "0123456789.") == strlen(clause) && clause[0] != '\0', name);
        static const ep_level levels[] = {
            EP_LEVEL_NONE,    EP_LEVEL_WIRE, EP_LEVEL_SCHEMA, EP_LEVEL_STRINGS, EP_LEVEL_PROGRAM,
            EP_LEVEL_ARCHIVE, EP_LEVEL_NONE, EP_LEVEL_NONE,   EP_LEVEL_NONE,    EP_LEVEL_NONE};
        CHECK_EQ_INT(ep_code_level(code), levels[code / 100 % 10]);
        for (size_t i = 0; i < n; i++) {
            CHECK_NOTE(strcmp(ep_code_name(ep_code_at(i)), name) != 0, name);
        }
    }
    CHECK_EQ_INT(n, 155);
    CHECK_EQ_INT(last, EP_INTERNAL);
    CHECK(ep_code_at(n) == EP_OK && ep_code_at(SIZE_MAX) == EP_OK);
    static const ep_code strangers[] = {EP_OK, (ep_code)1, (ep_code)100, (ep_code)999};
    for (size_t i = 0; i < 4; i++) {
        ep_code code = strangers[i];
        CHECK(ep_code_name(code) == NULL && ep_code_clause(code) == NULL);
        CHECK(ep_code_message(code) == NULL && ep_code_level(code) == EP_LEVEL_NONE);
    }
}

/* The version of the header is that of the library. */
static void test_version(void) {
    const char *version = ep_library_version();
    char made[32];
    CHECK_EQ_STR(version, strlen(version), EPREF_VERSION_STRING);
    snprintf(made, sizeof made, "%d.%d.%d", EPREF_VERSION_MAJOR, EPREF_VERSION_MINOR,
             EPREF_VERSION_PATCH);
    CHECK_EQ_STR(version, strlen(version), made);
    CHECK_EQ_INT(EPREF_VERSION_NUMBER % 100, EPREF_VERSION_PATCH);
}

/* Memory of the heap, up to the cap. */
static void test_default_allocator(void) {
    const size_t caps[] = {0, 100};
    for (size_t i = 0; i < 2; i++) {
        ep_arena arena;
        ep_error error;
        const ep_program *program;
        ep_arena_init(&arena, ep_heap(), caps[i]);
        bool ok = ep_decode(&arena, test_bytes(test_sample_of("8.20")), NULL, &program, &error);
        CHECK_EQ_INT(ok ? EP_OK : error.code, caps[i] == 0 ? EP_OK : EP_MEMORY);
        ep_arena_free(&arena);
    }
}

/* ------------------------------------------------------------------- threads */

typedef struct worker {
    const ep_program *shared;
    size_t wrong;
} worker;

/* Decodes on its own, and reads and encodes a program that all share. */
static void *work(void *context) {
    worker *w = context;
    for (int round = 0; round < 100; round++) {
        for (size_t i = 0; i < TEST_SAMPLES; i++) {
            test_heap heap = {0};
            ep_arena arena;
            const ep_program *program;
            test_text out = {0};
            test_text shared = {0};
            test_arena(&arena, &heap, 0);
            bool ok = ep_decode(&arena, test_bytes(test_samples[i].json), NULL, &program, NULL) &&
                      ep_encode(program, &arena, test_sink, &out, NULL) &&
                      ep_encode(w->shared, &arena, test_sink, &shared, NULL);
            ok = ok && out.size == strlen(test_samples[i].json) &&
                 memcmp(out.data, test_samples[i].json, out.size) == 0;
            w->wrong += !ok || shared.size != strlen(test_sample_of("8.20"));
            ep_arena_free(&arena);
            test_text_free(&out);
            test_text_free(&shared);
        }
    }
    return NULL;
}

static void test_threads(void) {
#if defined(EPREF_COVERAGE)
    enum { THREADS = 1 }; /* gcov's counts are not atomic: several threads lose some */
#else
    enum { THREADS = 4 };
#endif
    test_heap heap = {0};
    ep_arena arena;
    const ep_program *program;
    pthread_t threads[THREADS];
    worker workers[THREADS];
    test_arena(&arena, &heap, 0);
    CHECK(ep_decode(&arena, test_bytes(test_sample_of("8.20")), NULL, &program, NULL));
    for (size_t i = 0; i < THREADS; i++) {
        workers[i] = (worker){program, 0};
        CHECK_EQ_INT(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        CHECK_EQ_INT(pthread_join(threads[i], NULL), 0);
        CHECK_EQ_INT(workers[i].wrong, 0);
    }
    ep_arena_free(&arena);
}

int main(void) {
    test_arena_kept();
    test_output();
    test_find();
    test_many_warnings();
    test_clamped();
    test_codes();
    test_version();
    test_releases();
    test_default_allocator();
    test_threads();
    return check_report();
}
