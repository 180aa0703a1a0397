/*
 * test_small.c - small functions, asked what no program makes them say: who is
 * told of many warnings, what an identifier is, a maker asked for what its version
 * has not, a value that is none, names and expressions that are compared, a writer
 * whose sink has failed.
 */
#include "base/error.h"
#include "check.h"
#include "diff/diff.h"
#include "rules/judge.h"
#include "support.h"
#include "tree/maker.h"
#include "json/writer.h"

/* -------------------------------------------------------------------- warnings */

static void count(void *context, const ep_error *error) {
    size_t *told = context;
    CHECK_EQ_INT(error->code, EP_NAMESPACE);
    ++*told;
}

/* One of a document so small is told of; not when as much has been walked as would
 * be in a hundred of a document that is large. */
static void test_tell(void) {
    static const size_t walked[] = {0, 1 << 20, 8 << 20, 16 << 20};
    for (size_t i = 0; i < sizeof walked / sizeof walked[0]; i++) {
        size_t told = 0;
        ep_listener listener = {.warn = count, .context = &told, .walked = walked[i]};
        ep_fault fault = {.code = EP_NAMESPACE, .offset = 1};
        ep_tell(&listener, EP_TEXT("[1]"), &fault);
        CHECK_EQ_INT(told, i < 3);
        CHECK_EQ_INT(listener.walked, walked[i] + told);
    }
}

/* ----------------------------------------------------------------- identifiers */

static void test_identifiers(void) {
    static const char *const good[] = {"a", "z9", "A_", "_Z", "zZ0"};
    static const char *const bad[] = {"", "9", "a-", "{", "@", "`a", "a[", "a{", "^", "a~"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        CHECK_NOTE(ep_is_identifier(ep_text_of(good[i])), good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_NOTE(!ep_is_identifier(ep_text_of(bad[i])), bad[i]);
    }
}

/* ---------------------------------------------------------------------- makers */

typedef enum wanted { A_STRUCT, A_UNION, AN_ENUM, AN_ENUMERATOR, WANTED } wanted;

static bool ask(ep_maker *maker, wanted what) {
    uint64_t bits;
    switch (what) {
    case A_STRUCT:
        return ep_maker_struct(maker, EP_SHAPE_InputToTensorConstantSpec) != NULL;
    case A_UNION:
        return ep_maker_union(maker, EP_SHAPE_InputSpec, EP_F_InputSpec_tensor_constant, 0) != NULL;
    case AN_ENUM:
        return ep_maker_enum(maker, EP_SHAPE_ArgumentKind, EP_TEXT("POSITIONAL"), &bits);
    case AN_ENUMERATOR:
        return ep_maker_enum(maker, EP_SHAPE_ScalarType, EP_TEXT("UINT16"), &bits);
    case WANTED:
        break;
    }
    return false;
}

static void test_makers(void) {
    for (int i = 0; i < WANTED; i++) {
        for (int latest = 0; latest < 2; latest++) {
            const ep_version *version = ep_version_find(latest ? "latest" : "1-2023-08");
            test_heap heap = {0};
            ep_arena arena;
            ep_maker maker;
            test_arena(&arena, &heap, 0);
            const ep_schema *schema = ep_schema_make(&arena, version);
            if (CHECK(schema != NULL && ep_maker_open(&maker, &arena, schema))) {
                CHECK_EQ_INT(ask(&maker, (wanted)i), latest);
                CHECK_EQ_INT(maker.code, latest ? EP_OK : EP_ARGUMENT);
                ep_maker_free(&maker);
            }
            ep_arena_free(&arena);
            CHECK_EQ_INT(heap.bytes, 0);
        }
    }
}

/* ---------------------------------------------------------------------- values */

/* A string that is absent reads as one without a place. */
static void test_absent_text(void) {
    test_text text = {0};
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    const ep_program *program;
    test_program_with(&text, "6.1", NULL, NULL);
    test_add(&text, "", 1);
    char *dialect = strstr(text.data, ", \"dialect\": ");
    if (CHECK(dialect != NULL)) {
        char *end = dialect + strcspn(dialect + 1, ",}") + 1;
        memmove(dialect, end, strlen(end) + 1);
        text.size = strlen(text.data);
        test_arena(&arena, &heap, 0);
        if (CHECK_NOTE(ep_decode(&arena, test_text_exact(&text), NULL, &program, &error),
                       error.pointer)) {
            ep_value value = ep_value_field(ep_program_root(program), "dialect");
            CHECK_EQ_INT(ep_value_kind(value), EP_KIND_STR);
            CHECK_EQ_INT(ep_value_offset(value), 0);
            CHECK(ep_value_type(value) == NULL);
        }
        ep_arena_free(&arena);
    }
    test_text_free(&text);
}

static void test_no_value(void) {
    ep_value none = {NULL, NULL, 0};
    CHECK_EQ_INT(ep_value_kind(none), EP_KIND_NULL);
    CHECK(ep_value_type(none) == NULL);
    CHECK(ep_version_find("") == NULL);
    CHECK_EQ_INT(ep_value_count(none), 0);
    CHECK_EQ_INT(ep_value_offset(none), 0);
}

/* ------------------------------------------------------------ what is compared */

/* What an expression is may want memory for its escapes. */
static void test_escaped_symbols(void) {
    const ep_bytes text = EP_TEXT("Integer(\\u0031)");
    for (size_t n = 0; n <= 2; n++) {
        test_heap heap = {.fail_at = n, .fail_on = true};
        ep_arena arena;
        ep_differ d = {.arena = &arena};
        ep_ref ref = ep_ref_make(0, text.size, EP_REF_ESCAPED);
        bool same = false;
        test_arena(&arena, &heap, 0);
        heap.apart = &arena;
        d.half[0].input = d.half[1].input = text;
        CHECK_EQ_INT(ep_diff_same_expression(&d, (const ep_ref[]){ref, ref}, &same), n == 0);
        CHECK_EQ_INT(same, n == 0);
        ep_arena_free(&arena);
    }
}

/* Only a v with some digits has a number. */
static void test_numbers(void) {
    static const struct {
        const char *name;
        uint32_t number;
    } rows[] = {{"v0", 0},           {"v999999999", 999999999}, {"v1000000000", EP_DIFF_NONE},
                {"v", EP_DIFF_NONE}, {"w1", EP_DIFF_NONE},      {"v1x", EP_DIFF_NONE}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ep_ref name = ep_ref_make(0, strlen(rows[i].name), 0);
        CHECK_EQ_INT(ep_diff_number(ep_text_of(rows[i].name), name), rows[i].number);
    }
}

/* --------------------------------------------------------------------- writers */

typedef struct taker {
    size_t calls;
    bool takes;
} taker;

static bool take(void *context, const char *data, size_t size) {
    taker *t = context;
    (void)data;
    CHECK(size > 0);
    t->calls++;
    return t->takes;
}

/* Nothing is handed over when there is nothing, or after a failure. */
static void test_writer(void) {
    char buffer[EP_WRITER_CHUNK + EP_WRITER_SLACK];
    taker t = {.takes = true};
    ep_writer writer = {.buffer = buffer, .sink = take, .context = &t};
    ep_writer_flush(&writer);
    CHECK_EQ_INT(t.calls, 0);
    EP_PUT(&writer, "a");
    ep_writer_flush(&writer);
    CHECK(t.calls == 1 && !writer.failed);
    t.takes = false;
    EP_PUT(&writer, "b");
    ep_writer_flush(&writer);
    CHECK(t.calls == 2 && writer.failed);
    EP_PUT(&writer, "c");
    ep_writer_flush(&writer);
    CHECK(t.calls == 2 && writer.failed && writer.size == 0);
}

int main(void) {
    test_tell();
    test_identifiers();
    test_makers();
    test_absent_text();
    test_no_value();
    test_escaped_symbols();
    test_numbers();
    test_writer();
    return check_report();
}
