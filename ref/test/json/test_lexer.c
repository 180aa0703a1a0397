/*
 * test_lexer.c - the wire level on whole documents: for each row what it is
 * about, the bytes with an @ before the offending one, and the code. SPEC
 * part 2.
 */
#include "json/lexer.h"

#include "check.h"
#include "schema/wire.h"
#include "support.h"

#include <stdlib.h>

typedef struct wire_row {
    const char *about;
    const char *bytes;
    ep_code code;
} wire_row;

static const wire_row rows[] = {
    {"null", "null", EP_OK},
    {"true", "true", EP_OK},
    {"false", "false", EP_OK},
    {"a string", "\"a\"", EP_OK},
    {"an empty string", "\"\"", EP_OK},
    {"an empty array", "[]", EP_OK},
    {"an empty object", "{}", EP_OK},
    {"all white space", " \t\r\n[ \n1\t,\r2 ] \n", EP_OK},
    {"white space in an object", " { \"a\" : 1 , \"b\" : { } } ", EP_OK},
    {"bare non-finite words, without a version that has them", "[@Infinity, -Infinity, NaN]",
     EP_NONFINITE},
    {"a bare NaN alone", " @NaN ", EP_NONFINITE},

    {"nothing", "@", EP_END},
    {"only white space", "  \n@", EP_END},
    {"cut in a word", "nul@", EP_END},
    {"cut after a minus sign", "-@", EP_END},
    {"cut in -Infinity", "-Infinit@", EP_END},
    {"cut in NaN", "Na@", EP_END},
    {"cut after a bracket", "[@", EP_END},
    {"cut after an item", "[1@", EP_END},
    {"cut after a comma", "[1, @", EP_END},
    {"cut after a brace", "{@", EP_END},
    {"cut in a key", "{\"a@", EP_END},
    {"cut after a key", "{\"a\"@", EP_END},
    {"cut after a colon", "{\"a\": @", EP_END},
    {"cut after a member", "{\"a\": 1 @", EP_END},
    {"cut in a string", "\"abc@", EP_END},
    {"cut after a backslash", "\"a\\@", EP_END},
    {"cut in an escape", "\"\\u00@", EP_END},
    {"cut between the halves of a pair", "\"\\ud800@", EP_END},
    {"cut in the second half's backslash", "\"\\ud800\\@", EP_END},
    {"cut in the second half", "\"\\ud800\\ud@", EP_END},
    {"cut in two bytes of UTF-8", "\"\xC3@", EP_END},
    {"cut in three bytes of UTF-8", "\"\xE2\x82@", EP_END},
    {"cut in three, lowest second byte", "\"\xE0\xA0@", EP_END},
    {"cut in three, below the surrogates", "\"\xED\x9F@", EP_END},
    {"cut in four bytes of UTF-8", "\"\xF0\x9F\x98@", EP_END},
    {"cut in four, highest", "\"\xF4\x8F@", EP_END},
    {"cut in four, after one", "\"\xF4@", EP_END},
    {"cut after a point", "1.@", EP_END},
    {"cut after an e", "1e@", EP_END},
    {"cut after a sign of an exponent", "1e+@", EP_END},

    {"a stray byte", "@x", EP_SYNTAX},
    {"a comma alone", "@,", EP_SYNTAX},
    {"a closing bracket alone", "@]", EP_SYNTAX},
    {"the wrong bracket", "[1@}", EP_SYNTAX},
    {"the wrong brace", "{\"a\": 1@]", EP_SYNTAX},
    {"a trailing comma in an array", "[1,@]", EP_SYNTAX},
    {"a trailing comma in an object", "{\"a\": 1,@}", EP_SYNTAX},
    {"two commas", "[1,@,2]", EP_SYNTAX},
    {"a leading comma", "[@,1]", EP_SYNTAX},
    {"no comma", "[1 @2]", EP_SYNTAX},
    {"no colon", "{\"a\" @1}", EP_SYNTAX},
    {"a colon in an array", "[1@:2]", EP_SYNTAX},
    {"a number for a key", "{@1: 2}", EP_SYNTAX},
    {"an unquoted key", "{@a: 2}", EP_SYNTAX},
    {"single quotes", "[@'a']", EP_SYNTAX},
    {"a comment", "[@// x\n1]", EP_SYNTAX},
    {"another comment", "[1 @/* x */]", EP_SYNTAX},
    {"a plus sign", "@+1", EP_SYNTAX},
    {"a leading point", "@.5", EP_SYNTAX},
    {"True", "@True", EP_SYNTAX},
    {"None", "[N@one]", EP_SYNTAX},
    {"nan", "n@an", EP_SYNTAX},
    {"-infinity", "[-Inf@]", EP_SYNTAX},
    {"a word cut by a bracket", "[tru@]", EP_SYNTAX},
    {"a form feed", "[@\f1]", EP_SYNTAX},
    {"a vertical tab", "@\v1", EP_SYNTAX},
    {"a no-break space",
     "[@\xC2\xA0"
     "1]",
     EP_SYNTAX},
    {"half a byte order mark", "@\xEF\xBB", EP_SYNTAX},
    {"a byte of no text", "[@\xFF]", EP_SYNTAX},

    {"two documents", "1 @2", EP_TRAILING},
    {"a word that goes on", "null@x", EP_TRAILING},
    {"a bracket too many", "[]@]", EP_TRAILING},
    {"a comma after it all", "{}@,", EP_TRAILING},
    {"a NUL-like end", "{}\n@\x01", EP_TRAILING},
    {"a second value without space", "\"a\"@\"b\"", EP_TRAILING},

    {"a byte order mark", "@\xEF\xBB\xBF{}", EP_BOM},
    {"a byte order mark alone", "@\xEF\xBB\xBF", EP_BOM},

    {"a continuation", "\"a@\x80\"", EP_UTF8},
    {"an overlong slash", "\"@\xC0\xAF\"", EP_UTF8},
    {"an overlong of three", "\"@\xE0\x80\xAF\"", EP_UTF8},
    {"an overlong of four", "\"@\xF0\x80\x80\xAF\"", EP_UTF8},
    {"a surrogate in UTF-8", "\"@\xED\xA0\x80\"", EP_UTF8},
    {"beyond U+10FFFF", "\"@\xF4\x90\x80\x80\"", EP_UTF8},
    {"FE", "\"@\xFE\"", EP_UTF8},
    {"cut by the quote", "\"@\xC3\"", EP_UTF8},
    {"cut by the end, but wrong before", "\"@\xE0\x80", EP_UTF8},
    {"cut by the end, a surrogate", "\"@\xED\xA0", EP_UTF8},
    {"cut by the end, too high", "\"@\xF4\x90", EP_UTF8},
    {"cut by the end, a bad third byte", "\"@\xF0\x9F\x28", EP_UTF8},
    {"in a key", "{\"@\xFF\": 1}", EP_UTF8},

    {"a line feed in a string", "\"a@\nb\"", EP_CONTROL},
    {"a tab in a string", "\"@\t\"", EP_CONTROL},
    {"a control character in a key", "{\"@\x1F\": 1}", EP_CONTROL},
    {"delete is allowed", "\"\x7F\"", EP_OK},

    {"an unknown escape", "\"a@\\x41\"", EP_ESCAPE},
    {"an escaped single quote", "\"@\\'\"", EP_ESCAPE},
    {"a capital U", "\"@\\U0041\"", EP_ESCAPE},
    {"three digits", "\"@\\u004\"", EP_ESCAPE},
    {"a digit that is none", "\"@\\u00g0\"", EP_ESCAPE},
    {"an escaped line feed", "\"@\\\n\"", EP_ESCAPE},
    {"a bad second half", "\"\\ud800@\\uZ\"", EP_ESCAPE},
    {"all escapes", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\"", EP_OK},

    {"a high surrogate alone", "\"a@\\ud800\"", EP_SURROGATE},
    {"a high surrogate before a letter", "\"@\\ud800x\"", EP_SURROGATE},
    {"a high surrogate before another escape", "\"@\\ud800\\n\"", EP_SURROGATE},
    {"two high surrogates", "\"@\\ud800\\ud800\"", EP_SURROGATE},
    {"a low surrogate alone", "\"@\\udc00\"", EP_SURROGATE},
    {"the pair the wrong way round", "\"@\\udc00\\ud800\"", EP_SURROGATE},
    {"a high surrogate before no surrogate", "\"@\\udbff\\ue000\"", EP_SURROGATE},
    {"a whole pair", "\"\\ud83d\\ude00\"", EP_OK},

    {"a leading zero", "0@1", EP_NUMBER},
    {"a leading zero after a minus sign", "-0@0", EP_NUMBER},
    {"a minus sign alone", "[-@]", EP_NUMBER},
    {"a minus sign and a letter", "-@a", EP_NUMBER},
    {"no digit after the point", "1.@ ", EP_NUMBER},
    {"a point and an e", "1.@e5", EP_NUMBER},
    {"no digit in the exponent", "1e@x", EP_NUMBER},
    {"two signs in the exponent", "1e+@+1", EP_NUMBER},
    {"hexadecimal", "0@x10", EP_TRAILING},
    {"two points", "[1.2@.3]", EP_SYNTAX},
    {"an underscore", "[1@_000]", EP_SYNTAX},
    {"numbers", "[0, -0, 1, -1, 0.5, -0.5e10, 1E+3, 1e-0003, 123456789012345678901234567890]",
     EP_OK},

    {"a repeated key", "{\"a\": 1, @\"a\": 2}", EP_DUPLICATE_KEY},
    {"a repeated key, spelt otherwise", "{\"a\": 1, \"b\": 2, @\"\\u0061\": 3}", EP_DUPLICATE_KEY},
    {"the empty key twice", "{\"\": 1, @\"\": 2}", EP_DUPLICATE_KEY},
    {"the second of three", "{\"a\": 1, @\"a\": 2, \"a\": 3}", EP_DUPLICATE_KEY},
    {"the first repeat, not the first key", "{\"a\": 1, \"b\": 2, @\"b\": 3, \"a\": 4}",
     EP_DUPLICATE_KEY},
    {"the inner object closes first", "{\"a\": 1, \"a\": {\"b\": 1, @\"b\": 2}}", EP_DUPLICATE_KEY},
    {"an error before the object closes", "{\"a\": 1, \"a\": 2, @x}", EP_SYNTAX},
    {"the same key in two objects", "[{\"a\": 1}, {\"a\": {\"a\": 2}}]", EP_OK},

    {"non-finite, but the version has none",
     "{\"a\": @NaN, \"schema_version\": {\"major\": 8, \"minor\": 20}}", EP_NONFINITE},
    {"non-finite, the version after 8.6",
     "{\"a\": [@-Infinity], \"schema_version\": {\"major\": 8, \"minor\": 7}}", EP_NONFINITE},
    {"non-finite, the version allows it",
     "{\"a\": NaN, \"schema_version\": {\"major\": 8, \"minor\": 6}}", EP_OK},
    {"non-finite, version 1", "{\"a\": Infinity, \"schema_version\": 1}", EP_OK},
    {"non-finite, a version nobody published",
     "{\"a\": @Infinity, \"schema_version\": {\"major\": 9, \"minor\": 1}}", EP_NONFINITE},
    {"the version's own value is no matter of the wire", "{\"schema_version\": \"x\"}", EP_OK},
    {"a version inside is not the document's",
     "{\"a\": {\"schema_version\": 1}, \"b\": @NaN, \"schema_version\": {\"major\": 8, "
     "\"minor\": 20}}",
     EP_NONFINITE},
};

static void check_row(const wire_row *row) {
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    test_text text = {0};
    test_add_str(&text, row->bytes);
    size_t mark = test_take_mark(&text);
    memset(&error, 0xEE, sizeof error);
    test_arena(&arena, &heap, 0);
    bool ok = ep_check_wire(&arena, test_text_exact(&text), NULL, &error);
    bool held = CHECK_EQ_INT(error.code, row->code) && CHECK_EQ_INT(ok, row->code == EP_OK);
    if (row->code != EP_OK) {
        held = CHECK_EQ_INT(error.offset, mark) && held;
    }
    if (!held) {
        fprintf(stderr, "    in the row: %s\n", row->about);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    test_text_free(&text);
}

/* A NUL is a byte like any other: it ends nothing. */
static void test_nul(void) {
    static const struct {
        const char *bytes;
        size_t size;
        ep_code code;
        size_t offset;
    } nuls[] = {
        {"{}\0", 3, EP_TRAILING, 2},
        {"\0{}", 3, EP_SYNTAX, 0},
        {"\"a\0\"", 4, EP_CONTROL, 2},
        {"[1\0]", 4, EP_SYNTAX, 2},
    };
    for (size_t i = 0; i < EP_COUNT_OF(nuls); i++) {
        test_heap heap = {0};
        ep_arena arena;
        ep_error error;
        test_arena(&arena, &heap, 0);
        CHECK(!ep_check_wire(&arena, (ep_bytes){nuls[i].bytes, nuls[i].size}, NULL, &error));
        CHECK_EQ_INT(error.code, nuls[i].code);
        CHECK_EQ_INT(error.offset, nuls[i].offset);
        ep_arena_free(&arena);
    }
}

/* The tokens of a document partition it: each begins where the last ended. */
static void test_partition(void) {
    const char *document = "[ null,true , false,-Infinity,Infinity,NaN ,-12.5e+7,\"a\\n\",0 ]";
    ep_fault fault = {.code = EP_OK};
    ep_lexer lexer = {document, document, document + strlen(document), 100, &fault};
    static const ep_word words[] = {EP_WORD_NULL,           EP_WORD_TRUE,     EP_WORD_FALSE,
                                    EP_WORD_MINUS_INFINITY, EP_WORD_INFINITY, EP_WORD_NAN};
    char c = '\0';
    CHECK(ep_lex_byte(&lexer, '['));
    for (size_t i = 0; i < EP_COUNT_OF(words); i++) {
        ep_word word;
        CHECK(ep_lex_peek(&lexer, &c) && !ep_lex_is_number(&lexer));
        CHECK(ep_lex_word(&lexer, &word) && word == words[i]);
        CHECK(ep_lex_byte(&lexer, ','));
    }
    ep_number number;
    CHECK(ep_lex_peek(&lexer, &c) && ep_lex_is_number(&lexer));
    CHECK(ep_lex_number(&lexer, &number) && !number.integer);
    CHECK_EQ_STR(number.text, number.size, "-12.5e+7");
    CHECK(ep_lex_byte(&lexer, ','));
    ep_ref ref;
    CHECK(ep_lex_string(&lexer, &ref));
    CHECK_EQ_STR(ep_ref_raw(document, ref).data, ep_ref_size(ref), "a\\n");
    CHECK(ep_lex_byte(&lexer, ','));
    CHECK(ep_lex_peek(&lexer, &c) && c == '0');
    CHECK(ep_lex_number(&lexer, &number) && number.integer && number.size == 1);
    CHECK(ep_lex_byte(&lexer, ']'));
    CHECK(ep_lex_finish(&lexer));
    CHECK(!ep_lex_byte(&lexer, ']') && fault.code == EP_END);
}

/* A special byte at every place of a string, around the widths of the loops. */
static void test_places(void) {
    static const struct {
        const char *special;
        ep_code code;
    } specials[] = {{"\x80", EP_UTF8},         {"\n", EP_CONTROL}, {"\\q", EP_ESCAPE},
                    {"\\ud800", EP_SURROGATE}, {"\x7F", EP_OK},    {"\xC3\xA9", EP_OK},
                    {"\\u00e9", EP_OK}};
    for (size_t size = 0; size < 40; size++) {
        for (size_t at = 0; at <= size; at++) {
            for (size_t s = 0; s < EP_COUNT_OF(specials); s++) {
                test_text text = {0};
                test_add_str(&text, "\"");
                test_add_repeat(&text, "x", at);
                test_add_str(&text, specials[s].special);
                test_add_repeat(&text, "y", size - at);
                test_add_str(&text, "\"");
                ep_bytes bytes = test_text_exact(&text);
                ep_fault fault = {.code = EP_OK};
                ep_lexer lexer = {bytes.data, bytes.data, bytes.data + bytes.size, 100, &fault};
                ep_ref ref;
                CHECK_EQ_INT(ep_lex_string(&lexer, &ref), specials[s].code == EP_OK);
                CHECK_EQ_INT(fault.code, specials[s].code);
                CHECK_EQ_INT(fault.offset, fault.code == EP_OK ? 0 : at + 1);
                test_text_free(&text);
            }
        }
    }
}

int main(void) {
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        check_row(&rows[i]);
    }
    test_nul();
    test_partition();
    test_places();
    return check_report();
}
