/*
 * mutator/test_mutate_zip.c - the mutator of archives, over those that are named: parts
 * that are written are read again; a fault shows; the same seed makes the same
 * archive, within its limit; much of what comes out is an archive still, whose
 * members have changed. usage: test_mutate_zip ARCHIVE...
 */
#include "check.h"
#include "mutator/mutate_zip.h"
#include "oracles/zip_rules.h"
#include "support.h"

#include <stdlib.h>

enum { ROOM = 1 << 16, SEEDS = 60 };

/* What the mutations came to. */
typedef struct tally {
    size_t made;
    size_t whole;   /* are archives for the second reader */
    size_t kept;    /* keep the rules of SPEC 8.1, so that what reads archives goes on */
    size_t changed; /* and have another program than before */
    size_t crossed;
} tally;

typedef struct bench {
    fuzz_mutator *m;
    ep_bytes file;
    uint8_t *a; /* ROOM bytes each */
    uint8_t *b;
    tally *tally;
} bench;

/* ----------------------------------------------------------------------- writing */

static bool is_same(ep_bytes a, ep_bytes b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static const zip_part parts[] = {
    {.name = {"r/models/m.json", 15}, .data = {"{\"a\": 1}", 8}, .extra = {"", 0}},
    {.name = {"r/data/x", 8}, .data = {"xxxxxxxxxxxxxxxxxxxxxxxx", 24}, .method = ZIP_DEFLATED},
    {.name = {"r/empty", 7}, .data = {"", 0}, .comment = {"why", 3}},
    {.name = {"r/behind", 8},
     .data = {"bytes", 5},
     .flags = ZIP_FLAG_DESCRIPTOR,
     .local_extra = {"FB\2\0ZZ", 6}},
};

enum { PARTS = sizeof parts / sizeof parts[0] };

static size_t write_with(zip_fault fault, bool zip64, char *out) {
    zip_model model = {.count = PARTS, .zip64 = zip64};
    memcpy(model.parts, parts, sizeof parts);
    return zip_write(&model, &fault, (mutate_room){(uint8_t *)out, 1024});
}

static void test_written_is_read(bool zip64) {
    char out[1024];
    zip_reading r;
    zip_content content;
    size_t size = write_with((zip_fault){.kind = ZIP_FAULT_NONE}, zip64, out);
    CHECK(zip_reader_open((ep_bytes){out, size}, &r));
    CHECK(r.whole && r.agrees && r.zip64 == zip64);
    if (CHECK_EQ_INT(r.count, PARTS)) {
        for (size_t i = 0; i < PARTS; i++) {
            CHECK(is_same(r.entries[i].head.name, parts[i].name));
            CHECK(is_same(r.entries[i].local.name, parts[i].name));
            if (CHECK(zip_reader_unpack(&r.entries[i], 1024, &content))) {
                CHECK(is_same(content.bytes, parts[i].data));
                zip_content_free(&content);
            }
        }
        CHECK_EQ_INT(r.entries[1].head.method, ZIP_DEFLATED);
    }
    zip_reader_close(&r);
}

/* Without room for all of it nothing is written. */
static void test_no_room(void) {
    char out[1024];
    zip_model model = {.count = PARTS};
    zip_fault none = {.kind = ZIP_FAULT_NONE};
    memcpy(model.parts, parts, sizeof parts);
    size_t size = zip_write(&model, &none, (mutate_room){(uint8_t *)out, sizeof out});
    for (size_t room = 0; room < size; room++) {
        CHECK_EQ_INT(zip_write(&model, &none, (mutate_room){(uint8_t *)out, room}), 0);
    }
}

/* Whatever form it has, an archive without a fault keeps the rules. */
static void test_forms(void) {
    char out[2048];
    zip_fault none = {.kind = ZIP_FAULT_NONE};
    for (unsigned forms = 0; forms < 128; forms++) {
        zip_rules rules;
        zip_model model = {.count = PARTS, .zip64 = forms % 2 == 1, .turned = forms % PARTS};
        memcpy(model.parts, parts, sizeof parts);
        model.backwards = forms >= 64;
        for (size_t i = 0; i < PARTS; i++) {
            model.parts[i].forms = forms % 32;
            model.parts[i].flags = (uint16_t)((forms & 32) != 0 ? ZIP_FLAG_DESCRIPTOR : 0);
        }
        size_t size = zip_write(&model, &none, (mutate_room){(uint8_t *)out, sizeof out});
        CHECK_EQ_INT(zip_rules_open((ep_bytes){out, size}, &rules), EP_OK);
        zip_rules_free(&rules);
    }
}

/* Each kind makes another archive than none does. */
static void test_faults(void) {
    char right[1024];
    char wrong[1024];
    size_t size = write_with((zip_fault){.kind = ZIP_FAULT_NONE}, true, right);
    for (int kind = ZIP_FAULT_NONE + 1; kind < ZIP_FAULTS; kind++) {
        bool later = ZIP_FAULT_LATER_CRC <= kind && kind <= ZIP_FAULT_LATER_GAP;
        size_t part = later ? PARTS - 1 : 1; /* that has a descriptor */
        zip_fault fault = {.kind = (zip_fault_kind)kind, .part = part, .number = 4};
        size_t other = write_with(fault, true, wrong);
        char note[32];
        snprintf(note, sizeof note, "fault %d", kind);
        CHECK_NOTE(other > 0, note);
        CHECK_NOTE(other != size || memcmp(right, wrong, size) != 0, note);
    }
}

/* ---------------------------------------------------------------------- mutating */

/* The member that looks like a program; not found where there is none. */
static const zip_entry *program_of(const zip_reading *r) {
    for (size_t i = 0; i < r->count; i++) {
        if (r->entries[i].packed.size > 0 && r->entries[i].packed.data[0] == '{' &&
            r->entries[i].packed.size > 400) {
            return &r->entries[i];
        }
    }
    return NULL;
}

static void compare(const bench *b, size_t size) {
    zip_reading before;
    zip_reading after;
    zip_content content;
    bool ok = zip_reader_open(b->file, &before);
    if (zip_reader_open((ep_bytes){(const char *)b->a, size}, &after) && after.whole) {
        const zip_entry *old = ok ? program_of(&before) : NULL;
        const zip_entry *new = program_of(&after);
        b->tally->whole++;
        if (old != NULL && new != NULL && zip_reader_unpack(new, ROOM, &content)) {
            b->tally->changed += is_same(content.bytes, old->packed) ? 0 : 1;
            zip_content_free(&content);
        }
    }
    zip_reader_close(&before);
    zip_reader_close(&after);
}

static void test_seed(const bench *b, uint32_t seed) {
    size_t max = b->file.size + (seed % 3 == 0 ? 0 : 2000);
    max = max < ROOM ? max : ROOM;
    memcpy(b->a, b->file.data, b->file.size);
    memcpy(b->b, b->file.data, b->file.size);
    size_t size = fuzz_mutate_zip(b->m, b->a, b->file.size, max, seed);
    CHECK(size <= max);
    CHECK_EQ_INT(fuzz_mutate_zip(b->m, b->b, b->file.size, max, seed), size);
    CHECK(memcmp(b->a, b->b, size > 0 ? size : b->file.size) == 0);
    if (size == 0) {
        CHECK(memcmp(b->a, b->file.data, b->file.size) == 0);
    } else {
        zip_rules rules;
        b->tally->made++;
        b->tally->kept +=
            zip_rules_open((ep_bytes){(const char *)b->a, size}, &rules) == EP_OK ? 1 : 0;
        zip_rules_free(&rules);
        compare(b, size);
    }
}

static void test_cross(const bench *b, ep_bytes other, uint32_t seed) {
    mutate_input from = {(const uint8_t *)b->file.data, b->file.size};
    mutate_input with = {(const uint8_t *)other.data, other.size};
    size_t size = fuzz_cross_zip(b->m, from, with, (mutate_room){b->a, ROOM}, seed);
    CHECK(size <= ROOM);
    CHECK_EQ_INT(fuzz_cross_zip(b->m, from, with, (mutate_room){b->b, ROOM}, seed), size);
    CHECK(memcmp(b->a, b->b, size) == 0);
    b->tally->crossed += size > 0 ? 1 : 0;
}

/* Any bytes, too: cut archives, and none. */
static void test_cut(const bench *b) {
    for (size_t size = 0; size < b->file.size; size += 1 + b->file.size / 20) {
        memcpy(b->a, b->file.data, size);
        CHECK(fuzz_mutate_zip(b->m, b->a, size, b->file.size, (uint32_t)size) <= b->file.size);
    }
}

/* A pickle by its opcodes: within its room, and the same for the same seed. */
static void test_pickle(void) {
    static const char pickle[] = "\x80\2}q\0X\1\0\0\0wq\1(X\7\0\0\0storageK\5J\1\2\0\0tq\2"
                                 "ctorch\nFloatStorage\nq\3\x88s.";
    size_t made = 0;
    size_t shorter = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        char a[128];
        char b[128];
        mutate_random first = {seed};
        mutate_random second = {seed};
        size_t room = seed % 2 == 0 ? sizeof a : sizeof pickle - 1;
        memcpy(a, pickle, sizeof pickle);
        memcpy(b, pickle, sizeof pickle);
        size_t size = zip_mutate_pickle(&first, a, sizeof pickle - 1, room);
        CHECK(size <= room);
        CHECK_EQ_INT(zip_mutate_pickle(&second, b, sizeof pickle - 1, room), size);
        CHECK(memcmp(a, b, size) == 0);
        made += size > 0 ? 1 : 0;
        shorter += size > 0 && size < sizeof pickle - 1 ? 1 : 0;
    }
    CHECK(made > 200 && shorter > 20);
}

static void test_file(bench *b, const char *path, test_text *last) {
    test_text text = {0};
    if (!CHECK_NOTE(test_read_file(path, &text), path) || text.size > ROOM) {
        test_text_free(&text);
        return;
    }
    b->file = (ep_bytes){text.data, text.size};
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        test_seed(b, seed);
    }
    for (uint32_t seed = 0; last->size > 0 && seed < SEEDS / 4; seed++) {
        test_cross(b, (ep_bytes){last->data, last->size}, seed);
    }
    test_cut(b);
    test_text_free(last);
    *last = text;
}

/* The same of what holds state. */
static void test_states(bench *b, int argc, char **argv) {
    tally t = {0};
    test_text last = {0};
    fuzz_mutator *plain = b->m;
    tally *before = b->tally;
    b->m = fuzz_mutator_open(MUTATE_LAYOUT_STATE);
    b->tally = &t;
    for (int i = 1; b->m != NULL && i < argc; i++) {
        test_file(b, argv[i], &last);
    }
    size_t tried = (size_t)(argc - 1) * SEEDS;
    printf("of state: %zu tried, %zu made, %zu whole, %zu keep the rules\n", tried, t.made, t.whole,
           t.kept);
    CHECK(t.made > tried / 4 * 3 && t.kept > t.made / 2 && t.kept < t.made);
    test_text_free(&last);
    fuzz_mutator_close(b->m);
    b->m = plain;
    b->tally = before;
}

int main(int argc, char **argv) {
    tally t = {0};
    test_text last = {0};
    bench b = {.m = fuzz_mutator_open(MUTATE_LAYOUT_ARCHIVE),
               .a = malloc(ROOM),
               .b = malloc(ROOM),
               .tally = &t};
    test_written_is_read(false);
    test_written_is_read(true);
    test_no_room();
    test_forms();
    test_faults();
    test_pickle();
    if (CHECK(b.m != NULL && b.a != NULL && b.b != NULL) && CHECK(argc > 1)) {
        for (int i = 1; i < argc; i++) {
            test_file(&b, argv[i], &last);
        }
        size_t tried = (size_t)(argc - 1) * SEEDS;
        printf("%zu tried, %zu made, %zu whole, %zu keep the rules, %zu with another program, "
               "%zu crossed\n",
               tried, t.made, t.whole, t.kept, t.changed, t.crossed);
        CHECK(t.made > tried / 4 * 3 && t.whole > t.made / 2 && t.changed > t.whole / 5);
        CHECK(t.kept > t.made / 2 && t.kept < t.made);
        CHECK(t.crossed > tried / 8);
        test_states(&b, argc, argv);
    }
    test_text_free(&last);
    fuzz_mutator_close(b.m);
    free(b.a);
    free(b.b);
    return check_report();
}
