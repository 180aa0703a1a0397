/*
 * fuzz_roundtrip.c - what is decoded is encoded to a text that is decoded again,
 * to the same text; and that text says what the document said. The input is the
 * document, all of it.
 */
#include "dom.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ep_bytes text = fuzz_bytes(data, size);
    fuzz_work work;
    const ep_program *program;
    fuzz_begin(&work);
    if (fuzz_decode(&work, text, &program)) {
        test_text encoded = {0};
        const ep_program *again = fuzz_anew(&work, program, &encoded);
        FUZZ_PROPERTY(dom_same(text, test_text_bytes(&encoded)), "says-the-same");
        fuzz_encodes_as(again, test_text_bytes(&encoded));
        test_text_free(&encoded);
    }
    fuzz_end(&work);
    return 0;
}
