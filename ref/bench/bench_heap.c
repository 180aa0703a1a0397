/*
 * bench_heap.c - counts the heap of a benchmark program.
 *
 * It takes the place of malloc and its kin in the program and in the shared
 * libraries that it loads, and passes every call on to glibc. Counting is off
 * while time and instructions are measured; what remains is one branch a call.
 * With another C library nothing is counted.
 */
#include "bench.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __GLIBC__

#include <malloc.h>

/* glibc's own names for the functions that are replaced here. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

/* Signed: blocks from before the start may be given back after it. */
static bool counting;
static ptrdiff_t current, peak;

static void *count_in(void *block)
{
    if (!counting || block == NULL) return block;
    current += (ptrdiff_t)malloc_usable_size(block);
    if (current > peak) peak = current;
    return block;
}

void *malloc(size_t size)
{
    return count_in(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return count_in(__libc_calloc(count, size));
}

void free(void *block)
{
    if (counting && block != NULL) current -= (ptrdiff_t)malloc_usable_size(block);
    __libc_free(block);
}

void *realloc(void *block, size_t size)
{
    if (!counting) return __libc_realloc(block, size);
    const ptrdiff_t before = block == NULL ? 0 : (ptrdiff_t)malloc_usable_size(block);
    const uintptr_t place = (uintptr_t)block;
    void *moved = __libc_realloc(block, size);
    if (moved == NULL) {
        if (size == 0) current -= before;
        return moved;
    }
    /* A block that moved was there twice while its bytes were copied. */
    const bool in_place = (uintptr_t)moved == place;
    if (in_place) current -= before;
    count_in(moved);
    if (!in_place) current -= before;
    return moved;
}

void *memalign(size_t alignment, size_t size)
{
    return count_in(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = memalign(alignment, size);
    return *block == NULL ? ENOMEM : 0;
}

void bench_heap_start(void)
{
    current = peak = 0;
    counting = true;
}

size_t bench_heap_stop(void)
{
    counting = false;
    return (size_t)peak;
}

void bench_heap_keep(void)
{
    /* No block is mapped on its own and the top is never given back. */
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
}

#else

void bench_heap_start(void) {}

size_t bench_heap_stop(void)
{
    return BENCH_HEAP_UNKNOWN;
}

void bench_heap_keep(void) {}

#endif
