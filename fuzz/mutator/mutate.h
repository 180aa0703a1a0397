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

#include "common/macros.h"
#include "common/random.h"
#include "epref.h"

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

/* By the environment: EPREF_FUZZ_MUTATOR=bytes leaves all mutations to the engine, to measure
 * what the structure is worth: NULL; EPREF_FUZZ_LAYOUT says the layout, or else the name. */
fuzz_mutator *fuzz_mutator_of_environment(const char *layout);

/* The layout is one of archives. */
bool fuzz_mutator_has_archives(const fuzz_mutator *m);

/* A mutation: of data, which has room for max bytes, by a seed. With a donor, which overlaps
 * nothing, a part of that comes for one of the same type. */
typedef struct mutate_job {
    uint8_t *data;
    size_t size;
    size_t max;
    ep_bytes donor; /* without data: none */
    uint32_t seed;
} mutate_job;

/*
 * One to four mutations, or a crossover, in place. Returns the new size, at most max; 0 when
 * it could do nothing or memory was wanting, and then the first size bytes are as before.
 * Linear in size, but for a program that is decoded to break one rule.
 */
size_t fuzz_mutate(fuzz_mutator *m, const mutate_job *job);

/* The same for what is known to be a program; and for archives (mutate_zip.c), in which
 * programs are mutated so, and lengths and checksums are made right again, or not. */
size_t fuzz_mutate_program(fuzz_mutator *m, const mutate_job *job);
size_t fuzz_mutate_zip(fuzz_mutator *m, const mutate_job *job);

#endif
