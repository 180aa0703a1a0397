/*
 * test_signature.c - the signature as callers have it: every kind of input and output in
 * every version that has it, a capacity that is too small, what forward reading leaves.
 */
#include "base/span.h"
#include "check.h"
#include "whole.h"

/* ---------------------------------------------------------------------- opening */

typedef struct opened {
    test_text text;
    test_heap heap;
    ep_arena arena;
    const ep_program *program;
    ep_signature *signature;
} opened;

static bool open_holes(opened *o, const char *version, const test_hole *holes) {
    ep_error error;
    *o = (opened){0};
    test_program(&o->text, version, holes);
    test_arena(&o->arena, &o->heap, 0);
    return CHECK_NOTE(ep_decode(&o->arena, test_text_exact(&o->text), NULL, &o->program, &error),
                      error.pointer) &&
           CHECK(ep_signature_open(o->program, &o->arena, &o->signature, &error)) &&
           CHECK_EQ_INT(error.code, EP_OK);
}

static void close_signature(opened *o) {
    ep_arena_free(&o->arena);
    CHECK_EQ_INT(o->heap.bytes, 0);
    test_text_free(&o->text);
}

static bool check_text(ep_bytes text, const char *expected) {
    return CHECK_EQ_STR(text.data, text.size, expected);
}

static void check_entry(const ep_signature_entry *entry, int kind, const char *name,
                        const char *target) {
    bool ok = CHECK_EQ_INT(entry->kind, kind);
    ok = check_text(entry->name, name) && ok;
    if (!check_text(entry->target, target) || !ok) {
        fprintf(stderr, "    of %s, %s\n", name, target);
    }
}

/* -------------------------------------------------------------------- every kind */

typedef struct spec_row {
    const char *tag;
    const char *since; /* the first version that has it */
    int kind;
    const char *name;
    const char *target;
    const char *inner; /* an @ stands for the Argument as_tensor of the name */
} spec_row;

static const spec_row input_rows[] = {
    {"token", "5.3-2024-03", EP_INPUT_TOKEN, "t", "", "{\"arg\": {\"name\": \"t\"}}"},
    {"parameter", "1-2023-12", EP_INPUT_PARAMETER, "p", "lin.weight",
     "{\"arg\": {\"name\": \"p\"}, \"parameter_name\": \"lin.weight\"}"},
    {"buffer", "1-2023-12", EP_INPUT_BUFFER, "b", "bn.mean",
     "{\"arg\": {\"name\": \"b\"}, \"buffer_name\": \"bn.mean\"$}"},
    {"tensor_constant", "1-2023-12", EP_INPUT_TENSOR_CONSTANT, "c", "lifted_0",
     "{\"arg\": {\"name\": \"c\"}, \"tensor_constant_name\": \"lifted_0\"}"},
    {"custom_obj", "3.1", EP_INPUT_CUSTOM_OBJ, "o", "lifted_custom_0",
     "{\"arg\": {\"name\": \"o\", \"class_fqn\": \"a.B\"}, \"custom_obj_name\": "
     "\"lifted_custom_0\"}"},
    {"user_input", "1-2023-12", EP_INPUT_USER, "x", "", "{\"arg\": @}"},
    {"constant_input", "5.3", EP_INPUT_CONSTANT, "", "flag",
     "{\"name\": \"flag\", \"value\": {\"as_int\": 7}}"},
};

static const spec_row output_rows[] = {
    {"token", "5.3-2024-03", EP_OUTPUT_TOKEN, "t", "", "{\"arg\": {\"name\": \"t\"}}"},
    {"buffer_mutation", "1-2023-12", EP_OUTPUT_BUFFER_MUTATION, "b", "bn.mean",
     "{\"arg\": {\"name\": \"b\"}, \"buffer_name\": \"bn.mean\"}"},
    {"parameter_mutation", "8.10", EP_OUTPUT_PARAMETER_MUTATION, "p", "lin.weight",
     "{\"arg\": {\"name\": \"p\"}, \"parameter_name\": \"lin.weight\"}"},
    {"user_input_mutation", "4.2", EP_OUTPUT_USER_INPUT_MUTATION, "m", "x",
     "{\"arg\": {\"name\": \"m\"}, \"user_input_name\": \"x\"}"},
    {"user_output", "1-2023-12", EP_OUTPUT_USER, "x", "", "{\"arg\": @}"},
    {"loss_output", "1-2023-12", EP_OUTPUT_LOSS, "l", "", "{\"arg\": {\"name\": \"l\"}}"},
    {"gradient_to_parameter", "1-2023-12", EP_OUTPUT_GRADIENT_TO_PARAMETER, "g", "lin.weight",
     "{\"arg\": {\"name\": \"g\"}, \"parameter_name\": \"lin.weight\"}"},
    {"gradient_to_user_input", "1-2023-12", EP_OUTPUT_GRADIENT_TO_USER_INPUT, "h", "x",
     "{\"arg\": {\"name\": \"h\"}, \"user_input_name\": \"x\"}"},
};

enum {
    INPUT_ROWS = sizeof input_rows / sizeof input_rows[0],
    OUTPUT_ROWS = sizeof output_rows / sizeof output_rows[0]
};

/* Where a version stands in the history. */
static int number_of(const char *version) {
    for (int i = 0; ep_version_at((size_t)i) != NULL; i++) {
        if (strcmp(ep_version_at((size_t)i)->name, version) == 0) {
            return i;
        }
    }
    CHECK_NOTE(false, version);
    return 0;
}

static bool has_row(const spec_row *row, const char *version) {
    return number_of(version) >= number_of(row->since);
}

static void add_inner(test_text *text, const char *inner, const char *version) {
    for (; *inner != '\0'; inner++) {
        if (*inner == '@') {
            test_add_union(text, version, "Argument", "as_tensor", "{\"name\": \"x\"}");
        } else if (*inner == '$') {
            test_add_str(text,
                         number_of(version) >= number_of("3.1-c") ? ", \"persistent\": true" : "");
        } else {
            test_add(text, inner, 1);
        }
    }
}

static void add_specs(test_text *text, const char *version, const char *type, const spec_row *rows,
                      size_t count) {
    test_add_str(text, "[");
    for (size_t i = 0; i < count; i++) {
        if (has_row(&rows[i], version)) {
            test_text inner = {0};
            add_inner(&inner, rows[i].inner, version);
            test_add(&inner, "", 1);
            test_add_str(text, text->size == 1 ? "" : ", ");
            test_add_union(text, version, type, rows[i].tag, inner.data);
            test_text_free(&inner);
        }
    }
    test_add(text, "]", 2);
}

static bool open_kinds(opened *o, const char *version) {
    test_text inputs = {0}, outputs = {0};
    add_specs(&inputs, version, "InputSpec", input_rows, INPUT_ROWS);
    add_specs(&outputs, version, "OutputSpec", output_rows, OUTPUT_ROWS);
    bool ok = open_holes(o, version,
                         (test_hole[]){{"GraphSignature.input_specs", inputs.data},
                                       {"GraphSignature.output_specs", outputs.data},
                                       {NULL, NULL}});
    test_text_free(&inputs);
    test_text_free(&outputs);
    return ok;
}

/* A version that shares its number can only be asked for, and is not here. */
static void check_kinds(const char *version, size_t inputs, size_t outputs) {
    opened o;
    ep_signature_entry entry;
    if (open_kinds(&o, version)) {
        size_t n = 0;
        for (size_t i = 0; i < INPUT_ROWS; i++) {
            if (has_row(&input_rows[i], version) &&
                CHECK(ep_signature_input(o.signature, n++, &entry))) {
                check_entry(&entry, input_rows[i].kind, input_rows[i].name, input_rows[i].target);
            }
        }
        CHECK_EQ_INT(n, inputs);
        CHECK_EQ_INT(ep_signature_input_count(o.signature), inputs);
        n = 0;
        for (size_t i = 0; i < OUTPUT_ROWS; i++) {
            if (has_row(&output_rows[i], version) &&
                CHECK(ep_signature_output(o.signature, n++, &entry))) {
                check_entry(&entry, output_rows[i].kind, output_rows[i].name,
                            output_rows[i].target);
            }
        }
        CHECK_EQ_INT(n, outputs);
        CHECK_EQ_INT(ep_signature_output_count(o.signature), outputs);
    }
    close_signature(&o);
}

static void test_kinds(void) {
    check_kinds("2", 4, 5);
    check_kinds("2.1", 4, 5);
    check_kinds("3.1", 5, 5);
    check_kinds("4.2", 5, 6);
    check_kinds("5.1", 5, 6);
    check_kinds("5.3", 7, 7);
    check_kinds("6.1", 7, 7);
    check_kinds("7.3", 7, 7);
    check_kinds("8.8", 7, 7);
    check_kinds("8.10", 7, 8);
    check_kinds("8.20", 7, 8);
}

/* Past the end nothing is written. */
static void test_past_end(void) {
    opened o;
    ep_signature_entry entry;
    memset(&entry, 0xEE, sizeof entry);
    ep_signature_entry before = entry;
    if (open_kinds(&o, "8.20")) {
        CHECK(!ep_signature_input(o.signature, INPUT_ROWS, &entry));
        CHECK(!ep_signature_output(o.signature, OUTPUT_ROWS, &entry));
        CHECK(!ep_signature_output(o.signature, SIZE_MAX, &entry));
        CHECK(memcmp(&entry, &before, sizeof entry) == 0);
    }
    close_signature(&o);
}

/* ------------------------------------------------------------------------- parts */

/* A capacity that is too small gets the first entries, and nothing beyond. */
static void test_capacity(void) {
    static const char specs[] =
        "[{\"parameter\": {\"arg\": {\"name\": \"a\"}, \"parameter_name\": \"A\"}}, "
        "{\"parameter\": {\"arg\": {\"name\": \"b\"}, \"parameter_name\": \"B\"}}, "
        "{\"parameter\": {\"arg\": {\"name\": \"c\"}, \"parameter_name\": \"C\"}}]";
    opened o;
    ep_signature_entry entries[3];
    memset(entries, 0xEE, sizeof entries);
    ep_signature_entry untouched = entries[2];
    if (open_holes(&o, "8.20",
                   (test_hole[]){{"GraphSignature.input_specs", specs}, {NULL, NULL}})) {
        CHECK_EQ_INT(ep_signature_part_of(o.signature, EP_PART_PARAMETERS, entries, 2), 3);
        check_text(entries[0].name, "a");
        check_text(entries[1].name, "b");
        CHECK(memcmp(&entries[2], &untouched, sizeof untouched) == 0);
    }
    close_signature(&o);
}

/* ----------------------------------------------------------------- forward reading */

/* Opens what forward reading takes; whether there is a signature. */
static bool open_forward(const char *specs, const char *outputs, ep_code *code) {
    opened o = {0};
    ep_error error;
    ep_decode_options options = ep_decode_options_default();
    options.forward = true;
    test_program(&o.text, "8.20",
                 (test_hole[]){{"ExportedProgram.schema_version", "{\"major\": 8, \"minor\": 99}"},
                               {"GraphSignature.input_specs", specs},
                               {"GraphSignature.output_specs", outputs},
                               {NULL, NULL}});
    test_arena(&o.arena, &o.heap, 0);
    CHECK_NOTE(ep_decode(&o.arena, test_text_exact(&o.text), &options, &o.program, &error), specs);
    bool ok = ep_signature_open(o.program, &o.arena, &o.signature, &error);
    CHECK_EQ_INT(o.signature != NULL, ok);
    *code = error.code;
    close_signature(&o);
    return ok;
}

/* What something was left out of has no signature: a spec, a spec's argument, or what
 * stands elsewhere. SPEC 3.10.3 */
static void test_forward(void) {
    static const struct {
        const char *specs;
        const char *outputs;
        ep_code code;
    } rows[] = {
        {"[]", "[]", EP_OK},
        {"[{\"user_input\": {\"arg\": {\"as_int\": 1}}}]", "[]", EP_OK},
        {"[{\"new_input\": {}}]", "[]", EP_ARGUMENT},
        {"[{\"user_input\": {\"arg\": {\"as_new\": 1}}}]", "[]", EP_ARGUMENT},
        {"[{\"user_input\": {\"arg\": {\"as_sym_int\": {\"as_new\": 1}}}}]", "[]", EP_ARGUMENT},
        {"[{\"user_input\": {\"arg\": {\"as_int\": 1}, \"new\": 2}}]", "[]", EP_ARGUMENT},
        {"[]", "[{\"new_output\": {}}]", EP_ARGUMENT},
        {"[]", "[{\"user_output\": {\"arg\": {\"as_new\": 1}}}]", EP_ARGUMENT},
    };
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        ep_code code;
        bool ok = open_forward(rows[i].specs, rows[i].outputs, &code);
        if (!CHECK_EQ_INT(code, rows[i].code) || !CHECK_EQ_INT(ok, code == EP_OK)) {
            fprintf(stderr, "    with %s, %s\n", rows[i].specs, rows[i].outputs);
        }
    }
}

int main(void) {
    test_kinds();
    test_past_end();
    test_capacity();
    test_forward();
    return check_report();
}
