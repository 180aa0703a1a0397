/*
 * fuzz_archive.c - the command line's code for archives, given bytes: which archives
 * it takes, and what it takes out of them; the audit of the members; and the archive
 * made again around the program, at its own version and at one that is drawn. The
 * rules of SPEC 8.1, written once more (zip_rules.c), and a second reader
 * (zip_reader.c) have to agree. source.c, which opens files by their paths, is left
 * out. The input is a zip; others are documents, and passed over.
 */
#include "archive_laws.h"

#include <string.h>
#include <zlib.h>

void subject_open(subject *s, ep_bytes file) {
    /* Nobody writes to it. */
    s->data = (io_data){.data = (char *)(uintptr_t)file.data, .size = file.size, .is_zip = true};
    s->readable = zip_reader_open(file, &s->reading);
    s->broken = zip_rules_open(file, &s->rules);
    s->input = (fuzz_input){.text = file};
    s->input.state = crc32(0, (const Bytef *)file.data, (uInt)file.size);
    s->model = NULL;
}

void subject_close(subject *s) {
    zip_rules_free(&s->rules);
    zip_reader_close(&s->reading);
}

static void look_into(subject *s, const archive *taken, ep_bytes text) {
    fuzz_work work;
    const ep_program *program;
    fuzz_begin(&work);
    if (fuzz_decode(&work, text, &program)) {
        fuzz_work scratch;
        fuzz_begin(&scratch);
        bool valid = ep_check(program, &scratch.arena, NULL, &scratch.error);
        fuzz_told(&scratch, valid, text);
        fuzz_end(&scratch);
        if (valid && text.size <= ARCHIVE_LIMIT) {
            laws_of_repacking(s, taken, text, program);
        }
    }
    fuzz_end(&work);
}

static void look_at_program(subject *s) {
    failure what = {0};
    archive taken;
    buffer program = {0};
    archive_wish wish = {.model = s->model, .limit = ARCHIVE_LIMIT};
    bool ok = archive_open(&s->data, wish, &taken, &what);
    laws_of_choice(s, ok ? &taken : NULL, &what);
    if (ok && laws_of_reading(s, &taken, &program)) {
        look_into(s, &taken, buffer_bytes(&program));
    }
    buffer_free(&program);
    if (ok) {
        archive_close(&taken);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    subject s;
    zipfile zip;
    failure what = {0};
    if (size < 4 || memcmp(data, "PK\3\4", 4) != 0) {
        return 0;
    }
    subject_open(&s, fuzz_bytes(data, size));
    s.model = fuzz_below(&s.input, 8) == 0 ? "model" : NULL;
    bool ok = zipfile_open(&s.data, ARCHIVE_LIMIT, &zip, &what);
    laws_of_opening(&s, ok ? &zip : NULL, &what);
    if (ok) {
        laws_of_audit(&s, &zip);
        zipfile_close(&zip);
        look_at_program(&s);
        if (fuzz_below(&s.input, 4) == 0) { /* it takes as long as all before */
            laws_of_refusals(&s);
        }
    }
    subject_close(&s);
    return 0;
}
