/*
 * migrated.c - see migrated.h.
 */
#include "migrated.h"

#include "schema/schema.h"

#include <string.h>

bool properties_decode(ep_arena *arena, ep_bytes text, size_t version, const ep_program **program,
                       ep_error *error) {
    ep_decode_options options = ep_decode_options_default();
    const ep_version *named = ep_version_at(version);
    options.version = named->owns_number ? NULL : named;
    return ep_decode(arena, text, &options, program, error) &&
           ep_check(*program, arena, NULL, error);
}

/* ------------------------------------------------------------------ results */

static void begin(properties_result *r) {
    memset(r, 0, sizeof *r);
    test_arena(&r->arena, &r->heap, 0);
}

static void note_step(void *context, const char *clause, const char *about, size_t times) {
    properties_result *r = context;
    if (times > 0 && about[0] != '\0' && r->step_count < PROPERTIES_STEPS_MAX) {
        r->steps[r->step_count++] = clause;
    }
}

bool properties_migrate(const ep_program *program, size_t to, properties_result *r) {
    begin(r);
    ep_migrate_options options = {
        .version = ep_version_at(to), .report = note_step, .report_context = r};
    bool ok = ep_migrate(program, &r->arena, &options, &r->built, &r->error);
    return ok && r->built.program != NULL;
}

bool properties_canon(const ep_program *program, properties_result *r) {
    begin(r);
    ep_canon_options options = {
        .form = EP_CANON_EPREF, .undecided = &r->undecided, .constant = test_no_type};
    return ep_canon(program, &r->arena, &options, &r->built, &r->error);
}

bool properties_took(const properties_result *r, const char *clause) {
    for (size_t i = 0; i < r->step_count; i++) {
        if (strcmp(r->steps[i], clause) == 0) {
            return true;
        }
    }
    return false;
}

bool properties_end(properties_result *r) {
    bool meant = (r->error.code == EP_OK) == (r->built.text.data != NULL);
    ep_arena_free(&r->arena);
    return meant && r->heap.bytes == 0;
}

#define NO_MAXIMUM "9223372036854775806"

/* Versions without open ends. */
static bool is_closed(size_t version) {
    const char *name = ep_version_at(version)->name;
    return strcmp(name, "1-2023-08") == 0 || strcmp(name, "1") == 0 || strcmp(name, "5.3") == 0;
}

bool properties_ends_in_number(const properties_program *p, size_t version) {
    return !is_closed(p->version) && is_closed(version) && test_holds(p->text, NO_MAXIMUM);
}
