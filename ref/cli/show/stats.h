/*
 * stats.h - what epref stats counts.
 */
#ifndef CLI_SHOW_STATS_H
#define CLI_SHOW_STATS_H

#include "common/names.h"
#include "sections.h"

typedef struct stats {
    const ep_program *program;
    ep_arena *arena;
    ep_bytes file;
    name_list inputs;    /* by kind: count */
    name_list outputs;   /* by kind: count */
    name_list operators; /* by target: count; the most frequent first */
    name_list metadata;  /* of nodes, by key: count, and bytes of the texts */
    name_list values;    /* by what they are: count */
    size_t main_nodes;
    size_t nodes;
    size_t subgraphs;
    sections sections;
    bool failed; /* for want of memory; sticks */
} stats;

void stats_count(stats *s, const ep_program *program, ep_bytes file, ep_arena *arena);
void stats_free(stats *s);

#endif
