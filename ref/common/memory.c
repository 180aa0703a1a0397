/*
 * memory.c - see memory.h. Each block has its size before it. The two numbers are
 * the only state of the command line: they are of the process, as its memory is.
 */
#include "memory.h"

#include <stdint.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

typedef union header {
    size_t size; /* of the block with its header */
    max_align_t alignment;
} header;

static struct {
    size_t cap;
    size_t used;
} budget = {SIZE_MAX, 0};

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

void *memory_resize(void *block, size_t size) {
    header *old = block == NULL ? NULL : (header *)block - 1;
    size_t before = old == NULL ? 0 : old->size;
    size_t others = budget.used - before;
    if (size > SIZE_MAX - sizeof(header) || others > budget.cap ||
        size + sizeof(header) > budget.cap - others) {
        return NULL;
    }
    header *made = realloc(old, size + sizeof(header));
    if (made == NULL) {
        return NULL;
    }
    made->size = size + sizeof(header);
    budget.used = others + made->size;
    return made + 1;
}

void memory_free(void *block) {
    if (block != NULL) {
        header *old = (header *)block - 1;
        budget.used -= old->size;
        free(old);
    }
}

bool memory_grow(void **items, size_t *capacity, size_t size) {
    size_t wanted = *capacity == 0 ? 16 : *capacity * 2;
    if (wanted > SIZE_MAX / size) {
        return false;
    }
    void *grown = memory_resize(*items, wanted * size);
    if (grown == NULL) {
        return false;
    }
    *items = grown;
    *capacity = wanted;
    return true;
}
