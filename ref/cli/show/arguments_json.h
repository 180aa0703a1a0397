/*
 * arguments_json.h - arguments as JSON for scripts. Numbers, bools, texts, lists and null are
 * those of JSON; what is none of them is an object of one member or two that says what it is:
 * {"value": "x"}, {"graph": 1, "name": "true_graph_0"}, {"dtype": "float32"}.
 */
#ifndef CLI_SHOW_ARGUMENTS_JSON_H
#define CLI_SHOW_ARGUMENTS_JSON_H

#include "cli/json.h"
#include "show.h"

/* An Argument. Each subgraph in it is put behind those that were found, and called by its
 * number among them, from 0 on. Dicts that lie deep in each other are a text. */
json *arguments_json(show *s, ep_value argument, value_list *graphs);

#endif
