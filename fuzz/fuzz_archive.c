/*
 * fuzz_archive.c - the command line's code for archives, given bytes: what
 * archive_read takes, the audit of the members, and the archive made again
 * around the program, at its own version and at one that is drawn. A second
 * reader (zip_reader.c) has to agree. source.c, which opens files by their
 * paths, is left out. The input is a zip; others are documents, and passed over.
 */
#include "archive_laws.h"

#include <string.h>
#include <zlib.h>

void subject_open(subject *s, ep_bytes file) {
    /* Nobody writes to it. */
    s->data = (io_data){.data = (char *)(uintptr_t)file.data, .size = file.size, .is_zip = true};
    s->readable = zip_reader_open(file, &s->reading);
    s->input = (fuzz_input){.text = file};
    s->input.state = crc32(0, (const Bytef *)file.data, (uInt)file.size);
    s->model = NULL;
}

void subject_close(subject *s) {
    zip_reader_close(&s->reading);
}

/* Whether libzip opened it, whatever became of it then. */
static bool was_opened(const failure *what) {
    return what->error.code != EP_ARCHIVE && what->error.code != EP_MEMORY;
}

static void look_into(subject *s, archive_taken *taken) {
    fuzz_work work;
    const ep_program *program;
    ep_bytes text = {taken->program.data, taken->program.size};
    fuzz_begin(&work);
    if (fuzz_decode(&work, text, &program)) {
        fuzz_work scratch;
        fuzz_begin(&scratch);
        bool valid = ep_check(program, &scratch.arena, NULL, &scratch.error);
        fuzz_told(&scratch, valid, text);
        fuzz_end(&scratch);
        if (valid && text.size <= ARCHIVE_LIMIT) {
            laws_of_repacking(s, taken, program);
        }
    }
    fuzz_end(&work);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    subject s;
    failure what = {0};
    archive_taken taken = {{0}, {0}};
    if (size < 4 || memcmp(data, "PK\3\4", 4) != 0) {
        return 0;
    }
    subject_open(&s, fuzz_bytes(data, size));
    s.model = fuzz_below(&s.input, 8) == 0 ? "model" : NULL;
    archive_wish wish = {.model = s.model, .limit = ARCHIVE_LIMIT};
    bool ok = archive_read("", &s.data, wish, &taken, &what);
    FUZZ_PROPERTY_OF(ok == (what.error.code == EP_OK), "told", &what.error);
    FUZZ_PROPERTY_OF(ok == (what.status == STATUS_DONE), "told-as-status", &what.error);
    laws_of_reading(&s, &taken, &what);
    if (was_opened(&what)) {
        laws_of_audit(&s);
    }
    if (ok) {
        look_into(&s, &taken);
    }
    buffer_free(&taken.program);
    buffer_free(&taken.member);
    subject_close(&s);
    return 0;
}
