/*
 * test_limits.c - each limit exactly at a document's measure and one below,
 * with the same answer from the wire level and from the decoder. SPEC 1.4.
 */
#include "check.h"
#include "epref.h"
#include "samples.h"
#include "support.h"

#include <stdlib.h>

typedef struct verdict {
    bool ok;
    ep_error error;
} verdict;

static verdict judge(ep_bytes input, const ep_limits *limits, bool wire) {
    test_heap heap = {0};
    ep_arena arena;
    verdict v;
    const ep_program *program;
    ep_decode_options options = ep_decode_options_default();
    options.limits = *limits;
    test_arena(&arena, &heap, 0);
    v.ok = wire ? ep_check_wire(&arena, input, &options, &v.error)
                : ep_decode(&arena, input, &options, &program, &v.error);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    return v;
}

/* What a document measures, by a count of its own. */
typedef struct measure {
    size_t depth;
    size_t values;
    size_t string;     /* the longest, with its backslashes */
    size_t deepest_at; /* where the innermost container begins */
    size_t last_at;    /* where the last value begins */
    size_t longest_at;
} measure;

static size_t string_end(const char *json, size_t at) {
    for (at++; json[at] != '"'; at++) {
        at += json[at] == '\\';
    }
    return at;
}

static measure measure_of(const char *json) {
    measure m = {0};
    size_t depth = 0;
    bool value = true; /* what begins here is a value, not a key */
    bool object[256] = {false};
    for (size_t i = 0; json[i] != '\0'; i++) {
        char c = json[i];
        if (strchr(" :", c) != NULL) {
            value = value || c == ':';
        } else if (c == ',') {
            value = !object[depth];
        } else if (c == ']' || c == '}') {
            depth--;
        } else {
            if (value) {
                m.values++;
                m.last_at = i;
            }
            if (c == '{' || c == '[') {
                object[++depth] = c == '{';
                value = c == '[';
                m.deepest_at = depth > m.depth ? i : m.deepest_at;
                m.depth = depth > m.depth ? depth : m.depth;
            } else if (c == '"') {
                size_t end = string_end(json, i);
                m.longest_at = end - i - 1 > m.string ? i : m.longest_at;
                m.string = end - i - 1 > m.string ? end - i - 1 : m.string;
                i = end;
                value = false;
            } else {
                i += strcspn(json + i, ",]} ") - 1;
                value = false;
            }
        }
    }
    return m;
}

/* What a limit that is one too small says, and at which byte. */
typedef struct breach {
    size_t n;
    ep_code code;
    size_t offset;
} breach;

/* The limit at n is kept; at one less it is broken. */
static void check_limit(const char *json, size_t *limit, const ep_limits *limits, breach b) {
    ep_bytes input = {json, strlen(json)};
    for (int wire = 0; wire < 2; wire++) {
        *limit = b.n;
        verdict v = judge(input, limits, wire == 1);
        if (!CHECK(v.ok)) {
            fprintf(stderr, "    %s at %zu, %s\n", ep_code_name(v.error.code), v.error.offset,
                    v.error.pointer);
        }
        *limit = b.n - 1;
        v = judge(input, limits, wire == 1);
        CHECK(!v.ok);
        bool held = CHECK_EQ_INT(v.error.code, b.code) && CHECK_EQ_INT(v.error.offset, b.offset);
        if (!held) {
            fprintf(stderr, "    limit %zu, wire %d, %.60s\n", b.n - 1, wire, json);
        }
    }
}

static void check_limits(const char *json) {
    measure m = measure_of(json);
    ep_limits limits = ep_limits_default();
    check_limit(json, &limits.bytes, &limits, (breach){strlen(json), EP_LIMIT_BYTES, 0});
    limits = ep_limits_default();
    check_limit(json, &limits.depth, &limits, (breach){m.depth, EP_LIMIT_DEPTH, m.deepest_at});
    limits = ep_limits_default();
    check_limit(json, &limits.values, &limits, (breach){m.values, EP_LIMIT_VALUES, m.last_at});
    limits = ep_limits_default();
    check_limit(json, &limits.string, &limits, (breach){m.string, EP_LIMIT_STRING, m.longest_at});
}

/* Every limit from 0 up, not only the last: the wire level and the decoder
 * stop at the same byte with the same code. */
static void check_every(const char *json, size_t *limit, const ep_limits *limits, size_t n) {
    ep_bytes input = {json, strlen(json)};
    for (size_t i = 0; i <= n; i++) {
        *limit = i;
        verdict wire = judge(input, limits, true);
        verdict decode = judge(input, limits, false);
        CHECK_EQ_INT(wire.ok, decode.ok);
        bool held = CHECK_EQ_INT(decode.error.code, wire.error.code) &&
                    CHECK_EQ_INT(decode.error.offset, wire.error.offset);
        if (!held) {
            fprintf(stderr, "    limit %zu of %.60s\n", i, json);
        }
    }
}

static void test_samples_limits(void) {
    for (size_t i = 0; i < TEST_SAMPLES; i++) {
        const char *json = test_samples[i].json;
        measure m = measure_of(json);
        ep_limits limits = ep_limits_default();
        CHECK(m.values > 20 && m.depth > 5 && m.string > 10);
        check_limits(json);
        check_every(json, &limits.depth, &limits, m.depth + 1);
        limits = ep_limits_default();
        check_every(json, &limits.values, &limits, m.values + 1);
        limits = ep_limits_default();
        check_every(json, &limits.string, &limits, m.string + 1);
    }
}

/* The version is read twice, and counted once. */
static void test_version_counts_once(void) {
    static const char json[] =
        "{\"a\": 1, \"schema_version\": {\"major\": 8, \"minor\": 20, \"x\": [1, 2]}}";
    ep_limits limits = ep_limits_default();
    limits.values = measure_of(json).values;
    verdict v = judge((ep_bytes){json, sizeof json - 1}, &limits, true);
    CHECK(v.ok);
    v = judge((ep_bytes){json, sizeof json - 1}, &limits, false);
    CHECK_EQ_INT(v.error.code, EP_UNKNOWN_FIELD);
    limits.values--;
    v = judge((ep_bytes){json, sizeof json - 1}, &limits, true);
    CHECK_EQ_INT(v.error.code, EP_LIMIT_VALUES);
}

/* as_none: [] has a depth too; and nested arguments reach any depth. */
static void test_depths(void) {
    for (size_t nested = 0; nested < 40; nested++) {
        test_text hole = {0};
        test_text text = {0};
        test_add_str(&hole, "[");
        test_add_repeat(&hole, "{\"as_string_to_argument\": {\"k\": ", nested);
        test_add_str(&hole, "{\"as_none\": true}");
        test_add_repeat(&hole, "}}", nested);
        test_add_str(&hole, "]");
        test_add(&hole, "", 1);
        test_program_with(&text, "8.20", "Graph.inputs", hole.data);
        test_add(&text, "", 1);
        measure m = measure_of(text.data);
        ep_limits limits = ep_limits_default();
        check_limit(text.data, &limits.depth, &limits,
                    (breach){m.depth, EP_LIMIT_DEPTH, m.deepest_at});
        test_text_free(&hole);
        test_text_free(&text);
    }
    test_text text = {0};
    test_program_with(&text, "7.3", "Graph.inputs", "[{\"as_none\": []}]");
    test_add(&text, "", 1);
    check_limits(text.data);
    test_text_free(&text);
}

/* Values passed over in forward reading count like any others. */
static void test_forward_counts(void) {
    test_text text = {0};
    test_program_with(&text, "8.20", "GraphModule.metadata",
                      "{}, \"new\": [1, {\"a\": [[]]}, \"a longer string than all others\"]");
    test_add(&text, "", 1);
    char *minor = strstr(text.data, "\"minor\": 20");
    if (CHECK(minor != NULL)) {
        minor[10] = '9'; /* 29 */
        minor[9] = '2';
    }
    measure m = measure_of(text.data);
    ep_decode_options options = ep_decode_options_default();
    options.forward = true;
    size_t *const counts[] = {&options.limits.depth, &options.limits.values,
                              &options.limits.string};
    const size_t exact[] = {m.depth, m.values, m.string};
    static const ep_code codes[] = {EP_LIMIT_DEPTH, EP_LIMIT_VALUES, EP_LIMIT_STRING};
    for (size_t i = 0; i < 3; i++) {
        for (size_t less = 0; less < 2; less++) {
            test_heap heap = {0};
            ep_arena arena;
            ep_error error;
            const ep_program *program;
            options.limits = ep_limits_default();
            *counts[i] = exact[i] - less;
            test_arena(&arena, &heap, 0);
            ep_bytes input = {text.data, text.size - 1};
            CHECK_EQ_INT(ep_decode(&arena, input, &options, &program, &error), less == 0);
            CHECK_EQ_INT(error.code, less == 0 ? EP_OK : codes[i]);
            ep_arena_free(&arena);
        }
    }
    test_text_free(&text);
}

/* The smallest cap that decodes, and one byte less. SPEC 1.4.5 */
static void test_memory(void) {
    for (size_t i = 0; i < TEST_SAMPLES; i++) {
        ep_bytes input = {test_samples[i].json, strlen(test_samples[i].json)};
        size_t low = 1;        /* refused */
        size_t high = 1 << 20; /* enough */
        while (high - low > 1) {
            size_t cap = low + (high - low) / 2;
            test_heap heap = {0};
            ep_arena arena;
            ep_error error;
            const ep_program *program;
            test_arena(&arena, &heap, cap);
            bool ok = ep_decode(&arena, input, NULL, &program, &error);
            CHECK_EQ_INT(error.code, ok ? EP_OK : EP_MEMORY);
            CHECK(ep_arena_peak(&arena) <= cap);
            low = ok ? low : cap;
            high = ok ? cap : high;
            ep_arena_free(&arena);
            CHECK_EQ_INT(heap.bytes, 0);
        }
        printf("%s: %zu bytes of memory for %zu of input, the view of the version included\n",
               test_samples[i].version, high, input.size);
    }
}

int main(void) {
    test_samples_limits();
    test_version_counts_once();
    test_depths();
    test_forward_counts();
    test_memory();
    return check_report();
}
