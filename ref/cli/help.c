/*
 * help.c - see help.h.
 */
#include "help.h"

#include "epref.h"

enum { COMMAND_COLUMN = 12, OPTION_COLUMN = 26 };

/* -------------------------------------------------------------------- help */

static void put_option(buffer *b, const option_row *row) {
    size_t from = b->size;
    buffer_text(b, "  ");
    if (row->letter != 0) {
        buffer_byte(b, '-');
        buffer_byte(b, row->letter);
        buffer_text(b, ", ");
    } else {
        buffer_text(b, "    ");
    }
    buffer_text(b, "--");
    buffer_text(b, row->name);
    if (row->argument != NULL) {
        buffer_byte(b, '=');
        buffer_text(b, row->argument);
    }
    buffer_pad(b, from, OPTION_COLUMN);
    buffer_byte(b, ' ');
    buffer_text(b, row->help);
    buffer_byte(b, '\n');
}

static void put_options(buffer *b, command_id command) {
    buffer_text(b, "\noptions:\n");
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (option_is_of(&option_rows[i], command)) {
            put_option(b, &option_rows[i]);
        }
    }
}

static void put_commands(buffer *b) {
    buffer_text(b, "usage: epref COMMAND [options] [FILE ...]\n\ncommands:\n");
    for (int i = 0; i < COMMAND_NONE; i++) {
        size_t from = b->size;
        buffer_text(b, "  ");
        buffer_text(b, command_rows[i].name);
        buffer_pad(b, from, COMMAND_COLUMN);
        buffer_text(b, command_rows[i].summary);
        buffer_byte(b, '\n');
    }
}

static bool reads_files(command_id command) {
    return option_is_of(&option_rows[OPTION_MODEL], command);
}

static void put_command(buffer *b, command_id command) {
    const command_row *row = &command_rows[command];
    buffer_text(b, "usage: epref ");
    buffer_text(b, row->name);
    buffer_text(b, " [options] ");
    buffer_text(b, row->operands);
    buffer_text(b, "\n\n");
    buffer_text(b, row->explanation);
    if (command == COMMAND_DIFF) {
        buffer_text(
            b, "A and B are programs (.json) or archives (.pt2); one of them can be -, which is\n"
               "standard input. Numbers can end in K, M or G.\n");
    } else if (reads_files(command)) {
        buffer_text(b,
                    "FILE is a program (.json) or an archive (.pt2); without it, or for -, it is\n"
                    "standard input. Numbers can end in K, M or G.\n");
    }
}

void help_put(buffer *b, command_id command) {
    if (command == COMMAND_NONE) {
        put_commands(b);
    } else {
        put_command(b, command);
    }
    put_options(b, command);
    buffer_text(b,
                "\nexit status: 0 done and valid, 1 invalid, 2 usage, 3 input or output failed,\n"
                "4 a limit or memory, 70 a bug in epref\n");
    if (command == COMMAND_NONE) {
        buffer_text(b, "\n`epref COMMAND --help` says more; so does epref(1).\n");
    }
}

/* ------------------------------------------------------------- completions */

static void put_words(buffer *b, command_id command) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option_row *row = &option_rows[i];
        if (option_is_of(row, command)) {
            buffer_text(b, " --");
            buffer_text(b, row->name);
            buffer_text(b, row->argument != NULL ? "=" : "");
        }
    }
}

static void put_first_words(buffer *b) {
    buffer_text(b, "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words=\"");
    for (int i = 0; i < COMMAND_NONE; i++) {
        buffer_text(b, i > 0 ? " " : "");
        buffer_text(b, command_rows[i].name);
    }
    put_words(b, COMMAND_NONE);
    buffer_text(b, "\"\n    else\n        case ${COMP_WORDS[1]} in\n");
    for (int i = 0; i < COMMAND_NONE; i++) {
        buffer_text(b, "        ");
        buffer_text(b, command_rows[i].name);
        buffer_text(b, ") words=\"");
        put_words(b, (command_id)i);
        buffer_text(b, "\" ;;\n");
    }
    buffer_text(b, "        esac\n    fi\n");
}

static void put_versions(buffer *b) {
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        buffer_text(b, ep_version_at(i)->name);
        buffer_byte(b, ' ');
    }
    buffer_text(b, "latest");
}

static void put_codes(buffer *b) {
    for (size_t i = 0; ep_code_at(i) != EP_OK; i++) {
        buffer_text(b, i > 0 ? " " : "");
        buffer_text(b, ep_code_name(ep_code_at(i)));
    }
    for (int id = EP_AUDIT_NONE + 1; id < EP_AUDIT_COUNT; id++) {
        buffer_byte(b, ' ');
        buffer_text(b, ep_audit_name((ep_audit_id)id));
    }
}

/* The words that an option's argument can be. */
static void put_values(buffer *b) {
    buffer_text(b, "    case $option in\n");
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option_row *row = &option_rows[i];
        if (row->choices != NULL || i == OPTION_SCHEMA) {
            buffer_text(b, "    --");
            buffer_text(b, row->name);
            buffer_text(b, ") values=\"");
            if (row->choices != NULL) {
                buffer_text(b, row->choices);
            } else {
                put_versions(b);
            }
            buffer_text(b, "\" ;;\n");
        }
    }
    buffer_text(b, "    esac\n");
}

static void put_operands(buffer *b) {
    buffer_text(b, "    case ${COMP_WORDS[1]} in\n    schema) operands=\"");
    put_versions(b);
    buffer_text(b, "\" ;;\n    explain) operands=\"");
    put_codes(b);
    buffer_text(b, "\" ;;\n    esac\n");
}

void help_completions(buffer *b) {
    buffer_text(b, "# bash completions of epref; made by `epref --completions=bash`\n"
                   "_epref() {\n"
                   "    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]}\n"
                   "    local option= words= values= operands=\n"
                   "    # bash takes --option=value apart at the equals sign\n"
                   "    if [ \"$word\" = = ]; then option=$last word=\n"
                   "    elif [ \"$last\" = = ]; then option=${COMP_WORDS[COMP_CWORD-2]}\n"
                   "    else option=$last; fi\n");
    put_values(b);
    put_first_words(b);
    put_operands(b);
    buffer_text(b, "    COMPREPLY=()\n"
                   "    if [ -n \"$values\" ]; then\n"
                   "        mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
                   "    elif [ \"${word:0:1}\" = - ] || [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                   "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
                   "        case ${COMPREPLY[0]} in *=) compopt -o nospace 2>/dev/null ;; esac\n"
                   "    elif [ -n \"$operands\" ]; then\n"
                   "        mapfile -t COMPREPLY < <(compgen -W \"$operands\" -- \"$word\")\n"
                   "    else\n"
                   "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
                   "        compopt -o filenames 2>/dev/null\n"
                   "    fi\n"
                   "}\n"
                   "complete -F _epref epref\n");
}
