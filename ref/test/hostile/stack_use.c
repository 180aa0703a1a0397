/*
 * stack_use.c - how much stack the calls of the library take, measured: each is
 * made on a thread whose stack was painted before, and what is no longer paint
 * afterwards was used. usage:
 *
 *     stack_use MOST FOLDER [SHARE]
 *
 * The calls are those of calls.h, over the families of families.h at two sizes,
 * and over every SHARE-th golden program of FOLDER, to the first version, the
 * last, and back. None may take more than MOST bytes, frames of the test itself
 * included; and what a family takes does not depend on its size.
 */
#define _POSIX_C_SOURCE 200809L
#include "calls.h"
#include "check.h"
#include "corpus.h"
#include "families.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    STACK = 1 << 20,
    PAINT = 0xA5,
    SMALL = 20 * 1000,
    LARGE = 500 * 1000,
    SIZE_SLACK = 512, /* bytes by which a larger program may take more: it is its numbers
                         and names that are longer, not its chain of calls */
};

/* A call on the painted stack. */
typedef struct task {
    call_id id;
    const call_input *input;
    ep_arena *arena;
    call_result *result;
} task;

static void *run(void *context) {
    task *t = context;
    call_run(t->id, t->input, t->arena, t->result);
    return NULL;
}

/* What no call at all takes: the thread's own beginning. */
static void *idle(void *context) {
    return context;
}

typedef struct stage {
    unsigned char *stack;
    size_t own; /* bytes that a thread takes by itself */
    size_t most[CALLS];
    char where[CALLS][128];
    size_t limit;
} stage;

/* The bytes that a thread with this stack has used: it grows downwards. */
static size_t measure(stage *s, void *(*work)(void *), void *context) {
    pthread_attr_t attributes;
    pthread_t thread;
    memset(s->stack, PAINT, STACK);
    bool made = pthread_attr_init(&attributes) == 0 &&
                pthread_attr_setstack(&attributes, s->stack, STACK) == 0 &&
                pthread_create(&thread, &attributes, work, context) == 0;
    if (!CHECK(made) || !CHECK(pthread_join(thread, NULL) == 0)) {
        exit(EXIT_FAILURE);
    }
    pthread_attr_destroy(&attributes);
    size_t clean = 0;
    while (clean < STACK && s->stack[clean] == PAINT) {
        clean++;
    }
    return STACK - clean;
}

static size_t call(stage *s, call_id id, const call_input *input, const char *where) {
    test_heap heap = {0};
    ep_arena arena;
    call_result result;
    test_arena(&arena, &heap, 0);
    task t = {id, input, &arena, &result};
    size_t used = measure(s, run, &t);
    size_t bytes = used > s->own ? used - s->own : 0;
    ep_arena_free(&arena);
    if (!CHECK(bytes <= s->limit)) {
        fprintf(stderr, "    %s, %s: %zu bytes of stack\n", where, call_name(id), bytes);
    }
    if (bytes > s->most[id]) {
        s->most[id] = bytes;
        snprintf(s->where[id], sizeof s->where[id], "%s", where);
    }
    return bytes;
}

/* ------------------------------------------------------------------- programs */

/* The most that each call takes; a migration, to any of three versions. */
static void measure_program(stage *s, const held_program *own, const held_program *other,
                            const char *where, size_t most[CALLS]) {
    static const char *const versions[] = {"1", "5.3", "8.20"};
    bool both = other->program != NULL;
    call_input input = {.text = {own->text.data, own->text.size},
                        .program = own->program,
                        .other = both ? other->program : own->program};
    input.other_text = both ? (ep_bytes){other->text.data, other->text.size} : input.text;
    for (size_t i = 0; i < CALLS; i++) {
        call_id id = (call_id)i;
        most[i] = 0;
        for (size_t j = 0; j < (id == CALL_MIGRATE ? 3 : 1); j++) {
            input.to = ep_version_find(versions[j]);
            if (own->program != NULL || !call_needs_program(id)) {
                size_t used = call(s, id, &input, where);
                most[i] = used > most[i] ? used : most[i];
            }
        }
    }
}

static void measure_family(stage *s, const family *f) {
    size_t most[2][CALLS];
    for (size_t i = 0; i < 2; i++) {
        held_program own = {.program = NULL};
        held_program other = {.program = NULL};
        size_t n = family_make(f, &own.text, i == 0 ? SMALL : LARGE, false);
        f->make(&other.text, n, true);
        held_decode(&own);
        held_decode(&other);
        measure_program(s, &own, &other, f->name, most[i]);
        held_release(&own);
        held_release(&other);
    }
    for (size_t i = 0; i < CALLS; i++) {
        if (!CHECK(most[1][i] <= most[0][i] + SIZE_SLACK)) {
            fprintf(stderr, "    %s, %s: %zu bytes of stack, and %zu when it is larger\n", f->name,
                    call_name((call_id)i), most[0][i], most[1][i]);
        }
    }
}

static void measure_corpus(stage *s, const char *folder, size_t share) {
    corpus c;
    held_program held[2] = {{.program = NULL}};
    size_t most[CALLS];
    size_t turn = 0;
    if (!CHECK(corpus_open(&c, folder))) {
        return;
    }
    for (size_t i = 0; i < c.n; i += share) {
        char where[128];
        snprintf(where, sizeof where, "%s/%s", c.entries[i].release, c.entries[i].model);
        held_release(&held[turn]);
        if (CHECK(corpus_read(&c, i, "program.json", &held[turn].text))) {
            held_decode(&held[turn]);
            measure_program(s, &held[turn], &held[turn ^ 1], where, most);
            turn ^= held[turn].program != NULL;
        }
    }
    held_release(&held[0]);
    held_release(&held[1]);
    corpus_close(&c);
}

int main(int argc, char **argv) {
    static stage s; /* not on the stack: it is large */
    void *stack = NULL;
    size_t share = argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : 1;
    if (argc < 3 || share == 0 || posix_memalign(&stack, 1 << 12, STACK) != 0) {
        fputs("usage: stack_use MOST FOLDER [SHARE]\n", stderr);
        return EXIT_FAILURE;
    }
    s.stack = stack;
    s.limit = (size_t)strtoul(argv[1], NULL, 10);
    s.own = measure(&s, idle, NULL);
    for (size_t i = 0; family_at(i) != NULL; i++) {
        measure_family(&s, family_at(i));
    }
    measure_corpus(&s, argv[2], share);
    for (size_t i = 0; i < CALLS; i++) {
        printf("%-12s %6zu bytes of stack: %s\n", call_name((call_id)i), s.most[i], s.where[i]);
        CHECK(s.most[i] > 0);
    }
    free(stack);
    return check_report();
}
