/*
 * helping.c - see carried.h.
 */
#include "carried.h"

#include "text/memory.h"

#include <stdlib.h>
#include <string.h>

const embedded_file *embedded_find(const char *name) {
    for (const embedded_file *file = EMBEDDED; file->name != NULL; file++) {
        if (strcmp(file->name, name) == 0) {
            return file;
        }
    }
    return NULL;
}

bool help_print(const char *command, FILE *out) {
    char *name = memory_format("help/%s.txt", command);
    const embedded_file *file = embedded_find(name);
    free(name);
    return file != NULL && fwrite(file->bytes, 1, file->size, out) == file->size;
}
