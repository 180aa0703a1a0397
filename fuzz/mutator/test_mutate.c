/*
 * mutator/test_mutate.c - the mutator on golden programs: the same numbers give the same
 * bytes, nothing is written where it should not, every mutation can be done,
 * broken text does no harm, and enough of what comes out is still a program.
 *
 *   test_mutate GOLDEN            the test
 *   test_mutate GOLDEN --share    how much of each mutation decodes and checks
 *   test_mutate GOLDEN --speed    how many mutations a second
 */
#include "mutator/mutate.h"

#include "check.h"
#include "corpus.h"

#include <stdlib.h>
#include <time.h>

enum { ROOM = 32 * 1024, MARGIN = 64, SMALL = 12 * 1024, SAMPLE = 150 };

typedef struct sample {
    test_text texts[SAMPLE];
    size_t count;
    fuzz_mutator *mutator;
} sample;

/* Programs of every release, none of them large. */
static bool read_sample(sample *s, const char *folder) {
    corpus c;
    if (!corpus_open(&c, folder)) {
        return false;
    }
    size_t step = c.n / SAMPLE + 1;
    for (size_t i = 0; i < c.n && s->count < SAMPLE; i += step) {
        test_text *text = &s->texts[s->count];
        if (corpus_read(&c, i, "program.json", text) && text->size <= SMALL) {
            s->count++;
        } else {
            test_text_free(text);
        }
    }
    corpus_close(&c);
    return s->count > 0;
}

static void free_sample(sample *s) {
    for (size_t i = 0; i < s->count; i++) {
        test_text_free(&s->texts[i]);
    }
    fuzz_mutator_close(s->mutator);
}

/* ------------------------------------------------------------------- verdicts */

typedef struct verdict {
    bool decodes;
    bool checks;
} verdict;

static verdict judge(const uint8_t *data, size_t size) {
    test_heap heap = {0};
    ep_arena arena;
    const ep_program *decoded = NULL;
    ep_decode_options decoding = ep_decode_options_default();
    ep_check_options checking = ep_check_options_default();
    test_arena(&arena, &heap, 0);
    verdict v = {false, false};
    v.decodes = ep_decode(&arena, (ep_bytes){(const char *)data, size}, &decoding, &decoded, NULL);
    v.checks = v.decodes && ep_check(decoded, &arena, &checking, NULL);
    ep_arena_free(&arena);
    return v;
}

/* --------------------------------------------------------------------- tests */

/* An input with room behind it, and a margin behind that. */
typedef struct room {
    uint8_t data[ROOM + MARGIN];
} room;

static void put_in(room *r, const void *data, size_t size) {
    memset(r->data, 0xA5, sizeof r->data);
    memcpy(r->data, data, size);
}

static bool margin_holds(const room *r, size_t max) {
    for (size_t i = 0; i < MARGIN; i++) {
        if (r->data[max + i] != 0xA5) {
            return false;
        }
    }
    return true;
}

static void test_same(sample *s) {
    fuzz_mutator *other = fuzz_mutator_open(MUTATE_LAYOUT_ANY);
    room a;
    room b;
    for (uint32_t seed = 0; CHECK(other != NULL) && seed < 400; seed++) {
        const test_text *text = &s->texts[seed % s->count];
        put_in(&a, text->data, text->size);
        put_in(&b, text->data, text->size);
        size_t first = fuzz_mutate(s->mutator, a.data, text->size, ROOM, seed);
        size_t second = fuzz_mutate(other, b.data, text->size, ROOM, seed);
        CHECK_EQ_INT(first, second);
        CHECK(memcmp(a.data, b.data, first) == 0);
        CHECK(first > 0 || memcmp(a.data, text->data, text->size) == 0);
    }
    fuzz_mutator_close(other);
}

/* At sizes that leave no room, little, and much. */
static void test_bounds(sample *s) {
    static const size_t slack[] = {0, 1, 7, 100, 4096};
    room r;
    for (uint32_t seed = 0; seed < 1500; seed++) {
        const test_text *text = &s->texts[seed % s->count];
        size_t max = text->size + slack[seed % 5];
        put_in(&r, text->data, text->size);
        size_t now = fuzz_mutate(s->mutator, r.data, text->size, max, seed);
        CHECK(now <= max);
        CHECK(margin_holds(&r, max));
    }
    put_in(&r, "{}", 2);
    CHECK_EQ_INT(fuzz_mutate(s->mutator, r.data, 2, 1, 1), 0);
    CHECK_EQ_INT(fuzz_mutate(s->mutator, r.data, 0, ROOM, 1), 0);
}

/* Texts that are cut anywhere, or have other bytes anywhere. */
static void test_broken(sample *s) {
    mutate_random random = {7};
    room r;
    for (uint32_t seed = 0; seed < 3000; seed++) {
        const test_text *text = &s->texts[mutate_below(&random, s->count)];
        size_t size = 1 + mutate_below(&random, text->size);
        put_in(&r, text->data, size);
        for (size_t i = mutate_below(&random, 4); i > 0; i--) {
            static const char marks[] = "{}[]\",:\\ \n0n";
            r.data[mutate_below(&random, size)] = (uint8_t)marks[mutate_below(&random, 12)];
        }
        size_t now = fuzz_mutate_program(s->mutator, r.data, size, size + 200, seed);
        CHECK(now <= size + 200);
        CHECK(margin_holds(&r, size + 200));
    }
}

/* Each of the mutations can be done somewhere, and then something is different. */
static void test_each(sample *s) {
    room r;
    for (size_t i = 0; fuzz_mutation_name(i) != NULL; i++) {
        size_t done = 0;
        for (uint32_t seed = 0; seed < 200 && done < 3; seed++) {
            const test_text *text = &s->texts[(seed * 7) % s->count];
            put_in(&r, text->data, text->size);
            size_t now =
                fuzz_mutate_with(s->mutator, r.data, text->size, ROOM, (mutate_wish){i, seed});
            done += now > 0;
            bool same = now == text->size && memcmp(r.data, text->data, now) == 0;
            CHECK_NOTE(now == 0 || !same, fuzz_mutation_name(i));
        }
        CHECK_NOTE(done == 3, fuzz_mutation_name(i));
    }
}

/* Where there is nothing yet, programs are made, some of which decode. */
static void test_nothing(sample *s) {
    room r;
    size_t decode = 0;
    for (uint32_t seed = 0; seed < 200; seed++) {
        put_in(&r, "", 0);
        size_t now = fuzz_mutate_program(s->mutator, r.data, 0, ROOM, seed);
        CHECK(now > 0);
        decode += judge(r.data, now).decodes;
    }
    CHECK(decode > 20);
}

static void test_tail(sample *s) {
    static const char tail[] = "\0abcdefghijklmnop";
    room r;
    size_t kept = 0;
    size_t drawn = 0;
    for (uint32_t seed = 0; seed < 300; seed++) {
        const test_text *text = &s->texts[seed % s->count];
        put_in(&r, text->data, text->size);
        memcpy(r.data + text->size, tail, 17);
        size_t now = fuzz_mutate_program(s->mutator, r.data, text->size + 17, ROOM, seed);
        if (now == 0) {
            continue;
        }
        const uint8_t *zero = memchr(r.data, 0, now);
        bool same = now >= 17 && memcmp(r.data + now - 17, tail, 17) == 0;
        CHECK(zero != NULL && (size_t)(r.data + now - zero) >= 17);
        kept += same;
        drawn += !same;
    }
    CHECK(kept > drawn);
    CHECK(drawn > 20);
}

/* A part of the second input in the first, and the same one again. */
static void test_cross(sample *s) {
    room r;
    room again;
    size_t done = 0;
    for (uint32_t seed = 0; seed < 400; seed++) {
        const test_text *a = &s->texts[seed % s->count];
        const test_text *b = &s->texts[(seed * 13 + 1) % s->count];
        mutate_input first = {(const uint8_t *)a->data, a->size};
        mutate_input second = {(const uint8_t *)b->data, b->size};
        size_t max = a->size + seed % 500;
        put_in(&r, "", 0);
        size_t now = fuzz_cross(s->mutator, first, second, (mutate_room){r.data, max}, seed);
        CHECK(now <= max);
        CHECK(margin_holds(&r, max));
        put_in(&again, "", 0);
        CHECK_EQ_INT(fuzz_cross(s->mutator, first, second, (mutate_room){again.data, max}, seed),
                     now);
        CHECK(memcmp(again.data, r.data, now) == 0);
        done += now > 0;
    }
    CHECK(done > 200);
}

/* The text behind the language and the version; now and then one of these two. */
static void test_strings(void) {
    static const char text[] = "\x01\x02Max(1, 2*s0 + u0) // 3";
    fuzz_mutator *m = fuzz_mutator_open(MUTATE_LAYOUT_STRINGS);
    room r;
    size_t done = 0;
    size_t heads = 0;
    for (uint32_t seed = 0; CHECK(m != NULL) && seed < 300; seed++) {
        put_in(&r, text, sizeof text - 1);
        size_t now = fuzz_mutate(m, r.data, sizeof text - 1, 100, seed);
        CHECK(now <= 100 && margin_holds(&r, 100));
        CHECK(r.data[0] == (uint8_t)text[0] || r.data[1] == (uint8_t)text[1]);
        heads += memcmp(r.data, text, 2) != 0;
        done += now > 0;
    }
    CHECK(done > 200);
    CHECK(heads > 20 && heads < 80); /* one in eight */
    fuzz_mutator_close(m);
}

/* -------------------------------------------------------------------- figures */

typedef struct shares {
    size_t tried;
    size_t done;
    size_t decode;
    size_t check;
} shares;

static void count(shares *sum, const room *r, size_t now) {
    sum->tried++;
    if (now > 0) {
        verdict v = judge(r->data, now);
        sum->done++;
        sum->decode += v.decodes;
        sum->check += v.checks;
    }
}

/* Of one mutation, or with SIZE_MAX of what engines get. */
static shares shares_of(sample *s, size_t mutation, uint32_t rounds) {
    shares sum = {0, 0, 0, 0};
    room r;
    for (uint32_t seed = 0; seed < rounds; seed++) {
        const test_text *text = &s->texts[seed % s->count];
        put_in(&r, text->data, text->size);
        size_t now = mutation == SIZE_MAX ? fuzz_mutate(s->mutator, r.data, text->size, ROOM, seed)
                                          : fuzz_mutate_with(s->mutator, r.data, text->size, ROOM,
                                                             (mutate_wish){mutation, seed});
        count(&sum, &r, now);
    }
    return sum;
}

static size_t percent(size_t part, size_t whole) {
    return whole == 0 ? 0 : 100 * part / whole;
}

static void test_shares(sample *s) {
    shares all = shares_of(s, SIZE_MAX, 3000);
    CHECK(percent(all.done, all.tried) >= 95);
    CHECK(percent(all.decode, all.done) >= 30 && percent(all.decode, all.done) <= 70);
    CHECK(percent(all.check, all.done) >= 5 && percent(all.check, all.done) <= 30);
}

static void print_shares(const char *name, unsigned weight, shares sum) {
    printf("%-18s %3u %6zu %6zu %6zu\n", name, weight, percent(sum.done, sum.tried),
           percent(sum.decode, sum.done), percent(sum.check, sum.done));
}

static void tell_shares(sample *s) {
    printf("%-18s %3s %6s %6s %6s\n", "mutation", "", "done%", "decode%", "check%");
    for (size_t i = 0; fuzz_mutation_name(i) != NULL; i++) {
        print_shares(fuzz_mutation_name(i), fuzz_mutation_weight(i), shares_of(s, i, 1000));
    }
    print_shares("all, stacked", 0, shares_of(s, SIZE_MAX, 20000));
}

static void time_one(sample *s, size_t mutation, uint32_t rounds) {
    room r;
    size_t bytes = 0;
    clock_t begin = clock(); /* of this process: the machine may be busy */
    for (uint32_t seed = 0; seed < rounds; seed++) {
        const test_text *text = &s->texts[seed % s->count];
        memcpy(r.data, text->data, text->size);
        bytes += text->size;
        if (mutation == SIZE_MAX) {
            fuzz_mutate(s->mutator, r.data, text->size, ROOM, seed);
        } else {
            fuzz_mutate_with(s->mutator, r.data, text->size, ROOM, (mutate_wish){mutation, seed});
        }
    }
    const char *name = mutation == SIZE_MAX ? "all, stacked" : fuzz_mutation_name(mutation);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    printf("%-18s %8.0f a second, inputs of %zu bytes\n", name, rounds / seconds, bytes / rounds);
}

static void tell_speed(sample *s) {
    for (size_t i = 0; fuzz_mutation_name(i) != NULL; i++) {
        time_one(s, i, 3000);
    }
    time_one(s, SIZE_MAX, 60000);
}

static void test(sample *s) {
    test_same(s);
    test_bounds(s);
    test_broken(s);
    test_each(s);
    test_nothing(s);
    test_tail(s);
    test_cross(s);
    test_strings();
    test_shares(s);
}

int main(int argc, char **argv) {
    static sample s;
    if (argc < 2 || !read_sample(&s, argv[1])) {
        fputs("test_mutate GOLDEN [--share | --speed]\n", stderr);
        return 2;
    }
    s.mutator = fuzz_mutator_open(MUTATE_LAYOUT_ANY);
    const char *mode = argc > 2 ? argv[2] : "";
    if (s.mutator == NULL) {
        return 2;
    }
    if (strcmp(mode, "--share") == 0) {
        tell_shares(&s);
    } else if (strcmp(mode, "--speed") == 0) {
        tell_speed(&s);
    } else {
        test(&s);
    }
    free_sample(&s);
    return *mode == '\0' ? check_report() : 0;
}
