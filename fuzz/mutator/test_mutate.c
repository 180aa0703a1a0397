/*
 * mutator/test_mutate.c - the mutator on inputs of one layout: the same numbers give the same
 * bytes, nothing is written where it should not, cut inputs do no harm, most inputs are
 * changed, and so much of what comes out keeps the rules that a target gets further than
 * where it is read.
 *
 *     test_mutate LAYOUT LEAST MOST FILE...    LEAST to MOST of 100 keep the rules
 */
#include "mutator/mutate.h"

#include "check.h"
#include "common/buffer.h"
#include "oracles/zip_rules.h"
#include "support.h"

#include <stdlib.h>

enum { ROOM = 32 * 1024, MARGIN = 64, SEEDS = 60 };

/* Inputs of one layout, with two mutators and room for each; what came of the mutations. */
typedef struct bench {
    fuzz_mutator *mutators[2];
    uint8_t rooms[2][ROOM + MARGIN];
    ep_bytes input;
    bool programs;
    size_t tried;
    size_t made;
    size_t sound;
    size_t crossed;
} bench;

static bool is_program(ep_bytes text) {
    ep_arena arena;
    const ep_program *program = NULL;
    arena_open(&arena, 0);
    bool ok =
        ep_decode(&arena, text, NULL, &program, NULL) && ep_check(program, &arena, NULL, NULL);
    ep_arena_free(&arena);
    return ok;
}

static bool is_sound(const bench *b, ep_bytes made) {
    zip_rules rules;
    if (b->programs) {
        return is_program(made);
    }
    bool ok = zip_rules_open(made, &rules) == EP_OK;
    zip_rules_free(&rules);
    return ok;
}

/* Whether both rooms have the same, and nothing behind it. */
static void check_rooms(const bench *b, size_t first, size_t second, size_t max) {
    CHECK(first <= max);
    CHECK_EQ_INT(first, second);
    CHECK(memcmp(b->rooms[0], b->rooms[1], first) == 0);
    for (size_t i = max; i < max + MARGIN; i++) {
        CHECK(b->rooms[0][i] == 0xA5);
    }
}

/* The first bytes of the input, with so much room behind them, alone or with another input.
 * Returns the new size. */
static size_t mutate(bench *b, size_t size, size_t slack, ep_bytes donor, uint32_t seed) {
    size_t now[2];
    size_t max = size + slack < ROOM ? size + slack : ROOM;
    for (int i = 0; i < 2; i++) {
        mutate_job job = {b->rooms[i], size, max, donor, seed};
        memset(b->rooms[i], 0xA5, sizeof b->rooms[i]);
        memcpy(b->rooms[i], b->input.data, size);
        now[i] = fuzz_mutate(b->mutators[i], &job);
    }
    check_rooms(b, now[0], now[1], max);
    CHECK(now[0] > 0 || memcmp(b->rooms[0], b->input.data, size) == 0);
    return now[0];
}

static void test_seeds(bench *b, ep_bytes other) {
    static const size_t slack[] = {0, 1, 100, ROOM};
    static const ep_bytes alone = {NULL, 0};
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        random_source random = {seed};
        size_t now = mutate(b, b->input.size, ROOM, alone, seed);
        b->tried++;
        b->made += now > 0;
        b->sound += now > 0 && is_sound(b, (ep_bytes){(const char *)b->rooms[0], now});
        mutate(b, random_below(&random, b->input.size + 1), slack[seed % 4], alone, seed);
        if (seed % 4 == 0 && other.size > 0) {
            b->crossed += mutate(b, b->input.size, ROOM, other, seed) > 0;
        }
    }
}

static void test_files(bench *b, int count, char **paths) {
    test_text last = {0};
    for (int i = 0; i < count; i++) {
        test_text text = {0};
        if (CHECK_NOTE(test_read_file(paths[i], &text), paths[i]) && text.size <= ROOM) {
            b->input = (ep_bytes){text.data, text.size};
            test_seeds(b, (ep_bytes){last.data, last.size});
        }
        test_text_free(&last);
        last = text;
    }
    test_text_free(&last);
}

int main(int argc, char **argv) {
    static bench b;
    if (argc < 5) {
        fputs("usage: test_mutate LAYOUT LEAST MOST FILE...\n", stderr);
        return 2;
    }
    b.programs = strncmp(argv[1], "program", 7) == 0;
    b.mutators[0] = fuzz_mutator_open(mutate_layout_of(argv[1]));
    b.mutators[1] = fuzz_mutator_open(mutate_layout_of(argv[1]));
    if (CHECK(b.mutators[0] != NULL && b.mutators[1] != NULL)) {
        test_files(&b, argc - 4, argv + 4);
    }
    size_t share = 100 * b.sound / (b.made > 0 ? b.made : 1);
    printf("%s: %zu tried, %zu made, of which %zu of 100 keep the rules, %zu crossed\n", argv[1],
           b.tried, b.made, share, b.crossed);
    CHECK(b.made > b.tried / 4 * 3 && b.crossed > b.tried / 8);
    CHECK(strtoul(argv[2], NULL, 10) <= share && share <= strtoul(argv[3], NULL, 10));
    fuzz_mutator_close(b.mutators[0]);
    fuzz_mutator_close(b.mutators[1]);
    return check_report();
}
