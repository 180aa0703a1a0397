/*
 * check.c - epref_archive.h: an archive judged whole.
 */
#include "archive/judge/whole.h"
#include "common/macros.h"
#include "interface.h"

/* A program up to its level. A failure is told. */
static bool check_program(ep_archive *a, size_t i, const ep_archive_check_options *wish,
                          ep_error *error) {
    ep_arena arena;
    ep_arena scratch;
    ep_bytes text;
    ep_error own = {.code = EP_OK};
    const ep_program *program = NULL;
    ep_check_options checking = ep_check_options_default();
    checking.limits = a->options.decoding.limits;
    checking.note = wish->note;
    checking.note_context = wish->note_context;
    TRY(ep_archive_program_text(a, i, &text, error));
    arena_open(&arena, 0);
    arena_open(&scratch, 0);
    bool ok = ep_decode(&arena, text, &a->options.decoding, &program, &own) &&
              ep_check(program, &scratch, &checking, &own);
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    ep_bytes name = a->archive.zip.members[a->programs[i]].name;
    return ok || interface_fail_error(error, name, &own);
}

bool interface_verify(const ep_archive *a, bool no_data, ep_error *error) {
    failure what = {.status = STATUS_DONE};
    ep_bytes about = {"", 0};
    bool ok = no_data || archive_verify(&a->archive, interface_limit(a), &about, &what);
    return interface_settle(a, ok, about, &what, error);
}

bool interface_check_whole(const ep_archive *a, bool no_data, ep_error *error) {
    failure what = {.status = STATUS_DONE};
    ep_bytes member = {"", 0};
    whole_wish wish = {
        .decoding = &a->options.decoding, .limit = interface_limit(a), .no_data = no_data};
    bool ok = whole_check(&a->archive, &wish, &member, &what);
    return interface_settle(a, ok, member, &what, error);
}

bool ep_archive_check(ep_archive *a, const ep_archive_check_options *options, ep_error *error) {
    ep_archive_check_options wish = {.no_data = false};
    wish = options == NULL ? wish : *options;
    if (a == NULL) {
        return interface_fail_argument(error, "no archive");
    }
    memory_share *before = memory_enter(&a->held->share);
    bool ok = interface_verify(a, wish.no_data, error);
    for (size_t i = 0; ok && i < a->program_count; i++) {
        ok = check_program(a, i, &wish, error);
    }
    ok = ok && (a->model != NULL || interface_check_whole(a, wish.no_data, error));
    memory_leave(before);
    return ok;
}
