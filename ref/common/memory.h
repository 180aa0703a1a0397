/*
 * memory.h - the memory of a command. All of it is counted here, that of arenas and
 * of zlib too, against the cap that --max-memory sets; beyond the cap there is none.
 */
#ifndef COMMON_MEMORY_H
#define COMMON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* How many bytes there may be at one time, 0 being no cap. Said once, before any
 * memory is taken that matters. */
void memory_cap(size_t cap);

/* As realloc: a new block for NULL. NULL when there is no memory or the cap would be
 * exceeded; the old block is then still there. size is not 0. */
void *memory_resize(void *block, size_t size);

void memory_free(void *block);

/* More room for items of a size, by doubling; at first for some. False for want of memory, and
 * all is as it was. */
bool memory_grow(void **items, size_t *capacity, size_t size);

#endif
