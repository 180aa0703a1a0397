/*
 * likeness_fuzz.c - what tells whether two JSON texts say the same: pairs made
 * by hand, and random bytes, which must do no harm. Sanitizers watch. Random
 * values are compared by test_judging.
 *
 *     likeness_fuzz [ROUNDS [SEED]]
 */
#include "run/likeness.h"
#include "text/memory.h"
#include "text/strbuf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 40000, DEEP = 300000 };

/* ------------------------------------------------------------------- by hand */

typedef struct hand {
    const char *wanted;
    const char *got;
    likeness likeness;
    const char *pointer;
} hand;

#define SAME(wanted, got)                                                                          \
    { wanted, got, LIKENESS_SAME, NULL }
#define OTHER(wanted, got, pointer)                                                                \
    { wanted, got, LIKENESS_OTHER, pointer }

static const hand HANDS[] = {
    SAME("{\"a\": 1, \"b\": [true, null]}", "\t{\"b\":[true,null],\r\n\"a\":1} "),
    SAME("{\"a\": {\"x\": 1, \"y\": 2}, \"b\": {}}", "{\"b\": {}, \"a\": {\"y\": 2, \"x\": 1}}"),
    SAME("{\"a\": 1, \"\": 2, \"aa\": 3}", "{\"aa\": 3, \"\\u0061\": 1, \"\": 2}"),
    SAME("\"\\u00e9\\/\\u0041\\ud83d\\ude00\"", "\"\xC3\xA9/A\xF0\x9F\x98\x80\""),
    SAME("\"\\b\\f\\n\\r\\t\\\"\\\\\"", "\"\\u0008\\u000C\\u000a\\u000d\\u0009\\u0022\\u005c\""),
    SAME("\"\\ud800x\\udc00\"", "\"\\uD800\\u0078\\uDC00\""),
    SAME("1.0", "1e0"),
    SAME("1e3", "1000.0"),
    SAME("0.1", "0.1000000000000000055"),
    SAME("-0.0", "-0e5"),
    SAME("[NaN, Infinity, -Infinity]", "[NaN,Infinity,-Infinity]"),
    SAME("123456789012345678901234567890", " 123456789012345678901234567890"),
    OTHER("1", "1.0", ""),
    OTHER("0.0", "-0.0", ""),
    OTHER("0", "-0", ""),
    OTHER("0.1", "0.10000000000000002", ""),
    OTHER("[1e999]", "[Infinity]", "/0"),
    OTHER("[-Infinity]", "[Infinity]", "/0"),
    OTHER("[-Infinity]", "[\"-Infinity\"]", "/0"),
    OTHER("123456789012345678901234567890", "123456789012345678901234567891", ""),
    OTHER("[1, 2]", "[2, 1]", "/0"),
    OTHER("{\"a\": [1, 2, 3]}", "{\"a\": [1, 2]}", "/a"),
    OTHER("{\"a\": [1, 2]}", "{\"a\": [1, 2, 3]}", "/a"),
    OTHER("{\"a\": 1}", "{}", "/a"),
    OTHER("{\"a\": {}}", "{\"a\": {\"b\": 1}}", "/a/b"),
    OTHER("{\"a\": 1}", "{\"a\": 1, \"a\": 1}", "/a"),
    OTHER("{\"a\": 1, \"\\u0061\": 1}", "{\"a\": 1, \"a\": 1}", "/a"),
    OTHER("{\"a\": 1}", "[]", ""),
    OTHER("[{}]", "[[]]", "/0"),
    OTHER("null", "false", ""),
    OTHER("\"a\"", "\"b\"", ""),
    OTHER("\"a\"", "\"ab\"", ""),
    OTHER("\"\\ud83d\\ude00\"", "\"\\ud83d\"", ""),
    OTHER("{\"b\": 1, \"a\": 1}", "{\"a\": 2, \"b\": 2}", "/b"),
    OTHER("{\"a/~\": [0, {\"\": 1}]}", "{\"a/~\": [0, {\"\": 2}]}", "/a~1~0/1/"),
};

/* What is no JSON. */
static const char *const NO_JSON[] = {"",
                                      " ",
                                      "1 1",
                                      "01",
                                      "+1",
                                      "-",
                                      "1.",
                                      ".1",
                                      "1e",
                                      "1e+",
                                      "[1",
                                      "[1,]",
                                      "[,1]",
                                      "[1 1]",
                                      "[1}",
                                      "]",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{\"a\": 1,}",
                                      "{,\"a\": 1}",
                                      "{1: 1}",
                                      "{\"a\": 1]",
                                      "{\"a\" 1}",
                                      "\"a",
                                      "\"a\\\"",
                                      "\"\\x\"",
                                      "\"\\u12g4\"",
                                      "\"\\u12\"",
                                      "\"\n\"",
                                      "\"\xC3\"",
                                      "\"\xED\xA0\x80\"",
                                      "tru",
                                      "nan",
                                      "-NaN",
                                      "\357\273\2771",
                                      "not JSON"};

static void fail(const char *what, const char *wanted, const char *got) {
    printf("FAIL: %s:\n%s\n%s\n", what, wanted, got);
    exit(1);
}

/* Compares copies in blocks of exactly their size; the pointer, if it is other
 * than what is wanted, is to be freed. */
static likeness compare(const strbuf *wanted, const strbuf *got, char **pointer) {
    vector_bytes left = {memory_take(wanted->size, 1), wanted->size};
    vector_bytes right = {memory_take(got->size, 1), got->size};
    difference d;
    memcpy(left.data, strbuf_string(wanted), left.size);
    memcpy(right.data, strbuf_string(got), right.size);
    likeness found = likeness_of(left, right, &d);
    bool is_told =
        d.pointer != NULL && d.what != NULL && d.wanted_at <= left.size && d.got_at <= right.size;
    if (is_told != (found == LIKENESS_OTHER)) {
        fail("a difference that is not told, or none that is", left.data, right.data);
    }
    *pointer = d.pointer != NULL ? memory_text(d.pointer) : NULL;
    difference_free(&d);
    vector_bytes_free(&left);
    vector_bytes_free(&right);
    return found;
}

static strbuf text_of(const char *text) {
    strbuf b = {NULL, 0, 0};
    strbuf_text(&b, text);
    return b;
}

static void try_hand(const hand *h) {
    strbuf wanted = text_of(h->wanted);
    strbuf got = text_of(h->got);
    char *there = NULL;
    char *back = NULL;
    if (compare(&wanted, &got, &there) != h->likeness ||
        compare(&got, &wanted, &back) != h->likeness) {
        fail("a pair by hand", h->wanted, h->got);
    }
    if (h->pointer != NULL && strcmp(h->pointer, there) != 0) {
        fail(there, h->wanted, h->got);
    }
    free(there);
    free(back);
    strbuf_free(&wanted);
    strbuf_free(&got);
}

/* Containers as deep as no stack of calls is. */
static void try_deep(void) {
    strbuf wanted = {NULL, 0, 0};
    strbuf got = {NULL, 0, 0};
    char *pointer;
    for (int i = 0; i < DEEP; i++) {
        strbuf_text(&wanted, "[{\"a\":");
        strbuf_text(&got, "[{ \"a\":");
    }
    strbuf_text(&wanted, "1");
    strbuf_text(&got, "1");
    for (int i = 0; i < DEEP; i++) {
        strbuf_text(&wanted, "}]");
        strbuf_text(&got, "}]");
    }
    if (compare(&wanted, &got, &pointer) != LIKENESS_SAME) {
        fail("deep containers", "", "");
    }
    got.data[strlen("[{ \"a\":") * DEEP] = '2';
    if (compare(&wanted, &got, &pointer) != LIKENESS_OTHER) {
        fail("deep containers with a change", "", "");
    }
    free(pointer);
    strbuf_free(&wanted);
    strbuf_free(&got);
}

/* -------------------------------------------------------------------- random */

/* xorshift64 */
static uint64_t draw(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

/* Bytes that mean something to a reader of JSON, and some that do not; or a text of a pair by
 * hand with a few bytes changed. Returns whether it was read. */
static bool try_noise(uint64_t *state) {
    static const char some[] = "{}[],:\"\"\\u0dD8c-+.eE1 tn\x80\xC3\xA9";
    bool by_hand = draw(state) % 2 == 0;
    strbuf b = text_of(by_hand ? HANDS[draw(state) % (sizeof HANDS / sizeof HANDS[0])].got : "");
    char *pointer;
    for (uint64_t i = b.size == 0 ? draw(state) % 24 : 0; i > 0; i--) {
        strbuf_put(&b, &some[draw(state) % (sizeof some - 1)], 1);
    }
    for (uint64_t i = draw(state) % 3; i > 0 && b.size > 0; i--) {
        b.data[draw(state) % b.size] = some[draw(state) % (sizeof some - 1)];
    }
    strbuf one = text_of("1");
    likeness itself = compare(&b, &b, &pointer);
    free(pointer);
    bool is_read = compare(&b, &one, &pointer) != LIKENESS_UNKNOWN;
    free(pointer);
    if (is_read != (itself != LIKENESS_UNKNOWN)) {
        fail("read once, and once not", b.data, "");
    }
    strbuf_free(&b);
    strbuf_free(&one);
    return is_read;
}

int main(int argc, char **argv) {
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : ROUNDS;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 88172645463325252u;
    unsigned long read = 0;
    for (size_t i = 0; i < sizeof HANDS / sizeof HANDS[0]; i++) {
        try_hand(&HANDS[i]);
    }
    for (size_t i = 0; i < sizeof NO_JSON / sizeof NO_JSON[0]; i++) {
        try_hand(&(hand){"1", NO_JSON[i], LIKENESS_UNKNOWN, NULL});
    }
    try_deep();
    for (unsigned long i = 0; i < rounds; i++) {
        read += try_noise(&state);
    }
    printf("%zu pairs by hand, %lu noises, %lu of them read\n", sizeof HANDS / sizeof HANDS[0],
           rounds, read);
    return read > 0 && read < rounds ? 0 : 1;
}
