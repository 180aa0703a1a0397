/*
 * readers.h - whether a release of PyTorch loads a program or an archive, by what is known of
 * it: readers.def, the schemas, the tables of operators, and appendix C of SPEC.md.
 */
#ifndef CLI_COMMANDS_READERS_H
#define CLI_COMMANDS_READERS_H

#include "archive/layout/archive.h"
#include "common/buffer.h"

#define READER(minor, version, takes) READER_2_##minor,
typedef enum reader_id {
    READER_NONE,
#include "readers.def"
    READER_COUNT
} reader_id;
#undef READER

/* The name of a release: "2.8". */
const char *reader_release(reader_id id);

/* Why it does not load a file. */
typedef struct reader_refusal {
    buffer message;
    const char *clause; /* "D-13, SPEC appendix C"; NULL: it loads it */
    ep_error place;     /* in the program */
} reader_refusal;

/* Whether it takes the layout of an archive that is open. */
void reader_judge_archive(reader_id id, const archive *a, reader_refusal *why);

/* Whether it takes a program. False for want of memory. Linear in the program, times the logarithm
 * of its names. */
bool reader_judge_program(reader_id id, const ep_program *program, ep_arena *arena,
                          reader_refusal *why);

#endif
