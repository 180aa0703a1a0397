/*
 * auditor.c - see auditor.h.
 */
#include "auditor.h"

#include "archive/judge/members.h"
#include "common/refusal.h"

/* People are told so many findings about members of each kind. Programs are told all, but what
 * these say is bounded: a small member can have thousands, each of which repeats its name. */
enum { TOLD_MAX = 20, SAID_MAX = 8 << 20, SAID_BESIDE = 512 };

auditor auditor_of(const options *o, const source *s, auditor_hear *hear, void *context) {
    bool whole = o->json || o->format == FORMAT_SARIF;
    return (auditor){
        .o = o, .s = s, .hear = hear, .context = context, .left = o->limits.bytes, .whole = whole};
}

static bool is_told(auditor *a, ep_bytes member, const ep_finding *finding) {
    size_t size = SAID_BESIDE + member.size + finding->text.size;
    bool fits = a->whole && a->said + size <= SAID_MAX;
    a->said += fits ? size : 0;
    return fits || a->told[finding->id] < TOLD_MAX;
}

/* A finding in an archive, or in a pickle that stands in the program: told there. */
static void hear_member(void *context, ep_bytes member, const ep_finding *finding) {
    auditor *a = context;
    a->found[finding->id]++;
    if (!is_told(a, member, finding)) {
        return;
    }
    a->told[finding->id]++;
    a->hear(a->context, member, finding);
}

static void hear(void *context, const ep_finding *finding) {
    auditor *a = context;
    if (finding->id == EP_AUDIT_EMBEDDED && finding->more == 0) {
        members_ear ear = {hear_member, a, &a->left, &a->what};
        a->failed = !members_audit_embedded(finding, &ear) || a->failed;
    } else {
        a->hear(a->context, (ep_bytes){"", 0}, finding);
    }
}

bool auditor_program(auditor *a, const ep_program *program, failure *what) {
    ep_arena scratch;
    arena_open(&scratch, a->o->max_memory);
    bool ok = ep_audit(program, &scratch, hear, a, &what->error);
    ep_arena_free(&scratch);
    what->status = status_of_code(what->error.code);
    return ok;
}

bool auditor_members(auditor *a, failure *what) {
    members_ear ear = {hear_member, a, &a->left, &a->what};
    const source *s = a->s;
    bool ok = !source_is_archive(s) ||
              (members_audit(&s->archive.zip, &ear) && io_check_unchanged(&s->file, &a->what));
    if (ok && a->failed) {
        ok = refuse_plainly(&a->what, EP_MEMORY);
    }
    if (!ok) {
        *what = a->what;
    }
    return ok;
}

void auditor_end(auditor *a) {
    for (size_t id = 0; id < EP_AUDIT_COUNT; id++) {
        if (a->found[id] > a->told[id]) {
            ep_finding finding = {.id = (ep_audit_id)id, .why = "more of these"};
            finding.more = a->found[id] - a->told[id];
            a->hear(a->context, (ep_bytes){"", 0}, &finding);
        }
    }
}
