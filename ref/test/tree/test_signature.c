/*
 * test_signature.c - the signature as callers have it: every kind of input and
 * output in every version that has it, the dictionaries of version 1, what
 * ExportGraphSignature has as properties, and renaming.
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
        CHECK(!ep_signature_assertion_dep_token(o.signature, &entry));
        CHECK(memcmp(&entry, &before, sizeof entry) == 0);
    }
    close_signature(&o);
}

/* --------------------------------------------------------- arguments and constants */

/* What a user input can be: a value of any kind, or a constant. */
static void test_arguments(void) {
    static const struct {
        const char *argument;
        const char *name;
        ep_kind constant; /* of what is under the tag; EP_KIND_NULL: a value */
    } rows[] = {
        {"{\"as_tensor\": {\"name\": \"x\"}}", "x", EP_KIND_NULL},
        {"{\"as_custom_obj\": {\"name\": \"o\", \"class_fqn\": \"a.B\"}}", "o", EP_KIND_NULL},
        {"{\"as_sym_int\": {\"as_name\": \"s\"}}", "s", EP_KIND_NULL},
        {"{\"as_sym_float\": {\"as_name\": \"f\"}}", "f", EP_KIND_NULL},
        {"{\"as_sym_bool\": {\"as_name\": \"b\"}}", "b", EP_KIND_NULL},
        {"{\"as_tensor\": {\"name\": \"\\u00e9\"}}", "\xC3\xA9", EP_KIND_NULL},
        {"{\"as_sym_int\": {\"as_int\": 3}}", "", EP_KIND_UNION},
        {"{\"as_int\": 7}", "", EP_KIND_INT},
        {"{\"as_float\": 2.5}", "", EP_KIND_FLOAT},
        {"{\"as_bool\": true}", "", EP_KIND_BOOL},
        {"{\"as_string\": \"x\"}", "", EP_KIND_STR},
        {"{\"as_none\": true}", "", EP_KIND_BOOL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        opened o;
        ep_signature_entry entry;
        test_text hole = {0};
        test_add_str(&hole, "[{\"user_input\": {\"arg\": ");
        test_add_str(&hole, rows[i].argument);
        test_add(&hole, "}}]", 4);
        if (open_holes(&o, "8.20",
                       (test_hole[]){{"GraphSignature.input_specs", hole.data}, {NULL, NULL}}) &&
            CHECK(ep_signature_input(o.signature, 0, &entry))) {
            check_entry(&entry, EP_INPUT_USER, rows[i].name, "");
            ep_kind kind = ep_value_kind(ep_value_item(entry.constant, 0));
            if (!CHECK_EQ_INT(kind, rows[i].constant)) {
                fprintf(stderr, "    %s\n", rows[i].argument);
            }
        }
        close_signature(&o);
        test_text_free(&hole);
    }
}

static void test_constants(void) {
    static const char specs[] =
        "[{\"constant_input\": {\"name\": \"n\", \"value\": {\"as_int\": -7}}}, {\"constant_input\""
        ": {\"name\": \"s\", \"value\": {\"as_string\": \"text\"}}}, {\"constant_input\": "
        "{\"name\": \"f\", \"value\": {\"as_float\": 0.5}}}]";
    static const char *const versions[] = {"5.3", "6.1", "8.2", "8.20"};
    for (size_t v = 0; v < sizeof versions / sizeof versions[0]; v++) {
        opened o;
        ep_signature_entry entry;
        ep_bytes text;
        if (open_holes(&o, versions[v],
                       (test_hole[]){{"GraphSignature.input_specs", specs}, {NULL, NULL}}) &&
            CHECK_EQ_INT(ep_signature_input_count(o.signature), 3)) {
            ep_signature_input(o.signature, 0, &entry);
            check_entry(&entry, EP_INPUT_CONSTANT, "", "n");
            CHECK_EQ_INT(ep_value_int(ep_value_field(entry.constant, "as_int")), -7);
            ep_signature_input(o.signature, 1, &entry);
            check_entry(&entry, EP_INPUT_CONSTANT, "", "s");
            if (CHECK(ep_value_text(ep_value_item(entry.constant, 0), &o.arena, &text))) {
                check_text(text, "text");
            }
            ep_signature_input(o.signature, 2, &entry);
            CHECK(ep_value_float(ep_value_item(entry.constant, 0)) == 0.5);
        }
        close_signature(&o);
    }
}

/* A buffer that is said not to be persistent is of another kind; where nothing
 * is said, all are persistent. */
static void test_persistence(void) {
    static const char specs[] =
        "[{\"buffer\": {\"arg\": {\"name\": \"a\"}, \"buffer_name\": \"A\", \"persistent\": "
        "false}}, {\"buffer\": {\"arg\": {\"name\": \"b\"}, \"buffer_name\": \"B\", "
        "\"persistent\": true}}]";
    opened o;
    ep_signature_entry entry;
    if (open_holes(&o, "8.20",
                   (test_hole[]){{"GraphSignature.input_specs", specs}, {NULL, NULL}})) {
        CHECK(ep_signature_input(o.signature, 0, &entry));
        check_entry(&entry, EP_INPUT_BUFFER_NOT_PERSISTENT, "a", "A");
        CHECK(ep_signature_input(o.signature, 1, &entry));
        check_entry(&entry, EP_INPUT_BUFFER, "b", "B");
        CHECK_EQ_INT(ep_signature_part_of(o.signature, EP_PART_BUFFERS, NULL, 0), 2);
        CHECK_EQ_INT(ep_signature_part_of(o.signature, EP_PART_NON_PERSISTENT_BUFFERS, &entry, 1),
                     1);
        check_text(entry.target, "A");
    }
    close_signature(&o);
}

/* ------------------------------------------------------------------------- parts */

static void check_part(const opened *o, ep_signature_part part, const char *expected) {
    ep_signature_entry entries[8];
    test_text line = {0};
    size_t count = ep_signature_part_of(o->signature, part, entries, 8);
    for (size_t i = 0; i < count && i < 8; i++) {
        test_add_str(&line, i == 0 ? "" : " ");
        test_add(&line, entries[i].name.data, entries[i].name.size);
        test_add_str(&line, ":");
        test_add(&line, entries[i].target.data, entries[i].target.size);
    }
    if (!CHECK_EQ_STR(line.data, line.size, expected)) {
        fprintf(stderr, "    part %d\n", (int)part);
    }
    CHECK_EQ_INT(ep_signature_part_of(o->signature, part, NULL, 0), count);
    test_text_free(&line);
}

static void test_parts(void) {
    opened o;
    if (open_kinds(&o, "8.20")) {
        check_part(&o, EP_PART_PARAMETERS, "p:lin.weight");
        check_part(&o, EP_PART_BUFFERS, "b:bn.mean");
        check_part(&o, EP_PART_NON_PERSISTENT_BUFFERS, "");
        check_part(&o, EP_PART_LIFTED_TENSOR_CONSTANTS, "c:lifted_0");
        check_part(&o, EP_PART_LIFTED_CUSTOM_OBJS, "o:lifted_custom_0");
        check_part(&o, EP_PART_USER_INPUTS, "x: :flag");
        check_part(&o, EP_PART_USER_OUTPUTS, "x:");
        check_part(&o, EP_PART_BUFFERS_TO_MUTATE, "b:bn.mean");
        check_part(&o, EP_PART_PARAMETERS_TO_MUTATE, "p:lin.weight");
        check_part(&o, EP_PART_USER_INPUTS_TO_MUTATE, "m:x");
        check_part(&o, EP_PART_INPUT_TOKENS, "t:");
        check_part(&o, EP_PART_OUTPUT_TOKENS, "t:");
        check_part(&o, EP_PART_LOSS_OUTPUT, "l:");
        check_part(&o, EP_PART_GRADIENTS_TO_PARAMETERS, "g:lin.weight");
        check_part(&o, EP_PART_GRADIENTS_TO_USER_INPUTS, "h:x");
    }
    close_signature(&o);
}

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

/* Without a loss there is no backward_signature, and no gradients either. */
static void test_no_loss(void) {
    static const char specs[] = "[{\"gradient_to_parameter\": {\"arg\": {\"name\": \"g\"}, "
                                "\"parameter_name\": \"w\"}}]";
    opened o;
    if (open_holes(&o, "8.20",
                   (test_hole[]){{"GraphSignature.output_specs", specs}, {NULL, NULL}})) {
        CHECK_EQ_INT(ep_signature_output_count(o.signature), 1);
        check_part(&o, EP_PART_LOSS_OUTPUT, "");
        check_part(&o, EP_PART_GRADIENTS_TO_PARAMETERS, "");
    }
    close_signature(&o);
}

/* --------------------------------------------------------------------- version 1 */

static const test_hole old_holes[] = {
    {"GraphSignature.inputs_to_parameters", "{\"p\": \"lin.weight\", \"q\": \"lin.bias\"}"},
    {"GraphSignature.inputs_to_buffers", "{\"b\": \"bn.mean\"}"},
    {"GraphSignature.user_inputs", "[\"x\", \"\\u0079\"]"},
    {"GraphSignature.user_outputs", "[\"o\", \"l\"]"},
    {"GraphSignature.buffers_to_mutate", "{\"m\": \"bn.mean\"}"},
    {"GraphSignature.backward_signature",
     "{\"gradients_to_parameters\": {\"g\": \"lin.weight\"}, \"gradients_to_user_inputs\": {\"h\": "
     "\"x\"}, \"loss_output\": \"l\"}"},
    {NULL, NULL},
};

static void check_old(const char *version) {
    opened o;
    ep_signature_entry entry;
    if (open_holes(&o, version, old_holes) &&
        CHECK_EQ_INT(ep_signature_input_count(o.signature), 5) &&
        CHECK_EQ_INT(ep_signature_output_count(o.signature), 5)) {
        check_part(&o, EP_PART_PARAMETERS, "p:lin.weight q:lin.bias");
        check_part(&o, EP_PART_BUFFERS, "b:bn.mean");
        check_part(&o, EP_PART_NON_PERSISTENT_BUFFERS, "");
        check_part(&o, EP_PART_USER_INPUTS, "x: y:");
        check_part(&o, EP_PART_BUFFERS_TO_MUTATE, "m:bn.mean");
        check_part(&o, EP_PART_USER_OUTPUTS, "o:");
        check_part(&o, EP_PART_LOSS_OUTPUT, "l:");
        check_part(&o, EP_PART_GRADIENTS_TO_PARAMETERS, "g:lin.weight");
        check_part(&o, EP_PART_GRADIENTS_TO_USER_INPUTS, "h:x");
        CHECK(ep_signature_input(o.signature, 0, &entry));
        check_entry(&entry, EP_INPUT_PARAMETER, "p", "lin.weight");
        CHECK(ep_signature_input(o.signature, 4, &entry));
        check_entry(&entry, EP_INPUT_USER, "y", "");
        CHECK(ep_signature_output(o.signature, 0, &entry));
        check_entry(&entry, EP_OUTPUT_BUFFER_MUTATION, "m", "bn.mean");
        CHECK(ep_signature_output(o.signature, 4, &entry)); /* gradients come last */
        check_entry(&entry, EP_OUTPUT_GRADIENT_TO_USER_INPUT, "h", "x");
    }
    close_signature(&o);
}

static void test_old(void) {
    check_old("1");
    check_old("1-2023-08");
    opened o;
    if (open_holes(&o, "1",
                   (test_hole[]){{"GraphSignature.user_outputs", "[\"o\"]"}, {NULL, NULL}})) {
        check_part(&o, EP_PART_USER_OUTPUTS, "o:");
        check_part(&o, EP_PART_LOSS_OUTPUT, "");
    }
    close_signature(&o);
}

/* ---------------------------------------------------------------------- renaming */

static void test_rename(void) {
    opened o;
    ep_signature_entry entry;
    if (open_kinds(&o, "8.20")) {
        CHECK_EQ_INT(ep_signature_replace_all_uses(o.signature, EP_TEXT("x"), EP_TEXT("new")), 2);
        check_part(&o, EP_PART_USER_OUTPUTS, "new:");
        check_part(&o, EP_PART_USER_INPUTS_TO_MUTATE, "m:x"); /* a target is no use */
        CHECK_EQ_INT(ep_signature_replace_all_uses(o.signature, EP_TEXT("x"), EP_TEXT("y")), 0);
        CHECK_EQ_INT(ep_signature_replace_all_uses(o.signature, EP_TEXT(""), EP_TEXT("y")), 0);
        CHECK_EQ_INT(ep_signature_replace_all_uses(o.signature, EP_TEXT("b"), EP_TEXT("t")), 2);
        CHECK_EQ_INT(ep_signature_replace_all_uses(o.signature, EP_TEXT("t"), EP_TEXT("u")), 4);
        CHECK(ep_signature_input(o.signature, 6, &entry));
        check_entry(&entry, EP_INPUT_CONSTANT, "", "flag"); /* and a constant has no name */
        ep_signature *again;
        CHECK(ep_signature_open(o.program, &o.arena, &again, NULL)); /* the program is as it was */
        CHECK(ep_signature_input(again, 5, &entry));
        check_text(entry.name, "x");
    }
    close_signature(&o);
}

/* Names with escapes are names without. */
static void test_escaped_names(void) {
    static const char specs[] = "[{\"parameter\": {\"arg\": {\"name\": \"\\u0070\"}, "
                                "\"parameter_name\": \"lin.\\u0077\\n\"}}]";
    opened o;
    if (open_holes(&o, "8.20",
                   (test_hole[]){{"GraphSignature.input_specs", specs}, {NULL, NULL}})) {
        check_part(&o, EP_PART_PARAMETERS, "p:lin.w\n");
        CHECK_EQ_INT(ep_signature_replace_all_uses(o.signature, EP_TEXT("p"), EP_TEXT("q")), 1);
    }
    close_signature(&o);
}

/* ------------------------------------------------------------------------ memory */

/* Each allocation refused in turn: EP_MEMORY, no signature, nothing kept. */
static void test_refused(void) {
    opened o;
    size_t refused = 0;
    if (open_kinds(&o, "8.20")) {
        for (size_t n = 1;; n++) {
            test_heap heap = {.fail_at = n, .fail_on = true};
            ep_arena arena;
            ep_error error;
            ep_signature *signature = o.signature;
            test_arena(&arena, &heap, 0);
            bool ok = ep_signature_open(o.program, &arena, &signature, &error);
            CHECK_EQ_INT(error.code, ok ? EP_OK : EP_MEMORY);
            CHECK_EQ_INT(signature != NULL, ok);
            ep_arena_free(&arena);
            CHECK_EQ_INT(heap.bytes, 0);
            if (ok) {
                break;
            }
            refused++;
        }
    }
    CHECK(refused > 0);
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
    test_arguments();
    test_constants();
    test_persistence();
    test_parts();
    test_capacity();
    test_no_loss();
    test_old();
    test_rename();
    test_escaped_names();
    test_refused();
    test_forward();
    return check_report();
}
