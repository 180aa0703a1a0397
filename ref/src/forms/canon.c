/*
 * forms/canon.c - ep_canon. Its options choose the canonical form: epref's own (canon),
 * for which a program of another version is rewritten (migrate), or PyTorch's
 * (canon_torch). None of these depends on another.
 */
#include "canon/canon.h"
#include "canon_torch/canon_torch.h"
#include "migrate/migrate.h"

/* The form of a program of its version, as a text. */
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

/* SPEC 6.1.1 */
static bool make_epref(const ep_program *program, ep_arena *arena, const ep_canon_options *options,
                       ep_bytes *text, ep_error *error) {
    const ep_version *version = ep_version_find(EP_CANON_VERSION);
    if (program->schema->version == version) {
        return ep_check(program, arena, NULL, error) &&
               write_form(program, arena, options->undecided, text, error);
    }
    ep_migrate_options migrating = {.version = version,
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

EP_API bool ep_canon(const ep_program *program, ep_arena *arena, const ep_canon_options *options,
                     ep_built *built, ep_error *error) {
    if (built != NULL) {
        *built = (ep_built){{NULL, 0}, NULL};
    }
    if (program == NULL || arena == NULL || options == NULL || built == NULL) {
        return ep_error_plain(error, EP_ARGUMENT);
    }
    return options->form == EP_CANON_TORCH
               ? ep_canon_torch(program, arena, options, built, error)
               : make_epref(program, arena, options, &built->text, error);
}
