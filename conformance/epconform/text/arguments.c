/*
 * text/arguments.c - see arguments.h.
 */
#include "text/arguments.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const argument *find(const argument *known, const char *word, size_t size) {
    for (; known->name != NULL; known++) {
        if (strlen(known->name) == size && strncmp(known->name, word, size) == 0) {
            return known;
        }
    }
    return NULL;
}

static bool complain(const char *word, const char *what) {
    fprintf(stderr, "epconform: %s: %s\n", word, what);
    return false;
}

/* Sets one option; *next is the word behind it, and is gone past if taken. */
static bool set(const argument *a, const char *word, const char *value, char ***next) {
    if (a->flag != NULL) {
        *a->flag = true;
        return value == NULL || complain(word, "takes no value");
    }
    if (value == NULL) {
        value = **next;
        if (value == NULL) {
            return complain(word, "needs a value");
        }
        (*next)++;
    }
    if (a->list != NULL) {
        words_add(a->list, value);
    } else {
        *a->value = value;
    }
    return true;
}

bool arguments_read(char **words, const argument *known, word_list *rest) {
    bool options = true;
    for (char **next = words + 1; *next != NULL;) {
        const char *word = *next++;
        if (!options || word[0] != '-' || word[1] == '\0') {
            words_add(rest, word);
            continue;
        }
        if (strcmp(word, "--") == 0) {
            options = false;
            continue;
        }
        const char *equals = strchr(word, '=');
        size_t size = equals != NULL ? (size_t)(equals - word) : strlen(word);
        const argument *a = find(known, word, size);
        if (a == NULL) {
            return complain(word, "no such option; --help lists them");
        }
        if (!set(a, word, equals != NULL ? equals + 1 : NULL, &next)) {
            return false;
        }
    }
    return true;
}

static bool is_number(const char *text) {
    return text[0] >= '0' && text[0] <= '9';
}

bool arguments_number(const char *name, const char *text, size_t most, size_t *number) {
    char *end;
    if (text == NULL) {
        return true;
    }
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!is_number(text) || *end != '\0' || errno != 0 || value == 0 || value > most) {
        return complain(name, "a whole number above 0 is wanted");
    }
    *number = (size_t)value;
    return true;
}

bool arguments_size(const char *name, const char *text, size_t *size) {
    static const char units[] = "KMGT";
    char *end;
    if (text == NULL) {
        return true;
    }
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    bool ends = *end == '\0' || (unit != NULL && end[1] == '\0');
    if (!is_number(text) || !ends || errno != 0 || value == 0 || value > SIZE_MAX >> shift) {
        return complain(name, "a size such as 512M is wanted");
    }
    *size = (size_t)value << shift;
    return true;
}

bool arguments_seconds(const char *name, const char *text, double *seconds) {
    char *end;
    if (text == NULL) {
        return true;
    }
    double value = strtod(text, &end);
    if (!is_number(text) || *end != '\0' || !(value > 0) || value > 1e6) {
        return complain(name, "a number of seconds above 0 is wanted");
    }
    *seconds = value;
    return true;
}
