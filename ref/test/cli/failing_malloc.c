/*
 * failing_malloc.c - linked into epref for a test: an allocator that refuses one
 * allocation of the process, or it and all after it. The environment says which:
 *
 *     EPREF_TEST_FAIL_AT=N    the N-th after main began, counted from 1
 *     EPREF_TEST_FAIL_FROM=N  the N-th and all after it
 *     EPREF_TEST_COUNT=FILE   writes there how many were asked for
 *
 * Without sanitizers the definitions here take the place of the C library's for
 * all of the process, libraries too. With sanitizers the allocator is theirs, and the
 * linker hands over the calls of epref's own files (--wrap).
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    size_t calls;
    size_t fail_at;
    size_t fail_from;
    const char *count_into;
    int counting;
} plan; /* malloc has no argument to find it by */

static int refused(void) {
    if (!plan.counting) {
        return 0;
    }
    plan.calls++;
    if (plan.calls != plan.fail_at && (plan.fail_from == 0 || plan.calls < plan.fail_from)) {
        return 0;
    }
    errno = ENOMEM;
    return 1;
}

static size_t number_in(const char *name) {
    const char *text = getenv(name);
    return text == NULL ? 0 : (size_t)strtoull(text, NULL, 10);
}

__attribute__((constructor)) static void begin(void) {
    plan.fail_at = number_in("EPREF_TEST_FAIL_AT");
    plan.fail_from = number_in("EPREF_TEST_FAIL_FROM");
    plan.count_into = getenv("EPREF_TEST_COUNT");
    plan.counting = 1;
}

__attribute__((destructor)) static void end(void) {
    plan.counting = 0;
    FILE *file = plan.count_into == NULL ? NULL : fopen(plan.count_into, "w");
    if (file != NULL) {
        fprintf(file, "%zu\n", plan.calls);
        fclose(file);
    }
}

#ifdef EPREF_TEST_WRAP
#define DEFINED(name) __wrap_##name
#define GENUINE(name) __real_##name
#else
#define DEFINED(name) name
#define GENUINE(name) __libc_##name
#endif

void *GENUINE(malloc)(size_t size);
void *GENUINE(calloc)(size_t count, size_t size);
void *GENUINE(realloc)(void *block, size_t size);
void *DEFINED(malloc)(size_t size);
void *DEFINED(calloc)(size_t count, size_t size);
void *DEFINED(realloc)(void *block, size_t size);

void *DEFINED(malloc)(size_t size) {
    return refused() ? NULL : GENUINE(malloc)(size);
}

void *DEFINED(calloc)(size_t count, size_t size) {
    return refused() ? NULL : GENUINE(calloc)(count, size);
}

void *DEFINED(realloc)(void *block, size_t size) {
    return refused() ? NULL : GENUINE(realloc)(block, size);
}
