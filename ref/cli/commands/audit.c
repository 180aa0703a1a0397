/*
 * audit.c - epref audit: what loading each file would make PyTorch do. The
 * findings are the product, and what check refuses is one of them; that a file cannot be
 * read goes to standard error.
 */
#include <string.h>

#include "archive/judge/refused.h"
#include "cli/diag.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/recognise.h"
#include "command.h"
#include "common/refusal.h"
#include "findings.h"

typedef struct auditing {
    const options *o;
    source *s;
    findings *found;
    const char *path;
    size_t unpickled; /* findings that are true of every archive: summed up unless asked for */
    bool unread;      /* something could not be looked at */
    bool valid;       /* nothing was refused so far */
    bool failed;      /* for want of memory */
} auditing;

/* But for what a file fails for in a report: there it is seen which. */
static bool is_summed_up(const auditing *a, const ep_finding *finding) {
    bool fails = reports_all(a->o) && a->o->fail_on == EP_SEVERITY_INFO;
    return finding->id == EP_AUDIT_UNPICKLED && !a->o->json && !a->o->verbose && !fails;
}

static void hear(void *context, ep_bytes member, const ep_finding *finding) {
    auditing *a = context;
    findings *found = a->found;
    ep_bytes file = found->file;
    buffer label = {0};
    if (is_summed_up(a, finding)) {
        findings_count(found, finding);
        a->unpickled += finding->more > 0 ? finding->more : 1;
        return;
    }
    if (member.size > 0) {
        print(&label, "%r!%r", a->s->label.data, a->s->path_size, member.data, member.size);
        a->failed = a->failed || label.failed;
        found->file = buffer_bytes(&label);
    }
    findings_put(found, finding);
    found->file = file;
    buffer_free(&label);
}

/* ------------------------------------------------------------------------- files */

/* What the strict readers refuse is a finding. False: what is not the file's fault, or memory. */
static bool put_refusal(auditing *a, failure *what, ep_audit_id id) {
    buffer text = {0};
    ep_finding finding;
    bool ok = refused_is_of_file(what, id);
    if (ok && !refused_finding(&what->error, id, &text, &finding)) {
        ok = refuse_plainly(what, EP_MEMORY);
    } else if (ok) {
        a->found->file = buffer_bytes(&a->s->label);
        findings_put(a->found, &finding);
        a->unread = a->unread || id == EP_AUDIT_UNREADABLE;
        *what = (failure){0};
    }
    buffer_free(&text);
    return ok;
}

/* Whether the program that was audited is valid, which an audit does not need. SPEC 9.8.2 */
static bool check_program(auditing *a, const ep_program *program, failure *what) {
    bool ok = source_check(a->o, program, what);
    a->valid = a->valid && ok;
    return ok || put_refusal(a, what, EP_AUDIT_INVALID);
}

static bool audit_program(auditing *a, auditor *by, failure *what) {
    ep_arena arena;
    const ep_program *program;
    ep_decode_options decoding = source_decoding(a->o);
    arena_open(&arena, a->o->max_memory);
    bool ok = ep_decode(&arena, a->s->input, &decoding, &program, &what->error);
    what->status = status_of_code(what->error.code);
    recognise(a->s->input, what);
    if (!ok) {
        a->valid = false;
        ok = put_refusal(a, what, EP_AUDIT_UNREADABLE);
    } else {
        ok = auditor_program(by, program, what) && check_program(a, program, what);
    }
    ep_arena_free(&arena);
    return ok;
}

/* A program of an archive that no option names: a loader takes it all the same. SPEC 9.8.3 */
static void leave_out(auditing *a) {
    ep_finding finding = {.id = EP_AUDIT_UNSEEN,
                          .why = "--model names another one, and torch.export.load takes both"};
    findings_put(a->found, &finding);
}

/* All that a loader may take for programs. */
static bool audit_programs(auditing *a, auditor *by, failure *what) {
    source *s = a->s;
    bool is_flat = archive_is_flat(&s->archive.zip);
    const zipfile_member *chosen = a->o->model == NULL ? NULL : s->archive.program;
    for (size_t i = 0; i < s->archive.zip.count; i++) {
        const zipfile_member *m = &s->archive.zip.members[i];
        if (!archive_may_be_program(is_flat, m)) {
            continue;
        }
        bool read = source_take(s, a->o, m, what);
        a->found->file = buffer_bytes(&s->label);
        bool ok = read;
        if (!read) {
            a->valid = false;
            ok = put_refusal(a, what, EP_AUDIT_UNREADABLE);
        } else if (chosen != NULL && m != chosen) {
            leave_out(a);
        } else {
            ok = audit_program(a, by, what);
        }
        TRY(ok);
    }
    return true;
}

/* The judgement of the whole, when nothing was refused so far. SPEC 9.8.2 */
static bool judge_whole(auditing *a, failure *what) {
    source *s = a->s;
    bool judged = a->valid && a->o->model == NULL;
    s->label.size = s->path_size;
    bool ok = !judged || (source_verify_all(s, a->o, what) && source_check_whole(s, a->o, what));
    return ok || put_refusal(a, what, EP_AUDIT_INVALID);
}

/* The zip is open. Which program is meant is needed for --model alone. */
static bool audit_archive(auditing *a, auditor *by, failure *what) {
    archive_wish wish = {
        .model = a->o->model, .limit = a->o->limits.bytes, .several = true, .compiled = true};
    bool found = archive_find(&a->s->archive, wish, what);
    a->valid = found;
    a->unread = !found; /* it is no archive that is known */
    if (!found && (a->o->model != NULL || !put_refusal(a, what, EP_AUDIT_INVALID))) {
        return false;
    }
    return audit_programs(a, by, what) && auditor_members(by, what) && judge_whole(a, what);
}

static bool audit_source(auditing *a, auditor *by, failure *what) {
    source *s = a->s;
    bool open = source_find_zip(s, a->o, a->path, false, what);
    a->found->file = buffer_bytes(&s->label);
    if (!open) {
        return put_refusal(a, what, EP_AUDIT_UNREADABLE);
    }
    return source_is_archive(s) ? audit_archive(a, by, what) : audit_program(a, by, what);
}

static void add_refusal(const auditing *a, const failure *what) {
    report_row row = {.severity = "error", .unread = true};
    diag_put_failure(&row.message, what);
    report_add(a->found->report, buffer_bytes(&a->s->label), &row);
}

/* A file that is not there, or memory that is short. */
static status refuse(const auditing *a, const failure *what) {
    ep_bytes file = buffer_bytes(&a->s->label);
    if (a->found->report != NULL) {
        add_refusal(a, what);
        return what->status;
    }
    if (!a->o->json) {
        buffer line = {0};
        diag_fail(a->o, file, what);
        print(&line, "%t: not audited: nothing was looked at below this error\n", file);
        diag_tell(a->o, &line);
        return what->status;
    }
    json *object = diag_object(file, "error", what);
    json_members(object, "audited:b", false);
    json_put(a->found->product, object);
    return what->status;
}

static status audit_file(command_run *run, const char *path) {
    failure what = {0};
    source *s = &run->source;
    findings found = {.o = run->o, .product = &run->product, .report = run->context};
    auditing a = {.o = run->o, .s = s, .found = &found, .path = path, .valid = true};
    if (run->lost != NULL) {
        return refuse(&a, run->lost);
    }
    auditor by = auditor_of(run->o, s, hear, &a);
    bool ok = audit_source(&a, &by, &what);
    found.file = buffer_bytes(&s->label);
    auditor_end(&by);
    run->summed = a.unpickled;
    if (ok && a.failed) {
        what = (failure){.status = STATUS_LIMIT, .error = {.code = EP_MEMORY}};
        ok = false;
    }
    if (!ok) {
        return refuse(&a, &what);
    }
    bool grave = run->o->fail_on != EP_SEVERITY_NONE && found.worst >= run->o->fail_on;
    return grave || a.unread ? STATUS_INVALID : STATUS_DONE;
}

/* "model.pt2: info: tensors that are unpickled: 2 pickles, which import what tensors need ..." */
static void put_summary(command_run *run) {
    const command_sum *all = &run->all;
    buffer *b = &run->product;
    buffer files = {0};
    if (all->files == 0) {
        return;
    }
    const char *path = strcmp(all->path, "-") == 0 ? "<stdin>" : all->path;
    print(&files, all->files > 1 ? "%i files" : "", (int64_t)all->files);
    buffer_text(&files, all->files > 1 ? "" : path);
    findings f = {.o = run->o,
                  .product = b,
                  .file = buffer_bytes(&files),
                  .of_all = true,
                  .report = run->context};
    ep_finding sum = {.id = EP_AUDIT_UNPICKLED, .more = all->count};
    sum.why = all->count == 1 ? "pickle, which imports what tensors need; -v names it"
                              : "pickles, which import what tensors need; -v names them";
    findings_put(&f, &sum);
    b->failed = b->failed || files.failed;
    buffer_free(&files);
}

static status report_file(command_run *run, const char *path) {
    report *r = run->context;
    r->path = path;
    return audit_file(run, path);
}

static void put_report(command_run *run) {
    put_summary(run);
    report_put(run->context, &run->product);
}

status cmd_audit(const options *o) {
    report r;
    if (reports_all(o)) {
        report_open(&r);
        return command_each(o, report_file, put_report, &r);
    }
    return command_each(o, audit_file, put_summary, NULL);
}
