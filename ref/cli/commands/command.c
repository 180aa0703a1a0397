/*
 * command.c - what commands have in common: the files that they are asked about, and
 * their product's way out.
 */
#include "command.h"

#include "cli/diag.h"
#include "cli/output.h"

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
