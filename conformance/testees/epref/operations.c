/*
 * operations.c - see operations.h. Beside what was asked for, each operation
 * holds the library against itself: a contradiction is no verdict, but a fault.
 */
#include "operations.h"

#include "archives.h"
#include "auditing.h"
#include "building.h"

#include "archive/judge/whole.h"
#include "archive/layout/archive.h"
#include "archive/layout/constants.h"
#include "common/digest.h"

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

/* The archive whole, then the program in it. Nothing is read from a disk, so what fails
 * is the archive or memory. */
static void run_archived(const request *r, ep_arena *arena, io_data data, finding *out) {
    archive_wish wish = {.model = r->model, .limit = r->options.limits.bytes};
    archive packed;
    buffer program = {0};
    failure what = {0};
    if (!archive_open(&data, wish, &packed, &what)) {
        out->error = what.error;
        return;
    }
    if (archive_read(&packed, wish.limit, &program, &what) &&
        zipfile_verify(&packed.zip, packed.program, wish.limit, NULL, &what)) {
        run_check(r, arena, buffer_bytes(&program), out);
    } else {
        out->error = what.error;
    }
    buffer_free(&program);
    archive_close(&packed);
}

/* Each program of an archive that is open, in the order of its directory. */
static bool check_programs(const request *r, ep_arena *arena, archive *a, finding *out) {
    buffer program = {0};
    failure what = {0};
    out->valid = true;
    for (size_t i = 0; i < a->zip.count && out->valid; i++) {
        if (!archive_has_program(a, &a->zip.members[i])) {
            continue;
        }
        a->program = &a->zip.members[i];
        buffer_clear(&program);
        out->valid = archive_read(a, r->options.limits.bytes, &program, &what);
        out->error = what.error;
        if (out->valid) {
            run_check(r, arena, buffer_bytes(&program), out);
        }
    }
    buffer_free(&program);
    return out->valid;
}

/* All of the archive, in the order of SPEC 8.2. */
static void run_whole_archive(const request *r, ep_arena *arena, io_data data, finding *out) {
    archive_wish wish = {.limit = r->options.limits.bytes, .several = true};
    whole_wish whole = {.decoding = &r->options, .limit = r->options.limits.bytes};
    archive a;
    failure what = {0};
    ep_bytes member;
    if (!archive_open(&data, wish, &a, &what)) {
        out->error = what.error;
        return;
    }
    if (!zipfile_verify(&a.zip, NULL, wish.limit, NULL, &what)) {
        out->error = what.error;
    } else if (check_programs(r, arena, &a, out)) {
        out->valid = whole_check(&a, &whole, &member, &what);
        out->error = what.error;
    }
    archive_close(&a);
}

typedef void run_zip(const request *r, ep_arena *arena, io_data data, finding *out);

/* A document that begins as no archive does is judged by itself. */
static void run_file(const request *r, ep_arena *arena, ep_bytes input, run_zip *run,
                     finding *out) {
    buffer copy = {0};
    if (!is_archive(input)) {
        run_check(r, arena, input, out);
        return;
    }
    buffer_put(&copy, input.data, input.size);
    if (copy.failed) {
        out->error.code = EP_MEMORY;
    } else {
        run(r, arena, (io_data){.data = copy.data, .size = copy.size, .is_zip = true}, out);
    }
    buffer_free(&copy);
}

static void run_archive(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    run_file(r, arena, input, run_archived, out);
}

static void run_whole(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    run_file(r, arena, input, run_whole_archive, out);
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
    constants taken = {.limit = r->options.limits.bytes, .described = true};
    ep_canon_options options = r->canon;
    ep_built built;
    options.constant = constants_take;
    options.constant_context = &taken;
    bool ok = ep_canon(program, arena, &options, &built, &out->error);
    if (taken.failed) {
        out->error.code = EP_MEMORY;
    }
    *text = built.text;
    ok = ok && !taken.failed;
    constants_free(&taken);
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
    ep_bytes text;
    digest d;
    if (program == NULL) {
        return;
    }
    out->valid = make_form(r, arena, program, &text, out);
    if (out->valid) {
        digest_of(DIGEST_PROGRAM, text, &d);
        take_text(out, (ep_bytes){d.text, DIGEST_SIZE});
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
