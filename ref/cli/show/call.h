/*
 * call.h - how the model is called: its arguments, by position and by keyword, what each is made
 * of, and what it returns; as the tree specs of the whole module say it (SPEC 4.2, 5.5).
 */
#ifndef CLI_SHOW_CALL_H
#define CLI_SHOW_CALL_H

#include "cli/json.h"
#include "show.h"

/* Puts a section with a line for each. */
void call_put(show *s);

/* The same as an object; null where the program does not say it. */
json *call_object(show *s);

#endif
