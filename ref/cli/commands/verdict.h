/*
 * verdict.h - the verdict on a file, as `epref check` gives it: a program, or an archive with
 * all that is in it, is read once from its beginning to its end.
 */
#ifndef CLI_COMMANDS_VERDICT_H
#define CLI_COMMANDS_VERDICT_H

#include "cli/json.h"
#include "cli/source.h"

typedef struct verdict verdict;

/* Is shown each program that was decoded, when it has been judged: v->what is what is wrong
 * with it. The program and what is allocated from the arena are gone after the return. */
typedef void verdict_decoded(verdict *v, const ep_program *program, ep_arena *arena);

/* Is shown each warning and each note. */
typedef void verdict_told(verdict *v, const char *severity, const failure *what);

/* All that is known of the file at hand. */
struct verdict {
    const options *o;
    source *s;
    verdict_told *told;       /* may be NULL */
    bool notes_wanted;        /* notes go anywhere */
    verdict_decoded *decoded; /* may be NULL */
    void *context;            /* its own */

    const ep_version *version; /* NULL: not decoded */
    failure what;              /* DONE: the file is valid up to the level that was asked for */
    size_t warnings;
    size_t notes;
    size_t programs; /* that were decoded */
    ep_arena arena;  /* of the last of them */
};

/* Judges the file at a path, "-" being standard input, into the members from version on. lost: why
 * nothing is known of it, which is the verdict then; or NULL. */
void verdict_reach(verdict *v, const char *path, const failure *lost);

#endif
