/*
 * text/arguments.c - see arguments.h.
 */
#include "text/arguments.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS_MAX = 256 };

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
    const char *wanted = a->take != NULL ? a->take(a->into, value) : NULL;
    if (a->list != NULL) {
        words_add(a->list, value);
    } else if (a->value != NULL) {
        *a->value = value;
    }
    return wanted == NULL || complain(a->name, wanted);
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

bool arguments_alone(char **argv, const argument *known) {
    word_list rest = {NULL, 0};
    bool ok = arguments_read(argv, known, &rest);
    if (ok && rest.count > 0) {
        fprintf(stderr, "epconform: %s takes no '%s'\n", argv[0], rest.words[0]);
        ok = false;
    }
    words_free(&rest);
    return ok;
}

static bool is_number(const char *text) {
    return text[0] >= '0' && text[0] <= '9';
}

/* A whole number above 0, up to `most` times a unit of some letters. */
static bool read_size(const char *text, const char *units, size_t most, size_t *number) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    bool ends = *end == '\0' || (unit != NULL && end[1] == '\0');
    *number = (size_t)value << shift;
    return is_number(text) && ends && errno == 0 && value > 0 && value <= most >> shift;
}

const char *arguments_jobs(void *into, const char *text) {
    return read_size(text, "", JOBS_MAX, into) ? NULL : "a whole number from 1 to 256 is wanted";
}

const char *arguments_size(void *into, const char *text) {
    return read_size(text, "KMGT", SIZE_MAX, into) ? NULL : "a size such as 512M is wanted";
}

const char *arguments_seconds(void *into, const char *text) {
    char *end;
    double value = strtod(text, &end);
    *(double *)into = value;
    return is_number(text) && *end == '\0' && value > 0 && value <= 1e6
               ? NULL
               : "a number of seconds above 0 is wanted";
}
