/*
 * test_text.c - strings as the tree keeps them: references, decoding,
 * comparison and hash. Strings are written as JSON and read by the lexer, as
 * they always are.
 */
#include "base/text.h"

#include "check.h"
#include "support.h"
#include "json/lexer.h"

static ep_ref lex(const char *json) {
    ep_fault fault = {.code = EP_OK};
    ep_lexer lexer = {json, json, json + strlen(json), 1000, &fault};
    ep_ref ref = 0;
    CHECK_NOTE(ep_lex_string(&lexer, &ref) && lexer.p == lexer.end, json);
    return ref;
}

typedef struct text_row {
    const char *json; /* with its quotes */
    const char *text;
    size_t size;
    unsigned flags;
} text_row;

enum { PLAIN = 0, ESC = EP_REF_ESCAPED, FOREIGN = EP_REF_FOREIGN, BOTH = ESC | FOREIGN };

static const text_row rows[] = {
    {"\"\"", "", 0, PLAIN},
    {"\"a\"", "a", 1, PLAIN},
    {"\"a b~!\"", "a b~!", 5, PLAIN},
    {"\"\\\"\\\\\\b\\f\\n\\r\\t\"", "\"\\\b\f\n\r\t", 7, ESC},
    {"\"a\\/b\"", "a/b", 3, BOTH},
    {"\"a/b\"", "a/b", 3, PLAIN},
    {"\"\\u0000\"", "\0", 1, ESC},
    {"\"\\u001f\"", "\x1F", 1, ESC},
    {"\"\\u001F\"", "\x1F", 1, BOTH},
    {"\"\\u0020\"", " ", 1, BOTH},
    {"\"\\u0041\"", "A", 1, BOTH},
    {"\"\\u0022\"", "\"", 1, BOTH},
    {"\"\\u000a\"", "\n", 1, BOTH},
    {"\"\\u0008\\u0009\\u000c\\u000d\"", "\b\t\f\r", 4, BOTH},
    {"\"\\u000b\"", "\x0B", 1, ESC},
    {"\"\\u007e\"", "~", 1, BOTH},
    {"\"\\u007f\"", "\x7F", 1, ESC},
    {"\"\x7F\"", "\x7F", 1, FOREIGN},
    {"\"\\u0080\"", "\xC2\x80", 2, ESC},
    {"\"\xC2\x80\"", "\xC2\x80", 2, FOREIGN},
    {"\"\\u00e9\"", "\xC3\xA9", 2, ESC},
    {"\"\\u00E9\"", "\xC3\xA9", 2, BOTH},
    {"\"\\u07ff\\u0800\"", "\xDF\xBF\xE0\xA0\x80", 5, ESC},
    {"\"\\ud7ff\\ue000\\uffff\"", "\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF", 9, ESC},
    {"\"\\ud800\\udc00\"", "\xF0\x90\x80\x80", 4, ESC},
    {"\"\\udbff\\udfff\"", "\xF4\x8F\xBF\xBF", 4, ESC},
    {"\"\\uD83D\\ude00\"", "\xF0\x9F\x98\x80", 4, BOTH},
    {"\"\\ud83d\\uDE00\"", "\xF0\x9F\x98\x80", 4, BOTH},
    {"\"\xF0\x9F\x98\x80\"", "\xF0\x9F\x98\x80", 4, FOREIGN},
    {"\"x\\u00e9y\xC3\xA9z\"", "x\xC3\xA9y\xC3\xA9z", 7, BOTH},
};

static void test_decode(void) {
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        const text_row *row = &rows[i];
        ep_ref ref = lex(row->json);
        char buffer[64];
        size_t size = ep_text_decode(row->json, ref, buffer);
        CHECK_EQ_BYTES(buffer, size, row->text, row->size);
        if (!CHECK_EQ_INT(ep_ref_flags(ref), row->flags)) {
            fprintf(stderr, "    of %s\n", row->json);
        }
        CHECK_EQ_INT(ep_ref_offset(ref), 1);
        CHECK_EQ_INT(ep_ref_size(ref), strlen(row->json) - 2);
        CHECK(size <= ep_ref_size(ref));
    }
}

/* All pairs of rows, and what a row is not. */
static void test_compare(void) {
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        ep_bytes own = {rows[i].text, rows[i].size};
        for (size_t j = 0; j < EP_COUNT_OF(rows); j++) {
            test_text both = {0};
            test_add_str(&both, rows[i].json);
            size_t at = both.size;
            test_add_str(&both, rows[j].json);
            ep_bytes input = test_text_exact(&both);
            ep_ref a = lex(rows[i].json);
            ep_ref b = lex(rows[j].json) + ((uint64_t)at << 32);
            ep_bytes other = {rows[j].text, rows[j].size};
            bool same = ep_text_equal(own, other);
            int order = ep_text_compare(input.data, a, b); /* its size says nothing */
            int turned = ep_text_compare(input.data, b, a);
            CHECK(order < 0 ? turned > 0 : order > 0 ? turned < 0 : turned == 0);
            CHECK_EQ_INT(order == 0, same);
            CHECK_EQ_INT(ep_text_is(input.data, a, other), same);
            CHECK(!same || ep_text_hash(input.data, a) == ep_text_hash(input.data, b));
            test_text_free(&both);
        }
    }
}

/* Texts of which one is the beginning of the other. */
static void test_prefixes(void) {
    const char *json = "\"\\u00e9ab\"";
    ep_ref ref = lex(json);
    CHECK(ep_text_is(json, ref,
                     EP_TEXT("\xC3\xA9"
                             "ab")));
    CHECK(!ep_text_is(json, ref,
                      EP_TEXT("\xC3\xA9"
                              "a")));
    CHECK(!ep_text_is(json, ref, EP_TEXT("\xC3")));
    CHECK(!ep_text_is(json, ref, EP_TEXT("")));
    CHECK(!ep_text_is(json, ref,
                      EP_TEXT("\xC3\xA9"
                              "abc")));
    const char *two = "\"ab\"\"abc\"";
    ep_ref shorter = ep_ref_make(1, 2, 0);
    ep_ref longer = ep_ref_make(5, 3, 0);
    CHECK_EQ_INT(ep_text_compare(two, shorter, longer), -1);
    CHECK_EQ_INT(ep_text_compare(two, longer, shorter), 1);
    CHECK_EQ_INT(ep_text_compare(two, longer, longer), 0);
}

static void test_refs(void) {
    ep_ref most = ep_ref_make(EP_REF_OFFSET_MAX, EP_REF_SIZE_MAX, 7);
    CHECK_EQ_BITS(most, UINT64_MAX);
    CHECK_EQ_INT(ep_ref_offset(most), EP_REF_OFFSET_MAX);
    CHECK_EQ_INT(ep_ref_size(most), EP_REF_SIZE_MAX);
    CHECK_EQ_INT(ep_ref_flags(most), 7);
    ep_ref some = ep_ref_make(1, 0, 0);
    CHECK_EQ_BITS(some, (uint64_t)1 << 32);
    some = ep_ref_make(0, 1, 0);
    CHECK_EQ_BITS(some, 8);
    CHECK_EQ_INT(ep_ref_size(ep_ref_make(EP_REF_OFFSET_MAX, 0, 7)), 0);
}

/* Every code unit as an escape: to UTF-8 and back to the same scalar value. */
static void test_every_escape(void) {
    size_t wrong = 0;
    for (unsigned unit = 0; unit <= 0xFFFF; unit++) {
        if (unit >= 0xD800 && unit <= 0xDFFF) {
            continue;
        }
        char json[16];
        char text[8];
        uint32_t scalar = 0;
        snprintf(json, sizeof json, "\"\\u%04x\"", unit);
        ep_ref ref = ep_ref_make(1, 6, EP_REF_ESCAPED);
        ep_text_cursor cursor = ep_text_begin(json, ref);
        wrong += !ep_text_next(&cursor, &scalar) || scalar != unit;
        wrong += ep_text_next(&cursor, &scalar);
        test_text utf8 = {0};
        test_add_scalar(&utf8, unit);
        size_t size = ep_text_decode(json, ref, text);
        wrong += size != utf8.size || memcmp(text, utf8.data, size) != 0;
        test_text_free(&utf8);
    }
    CHECK_EQ_INT(wrong, 0);
}

int main(void) {
    test_refs();
    test_decode();
    test_compare();
    test_prefixes();
    test_every_escape();
    return check_report();
}
