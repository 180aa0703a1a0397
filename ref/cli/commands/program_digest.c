/*
 * program_digest.c - see program_digest.h.
 */
#include "program_digest.h"

#include "archive/layout/constants.h"

/* Version 1 keeps tensors in the program itself: what they are counts, not their
 * bytes. SPEC 6.10.1 */
static bool digest_form(const options *o, const ep_program *program, ep_arena *arena, failure *what,
                        digest *d) {
    constants taken = {.limit = o->limits.bytes, .described = true};
    ep_canon_options wish = {.form = EP_CANON_EPREF,
                             .undecided = &d->undecided,
                             .constant = constants_take,
                             .constant_context = &taken};
    ep_built built;
    bool ok = ep_canon(program, arena, &wish, &built, &what->error);
    if (taken.failed) {
        what->error = (ep_error){.code = EP_MEMORY};
        ok = false;
    }
    constants_free(&taken);
    return ok && (digest_of(DIGEST_PROGRAM, built.text, d) || digest_refuse(what));
}

bool program_digest(const options *o, const ep_program *program, failure *what, digest *d) {
    ep_arena arena;
    arena_open(&arena, o->max_memory);
    bool ok = digest_form(o, program, &arena, what, d);
    ep_arena_free(&arena);
    if (!ok && what->reason == NULL) {
        what->status = status_of_code(what->error.code);
    }
    return ok;
}
