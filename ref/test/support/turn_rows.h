/*
 * turn_rows.h - the rows of a .def (turns.h), and what is asked of each: a call with usual
 * arguments succeeds; with NULL it does what it does where NULL is allowed, else it says no,
 * with EP_ARGUMENT where it has a place for that; of an extreme it says one thing.
 * A file that includes this has defined its world, and TURN_ROWS, the path of the .def.
 */
#ifndef EP_TEST_TURN_ROWS_H
#define EP_TEST_TURN_ROWS_H

#include "turns.h"

#define NULLS(function, allowed, call)                                                             \
    static bool call_##function(world *w) {                                                        \
        (void)w;                                                                                   \
        return (call);                                                                             \
    }
#include TURN_ROWS
#undef NULLS

typedef struct turn_row {
    const char *function;
    const char *allowed; /* names with blanks between */
    bool (*call)(world *w);
} turn_row;

#define NULLS(function, allowed, call) {#function, allowed, call_##function},
static const turn_row rows[] = {
#include TURN_ROWS
};
#undef NULLS

/* These the file defines. given is what check_row was given; name NULL: all is as usual. The
 * code is that of the error that the function of a row has filled. Closing may ask more. */
static void open_world(world *w, void *given, const char *name, size_t extreme);
static ep_code code_of(const char *function, const world *w);
static bool close_turn(const turn_row *row, world *w);

static bool is_decided(bool ok, ep_code code) {
    return ok ? code == EP_OK : code != EP_INTERNAL && ep_code_name(code) != NULL;
}

static void check_turn(const turn_row *row, world *w, const char *name) {
    bool ok = row->call(w);
    bool told = turn_takes(&w->turns, "error") && strcmp(name, "error") != 0;
    ep_code code = code_of(row->function, w);
    bool allowed = turn_is_in(row->allowed, name);
    bool held = w->turns.extreme > 0 || CHECK_EQ_INT(ok, allowed);
    if (told && w->turns.extreme > 0) {
        held = CHECK(is_decided(ok, code));
    } else if (told) {
        held = CHECK_EQ_INT(code, allowed ? EP_OK : EP_ARGUMENT) && held;
    }
    if (!close_turn(row, w) || !held) {
        fprintf(stderr, "    %s, %s, extreme %zu\n", row->function, name, w->turns.extreme);
    }
}

static void check_row(const turn_row *row, void *given) {
    world w;
    open_world(&w, given, NULL, 0);
    CHECK_NOTE(row->call(&w), row->function);
    const turns taken = w.turns;
    close_turn(row, &w);
    for (size_t i = 0; i < taken.count; i++) {
        turn_kind kind = taken.kinds[i];
        bool nullable = kind == TURN_POINTER || kind == TURN_STRING;
        for (size_t j = nullable ? 0 : 1; j <= turn_extremes(kind); j++) {
            open_world(&w, given, taken.names[i], j);
            check_turn(row, &w, taken.names[i]);
        }
    }
}

static void check_rows(void *given) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_row(&rows[i], given);
    }
}

#endif
