/*
 * mutator/mutate.h - mutations that know the format: of a program's text by the types
 * of its values, of the strings that hold a language, and of archives. Plain
 * byte mutations are the engines' own work and not done here. The same seed and
 * input give the same output on any machine. Text that is broken is mutated as
 * far as it can be read.
 *
 * A program's text ends at the first zero byte; what stands behind it, the tail
 * of the layout "program+tail", is kept or drawn anew.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "common/random.h"
#include "epref.h"

/* Returns false when the expression is false. */
#define TRY(condition)                                                                             \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return false;                                                                          \
    } while (0)

/* How an input is laid out; the names are those of targets.json. */
typedef enum mutate_layout {
    MUTATE_LAYOUT_PROGRAM, /* "program" */
    MUTATE_LAYOUT_TAIL,    /* "program+tail" */
    MUTATE_LAYOUT_STRINGS, /* "strings": language, version, text */
    MUTATE_LAYOUT_CALLS,   /* "calls": no structure, the engine mutates alone */
    MUTATE_LAYOUT_ARCHIVE, /* "archive" */
    MUTATE_LAYOUT_STATE    /* "state": an archive, of which the state is changed */
} mutate_layout;

/* The layout of a name; calls for what is none, and for NULL. */
mutate_layout mutate_layout_of(const char *name);

/* The views of the versions, made when they are first asked for, and room to
 * work in. For one thread at a time. */
typedef struct fuzz_mutator fuzz_mutator;

/* NULL for want of memory. */
fuzz_mutator *fuzz_mutator_open(mutate_layout layout);
void fuzz_mutator_close(fuzz_mutator *m); /* may be NULL */

/*
 * One to four mutations of data, in place. Returns the new size, at most
 * max_size; 0 when it could do nothing or memory was wanting, and then the
 * first size bytes are as before. Linear in size, but for a program that is
 * decoded to break one rule.
 */
size_t fuzz_mutate(fuzz_mutator *m, uint8_t *data, size_t size, size_t max_size, uint32_t seed);

typedef struct mutate_input {
    const uint8_t *data;
    size_t size;
} mutate_input;

/* Where an output goes: size bytes at most. */
typedef struct mutate_room {
    uint8_t *data;
    size_t size;
} mutate_room;

/* a with a part of b in it, where both have parts of one type. Returns the size
 * of what is in out, which overlaps neither; 0 when it could do nothing. */
size_t fuzz_cross(fuzz_mutator *m, mutate_input a, mutate_input b, mutate_room out, uint32_t seed);

/*
 * The same for archives (mutate_zip.c). The program inside is mutated with
 * fuzz_mutate_program, and lengths and checksums are made right again, or not.
 */
size_t fuzz_mutate_zip(fuzz_mutator *m, uint8_t *data, size_t size, size_t max_size, uint32_t seed);
size_t fuzz_cross_zip(fuzz_mutator *m, mutate_input a, mutate_input b, mutate_room out,
                      uint32_t seed);

/* fuzz_mutate and fuzz_cross for what is known to be a program. */
size_t fuzz_mutate_program(fuzz_mutator *m, uint8_t *data, size_t size, size_t max_size,
                           uint32_t seed);
size_t fuzz_cross_program(fuzz_mutator *m, mutate_input a, mutate_input b, mutate_room out,
                          uint32_t seed);

#endif
