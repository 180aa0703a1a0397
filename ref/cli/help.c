/*
 * help.c - see help.h.
 */
#include "help.h"
#include "print.h"

enum { COMMAND_COLUMN = 12, OPTION_COLUMN = 26 };

/* -------------------------------------------------------------------- help */

static void put_option(buffer *b, const option_row *row) {
    char letter[] = "    ";
    if (row->letter != 0) {
        letter[0] = '-';
        letter[1] = row->letter;
        letter[2] = ',';
    }
    print(b, "  %s--%s%s%s%p %s\n", letter, row->name, row->argument != NULL ? "=" : "",
          row->argument != NULL ? row->argument : "", OPTION_COLUMN, row->help);
}

static void put_options(buffer *b, command_id command) {
    buffer_text(b, "\noptions:\n");
    for (const option_row *row = option_rows; row->name != NULL; row++) {
        if (option_is_of(row, command)) {
            put_option(b, row);
        }
    }
}

static void put_commands(buffer *b) {
    buffer_text(b, "usage: epref COMMAND [options] [FILE ...]\n\ncommands:\n");
    for (int i = 0; i < COMMAND_NONE; i++) {
        print(b, "  %s%p%s\n", command_rows[i].name, COMMAND_COLUMN, command_rows[i].summary);
    }
}

static void put_command(buffer *b, command_id command) {
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
