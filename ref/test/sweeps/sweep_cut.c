/*
 * sweep_cut.c - documents that end too early, at each byte, where the version is
 * known before: then nobody has gone through the whole document first. With the
 * white space of PyTorch, with none, and with more of it. Then with a wrong byte
 * outside strings; long parts, cut inside; and what is read forward, without memory.
 * usage:
 *
 *     sweep_cut FILE...
 */
#include "check.h"
#include "epref.h"
#include "support.h"

/* The text with this after each comma, colon and bracket outside strings. */
static void space(const test_text *text, const char *white, test_text *made) {
    bool inside = false;
    for (size_t i = 0; i < text->size; i++) {
        char c = text->data[i];
        if (inside && c == '\\') {
            test_add(made, text->data + i++, 2);
            continue;
        }
        inside = inside != (c == '"');
        if (inside || c != ' ') {
            test_add(made, &c, 1);
        }
        if (!inside && strchr(",:[{", c) != NULL) {
            test_add_str(made, white);
        }
    }
}

/* What is said of the first bytes of a text, which are all that there is; where the
 * allocation of this number is refused, and all after it, unless it is 0. */
static ep_code decode_as(const test_text *text, size_t size, const ep_version *version,
                         bool forward, size_t fail_at) {
    ep_arena arena;
    test_heap heap = {.fail_at = fail_at, .fail_on = true, .apart = &arena};
    test_text part = {0};
    ep_error error;
    const ep_program *program;
    ep_decode_options options = ep_decode_options_default();
    options.version = version;
    options.forward = forward;
    test_arena(&arena, &heap, 0);
    test_add(&part, text->data, size);
    if (!ep_decode(&arena, test_text_exact(&part), &options, &program, &error)) {
        CHECK(error.offset <= size);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    test_text_free(&part);
    return error.code;
}

static ep_code decode(const test_text *text, size_t size, const ep_version *version) {
    return decode_as(text, size, version, false, 0);
}

/* At the end of the document its version may be looked for. */
static void cut_version(void) {
    test_text text = {0};
    test_add_str(&text, "{\"schema_version\":     ");
    CHECK_EQ_INT(decode(&text, text.size, NULL), EP_END);
    test_text_free(&text);
}

/* Of a whole document of its own version; NULL if it is none. */
static const ep_version *version_of(const test_text *text) {
    test_heap heap = {0};
    ep_arena arena;
    const ep_program *program;
    const ep_version *version = NULL;
    test_arena(&arena, &heap, 0);
    if (ep_decode(&arena, (ep_bytes){text->data, text->size}, NULL, &program, NULL)) {
        version = ep_program_version(program);
    }
    ep_arena_free(&arena);
    return version;
}

static void cut(const char *path, const test_text *text, const ep_version *version) {
    size_t end = text->size;
    while (text->data[end - 1] != '}') {
        end--;
    }
    CHECK_EQ_INT(decode(text, text->size, version), EP_OK);
    for (size_t size = 0; size < end; size++) {
        ep_code code = decode(text, size, version);
        if (!CHECK(code != EP_OK && code != EP_INTERNAL && code != EP_MEMORY)) {
            fprintf(stderr, "    %s, %zu bytes: %s\n", path, size, ep_code_name(code));
        }
    }
}

/* A byte that stands nowhere outside strings, in the place of each. */
static void spoil(const char *path, const test_text *text, const ep_version *version) {
    bool inside = false;
    for (size_t i = 0; i < text->size; i++) {
        char c = text->data[i];
        if (inside && c == '\\') {
            i++;
            continue;
        }
        inside = inside != (c == '"');
        if (inside || strchr(" \n\t", c) != NULL) {
            continue;
        }
        text->data[i] = '#';
        ep_code code = decode(text, text->size, version);
        text->data[i] = c;
        if (!CHECK(code != EP_OK && code != EP_INTERNAL && code != EP_MEMORY)) {
            fprintf(stderr, "    %s, byte %zu spoiled: %s\n", path, i, ep_code_name(code));
        }
    }
}

#define TEXT "\"a text that is longer than any name of a field, so that it can be what is cut\""
#define ARG(arg) "{\"name\": " TEXT ", \"arg\": " arg "}"
#define GIVEN(arg)                                                                                 \
    "[{\"target\": " TEXT ", \"inputs\": [" ARG(arg) "], \"outputs\": [], \"metadata\": {" TEXT    \
                                                     ": " TEXT "}}]"
#define SYMBOL(sym) "{\"n\": " sym "}"

/* Parts of programs with long texts, with tags that are none, and with nulls where
 * there can be none: what is read whole and quickly. */
static const test_hole holes[] = {
    {"Graph.inputs", "[{\"as_tensor\": {\"name\": " TEXT "}}, {\"as_string\": " TEXT "}]"},
    {"Graph.inputs", "[{" TEXT ": 1}]"},
    {"Graph.inputs", "[{\"as_int\": null}]"},
    {"Graph.inputs", "[{\"as_tensor\": null}]"},
    {"Graph.inputs", "[{\"as_tensor\": {\"name\": null}}]"},
    {"Graph.nodes", GIVEN("{\"as_string\": " TEXT "}")},
    {"Graph.nodes", GIVEN("{\"as_strings\": [" TEXT ", " TEXT "]}")},
    {"Graph.nodes", GIVEN("{\"as_strings\": null}")},
    {"Graph.nodes", GIVEN("{\"as_tensors\": [{\"name\": " TEXT "}]}")},
    {"Graph.nodes", GIVEN("{\"as_tensors\": [null]}")},
    {"Graph.nodes", GIVEN("{\"as_sym_int\": {\"as_name\": " TEXT "}}")},
    {"Graph.nodes", GIVEN("{\"as_sym_int\": {\"as_int\": null}}")},
    {"Graph.nodes", GIVEN("{\"as_sym_int\": {" TEXT ": 1}}")},
    {"Graph.nodes", GIVEN("{\"as_sym_ints\": [{\"as_name\": " TEXT "}]}")},
    {"Graph.nodes", GIVEN("{\"as_sym_ints\": [{" TEXT ": 1}]}")},
    {"Graph.nodes", GIVEN("{\"as_optional_tensors\": [{\"as_tensor\": {\"name\": " TEXT "}}]}")},
    {"Graph.nodes", GIVEN("{\"as_optional_tensors\": [{\"as_none\": null}]}")},
    {"Graph.nodes", GIVEN("{\"as_optional_tensors\": [{" TEXT ": 1}]}")},
    {"Graph.nodes", GIVEN("{\"as_custom_obj\": {\"name\": " TEXT ", \"class_fqn\": " TEXT "}}")},
    {"Graph.nodes", GIVEN("{\"as_device\": {\"type\": " TEXT ", \"index\": nall}}")},
    {"Graph.nodes", GIVEN("{\"as_device\": {\"type\": " TEXT "}}")},
    {"Graph.nodes", GIVEN("{\"as_complex\": {\"real\": 1.0, \"imag\": null}}")},
    {"Graph.sym_int_values", SYMBOL("{\"as_expr\": {\"expr_str\": " TEXT "}}")},
    {"Graph.sym_int_values",
     SYMBOL("{\"as_expr\": {\"expr_str\": " TEXT ", \"hint\": {\"as_int\": 1}}}")},
    {"Graph.sym_int_values",
     SYMBOL("{\"as_expr\": {\"expr_str\": " TEXT ", \"hint\": {\"as_int\": null}}}")},
    {"Graph.sym_int_values",
     SYMBOL("{\"as_expr\": {\"expr_str\": " TEXT ", \"hint\": {" TEXT ": 1}}}")},
    {"Graph.sym_int_values", SYMBOL("{\"as_expr\": {\"expr_str\": " TEXT ", \"hint\": nall}}")},
    {"Graph.sym_int_values", SYMBOL("{\"as_expr\": null}")},
    {"Graph.sym_int_values", SYMBOL("{\"as_int\": null}")},
    {"Graph.sym_int_values", SYMBOL("{" TEXT ": 1}")},
    {"Graph.inputs", "[{\"$type\": \"as_none\", \"$value\": [ ]}]"},
    {"Graph.inputs", "[{\"$type\": \"as_int\", \"$value\": 1, \"as_int\": 1}]"},
};

/* Cut off in the hole or behind it. */
static void cut_holes(void) {
    for (size_t i = 0; i < sizeof holes / sizeof holes[0]; i++) {
        bool typed = strstr(holes[i].text, "$type") != NULL;
        const ep_version *version = ep_version_find(typed ? "4.2" : "8.20");
        test_text text = {0};
        test_program_with(&text, version->name, holes[i].field, holes[i].text);
        test_add(&text, "", 1);
        size_t from = (size_t)(strstr(text.data, holes[i].text) - text.data);
        size_t size = text.size - 1;
        CHECK(decode(&text, size, version) != EP_INTERNAL);
        for (size_t end = from; end < size; end++) {
            ep_code code = decode(&text, end, version);
            if (!CHECK(code != EP_OK && code != EP_INTERNAL && code != EP_MEMORY)) {
                fprintf(stderr, "    %s, %zu bytes: %s\n", holes[i].text, end, ep_code_name(code));
            }
        }
        test_text_free(&text);
    }
}

/* What a later version says may be passed over, where it is JSON. */
static void read_forward(void) {
    static const struct {
        const char *version;
        const char *number;
        const char *inputs;
        ep_code code;
    } rows[] = {
        {"8.20", "{\"major\": 8, \"minor\": 21}", "[{\"as_new\": 1 }]", EP_OK},
        {"8.20", "{\"major\": 8, \"minor\": 21}",
         "[{\"as_tensor\": {\"name\": \"x\", \"new\": {\"a\": {\"b\": 1}, \"c\": 2}}}]", EP_OK},
        {"2.1", "{\"major\": 2, \"minor\": 9}", "[{\"as_new\": {\"a\": {\"b\": 1}, \"c\": 2}}]",
         EP_MISSING_FIELD},
        {"8.20", "{\"major\": 8, \"minor\": 21}",
         "[{\"as_tensor\": {\"name\": \"x\", \"new\": [1,]}}]", EP_SYNTAX},
        {"2.1", "{\"major\": 2, \"minor\": 9}", "[{\"as_new\": [1,]}]", EP_SYNTAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const test_hole both[] = {{"Graph.inputs", rows[i].inputs},
                                  {"ExportedProgram.schema_version", rows[i].number},
                                  {NULL, NULL}};
        test_text text = {0};
        test_program(&text, rows[i].version, both);
        const ep_version *version = ep_version_find(rows[i].version);
        CHECK_EQ_INT(decode_as(&text, text.size, version, true, 0), rows[i].code);
        ep_code code = EP_MEMORY;
        size_t fail_at = 1;
        for (; code == EP_MEMORY && fail_at < 1000; fail_at++) {
            code = decode_as(&text, text.size, version, true, fail_at);
        }
        CHECK(code == rows[i].code && fail_at > 3);
        test_text_free(&text);
    }
}

int main(int argc, char **argv) {
    static const char *const spaces[] = {"", " ", "\n\t"};
    for (int i = 1; i < argc; i++) {
        test_text text = {0};
        if (!CHECK_NOTE(test_read_file(argv[i], &text), argv[i])) {
            continue;
        }
        const ep_version *version = version_of(&text);
        for (size_t j = 0; CHECK(version != NULL) && j < 3; j++) {
            test_text made = {0};
            space(&text, spaces[j], &made);
            cut(argv[i], &made, version);
            spoil(argv[i], &made, version);
            test_text_free(&made);
        }
        if (version != NULL) {
            cut(argv[i], &text, version);
            spoil(argv[i], &text, version);
        }
        test_text_free(&text);
    }
    cut_version();
    cut_holes();
    read_forward();
    CHECK(argc > 1);
    return check_report();
}
