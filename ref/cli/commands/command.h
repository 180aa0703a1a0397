/*
 * command.h - the commands, one function each in a file of its own. A command
 * tells of its failures itself; what it returns is the exit status.
 */
#ifndef CLI_COMMANDS_COMMAND_H
#define CLI_COMMANDS_COMMAND_H

#include "cli/options.h"
#include "cli/source.h"
#include "common/digest.h"
#include "common/status.h"

#define COMMAND(symbol, name, operands, most, summary, explanation)                                \
    status cmd_##name(const options *o);
#include "cli/commands.def"
#undef COMMAND

/* Writes a product to where the options say, frees it, and tells of failure;
 * before is the status so far. */
status command_finish(const options *o, buffer *product, status before);

/* Writes what there is of a product, unless it goes to a file of its own, and
 * empties it. False: it could not be written, which was told and is in *result. */
bool command_flush(const options *o, buffer *product, status *result);

/* Makes a product of a whole program. */
typedef status command_maker(const options *o, const source *s, const ep_program *program,
                             ep_arena *arena, buffer *product);

/* Loads the program that the options name, makes its product, for which the arena is too, and
 * writes it. lost: why there is none when forward reading left something out; or NULL. */
status command_make(const options *o, const char *lost, command_maker *make);

/* What a command says of all files at the end: how many there are of something. */
typedef struct command_sum {
    size_t count;
    size_t files;     /* that have some */
    const char *path; /* of the last of them */
} command_sum;

/* A command that deals with one file after the other. */
typedef struct command_run {
    const options *o;
    source source;       /* of the file at hand */
    const char *name;    /* of it, below the folder that was given; or the last part of its path */
    const failure *lost; /* why nothing is known of it, which is to be said; or NULL */
    buffer product;      /* what was said, and is not written yet */
    size_t summed;       /* what the file at hand adds to the sum */
    command_sum all;
    void *context; /* the command's own, of all files: of a document about all of them */
} command_run;

/* Deals with one file; puts what it has to say into the product. */
typedef status command_file(command_run *run, const char *path);

/* Puts what is to be said of all files behind the last. */
typedef void command_end(command_run *run);

/* Deals with each operand, or with standard input, and with --recursive with the archives
 * below each folder, with --jobs in several processes, unless there is a context; the worst status
 * of all. Lines go out file by file, unless they go to a file of their own: to that when there are
 * those of every operand. end may be NULL. */
status command_each(const options *o, command_file *file, command_end *end, void *context);

/* The same below a line that stands once before what is said of the files. */
status command_each_below(const options *o, const char *header, command_file *file,
                          command_end *end, void *context);

/* The digest of a program. False: *what. */
bool digest_program(const options *o, const ep_program *program, failure *what, digest *d);

#endif
