/*
 * gen.c - epref gen: a synthetic program, judged before it is written: one
 * that does not pass, or one with a defect that is not told as that, is a bug of
 * ours, and is not written.
 */
#include "gen/gen.h"
#include "cli/diag.h"
#include "command.h"
#include "gen/defects/defect.h"

static bool fail(failure *what, const ep_error *error, bool judged) {
    *what = (failure){.status = status_of_code(error->code), .error = *error};
    if (judged || what->status == STATUS_INVALID) {
        what->status = STATUS_INTERNAL;
    }
    return false;
}

static const ep_version *version_of(const options *o) {
    return o->schema != NULL ? o->schema : ep_version_find("latest");
}

/* The verdict on a text that is to be of a version; NULL: of what it says. It may
 * be of any length. */
static bool judge(ep_bytes text, const ep_version *version, ep_arena *arena,
                  const ep_program **program, ep_error *error) {
    ep_decode_options demands = ep_decode_options_default();
    demands.version = version;
    demands.limits.bytes = SIZE_MAX;
    demands.limits.values = SIZE_MAX;
    demands.limits.string = SIZE_MAX;
    return ep_decode(arena, text, &demands, program, error) &&
           ep_check(*program, arena, NULL, error);
}

/* A program. What it is built from is given back before it is judged: of a large one that is most
 * of the memory. */
typedef struct made {
    ep_arena arena;
    ep_bytes text;
    const ep_program *program;
} made;

static bool generate(const options *o, uint64_t seed, made *m, failure *what) {
    ep_arena scratch;
    ep_error error;
    gen_options wanted = {
        .version = version_of(o), .seed = seed, .nodes = o->nodes, .plain = o->plain};
    *what = (failure){.status = STATUS_DONE};
    arena_open(&m->arena, 0);
    arena_open(&scratch, 0);
    bool ok = gen_program(&wanted, &scratch, &m->arena, &m->text, &error);
    ep_arena_free(&scratch);
    if (!ok) {
        return fail(what, &error, false);
    }
    return judge(m->text, version_of(o), &m->arena, &m->program, &error) ||
           fail(what, &error, ep_code_level(error.code) != EP_LEVEL_NONE);
}

/* False with STATUS_INVALID: another program may do. */
static bool make(const options *o, uint64_t seed, buffer *product, failure *what) {
    made m;
    bool ok = generate(o, seed, &m, what);
    if (ok && o->invalid == EP_OK) {
        buffer_put(product, m.text.data, m.text.size);
    } else if (ok) {
        ok = defect_apply(&(defect_options){o->invalid, seed, m.text, m.program}, product, what);
    }
    ep_arena_free(&m.arena);
    return ok;
}

/* ------------------------------------------------------------------- defects */

/* Whether the code is what is said of the product. */
static bool judge_defect(const options *o, const buffer *product, failure *what) {
    ep_arena arena;
    ep_error error;
    const ep_program *program;
    const ep_version *demanded = o->invalid == EP_VERSION_UNKNOWN ? NULL : version_of(o);
    arena_open(&arena, 0);
    bool valid = judge(buffer_bytes(product), demanded, &arena, &program, &error);
    ep_arena_free(&arena);
    bool judged = valid || error.code != EP_MEMORY;
    if (!valid && error.code == o->invalid) {
        return true;
    }
    error.code = judged ? EP_INTERNAL : EP_MEMORY;
    return fail(what, &error, judged);
}

/* Not every program has a place for every defect: the seed is the first of those
 * that are tried. */
static bool make_invalid(const options *o, buffer *product, failure *what) {
    enum { TRIES = 200 };
    bool possible = defect_possible(o->invalid, version_of(o));
    bool ok = false;
    *what = (failure){.status = STATUS_INVALID,
                      .reason = !possible && defect_known(o->invalid)
                                    ? "no program of this version can show this code"
                                    : "no program can show this code"};
    for (uint64_t i = 0; possible && !ok && what->status == STATUS_INVALID && i < TRIES; i++) {
        ok = make(o, o->seed + (i << 32), product, what);
    }
    what->status = what->status == STATUS_INVALID ? STATUS_USAGE : what->status;
    return ok && judge_defect(o, product, what);
}

status cmd_gen(const options *o) {
    buffer product = {0};
    failure what = {.status = STATUS_USAGE, .reason = "gen reads no file"};
    if (o->operand_count > 0) {
        return diag_fail(o, bytes_of(o->operands[0]), &what);
    }
    if (o->invalid == EP_OK ? make(o, o->seed, &product, &what)
                            : make_invalid(o, &product, &what)) {
        return command_finish(o, &product, STATUS_DONE);
    }
    buffer_free(&product);
    return diag_fail(o, bytes_of("(generated)"), &what); /* what would have been written */
}
