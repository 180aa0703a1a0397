/*
 * run/one_shot.h - testees that are commands: a process a document, whose exit
 * status is the verdict.
 */
#ifndef EPCONFORM_ONE_SHOT_H
#define EPCONFORM_ONE_SHOT_H

#include "run/slot.h"

/* What is said of a command by options; NULL: not said. */
typedef struct command_words {
    const char *operations; /* with commas between them, as the others */
    const char *level;
    const char *schemas;
    const char *reports;
} command_words;

/* Makes the hello that a command cannot say. False, and said: they contradict
 * each other. */
bool command_hello(testee *t, const command_words *said);

/* Starts the command of a worker that has a task. */
void command_start(worker *w, session *s);

/* Goes on with it. */
event command_step(worker *w, session *s);

#endif
