/*
 * sections.h - how the bytes of a program's file fall to its parts: the members
 * of the program, of its graph module, and of its main graph.
 */
#ifndef CLI_SHOW_SECTIONS_H
#define CLI_SHOW_SECTIONS_H

#include "common/buffer.h"

enum { SECTIONS_MAX = 64, SECTION_LEVELS = 3 };

typedef struct section {
    ep_bytes path[SECTION_LEVELS]; /* keys, from the outermost, as they are in the file */
    size_t levels;
    size_t bytes;
} section;

typedef struct sections {
    section items[SECTIONS_MAX];
    size_t count;
    size_t other; /* bytes of brackets, of keys of what is divided further, and of
                     sections beyond the maximum */
} sections;

/* Divides a file, which has been decoded and so is well-formed. */
void sections_find(sections *found, ep_bytes file);

/* "graph_module/graph/nodes" */
void section_put_name(buffer *b, const section *s);

#endif
