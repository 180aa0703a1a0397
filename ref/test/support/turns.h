/*
 * turns.h - for sweeps over the functions of a public header: a row calls a function with
 * arguments that it may take, each in a macro, and in its turn an argument is NULL or
 * extreme instead. A file that includes this has a world, `w`, with `turns` in it.
 *
 *   P  a pointer           NULL
 *   S  a string            NULL, extreme strings
 *   X  a number or enum    extreme numbers
 *   D  a float             extreme floats
 *   B  bytes               none, nowhere, not UTF-8
 *   V  an ep_value         those of w->values
 *   N  a count, or the size of what a pointer leads to: it has to be true, and is
 *
 * scripts/house/rules (the rule "nulls") finds functions and parameters that have none.
 */
#ifndef EP_TEST_TURNS_H
#define EP_TEST_TURNS_H

#include "check.h"
#include "epref.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { TURN_NAMES = 8, TURN_VALUES = 8 };

typedef enum turn_kind {
    TURN_POINTER,
    TURN_STRING,
    TURN_NUMBER,
    TURN_FLOAT,
    TURN_BYTES,
    TURN_VALUE
} turn_kind;

typedef struct turns {
    const char *name; /* the parameter whose turn it is; NULL: none */
    size_t extreme;   /* 0: NULL; else which extreme it is, from 1 */
    const char *names[TURN_NAMES];
    turn_kind kinds[TURN_NAMES];
    size_t count;
} turns;

static const char turn_not_utf8[] = "\xFF\xFE";
static const char turn_long[] = "a.name.that.is.longer.than.any.of.those.that.the.schema.has."
                                "and.than.the.texts.that.errors.hold.so.that.it.is.cut.off.in."
                                "every.one.of.them.whatever.stands.before.it.and.so.on.and.on";
static const char *const turn_strings[] = {"", turn_not_utf8, turn_long, "\n", "0", "EP_TYPE"};
static const int64_t turn_numbers[] = {-1, 0, 1, 7, 99, 1000, INT32_MAX, INT64_MIN, INT64_MAX};
static const ep_bytes turn_bytes_of[] = {{NULL, 0}, {"", 0},         {NULL, 3}, {"\xFF\xFE", 2},
                                         {"\0", 1}, {"{\"a\": ", 6}, {"x", 1}};

static inline size_t turn_extremes(turn_kind kind) {
    switch (kind) {
    case TURN_POINTER:
        return 0;
    case TURN_STRING:
        return sizeof turn_strings / sizeof turn_strings[0];
    case TURN_NUMBER:
        return sizeof turn_numbers / sizeof turn_numbers[0];
    case TURN_FLOAT:
        return 6;
    case TURN_BYTES:
        return sizeof turn_bytes_of / sizeof turn_bytes_of[0];
    case TURN_VALUE:
        return TURN_VALUES;
    }
    return 0;
}

/* The extreme of the parameter whose turn it is, from 1; 0: it is not its turn. Notes that
 * there is such a parameter. */
static inline size_t turn_of(turns *t, const char *name, turn_kind kind) {
    size_t i = 0;
    while (i < t->count && strcmp(t->names[i], name) != 0) {
        i++;
    }
    if (i == t->count && CHECK_NOTE(i < TURN_NAMES, name)) {
        t->names[t->count] = name;
        t->kinds[t->count++] = kind;
    }
    return t->name != NULL && strcmp(t->name, name) == 0 ? t->extreme : 0;
}

static inline bool turn_is_null(turns *t, const char *name, turn_kind kind) {
    turn_of(t, name, kind);
    return t->name != NULL && t->extreme == 0 && strcmp(t->name, name) == 0;
}

static inline const char *turn_string(turns *t, const char *name, const char *value) {
    if (turn_is_null(t, name, TURN_STRING)) {
        return NULL;
    }
    size_t extreme = turn_of(t, name, TURN_STRING);
    return extreme == 0 ? value : turn_strings[extreme - 1];
}

static inline int64_t turn_number(turns *t, const char *name, int64_t value) {
    size_t extreme = turn_of(t, name, TURN_NUMBER);
    return extreme == 0 ? value : turn_numbers[extreme - 1];
}

static inline double turn_float(turns *t, const char *name, double value) {
    const double extremes[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, -0.0, DBL_MAX, DBL_MIN / 4};
    size_t extreme = turn_of(t, name, TURN_FLOAT);
    return extreme == 0 ? value : extremes[extreme - 1];
}

static inline ep_bytes turn_bytes(turns *t, const char *name, ep_bytes value) {
    size_t extreme = turn_of(t, name, TURN_BYTES);
    return extreme == 0 ? value : turn_bytes_of[extreme - 1];
}

static inline ep_value turn_value(turns *t, const char *name, ep_value value,
                                  const ep_value values[TURN_VALUES]) {
    size_t extreme = turn_of(t, name, TURN_VALUE);
    return extreme == 0 ? value : values[extreme - 1];
}

#define P(parameter, value) (turn_is_null(&w->turns, #parameter, TURN_POINTER) ? NULL : (value))
#define S(parameter, value) turn_string(&w->turns, #parameter, value)
#define X(parameter, type, value) ((type)turn_number(&w->turns, #parameter, (int64_t)(value)))
#define D(parameter, value) turn_float(&w->turns, #parameter, value)
#define B(parameter, value) turn_bytes(&w->turns, #parameter, value)
#define V(parameter, value) turn_value(&w->turns, #parameter, value, w->values)
#define N(parameter, value) (value)

/* Whether a row's list of names, with blanks between, has a name. */
static inline bool turn_is_in(const char *names, const char *name) {
    size_t size = strlen(name);
    for (const char *at = names; (at = strstr(at, name)) != NULL; at += size) {
        bool begins = at == names || at[-1] == ' ';
        if (begins && (at[size] == ' ' || at[size] == '\0')) {
            return true;
        }
    }
    return false;
}

static inline bool turn_takes(const turns *t, const char *name) {
    for (size_t i = 0; i < t->count; i++) {
        if (strcmp(t->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

#endif
