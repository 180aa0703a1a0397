/*
 * fuzz.c - the readers of what testees say: of answers and hellos, and of two JSON texts that may
 * say the same. They are shown pairs made by hand, good texts with a few bytes changed, and random
 * bytes: each is read whole, or refused with a reason. Sanitizers watch the rest. Random values
 * are compared by test_judging.
 *
 *     epconform_fuzz [ROUNDS [SEED]]
 */
#include "run/answer.h"
#include "run/likeness.h"
#include "run/testee.h"
#include "text/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 100000, DEEP = 4000, TOO_DEEP = 300000 };

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void fail(const char *what, const char *data, size_t size) {
    strbuf b = {NULL, 0, 0};
    strbuf_ascii(&b, data, size);
    printf("FAIL: %s: %s\n", what, strbuf_string(&b));
    exit(1);
}

/* xorshift64 */
static uint64_t draw(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

/* In a block of exactly its size. */
static vector_bytes block_of(const char *data, size_t size) {
    vector_bytes block = {memory_take(size, 1), size};
    memcpy(block.data, data, size);
    return block;
}

/* ------------------------------------------------------------------- answers */

static const char *const GOOD[] = {
    "{\"id\": 7, \"verdict\": \"valid\", \"size\": 12, \"schema\": \"8.20\"}",
    "{\"id\": 7, \"verdict\": \"invalid\", \"code\": \"EP_TYPE\", \"clause\": \"3.4.1\", "
    "\"offset\": 5, \"line\": 1, \"column\": 6, \"pointer\": \"/a\", \"message\": \"no\"}",
    "{\"id\": 7, \"verdict\": \"valid\", \"warnings\": "
    "[{\"code\": \"EP_TYPE\", \"offset\": 1, \"pointer\": \"\"}]}",
    "{\"id\": 7, \"verdict\": \"unsupported\", \"message\": \"\\ud83d\\ude00\"}",
    "{\"type\": \"hello\", \"protocol\": 1, \"name\": \"n\", \"version\": \"1\", "
    "\"operations\": [\"decode\"], \"schemas\": {\"*\": [\"8.20\"]}, \"level\": \"schema\", "
    "\"options\": [\"limits\"], \"forms\": {\"torch\": null}, \"reports\": [\"code\"]}",
};

static bool try_answer(vector_bytes line) {
    answer a;
    strbuf why = {NULL, 0, 0};
    bool ok = answer_read(&a, line.data, line.size, 7, &why);
    if (ok == (why.size > 0) || (ok && vector_text(a.json, "verdict") == NULL)) {
        fail("an answer that is refused without a reason, or read with one", line.data, line.size);
    }
    answer_free(&a);
    strbuf_free(&why);
    return ok;
}

static bool try_hello(vector_bytes line) {
    traits t = {.hello = NULL};
    strbuf why = {NULL, 0, 0};
    cJSON *json = object_read(line.data, line.size, &why);
    bool ok = json != NULL && traits_read(&t, json, &why);
    if (ok == (why.size > 0)) {
        fail("a hello that is refused without a reason, or read with one", line.data, line.size);
    }
    cJSON_Delete(json);
    strbuf_free(&why);
    return ok;
}

/* Returns how often it was read. */
static size_t try_line(const char *data, size_t size) {
    vector_bytes line = block_of(data, size);
    size_t read = (size_t)try_answer(line) + (size_t)try_hello(line);
    vector_bytes_free(&line);
    return read;
}

/* ------------------------------------------------------------------ likeness */

/* Pairs; of those that differ with the pointer. */
static const char *const HANDS[][3] = {
    {"{\"a\": 1, \"b\": [true, null]}", "\t{\"b\":[true,null],\r\n\"a\":1} "},
    {"{\"a\": {\"x\": 1, \"y\": 2}, \"b\": {}}", "{\"b\": {}, \"a\": {\"y\": 2, \"x\": 1}}"},
    {"{\"a\": 1, \"\": 2, \"aa\": 3}", "{\"aa\": 3, \"\\u0061\": 1, \"\": 2}"},
    {"\"\\u00e9\\/\\u0041\\ud83d\\ude00\"", "\"\xC3\xA9/A\xF0\x9F\x98\x80\""},
    {"\"\\u20ac\"", "\"\xE2\x82\xAC\""},
    {"\"\\b\\f\\n\\r\\t\\\"\\\\\"", "\"\\u0008\\u000C\\u000a\\u000d\\u0009\\u0022\\u005c\""},
    {"\"\\ud800x\\udc00\"", "\"\\uD800\\u0078\\uDC00\""},
    {"1.0", "1e0"},
    {"1e3", "1000.0"},
    {"0.1", "0.1000000000000000055"},
    {"-0.0", "-0e5"},
    {"[NaN, Infinity, -Infinity]", "[NaN,Infinity,-Infinity]"},
    {"123456789012345678901234567890", " 123456789012345678901234567890"},
    {"1", "1.0", ""},
    {"0.0", "-0.0", ""},
    {"0", "-0", ""},
    {"0.1", "0.10000000000000002", ""},
    {"[1e999]", "[Infinity]", "/0"},
    {"[-Infinity]", "[Infinity]", "/0"},
    {"[-Infinity]", "[\"-Infinity\"]", "/0"},
    {"123456789012345678901234567890", "123456789012345678901234567891", ""},
    {"[1, 2]", "[2, 1]", "/0"},
    {"{\"a\": [1, 2, 3]}", "{\"a\": [1, 2]}", "/a"},
    {"{\"a\": [1, 2]}", "{\"a\": [1, 2, 3]}", "/a"},
    {"{\"a\": 1}", "{}", "/a"},
    {"{\"a\": {}}", "{\"a\": {\"b\": 1}}", "/a/b"},
    {"{\"a\": 1}", "{\"a\": 1, \"a\": 1}", "/a"},
    {"{\"a\": 1, \"\\u0061\": 1}", "{\"a\": 1, \"a\": 1}", "/a"},
    {"{\"a\": 1}", "[]", ""},
    {"[{}]", "[[]]", "/0"},
    {"null", "false", ""},
    {"\"a\"", "\"b\"", ""},
    {"\"a\"", "\"ab\"", ""},
    {"\"\\ud83d\\ude00\"", "\"\\ud83d\"", ""},
    {"{\"b\": 1, \"a\": 1}", "{\"a\": 2, \"b\": 2}", "/b"},
    {"{\"a/~\": [0, {\"\": 1}]}", "{\"a/~\": [0, {\"\": 2}]}", "/a~1~0/1/"},
};

/* What is no JSON, with bars between. */
static const char NO_JSON[] =
    "| |1 1|01|+1|-|1.|.1|1e|1e+|[1|[1,]|[,1]|[1 1]|[1}|]|{\"a\"}|{\"a\":}|{\"a\": 1,}|{,\"a\": 1}|"
    "{1: 1}|{\"a\": 1]|{\"a\" 1}|\"a|\"a\\\"|\"\\x\"|\"\\u12g4\"|\"\\u12\"|\"\n\"|\"\xC3\"|"
    "\"\xED\xA0\x80\"|tru|nan|-NaN|\357\273\2771|not JSON";

/* Compares copies; whether they are alike as is wanted, with the pointer that is. */
static likeness compare(const char *wanted, size_t wanted_size, const char *got, size_t got_size,
                        const char *pointer) {
    vector_bytes left = block_of(wanted, wanted_size);
    vector_bytes right = block_of(got, got_size);
    difference d;
    likeness found = likeness_of(left, right, &d);
    bool differs =
        d.pointer != NULL && d.what != NULL && d.wanted_at <= left.size && d.got_at <= right.size;
    if (differs != (found == LIKENESS_OTHER)) {
        fail("a difference that is not reported, or none that is", got, got_size);
    }
    if (pointer != NULL && (!differs || strcmp(d.pointer, pointer) != 0)) {
        fail("another pointer", got, got_size);
    }
    difference_free(&d);
    vector_bytes_free(&left);
    vector_bytes_free(&right);
    return found;
}

static void want(likeness likeness_of_both, const char *wanted, const char *got, size_t got_size,
                 const char *pointer) {
    size_t size = strlen(wanted);
    if (compare(wanted, size, got, got_size, pointer) != likeness_of_both ||
        compare(got, got_size, wanted, size, NULL) != likeness_of_both) {
        fail("a pair by hand", got, got_size);
    }
}

/* Containers in each other, and deeper than is read. */
static void try_deep(size_t depth, likeness same, likeness other) {
    strbuf b = {NULL, 0, 0};
    for (size_t i = 0; i < depth; i++) {
        strbuf_text(&b, "[{\"a\":");
    }
    size_t middle = b.size;
    strbuf_text(&b, "1");
    for (size_t i = 0; i < depth; i++) {
        strbuf_text(&b, "}]");
    }
    char *changed = memory_text(b.data);
    changed[middle] = '2';
    if (compare(b.data, b.size, b.data, b.size, NULL) != same ||
        compare(b.data, b.size, changed, b.size, NULL) != other) {
        fail("deep containers", b.data, 20);
    }
    free(changed);
    strbuf_free(&b);
}

static void try_hands(void) {
    for (size_t i = 0; i < COUNT(HANDS); i++) {
        const char *const *row = HANDS[i];
        want(row[2] == NULL ? LIKENESS_SAME : LIKENESS_OTHER, row[0], row[1], strlen(row[1]),
             row[2]);
    }
    for (const char *text = NO_JSON; *text != '\0';) {
        size_t size = strcspn(text, "|");
        want(LIKENESS_UNKNOWN, "1", text, size, NULL);
        text += size + (text[size] == '|');
    }
    try_deep(DEEP, LIKENESS_SAME, LIKENESS_OTHER);
    try_deep(TOO_DEEP, LIKENESS_UNKNOWN, LIKENESS_UNKNOWN);
}

/* Returns whether it was read. */
static size_t try_json(const char *data, size_t size) {
    bool read = compare(data, size, "1", 1, NULL) != LIKENESS_UNKNOWN;
    if (read != (compare(data, size, data, size, NULL) != LIKENESS_UNKNOWN)) {
        fail("read once, and once not", data, size);
    }
    return read;
}

/* -------------------------------------------------------------------- random */

/* A good text, or nothing, with a few bytes put behind it, or changed, and perhaps cut. Half of
 * the bytes mean something to a reader of JSON. */
static strbuf make_noise(uint64_t *state, const char *good) {
    static const char some[] = "{}[],:\"\"\\u0dD8c-+.eE1 tn\x80\xC3\xA9";
    strbuf b = {NULL, 0, 0};
    bool random = draw(state) % 4 == 0;
    strbuf_text(&b, random ? "" : good);
    for (uint64_t i = random ? draw(state) % 64 : 0; i > 0; i--) {
        strbuf_put(&b, &some[draw(state) % (sizeof some - 1)], 1);
    }
    for (uint64_t i = draw(state) % 5; i > 0 && b.size > 0; i--) {
        uint64_t byte = draw(state);
        b.data[draw(state) % b.size] =
            byte & 1 ? (char)(byte >> 1 & 0xFF) : some[(byte >> 1) % (sizeof some - 1)];
    }
    if (b.size > 0 && draw(state) % 8 == 0) {
        b.size = draw(state) % b.size;
    }
    return b;
}

static size_t try_noise(uint64_t *state, const char *good,
                        size_t (*show)(const char *data, size_t size)) {
    strbuf b = make_noise(state, good);
    size_t read = show(strbuf_string(&b), b.size);
    strbuf_free(&b);
    return read;
}

int main(int argc, char **argv) {
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : ROUNDS;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 88172645463325252u;
    size_t lines = 0;
    size_t texts = 0;
    for (size_t i = 0; i < COUNT(GOOD); i++) {
        if (try_line(GOOD[i], strlen(GOOD[i])) != 1) {
            fail("a good line that is not read", GOOD[i], strlen(GOOD[i]));
        }
    }
    try_hands();
    for (unsigned long i = 0; i < rounds; i++) {
        lines += try_noise(&state, GOOD[draw(&state) % COUNT(GOOD)], try_line);
        texts += try_noise(&state, HANDS[draw(&state) % COUNT(HANDS)][1], try_json);
    }
    printf("%lu rounds, %zu lines and %zu texts read\n", rounds, lines, texts);
    return lines > 0 && lines < rounds && texts > 0 && texts < rounds ? 0 : 1;
}
