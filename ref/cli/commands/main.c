/*
 * main.c - epref, the command line of libepref: parses the arguments and calls
 * the command. Everything here sees the library through epref.h alone.
 */
#include "cli/help.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "command.h"
#include "common/memory.h"

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
    status result;
    if (options_parse(&o, argc, argv, &complaint)) {
        memory_cap(o.max_memory);
        result = run(&o);
    } else {
        result = refuse(&o, &complaint);
    }
    buffer_free(&complaint);
    return (int)result;
}
