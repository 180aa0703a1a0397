/*
 * gen.c - epref gen: a synthetic program, judged before it is written: one
 * that does not pass, or one with a defect that is not told as that, is a bug of
 * ours, and is not written.
 */
#include "gen/gen.h"
#include "cli/diag.h"
#include "command.h"
#include "gen/defects/defect.h"

/* What is told of is the program that would have been written. */
static status tell(const options *o, const failure *what) {
    return diag_fail(o, bytes_of("(generated)"), what);
}

static status fail(const options *o, const ep_error *error, bool judged) {
    failure what = {.status = status_of_code(error->code), .error = *error};
    if (judged || what.status == STATUS_INVALID) {
        what.status = STATUS_INTERNAL;
    }
    return tell(o, &what);
}

static const ep_version *version_of(const options *o) {
    return o->schema != NULL ? o->schema : ep_version_find("latest");
}

/* The program as text in the arena. What it is built from is given back before
 * it is judged: of a large one that is most of the memory. */
static status generate(const options *o, uint64_t seed, ep_arena *arena, ep_bytes *text) {
    ep_arena scratch;
    ep_error error;
    gen_options wanted = {
        .version = version_of(o),
        .seed = seed,
        .nodes = o->nodes,
        .plain = o->plain,
    };
    arena_open(&scratch, 0);
    bool ok = gen_program(&wanted, &scratch, arena, text, &error);
    ep_arena_free(&scratch);
    return ok ? STATUS_DONE : fail(o, &error, false);
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

static status generate_valid(const options *o, uint64_t seed, ep_arena *arena, ep_bytes *text,
                             const ep_program **program) {
    ep_error error;
    status result = generate(o, seed, arena, text);
    if (result != STATUS_DONE || judge(*text, version_of(o), arena, program, &error)) {
        return result;
    }
    return fail(o, &error, ep_code_level(error.code) != EP_LEVEL_NONE);
}

static status make_valid(const options *o, buffer *product) {
    ep_arena arena;
    ep_bytes text = {NULL, 0};
    const ep_program *program;
    arena_open(&arena, 0);
    status result = generate_valid(o, o->seed, &arena, &text, &program);
    if (result == STATUS_DONE) {
        buffer_put(product, text.data, text.size);
    }
    ep_arena_free(&arena);
    return result;
}

/* ------------------------------------------------------------------- defects */

/* Whether the code is what is said of the product. */
static status judge_defect(const options *o, const buffer *product) {
    ep_arena arena;
    ep_error error;
    const ep_program *program;
    const ep_version *demanded = o->invalid == EP_VERSION_UNKNOWN ? NULL : version_of(o);
    arena_open(&arena, 0);
    bool valid = judge(buffer_bytes(product), demanded, &arena, &program, &error);
    ep_arena_free(&arena);
    if (!valid && error.code == o->invalid) {
        return STATUS_DONE;
    }
    bool judged = valid || error.code != EP_MEMORY;
    error.code = judged ? EP_INTERNAL : EP_MEMORY;
    return fail(o, &error, judged);
}

/* One try: what->reason is NULL unless another program may do. */
static status try_defect(const options *o, uint64_t seed, buffer *product, failure *what) {
    ep_arena arena;
    ep_bytes text = {NULL, 0};
    const ep_program *program;
    arena_open(&arena, 0);
    *what = (failure){.status = STATUS_DONE};
    status result = generate_valid(o, seed, &arena, &text, &program);
    if (result == STATUS_DONE) {
        defect_options wanted = {o->invalid, seed, text, program};
        result = defect_apply(&wanted, product, what) ? STATUS_DONE : what->status;
    }
    ep_arena_free(&arena);
    return result;
}

/* Not every program has a place for every defect: the seed is the first of those
 * that are tried. */
static status make_invalid(const options *o, buffer *product) {
    enum { TRIES = 200 };
    failure what = {.status = STATUS_USAGE, .reason = "no program can show this code"};
    bool possible = defect_possible(o->invalid, version_of(o));
    if (!possible && defect_known(o->invalid)) {
        what.reason = "no program of this version can show this code";
    }
    status result = STATUS_INVALID;
    for (uint64_t i = 0; possible && i < TRIES && result == STATUS_INVALID; i++) {
        result = try_defect(o, o->seed + (i << 32), product, &what);
    }
    if (result == STATUS_INVALID || (result != STATUS_DONE && what.error.code != EP_OK)) {
        what.status = result == STATUS_INVALID ? STATUS_USAGE : result;
        return tell(o, &what);
    }
    return result == STATUS_DONE ? judge_defect(o, product) : result;
}

/* There is nothing to read. */
static status refuse_operand(const options *o) {
    failure what = {.status = STATUS_USAGE, .reason = "gen reads no file"};
    return diag_fail(o, bytes_of(o->operands[0]), &what);
}

status cmd_gen(const options *o) {
    buffer product = {0};
    if (o->operand_count > 0) {
        return refuse_operand(o);
    }
    status result = o->invalid == EP_OK ? make_valid(o, &product) : make_invalid(o, &product);
    if (result == STATUS_DONE) {
        return command_finish(o, &product, result);
    }
    buffer_free(&product);
    return result;
}
