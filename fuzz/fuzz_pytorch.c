/*
 * fuzz_pytorch.c - epref against a live PyTorch: whether a program is read, what it
 * is written as, and PyTorch's canonical form. It is asked through pytorch_oracle,
 * which also knows where the two are known to differ.
 *
 *     EPREF_FUZZ_PYTHON       a Python with the torch whose schema this is; without
 *                             it the target ends at its first input, status 77
 *     EPREF_FUZZ_PYTORCH_LOG  where inputs go on which PyTorch died or took too
 *                             long, which is no finding about epref: FILE-HASH
 *
 * The input is a program of the schema version of that PyTorch. One of another
 * version is migrated to it if it is valid, and else passed over.
 */
#define _POSIX_C_SOURCE 200809L

#include "fuzz.h"
#include "oracles/pytorch_process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 20, SECONDS_TO_START = 300, STATUS_CANNOT_RUN = 77 };

static const char schema_version[] = "8.20"; /* of torch 2.13 */

/* The engine calls a function without a context, and starting PyTorch takes
 * seconds, so the process has to be kept here. */
static pytorch_process process;

/* -------------------------------------------------------------------- PyTorch */

_Noreturn static void cannot_run(const char *why) {
    fprintf(stderr, "fuzz_pytorch: %s\n", why);
    pytorch_stop(&process);
    fflush(NULL);
    _exit(STATUS_CANNOT_RUN); /* exit would be a finding to libFuzzer */
}

static void start(void) {
    const char *python = getenv("EPREF_FUZZ_PYTHON");
    test_text hello = {0};
    if (process.pid != 0) {
        return;
    }
    if (python == NULL || *python == '\0') {
        cannot_run("EPREF_FUZZ_PYTHON is not set: the path of a Python with torch 2.13");
    }
    if (!pytorch_start(&process, python, FUZZ_PYTORCH_ORACLE)) {
        cannot_run(strerror(errno));
    }
    if (pytorch_take(&process, &hello, SECONDS_TO_START) != PYTORCH_ANSWERED) {
        cannot_run("the oracle did not start");
    }
    if (!fuzz_same(test_text_bytes(&hello), (ep_bytes){schema_version, strlen(schema_version)})) {
        cannot_run("the torch of EPREF_FUZZ_PYTHON has another schema version than 8.20");
    }
    test_text_free(&hello);
}

/* Keeps an input that PyTorch itself fails on. */
static void keep(const char *what, ep_bytes text) {
    const char *log = getenv("EPREF_FUZZ_PYTORCH_LOG");
    char path[1024];
    uint64_t hash = fuzz_hash(text);
    fprintf(stderr, "fuzz_pytorch: PyTorch %s: %016llx\n", what, (unsigned long long)hash);
    if (log == NULL) {
        return;
    }
    snprintf(path, sizeof path, "%s-%016llx", log, (unsigned long long)hash);
    FILE *file = fopen(path, "wb");
    bool ok = file != NULL && fwrite(text.data, 1, text.size, file) == text.size;
    if (file == NULL || (fclose(file) != 0) || !ok) {
        fprintf(stderr, "fuzz_pytorch: cannot write %s\n", path);
    }
}

/* ------------------------------------------------------------------ questions */

/* What epref says of a program. */
typedef struct verdict {
    ep_bytes text;
    ep_code code;
    test_text encoded;
    ep_code canon_code;
    ep_bytes canon;
} verdict;

static ep_bytes name_of(ep_code code) {
    const char *name = code == EP_OK ? "EP_OK" : ep_code_name(code);
    return (ep_bytes){name, strlen(name)};
}

static pytorch_end ask(const verdict *v, test_text *reply) {
    test_text request = {0};
    pytorch_add_frame(&request, name_of(v->code));
    pytorch_add_frame(&request, v->text);
    pytorch_add_frame(&request, test_text_bytes(&v->encoded));
    pytorch_add_frame(&request, name_of(v->canon_code));
    pytorch_add_frame(&request, v->canon);
    pytorch_end end = pytorch_send(&process, test_text_bytes(&request));
    if (end == PYTORCH_ANSWERED) {
        end = pytorch_take(&process, reply, SECONDS);
    }
    test_text_free(&request);
    return end;
}

static void compare(const verdict *v) {
    test_text reply = {0};
    start();
    switch (ask(v, &reply)) {
    case PYTORCH_ANSWERED:
        fuzz_expect_agreement(FUZZ_TARGET, &reply);
        break;
    case PYTORCH_DIED:
        keep("died", v->text);
        pytorch_stop(&process);
        break;
    case PYTORCH_LATE:
        keep("took too long", v->text);
        pytorch_stop(&process);
        break;
    }
    test_text_free(&reply);
}

/* ----------------------------------------------------------------- properties */

/* What says nothing of the program: how much is taken, and for how long. */
static bool is_limit(ep_code code) {
    return code >= EP_LIMIT_BYTES; /* the last bands: limits, memory, the world around */
}

static void compare_decoded(fuzz_work *work, verdict *v, const ep_program *program) {
    FUZZ_PROPERTY_OF(fuzz_encode(work, program, &v->encoded), "encodes", &work->error);
    fuzz_canon(work, program, EP_CANON_TORCH, &v->canon);
    v->canon_code = work->error.code;
    if (!is_limit(v->canon_code)) {
        compare(v);
    }
    test_text_free(&v->encoded);
}

static void compare_text(ep_bytes text) {
    fuzz_work work;
    const ep_program *program = NULL;
    ep_decode_options options = ep_decode_options_default();
    verdict v = {.text = text};
    fuzz_begin(&work);
    options.version = ep_version_find(schema_version);
    bool ok = ep_decode(&work.arena, text, &options, &program, &work.error);
    v.code = work.error.code;
    if (ok) {
        compare_decoded(&work, &v, program);
    } else if (!is_limit(v.code) && v.code != EP_VERSION_MISMATCH) {
        compare(&v);
    }
    fuzz_end(&work);
}

/* A valid program of another version as one of this: false if it is none. */
static bool migrate(fuzz_work *work, ep_bytes input, ep_bytes *text) {
    const ep_program *program = NULL;
    ep_built built = {{NULL, 0}, NULL};
    const ep_migrate_options options = {.version = ep_version_find(schema_version)};
    TRY(ep_decode(&work->arena, input, NULL, &program, &work->error) &&
        ep_program_version(program) != options.version &&
        ep_migrate(program, &work->arena, &options, &built, &work->error));
    *text = built.text;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_split(data, size);
    fuzz_work work;
    ep_bytes text = input.text;
    fuzz_begin(&work);
    migrate(&work, input.text, &text);
    compare_text(text);
    fuzz_end(&work);
    return 0;
}
