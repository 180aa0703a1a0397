/*
 * test_locate.c - the JSON pointer, line and column of a byte: in each row an
 * @ stands before the byte. SPEC 1.5.3.
 */
#include "base/locate.h"

#include "base/error.h"
#include "check.h"
#include "support.h"

#include <stdlib.h>

typedef struct place_row {
    const char *bytes;
    const char *pointer;
} place_row;

/* Of a value, or of a byte between values. */
static const place_row places[] = {
    {"@", ""},
    {"@{}", ""},
    {"{@}", ""},
    {"{}@", ""},
    {"{} @x", ""},
    {"@12", ""},
    {"1@2", ""},
    {"  @\"abc\"", ""},
    {"\"ab@c\"", ""},
    {"{\"a\": @1}", "/a"},
    {"{\"a\":@ 1}", "/a"},
    {"{\"a\"@: 1}", "/a"},
    {"{\"a\": 1@2}", "/a"},
    {"{\"a\": \"x@y\"}", "/a"},
    {"{\"a\": \"xy\"@}", ""},
    {"{\"a\": 12@}", ""},
    {"{\"a\": 12@", "/a"},
    {"{\"a\": -1@", "/a"},
    {"{\"a\": null@", ""},
    {"{\"a\": true@", ""},
    {"{\"a\": false@", ""},
    {"{\"a\": NaN@", ""},
    {"{\"a\": Infinity@", ""},
    {"{\"a\": -Infinity@", ""},
    {"{\"a\": 12 @}", ""},
    {"{@\"a\": 1}", ""},
    {"{\"a@b\": 1}", ""},
    {"{\"a\": 1@, \"b\": 2}", ""},
    {"{\"a\": 1,@ \"b\": 2}", ""},
    {"{\"a\": 1, @\"b\": 2}", ""},
    {"{\"a\": 1, \"b\": @2}", "/b"},
    {"{\"a\": {\"b\": {\"c\": @x", "/a/b/c"},
    {"{\"a\": {\"b\": {\"c\": 1}@", "/a"},
    {"{\"a\": {\"b\": {\"c\": 1}}, \"d\": @1", "/d"},
    {"[@1]", "/0"},
    {"[ @1]", "/0"},
    {"[@]", ""},
    {"[1@]", ""},
    {"[1,@2]", "/1"},
    {"[1, @2]", "/1"},
    {"[1,@ 2]", "/1"},
    {"[[], {}, @3]", "/2"},
    {"[[1, 2], [3, @4]]", "/1/1"},
    {"[[1, 2]@, 3]", ""},
    {"[{\"a\": [0, {\"b\": @1", "/0/a/1/b"},
    {"{\"a\": [0, 1, 2], \"b\": [3, @4]}", "/b/1"},
    {"{\"\": @1}", "/"},
    {"{\"\": {\"\": @1}}", "//"},
    {"{\"a/b\": @1}", "/a~1b"},
    {"{\"a~b\": @1}", "/a~0b"},
    {"{\"~1/~0\": @1}", "/~01~1~00"},
    {"{\"a\\/b\": [@1]}", "/a~1b/0"},
    {"{\"a/b\": 1, \"c\": @2}", "/c"},
    {"{\"a/b\": [{\"/\": 1}, @2]}", "/a~1b/1"},
    {"{\"\\u0061\\n\": @1}", "/a\n"},
    {"{\"\\\"\": @1}", "/\""},
    {"{\"\xC3\xA9\": @1}", "/\xC3\xA9"},
    {"{\"\\u00e9\": @1}", "/\xC3\xA9"},
    {"{\"\\u0800\\uffff\": @1}", "/\xE0\xA0\x80\xEF\xBF\xBF"},
    {"{\"\\ud83d\\ude00\": @1}", "/\xF0\x9F\x98\x80"},
    {"{\"a,]}:[{\": @1}", "/a,]}:[{"},
    {"[\"a\\\"]\", \"\\\\\", @1]", "/2"},
    {"[\"]\", {\"}\": \"[\"}, @1]", "/2"},
    {"[null, true, -1.5e3, @x]", "/3"},
    {"[0,1,2,3,4,5,6,7,8,@9]", "/9"},
    {"[0,1,2,3,4,5,6,7,8,9,@10]", "/10"},
    {"[0,1,2,3,4,5,6,7,8,9,[@0]]", "/10/0"},
};

/* Of a member, when the byte is its key's quote. */
static const place_row members[] = {
    {"{@\"a\": 1}", "/a"},
    {"{\"b\": 1, @\"a\": 1}", "/a"},
    {"{\"b\": {}, @\"a~\\/\\u00e9\": 1}", "/a~0~1\xC3\xA9"},
    {"[{\"b\": [1, 2], @\"c\": 1}]", "/0/c"},
    {"{\"x\": {@\"\": 1}}", "/x/"},
    {"{\"x\": 1, @\"never ends", ""},
};

/* Of a value that the byte finds incomplete, whatever the byte is. */
static const place_row tokens[] = {
    {"{\"a\": -@}", "/a"},
    {"{\"a\": 1.@ }", "/a"},
    {"{\"a\": [1, 1e@]}", "/a/1"},
    {"[0@1]", "/0"},
    {"-@ ", ""},
    {"{\"a\": -@", "/a"},
    {"{\"a\": n@", "/a"},
    {"{\"a\": nul@", "/a"},
    {"{\"a\": fals@", "/a"},
    {"{\"a\": -Infi@", "/a"},
    {"{\"a\": -Infinit@", "/a"},
};

static void locate(const char *bytes, ep_place place, ep_error *error) {
    test_text text = {0};
    test_add_str(&text, bytes);
    size_t at = test_take_mark(&text);
    memset(error, 0, sizeof *error);
    CHECK_NOTE(at != SIZE_MAX, bytes);
    ep_locate(test_text_exact(&text), at, place, error);
    test_text_free(&text);
}

static void check_places(const place_row *rows, size_t n, ep_place place) {
    for (size_t i = 0; i < n; i++) {
        ep_error error;
        locate(rows[i].bytes, place, &error);
        if (!CHECK_EQ_STR(error.pointer, strlen(error.pointer), rows[i].pointer)) {
            fprintf(stderr, "    of %s\n", rows[i].bytes);
        }
        CHECK(!error.pointer_cut);
    }
}

/* Indices count up through every length of decimal. */
static void test_indices(void) {
    for (size_t n = 0; n < 12000; n += n < 200 ? 1 : 37) {
        test_text text = {0};
        char pointer[32];
        ep_error error = {.code = EP_OK};
        snprintf(pointer, sizeof pointer, "/%zu", n);
        test_add_str(&text, "[");
        test_add_repeat(&text, "0,", n);
        size_t at = text.size;
        test_add_str(&text, "x]");
        ep_locate(test_text_exact(&text), at, EP_PLACE_VALUE, &error);
        CHECK_EQ_STR(error.pointer, strlen(error.pointer), pointer);
        test_text_free(&text);
    }
}

/* A pointer that does not fit is cut at a segment, never within one, and what
 * comes after the long part is right again. */
static void test_cut(void) {
    for (size_t size = 240; size < 270; size++) {
        test_text text = {0};
        ep_error error = {.code = EP_OK};
        test_add_str(&text, "{\"a\": {\"");
        test_add_repeat(&text, "k", size);
        test_add_str(&text, "\": [0, {\"b\": 1}, ");
        size_t inside = text.size;
        test_add_str(&text, "x]}, \"after\": ");
        size_t after = text.size;
        test_add_str(&text, "1}");
        ep_bytes input = test_text_exact(&text);
        ep_locate(input, inside, EP_PLACE_VALUE, &error);
        size_t whole = 2 + 1 + size + 2; /* /a, /kkk, /2 */
        CHECK_EQ_INT(error.pointer_cut, whole > EP_POINTER_SIZE - 1);
        size_t fits = whole;
        fits = whole > 255 ? whole - 2 : fits;
        fits = whole - 2 > 255 ? 2 : fits;
        CHECK_EQ_INT(strlen(error.pointer), fits);
        ep_locate(input, after, EP_PLACE_VALUE, &error);
        CHECK_EQ_STR(error.pointer, strlen(error.pointer), "/after");
        CHECK(!error.pointer_cut);
        test_text_free(&text);
    }
}

/* An escape, a scalar value of several bytes and an index that grows, each at
 * the edge of the room. */
static void test_edges(void) {
    static const char *const ends[] = {"~", "/", "\xC3\xA9", "\xF0\x9F\x98\x80", "\xE2\x82\xAC"};
    for (size_t size = 240; size < 260; size++) {
        for (size_t i = 0; i < EP_COUNT_OF(ends); i++) {
            test_text text = {0};
            ep_error error = {.code = EP_OK};
            test_add_str(&text, "{\"a\": {\"");
            test_add_repeat(&text, "k", size);
            test_add_str(&text, ends[i]);
            test_add_str(&text, "\": ");
            size_t at = text.size;
            test_add_str(&text, "x}}");
            ep_locate(test_text_exact(&text), at, EP_PLACE_VALUE, &error);
            size_t written = ends[i][1] == '\0' ? 2 : strlen(ends[i]);
            bool cut = 3 + size + written > 255;
            CHECK_EQ_INT(error.pointer_cut, cut);
            CHECK_EQ_INT(strlen(error.pointer), cut ? 2 : 3 + size + written);
            test_text_free(&text);
        }
    }
}

static void test_growing_index(void) {
    for (size_t size = 245; size < 256; size++) {
        for (size_t index = 5; index < 1200; index += index < 20 ? 1 : 97) {
            test_text text = {0};
            ep_error error = {.code = EP_OK};
            test_add_str(&text, "{\"");
            test_add_repeat(&text, "k", size);
            test_add_str(&text, "\": [");
            test_add_repeat(&text, "1,", index);
            size_t at = text.size;
            test_add_str(&text, "x, {\"a\": 1}], \"z\": ");
            size_t after = text.size;
            test_add_str(&text, "x");
            ep_bytes input = test_text_exact(&text);
            ep_locate(input, at, EP_PLACE_VALUE, &error);
            size_t digits = index < 10 ? 1 : index < 100 ? 2 : index < 1000 ? 3 : 4;
            bool cut = 2 + size + digits > 255;
            CHECK_EQ_INT(error.pointer_cut, cut);
            bool key_cut = 1 + size > 255;
            CHECK_EQ_INT(strlen(error.pointer), key_cut ? 0 : cut ? 1 + size : 2 + size + digits);
            ep_locate(input, after, EP_PLACE_VALUE, &error);
            CHECK_EQ_STR(error.pointer, strlen(error.pointer), "/z");
            test_text_free(&text);
        }
    }
}

/* As deep as it goes, in both kinds of containers. */
static void test_deep(void) {
    static const char *const opens[] = {"[", "{\"\":"};
    for (size_t kind = 0; kind < 2; kind++) {
        test_text text = {0};
        ep_error error = {.code = EP_OK};
        test_add_repeat(&text, opens[kind], EP_DEPTH_MAX);
        size_t deepest = text.size;
        test_add_str(&text, "x");
        ep_locate(test_text_exact(&text), deepest, EP_PLACE_VALUE, &error);
        CHECK(error.pointer_cut);
        CHECK_EQ_INT(strlen(error.pointer), kind == 0 ? 254 : 255);
        test_text_free(&text);
    }
    test_text text = {0};
    ep_error error = {.code = EP_OK};
    test_add_str(&text, "{\"a\": ");
    test_add_repeat(&text, "[", 60000);
    test_add_repeat(&text, "]", 60000);
    test_add_str(&text, ", \"b\": ");
    size_t at = text.size;
    test_add_str(&text, "x");
    ep_locate(test_text_exact(&text), at, EP_PLACE_VALUE, &error);
    CHECK_EQ_STR(error.pointer, strlen(error.pointer), "/b");
    CHECK(!error.pointer_cut);
    test_text_free(&text);
}

/* Lines end at a line feed, columns count bytes from 1. */
static void test_lines(void) {
    static const struct {
        const char *bytes;
        size_t line;
        size_t column;
    } rows[] = {
        {"@x", 1, 1},
        {"[@x", 1, 2},
        {"\n@x", 2, 1},
        {"\n\n @x", 3, 2},
        {"[\r\n@x", 2, 1},
        {"[\r@x", 1, 3},
        {"[1,\n2,\n  3, @x", 3, 6},
        {"[\"\xC3\xA9\", @x", 1, 8},
        {"[\n@", 2, 1},
        {"[@\n", 1, 2},
    };
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        test_text text = {0};
        test_add_str(&text, rows[i].bytes);
        ep_fault fault = {.code = EP_SYNTAX, .offset = test_take_mark(&text)};
        ep_error error;
        memset(&error, 0xEE, sizeof error);
        ep_error_fill(&error, test_text_exact(&text), &fault);
        CHECK_EQ_INT(error.code, EP_SYNTAX);
        CHECK_EQ_INT(error.offset, fault.offset);
        CHECK_EQ_INT(error.line, rows[i].line);
        CHECK_EQ_INT(error.column, rows[i].column);
        CHECK_EQ_STR(error.detail, strlen(error.detail), "");
        test_text_free(&text);
    }
}

/* The detail is joined of names, and cut where the room ends. */
static void test_details(void) {
    ep_error error;
    ep_fault fault = {.code = EP_TYPE, .type = "T", .member = "m", .expected = "an x"};
    ep_error_fill(&error, EP_TEXT("1"), &fault);
    CHECK_EQ_STR(error.detail, strlen(error.detail), "T.m: expected an x");
    fault = (ep_fault){.code = EP_TYPE, .expected = "an x"};
    ep_error_fill(&error, EP_TEXT("1"), &fault);
    CHECK_EQ_STR(error.detail, strlen(error.detail), "expected an x");
    char name[2 * EP_DETAIL_SIZE] = {0};
    memset(name, 'n', sizeof name - 1);
    fault = (ep_fault){.code = EP_TYPE, .type = name, .member = name, .expected = name};
    ep_error_fill(&error, EP_TEXT("1"), &fault);
    CHECK_EQ_INT(strlen(error.detail), EP_DETAIL_SIZE - 1);
    ep_error_fill(NULL, EP_TEXT("1"), &fault);
}

int main(void) {
    check_places(places, EP_COUNT_OF(places), EP_PLACE_VALUE);
    check_places(members, EP_COUNT_OF(members), EP_PLACE_KEY);
    check_places(tokens, EP_COUNT_OF(tokens), EP_PLACE_TOKEN);
    test_indices();
    test_cut();
    test_edges();
    test_growing_index();
    test_deep();
    test_lines();
    test_details();
    return check_report();
}
