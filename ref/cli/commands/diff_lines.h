/*
 * diff_lines.h - what differs between two programs, in the words of epref show: hunks of
 * lines, names that are others, and what no line shows; or all that in figures.
 */
#ifndef CLI_COMMANDS_DIFF_LINES_H
#define CLI_COMMANDS_DIFF_LINES_H

#include "cli/compare/notes.h"
#include "cli/json.h"
#include "cli/options.h"

typedef struct lines_diff {
    const options *o;
    const ep_program *programs[2];
    ep_arena *arenas[2];
    ep_bytes files[2]; /* as they are called */
    buffer *product;
    bool open; /* a first difference was heard of: the rest is there */
    listing listings[2];
    pairing pairs;
    notes notes;
    bool failed; /* for want of memory; sticks */
} lines_diff;

/* An ep_diff_hear: notes the difference, and pairs the lines of both programs before the
 * first. */
void diff_lines_hear(void *context, const ep_difference *difference);

/* Puts the names and versions of the files: "--- a.json  schema 8.20". */
void diff_lines_put_files(lines_diff *d);

/* Puts all that was heard of. */
void diff_lines_put(lines_diff *d, const ep_diff_result *result);

/* Puts what the sections come to; into an object, if the options say so. */
void diff_lines_put_stat(lines_diff *d, json *object);

void diff_lines_free(lines_diff *d);

#endif
