/*
 * answer_fuzz.c - shows lines to the reader of answers and hellos: random
 * bytes, and good ones with a few bytes changed. Whatever comes, it is either
 * read whole or refused with a reason; sanitizers watch the rest.
 *
 *     answer_fuzz [ROUNDS [SEED]]
 */
#include "run/answer.h"
#include "run/testee.h"
#include "text/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 200000, LINE = 512 };

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
enum { GOOD_COUNT = sizeof GOOD / sizeof GOOD[0] };

/* xorshift64 */
static uint64_t draw(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

static size_t make_noise(uint64_t *state, char *line) {
    size_t size = draw(state) % 64;
    for (size_t i = 0; i < size; i++) {
        line[i] = (char)(draw(state) & 0xFF);
    }
    return size;
}

/* A good line with up to four bytes changed, and perhaps cut. */
static size_t make_variant(uint64_t *state, char *line) {
    const char *good = GOOD[draw(state) % GOOD_COUNT];
    size_t size = strlen(good);
    memcpy(line, good, size);
    for (uint64_t i = draw(state) % 5; i > 0; i--) {
        line[draw(state) % size] = (char)(draw(state) & 0xFF);
    }
    return draw(state) % 8 == 0 ? draw(state) % size : size;
}

static void fail(const char *what, const char *line, size_t size) {
    strbuf b = {NULL, 0, 0};
    strbuf_ascii(&b, line, size);
    printf("FAIL: %s: %s\n", what, strbuf_string(&b));
    exit(1);
}

/* Returns whether it was read. */
static bool try_answer(const char *line, size_t size) {
    answer a;
    strbuf why = {NULL, 0, 0};
    bool ok = answer_read(&a, line, size, 7, &why);
    if (ok == (why.size > 0)) {
        fail("an answer that is refused without a reason, or read with one", line, size);
    }
    if (ok && vector_text(a.json, "verdict") == NULL) {
        fail("an answer without a verdict", line, size);
    }
    answer_free(&a);
    strbuf_free(&why);
    return ok;
}

static bool try_hello(const char *line, size_t size) {
    traits t = {.hello = NULL};
    strbuf why = {NULL, 0, 0};
    cJSON *json = object_read(line, size, &why);
    bool ok = json != NULL && traits_read(&t, json, &why);
    if (ok == (why.size > 0)) {
        fail("a hello that is refused without a reason, or read with one", line, size);
    }
    cJSON_Delete(json);
    strbuf_free(&why);
    return ok;
}

/* In a block of exactly its size. */
static size_t try_line(const char *line, size_t size) {
    char *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL) {
        exit(1);
    }
    memcpy(copy, line, size);
    size_t read = (size_t)try_answer(copy, size) + (size_t)try_hello(copy, size);
    free(copy);
    return read;
}

int main(int argc, char **argv) {
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : ROUNDS;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 88172645463325252u;
    size_t read = 0;
    char line[LINE];
    for (size_t i = 0; i < GOOD_COUNT; i++) {
        if (try_line(GOOD[i], strlen(GOOD[i])) != 1) {
            fail("a good line that is not read", GOOD[i], strlen(GOOD[i]));
        }
    }
    for (unsigned long i = 0; i < rounds; i++) {
        size_t size = draw(&state) % 4 == 0 ? make_noise(&state, line) : make_variant(&state, line);
        read += try_line(line, size);
    }
    printf("%lu lines, %zu of them read\n", rounds, read);
    return read > 0 && read < rounds ? 0 : 1;
}
