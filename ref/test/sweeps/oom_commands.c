/*
 * oom_commands.c - out of memory over the golden programs: each call that a
 * command of epref makes (calls.h) is made with allocation n refused, and with
 * n and all after it refused, for every n until it says what it says with all
 * the memory there is. usage:
 *
 *     oom_commands FOLDER [SHARE [PART]]
 *
 * FOLDER is that of golden.c. Of the programs those are taken whose name hashes
 * to PART among SHARE; and, whatever they hash to, the first of each release.
 *
 * Each try fails with EP_MEMORY, or gives the same verdict, the same error and
 * the same product; with everything refused from n on it fails. The error is
 * whole, what the sink took is a beginning of the product, and nothing leaks.
 * Of a sink that refuses piece n no more is asked.
 */
#include "calls.h"
#include "check.h"
#include "corpus.h"

#include <stdlib.h>

/* What the calls of one program have in common. */
typedef struct subject {
    const char *release;
    const char *model;
    call_input input;
    call_id id;
    call_result whole; /* with all the memory there is */
    size_t calls;      /* of the allocator, then */
} subject;

typedef struct totals {
    size_t programs;
    size_t calls[CALLS];
    size_t tries[CALLS];
    size_t refused[CALLS]; /* calls that fail with all the memory there is */
} totals;

static void tell(const subject *s, const call_result *r, const char *how, size_t n) {
    fprintf(stderr, "    %s/%s: %s, %s %zu of %zu: %s at %zu, %s; whole: %s at %zu\n", s->release,
            s->model, call_name(s->id), how, n, s->calls, ep_code_name(r->error.code),
            r->error.offset, r->error.pointer, ep_code_name(s->whole.error.code),
            s->whole.error.offset);
}

/* Makes the call; returns how often the allocator was asked. */
static size_t make(const subject *s, test_heap heap, call_result *r) {
    ep_arena arena;
    test_arena(&arena, &heap, 0);
    call_run(s->id, &s->input, &arena, r);
    bool good = CHECK(call_error_is_whole(&s->input, r));
    good = CHECK(s->id != CALL_ENCODE || r->prefix) && good;
    ep_arena_free(&arena);
    good = CHECK(heap.bytes == 0 && heap.blocks == 0) && good;
    if (!good) {
        tell(s, r, "call", heap.fail_at);
    }
    return heap.calls;
}

static bool same(const call_result *a, const call_result *b) {
    return a->ok == b->ok && a->sum == b->sum && a->written == b->written &&
           a->error.code == b->error.code && a->error.offset == b->error.offset &&
           strcmp(a->error.pointer, b->error.pointer) == 0 &&
           strcmp(a->error.detail, b->error.detail) == 0;
}

static void refuse(const subject *s, size_t n, bool all) {
    call_result r;
    make(s, (test_heap){.fail_at = n, .fail_on = all}, &r);
    bool memory = r.error.code == EP_MEMORY && !r.ok;
    bool holds = n > s->calls ? same(&r, &s->whole) : memory || (!all && same(&r, &s->whole));
    if (!CHECK(holds)) {
        tell(s, &r, all ? "all refused from" : "refused only", n);
    }
}

static void sweep(subject *s, call_id id, totals *t) {
    s->id = id;
    s->calls = make(s, (test_heap){0}, &s->whole);
    for (size_t n = 1; n <= s->calls + 1; n++) {
        refuse(s, n, false);
        refuse(s, n, true);
    }
    t->calls[id]++;
    t->tries[id] += 2 * s->calls + 2;
    t->refused[id] += !s->whole.ok;
}

/* ----------------------------------------------------------------- the sink */

/* Refuses piece `last` and counts those that it is offered after it. */
typedef struct stopper {
    size_t last;
    size_t pieces;
} stopper;

static bool stop(void *context, const char *data, size_t size) {
    stopper *s = context;
    (void)data;
    (void)size;
    s->pieces++;
    return s->pieces != s->last;
}

static void stop_sink(const subject *s) {
    for (size_t last = 1;; last++) {
        stopper at = {.last = last};
        test_heap heap = {0};
        ep_arena arena;
        ep_error error;
        test_arena(&arena, &heap, 0);
        bool ok = ep_encode(s->input.program, &arena, stop, &at, &error);
        ep_arena_free(&arena);
        CHECK_EQ_INT(heap.bytes, 0);
        CHECK_EQ_INT(error.code, at.pieces < last ? EP_OK : EP_OUTPUT);
        CHECK(at.pieces <= last);
        if (ok) {
            return;
        }
    }
}

/* --------------------------------------------------------------- the programs */

/* The last version with a number of its own, and the first. */
static const ep_version *end_of_history(bool last) {
    const ep_version *found = ep_version_at(0);
    for (size_t i = 0; last && ep_version_at(i) != NULL; i++) {
        found = ep_version_at(i);
    }
    return found;
}

/* The version next to the program's, in a direction; of the first and the last
 * itself. */
static const ep_version *next_to(const ep_version *version, bool later) {
    size_t i = 0;
    while (ep_version_at(i) != version) {
        i++;
    }
    bool none = later ? ep_version_at(i + 1) == NULL : i == 0;
    return ep_version_at(none ? i : later ? i + 1 : i - 1);
}

static void sweep_migrations(subject *s, totals *t) {
    const ep_version *from = ep_program_version(s->input.program);
    const ep_version *to[] = {end_of_history(false), next_to(from, false), next_to(from, true),
                              end_of_history(true)};
    for (size_t i = 0; i < 4; i++) {
        if (i == 0 || to[i] != to[i - 1]) {
            s->input.to = to[i];
            sweep(s, CALL_MIGRATE, t);
        }
    }
}

static void sweep_program(subject *s, totals *t) {
    for (size_t i = 0; i < CALLS; i++) {
        call_id id = (call_id)i;
        if (id == CALL_MIGRATE) {
            sweep_migrations(s, t);
        } else if (call_needs_program(id)) {
            sweep(s, id, t);
        }
    }
    stop_sink(s);
}

/* other: the last program that could be decoded. Tells whether this one can. */
static bool sweep_text(subject *s, held_program *own, const held_program *other, totals *t) {
    s->input.text = test_text_exact(&own->text);
    sweep(s, CALL_WIRE, t);
    sweep(s, CALL_DECODE, t);
    sweep(s, CALL_FORWARD, t);
    if (!held_decode(own)) {
        return false;
    }
    s->input.text = test_text_bytes(&own->text);
    s->input.program = own->program;
    s->input.other = other->program != NULL ? other->program : own->program;
    s->input.other_text = other->program != NULL ? test_text_bytes(&other->text) : s->input.text;
    s->input.to = ep_program_version(own->program);
    sweep(s, CALL_SCHEMA, t);
    sweep_program(s, t);
    return true;
}

static uint64_t hash_of(const corpus_entry *entry) {
    const char *parts[] = {entry->release, "/", entry->model};
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < 3; i++) {
        for (const char *at = parts[i]; *at != '\0'; at++) {
            hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001B3);
        }
    }
    return hash ^ hash >> 32;
}

/* Tells whether the program is the next one's other. */
static bool sweep_entry(const corpus *c, size_t i, held_program *own, const held_program *other,
                        totals *t) {
    subject s = {.release = c->entries[i].release, .model = c->entries[i].model};
    CHECK(held_release(own));
    t->programs++;
    return CHECK(corpus_read(c, i, "program.json", &own->text)) && sweep_text(&s, own, other, t);
}

static void print(const totals *t) {
    size_t tries = 0;
    printf("%-12s %8s %8s %10s\n", "call", "calls", "refused", "tries");
    for (size_t i = 0; i < CALLS; i++) {
        printf("%-12s %8zu %8zu %10zu\n", call_name((call_id)i), t->calls[i], t->refused[i],
               t->tries[i]);
        tries += t->tries[i];
        CHECK(t->calls[i] > t->refused[i]); /* each call has succeeded on something */
    }
    printf("%zu programs, %zu tries\n", t->programs, tries);
}

int main(int argc, char **argv) {
    corpus c;
    totals t = {0};
    held_program held[2] = {{.program = NULL}};
    size_t turn = 0;
    uint64_t share = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t part = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    if (argc < 2 || share == 0 || !corpus_open(&c, argv[1])) {
        fputs("usage: oom_commands FOLDER [SHARE [PART]]\n", stderr);
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < c.n; i++) {
        bool first = i == 0 || strcmp(c.entries[i].release, c.entries[i - 1].release) != 0;
        if (first || hash_of(&c.entries[i]) % share == part) {
            turn ^= sweep_entry(&c, i, &held[turn], &held[turn ^ 1], &t);
        }
    }
    CHECK(held_release(&held[0]) && held_release(&held[1]));
    print(&t);
    corpus_close(&c);
    return check_report();
}
