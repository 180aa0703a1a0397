/*
 * graphs.h - the graphs of a program: the main one, and those that nodes hold
 * as arguments, in arguments and in graphs, however deep.
 */
#ifndef CLI_SHOW_GRAPHS_H
#define CLI_SHOW_GRAPHS_H

#include "common/names.h"

/* The main graph. */
ep_value graphs_main(const ep_program *program);

/* Appends the subgraphs (GraphArgument) among the arguments of a node, in
 * their order. False for want of memory. */
bool graphs_of_node(ep_value node, value_list *found);

/* The nodes of all graphs, and what they call. */
typedef struct graphs_counts {
    size_t nodes;
    size_t subgraphs;
    name_list operators; /* by target: count; the most frequent first */
} graphs_counts;

/* Counts them; without an arena, no operators. False for want of memory. */
bool graphs_count(const ep_program *program, ep_arena *arena, graphs_counts *counts);

/* Calls visit for each graph of the program, the main one first. False for
 * want of memory. */
bool graphs_visit(const ep_program *program, void (*visit)(void *context, ep_value graph),
                  void *context);

#endif
