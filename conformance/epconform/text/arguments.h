/*
 * text/arguments.h - options of command lines: --name=VALUE, --name VALUE, --name.
 */
#ifndef EPCONFORM_ARGUMENTS_H
#define EPCONFORM_ARGUMENTS_H

#include "text/words.h"

/* One option: exactly one of the three says what becomes of it. */
typedef struct argument {
    const char *name;   /* "--jobs" */
    bool *flag;         /* takes no value */
    const char **value; /* takes one */
    word_list *list;    /* takes one, and may be repeated */
} argument;

/* Takes options out of a command line whose first word is the command; what is
 * left goes to rest. False, and said: an option that is none. A "-" is no
 * option, and behind "--" there is none. */
bool arguments_read(char **words, const argument *known, word_list *rest);

/* A whole number in a range; text may be NULL: the number stays. False, and
 * said under the option's name, when it is none. */
bool arguments_number(const char *name, const char *text, size_t most, size_t *number);

/* The same, with K, M, G or T for powers of 1024. */
bool arguments_size(const char *name, const char *text, size_t *size);

/* Seconds, above 0. */
bool arguments_seconds(const char *name, const char *text, double *seconds);

#endif
