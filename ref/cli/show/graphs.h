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

/* Calls visit for each graph of the program, the main one first. False for
 * want of memory. */
bool graphs_visit(const ep_program *program, void (*visit)(void *context, ep_value graph),
                  void *context);

#endif
