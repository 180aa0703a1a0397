/*
 * guarded.h - memory for a document that ends where the next page begins, which nobody
 * may read: who reads beyond the end of the document, be it by one byte, is ended.
 */
#ifndef GUARDED_H
#define GUARDED_H

#include <stdbool.h>
#include <stddef.h>

typedef struct guarded {
    char *data;
    size_t size;
    void *held; /* all of it, with its size */
    size_t held_size;
} guarded;

/* False for want of memory; then there is nothing to give back. */
bool guarded_open(guarded *memory, size_t size);

void guarded_close(guarded *memory);

#endif
