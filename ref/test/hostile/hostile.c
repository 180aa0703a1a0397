/*
 * hostile.c - inputs made to hurt: deep, long, dense. Each
 * is generated here, gets the one right answer, and takes at most so many
 * bytes of memory for each of its own. That the work is linear too, CTest's
 * time limit guards.
 */
#include "check.h"
#include "epref.h"
#include "support.h"

#include <stdlib.h>

enum { MILLION = 1000 * 1000, MEBI = 1 << 20, PER_BYTE = 16, DENSEST = 20, BASE = 64 * 1024 };

static size_t most_per_byte = PER_BYTE;
static size_t worst_tenths; /* memory for each byte of input, in tenths */
static const char *worst;

static void check_peak(const char *about, const ep_arena *arena, size_t size) {
    size_t peak = ep_arena_peak(arena);
    if (!CHECK(peak <= most_per_byte * size + BASE)) {
        fprintf(stderr, "    %s: %zu bytes of memory for %zu\n", about, peak, size);
    }
    size_t tenths = size > MEBI ? peak * 10 / size : 0;
    if (tenths > worst_tenths) {
        worst_tenths = tenths;
        worst = about;
    }
}

typedef struct hostile {
    const char *about;
    test_text text; /* owned by the one who expects */
    ep_decode_options options;
    ep_code wire;
    ep_code code;
    size_t offset; /* of the error */
} hostile;

static void expect_wire(const hostile *h, ep_bytes input) {
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    test_arena(&arena, &heap, 0);
    ep_check_wire(&arena, input, &h->options, &error);
    if (!CHECK_EQ_INT(error.code, h->wire)) {
        fprintf(stderr, "    %s, on the wire, at %zu\n", h->about, error.offset);
    }
    CHECK(h->wire == EP_OK || error.offset == h->offset);
    check_peak(h->about, &arena, input.size);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
}

/* The verdict of the decoder, and what was decoded encodes to the same bytes
 * when it was spelled as PyTorch would. */
static void expect_decode(const hostile *h, ep_bytes input, bool exact) {
    test_heap heap = {0};
    ep_arena arena;
    ep_arena scratch;
    ep_error error;
    const ep_program *program;
    test_arena(&arena, &heap, 0);
    test_arena(&scratch, &heap, 0);
    bool ok = ep_decode(&arena, input, &h->options, &program, &error);
    if (!CHECK_EQ_INT(error.code, h->code)) {
        fprintf(stderr, "    %s, at %zu, %s\n", h->about, error.offset, error.pointer);
    }
    if (!ok && !CHECK_EQ_INT(error.offset, h->offset)) {
        fprintf(stderr, "    %s\n", h->about);
    }
    check_peak(h->about, &arena, input.size);
    if (ok && exact) {
        test_text out = {0};
        CHECK(ep_encode(program, &scratch, test_sink, &out, NULL));
        CHECK(out.size == input.size && memcmp(out.data, input.data, input.size) == 0);
        test_text_free(&out);
    }
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
}

static void expect(hostile *h, bool exact) {
    ep_bytes input = test_text_exact(&h->text);
    expect_wire(h, input);
    expect_decode(h, input, exact);
    printf("%-48s %9zu bytes: %s\n", h->about, input.size,
           h->code == EP_OK ? "accepted" : ep_code_name(h->code));
    test_text_free(&h->text);
}

static hostile made(const char *about, ep_code wire, ep_code code) {
    return (hostile){
        .about = about, .options = ep_decode_options_default(), .wire = wire, .code = code};
}

/* A program with a field's text, which is freed. An @ marks the error. */
static void expect_field(hostile *h, const char *version, const char *field, test_text *hole,
                         bool exact) {
    test_add(hole, "", 1);
    test_program_with(&h->text, version, field, hole->data);
    test_text_free(hole);
    if (h->code != EP_OK) {
        h->offset = test_take_mark(&h->text);
    }
    expect(h, exact);
}

/* -------------------------------------------------------------------- depth */

static void test_deep(void) {
    static const struct {
        const char *about;
        const char *open;
    } rows[] = {{"ten megabytes of [", "["},
                {"ten megabytes of {\"a\":", "{\"a\":"},
                {"both in turn", "[{\"\":"}};
    for (size_t i = 0; i < 3; i++) {
        size_t size = strlen(rows[i].open);
        hostile h = made(rows[i].about, EP_LIMIT_DEPTH, EP_LIMIT_DEPTH);
        test_add_repeat(&h.text, rows[i].open, 10 * MEBI / size);
        h.offset = i < 2 ? 1000 * size : 500 * size;
        expect(&h, false);
        h = made(rows[i].about, EP_LIMIT_DEPTH, EP_LIMIT_DEPTH);
        h.options.limits.depth = SIZE_MAX;
        test_add_repeat(&h.text, rows[i].open, 10 * MEBI / size);
        h.offset = i < 2 ? 65535 * size : 32767 * size + 1;
        expect(&h, false);
    }
}

/* ------------------------------------------------------------------ numbers */

static void expect_number(const char *about, const char *tag, const char *parts[3], ep_code code) {
    hostile h = made(about, EP_OK, code);
    test_text hole = {0};
    test_add_str(&hole, "[{\"");
    test_add_str(&hole, tag);
    test_add_str(&hole, code == EP_OK ? "\": " : "\": @");
    test_add_str(&hole, parts[0]);
    test_add_repeat(&hole, parts[1], MILLION);
    test_add_str(&hole, parts[2]);
    test_add_str(&hole, "}]");
    expect_field(&h, "8.20", "Graph.inputs", &hole, false);
}

static void test_long_numbers(void) {
    expect_number("an integer of a million digits", "as_int", (const char *[]){"1", "0", ""},
                  EP_INT_RANGE);
    expect_number("a negative one", "as_int", (const char *[]){"-9", "7", ""}, EP_INT_RANGE);
    expect_number("a float of a million digits", "as_float", (const char *[]){"1", "0", ".0"},
                  EP_FLOAT_RANGE);
    expect_number("the same, brought back by an exponent", "as_float",
                  (const char *[]){"1", "0", "e-1000000"}, EP_OK);
    expect_number("a million digits after the point", "as_float", (const char *[]){"0.", "3", ""},
                  EP_OK);
    expect_number("a million zeros after the point", "as_float", (const char *[]){"0.", "0", "1"},
                  EP_OK);
    expect_number("an exponent of a million digits", "as_float", (const char *[]){"1e", "9", ""},
                  EP_FLOAT_RANGE);
    expect_number("a negative one", "as_float", (const char *[]){"1e-", "9", ""}, EP_OK);
    expect_number("an exponent of a million zeros", "as_float", (const char *[]){"1e", "0", "1"},
                  EP_OK);
    expect_number("an enumerator of a million digits", "as_scalar_type",
                  (const char *[]){"1", "0", ""}, EP_INT_RANGE);
}

/* --------------------------------------------------------------------- lists */

static void expect_list(const char *about, const char *version, const char *parts[3], bool exact) {
    hostile h = made(about, EP_OK, EP_OK);
    test_text hole = {0};
    test_add_str(&hole, parts[0]);
    test_add_repeat(&hole, parts[1], MILLION);
    test_add_str(&hole, parts[2]);
    const char *field = strcmp(version, "8.2-ast") == 0 ? "Graph.sym_int_values" : "Graph.inputs";
    expect_field(&h, version, field, &hole, exact);
}

/* Where the tree is largest for each byte of text. */
static void test_dense(void) {
    expect_list("a million integers", "8.20", (const char *[]){"[{\"as_ints\": [1", ", 1", "]}]"},
                true);
    expect_list("a million integers, close together", "8.20",
                (const char *[]){"[{\"as_ints\":[1", ",1", "]}]"}, false);
    expect_list("a million integers, spaced at the end", "8.20",
                (const char *[]){"[{\"as_ints\": [1", ", 1", "] }]"}, false);
    expect_list("a million empty lists", "8.20",
                (const char *[]){"[{\"as_int_lists\": [[]", ", []", "]}]"}, true);
    expect_list("a million lists of one", "8.20",
                (const char *[]){"[{\"as_int_lists\":[[1]", ",[1]", "]}]"}, false);
    expect_list("a million strings", "8.20",
                (const char *[]){"[{\"as_strings\":[\"\"", ",\"\"", "]}]"}, false);
    expect_list("a million arguments that are none", "8.20",
                (const char *[]){"[{\"as_none\":true}", ",{\"as_none\":true}", "]"}, false);
    expect_list("a million tensors", "8.20",
                (const char *[]){"[{\"as_tensor\":{\"name\":\"\"}}",
                                 ",{\"as_tensor\":{\"name\":\"\"}}", "]"},
                false);
    expect_list("a million dicts of one argument", "8.20",
                (const char *[]){"[{\"as_string_to_argument\":{\"\":{\"as_int\":1}}}",
                                 ",{\"as_string_to_argument\":{\"\":{\"as_int\":1}}}", "]"},
                false);
    /* {} is a node of five words: nothing else is as much for as little */
    most_per_byte = DENSEST;
    expect_list("a million nodes of an expression", "8.2-ast",
                (const char *[]){"{\"s\": {\"as_expr\": {\"expr_str\": \"\", \"expr_ast\": "
                                 "{\"args\": [{}",
                                 ",{}", "]}}}}"},
                false);
    most_per_byte = PER_BYTE;
}

int main(void) {
    test_deep();
    test_long_numbers();
    test_dense();
    printf("at most %zu.%zu bytes of memory for each of input: %s\n", worst_tenths / 10,
           worst_tenths % 10, worst);
    return check_report();
}
