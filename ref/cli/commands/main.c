/*
 * main.c - epref, the command line of libepref: parses the arguments and calls
 * the command. Everything here sees the library through epref.h alone.
 */
#include "cli/diag.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "command.h"
#include "common/memory.h"

status command_finish(const options *o, buffer *product, status before) {
    failure what = {0};
    status after = before;
    if (product->failed) {
        what = (failure){.status = STATUS_LIMIT, .error = {.code = EP_MEMORY}};
        after = status_worse(before, diag_output(o, &what));
    } else if (!output_write(o->output, buffer_bytes(product), &what)) {
        after = status_worse(before, diag_output(o, &what));
    }
    buffer_free(product);
    return after;
}

bool command_flush(const options *o, buffer *product, status *result) {
    if (o->output != NULL || (product->size == 0 && !product->failed)) {
        return true;
    }
    status written = command_finish(o, product, STATUS_DONE);
    *result = status_worse(*result, written);
    return written == STATUS_DONE;
}

status command_make(const options *o, const char *lost, command_maker *make) {
    source s = {0};
    ep_arena arena;
    buffer product = {0};
    const ep_program *program;
    status result = source_load_whole(&s, o, &arena, &program, lost);
    if (result == STATUS_DONE) {
        result = make(o, &s, program, &product);
    }
    ep_arena_free(&arena);
    source_free(&s);
    if (result != STATUS_DONE) {
        buffer_free(&product);
        return result;
    }
    return command_finish(o, &product, result);
}

status command_each(const options *o, command_file *file) {
    static char standard_input[] = "-";
    char *const no_operands[] = {standard_input};
    char *const *paths = o->operand_count > 0 ? o->operands : no_operands;
    size_t count = o->operand_count > 0 ? o->operand_count : 1;
    source s = {0};
    buffer product = {0};
    status result = STATUS_DONE;
    for (size_t i = 0; i < count; i++) {
        result = status_worse(result, file(o, &s, paths[i], &product));
        if (!command_flush(o, &product, &result)) {
            break;
        }
    }
    source_free(&s);
    if (o->output != NULL && result == STATUS_DONE) {
        return command_finish(o, &product, result);
    }
    buffer_free(&product);
    return result;
}

/* What is not a command: --help, --version, --completions. It is no product of the
 * command's, and goes to standard output. */
static status run_global(const options *o) {
    buffer product = {0};
    options plain = *o;
    plain.output = NULL;
    if (o->help || o->command != COMMAND_NONE) {
        help_put(&product, o->command);
    } else if (o->version) {
        buffer_text(&product, "epref ");
        buffer_text(&product, ep_library_version());
        buffer_byte(&product, '\n');
    } else {
        help_completions(&product);
    }
    return command_finish(&plain, &product, STATUS_DONE);
}

static status refuse(const options *o, const buffer *complaint) {
    buffer b = {0};
    const char *command = o->command == COMMAND_NONE ? "" : command_rows[o->command].name;
    buffer_text(&b, "epref: ");
    buffer_put(&b, complaint->data, complaint->size);
    buffer_text(&b, "\nTry `epref ");
    buffer_text(&b, command);
    buffer_text(&b, *command != '\0' ? " --help`.\n" : "--help`.\n");
    terminal_tell(buffer_bytes(&b));
    buffer_free(&b);
    return STATUS_USAGE;
}

static status run(const options *o) {
    static status (*const commands[COMMAND_NONE])(const options *) = {
        [COMMAND_CHECK] = cmd_check,     [COMMAND_ENCODE] = cmd_encode,
        [COMMAND_MIGRATE] = cmd_migrate, [COMMAND_CANON] = cmd_canon,
        [COMMAND_SHOW] = cmd_show,       [COMMAND_STATS] = cmd_stats,
        [COMMAND_AUDIT] = cmd_audit,     [COMMAND_SCHEMA] = cmd_schema,
        [COMMAND_EXPLAIN] = cmd_explain, [COMMAND_DIGEST] = cmd_digest,
        [COMMAND_DIFF] = cmd_diff,       [COMMAND_GEN] = cmd_gen,
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
