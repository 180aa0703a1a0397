/*
 * test_passage.c - strings opened for the parsers of what stands in them, and
 * the way back of a fault through every string to the byte of the file.
 */
#include "json/passage.h"

#include "check.h"
#include "quoted.h"
#include "json/lexer.h"

/* ------------------------------------------------------------------ in the file */

/* A text with its parts as they stand in a string, and what they say. */
typedef struct part {
    const char *raw;
    const char *text;
} part;

static const part parts[] = {
    {"a", "a"},
    {"\\n", "\n"},
    {"\\\"", "\""},
    {"\\\\", "\\"},
    {"\xC3\xA9", "\xC3\xA9"},
    {"\\u00e9", "\xC3\xA9"},
    {"\\u20ac", "\xE2\x82\xAC"},
    {"\\ud83d\\ude00", "\xF0\x9F\x98\x80"},
    {"\\u0041", "A"},
    {"\\/", "/"},
    {"z", "z"},
};

enum { PARTS = sizeof parts / sizeof parts[0] };

/* Opens {"s": "RAW"}. */
static bool open_raw(quoted *s, const char *raw) {
    *s = (quoted){0};
    test_add_str(&s->file, "{\"s\": \"");
    test_add_str(&s->file, raw);
    test_add_str(&s->file, "\"}");
    return quoted_open(s);
}

/* Every byte of a text comes from the first byte of what makes it. */
static void check_places(const ep_passage *passage, size_t before) {
    const char *at = passage->text.data;
    size_t place = before;
    for (size_t i = 0; i < PARTS; i++) {
        for (size_t j = 0; j < strlen(parts[i].text); j++, at++) {
            bool bare = strcmp(parts[i].raw, parts[i].text) == 0;
            size_t offset = ep_passage_offset(passage, at);
            /* what has no escape is cut by scalar values too */
            if (!CHECK(offset == place || (bare && offset == place + j))) {
                fprintf(stderr, "    part %zu, byte %zu: %zu, not %zu\n", i, j, offset, place);
            }
        }
        place += strlen(parts[i].raw);
    }
    CHECK_EQ_INT(ep_passage_offset(passage, at), place); /* the end is a place too */
}

static void test_escapes(void) {
    quoted s;
    test_text raw = {0}, text = {0};
    for (size_t i = 0; i < PARTS; i++) {
        test_add_str(&raw, parts[i].raw);
        test_add_str(&text, parts[i].text);
    }
    test_add(&raw, "", 1);
    if (CHECK(open_raw(&s, raw.data))) {
        CHECK_EQ_BYTES(s.passage.text.data, s.passage.text.size, text.data, text.size);
        CHECK(s.passage.outer == NULL);
        CHECK_EQ_INT(s.passage.offset, QUOTED_BEFORE);
        check_places(&s.passage, QUOTED_BEFORE);
    }
    quoted_close(&s);
    test_text_free(&raw);
    test_text_free(&text);
}

/* What has no escapes is not copied. */
static void test_plain(void) {
    quoted s;
    if (CHECK(open_raw(&s, "plain \xC3\xA9"))) {
        CHECK(s.passage.text.data == s.file.data + QUOTED_BEFORE);
        CHECK_EQ_INT(s.heap.calls, 0);
        for (size_t i = 0; i <= s.passage.text.size; i++) {
            CHECK_EQ_INT(ep_passage_offset(&s.passage, s.passage.text.data + i), QUOTED_BEFORE + i);
        }
    }
    quoted_close(&s);
    if (CHECK(open_raw(&s, ""))) {
        CHECK_EQ_INT(s.passage.text.size, 0);
        CHECK_EQ_INT(ep_passage_offset(&s.passage, s.passage.text.data), QUOTED_BEFORE);
    }
    quoted_close(&s);
}

/* ------------------------------------------------------------ strings in strings */

static bool find_string(const ep_passage *passage, ep_fault *fault, ep_ref *ref) {
    ep_bytes text = passage->text;
    const char *quote = memchr(text.data, '"', text.size);
    ep_lexer lexer = {text.data, quote, text.data + text.size, EP_REF_SIZE_MAX, fault};
    return CHECK(quote != NULL) && CHECK(ep_lex_string(&lexer, ref));
}

/* [1, "x: [2, \"\\ty\u00e9\"]"], in a string of a string of the file. */
static void test_nested(void) {
    static const char raw[] = "[1, \\\"x: [2, \\\\\\\"\\\\\\\\ty\\\\u00e9\\\\\\\"]\\\"]";
    quoted s;
    ep_passage middle, inner;
    ep_ref ref;
    if (CHECK(open_raw(&s, raw)) && find_string(&s.passage, &s.fault, &ref) &&
        CHECK(ep_passage_open_inner(&middle, &s.arena, &s.passage, ref)) &&
        CHECK_EQ_STR(middle.text.data, middle.text.size, "x: [2, \"\\ty\xC3\xA9\"]") &&
        find_string(&middle, &s.fault, &ref) &&
        CHECK(ep_passage_open_inner(&inner, &s.arena, &middle, ref)) &&
        CHECK_EQ_STR(inner.text.data, inner.text.size, "\ty\xC3\xA9")) {
        const char *file = s.file.data;
        CHECK(memcmp(file + ep_passage_offset(&middle, middle.text.data), "x: [2", 5) == 0);
        CHECK(memcmp(file + ep_passage_offset(&middle, middle.text.data + 4), "2, ", 3) == 0);
        CHECK(memcmp(file + ep_passage_offset(&inner, inner.text.data), "\\\\\\\\ty", 6) == 0);
        CHECK(memcmp(file + ep_passage_offset(&inner, inner.text.data + 1), "y\\\\u00e9", 8) == 0);
        CHECK(memcmp(file + ep_passage_offset(&inner, inner.text.data + 2), "\\\\u00e9", 7) == 0);
        const char *end = inner.text.data + inner.text.size;
        CHECK(memcmp(file + ep_passage_offset(&inner, end), "\\\\\\\"]", 5) == 0);
        CHECK(inner.outer == &middle && middle.outer == &s.passage);
    }
    quoted_close(&s);
}

static void test_fail(void) {
    quoted s;
    ep_fault fault = {.code = EP_OK};
    if (CHECK(open_raw(&s, "a\\nb"))) {
        CHECK(!ep_passage_fail(&s.passage, &fault, EP_EXPR, s.passage.text.data + 2, "an end"));
        CHECK_EQ_INT(fault.code, EP_EXPR);
        CHECK_EQ_INT(fault.offset, QUOTED_BEFORE + 3);
        CHECK_EQ_INT(fault.place, EP_PLACE_TOKEN);
        CHECK_EQ_STR(fault.expected, strlen(fault.expected), "an end");
    }
    quoted_close(&s);
}

static void test_refused(void) {
    quoted s = {0};
    test_add_str(&s.file, "{\"s\": \"a\\nb\"}");
    s.heap = (test_heap){.fail_at = 1, .fail_on = true};
    CHECK(!quoted_open(&s));
    quoted_close(&s);
}

int main(void) {
    test_escapes();
    test_plain();
    test_nested();
    test_fail();
    test_refused();
    return check_report();
}
