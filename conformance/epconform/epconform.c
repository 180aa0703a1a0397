/*
 * epconform.c - the command epconform: holds implementations against the
 * conformance suite. It knows nothing of libepref; PROTOCOL.md says how a
 * testee is plugged in.
 */
#include "epconform.h"

#include "carried.h"
#include "run/process.h"
#include "text/memory.h"

#include <stdio.h>
#include <string.h>

typedef struct command_row {
    const char *name;
    int (*main)(char **argv);
} command_row;

static const command_row COMMANDS[] = {
    {"run", run_main},   {"list", list_main}, {"show", show_main},
    {"lint", lint_main}, {"init", init_main}, {"report", report_main},
};

static bool is_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static bool asks_for_help(char **argv) {
    for (char **word = argv + 1; *word != NULL; word++) {
        if (is_help(*word)) {
            return true;
        }
    }
    return false;
}

static int run_command(char **argv) {
    if (asks_for_help(argv) && help_print(argv[0], stdout)) {
        return STATUS_GOOD;
    }
    for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++) {
        if (strcmp(COMMANDS[i].name, argv[0]) == 0) {
            return COMMANDS[i].main(argv);
        }
    }
    fprintf(stderr, "epconform: no command '%s'; epconform --help lists them\n", argv[0]);
    return STATUS_USAGE;
}

static int run_words(int argc, char **argv) {
    if (argc < 2) {
        help_print("epconform", stderr);
        return STATUS_USAGE;
    }
    if (is_help(argv[1]) || strcmp(argv[1], "help") == 0) {
        return help_print("epconform", stdout) ? STATUS_GOOD : STATUS_TROUBLE;
    }
    return run_command(argv + 1);
}

/* What could not be said was not done. */
int main(int argc, char **argv) {
    process_setup();
    memory_for_json();
    int status = run_words(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("epconform: standard output cannot be written\n", stderr);
        status = STATUS_TROUBLE;
    }
    return status;
}
