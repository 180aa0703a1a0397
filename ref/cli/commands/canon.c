/*
 * canon.c - epref canon: the canonical form of the program, whole or not at
 * all; of an archive that of the program in it.
 */
#include "archive/layout/constants.h"
#include "cli/diag.h"
#include "cli/source.h"
#include "command.h"
#include "common/memory.h"

#include <string.h>

/* Splits "a,b" at its commas; names as many as count. NULL for want of memory. */
static ep_bytes *split(const char *text, size_t *count) {
    *count = 0;
    ep_bytes *names = memory_resize(NULL, (strlen(text) + 1) * sizeof *names);
    for (const char *p = text; names != NULL && *p != '\0'; p += *p == ',') {
        size_t size = strcspn(p, ",");
        names[(*count)++] = (ep_bytes){p, size};
        p += size;
    }
    return names;
}

static status canon(const options *o, const source *s, const ep_program *program, ep_arena *arena,
                    buffer *product) {
    failure what = {0};
    ep_built built;
    bool undecided = false;
    constants taken = {.limit = o->limits.bytes, .described = true};
    ep_canon_options wish = {.form = o->form,
                             .undecided = &undecided,
                             .constant = constants_take,
                             .constant_context = &taken};
    ep_bytes *names = split(o->constants == NULL ? "" : o->constants, &wish.constant_count);
    wish.constants = names;
    if (names == NULL) {
        what.error.code = EP_MEMORY;
    } else if (ep_canon(program, arena, &wish, &built, &what.error) && !taken.failed) {
        buffer_put(product, built.text.data, built.text.size);
    }
    product->failed = product->failed || taken.failed;
    constants_free(&taken);
    memory_free(names);
    if (product->failed) {
        what.error.code = EP_MEMORY;
    }
    what.status = status_of_code(what.error.code);
    if (what.error.code != EP_OK) {
        return source_fail(s, o, &what);
    }
    if (undecided) {
        diag_undecided(o, buffer_bytes(&s->label));
    }
    return STATUS_DONE;
}

status cmd_canon(const options *o) {
    return command_make(o, "not canonicalized: what the warnings name would be lost", canon);
}
