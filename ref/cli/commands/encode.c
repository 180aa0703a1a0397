/*
 * encode.c - epref encode: the program decoded and written again, whole or
 * not at all.
 */
#include "cli/source.h"
#include "command.h"

static bool take(void *context, const char *data, size_t size) {
    buffer *product = context;
    buffer_put(product, data, size);
    return !product->failed;
}

static status encode(const options *o, const source *s, const ep_program *program, ep_arena *arena,
                     buffer *product) {
    failure what = {0};
    bool ok = ep_encode(program, arena, take, product, &what.error);
    if (product->failed) { /* the sink's refusal is want of memory */
        what.error.code = EP_MEMORY;
    }
    what.status = status_of_code(what.error.code);
    return ok ? STATUS_DONE : source_fail(s, o, &what);
}

status cmd_encode(const options *o) {
    return command_make(o, "not encoded: what the warnings name would be lost", encode);
}
