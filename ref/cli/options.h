/*
 * options.h - the command line, parsed: what the rows of commands.def and
 * options.def say, nothing else.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "archive/state/tensorfile.h"
#include "commands/readers.h"
#include "common/buffer.h"

#define COMMAND(symbol, name, operands, most, summary, explanation) COMMAND_##symbol,
typedef enum command_id {
#include "commands.def"
    COMMAND_NONE
} command_id;
#undef COMMAND

typedef enum option_kind {
    OPTION_FLAG,    /* bool */
    OPTION_TEXT,    /* const char * */
    OPTION_NUMBER,  /* size_t; of choices: an enumeration */
    OPTION_COUNT,   /* likewise, from 1 */
    OPTION_VERSION, /* const ep_version * */
    OPTION_CODE     /* ep_code */
} option_kind;

typedef struct command_row {
    const char *name;
    const char *operands;
    size_t most_operands; /* 0: any number */
    const char *summary;
    const char *explanation;
} command_row;

typedef struct option_row {
    option_kind kind;
    size_t field; /* the offset of what is set in struct options */
    char letter;
    const char *name;
    const char *argument;
    const char *choices;
    unsigned commands; /* a bit for each command_id */
    const char *help;
} option_row;

extern const command_row command_rows[COMMAND_NONE];
extern const option_row option_rows[]; /* up to one without a name */

static inline bool option_is_of(const option_row *row, command_id command) {
    return (row->commands >> command & 1U) != 0;
}

/* The option of a command by its name or its letter, 0 being none; else the row without a name. */
const option_row *option_called(command_id command, ep_bytes name, char letter);

/* Unless said otherwise. */
enum { DIFFERENCES_TOLD = 20, CONTEXT_LINES = 3, GENERATED_NODES = 20 };

/* The third choice is another one of inspect. */
typedef enum output_format {
    FORMAT_TEXT,
    FORMAT_JSON,
    FORMAT_SARIF,
    FORMAT_CSV = FORMAT_SARIF
} output_format;

typedef enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } color_mode;

/* What is not said is NULL, 0 or false, unless options_parse has another value for it. */
typedef struct options {
    command_id command;
#define TYPE_FLAG bool
#define TYPE_TEXT const char *
#define TYPE_NUMBER size_t
#define TYPE_COUNT size_t
#define TYPE_VERSION const ep_version *
#define TYPE_CODE ep_code
#define TYPE_CHOICE(enumeration) enumeration
#define TYPE_LEVEL(enumeration) enumeration
#define OPTION(kind, field, letter, name, argument, choices, commands, help) TYPE_##kind field;
#define OPTION_OF(kind, field, letter, name, argument, choices, commands, help)
#include "options.def"
#undef OPTION
#undef OPTION_OF
    bool json; /* of the format */
    bool unified_given;
    ep_limits limits;
    char **operands;
    const char *path; /* the first of them, or "-" for standard input */
    size_t operand_count;
    buffer *messages; /* what is for standard error goes here; NULL: there, at once */
} options;

/* Whether it is one document about all files, for other tools. */
static inline bool reports_all(const options *o) {
    return o->format == FORMAT_SARIF && o->command != COMMAND_INSPECT;
}

/*
 * Parses the arguments; argv is put in another order, and the operands are
 * part of it. On misuse, false and a line that says what is wrong.
 */
bool options_parse(options *o, int argc, char **argv, buffer *complaint);

#endif
