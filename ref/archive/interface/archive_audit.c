/*
 * archive_audit.c - epref_archive.h: what loading an archive makes PyTorch do.
 */
#include "archive/judge/members.h"
#include "interface.h"

/* Who is told, and of which program. */
typedef struct audience {
    ep_archive_hear *hear;
    void *context;
    size_t program;
    ep_bytes member;
} audience;

static void hear_program(void *context, const ep_finding *finding) {
    const audience *to = context;
    to->hear(to->context, to->program, to->member, finding);
}

static void hear_member(void *context, ep_bytes member, const ep_finding *finding) {
    const audience *to = context;
    to->hear(to->context, SIZE_MAX, member, finding);
}

static bool audit_program(ep_archive *a, audience *to, ep_archive_error *error) {
    ep_arena arena;
    ep_arena scratch;
    ep_bytes text;
    ep_error own = {.code = EP_OK};
    const ep_program *program = NULL;
    if (!ep_archive_program_text(a, to->program, &text, error)) {
        return false;
    }
    to->member = a->archive.zip.members[a->programs[to->program]].name;
    arena_open(&arena, 0);
    arena_open(&scratch, 0);
    bool ok = ep_decode(&arena, text, &a->options.decoding, &program, &own) &&
              ep_audit(program, &scratch, hear_program, to, &own);
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    return ok || interface_fail_error(error, to->member, &own);
}

static bool audit_members(const ep_archive *a, audience *to, ep_archive_error *error) {
    failure what = {.status = STATUS_DONE};
    size_t left = interface_limit(a);
    members_ear ear = {hear_member, to, &left, &what};
    bool ok = members_audit(&a->archive.zip, &ear);
    return interface_settle(a, ok, (ep_bytes){"", 0}, &what, error);
}

bool ep_archive_audit(ep_archive *a, ep_archive_hear *hear, void *context,
                      ep_archive_error *error) {
    audience to = {.hear = hear, .context = context};
    if (a == NULL || hear == NULL) {
        return interface_fail_argument(error, a == NULL ? "no archive" : "nobody to tell");
    }
    for (to.program = 0; to.program < a->program_count; to.program++) {
        if (!audit_program(a, &to, error)) {
            return false;
        }
    }
    return audit_members(a, &to, error);
}
