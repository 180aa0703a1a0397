/*
 * memory.c - see memory.h. Each block has its size before it. The two numbers and the share of
 * a thread are the only state of the command line and of libepref_archive: the numbers are of
 * the process, as its memory is, and so threads count together.
 */
#include "memory.h"
#include "macros.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

typedef union header {
    size_t size; /* of the block with its header */
    max_align_t alignment;
} header;

static struct {
    size_t cap;
    atomic_size_t used;
} budget = {SIZE_MAX, 0};

static _Thread_local memory_share *current; /* NULL: none is entered */

/* Large blocks get pages of their own, which go back when they grow or end: in glibc's heap
 * they leave holes that nobody counts. */
static void keep_no_holes(void) {
#ifdef __GLIBC__
    enum { LARGE = 128 << 10 };
    mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

void memory_cap(size_t cap) {
    budget.cap = cap == 0 ? SIZE_MAX : cap;
    if (cap != 0) {
        keep_no_holes();
    }
}

memory_share *memory_enter(memory_share *share) {
    memory_share *before = current;
    current = share;
    return before;
}

void memory_leave(memory_share *before) {
    current = before;
}

static bool fits_share(size_t more) {
    return current == NULL || current->cap == 0 ||
           (current->used <= current->cap && more <= current->cap - current->used);
}

/* Counts more bytes; false, and none counted, where that is beyond a cap. */
static bool count_in(size_t more) {
    size_t used = atomic_load(&budget.used);
    TRY(fits_share(more));
    do {
        TRY(used <= budget.cap && more <= budget.cap - used);
    } while (!atomic_compare_exchange_weak(&budget.used, &used, used + more));
    if (current != NULL) {
        current->used += more;
    }
    return true;
}

/* A share may end with blocks that were taken before it was entered: a callback's. */
static void count_out(size_t less) {
    atomic_fetch_sub(&budget.used, less);
    if (current != NULL) {
        current->used -= less < current->used ? less : current->used;
    }
}

void *memory_resize(void *block, size_t size) {
    header *old = block == NULL ? NULL : (header *)block - 1;
    size_t before = old == NULL ? 0 : old->size;
    if (size > SIZE_MAX - sizeof(header)) {
        return NULL;
    }
    size_t after = size + sizeof(header);
    size_t more = after > before ? after - before : 0;
    if (!count_in(more)) {
        return NULL;
    }
    header *made = realloc(old, after);
    if (made == NULL) {
        count_out(more);
        return NULL;
    }
    count_out(before + more - after);
    made->size = after;
    return made + 1;
}

void *memory_zeros(size_t count, size_t size) {
    void *block = count < SIZE_MAX / size ? memory_resize(NULL, (count + 1) * size) : NULL;
    return block == NULL ? NULL : memset(block, 0, (count + 1) * size);
}

void memory_free(void *block) {
    if (block != NULL) {
        header *old = (header *)block - 1;
        count_out(old->size);
        free(old);
    }
}

bool memory_room(void *list, size_t count, size_t *capacity, size_t size) {
    void *items;
    memcpy(&items, list, sizeof items);
    if (count < *capacity) {
        return true;
    }
    size_t wanted = *capacity == 0 ? 8 : *capacity * 2;
    TRY(wanted <= SIZE_MAX / size);
    void *grown = memory_resize(items, wanted * size);
    TRY(grown != NULL);
    memcpy(list, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}
