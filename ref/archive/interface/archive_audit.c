/*
 * archive_audit.c - epref_archive.h: what loading an archive makes PyTorch do.
 */
#include "archive/judge/members.h"
#include "common/base64.h"
#include "common/refusal.h"
#include "interface.h"

/* Who is told, and of which program. */
typedef struct audience {
    ep_archive_hear *hear;
    void *context;
    size_t program;
    ep_bytes member;
    const ep_finding *inside; /* whose pickle is looked at */
    size_t left;              /* bytes that may still be read */
    failure what;             /* why a pickle could not be looked at */
    bool failed;
} audience;

static void hear_inside(void *context, ep_bytes member, const ep_finding *finding) {
    const audience *to = context;
    ep_finding told = *finding;
    (void)member; /* it has no name */
    told.place = to->inside->place;
    to->hear(to->context, to->program, to->member, &told);
}

/* SPEC 9.5.1: what ep_audit leaves to be looked at. */
static void look_inside(audience *to, const ep_finding *finding) {
    buffer bytes = {0};
    members_ear ear = {hear_inside, to, &to->left, &to->what};
    base64_decode(finding->text, &bytes);
    to->inside = finding;
    bool ok = bytes.failed ? refuse_plainly(&to->what, EP_MEMORY)
                           : members_audit_pickled(buffer_bytes(&bytes), (ep_bytes){"", 0}, &ear);
    to->failed = !ok;
    buffer_free(&bytes);
}

static void hear_program(void *context, const ep_finding *finding) {
    audience *to = context;
    if (finding->id != EP_AUDIT_EMBEDDED || finding->more > 0) {
        to->hear(to->context, to->program, to->member, finding);
    } else if (!to->failed) {
        look_inside(to, finding);
    }
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
    return !ok ? interface_fail_error(error, to->member, &own)
               : !to->failed || interface_fail(error, to->member, &to->what);
}

static bool audit_members(const ep_archive *a, audience *to, ep_archive_error *error) {
    failure what = {.status = STATUS_DONE};
    members_ear ear = {hear_member, to, &to->left, &what};
    bool ok = members_audit(&a->archive.zip, &ear);
    return interface_settle(a, ok, (ep_bytes){"", 0}, &what, error);
}

bool ep_archive_audit(ep_archive *a, ep_archive_hear *hear, void *context,
                      ep_archive_error *error) {
    audience to = {.hear = hear, .context = context};
    if (a == NULL || hear == NULL) {
        return interface_fail_argument(error, a == NULL ? "no archive" : "nobody to tell");
    }
    to.left = interface_limit(a);
    for (to.program = 0; to.program < a->program_count; to.program++) {
        if (!audit_program(a, &to, error)) {
            return false;
        }
    }
    return audit_members(a, &to, error);
}
