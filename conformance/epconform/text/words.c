/*
 * text/words.c - see words.h.
 */
#include "text/words.h"

#include "text/memory.h"
#include "text/strbuf.h"

#include <stdlib.h>
#include <string.h>

static void add_owned(word_list *list, char *word) {
    list->words = memory_resize(list->words, list->count + 2, sizeof *list->words);
    list->words[list->count++] = word;
    list->words[list->count] = NULL;
}

void words_add(word_list *list, const char *word) {
    add_owned(list, memory_text(word));
}

void words_free(word_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->words[i]);
    }
    free(list->words);
    *list = (word_list){NULL, 0};
}

static int compare_words(const void *left, const void *right) {
    char *const *a = left;
    char *const *b = right;
    return strcmp(*a, *b);
}

size_t words_index(const char *const *words, size_t count, const char *word) {
    size_t i = 0;
    while (i < count && strcmp(words[i], word) != 0) {
        i++;
    }
    return i;
}

void words_sort(word_list *list) {
    if (list->count > 0) {
        qsort(list->words, list->count, sizeof *list->words, compare_words);
    }
}

void words_split(word_list *list, const char *text, char at) {
    while (*text != '\0') {
        const char *end = strchr(text, at);
        size_t size = end != NULL ? (size_t)(end - text) : strlen(text);
        if (size > 0) {
            add_owned(list, memory_part(text, size));
        }
        text += size + (end != NULL);
    }
}

/* Puts one word, which may have quoted parts, and returns what is behind it;
 * NULL: a quote stays open. */
static const char *read_word(const char *text, strbuf *word) {
    char quote = '\0';
    for (; *text != '\0' && (quote != '\0' || *text != ' '); text++) {
        if (quote == '\0' && (*text == '\'' || *text == '"')) {
            quote = *text;
        } else if (*text == quote) {
            quote = '\0';
        } else {
            strbuf_put(word, text, 1);
        }
    }
    return quote == '\0' ? text : NULL;
}

bool words_of_command(word_list *list, const char *text) {
    strbuf word = {NULL, 0, 0};
    while (text != NULL && *text != '\0') {
        if (*text == ' ') {
            text++;
            continue;
        }
        text = read_word(text, &word);
        if (text != NULL) {
            add_owned(list, strbuf_take(&word));
        }
    }
    strbuf_free(&word);
    return text != NULL && list->count > 0;
}

char *words_fill(const char *text, const char *const pairs[][2]) {
    char *whole = memory_text(text);
    for (; (*pairs)[0] != NULL; pairs++) {
        strbuf filled = {NULL, 0, 0};
        const char *rest = whole;
        for (const char *found; (found = strstr(rest, (*pairs)[0])) != NULL;) {
            strbuf_put(&filled, rest, (size_t)(found - rest));
            strbuf_text(&filled, (*pairs)[1]);
            rest = found + strlen((*pairs)[0]);
        }
        strbuf_text(&filled, rest);
        free(whole);
        whole = strbuf_take(&filled);
    }
    return whole;
}
