/*
 * test_encode.c - the bytes of an encoded program: samples come back as they
 * were, and what was spelled otherwise comes back as PyTorch spells it. SPEC
 * 3.9.
 */
#include "opened.h"
#include "samples.h"
#include "json/writer.h"

#include <stdlib.h>

typedef struct encode_row {
    const char *version;
    const char *field;
    const char *read;
    const char *written;
} encode_row;

static const encode_row rows[] = {
    {"8.20", "Graph.inputs", "[ {\"as_int\":1} , {\"as_ints\":[1,2]} ]",
     "[{\"as_int\": 1}, {\"as_ints\": [1, 2]}]"},
    {"8.20", "Graph.inputs", "[{\"as_int\": 10}, {\"as_int\": -1}, {\"as_int\": 0}]", NULL},
    {"8.20", "Graph.inputs",
     "[{\"as_ints\": [9223372036854775807, -9223372036854775808, 99999, 100000]}]", NULL},
    {"8.20", "Graph.inputs", "[{\"as_float\": 1}, {\"as_float\": -0}, {\"as_float\": 1E2}]",
     "[{\"as_float\": 1.0}, {\"as_float\": -0.0}, {\"as_float\": 100.0}]"},
    {"8.20", "Graph.inputs", "[{\"as_float\": 0.00001}, {\"as_float\": 1e16}]",
     "[{\"as_float\": 1e-05}, {\"as_float\": 1e+16}]"},
    {"8.20", "Graph.inputs", "[{\"as_float\": 0.1000000000000000055511151231257827}]",
     "[{\"as_float\": 0.1}]"},
    {"8.20", "Graph.inputs", "[{\"as_float\": 1e-400}, {\"as_float\": -1e-400}]",
     "[{\"as_float\": 0.0}, {\"as_float\": -0.0}]"},
    {"8.20", "Graph.inputs",
     "[{\"as_float\": \"\\u0049nfinity\"}, {\"as_floats\": [\"-Infinity\", \"NaN\", 1.5]}]",
     "[{\"as_float\": \"Infinity\"}, {\"as_floats\": [\"-Infinity\", \"NaN\", 1.5]}]"},
    {"8.6", "Graph.inputs", "[{\"as_floats\": [Infinity,-Infinity, NaN]}]",
     "[{\"as_floats\": [Infinity, -Infinity, NaN]}]"},
    {"8.20", "Graph.inputs", "[{\"as_string\": \"\\/ \\u0041 \\u00E9 \xC3\xA9 \x7F \\u000A\"}]",
     "[{\"as_string\": \"/ A \\u00e9 \\u00e9 \\u007f \\n\"}]"},
    {"8.20", "Graph.inputs",
     "[{\"as_string\": \"\\u0008\\u0009\\u000c\\u000d\\u0022\\u005c\\u0000\\u001F\"}]",
     "[{\"as_string\": \"\\b\\t\\f\\r\\\"\\\\\\u0000\\u001f\"}]"},
    {"8.20", "Graph.inputs", "[{\"as_string\": \"\xF0\x9F\x98\x80 \\uD83D\\uDE00 \xEF\xBF\xBF\"}]",
     "[{\"as_string\": \"\\ud83d\\ude00 \\ud83d\\ude00 \\uffff\"}]"},
    {"8.20", "GraphModule.metadata", "{\"b\":\"1\",\"\\u0061\":\"2\",\"\xC3\xA9\":\"\"}",
     "{\"b\": \"1\", \"a\": \"2\", \"\\u00e9\": \"\"}"},
    {"8.20", "Graph.nodes",
     "[{\"metadata\": {}, \"outputs\": [], \"inputs\": [], \"target\": \"t\"}]",
     "[{\"target\": \"t\", \"inputs\": [], \"outputs\": [], \"metadata\": {}, "
     "\"is_hop_single_tensor_return\": null, \"name\": null}]"},
    {"8.6", "Graph.nodes",
     "[{\"target\": \"t\", \"inputs\": [], \"outputs\": [], \"metadata\": {}, "
     "\"is_hop_single_tensor_return\": null}]",
     "[{\"target\": \"t\", \"inputs\": [], \"outputs\": [], \"metadata\": {}}]"},
    {"8.6", "Graph.nodes",
     "[{\"target\": \"t\", \"inputs\": [], \"outputs\": [], \"metadata\": {}, "
     "\"is_hop_single_tensor_return\": false}]",
     NULL},
    {"1", "GraphModule.module_call_graph", "[{\"fqn\": \"f\"}]",
     "[{\"fqn\": \"f\", \"signature\": null}]"},
    {"5.1", "GraphModule.module_call_graph", "[{\"fqn\": \"f\", \"signature\": null}]",
     "[{\"fqn\": \"f\"}]"},
    {"1", "ExportedProgram.equality_constraints", "[[[\"a\",1],[\"b\",-2]]]",
     "[[[\"a\", 1], [\"b\", -2]]]"},
    {"1", "ExportedProgram.example_inputs", "[[\"AA==\", \"\"],{\"k\":\"\\u0041\\u0041==\"}]",
     "[[\"AA==\", \"\"], {\"k\": \"AA==\"}]"},
    {"1", "Graph.sym_int_values", "{\"s\": {\"as_int\": 1, \"as_expr\": null}}",
     "{\"s\": {\"as_expr\": null, \"as_int\": 1}}"},
    {"3.1", "Graph.inputs", "[{\"$type\":\"as_\\u0069nt\",\"\\u0024value\":1}]",
     "[{\"$type\": \"as_int\", \"$value\": 1}]"},
    {"7.3", "Graph.inputs", "[{\"as_none\": [ ]}]", "[{\"as_none\": []}]"},
    {"7.3", "ExportedProgram.range_constraints",
     "{\"s\":{\"max_val\":Infinity,\"min_val\":-Infinity}}",
     "{\"s\": {\"min_val\": -Infinity, \"max_val\": Infinity}}"},
    {"8.20", "ExportedProgram.schema_version", "{\"minor\":20,\"major\":8}",
     "{\"major\": 8, \"minor\": 20}"},
    {"8.11", "ExportedProgram.schema_version", "{\"major\": 8, \"minor\": 13}", NULL},
};

/* Decodes and encodes; what came out is added to the text. */
static bool encode(ep_bytes input, test_text *out) {
    test_heap heap = {0};
    ep_arena arena;
    ep_arena scratch;
    ep_error error;
    const ep_program *program;
    test_arena(&arena, &heap, 0);
    test_arena(&scratch, &heap, 0);
    bool ok = ep_decode(&arena, input, NULL, &program, &error);
    if (!ok) {
        fprintf(stderr, "%s at %zu, %s: %s\n", ep_code_name(error.code), error.offset,
                error.pointer, error.detail);
    }
    if (ok) {
        memset(&error, 0xEE, sizeof error);
        ok = CHECK(ep_encode(program, &scratch, test_sink, out, &error));
        static const ep_error zero;
        CHECK(error.code == EP_OK && error.offset == 0 && error.pointer[0] == '\0' &&
              error.detail[0] == '\0' && error.line == zero.line);
    }
    CHECK_EQ_INT(scratch.held, 0);
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    return ok;
}

static void test_rows(void) {
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        test_text in = {0};
        test_text expected = {0};
        test_text out = {0};
        const char *written = rows[i].written != NULL ? rows[i].written : rows[i].read;
        test_program_with(&in, rows[i].version, rows[i].field, rows[i].read);
        test_program_with(&expected, rows[i].version, rows[i].field, written);
        CHECK_NOTE(encode(test_text_exact(&in), &out), rows[i].read);
        CHECK_EQ_BYTES(out.data, out.size, expected.data, expected.size);
        test_text_free(&in);
        test_text_free(&expected);
        test_text_free(&out);
    }
}

static void test_sample_bytes(void) {
    for (size_t i = 0; i < TEST_SAMPLES; i++) {
        test_text in = {0};
        test_text out = {0};
        test_add_str(&in, test_samples[i].json);
        CHECK_NOTE(encode(test_text_exact(&in), &out), test_samples[i].version);
        CHECK_EQ_BYTES(out.data, out.size, in.data, in.size);
        test_text_free(&in);
        test_text_free(&out);
    }
}

/* Fields with a default may be absent, and are written. SPEC 3.5.4, 3.9.2 */
static void test_defaults(void) {
    const char *in = "{\"graph_module\": {\"graph\": {\"inputs\": [], \"outputs\": [], \"nodes\": "
                     "[], \"tensor_values\": {}, \"sym_int_values\": {}, \"sym_bool_values\": {}}, "
                     "\"signature\": {\"input_specs\": [], \"output_specs\": []}, "
                     "\"module_call_graph\": []}, \"opset_version\": {}, \"range_constraints\": "
                     "{}, \"schema_version\": {\"major\": 7, \"minor\": 3}}";
    const char *expected =
        "{\"graph_module\": {\"graph\": {\"inputs\": [], \"outputs\": [], \"nodes\": [], "
        "\"tensor_values\": {}, \"sym_int_values\": {}, \"sym_bool_values\": {}, "
        "\"is_single_tensor_return\": false, \"custom_obj_values\": {}}, \"signature\": "
        "{\"input_specs\": [], \"output_specs\": []}, \"module_call_graph\": [], \"metadata\": "
        "{}}, \"opset_version\": {}, \"range_constraints\": {}, \"schema_version\": {\"major\": "
        "7, \"minor\": 3}, \"verifiers\": [], \"torch_version\": \"<=2.4\"}";
    test_text out = {0};
    CHECK(encode(ep_text_of(in), &out));
    CHECK_EQ_STR(out.data, out.size, expected);
    test_text_free(&out);
}

static void test_empty_programs(void) {
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        if (!ep_version_at(i)->owns_number) {
            continue;
        }
        test_text in = {0};
        test_text out = {0};
        test_program_with(&in, ep_version_at(i)->name, NULL, NULL);
        CHECK(encode(test_text_exact(&in), &out));
        CHECK_EQ_BYTES(out.data, out.size, in.data, in.size);
        test_text_free(&in);
        test_text_free(&out);
    }
}

/* Strings of every size around the sizes of the writer's buffer, plain and to
 * be encoded anew. */
static void test_buffer(void) {
    static const size_t around[] = {0, 31, 64, EP_WRITER_CHUNK, 2 * EP_WRITER_CHUNK};
    for (size_t a = 0; a < EP_COUNT_OF(around); a++) {
        for (size_t more = 0; more < 140; more++) {
            size_t size = around[a] + more < 70 ? 0 : around[a] + more - 70;
            test_text hole = {0};
            test_text in = {0};
            test_text out = {0};
            test_add_str(&hole, "[\"a\", \"");
            test_add_repeat(&hole, "x", size);
            test_add_str(&hole, "\", \"\\ud83d\\ude00\", \"");
            test_add_repeat(&hole, "\\u00e9", size / 6);
            test_add_str(&hole, "\"]");
            test_add(&hole, "", 1);
            test_program_with(&in, "8.20", "ExportedProgram.guards_code", hole.data);
            CHECK(encode(test_text_exact(&in), &out));
            CHECK(out.size == in.size && memcmp(out.data, in.data, in.size) == 0);
            test_text_free(&hole);
            test_text_free(&in);
            test_text_free(&out);
        }
    }
}

/* Text that has to be encoded anew grows up to six times across buffers. */
static void test_foreign(void) {
    test_text hole = {0};
    test_text expected_hole = {0};
    test_text in = {0};
    test_text expected = {0};
    test_text out = {0};
    test_add_str(&hole, "[\"");
    test_add_repeat(&hole, "\xC3\xA9\x7F\xF0\x9F\x98\x80", 20000);
    test_add_str(&hole, "\"]");
    test_add(&hole, "", 1);
    test_add_str(&expected_hole, "[\"");
    test_add_repeat(&expected_hole, "\\u00e9\\u007f\\ud83d\\ude00", 20000);
    test_add_str(&expected_hole, "\"]");
    test_add(&expected_hole, "", 1);
    test_program_with(&in, "8.20", "ExportedProgram.guards_code", hole.data);
    test_program_with(&expected, "8.20", "ExportedProgram.guards_code", expected_hole.data);
    CHECK(encode(test_text_exact(&in), &out));
    CHECK(out.size == expected.size && memcmp(out.data, expected.data, out.size) == 0);
    test_text_free(&hole);
    test_text_free(&expected_hole);
    test_text_free(&in);
    test_text_free(&expected);
    test_text_free(&out);
}

/* ----------------------------------------------------------------- no memory */

/* Objects in objects, of every kind in turn: with each way down, another kind of
 * object is the one for which the cursors have no room left. */
static void add_nested(test_text *text, size_t dicts, size_t graphs) {
    test_add_str(text, "[");
    test_add_repeat(text, "{\"as_string_to_argument\": {\"k\": ", dicts);
    test_add_repeat(text,
                    "{\"as_graph\": {\"name\": \"g\", \"graph\": {\"inputs\": [], \"outputs\": [], "
                    "\"nodes\": [{\"target\": \"t\", \"inputs\": [{\"name\": \"\", \"arg\": ",
                    graphs);
    test_add_str(text, "{\"as_int\": 1}");
    test_add_repeat(text,
                    "}], \"outputs\": [], \"metadata\": {}}], \"tensor_values\": {}, "
                    "\"sym_int_values\": {}, \"sym_bool_values\": {}}}}",
                    graphs);
    test_add_repeat(text, "}}", dicts);
    test_add_str(text, "]");
    test_add(text, "", 1);
}

static bool encode_refused(const ep_program *program, size_t fail_at, size_t *calls) {
    test_heap heap = {.fail_at = fail_at};
    ep_arena arena;
    ep_error error;
    test_text out = {0};
    test_arena(&arena, &heap, 0);
    bool ok = ep_encode(program, &arena, test_sink, &out, &error);
    CHECK(ok || error.code == EP_MEMORY);
    *calls = heap.calls;
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    test_text_free(&out);
    return ok;
}

/* A program with these inputs. */
static bool open_inputs(test_opened *o, const test_text *inputs) {
    test_program_with(&o->text, "8.20", "Graph.inputs", inputs->data);
    return test_open(o);
}

static void test_deep(size_t dicts) {
    test_text inputs = {0};
    test_opened o = {0};
    size_t calls;
    add_nested(&inputs, dicts, 12);
    if (open_inputs(&o, &inputs)) {
        CHECK(encode_refused(o.program, 0, &calls) && calls >= 3);
        for (size_t n = 1; n <= calls; n++) {
            encode_refused(o.program, n, &(size_t){0});
        }
    }
    test_close(&o);
    test_text_free(&inputs);
}

static void test_no_memory(void) {
    for (size_t dicts = 0; dicts < 8; dicts++) {
        test_deep(dicts);
    }
}

/* Takes nothing, and counts how often it is asked. */
static bool refuse(void *context, const char *data, size_t size) {
    size_t *asked = context;
    (void)data;
    (void)size;
    ++*asked;
    return false;
}

/* What cannot be written is not gone on with. */
static void test_no_sink(void) {
    test_text inputs = {0};
    test_opened o = {0};
    ep_error error;
    size_t asked = 0;
    test_add_str(&inputs, "[{\"as_int\": 1}");
    test_add_repeat(&inputs, ", {\"as_int\": 1}", 10000);
    test_add(&inputs, "]", 2);
    if (open_inputs(&o, &inputs)) {
        CHECK(!ep_encode(o.program, &o.arena, refuse, &asked, &error));
        CHECK_EQ_INT(error.code, EP_OUTPUT);
        CHECK_EQ_INT(asked, 1);
    }
    test_close(&o);
    test_text_free(&inputs);
}

int main(void) {
    test_use_locale();
    test_no_sink();
    test_no_memory();
    test_rows();
    test_sample_bytes();
    test_defaults();
    test_empty_programs();
    test_buffer();
    test_foreign();
    return check_report();
}
