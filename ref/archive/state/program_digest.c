/*
 * program_digest.c - see program_digest.h.
 */
#include "program_digest.h"

#include "archive/layout/constants.h"
#include "common/refusal.h"

bool program_digest(const ep_program *program, ep_arena *scratch, size_t limit, digest *d,
                    failure *what) {
    constants taken = {.limit = limit, .described = true};
    ep_canon_options wish = {.form = EP_CANON_EPREF,
                             .undecided = &d->undecided,
                             .constant = constants_take,
                             .constant_context = &taken};
    ep_built built;
    bool ok = ep_canon(program, scratch, &wish, &built, &what->error);
    if (taken.failed) {
        what->error = (ep_error){.code = EP_MEMORY};
        ok = false;
    }
    constants_free(&taken);
    if (ok) {
        digest_of(DIGEST_PROGRAM, built.text, d);
    }
    return ok;
}
