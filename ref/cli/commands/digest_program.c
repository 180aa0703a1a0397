/*
 * digest_program.c - see digest_program.h.
 */
#include "digest_program.h"

#include "archive/state/program_digest.h"

bool digest_program(const options *o, const ep_program *program, failure *what, digest *d) {
    ep_arena arena;
    arena_open(&arena, o->max_memory);
    bool ok = program_digest(program, &arena, o->limits.bytes, d, what);
    ep_arena_free(&arena);
    if (!ok && what->reason == NULL) {
        what->status = status_of_code(what->error.code);
    }
    return ok;
}
