/*
 * run/tally.c - see tally.h.
 */
#include "run/tally.h"

#include "text/memory.h"

#include <stdlib.h>
#include <string.h>

enum { TALLY_MAX = 1000 }; /* from so many groups on what was said is not told apart */

const char *tally_code(const result *one) {
    const char *wanted = vector_text(one->vector->line, "code");
    const char *got = vector_text(one->got, "code");
    return wanted != NULL ? wanted : got != NULL ? got : "";
}

/* What an error is about is its message; of the others standard error has a tail, which
 * may be of any time, and the detail says what happened. */
static const char *said_of(const result *one) {
    bool has_message = one->message != NULL && one->message[0] != '\0';
    if (one->outcome == OUTCOME_ERROR && has_message) {
        return one->message;
    }
    return one->detail != NULL ? one->detail : "";
}

static const char DIGITS[] = "0123456789";

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The same words, with any numbers in them. */
static bool says_the_same(const char *one, const char *other) {
    const char *end = one + TALLY_SAID;
    while (one < end && *one != '\0') {
        if (is_digit(*one) && is_digit(*other)) {
            one += strspn(one, DIGITS);
            other += strspn(other, DIGITS);
        } else if (*one++ != *other++) {
            return false;
        }
    }
    return one >= end || *other == '\0';
}

static tally_group *find_group(const tally *t, const tally_group *own) {
    for (size_t i = 0; i < t->count; i++) {
        tally_group *each = &t->groups[i];
        if (each->outcome == own->outcome && strcmp(each->code, own->code) == 0 &&
            strcmp(each->clause, own->clause) == 0 && says_the_same(each->said, own->said)) {
            return each;
        }
    }
    return NULL;
}

const tally_group *tally_add(tally *t, const result *one) {
    tally_group own = {one->outcome, "", "", "", one->vector, 1};
    if (outcome_is_own(one->outcome)) {
        own.said = t->count < TALLY_MAX ? said_of(one) : "";
    } else {
        own.code = tally_code(one);
        const char *clause = vector_clause(one->vector->line);
        own.clause = clause != NULL ? clause : "";
    }
    tally_group *found = find_group(t, &own);
    if (found != NULL) {
        found->count++;
        return found;
    }
    t->groups = memory_resize(t->groups, t->count + 1, sizeof *t->groups);
    t->groups[t->count] = own;
    return &t->groups[t->count++];
}

/* Groups of one size stand as their first vectors do in the suite. */
static int compare_groups(const void *left, const void *right) {
    const tally_group *a = left;
    const tally_group *b = right;
    int by_count = (a->count < b->count) - (a->count > b->count);
    return by_count != 0 ? by_count : (a->first > b->first) - (a->first < b->first);
}

tally tally_of(const run *r) {
    tally t = {NULL, 0};
    for (size_t i = 0; i < r->count; i++) {
        if (result_is_unexpected(&r->results[i])) {
            tally_add(&t, &r->results[i]);
        }
    }
    if (t.count > 0) {
        qsort(t.groups, t.count, sizeof *t.groups, compare_groups);
    }
    return t;
}

void tally_free(tally *t) {
    free(t->groups);
    *t = (tally){NULL, 0};
}
