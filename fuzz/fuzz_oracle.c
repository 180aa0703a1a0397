/*
 * fuzz_oracle.c - the library against an implementation that was written from the
 * specification alone, in Python, and shares no code with it: whether a document is JSON
 * and a program, of which version, what it is encoded to, which text in its strings is
 * wrong or which rule of 5.1, 5.2 and 5.5 it breaks, with code, byte and pointer, and what
 * its epref form is. It is asked through spec_oracle, a process that is started once.
 *
 * Without a Python (oracle_process.h) the target ends at its first input, status 77.
 *
 * The input is a program; a tail is passed over, so that the corpora of other targets are
 * inputs as they are. A form is compared of what ep_check
 * accepts and 8.20 can say, unless the order of the document decided.
 */
#include "fuzz.h"
#include "oracle_texts.h"
#include "oracles/oracle_process.h"

#include <stdio.h>
#include <string.h>

/* The engine calls a function without a context, and starting a Python takes its time,
 * so the process has to be kept here. */
static oracle_process process;

/* ------------------------------------------------------------------ questions */

/* What the library says of a document; what it has not is empty. */
typedef struct claims {
    ep_bytes text;
    char code[64]; /* of the wire level, and where */
    ep_bytes version;
    test_text encoded;
    ep_bytes error;                   /* the code of the program */
    char place[EP_POINTER_SIZE + 32]; /* of what is wrong above the wire level */
    ep_bytes newest;                  /* at 8.20 */
    ep_bytes form;
    test_text texts; /* other texts of its languages, with what is wrong in them */
} claims;

/* A process that died or hangs is a fault of the oracle, which is ours too. */
static void compare(const claims *c) {
    test_text request = {0};
    test_text reply = {0};
    const ep_bytes parts[] = {c->text,
                              test_bytes(c->code),
                              c->version,
                              test_text_bytes(&c->encoded),
                              c->error,
                              test_bytes(c->place),
                              c->newest,
                              c->form,
                              test_text_bytes(&c->texts)};
    oracle_require(&process, FUZZ_SPEC_ORACLE, "oracle");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        oracle_add_frame(&request, parts[i]);
    }
    FUZZ_PROPERTY(oracle_ask(&process, &request, c->text, &reply), "answers");
    fuzz_expect_agreement(FUZZ_TARGET, &reply);
    test_text_free(&request);
    test_text_free(&reply);
}

/* ----------------------------------------------------------------- properties */

/* The epref form, and the program at 8.20 for the oracle; nothing where there is none. */
static void take_form(fuzz_work *work, const ep_program *program, claims *c) {
    bool undecided;
    ep_built form;
    ep_built newest = {.text = test_text_bytes(&c->encoded)};
    const ep_canon_options options = {
        .form = EP_CANON_EPREF, .undecided = &undecided, .constant = test_no_type};
    const ep_migrate_options to = {.version = ep_version_find("8.20")};
    if (ep_check(program, &work->arena, NULL, &work->error) &&
        ep_canon(program, &work->arena, &options, &form, &work->error) && !undecided &&
        (ep_program_version(program) == to.version ||
         ep_migrate(program, &work->arena, &to, &newest, &work->error))) {
        c->newest = newest.text;
        c->form = form.text;
    }
}

static const char *name_of(ep_code code) {
    return code == EP_OK ? "EP_OK" : ep_code_name(code);
}

/* What has no version yet, or more than the limits, is of the wire level alone. */
static void judge_wire(fuzz_work *work, claims *c) {
    ep_error error;
    ep_check_wire(&work->arena, c->text, NULL, &error);
    snprintf(c->code, sizeof c->code, "%s %zu", name_of(error.code), error.offset);
}

/* Where a document is refused that is JSON. */
static void take_place(const fuzz_work *work, claims *c) {
    const ep_error *error = &work->error;
    if (error->code != EP_OK && error->line != 0 && !error->pointer_cut &&
        ep_code_level(error->code) > EP_LEVEL_WIRE) {
        snprintf(c->place, sizeof c->place, "%zu %s", error->offset, error->pointer);
    }
}

static void judge(fuzz_work *work, claims *c) {
    const ep_program *program;
    judge_wire(work, c);
    if (fuzz_decode(work, c->text, &program)) {
        c->version = test_bytes(ep_program_version(program)->name);
        FUZZ_PROPERTY_OF(fuzz_encode(work, program, &c->encoded), "encodes", &work->error);
        ep_check(program, &work->arena, NULL, &work->error);
        c->error = test_bytes(name_of(work->error.code));
        take_place(work, c);
        take_form(work, program, c);
        oracle_add_texts(work, program, fuzz_hash(c->text), &c->texts);
    } else if (ep_code_level(work->error.code) == EP_LEVEL_NONE) {
        return; /* a limit */
    } else {
        take_place(work, c);
    }
    compare(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_work work;
    claims c = {.text = fuzz_split(data, size).text};
    fuzz_begin(&work);
    judge(&work, &c);
    test_text_free(&c.encoded);
    test_text_free(&c.texts);
    fuzz_end(&work);
    return 0;
}
