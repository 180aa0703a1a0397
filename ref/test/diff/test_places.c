/*
 * test_places.c - where a difference is told to be: numbers inside lists,
 * what stands under a key, items that only one file has, keys with escapes, and
 * documents that are spaced in other ways. test_diff.c has what differs.
 */
#include "brief.h"

#include <stdlib.h>

/* What was heard of the first difference. */
typedef struct heard {
    size_t count;
    char texts[2][200];
    size_t columns[2];
    bool there[2];
} heard;

static void hear(void *context, const ep_difference *difference) {
    heard *h = context;
    if (h->count++ > 0) {
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        const ep_diff_side *side = &difference->sides[i];
        h->there[i] = side->there;
        h->columns[i] = side->place.column;
        size_t n = 0;
        for (size_t k = 0; k < side->text.size && n + 1 < sizeof h->texts[i]; k++) {
            char c = side->text.data[k];
            if ((unsigned char)c > ' ') { /* the strings here have no white space */
                h->texts[i][n++] = c;
            }
        }
        h->texts[i][n] = '\0';
    }
}

/* Every comma, colon and bracket outside strings with other white space behind it,
 * and those that end a value with it before them, too. */
static void space(test_text *text, const char *white) {
    test_text made = {0};
    bool inside = false;
    for (size_t i = 0; i < text->size; i++) {
        char c = text->data[i];
        inside = inside != (c == '"' && text->data[i - 1] != '\\');
        if (!inside && strchr(",]}", c) != NULL) {
            test_add_str(&made, white);
        }
        if (inside || c != ' ') {
            test_add(&made, &c, 1);
        }
        if (!inside && strchr(",:[{", c) != NULL) {
            test_add_str(&made, white);
        }
    }
    test_text_free(text);
    *text = made;
}

static bool decode(ep_arena *arena, test_text *text, const ep_program **program) {
    ep_error error;
    return CHECK_NOTE(ep_decode(arena, test_text_exact(text), NULL, program, &error),
                      error.pointer);
}

/* The first difference of two texts. */
static void compare(test_text texts[2], heard *h) {
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    ep_diff_result result;
    const ep_program *programs[2];
    ep_diff_options options = ep_diff_options_default();
    *h = (heard){.count = 0};
    options.hear = hear;
    options.hear_context = h;
    test_arena(&arena, &heap, 0);
    if (decode(&arena, &texts[0], &programs[0]) && decode(&arena, &texts[1], &programs[1])) {
        CHECK_NOTE(ep_diff(programs, &arena, &options, &result, &error), error.pointer);
        CHECK_EQ_INT(result.told, h->count);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
}

/* Two programs, what is told of each, in one line and in many. */
static void expect(const brief *a, const brief *b, const char *first, const char *second) {
    static const char *const whites[] = {" ", "", "\n\t", "\t\n", "\r\n  "};
    for (size_t i = 0; i < sizeof whites / sizeof whites[0]; i++) {
        test_text texts[2] = {{0}, {0}};
        heard h;
        add_program(&texts[0], a);
        add_program(&texts[1], b);
        space(&texts[0], whites[i]);
        space(&texts[1], whites[i]);
        compare(texts, &h);
        CHECK_NOTE(h.count > 0 && h.there[0] == (first != NULL) && h.there[1] == (second != NULL),
                   h.texts[0]);
        if (strchr(first == NULL ? second : first, '{') == NULL) {
            CHECK_EQ_STR(h.texts[0], strlen(h.texts[0]), first == NULL ? "" : first);
            CHECK_EQ_STR(h.texts[1], strlen(h.texts[1]), second == NULL ? "" : second);
        }
        CHECK(h.columns[0] > 0 || h.columns[1] > 0);
        test_text_free(&texts[0]);
        test_text_free(&texts[1]);
    }
}

#define SIZED(list) SIZED_BY(VALUES2("x", "y"), list)
#define SIZED_BY(values, list)                                                                     \
    INPUTS("<x>"), OUTPUTS("<y>"), VALUES(values), INS(USER("input", "x")),                        \
        OUTS(USER("output", "y")),                                                                 \
        NODES(NODE("torch.ops.mine.f.default", IN("self", "<x>") ", " IN("size", list), "<y>"))
#define INTS(items) "{\"as_ints\": [" items "]}"

/* A number has its place in the list that it is in. */
static void test_items(void) {
    expect(PROGRAM(SIZED(INTS("2, 3"))), PROGRAM(SIZED(INTS("2, 4"))), "3", "4");
    expect(PROGRAM(SIZED(INTS("2, 3"))), PROGRAM(SIZED(INTS("2"))), "[2,3]", "[2]");
    expect(PROGRAM(SIZED(INTS("2"))), PROGRAM(SIZED(INTS("2, 3"))), "[2]", "[2,3]");
    expect(PROGRAM(SIZED(INTS(""))), PROGRAM(SIZED(INTS("7"))), "[]", "[7]");
    expect(PROGRAM(SIZED("{\"as_bools\": [true, false, true]}")),
           PROGRAM(SIZED("{\"as_bools\": [true, false, false]}")), "true", "false");
    expect(PROGRAM(SIZED("{\"as_floats\": [0.5, 1.0]}")),
           PROGRAM(SIZED("{\"as_floats\": [0.5, 1.5]}")), "1.0", "1.5");
    expect(PROGRAM(SIZED("{\"as_int_lists\": [[1], [2, 3]]}")),
           PROGRAM(SIZED("{\"as_int_lists\": [[1], [2, 4]]}")), "3", "4");
    expect(PROGRAM(SIZED("{\"as_string\": \"a\\\\\\\"b\"}")),
           PROGRAM(SIZED("{\"as_string\": \"a\\\\\\\"c\"}")), "\"a\\\\\\\"b\"", "\"a\\\\\\\"c\"");
}

#define MODULES(dict)                                                                              \
    SIZED(INTS("2")), {                                                                            \
        "GraphModule.metadata", dict                                                               \
    }
/* The range of s0, which is the size of x, and others. */
#define RANGES(dict)                                                                               \
    SIZED_BY("{\"x\": " META("7", EXPR(S("s0")), "false", "\"type\": \"cpu\"", INT("1"), INT("0"), \
                             "7") ", \"y\": ~}",                                                   \
             INTS("2")),                                                                           \
    {                                                                                              \
        "ExportedProgram.range_constraints", dict                                                  \
    }

/* What stands under a key. */
static void test_keys(void) {
    expect(PROGRAM(MODULES("{\"k\": \"1\"}")), PROGRAM(MODULES("{\"k\": \"2\"}")), "\"1\"",
           "\"2\"");
    expect(PROGRAM(MODULES("{\"k\": \"1\"}")), PROGRAM(MODULES("{}")), "\"1\"", NULL);
    expect(PROGRAM(MODULES("{}")), PROGRAM(MODULES("{\"\\u006b\\n\": \"1\"}")), NULL, "\"1\"");
    expect(PROGRAM(RANGES("{\"s0\": {\"min_val\": 2, \"max_val\": 9}}")),
           PROGRAM(RANGES("{\"s0\": {\"min_val\": 2, \"max_val\": null}}")), "9", "null");
    expect(PROGRAM(RANGES("{\"s0\": {\"min_val\": 2, \"max_val\": 9}, \"s0*2\": {\"min_val\": 4, "
                          "\"max_val\": 9}}")),
           PROGRAM(RANGES("{\"s0\": {\"min_val\": 2, \"max_val\": 9}}")), "{", NULL);
}

/* A long text is cut before and behind what differs, between two characters. */
static void test_cut(void) {
    for (size_t shift = 0; shift < 4; shift++) {
        test_text texts[2] = {{0}, {0}};
        heard h;
        for (size_t i = 0; i < 2; i++) {
            test_text dict = {0};
            test_add_str(&dict, "{\"k\": \"");
            test_add_repeat(&dict, "\xF0\x9F\x98\x80", 50);
            test_add_repeat(&dict, "x", shift);
            test_add_str(&dict, i == 0 ? "a" : "b");
            test_add_repeat(&dict, "\xF0\x9F\x98\x80", i == 0 ? 50 : 0);
            test_add(&dict, "\"}", 3);
            add_program(&texts[i], PROGRAM(MODULES(dict.data)));
            test_text_free(&dict);
        }
        compare(texts, &h);
        for (size_t i = 0; i < 2; i++) {
            size_t size = strlen(h.texts[i]);
            CHECK(size > 40 && size <= 123 && h.texts[i][0] == '\xF0');
            CHECK(i == 1 || h.texts[i][size - 4] == '\xF0');
        }
        test_text_free(&texts[0]);
        test_text_free(&texts[1]);
    }
}

/* The second is not longer than what is shown. */
static void test_short(void) {
    test_text texts[2] = {{0}, {0}};
    heard h;
    for (size_t i = 0; i < 2; i++) {
        test_text dict = {0};
        test_add_str(&dict, "{\"k\": \"");
        test_add_repeat(&dict, "x", i == 0 ? 200 : 100);
        test_add(&dict, "\"}", 3);
        add_program(&texts[i], PROGRAM(MODULES(dict.data)));
        test_text_free(&dict);
    }
    compare(texts, &h);
    CHECK_EQ_INT(strlen(h.texts[0]), 120);
    CHECK_EQ_INT(strlen(h.texts[1]), 102);
    test_text_free(&texts[0]);
    test_text_free(&texts[1]);
}

int main(void) {
    test_items();
    test_keys();
    test_cut();
    test_short();
    return check_report();
}
