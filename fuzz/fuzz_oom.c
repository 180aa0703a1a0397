/*
 * fuzz_oom.c - memory that runs out: the n-th allocation of a call (calls.h) fails, and
 * perhaps every one after it. Then the call fails with EP_MEMORY, or says what it
 * says with all the memory there is; nothing is left behind. The input is a
 * program with a tail, from which the call and n are drawn.
 */
#include "calls.h"
#include "fuzz.h"

/* A call with allocations refused as the heap says; how many there were. */
static size_t run(call_id id, const call_input *trial, test_heap heap, call_result *result) {
    fuzz_work work;
    fuzz_begin(&work);
    work.heap = heap;
    call_run(id, trial, &work.arena, result);
    work.error = result->error;
    fuzz_told(&work, result->ok, trial->text);
    size_t calls = work.heap.calls;
    fuzz_end(&work);
    return calls;
}

static void check_short(const call_result *whole, const call_result *result) {
    const ep_error *error = &result->error;
    if (error->code != EP_MEMORY) {
        FUZZ_PROPERTY_OF(error->code == whole->error.code, "verdict", error);
        FUZZ_PROPERTY_OF(error->offset == whole->error.offset, "place", error);
        FUZZ_PROPERTY(result->sum == whole->sum, "product");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_split(data, size);
    fuzz_work work;
    call_input trial = {.text = input.text, .other_text = input.text};
    call_id id = (call_id)fuzz_below(&input, CALLS);
    call_result whole;
    call_result result;
    fuzz_begin(&work);
    bool ok = fuzz_decode(&work, input.text, &trial.program);
    trial.other = trial.program;
    trial.to = fuzz_draw_version(&input);
    id = ok || !call_needs_program(id) ? id : CALL_DECODE;
    size_t calls = run(id, &trial, (test_heap){0}, &whole);
    for (int i = 0; i < 4 && calls > 0; i++) {
        test_heap heap = {.fail_at = 1 + fuzz_below(&input, calls)};
        heap.fail_on = fuzz_below(&input, 2) == 0;
        run(id, &trial, heap, &result);
        check_short(&whole, &result);
    }
    fuzz_end(&work);
    return 0;
}
