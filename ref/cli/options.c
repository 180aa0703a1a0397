/*
 * options.c - see options.h. Options may stand among the operands; "--" ends
 * them; "-" is an operand. Of an option given twice the last counts.
 */
#include "options.h"

#include <string.h>

#include "print.h"
#include "words.h"

#define COMMAND(symbol, name, operands, most, summary, explanation)                                \
    {#name, operands, most, summary, explanation},
const command_row command_rows[COMMAND_NONE] = {
#include "commands.def"
};
#undef COMMAND

enum {
#define COMMAND(symbol, name, operands, most, summary, explanation) symbol = 1 << COMMAND_##symbol,
#include "commands.def"
#undef COMMAND
    GLOBAL = 1 << COMMAND_NONE,
    READERS = CHECK | INSPECT | ENCODE | MIGRATE | CANON | SHOW | STATS | LIST | EXTRACT | AUDIT |
              DIGEST | DIFF | PACK | REPAIR | LOADS,
    SHAPERS = STRIP | JOIN, /* whatever program is in the archive */
    ALL = READERS | SHAPERS | SCHEMA | EXPLAIN | GEN,
    VERDICTS = CHECK | INSPECT | DIFF | AUDIT |
               LOADS, /* what they say is for the reader; they make nothing */
    MAKERS = ALL & ~VERDICTS
};

#define OPTION_CHOICE(enumeration) OPTION_NUMBER
#define OPTION_LEVEL(enumeration) OPTION_COUNT
#define OPTION_OF OPTION
#define OPTION(kind, field, letter, name, argument, choices, commands, help)                       \
    {OPTION_##kind, offsetof(options, field), letter, name, argument, choices, commands, help},
const option_row option_rows[] = {
#include "options.def"
    {.name = NULL}};
#undef OPTION
#undef OPTION_OF

/* The arguments on their way. */
typedef struct parser {
    options *o;
    char **argv;
    int argc;
    int at; /* the argument that is being read */
    buffer *complaint;
} parser;

static bool complain(parser *p, const char *what, const char *about) {
    print(p->complaint, about != NULL ? "%s %t" : "%s", what, bytes_of(about != NULL ? about : ""));
    return false;
}

/* ------------------------------------------------------------------- values */

/* "64M": digits, and a power of 1024. At least the least. */
static bool read_number(const char *text, size_t least, size_t *number) {
    size_t value = 0;
    const char *p = text;
    for (; '0' <= *p && *p <= '9'; p++) {
        size_t digit = (size_t)(*p - '0');
        if (value > (SIZE_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    const char *suffix = *p == '\0' ? NULL : strchr("KMG", *p == 'k' ? 'K' : *p);
    if (p == text || value < least || (*p != '\0' && (suffix == NULL || p[1] != '\0'))) {
        return false;
    }
    unsigned shift = suffix == NULL ? 0 : *suffix == 'K' ? 10 : *suffix == 'M' ? 20 : 30;
    *number = value << shift;
    return *number >> shift == value;
}

static bool read_version(parser *p, const char *value, const ep_version **version) {
    *version = versions_named(value);
    if (*version == NULL) {
        complain(p, "no such schema version:", value);
        versions_put_nearest(p->complaint, value);
    }
    return *version != NULL;
}

static bool read_code(parser *p, const char *value, ep_code *code) {
    *code = code_named(value);
    if (*code == EP_OK) {
        complain(p, "no such code:", value);
        codes_put_nearest(p->complaint, value, false);
    }
    return *code != EP_OK;
}

/* "--format cannot be jsn: text or json" */
static bool refuse_choice(parser *p, const option_row *row, const char *word) {
    print(p->complaint, "--%s", row->name);
    complain(p, " cannot be", word);
    buffer_text(p->complaint, ": ");
    const char *rest = row->choices;
    for (ep_bytes choice; words_next(&rest, &choice);) {
        print(p->complaint, "%s%t",
              choice.data == row->choices ? ""
              : *rest == '\0'             ? " or "
                                          : ", ",
              choice);
    }
    return false;
}

static bool apply(parser *p, const option_row *row, const char *value) {
    void *place = (char *)p->o + row->field;
    size_t least = row->kind == OPTION_COUNT;
    int choice = row->choices != NULL ? word_among(row->choices, value) : 0;
    if (choice < 0) {
        return refuse_choice(p, row, value);
    }
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)place = true;
        return true;
    case OPTION_TEXT:
        *(const char **)place = value;
        return true;
    case OPTION_VERSION:
        return read_version(p, value, place);
    case OPTION_CODE:
        return read_code(p, value, place);
    case OPTION_NUMBER:
    case OPTION_COUNT:
        break;
    }
    if (row->choices != NULL) {
        choice += (int)least;
        memcpy(place, &choice, sizeof choice); /* an enumeration, which is as large as an int */
        return true;
    }
    return read_number(value, least, place) ||
           complain(p, least == 0 ? "not a number:" : "not a number of at least 1:", value);
}

/* ------------------------------------------------------------------ arguments */

const option_row *option_called(command_id command, ep_bytes name, char letter) {
    const option_row *row = option_rows;
    while (row->name != NULL &&
           (!option_is_of(row, command) ||
            !(bytes_equal(name, row->name) || (letter != 0 && row->letter == letter)))) {
        row++;
    }
    return row;
}

static bool take_value(parser *p, const option_row *row, const char *value) {
    bool wanted = row->argument != NULL;
    if (!wanted && value != NULL) {
        return complain(p, "this option takes no argument:", p->argv[p->at]);
    }
    if (wanted && value == NULL) {
        if (p->at + 1 >= p->argc) {
            return complain(p, "this option needs an argument:", p->argv[p->at]);
        }
        value = p->argv[++p->at];
    }
    return apply(p, row, value);
}

/* The commands that have an option which this one does not have; false: none. */
static bool tell_owners(parser *p, ep_bytes name) {
    bool found = false;
    for (const option_row *row = option_rows; row->name != NULL; row++) {
        for (int c = 0; c < COMMAND_NONE && bytes_equal(name, row->name); c++) {
            if (option_is_of(row, (command_id)c)) {
                print(p->complaint, "%s%s", found ? ", " : "; it is one of ", command_rows[c].name);
                found = true;
            }
        }
    }
    return found;
}

/* What was meant by "--name", of which the dashes have been taken. */
static bool refuse_option(parser *p, const char *text) {
    ep_bytes name = {text, strcspn(text, "=")};
    complain(p, "unknown option", p->argv[p->at]);
    if (tell_owners(p, name)) {
        return false;
    }
    nearest n = nearest_to(name);
    for (const option_row *row = option_rows; row->name != NULL; row++) {
        if (option_is_of(row, p->o->command)) {
            nearest_try(&n, bytes_of(row->name));
        }
    }
    print(p->complaint, n.best.size > 0 ? "; did you mean --%s?" : "", n.best.data);
    return false;
}

/* "--name" or "--name=value" */
static bool take_long(parser *p, const char *text) {
    ep_bytes name = {text, strcspn(text, "=")};
    const option_row *row = option_called(p->o->command, name, 0);
    const char *value = text[name.size] == '=' ? text + name.size + 1 : NULL;
    return row->name != NULL ? take_value(p, row, value) : refuse_option(p, text);
}

/* "-v", "-ofile", "-o file" */
static bool take_letters(parser *p, const char *text) {
    while (*text != '\0') {
        const option_row *row = option_called(p->o->command, (ep_bytes){"", 0}, *text++);
        if (row->name == NULL) {
            return complain(p, "unknown option", p->argv[p->at]);
        }
        if (row->argument != NULL) {
            return take_value(p, row, *text != '\0' ? text : NULL);
        }
        apply(p, row, NULL);
    }
    return true;
}

static bool take_argument(parser *p, bool *options_end) {
    char *text = p->argv[p->at];
    if (*options_end || text[0] != '-' || text[1] == '\0') {
        p->o->operands[p->o->operand_count++] = text;
        return true;
    }
    if (text[1] != '-') {
        return take_letters(p, text + 1);
    }
    *options_end = text[2] == '\0';
    return *options_end || take_long(p, text + 2);
}

/* The nearest one; or the option, where that is what other tools have for a command. */
static bool refuse_command(parser *p, const char *text) {
    nearest n = nearest_to(bytes_of(text));
    complain(p, "unknown command", text);
    if (option_called(COMMAND_NONE, bytes_of(text), 0)->name != NULL) {
        print(p->complaint, "; did you mean --%s?", text);
        return false;
    }
    for (int i = 0; i < COMMAND_NONE; i++) {
        nearest_try(&n, bytes_of(command_rows[i].name));
    }
    nearest_put(p->complaint, &n);
    return false;
}

/* The command, if the first argument is not an option. */
static bool take_command(parser *p) {
    const char *text = p->at < p->argc ? p->argv[p->at] : "-";
    if (text[0] == '-') {
        return true;
    }
    for (int i = 0; i < COMMAND_NONE; i++) {
        if (strcmp(command_rows[i].name, text) == 0) {
            p->o->command = (command_id)i;
            p->at++;
            return true;
        }
    }
    return refuse_command(p, text);
}

/* What a command cannot do without, and what does not go together. */
static bool is_complete(parser *p) {
    const options *o = p->o;
    bool pack = o->command == COMMAND_PACK;
    bool two = o->command == COMMAND_DIFF || o->command == COMMAND_JOIN;
    bool migrate = o->command == COMMAND_MIGRATE;
    bool several = o->operand_count > 1 || o->recursive;
    size_t streams = 0; /* standard input among the operands */
    for (size_t i = 0; i < o->operand_count; i++) {
        streams += strcmp(o->operands[i], "-") == 0;
    }
    const struct {
        bool holds;
        const char *why;
    } faults[] = {
        {migrate && o->to == NULL && o->device == NULL, "it needs --to=VERSION"},
        {migrate && several && o->to_dir == NULL, "several files need --to-dir=DIR"},
        {migrate && o->to_dir != NULL && o->output != NULL, "--to-dir and --output: one of them"},
        {migrate && o->to_dir != NULL && (streams > 0 || o->operand_count == 0),
         "--to-dir needs files that have names"},
        {o->command == COMMAND_LOADS && o->in == READER_NONE, "it needs --in=RELEASE"},
        {o->constants != NULL && o->form != EP_CANON_TORCH, "--constants is for --form=torch only"},
        {pack && o->operand_count < 1, "it needs a folder, or a program and --tensors"},
        {pack && o->tensors == NULL && o->operand_count > 1, "extra files go with --tensors"},
        {o->sample_inputs != NULL && o->tensors == NULL, "--sample-inputs goes with --tensors"},
        {two && o->operand_count < 2, "it needs two files"},
        {two && streams > 1, "standard input can be one of the files only"},
        {o->fields && (o->stat || o->unified_given || o->full),
         "--fields lists fields, and goes with none of --stat, --unified and --full"},
        {(o->quiet || o->status) && !o->check, "--quiet and --status are for --check only"},
        {o->check && o->output != NULL, "--check has no product to write to a file"},
        {o->check && o->recursive, "--check takes lists, and --recursive looks for archives"},
        {o->recursive && o->operand_count == 0, "--recursive needs a folder"}};
    size_t i = 0;
    while (i < sizeof faults / sizeof faults[0] && !faults[i].holds) {
        i++;
    }
    return i == sizeof faults / sizeof faults[0] || complain(p, faults[i].why, NULL);
}

bool options_parse(options *o, int argc, char **argv, buffer *complaint) {
    parser p = {.o = o, .argv = argv, .argc = argc, .at = 1, .complaint = complaint};
    bool options_end = false;
    *o = (options){.command = COMMAND_NONE, .limits = ep_limits_default(), .operands = argv};
    o->fail_on = EP_SEVERITY_HIGH;
    o->limit = DIFFERENCES_TOLD;
    o->jobs = 1;
    o->nodes = GENERATED_NODES;
    o->unified = SIZE_MAX;
    if (!take_command(&p)) {
        return false;
    }
    for (; p.at < argc; p.at++) {
        if (!take_argument(&p, &options_end)) {
            return false;
        }
    }
    o->path = o->operand_count > 0 ? o->operands[0] : "-";
    o->json = o->format == FORMAT_JSON;
    o->unified_given = o->unified != SIZE_MAX;
    o->unified = o->unified_given ? o->unified : CONTEXT_LINES;
    if (o->command == COMMAND_NONE) {
        bool any = o->help || o->version || o->completions != NULL;
        return (any && o->operand_count <= (o->completions != NULL ? 1 : 0)) ||
               complain(&p, "no command", NULL);
    }
    size_t most = command_rows[o->command].most_operands;
    if (most > 0 && o->operand_count > most && !o->help) {
        const char *number = most == 1 ? "one operand only, not also" : "two operands, not also";
        return complain(&p, number, o->operands[most]);
    }
    return o->help || is_complete(&p);
}
