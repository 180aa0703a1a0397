/*
 * archive_audit.c - epref_archive.h: what loading an archive makes PyTorch do.
 */
#include "archive/judge/members.h"
#include "archive/judge/refused.h"
#include "common/refusal.h"
#include "interface.h"

/* Who is told, and of which program. */
typedef struct audience {
    ep_archive_hear *hear;
    void *context;
    size_t program;
    ep_bytes member;
    size_t left;  /* bytes that may still be read */
    failure what; /* why a pickle could not be looked at */
    bool failed;
    bool valid; /* nothing was refused so far */
} audience;

static void hear_inside(void *context, ep_bytes member, const ep_finding *finding) {
    const audience *to = context;
    (void)member; /* it has no name */
    to->hear(to->context, to->program, to->member, finding);
}

static void hear_program(void *context, const ep_finding *finding) {
    audience *to = context;
    if (finding->id != EP_AUDIT_EMBEDDED || finding->more > 0) {
        to->hear(to->context, to->program, to->member, finding);
    } else if (!to->failed) {
        members_ear ear = {hear_inside, to, &to->left, &to->what};
        to->failed = !members_audit_embedded(finding, &ear);
    }
}

static void hear_member(void *context, ep_bytes member, const ep_finding *finding) {
    const audience *to = context;
    to->hear(to->context, SIZE_MAX, member, finding);
}

/* What the strict readers refuse is a finding. False: *error, where it is not the file's fault.
 * SPEC 9.8 */
static bool hear_refusal(audience *to, const failure *what, ep_audit_id id, ep_error *error) {
    buffer text = {0};
    ep_finding finding;
    failure short_of = {0};
    bool ok = refused_is_of_file(what, id);
    if (!ok) {
        interface_fail(error, to->member, what);
    } else if (!refused_finding(&what->error, id, &text, &finding)) {
        refuse_plainly(&short_of, EP_MEMORY);
        ok = interface_fail(error, to->member, &short_of);
    } else {
        to->valid = false;
        to->hear(to->context, to->program, to->member, &finding);
    }
    buffer_free(&text);
    return ok;
}

static bool audit_text(ep_archive *a, audience *to, ep_bytes text, ep_error *error) {
    ep_arena arena;
    ep_arena scratch;
    ep_check_options checking = ep_check_options_default();
    failure what = {.status = STATUS_DONE};
    const ep_program *program = NULL;
    ep_audit_id id = EP_AUDIT_UNREADABLE;
    checking.limits = a->options.decoding.limits;
    arena_open(&arena, 0);
    arena_open(&scratch, 0);
    bool ok = ep_decode(&arena, text, &a->options.decoding, &program, &what.error);
    if (ok) {
        id = EP_AUDIT_INVALID;
        ok = ep_audit(program, &scratch, hear_program, to, &what.error) &&
             ep_check(program, &scratch, &checking, &what.error);
    }
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    if (to->failed) {
        return interface_fail(error, to->member, &to->what);
    }
    return ok || hear_refusal(to, &what, id, error);
}

static bool audit_program(ep_archive *a, audience *to, ep_error *error) {
    ep_bytes text;
    ep_error own;
    to->member = a->archive.zip.members[a->programs[to->program]].name;
    if (ep_archive_program_text(a, to->program, &text, &own)) {
        return audit_text(a, to, text, error);
    }
    failure what = {.status = status_of_code(own.code), .error = own};
    return hear_refusal(to, &what, EP_AUDIT_UNREADABLE, error);
}

static bool audit_members(const ep_archive *a, audience *to, ep_error *error) {
    failure what = {.status = STATUS_DONE};
    members_ear ear = {hear_member, to, &to->left, &what};
    bool ok = members_audit(&a->archive.zip, &ear);
    return interface_settle(a, ok, (ep_bytes){"", 0}, &what, error);
}

/* SPEC 9.8.3: programs that the options left out when the archive was opened. */
static void hear_unseen(const ep_archive *a, const audience *to) {
    ep_finding finding = {.id = EP_AUDIT_UNSEEN,
                          .why = "another one was asked for, and torch.export.load takes both"};
    for (size_t i = 0; a->model != NULL && i < a->archive.zip.count; i++) {
        const zipfile_member *m = &a->archive.zip.members[i];
        if (archive_has_program(&a->archive, m) && m != a->archive.program) {
            to->hear(to->context, SIZE_MAX, m->name, &finding);
        }
    }
}

/* The judgement of the whole, when nothing was refused so far. SPEC 9.8.2 */
static bool judge_whole(const ep_archive *a, bool no_data, audience *to, ep_error *error) {
    ep_error own;
    if (!to->valid || a->model != NULL ||
        (interface_verify(a, no_data, &own) && interface_check_whole(a, no_data, &own))) {
        return interface_ok(error);
    }
    failure what = {.status = status_of_code(own.code), .error = own};
    to->program = SIZE_MAX;
    to->member = bytes_of(own.about);
    what.error.line = 0;
    return hear_refusal(to, &what, EP_AUDIT_INVALID, error) && interface_ok(error);
}

bool ep_archive_audit_as(ep_archive *a, bool no_data, ep_archive_hear *hear, void *context,
                         ep_error *error) {
    audience to = {.hear = hear, .context = context, .valid = true};
    if (a == NULL || hear == NULL) {
        return interface_fail_argument(error, a == NULL ? "no archive" : "nobody to tell");
    }
    memory_share *before = memory_enter(&a->held->share);
    bool ok = true;
    to.left = interface_limit(a);
    for (to.program = 0; ok && to.program < a->program_count; to.program++) {
        ok = audit_program(a, &to, error);
    }
    if (ok) {
        hear_unseen(a, &to);
        ok = audit_members(a, &to, error) && judge_whole(a, no_data, &to, error);
    }
    memory_leave(before);
    return ok;
}

bool ep_archive_audit(ep_archive *a, ep_archive_hear *hear, void *context, ep_error *error) {
    return ep_archive_audit_as(a, false, hear, context, error);
}
