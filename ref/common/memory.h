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

/* A block of zeros, for so many items of a size; there is one for none, too. */
void *memory_zeros(size_t count, size_t size);

/*
 * A part of it that has a cap of its own: what is taken in this thread between memory_enter and
 * memory_leave, and what is freed there. The share belongs to the caller; NULL is none.
 * memory_enter returns the share that was entered before, which memory_leave enters again.
 */
typedef struct memory_share {
    size_t cap; /* in bytes; 0: no cap */
    size_t used;
} memory_share;

memory_share *memory_enter(memory_share *share);
void memory_leave(memory_share *before);

void memory_free(void *block);

/* Room for one more item of a size behind so many, by doubling; at first for some. list: where
 * the pointer to the items is, as any pointer to a pointer. False for want of memory, and all
 * is as it was. */
bool memory_room(void *list, size_t count, size_t *capacity, size_t size);

#endif
