/*
 * operations.c - see operations.h. Beside what was asked for, each operation
 * holds the library against itself: a contradiction is no verdict, but a fault.
 */
#include "operations.h"

#include "archives.h"
#include "auditing.h"
#include "building.h"

#include <string.h>

void note_warning(void *context, const ep_error *error) {
    finding *out = context;
    if (out->warning_count < WARNINGS_MAX) {
        out->warnings[out->warning_count] = *error;
    }
    out->warning_count++;
}

bool append_product(void *context, const char *data, size_t size) {
    buffer *product = context;
    buffer_put(product, data, size);
    return !product->failed;
}

static void fault(finding *out, const char *what) {
    out->fault = what;
}

/* ----------------------------------------------------------------- decoding */

const ep_program *decode(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    const ep_program *program = NULL;
    out->valid = ep_decode(arena, input, &r->options, &program, &out->error);
    if (out->valid != (program != NULL)) {
        fault(out, "a program of a refused document, or none of a valid one");
        return NULL;
    }
    if (program != NULL) {
        out->version = ep_program_version(program)->name;
    }
    return program;
}

static void run_wire(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    out->valid = ep_check_wire(arena, input, &r->options, &out->error);
}

static void run_decode(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    decode(r, arena, input, out);
}

static void run_encode(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    const ep_program *program = decode(r, arena, input, out);
    if (program != NULL) {
        out->valid = ep_encode(program, arena, append_product, &out->product, &out->error);
    }
}

/* ----------------------------------------------------------------- checking */

static bool is_strings_code(ep_code code) {
    return code == EP_OK || code == EP_LIMIT_DEPTH || ep_code_level(code) == EP_LEVEL_STRINGS;
}

/* The strings level alone has to say the same, as far as it goes. */
static void check_strings(const ep_program *program, ep_arena *arena, ep_check_options options,
                          finding *out) {
    ep_error alone;
    options.level = EP_LEVEL_STRINGS;
    options.note = NULL;
    ep_check(program, arena, &options, &alone);
    ep_code wanted = is_strings_code(out->error.code) ? out->error.code : EP_OK;
    if (wanted == EP_LIMIT_DEPTH && alone.code == EP_OK) { /* of a key, SPEC 1.5.1 */
        return;
    }
    if (alone.code != wanted || (wanted != EP_OK && alone.offset != out->error.offset)) {
        fault(out, "the strings level alone says something else");
    }
}

static void run_check(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    const ep_program *program = decode(r, arena, input, out);
    ep_check_options options = ep_check_options_default();
    if (program == NULL) {
        return;
    }
    options.limits = r->options.limits;
    options.note = note_warning;
    options.note_context = out;
    out->valid = ep_check(program, arena, &options, &out->error);
    check_strings(program, arena, options, out);
}

/* ----------------------------------------------------------------- archives */

bool is_archive(ep_bytes input) {
    return input.size >= 4 && memcmp(input.data, "PK\3\4", 4) == 0;
}

bool read_archive(const request *r, ep_bytes input, packed *one, finding *out) {
    archive_wish wish = {.model = r->model, .limit = r->options.limits.bytes};
    failure what = {0};
    *one = (packed){.program = {0}};
    io_view(input, &one->data);
    one->is_open = archive_open(&one->data, wish, &one->archive, &what);
    bool ok = one->is_open && archive_read(&one->archive, wish.limit, &one->program, &what) &&
              zipfile_verify(&one->archive.zip, one->archive.program, wish.limit, NULL, &what);
    out->error = what.error;
    return ok;
}

void close_archive(packed *one) {
    if (one->is_open) {
        archive_close(&one->archive);
    }
    buffer_free(&one->program);
}

/* A document that begins as no archive does is judged by itself. */
static void run_archive(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    packed one;
    if (!is_archive(input)) {
        run_check(r, arena, input, out);
        return;
    }
    if (read_archive(r, input, &one, out)) {
        run_check(r, arena, buffer_bytes(&one.program), out);
    }
    close_archive(&one);
}

/* SPEC 8.2 */
static bool check_whole(const request *r, ep_archive *a, finding *out, ep_error *error) {
    ep_archive_check_options options = {.note = note_warning, .note_context = out};
    (void)r;
    return ep_archive_check(a, &options, error);
}

static void run_whole(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    if (is_archive(input)) {
        run_on_archive(r, arena, input, out, check_whole);
    } else {
        run_check(r, arena, input, out);
    }
}

/* ------------------------------------------------------------------- making */

static void take_text(finding *out, ep_bytes text) {
    append_product(&out->product, text.data, text.size);
}

/* The program of the result has to be one of the version. SPEC 7.1.1 */
static void run_migrate(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    const ep_program *program = decode(r, arena, input, out);
    ep_migrate_options options = {.version = r->to};
    ep_built built;
    if (program == NULL) {
        return;
    }
    out->valid = ep_migrate(program, arena, &options, &built, &out->error);
    if (out->valid && ep_program_version(built.program) != r->to) {
        fault(out, "the migrated program is of another version");
    } else if (out->valid) {
        take_text(out, built.text);
    }
}

/* Whether migration would refuse the program, so that its form need not be valid. SPEC
 * 6.1.3 */
static bool is_beyond(const ep_program *program, ep_arena *arena) {
    ep_migrate_options options = {.version = ep_version_find("8.20")};
    ep_built built;
    return !ep_migrate(program, arena, &options, &built, NULL);
}

/* Whether a canonical form is one of its own. SPEC 6.1.2 */
static bool is_own_form(const request *r, ep_arena *arena, ep_bytes form) {
    ep_decode_options options = r->options;
    const ep_program *program;
    ep_built built;
    options.warn = NULL;
    options.version = NULL;
    return ep_decode(arena, form, &options, &program, NULL) &&
           ep_canon(program, arena, &r->canon, &built, NULL) && built.text.size == form.size &&
           memcmp(built.text.data, form.data, form.size) == 0;
}

/* The form; tensors of version 1 have the types that their pickles say. */
static bool make_form(const request *r, ep_arena *arena, const ep_program *program, ep_bytes *text,
                      finding *out) {
    ep_canon_options options = r->canon;
    ep_built built = {.text = {"", 0}};
    ep_constants *taken = ep_constants_open(r->options.limits.bytes, false, &out->error);
    options.constant = ep_constants_take;
    options.constant_context = taken;
    bool ok = taken != NULL && ep_canon(program, arena, &options, &built, &out->error) &&
              ep_constants_check(taken, &out->error);
    ep_constants_close(taken);
    *text = built.text;
    return ok;
}

/* SPEC 6.1.1 */
static void run_canon(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    const ep_program *program = decode(r, arena, input, out);
    bool epref = r->canon.form == EP_CANON_EPREF;
    ep_bytes text;
    if (program == NULL) {
        return;
    }
    out->valid = make_form(r, arena, program, &text, out);
    if (out->valid && epref && !is_own_form(r, arena, text) && !is_beyond(program, arena)) {
        fault(out, "the canonical form is not its own");
    } else if (out->valid) {
        take_text(out, text);
    }
}

/* SPEC 6.10.1 */
static void run_digest(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    const ep_program *program = decode(r, arena, input, out);
    char text[EP_DIGEST_SIZE];
    if (program != NULL) {
        out->valid = ep_digest(program, arena, text, NULL, &out->error);
        take_text(out, bytes_of(text));
    }
}

const operation OPERATIONS[] = {
    {"wire", .run = run_wire},
    {"decode", .run = run_decode},
    {"check", .run = run_check},
    {"encode", .has_product = true, .run = run_encode},
    {"forward", .forward = true, .run = run_decode},
    {"forward-encode", .has_product = true, .forward = true, .run = run_encode},
    {"migrate", .has_product = true, .run = run_migrate},
    {"canon", .has_product = true, .run = run_canon},
    {"digest", .has_product = true, .run = run_digest},
    {"archive", .run = run_archive},
    {"audit", .has_product = true, .run = run_audit},
    {"diff", .has_product = true, .run = run_diff},
    {"build", .has_product = true, .run = run_build},
    {"whole", .run = run_whole},
    {"pack", .has_product = true, .run = run_pack},
    {"strip", .has_product = true, .run = run_strip},
    {"join", .has_product = true, .run = run_join},
    {"migrate-archive", .has_product = true, .opened = migrate_archive},
    {"list", .has_product = true, .opened = list_archive},
    {"extract", .has_product = true, .opened = extract_tensors},
    {"weights", .has_product = true, .opened = digest_state},
    {"compare", .has_product = true, .opened = compare_archives},
    {"report", .has_product = true, .run = run_report},
    {.name = NULL},
};
