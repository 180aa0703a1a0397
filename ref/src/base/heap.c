/*
 * base/heap.c - the allocator for callers who have none of their own. Nothing else in
 * the library uses the heap; who links the static library and does not call ep_heap
 * needs no malloc.
 */
#include "base/span.h"

#include <stdlib.h>

static void *heap_allocate(void *context, size_t size) {
    (void)context;
    return malloc(size);
}

static void heap_release(void *context, void *block, size_t size) {
    (void)context;
    (void)size;
    free(block);
}

static const ep_allocator heap = {heap_allocate, heap_release, NULL};

EP_API const ep_allocator *ep_heap(void) {
    return &heap;
}
