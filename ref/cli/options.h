/*
 * options.h - the command line, parsed: what the rows of commands.def and
 * options.def say, nothing else.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "archive/state/tensorfile.h"
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

/* Unless said otherwise. */
enum { DIFFERENCES_TOLD = 20, CONTEXT_LINES = 3, GENERATED_NODES = 20 };

typedef enum output_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_SARIF } output_format;

typedef enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } color_mode;

typedef struct options {
    command_id command;
    bool help;
    bool version;
    const char *completions; /* the shell, or NULL */
    bool verbose;
    ep_level level; /* EP_LEVEL_NONE: not said, all of them */
    output_format format;
    bool json;           /* of the format */
    ep_severity fail_on; /* EP_SEVERITY_NONE: never */
    bool forward;
    bool source;
    bool no_data;
    bool program;
    bool weights;
    bool archive;
    bool full;
    bool no_name;
    bool stat;
    bool fields;
    const char *tensors;
    const char *sample_inputs;
    bool all;
    bool recursive;
    bool report;
    bool raw;
    bool check;
    bool quiet;
    bool status;
    bool provenance;
    color_mode color;
    bool plain;
    ep_code invalid; /* the code of the one defect; EP_OK: none */
    size_t width;    /* 0: not said */
    size_t seed;
    size_t limit;   /* of differences told */
    size_t unified; /* lines around what differs */
    bool unified_given;
    size_t jobs;  /* processes; 0: as many as there are processors */
    size_t nodes; /* counts if nodes_given */
    bool nodes_given;
    const char *output;     /* NULL: standard output */
    const char *model;      /* NULL: not said */
    const char *tensor;     /* likewise */
    const char *to_dir;     /* likewise */
    const char *weights_to; /* likewise */
    tensorfile_form as;
    ep_canon_form form;
    const char *constants;    /* names and commas; NULL: not said */
    const ep_version *schema; /* NULL: what the file says */
    const ep_version *to;     /* NULL: not said */
    ep_limits limits;
    size_t max_memory; /* 0: no limit */
    char **operands;
    size_t operand_count;
} options;

/* Whether it is one document about all files, for other tools. */
static inline bool reports_all(const options *o) {
    return o->format > FORMAT_JSON;
}

/*
 * Parses the arguments; argv is put in another order, and the operands are
 * part of it. On misuse, false and a line that says what is wrong.
 */
bool options_parse(options *o, int argc, char **argv, buffer *complaint);

#endif
