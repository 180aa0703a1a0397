/*
 * guarded.c - see guarded.h. A tool that watches memory sees both ends of a block of
 * malloc, and need not know of pages.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "guarded.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define WATCHED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(WATCHED)
#define WATCHED 1
#endif
#ifndef WATCHED
#define WATCHED 0
#endif

static bool open_block(guarded *memory, size_t size) {
    char *block = malloc(size > 0 ? size : 1);
    *memory = (guarded){.data = block, .size = size, .held = block};
    return block != NULL;
}

static bool open_pages(guarded *memory, size_t size) {
    long page = sysconf(_SC_PAGESIZE);
    if (page <= 0 || size > SIZE_MAX / 2) {
        return false;
    }
    size_t whole = (size + (size_t)page - 1) / (size_t)page * (size_t)page;
    size_t all = whole + (size_t)page;
    char *pages = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        return false;
    }
    *memory = (guarded){pages + (whole - size), size, pages, all};
    if (mprotect(pages + whole, (size_t)page, PROT_NONE) != 0) {
        guarded_close(memory);
        return false;
    }
    return true;
}

bool guarded_open(guarded *memory, size_t size) {
    return WATCHED ? open_block(memory, size) : open_pages(memory, size);
}

void guarded_close(guarded *memory) {
    if (memory->held_size > 0) {
        munmap(memory->held, memory->held_size);
    } else {
        free(memory->held);
    }
    *memory = (guarded){.data = NULL};
}
