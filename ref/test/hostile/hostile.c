/*
 * hostile.c - inputs made to hurt: deep, long, many, repeated, colliding. Each
 * is generated here, gets the one right answer, and takes at most so many
 * bytes of memory for each of its own. That the work is linear too, CTest's
 * time limit guards.
 */
#include "check.h"
#include "epref.h"
#include "support.h"

#include <stdlib.h>

enum { MILLION = 1000 * 1000, MEBI = 1 << 20, PER_BYTE = 16, DENSEST = 20, BASE = 64 * 1024 };

/* Keys that are sorted by their text: fewer where a sanitizer, or the lack of
 * optimisation, makes that slow. */
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
enum { SORTED = MILLION / 4 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { SORTED = MILLION / 4 };
#else
enum { SORTED = MILLION };
#endif
#else
enum { SORTED = MILLION };
#endif

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

/* Arguments of arguments: as deep as the types themselves go. */
static void test_deep_types(void) {
    hostile h = made("arguments nested 30000 deep", EP_OK, EP_OK);
    test_text hole = {0};
    h.options.limits.depth = SIZE_MAX;
    test_add_str(&hole, "[");
    test_add_repeat(&hole, "{\"as_string_to_argument\": {\"k\": ", 30000);
    test_add_str(&hole, "{\"as_none\": true}");
    test_add_repeat(&hole, "}}", 30000);
    test_add_str(&hole, "]");
    expect_field(&h, "8.20", "Graph.inputs", &hole, true);
}

static void expect_forward(const char *about, size_t depth, ep_code code) {
    hostile h = made(about, code, code);
    test_text hole = {0};
    h.options.forward = true;
    test_add_str(&hole, "{}, \"new\": ");
    test_add_repeat(&hole, "[", depth);
    test_add_str(&hole, code == EP_OK ? "" : "@[");
    test_add_str(&hole, code == EP_OK ? "" : "]");
    test_add_repeat(&hole, "]", depth);
    test_add(&hole, "", 1);
    test_hole holes[] = {{"GraphModule.metadata", hole.data},
                         {"ExportedProgram.schema_version", "{\"major\": 8, \"minor\": 77}"},
                         {NULL, NULL}};
    test_program(&h.text, "8.20", holes);
    test_text_free(&hole);
    h.offset = code == EP_OK ? 0 : test_take_mark(&h.text);
    expect(&h, false);
}

static void test_deep_forward(void) {
    expect_forward("an unknown member 998 deep, forward", 998, EP_OK);
    expect_forward("an unknown member too deep, forward", 998, EP_LIMIT_DEPTH);
}

/* --------------------------------------------------------------------- keys */

static void add_numbered(test_text *text, size_t n, const char *value) {
    test_add_str(text, "{");
    for (size_t i = 0; i < n; i++) {
        test_add_str(text, i == 0 ? "\"k" : ", \"k");
        test_add_int(text, (int64_t)i);
        test_add_str(text, "\": ");
        test_add_str(text, value);
    }
}

static void test_distinct_keys(void) {
    hostile h = made("a million keys in opset_version", EP_OK, EP_OK);
    test_text hole = {0};
    add_numbered(&hole, MILLION, "10");
    test_add_str(&hole, "}");
    expect_field(&h, "8.20", "ExportedProgram.opset_version", &hole, true);
    h = made("a million keys in sym_int_values", EP_OK, EP_OK);
    add_numbered(&hole, MILLION, "{\"as_int\": 1}");
    test_add_str(&hole, "}");
    expect_field(&h, "8.20", "Graph.sym_int_values", &hole, true);
    h = made("a hundred thousand keys in tensor_values", EP_OK, EP_OK);
    add_numbered(&hole, 100 * 1000,
                 "{\"dtype\": 7, \"sizes\": [{\"as_int\": 2}], \"requires_grad\": false, "
                 "\"device\": {\"type\": \"cpu\", \"index\": null}, \"strides\": [], "
                 "\"storage_offset\": {\"as_int\": 0}, \"layout\": 7}");
    test_add_str(&hole, "}");
    expect_field(&h, "8.20", "Graph.tensor_values", &hole, true);
}

static void test_last_repeats(void) {
    hostile h = made("a million keys, the last as the first", EP_DUPLICATE_KEY, EP_DUPLICATE_KEY);
    test_text hole = {0};
    add_numbered(&hole, MILLION, "10");
    test_add_str(&hole, ", @\"\\u006b0\": 10}");
    expect_field(&h, "8.20", "ExportedProgram.opset_version", &hole, false);
    h = made("one key a great many times", EP_DUPLICATE_KEY, EP_DUPLICATE_KEY);
    test_add_str(&hole, "{\"k\": 1, @\"k\": 1");
    test_add_repeat(&hole, ", \"k\": 1", SORTED);
    test_add_str(&hole, "}");
    expect_field(&h, "8.20", "ExportedProgram.opset_version", &hole, false);
    h = made("one field a great many times", EP_DUPLICATE_KEY, EP_DUPLICATE_KEY);
    test_add_str(&hole, "[{\"target\": \"\", @\"target\": \"\"");
    test_add_repeat(&hole, ", \"target\": \"\"", SORTED);
    test_add_str(&hole, "}]");
    expect_field(&h, "8.20", "Graph.nodes", &hole, false);
    h = made("a million unknown fields", EP_OK, EP_UNKNOWN_FIELD);
    test_add_str(&hole, "[{\"target\": \"\", @\"k0\": 1");
    for (int64_t i = 1; i < MILLION; i++) {
        test_add_str(&hole, ", \"k");
        test_add_int(&hole, i);
        test_add_str(&hole, "\": 1");
    }
    test_add_str(&hole, "}]");
    expect_field(&h, "8.20", "Graph.nodes", &hole, false);
}

static void add_colliding(test_text *text, const test_collider *collider, size_t n) {
    size_t found = 0;
    test_add_str(text, "{");
    for (uint32_t i = 0; found < n; i++) {
        size_t size = text->size;
        test_add_str(text, found == 0 ? "\"" : ", \"");
        if (test_colliding_key(collider, i, text)) {
            test_add_str(text, "\": 1");
            found++;
        } else {
            text->size = size;
        }
    }
}

static void test_colliding_keys(void) {
    test_collider collider;
    test_text hole = {0};
    test_collider_init(&collider);
    hostile h = made("a great many keys of one hash", EP_OK, EP_OK);
    add_colliding(&hole, &collider, SORTED);
    test_add_str(&hole, "}");
    size_t marks = 0; /* an @ may be in a key: the mark is not looked for here */
    for (size_t i = 0; i < hole.size; i++) {
        marks += hole.data[i] == '@';
    }
    CHECK(marks > 0);
    expect_field(&h, "8.20", "ExportedProgram.opset_version", &hole, true);
    test_collider_free(&collider);
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

/* ------------------------------------------------------------------- strings */

static void expect_string(const char *about, const char *piece, size_t times, bool exact) {
    hostile h = made(about, EP_OK, EP_OK);
    test_text hole = {0};
    test_add_str(&hole, "{\"");
    test_add_repeat(&hole, piece, times);
    test_add_str(&hole, "\": \"");
    test_add_repeat(&hole, piece, times);
    test_add_str(&hole, "\"}");
    expect_field(&h, "8.20", "GraphModule.metadata", &hole, exact);
}

static void test_long_strings(void) {
    expect_string("strings of ten megabytes", "0123456789", MEBI, true);
    expect_string("a megabyte of escapes", "\\u00e9", MEBI / 6, true);
    expect_string("a megabyte of backslashes", "\\\\", MEBI / 2, true);
    expect_string("a megabyte of pairs", "\\ud83d\\ude00", MEBI / 12, true);
    expect_string("a megabyte of UTF-8", "\xF0\x9F\x98\x80", MEBI / 4, false);
    hostile h = made("a string that never ends", EP_END, EP_END);
    test_add_str(&h.text, "[\"");
    test_add_repeat(&h.text, "0123456789", 2 * MEBI);
    h.offset = h.text.size;
    expect(&h, false);
    h = made("a string of twenty megabytes, then a control", EP_CONTROL, EP_CONTROL);
    test_add_str(&h.text, "[\"");
    test_add_repeat(&h.text, "0123456789", 2 * MEBI);
    h.offset = h.text.size;
    test_add_str(&h.text, "\n\"]");
    expect(&h, false);
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

/* Objects in PyTorch's spelling up to their last byte: what was read quickly
 * is read again. */
static void test_late_surprises(void) {
    hostile h = made("a long list in three objects spaced at the end", EP_OK, EP_OK);
    test_text hole = {0};
    test_add_str(&hole, "[{\"target\": \"\", \"inputs\": [{\"name\": \"\", \"arg\": {\"as_ints\": "
                        "[1");
    test_add_repeat(&hole, ", 1", MILLION);
    test_add_str(&hole, "] } , \"kind\": 1 }], \"outputs\": [], \"metadata\": {}}]");
    expect_field(&h, "8.20", "Graph.nodes", &hole, false);
    h = made("a million arguments, the last one spaced", EP_OK, EP_OK);
    test_add_str(&hole, "[");
    test_add_repeat(&hole, "{\"as_int\": 1}, ", MILLION);
    test_add_str(&hole, "{\"as_int\": 1 }]");
    expect_field(&h, "8.20", "Graph.inputs", &hole, false);
    h = made("a long list in a tensor that is wrong at the end", EP_OK, EP_TYPE);
    test_add_str(&hole, "{\"x\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 1}");
    test_add_repeat(&hole, ", {\"as_int\": 1}", MILLION);
    test_add_str(&hole, "], \"requires_grad\": false, \"device\": {\"type\": \"cpu\", \"index\": "
                        "null}, \"strides\": [], \"storage_offset\": {\"as_int\": 0}, "
                        "\"layout\": @\"7\"}}");
    expect_field(&h, "8.20", "Graph.tensor_values", &hole, false);
}

/* ------------------------------------------------------------------ the rest */

static void test_space(void) {
    hostile h = made("five megabytes of white space", EP_OK, EP_OK);
    test_text hole = {0};
    test_add_repeat(&hole, "[ \t\r\n", 1);
    test_add_repeat(&hole, " \t\r\n", 5 * MEBI / 4);
    test_add_str(&hole, "]");
    expect_field(&h, "8.20", "Graph.inputs", &hole, false);
}

/* The tail, where the version is guessed from, is full of versions. */
static void test_versions(void) {
    hostile h = made("versions everywhere", EP_OK, EP_OK);
    test_text hole = {0};
    test_add_str(&hole, "[\"");
    test_add_repeat(&hole, "\\\"schema_version\\\": 1 ", 100 * 1000);
    test_add_str(&hole, "\"");
    test_add_repeat(&hole, ", \"\\\"schema_version\\\": {\\\"major\\\": [[[\"", 100 * 1000);
    test_add_str(&hole, "]");
    expect_field(&h, "8.20", "ExportedProgram.guards_code", &hole, true);
    h = made("a long program of a sibling version", EP_OK, EP_OK);
    test_add_str(&hole, "[");
    test_add_repeat(&hole, "{\"fqn\": \"\", \"signature\": null}, ", 100 * 1000);
    test_add_str(&hole, "{\"fqn\": \"\", \"signature\": null}]");
    expect_field(&h, "1-2023-12", "GraphModule.module_call_graph", &hole, true);
}

static void count_warning(void *context, const ep_error *error) {
    size_t *n = context;
    *n += error->code == EP_UNKNOWN_TAG;
}

static void test_many_warnings(void) {
    hostile h = made("a hundred thousand unknown tags, forward", EP_OK, EP_OK);
    test_text hole = {0};
    size_t n = 0;
    h.options.forward = true;
    h.options.warn = count_warning;
    h.options.warn_context = &n;
    test_add_str(&hole, "[{\"as_new\": 1}");
    test_add_repeat(&hole, ", {\"as_new\": 1}", 100 * 1000);
    test_add_str(&hole, "]");
    test_add(&hole, "", 1);
    test_hole holes[] = {{"Graph.inputs", hole.data},
                         {"ExportedProgram.schema_version", "{\"major\": 8, \"minor\": 77}"},
                         {NULL, NULL}};
    test_program(&h.text, "8.20", holes);
    test_text_free(&hole);
    expect(&h, false);
    CHECK_EQ_INT(n, 100);
}

int main(void) {
    test_deep();
    test_deep_types();
    test_deep_forward();
    test_distinct_keys();
    test_last_repeats();
    test_colliding_keys();
    test_long_numbers();
    test_long_strings();
    test_dense();
    test_late_surprises();
    test_space();
    test_versions();
    test_many_warnings();
    printf("at most %zu.%zu bytes of memory for each of input: %s\n", worst_tenths / 10,
           worst_tenths % 10, worst);
    return check_report();
}
