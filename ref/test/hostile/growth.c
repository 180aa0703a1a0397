/*
 * growth.c - how the work of each call of the library grows with its input: for
 * the families of families.h, at sizes from 10^4 bytes on, one line of JSON for
 * each call. usage:
 *
 *     growth [--list | MOST [FAMILY ...]]
 *
 * Work is counted, not timed: the library that is linked here was compiled with
 * -fsanitize-coverage=trace-pc, which calls us for each basic block that is run;
 * and memcpy and its kin, which are not the compiler's, count a unit for each 16
 * bytes. Of a basic block that is a handful of instructions, the same on every
 * machine.
 *
 * The product is what the call wrote, and the texts that it told of.
 *
 * scripts/measure/growth says what the numbers have to be.
 */
#include "calls.h"
#include "families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIRST_SIZE = 10 * 1000, STEP = 10, PIECE = 16 };

/* What the compiler's calls count in: they have no argument to find it by. */
static uint64_t work;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    work++;
}

void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__real_memset(void *to, int byte, size_t size);
int __real_memcmp(const void *a, const void *b, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size);
void *__wrap_memset(void *to, int byte, size_t size);
int __wrap_memcmp(const void *a, const void *b, size_t size);

void *__wrap_memcpy(void *to, const void *from, size_t size) {
    work += size / PIECE + 1;
    return __real_memcpy(to, from, size);
}

void *__wrap_memmove(void *to, const void *from, size_t size) {
    work += size / PIECE + 1;
    return __real_memmove(to, from, size);
}

void *__wrap_memset(void *to, int byte, size_t size) {
    work += size / PIECE + 1;
    return __real_memset(to, byte, size);
}

int __wrap_memcmp(const void *a, const void *b, size_t size) {
    work += size / PIECE + 1;
    return __real_memcmp(a, b, size);
}

/* ------------------------------------------------------------------- measuring */

/* What the calls of one program have in common. */
typedef struct subject {
    const family *family;
    call_input input;
    size_t n;
} subject;

/* The name of a migration says where to. */
static void print_line(const subject *s, call_id id, const call_result *r, const char *numbers) {
    printf("{\"family\": \"%s\", \"call\": \"%s%s%s\", \"n\": %zu, \"bytes\": %zu, "
           "\"code\": \"%s\", %s}\n",
           s->family->name, call_name(id), id == CALL_MIGRATE ? "-" : "",
           id == CALL_MIGRATE ? s->input.to->name : "", s->n, s->input.text.size,
           r->ok ? "EP_OK" : ep_code_name(r->error.code), numbers);
    fflush(stdout);
}

static void measure(const subject *s, call_id id) {
    test_heap heap = {0};
    ep_arena arena;
    call_result r;
    char numbers[192];
    test_arena(&arena, &heap, 0);
    clock_t start = clock();
    work = 0;
    call_run(id, &s->input, &arena, &r);
    uint64_t done = work;
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    snprintf(numbers, sizeof numbers,
             "\"work\": %llu, \"peak\": %zu, \"product\": %zu, \"seconds\": %.3f",
             (unsigned long long)done, ep_arena_peak(&arena), r.written + r.told + r.made.size,
             seconds);
    print_line(s, id, &r, numbers);
    ep_arena_free(&arena);
}

static bool hold(held_program *held, const family *f, size_t n, bool other) {
    family_write(f, &held->text, n, other);
    return held_decode(held);
}

/* To the first version and to the last: one of them is far away. */
static void measure_migrations(subject *s) {
    static const char *const versions[] = {"1", "5.3", "8.20"};
    for (size_t i = 0; i < 3; i++) {
        s->input.to = ep_version_find(versions[i]);
        measure(s, CALL_MIGRATE);
    }
}

static bool is_measured(call_id id) {
    return id != CALL_SCHEMA && id != CALL_SIGNATURE && id != CALL_GRAPH;
}

static void measure_size(const family *f, size_t bytes) {
    held_program own = {.program = NULL};
    held_program other = {.program = NULL};
    subject s = {.family = f};
    s.n = family_make(f, &own.text, bytes, false);
    own.text.size = 0;
    bool decoded = hold(&own, f, s.n, false);
    s.input.text = (ep_bytes){own.text.data, own.text.size};
    if (decoded && hold(&other, f, s.n, true)) {
        s.input.program = own.program;
        s.input.other = other.program;
        s.input.other_text = (ep_bytes){other.text.data, other.text.size};
    }
    for (size_t i = 0; i < CALLS; i++) {
        call_id id = (call_id)i;
        if (!is_measured(id) || (call_needs_program(id) && s.input.program == NULL)) {
            continue;
        }
        if (id == CALL_MIGRATE) {
            measure_migrations(&s);
        } else {
            measure(&s, id);
        }
    }
    if (other.text.data != NULL) {
        held_release(&other);
    }
    held_release(&own);
}

static bool wanted(const family *f, char *const *names) {
    bool found = *names == NULL;
    for (; *names != NULL; names++) {
        found = found || strcmp(*names, f->name) == 0;
    }
    return found;
}

static void measure_families(size_t most, char *const *names) {
    for (size_t i = 0; family_at(i) != NULL; i++) {
        for (size_t bytes = FIRST_SIZE; bytes <= most && wanted(family_at(i), names);
             bytes *= STEP) {
            measure_size(family_at(i), bytes);
        }
    }
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; family_at(i) != NULL; i++) {
            printf("%-16s %s\n", family_at(i)->name, family_at(i)->about);
        }
        return EXIT_SUCCESS;
    }
    size_t most = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 0;
    if (most < FIRST_SIZE) {
        fputs("usage: growth [--list | MOST [FAMILY ...]]\n", stderr);
        return EXIT_FAILURE;
    }
    measure_families(most, argv + 2);
    return EXIT_SUCCESS;
}
