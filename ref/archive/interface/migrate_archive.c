/*
 * migrate_archive.c - epref_archive.h: an archive made again for another schema version.
 */
#include "archive/layout/constants.h"
#include "archive/make/layouts.h"
#include "archive/make/repack.h"
#include "common/refusal.h"
#include "interface.h"

/* An archive on its way. */
typedef struct migration {
    ep_archive *from;
    const ep_archive_migrate_options *wish;
    ep_arena arena;
    ep_built built;
    constants constants; /* that were inside of the program */
    repacked made;
} migration;

static bool fail_as(ep_code code, ep_error *error) {
    failure what = {.status = STATUS_DONE};
    refuse_plainly(&what, code);
    return interface_fail(error, (ep_bytes){"", 0}, &what);
}

/* The only program, or the one that was asked for; it lives in the arena. */
static bool decode_program(ep_archive *a, ep_arena *arena, const ep_program **program,
                           ep_error *error) {
    ep_bytes text;
    ep_error own = {.code = EP_OK};
    return ep_archive_program_text(a, 0, &text, error) &&
           (ep_decode(arena, text, &a->options.decoding, program, &own) ||
            interface_fail_error(error, a->archive.program->name, &own));
}

static bool migrate_program(migration *m, ep_error *error) {
    const ep_archive_migrate_options *wish = m->wish;
    ep_archive *a = m->from;
    const ep_program *program = NULL;
    ep_error own = {.code = EP_OK};
    bool takes_constants = archive_takes_raw(wish->version);
    ep_migrate_options options = {.version = wish->version,
                                  .report = wish->report,
                                  .report_context = wish->report_context,
                                  .constant = takes_constants ? constants_take : NULL,
                                  .constant_context = &m->constants,
                                  .note = wish->note,
                                  .note_context = wish->note_context};
    TRY(decode_program(a, &m->arena, &program, error));
    bool ok = ep_migrate(program, &m->arena, &options, &m->built, &own);
    if (m->constants.failed) {
        own = (ep_error){.code = EP_MEMORY};
    }
    return (ok && !m->constants.failed) ||
           interface_fail_error(error, a->archive.program->name, &own);
}

/* All that is copied is read for it, and compared with its checksums. */
static bool plan(migration *m, ep_error *error) {
    const ep_archive_migrate_options *wish = m->wish;
    ep_archive *a = m->from;
    failure what = {.status = STATUS_DONE};
    bool raw = wish->raw && archive_takes_raw(wish->version);
    repack_wish repacking = {.version = wish->version,
                             .program = m->built.text,
                             .constants = &m->constants,
                             .state = raw ? &a->tensors : NULL,
                             .limit = interface_limit(a),
                             .report = wish->report,
                             .report_context = wish->report_context};
    TRY(!raw || ep_archive_list(a, error));
    bool ok = archive_repack(&a->archive, &repacking, &m->made, &what);
    return interface_settle(a, ok, (ep_bytes){"", 0}, &what, error);
}

/* The program that was migrated is valid. */
static bool check_beside(ep_archive *a, ep_error *error) {
    failure what = {.status = STATUS_DONE};
    ep_bytes member = {"", 0};
    whole_wish wish = {.decoding = &a->options.decoding, .limit = interface_limit(a)};
    bool ok = archive_check_beside(&a->archive, &wish, 0, &member, &what);
    return interface_settle(a, ok, member, &what, error);
}

static bool write_made(migration *m, interface_sink *to, ep_error *error) {
    failure what = {.status = STATUS_DONE};
    bool ok = repacked_write(&m->made, interface_take, to, &what);
    return interface_settle(m->from, ok, (ep_bytes){"", 0}, &what, error);
}

bool ep_archive_migrate(ep_archive *a, const ep_archive_migrate_options *options, ep_sink *sink,
                        void *context, ep_error *error) {
    interface_sink to = {sink, context};
    if (a == NULL || sink == NULL) {
        return interface_fail_argument(error, a == NULL ? "no archive" : "no sink");
    }
    if (options == NULL || options->version == NULL) {
        return interface_fail_argument(error, "no version");
    }
    if (ep_archive_program_count(a) != 1) {
        return interface_need_program(a, error) && fail_as(EP_ARCHIVE_PROGRAM, error);
    }
    memory_share *before = memory_enter(&a->held->share);
    migration m = {.from = a, .wish = options, .constants = {.limit = interface_limit(a)}};
    arena_open(&m.arena, 0);
    bool ok = migrate_program(&m, error) && plan(&m, error) && check_beside(a, error) &&
              write_made(&m, &to, error);
    repacked_free(&m.made);
    ep_arena_free(&m.arena);
    constants_free(&m.constants);
    memory_leave(before);
    return ok;
}
