/*
 * main.c - epref, the command line of libepref: parses the arguments and calls
 * the command, or says of it what its rows do: help, and completions. What completes an
 * argument follows from its name in the rows: VERSION, CODE, or its choices. Where there is none of
 * them the scripts take files. Everything here sees the library through epref.h alone.
 */
#include <string.h>

#include "cli/print.h"
#include "cli/terminal.h"
#include "cli/words.h"
#include "command.h"
#include "common/memory.h"
#include "gen/defects/defect.h"

/* ----------------------------------------------------------------------- completions */

static const char bash_script[] =
    "_epref() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} IFS=$'\\n'\n"
    "    COMPREPLY=($(epref --completions=line -- \"${COMP_LINE:0:COMP_POINT}\"))\n"
    "    if [ ${#COMPREPLY[@]} -eq 0 ]; then\n"
    "        COMPREPLY=($(compgen -f -- \"${word#=}\"))\n"
    "    elif [ \"${COMPREPLY[0]%=}\" != \"${COMPREPLY[0]}\" ]; then\n"
    "        compopt -o nospace 2>/dev/null\n"
    "    else\n"
    "        COMPREPLY=(\"${COMPREPLY[@]#--*=}\") # words end at equals signs\n"
    "    fi\n"
    "}\n"
    "complete -o filenames -F _epref epref\n";

static const char zsh_script[] =
    "#compdef epref\n"
    "_epref() {\n"
    "    local -a found\n"
    "    found=(${(f)\"$(epref --completions=line -- \"${(j: :)words[1,CURRENT-1]} $PREFIX\")\"})\n"
    "    if (( $#found )); then\n"
    "        compadd -S '' -- $found\n"
    "    else\n"
    "        compset -P '*='\n"
    "        _files\n"
    "    fi\n"
    "}\n"
    "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
    "    _epref \"$@\"\n"
    "else\n"
    "    compdef _epref epref\n"
    "fi\n";

static const char fish_script[] =
    "complete -c epref -a '(epref --completions=line -- (commandline -cp))'\n";

/* The last word of a line, and what it is put behind. */
typedef struct completion {
    buffer *out;
    const char *last;
    command_id command;
} completion;

/* "--format=", "json": if it begins with the last word. */
static void put_word(const completion *c, const char *before, ep_bytes word) {
    size_t size = strlen(c->last);
    size_t from = c->out->size;
    print(c->out, "%s%r", before, word.data, word.size);
    ep_bytes put = buffer_since(c->out, from);
    if (put.size < size || memcmp(put.data, c->last, size) != 0) {
        c->out->size = from;
    } else {
        buffer_byte(c->out, '\n');
    }
}

static void put_words(const completion *c, const char *before, const char *words) {
    for (ep_bytes word; words_next(&words, &word);) {
        put_word(c, before, word);
    }
}

static void put_versions(const completion *c, const char *before) {
    char name[RELEASE_ROOM];
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        put_words(c, before, ep_version_at(i)->name);
        const char *releases = ep_version_at(i)->releases;
        for (ep_bytes release; words_next(&releases, &release);) {
            put_word(c, before, release_minor(name, release.data));
        }
    }
    put_words(c, before, "latest");
}

/* All that `explain` knows, or the codes of the defects that `gen` can make. */
static void put_codes(const completion *c, const char *before, bool defects) {
    for (size_t i = 0; ep_code_at(i) != EP_OK; i++) {
        if (!defects || defect_known(ep_code_at(i))) {
            put_words(c, before, ep_code_name(ep_code_at(i)));
        }
    }
    for (int id = EP_AUDIT_NONE + 1; !defects && id < EP_AUDIT_COUNT; id++) {
        put_words(c, before, ep_audit_name((ep_audit_id)id));
    }
}

/* What an option's argument can be, or an operand. */
static void put_argument(const completion *c, const char *before, const char *argument,
                         const char *choices) {
    put_words(c, before, choices);
    if (strstr(argument, "VERSION") != NULL) {
        put_versions(c, before);
    } else if (strstr(argument, "CODE") != NULL) {
        put_codes(c, before, *before != '\0');
    }
}

static void put_options(const completion *c) {
    for (const option_row *row = option_rows; row->name != NULL; row++) {
        buffer text = {0};
        print(&text, "--%s%s", row->name, row->argument != NULL ? "=" : "");
        const char *option = buffer_string(&text);
        if (!text.failed && option_is_of(row, c->command)) {
            bool valued = row->argument != NULL && strncmp(c->last, option, text.size) == 0;
            if (valued) {
                put_argument(c, option, row->argument, row->choices);
            } else {
                put_words(c, "", option);
            }
        }
        c->out->failed = c->out->failed || text.failed;
        buffer_free(&text);
    }
}

/* Whether a word, which is followed by another, is an option that this one is the argument of. */
static bool wants_argument(const completion *c, ep_bytes word) {
    bool named = word.size > 2 && bytes_start(word, "--");
    const option_row *row = option_called(
        c->command, named ? (ep_bytes){word.data + 2, word.size - 2} : (ep_bytes){"", 0},
        word.size == 2 && word.data[0] == '-' ? word.data[1] : '\0');
    if (row->argument != NULL) {
        put_argument(c, "", row->argument, row->choices);
    }
    return row->argument != NULL;
}

static void put_line(completion *c, const char *line) {
    ep_bytes word = {"", 0}; /* the last but one */
    c->last = line;
    for (const char *next = strchr(line, ' '); next != NULL; next = strchr(c->last, ' ')) {
        word = (ep_bytes){c->last, (size_t)(next - c->last)};
        for (int i = 0; c->command == COMMAND_NONE && c->last != line && i < COMMAND_NONE; i++) {
            c->command = bytes_equal(word, command_rows[i].name) ? (command_id)i : c->command;
        }
        c->last = next + 1;
    }
    if (wants_argument(c, word)) {
        return;
    }
    if (c->command != COMMAND_NONE) {
        put_argument(c, "", command_rows[c->command].operands, NULL);
    }
    for (int i = 0; c->command == COMMAND_NONE && i < COMMAND_NONE; i++) {
        put_words(c, "", command_rows[i].name);
    }
    if (*c->last == '-') {
        put_options(c);
    }
}

/* The script for a shell: one of the choices of --completions; or for "line" what completes the
 * last word of a line, a word a line. */
static void completions_put(buffer *b, const char *shell, const char *line) {
    static const char *const scripts[] = {bash_script, zsh_script, fish_script};
    int number = word_among("bash zsh fish", shell);
    if (number >= 0) {
        buffer_text(b, scripts[number]);
    } else {
        put_line(&(completion){.out = b, .command = COMMAND_NONE}, line);
    }
}

/* ------------------------------------------------------------------------------ help */

enum { COMMAND_COLUMN = 12, OPTION_COLUMN = 20 };

static void put_option_row(buffer *b, const option_row *row) {
    print(b, row->letter != 0 ? "  -%c, " : "      ", row->letter);
    print(b, "--%s%s%s%p %s\n", row->name, row->argument != NULL ? "=" : "",
          row->argument != NULL ? row->argument : "", OPTION_COLUMN, row->help);
}

static void put_option_rows(buffer *b, command_id command) {
    buffer_text(b, "\noptions:\n");
    for (const option_row *row = option_rows; row->name != NULL; row++) {
        if (option_is_of(row, command)) {
            put_option_row(b, row);
        }
    }
}

static void put_usage(buffer *b) {
    buffer_text(b, "usage: epref COMMAND [options] [FILE ...]\n\ncommands:\n");
    for (int i = 0; i < COMMAND_NONE; i++) {
        print(b, "  %s%p%s\n", command_rows[i].name, COMMAND_COLUMN, command_rows[i].summary);
    }
}

static void put_usage_of(buffer *b, command_id command) {
    const command_row *row = &command_rows[command];
    print(b, "usage: epref %s [options] %s\n\n%s", row->name, row->operands, row->explanation);
    if (command == COMMAND_DIFF) {
        buffer_text(
            b, "A and B are programs (.json) or archives (.pt2); one of them can be -, which is\n"
               "standard input. Numbers can end in K, M or G.\n");
    } else if (command != COMMAND_STRIP && bytes_start(bytes_of(row->operands), "[FILE")) {
        buffer_text(b,
                    "FILE is a program (.json) or an archive (.pt2); without it, or for -, it is\n"
                    "standard input. Numbers can end in K, M or G.\n");
    }
}

/* The help of a command, or of epref for COMMAND_NONE. */
static void help_put(buffer *b, command_id command) {
    if (command == COMMAND_NONE) {
        put_usage(b);
    } else {
        put_usage_of(b, command);
    }
    put_option_rows(b, command);
    buffer_text(b,
                "\nexit status: 0 done and valid, 1 invalid, 2 usage, 3 input or output failed,\n"
                "4 a limit or memory, 70 a bug in epref\n");
    if (command == COMMAND_NONE) {
        buffer_text(b, "\n`epref COMMAND --help` says more; so does epref(1).\n");
    }
}

/* ------------------------------------------------------------------------------ main */

/* What is not a command: --help, --version, --completions. It is no product of the
 * command's, and goes to standard output. */
static status run_global(const options *o) {
    buffer product = {0};
    options plain = *o;
    plain.output = NULL;
    if (o->help || o->command != COMMAND_NONE) {
        help_put(&product, o->command);
    } else if (o->version) {
        print(&product, "epref %s\n", ep_library_version());
    } else {
        completions_put(&product, o->completions, o->operand_count > 0 ? o->operands[0] : "");
    }
    return command_finish(&plain, &product, STATUS_DONE);
}

static status refuse(const options *o, const buffer *complaint) {
    buffer b = {0};
    const char *command = o->command == COMMAND_NONE ? "" : command_rows[o->command].name;
    print(&b, "epref: %r\nTry `epref %s%s", complaint->data, complaint->size, command,
          *command != '\0' ? " --help`.\n" : "--help`.\n");
    terminal_tell(buffer_bytes(&b));
    buffer_free(&b);
    return STATUS_USAGE;
}

static status run(const options *o) {
    static status (*const commands[COMMAND_NONE])(const options *) = {
#define COMMAND(symbol, name, operands, most, summary, explanation) cmd_##name,
#include "cli/commands.def"
#undef COMMAND
    };
    if (o->help || o->command == COMMAND_NONE) {
        return run_global(o);
    }
    return commands[o->command](o);
}

int main(int argc, char **argv) {
    options o;
    buffer complaint = {0};
    bool ok = options_parse(&o, argc, argv, &complaint);
    memory_cap(ok ? o.max_memory : 0);
    status result = ok ? run(&o) : refuse(&o, &complaint);
    buffer_free(&complaint);
    return (int)result;
}
