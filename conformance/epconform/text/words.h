/*
 * text/words.h - lists of words: repeated options, command lines.
 */
#ifndef EPCONFORM_WORDS_H
#define EPCONFORM_WORDS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct word_list {
    char **words; /* with a NULL at the end, once there are any */
    size_t count;
} word_list;

void words_add(word_list *list, const char *word);
void words_free(word_list *list);
void words_sort(word_list *list);

/* The place of a word; the count if it is none of them. */
size_t words_index(const char *const *words, size_t count, const char *word);

/* Splits at a byte; empty words are none. */
void words_split(word_list *list, const char *text, char at);

/* Splits a command line at spaces; ' and " quote. False: an open quote, or no
 * words. */
bool words_of_command(word_list *list, const char *text);

/* A text with every name in it replaced by its value, one name after the other; the last pair
 * has no name. */
char *words_fill(const char *text, const char *const pairs[][2]);

#endif
