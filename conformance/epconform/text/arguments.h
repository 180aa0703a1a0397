/*
 * text/arguments.h - options of command lines: --name=VALUE, --name VALUE, --name.
 */
#ifndef EPCONFORM_ARGUMENTS_H
#define EPCONFORM_ARGUMENTS_H

#include "text/words.h"

/* Reads a value into a place. NULL, or what is wanted: it is none. */
typedef const char *argument_take(void *into, const char *text);

/* One option: exactly one of the four says what becomes of it. */
typedef struct argument {
    const char *name;    /* "--jobs" */
    bool *flag;          /* takes no value */
    const char **value;  /* takes one */
    word_list *list;     /* takes one, and may be repeated */
    argument_take *take; /* takes one */
    void *into;
} argument;

/* Takes options out of a command line whose first word is the command; what is
 * left goes to rest. False, and said: an option that is none, or has no such value. A "-" is
 * no option, and behind "--" there is none. */
bool arguments_read(char **words, const argument *known, word_list *rest);

/* The same of a command that takes options alone: any word that is left is said, too. */
bool arguments_alone(char **argv, const argument *known);

/* A number of processes, into a size_t; a size, with K, M, G or T for powers of 1024; seconds
 * above 0, into a double. */
const char *arguments_jobs(void *into, const char *text);
const char *arguments_size(void *into, const char *text);
const char *arguments_seconds(void *into, const char *text);

#endif
