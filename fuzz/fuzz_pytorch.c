/*
 * fuzz_pytorch.c - epref against a live PyTorch: whether a program is read, what it
 * is written as, and PyTorch's canonical form. It is asked through pytorch_oracle,
 * which also knows where the two are known to differ.
 *
 * The Python (oracle_process.h) has to have the torch whose schema this is; without it the
 * target ends at its first input, status 77. That PyTorch died or took too long is no finding
 * about epref.
 *
 * The input is a program of the schema version of that PyTorch. One of another
 * version is migrated to it if it is valid, and else passed over.
 */
#include "fuzz.h"
#include "oracles/oracle_process.h"

static const char schema_version[] = "8.20"; /* of torch 2.13 */

/* The engine calls a function without a context, and starting PyTorch takes
 * seconds, so the process has to be kept here. */
static oracle_process process;

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
    return test_bytes(code == EP_OK ? "EP_OK" : ep_code_name(code));
}

static void compare(const verdict *v) {
    test_text request = {0};
    test_text reply = {0};
    oracle_require(&process, FUZZ_PYTORCH_ORACLE, schema_version);
    oracle_add_frame(&request, name_of(v->code));
    oracle_add_frame(&request, v->text);
    oracle_add_frame(&request, test_text_bytes(&v->encoded));
    oracle_add_frame(&request, name_of(v->canon_code));
    oracle_add_frame(&request, v->canon);
    if (oracle_ask(&process, &request, v->text, &reply)) { /* else PyTorch itself fails on it */
        fuzz_expect_agreement(FUZZ_TARGET, &reply);
    }
    test_text_free(&request);
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
