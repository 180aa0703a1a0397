/*
 * audit.c - epref audit: what loading each file would make PyTorch do. The
 * findings are the product; that a file cannot be audited goes to standard
 * error, and is as grave as an invalid file.
 */
#include "command.h"

#include <string.h>

#include "archive/judge/members.h"
#include "cli/diag.h"
#include "cli/json.h"
#include "cli/source.h"
#include "cli/terminal.h"
#include "common/base64.h"
#include "common/refusal.h"
#include "common/safe.h"
#include "findings.h"

/* No more findings about members than this are told of each kind. */
enum { TOLD_MAX = 20 };

typedef struct auditing {
    const options *o;
    source *s;
    findings *found;
    const char *path;
    const ep_finding *inside; /* the finding whose pickle is scanned, or NULL */
    size_t left;              /* bytes of members that may still be read */
    failure what;             /* why a member could not be looked at */
    size_t told[EP_AUDIT_COUNT];
    bool failed; /* for want of memory */
} auditing;

/* ----------------------------------------------------------------------- members */

/* A finding in an archive, or in a pickle that stands in the program: told there. */
static void hear_member(void *context, ep_bytes member, const ep_finding *finding) {
    auditing *a = context;
    ep_finding told = *finding;
    buffer label = {0};
    if (a->told[finding->id]++ >= TOLD_MAX) {
        return;
    }
    if (a->inside != NULL) {
        told.place = a->inside->place;
        findings_put(a->found, &told);
        return;
    }
    buffer_text(&label, strcmp(a->path, "-") == 0 ? "<stdin>" : a->path);
    buffer_byte(&label, '!');
    buffer_put(&label, member.data, member.size);
    a->failed = a->failed || label.failed;
    ep_bytes file = a->found->file;
    a->found->file = buffer_bytes(&label);
    findings_put(a->found, &told);
    a->found->file = file;
    buffer_free(&label);
}

static void tell_rest(auditing *a) {
    for (size_t id = 0; id < EP_AUDIT_COUNT; id++) {
        if (a->told[id] > TOLD_MAX) {
            ep_finding finding = {.id = (ep_audit_id)id, .why = "more of these"};
            finding.more = a->told[id] - TOLD_MAX;
            findings_put(a->found, &finding);
        }
    }
}

/* SPEC 9.5.1: what the library leaves to be looked at. */
static void audit_embedded(auditing *a, const ep_finding *finding) {
    buffer bytes = {0};
    members_ear ear = {hear_member, a, &a->left, &a->what};
    base64_decode(finding->text, &bytes);
    a->inside = finding;
    bool ok = !bytes.failed && members_audit_pickled(buffer_bytes(&bytes), (ep_bytes){"", 0}, &ear);
    a->inside = NULL;
    a->failed = a->failed || !ok;
    buffer_free(&bytes);
}

static void hear(void *context, const ep_finding *finding) {
    auditing *a = context;
    if (finding->id == EP_AUDIT_EMBEDDED && finding->more == 0) {
        audit_embedded(a, finding);
    } else {
        findings_put(a->found, finding);
    }
}

/* ------------------------------------------------------------------------- files */

static bool audit_program(auditing *a, failure *what) {
    ep_arena arena;
    ep_arena scratch;
    const ep_program *program;
    ep_decode_options decoding = source_decoding(a->o);
    arena_open(&arena, a->o->max_memory);
    arena_open(&scratch, a->o->max_memory);
    bool ok = ep_decode(&arena, a->s->input, &decoding, &program, &what->error) &&
              ep_audit(program, &scratch, hear, a, &what->error);
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    what->status = status_of_code(what->error.code);
    return ok;
}

/* The one that the options name, or all. */
static bool audit_programs(auditing *a, failure *what) {
    source *s = a->s;
    if (!source_is_archive(s)) {
        return audit_program(a, what);
    }
    const zipfile_member *chosen = a->o->model == NULL ? NULL : s->archive.program;
    for (size_t i = 0; i < s->archive.zip.count; i++) {
        const zipfile_member *m = &s->archive.zip.members[i];
        if (!archive_has_program(&s->archive, m) || (chosen != NULL && m != chosen)) {
            continue;
        }
        bool ok = source_take(s, a->o, m, what);
        a->found->file = buffer_bytes(&s->label);
        if (!ok || !audit_program(a, what)) {
            return false;
        }
    }
    return true;
}

static bool audit_members(auditing *a, failure *what) {
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

/* A file that is refused is one that nothing is known of. */
static status refuse(const auditing *a, const failure *what) {
    ep_bytes file = buffer_bytes(&a->s->label);
    if (!a->o->json) {
        buffer line = {0};
        diag_fail(a->o, file, what);
        safe_text(&line, file);
        buffer_text(&line, ": not audited: nothing was looked at below this error\n");
        terminal_tell(buffer_bytes(&line));
        buffer_free(&line);
        return what->status;
    }
    json *object = diag_object(file, "error", what);
    json_add_bool(object, "audited", false);
    json_put(a->found->product, object, false);
    return what->status;
}

static status audit_file(const options *o, source *s, const char *path, buffer *product) {
    failure what = {0};
    findings found = {.o = o, .product = product};
    auditing a = {.o = o, .s = s, .found = &found, .path = path};
    a.left = o->limits.bytes;
    bool ok = source_find(s, o, path, &what);
    found.file = buffer_bytes(&s->label);
    ok = ok && audit_programs(&a, &what) && audit_members(&a, &what);
    tell_rest(&a);
    if (!ok) {
        return refuse(&a, &what);
    }
    bool grave = o->fail_on != EP_SEVERITY_NONE && found.worst >= o->fail_on;
    return grave ? STATUS_INVALID : STATUS_DONE;
}

status cmd_audit(const options *o) {
    return command_each(o, audit_file);
}
