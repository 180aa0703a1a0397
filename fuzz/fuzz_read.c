/*
 * fuzz_read.c - a program that was decoded, read through the functions of epref.h
 * (reading.h), says the same as what it is encoded to. The input is the document, all of it.
 */
#include "reading.h"

/* What is left out reads as what is written for it (SPEC 3.5.4). */
static void check_anew(fuzz_work *work, const ep_program *program) {
    test_text text = {0};
    const ep_program *again = fuzz_anew(work, program, &text);
    FUZZ_PROPERTY(fuzz_sum_values(work, program) == fuzz_sum_values(work, again), "same-values");
    test_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_work work;
    fuzz_reading reading = {.work = &work, .text = fuzz_bytes(data, size)};
    const ep_program *program;
    fuzz_begin(&work);
    if (fuzz_decode(&work, reading.text, &program)) {
        fuzz_read_values(&reading, program);
        check_anew(&work, program);
        fuzz_read_signature(&reading, program);
        fuzz_read_graph(&reading, program);
    }
    fuzz_end(&work);
    return 0;
}
