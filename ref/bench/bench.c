/*
 * bench.c - the part of the benchmark that does not know the peers: command
 * line, file, repetitions, clock and report.
 *
 * Time is the thread's CPU time, the minimum of all repetitions: a machine that
 * is shared can only add to it. Instructions are not counted here: callgrind
 * does that from outside, over bench_measured and nothing else, with --once.
 */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A small input is repeated at least this long: its first runs are slower,
 * while the caches and the branch predictor learn. */
static const double LEAST_SECONDS = 0.05;

typedef enum bench_operation { DECODE, ENCODE, CHECK, CANON, OPERATIONS } bench_operation;

static const char *const operation_names[OPERATIONS] = {"decode", "encode", "check", "canon"};

typedef struct bench_job {
    const bench_peer *peer;
    bench_operation operation;
    bool once;
    long repetitions;
    const char *path;
    char *file; /* what input points to */
    bench_text input;
    void *tree; /* decoding: made by the operation; else: made before */
    bench_output output;
} bench_job;

typedef struct bench_result {
    double seconds; /* of the fastest repetition; negative: not measured */
    long repetitions;
    size_t heap_peak, arena_peak; /* bytes or BENCH_HEAP_UNKNOWN */
    size_t output_size;
} bench_result;

/* The operation and nothing else. Its name is what callgrind looks for, so it
 * has to stay one function that is really called. */
__attribute__((noinline)) bool bench_measured(bench_job *job);

bool bench_measured(bench_job *job)
{
    switch (job->operation) {
    case ENCODE:
        return job->peer->encode(job->tree, job->input.size, &job->output);
    case CHECK:
        return job->peer->check(job->tree);
    case CANON:
        return job->peer->canon(job->tree);
    case DECODE:
    case OPERATIONS:
        break;
    }
    job->tree = job->peer->decode(job->input);
    return job->tree != NULL;
}

static void drop_product(bench_job *job)
{
    if (job->operation == ENCODE) job->peer->drop_output(&job->output);
    if (job->operation == DECODE) job->peer->drop_tree(job->tree);
}

static bool complain(const bench_job *job, const char *what)
{
    fprintf(stderr, "bench: %s: %s: %s\n", job->peer->name, job->path, what);
    return false;
}

/* -------------------------------------------------------------- the file */

static char *read_open_file(FILE *file, size_t *size)
{
    if (fseek(file, 0, SEEK_END) != 0) return NULL;
    const long end = ftell(file);
    if (end < 0 || fseek(file, 0, SEEK_SET) != 0) return NULL;
    *size = (size_t)end;
    char *data = calloc(*size + BENCH_PADDING, 1);
    if (data != NULL && fread(data, 1, *size, file) != *size) {
        free(data);
        return NULL;
    }
    return data;
}

static bool read_input(bench_job *job)
{
    FILE *file = fopen(job->path, "rb");
    if (file == NULL) return complain(job, "cannot be opened");
    job->file = read_open_file(file, &job->input.size);
    fclose(file);
    if (job->file == NULL) return complain(job, "cannot be read");
    job->input.data = job->file;
    return true;
}

/* -------------------------------------------------------- the repetitions */

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool output_is_right(const bench_job *job)
{
    const bench_output *output = &job->output;
    if (output->size == 0) return false;
    if (!job->peer->same_bytes) return true;
    return output->size == job->input.size &&
           memcmp(output->data, job->input.data, output->size) == 0;
}

/* One run that is not timed: it warms the heap, counts it, and looks at what
 * came out. */
static bool run_accounted(bench_job *job, bench_result *result)
{
    bench_heap_start();
    const bool ok = bench_measured(job);
    result->heap_peak = bench_heap_stop();
    if (!ok) return complain(job, "the operation failed");
    if (job->peer->arena_peak != NULL) result->arena_peak = job->peer->arena_peak();
    if (job->operation == ENCODE) result->output_size = job->output.size;
    const bool right = job->operation != ENCODE || output_is_right(job);
    drop_product(job);
    return right || complain(job, "the encoder's bytes are not the input's");
}

static bool run_timed(bench_job *job, bench_result *result)
{
    double total = 0;
    while (result->repetitions < job->repetitions || total < LEAST_SECONDS) {
        const double start = thread_seconds();
        const bool ok = bench_measured(job);
        const double seconds = thread_seconds() - start;
        if (!ok) return complain(job, "the operation failed");
        drop_product(job);
        if (result->seconds < 0 || seconds < result->seconds) result->seconds = seconds;
        result->repetitions++;
        total += seconds;
    }
    return true;
}

/* For callgrind: one run and no other, so that nothing is simulated in vain. */
static bool run_once(bench_job *job, bench_result *result)
{
    if (!bench_measured(job)) return complain(job, "the operation failed");
    drop_product(job);
    result->repetitions = 1;
    return true;
}

static bool run(bench_job *job, bench_result *result)
{
    if (job->operation != DECODE) {
        job->tree = job->peer->decode(job->input);
        if (job->tree == NULL) return complain(job, "cannot be decoded");
    }
    const bool ok = job->once ? run_once(job, result)
                              : run_accounted(job, result) && run_timed(job, result);
    if (job->operation != DECODE) job->peer->drop_tree(job->tree);
    return ok;
}

/* ------------------------------------------------------------- the report */

static void print_text(const char *name, const char *text)
{
    printf("\"%s\": \"", name);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') putchar('\\');
        putchar(*text);
    }
    printf("\", ");
}

static void print_size(const char *name, size_t size)
{
    if (size == BENCH_HEAP_UNKNOWN) {
        printf("\"%s\": null, ", name);
    } else {
        printf("\"%s\": %zu, ", name, size);
    }
}

static void print_result(const bench_job *job, const bench_result *result)
{
    const char *slash = strrchr(job->path, '/');
    putchar('{');
    print_text("peer", job->peer->name);
    print_text("version", job->peer->version);
    print_text("operation", operation_names[job->operation]);
    print_text("input", slash == NULL ? job->path : slash + 1);
    print_size("bytes", job->input.size);
    print_size("output_bytes", result->output_size);
    print_size("peak_heap_bytes", result->heap_peak);
    print_size("peak_arena_bytes", result->arena_peak);
    if (result->seconds < 0) {
        printf("\"seconds\": null, ");
    } else {
        printf("\"seconds\": %.9f, ", result->seconds);
    }
    printf("\"repetitions\": %ld}\n", result->repetitions);
}

/* ------------------------------------------------------- the command line */

static bool read_option(bench_job *job, int argc, char **argv, int *i)
{
    if (strcmp(argv[*i], "--once") == 0) {
        job->once = true;
        return true;
    }
    if (strcmp(argv[*i], "--reps") != 0 || *i + 1 >= argc) return false;
    job->repetitions = strtol(argv[++*i], NULL, 10);
    return job->repetitions > 0;
}

/* Whether the peer has the operation of a name. */
static bool read_operation(bench_job *job, const char *name)
{
    job->operation = DECODE;
    while (strcmp(operation_names[job->operation], name) != 0) {
        if (++job->operation == OPERATIONS) return false;
    }
    return (job->operation != ENCODE || job->peer->encode != NULL) &&
           (job->operation != CHECK || job->peer->check != NULL) &&
           (job->operation != CANON || job->peer->canon != NULL);
}

static bool read_arguments(bench_job *job, int argc, char **argv)
{
    if (argc < 3 || !read_operation(job, argv[1])) return false;
    job->path = argv[2];
    for (int i = 3; i < argc; i++) {
        if (!read_option(job, argc, argv, &i)) return false;
    }
    return true;
}

int bench_main(int argc, char **argv, const bench_peer *peer)
{
    bench_job job = {.peer = peer, .repetitions = 15};
    bench_result result = {.seconds = -1,
                           .heap_peak = BENCH_HEAP_UNKNOWN,
                           .arena_peak = BENCH_HEAP_UNKNOWN,
                           .output_size = BENCH_HEAP_UNKNOWN};
    if (!read_arguments(&job, argc, argv)) {
        fprintf(stderr, "usage: bench_%s decode%s%s%s FILE [--reps N] [--once]\n", peer->name,
                peer->encode == NULL ? "" : "|encode", peer->check == NULL ? "" : "|check",
                peer->canon == NULL ? "" : "|canon");
        return 2;
    }
    bench_heap_keep();
    if (!read_input(&job)) return 3;
    const bool ok = run(&job, &result);
    if (ok) print_result(&job, &result);
    free(job.file);
    return ok ? 0 : 1;
}
