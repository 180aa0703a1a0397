/*
 * test_embedded.c - JSON inside strings: what is accepted as strictly as a file,
 * each refusal with its byte, the spelling of json.dumps, and refused memory.
 */
#include "language/embedded.h"

#include "check.h"
#include "quoted.h"

typedef struct embedded_row {
    ep_code code;
    const char *text; /* with '@' before the byte of the error */
} embedded_row;

enum { DEPTH = 4 };

/* SPEC part 2, with the code of the language around it. */
static const embedded_row strict_rows[] = {
    {EP_OK, " {\"a\" :[1 , 2.50e1, true,null],\n\"b\":\"\\u0041\xC3\xA9\"} "},
    {EP_OK, "0"},
    {EP_OK, "[[[[1]]]]"},
    {EP_METADATA_CUSTOM, "@"},
    {EP_METADATA_CUSTOM, "@zz"},
    {EP_METADATA_CUSTOM, "{\"a\": 1, @\"\\u0061\": 2}"},
    {EP_METADATA_CUSTOM, "[1, @]"},
    {EP_METADATA_CUSTOM, "[1,\n\n@"},
    {EP_METADATA_CUSTOM, "[1, 2] @x"},
    {EP_METADATA_CUSTOM, "[1, @Infinity, NaN]"},
    {EP_METADATA_CUSTOM, "[\"@\\ud800\"]"},
    {EP_METADATA_CUSTOM, "@\xEF\xBB\xBF{}"},
    {EP_LIMIT_DEPTH, "[[[[@[]]]]]"},
};

/* SPEC 4.2.1 */
static const embedded_row spelled_rows[] = {
    {EP_OK, "{\"a\": [1, 2.5, -3, true, null, 1e+16], \"\\u00e9\": {\"x y\": []}}"},
    {EP_OK, "\"\""},
    {EP_OK, "false"},
    {EP_OK, "-12345678901234567890123"},
    {EP_METADATA_CUSTOM, "@"},
    {EP_METADATA_CUSTOM, "@ 1"},
    {EP_METADATA_CUSTOM, "1@ "},
    {EP_METADATA_CUSTOM, "1@, 2"},
    {EP_METADATA_CUSTOM, "[1,@2]"},
    {EP_METADATA_CUSTOM, "[1, @ 2]"},
    {EP_METADATA_CUSTOM, "[1@ , 2]"},
    {EP_METADATA_CUSTOM, "[@\n]"},
    {EP_METADATA_CUSTOM, "[@\r]"},
    {EP_METADATA_CUSTOM, "[@\t]"},
    {EP_METADATA_CUSTOM, "{\"a\":@1}"},
    {EP_METADATA_CUSTOM, "[@\"\\u0041\"]"},
    {EP_METADATA_CUSTOM, "@\"\xC3\xA9\""},
    {EP_METADATA_CUSTOM, "[@1.0e0]"},
    {EP_METADATA_CUSTOM, "[@-0]"},
    {EP_METADATA_CUSTOM, "[@1e400]"},
    {EP_METADATA_CUSTOM, "[@-Infinity]"},
    {EP_METADATA_CUSTOM, "{\"a\": 1, @\"a\": 1}"},
    {EP_LIMIT_DEPTH, "[[[[@[]]]]]"},
};

static bool check(quoted *s, bool spelled) {
    ep_embedded reader;
    if (!spelled) {
        return ep_embedded_check(&s->arena, &s->passage, DEPTH, EP_METADATA_CUSTOM, &s->fault);
    }
    ep_embedded_begin(&reader, &s->arena, &s->passage, EP_METADATA_CUSTOM, &s->fault);
    return ep_embedded_value(&reader, DEPTH) && ep_embedded_end(&reader);
}

static void check_row(const embedded_row *row, bool spelled) {
    quoted s = {.fault = {.code = EP_OK}};
    quoted_add(&s, ep_text_of(row->text));
    size_t at = row->code == EP_OK ? 0 : test_take_mark(&s.file);
    CHECK(quoted_open(&s));
    CHECK_EQ_INT(check(&s, spelled), row->code == EP_OK);
    CHECK_NOTE(s.fault.code == row->code, row->text);
    CHECK_NOTE(s.fault.offset == at, row->text);
    quoted_close(&s);
}

/* The pieces that parsers read one by one. */
static void test_pieces(void) {
    quoted s = {.fault = {.code = EP_OK}};
    ep_embedded reader;
    ep_number number;
    ep_ref ref;
    CHECK(quoted_text(&s, EP_TEXT("{\"k\": 7 abd")));
    ep_embedded_begin(&reader, &s.arena, &s.passage, EP_METADATA_CUSTOM, &s.fault);
    CHECK(ep_embedded_at(&reader, '{') && !ep_embedded_at(&reader, '['));
    CHECK(ep_embedded_expect(&reader, EP_TEXT("{")));
    CHECK(ep_embedded_string(&reader, &ref));
    CHECK(ep_text_is(s.passage.text.data, ref, EP_TEXT("k")));
    CHECK(ep_embedded_expect(&reader, EP_TEXT(": ")));
    CHECK(!ep_embedded_string(&reader, &ref));
    CHECK(ep_embedded_number(&reader, &number) && number.integer);
    CHECK(!ep_embedded_number(&reader, &number));
    CHECK(!ep_embedded_end(&reader));
    CHECK(!ep_embedded_expect(&reader, EP_TEXT(" abc")));
    CHECK_EQ_INT(s.fault.code, EP_METADATA_CUSTOM);
    CHECK_EQ_INT(s.fault.offset, s.file.size - QUOTED_AFTER - 1); /* of the d */
    CHECK(!ep_embedded_expect(&reader, EP_TEXT(" abdef")));
    CHECK_EQ_INT(s.fault.offset, s.file.size - QUOTED_AFTER);
    CHECK(ep_embedded_expect(&reader, EP_TEXT(" abd")));
    CHECK(ep_embedded_end(&reader) && !ep_embedded_at(&reader, 'd'));
    CHECK(!ep_embedded_number(&reader, &number) && !ep_embedded_string(&reader, &ref));
    quoted_close(&s);
}

static void test_memory(const char *text, bool spelled) {
    for (size_t n = 1;; n++) {
        quoted s = {.heap = {.fail_at = n, .fail_on = true}};
        bool opened = quoted_text(&s, ep_text_of(text));
        bool ok = opened && check(&s, spelled);
        CHECK(!opened || ok || s.fault.code == EP_MEMORY);
        CHECK(n > 1 || !ok);
        quoted_close(&s);
        if (ok) {
            break;
        }
    }
}

/* 1 MB of brackets, and of keys. */
static void test_hostile(void) {
    quoted deep = {.fault = {.code = EP_OK}};
    test_text text = {0};
    test_add_repeat(&text, "[", 1000000);
    CHECK(quoted_text(&deep, (ep_bytes){text.data, text.size}));
    CHECK(!ep_embedded_check(&deep.arena, &deep.passage, SIZE_MAX, EP_GUARD, &deep.fault));
    CHECK_EQ_INT(deep.fault.code, EP_GUARD);
    CHECK_EQ_INT(deep.fault.offset, QUOTED_BEFORE + 1000000);
    quoted_close(&deep);
    test_text_free(&text);

    quoted wide = {.fault = {.code = EP_OK}};
    test_add_str(&text, "{\"first\": 0");
    for (int64_t i = 0; i < 100000; i++) {
        test_add_str(&text, ", \"");
        test_add_int(&text, i);
        test_add_str(&text, "\": 0");
    }
    test_add_str(&text, "}");
    CHECK(quoted_text(&wide, (ep_bytes){text.data, text.size}));
    CHECK(check(&wide, true) && check(&wide, false));
    quoted_close(&wide);
    test_text_free(&text);
}

int main(void) {
    for (size_t i = 0; i < EP_COUNT_OF(strict_rows); i++) {
        check_row(&strict_rows[i], false);
    }
    for (size_t i = 0; i < EP_COUNT_OF(spelled_rows); i++) {
        check_row(&spelled_rows[i], true);
    }
    test_pieces();
    test_memory(strict_rows[0].text, false);
    test_memory(spelled_rows[0].text, true);
    test_hostile();
    return check_report();
}
