/*
 * fuzz_oom.c - memory that runs out: the n-th allocation of a call fails, and
 * perhaps every one after it. Then the call fails with EP_MEMORY, or says what it
 * says with all the memory there is; nothing is left behind. The input is a
 * program with a tail, from which the call and n are drawn.
 */
#include "fuzz.h"

typedef enum call {
    CALL_WIRE,
    CALL_DECODE,
    CALL_CHECK,
    CALL_ENCODE,
    CALL_AUDIT,
    CALL_SIGNATURE,
    CALL_CANON,
    CALL_CANON_TORCH,
    CALL_MIGRATE,
    CALL_DIFF,
    CALLS
} call;

typedef struct trial {
    call call;
    ep_bytes text;
    const ep_program *program; /* NULL: the text is none */
    const ep_version *version; /* to migrate to */
} trial;

/* A text that a call made, as a number; 0 for nothing. */
static uint64_t number_of(ep_bytes text) {
    return text.size == 0 ? 0 : fuzz_hash(text);
}

static void hear(void *context, const ep_finding *finding) {
    (void)context;
    (void)finding;
}

static bool canonicalize(const trial *t, fuzz_work *work, uint64_t *made) {
    ep_bytes text;
    ep_canon_form form = t->call == CALL_CANON ? EP_CANON_EPREF : EP_CANON_TORCH;
    bool ok = fuzz_canon(work, t->program, form, &text);
    *made = number_of(ok ? text : (ep_bytes){NULL, 0});
    return ok;
}

static bool migrate(const trial *t, fuzz_work *work, uint64_t *made) {
    ep_built built;
    ep_migrate_options options = {.version = t->version};
    bool ok = ep_migrate(t->program, &work->arena, &options, &built, &work->error);
    *made = number_of(ok ? built.text : (ep_bytes){NULL, 0});
    return ok;
}

static bool compare(const trial *t, fuzz_work *work) {
    const ep_program *both[2] = {t->program, t->program};
    ep_diff_result result;
    return ep_diff(both, &work->arena, NULL, &result, &work->error);
}

static bool encode(const trial *t, fuzz_work *work) {
    test_text text = {0};
    bool ok = fuzz_encode(work, t->program, &text);
    test_text_free(&text);
    return ok;
}

/* The call, once, and what it made as a number: of a text, or of a version. */
static bool run(const trial *t, fuzz_work *work, uint64_t *made) {
    const ep_program *program;
    ep_signature *signature;
    switch (t->call) {
    case CALL_WIRE:
        return ep_check_wire(&work->arena, t->text, NULL, &work->error);
    case CALL_CHECK:
        return ep_check(t->program, &work->arena, NULL, &work->error);
    case CALL_ENCODE:
        return encode(t, work);
    case CALL_AUDIT:
        return ep_audit(t->program, &work->arena, hear, NULL, &work->error);
    case CALL_SIGNATURE:
        return ep_signature_open(t->program, &work->arena, &signature, &work->error);
    case CALL_CANON:
    case CALL_CANON_TORCH:
        return canonicalize(t, work, made);
    case CALL_MIGRATE:
        return migrate(t, work, made);
    case CALL_DIFF:
        return compare(t, work);
    case CALL_DECODE:
    case CALLS:
        break;
    }
    bool ok = ep_decode(&work->arena, t->text, NULL, &program, &work->error);
    *made = ok ? (uintptr_t)ep_program_version(program) : 0;
    return ok;
}

/* What the call says with all the memory, and how often it allocates. */
static fuzz_work run_whole(const trial *t, uint64_t *made) {
    fuzz_work work;
    fuzz_begin(&work);
    fuzz_told(&work, run(t, &work, made), t->text);
    fuzz_end(&work);
    return work;
}

static void run_short(const trial *t, const fuzz_work *whole, uint64_t made, fuzz_input *input) {
    fuzz_work work;
    uint64_t again = 0;
    fuzz_begin(&work);
    work.heap.fail_at = 1 + fuzz_below(input, whole->heap.calls);
    work.heap.fail_on = fuzz_below(input, 2) == 0;
    fuzz_told(&work, run(t, &work, &again), t->text);
    FUZZ_PROPERTY_OF(work.error.code == EP_MEMORY || work.error.code == whole->error.code,
                     "verdict", &work.error);
    FUZZ_PROPERTY_OF(work.error.code == EP_MEMORY || work.error.offset == whole->error.offset,
                     "place", &work.error);
    FUZZ_PROPERTY(work.error.code != EP_OK || again == made, "product");
    fuzz_end(&work);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_split(data, size);
    fuzz_work work;
    trial t = {.call = (call)fuzz_below(&input, CALLS), .text = input.text};
    fuzz_begin(&work);
    bool ok = fuzz_decode(&work, input.text, &t.program);
    t.version = fuzz_draw_version(&input);
    if (!ok) {
        t.call = t.call % 2 == 0 ? CALL_WIRE : CALL_DECODE;
    }
    uint64_t made = 0;
    fuzz_work whole = run_whole(&t, &made);
    for (int i = 0; i < 4 && whole.heap.calls > 0; i++) {
        run_short(&t, &whole, made, &input);
    }
    fuzz_end(&work);
    return 0;
}
