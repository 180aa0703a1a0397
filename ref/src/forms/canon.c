/*
 * forms/canon.c - ep_canon. Its options choose the canonical form: epref's own (canon),
 * for which a program of another version is rewritten (migrate), or PyTorch's
 * (canon_torch). None of these depends on another.
 */
#include "canon/canon.h"
#include "canon_torch/canon_torch.h"
#include "migrate/migrate.h"

/* A form leaves out what its version does not have, so two newer programs that differ in that
 * would be equal. SPEC 6.1.3 says of each such member whether that may be; then this asks for the
 * next version. */
_Static_assert(EP_V8_20 + 1 == EP_FUTURE, "the form is of the last version (EP_CANON_VERSION)");

static const ep_version *form_version(void) {
    return ep_version_find(EP_CANON_VERSION);
}

/* The form of a program of the form's version, as a text. */
static bool write_form(const ep_program *program, ep_arena *arena, bool *undecided, ep_bytes *text,
                       ep_error *error) {
    ep_maker maker;
    ep_canon_made made;
    bool ok = ep_canon_make(program, arena, &maker, &made, error);
    if (ok) {
        ep_program form = ep_maker_program(&maker, made.root);
        ok = ep_maker_encode(&form, arena, text) || ep_error_plain(error, EP_MEMORY);
    }
    ep_canon_close(&maker);
    if (undecided != NULL) {
        *undecided = made.undecided;
    }
    return ok;
}

/* The program is rewritten first. SPEC 6.1.3 */
static bool write_rewritten(const ep_program *program, ep_arena *arena,
                            const ep_canon_options *options, ep_bytes *text, ep_error *error) {
    ep_migrate_options migrating = {.version = form_version(),
                                    .constant = options->constant,
                                    .constant_context = options->constant_context};
    ep_migration m = {.program = program, .options = &migrating, .for_form = true, .arena = arena};
    const ep_node *root;
    bool ok = ep_migration_run(&m, &root, error);
    if (ok) {
        ep_program current = ep_maker_program(&m.maker, root);
        ok = write_form(&current, arena, options->undecided, text, error);
    }
    ep_migration_close(&m);
    return ok;
}

/* SPEC 6.1.1 */
static bool make_epref(const ep_program *program, ep_arena *arena, const ep_canon_options *options,
                       ep_bytes *text, ep_error *error) {
    if (program->schema->version != form_version()) {
        return write_rewritten(program, arena, options, text, error);
    }
    return ep_check(program, arena, NULL, error) &&
           write_form(program, arena, options->undecided, text, error);
}

static bool is_form(ep_canon_form form) {
    return form == EP_CANON_EPREF || form == EP_CANON_TORCH;
}

EP_API bool ep_canon(const ep_program *program, ep_arena *arena, const ep_canon_options *options,
                     ep_built *built, ep_error *error) {
    if (built != NULL) {
        *built = (ep_built){{NULL, 0}, NULL};
    }
    if (program == NULL || arena == NULL || options == NULL || built == NULL) {
        return ep_error_argument(error, EP_NULL_GIVEN);
    }
    if (!is_form(options->form)) {
        return ep_error_argument(error, "no such form");
    }
    return options->form == EP_CANON_TORCH
               ? ep_canon_torch(program, arena, options, built, error)
               : make_epref(program, arena, options, &built->text, error);
}
