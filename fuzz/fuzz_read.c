/*
 * fuzz_read.c - a program that was decoded, read through the functions of epref.h
 * (reading.h). The input is the document, all of it.
 */
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_work work;
    fuzz_reading reading = {.work = &work, .text = fuzz_bytes(data, size)};
    const ep_program *program;
    fuzz_begin(&work);
    if (fuzz_decode(&work, reading.text, &program)) {
        fuzz_read_values(&reading, program);
        fuzz_read_signature(&reading, program);
    }
    fuzz_end(&work);
    return 0;
}
