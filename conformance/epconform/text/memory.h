/*
 * text/memory.h - memory of a command that cannot go on without it: where there is
 * none left, the command says so and ends with status 3. Its testees see the
 * end of their input, and end, too.
 */
#ifndef EPCONFORM_MEMORY_H
#define EPCONFORM_MEMORY_H

#include <stddef.h>

/* A block of zeros, of count things of a size. */
void *memory_take(size_t count, size_t size);

/* A block of another size with what the old one held; old may be NULL. */
void *memory_resize(void *old, size_t count, size_t size);

/* A copy of a string, or of its first bytes. */
char *memory_text(const char *text);
char *memory_part(const char *text, size_t size);

/* A string as printf would print it. */
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Lets cJSON take its memory here. */
void memory_for_json(void);

#endif
