/*
 * fuzz_roundtrip.c - what is decoded is encoded to a text that is decoded again,
 * to the same text; and that text says what the document said. The input is the
 * document, all of it.
 */
#include "dom.h"
#include "fuzz.h"

/* The text of a program once more, by way of a tree of its own. */
static void check_again(const ep_version *version, ep_bytes text) {
    fuzz_work work;
    const ep_program *program;
    test_text again = {0};
    fuzz_begin(&work);
    bool ok = fuzz_decode_as(&work, text, version, &program);
    FUZZ_PROPERTY_OF(ok, "encoded-is-decoded", &work.error);
    FUZZ_PROPERTY_OF(fuzz_encode(&work, program, &again), "encoded-again", &work.error);
    FUZZ_SAME(test_text_bytes(&again), text, "fixed-point");
    test_text_free(&again);
    fuzz_end(&work);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ep_bytes text = fuzz_bytes(data, size);
    fuzz_work work;
    const ep_program *program;
    fuzz_begin(&work);
    if (fuzz_decode(&work, text, &program)) {
        test_text encoded = {0};
        FUZZ_PROPERTY_OF(fuzz_encode(&work, program, &encoded), "encodes", &work.error);
        FUZZ_PROPERTY(dom_same(text, test_text_bytes(&encoded)), "says-the-same");
        check_again(ep_program_version(program), test_text_bytes(&encoded));
        test_text_free(&encoded);
    }
    fuzz_end(&work);
    return 0;
}
