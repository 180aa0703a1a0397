/*
 * findings.c - see findings.h. The form is an interface: scripts read it.
 */
#include "findings.h"

#include "archive/judge/members.h"
#include "cli/diag.h"
#include "cli/explain/explanations.h"
#include "cli/print.h"
#include "cli/style.h"
#include "common/refusal.h"
#include "common/safe.h"

const char *findings_severity(ep_severity severity) {
    static const char *const names[] = {[EP_SEVERITY_NONE] = "none",
                                        [EP_SEVERITY_INFO] = "info",
                                        [EP_SEVERITY_LOW] = "low",
                                        [EP_SEVERITY_MEDIUM] = "medium",
                                        [EP_SEVERITY_HIGH] = "high"};
    return names[severity];
}

static const ep_error *place_of(const ep_finding *finding) {
    return finding->more == 0 ? &finding->place : NULL;
}

/* Not much of a text for people, cut between two characters. */
static ep_bytes excerpt(ep_bytes text, bool *cut) {
    enum { SHOWN = 160 };
    *cut = text.size > SHOWN;
    if (*cut) {
        text.size = SHOWN;
        while (text.size > 0 && ((unsigned char)text.data[text.size] & 0xC0) == 0x80) {
            text.size--;
        }
    }
    return text;
}

void findings_put_severity(buffer *b, ep_severity severity, bool color) {
    style look = severity == EP_SEVERITY_HIGH     ? STYLE_ERROR
                 : severity == EP_SEVERITY_MEDIUM ? STYLE_WARNING
                                                  : STYLE_DIM;
    print(b, "%z%s%Z", color, look, findings_severity(severity));
}

static void put_message(buffer *b, const ep_finding *finding) {
    bool cut;
    ep_bytes text = excerpt(finding->text, &cut);
    print(b, "%s: ", ep_audit_title(finding->id));
    print(b, finding->more > 0 ? "%i " : "", (int64_t)finding->more);
    print(b, text.size > 0 ? "%s: %q%s" : "%s", finding->why, text, cut ? "..." : "");
}

static void put_text(findings *f, const ep_finding *finding) {
    safe_text(f->product, f->file);
    place_put(f->product, place_of(finding));
    buffer_text(f->product, ": ");
    findings_put_severity(f->product, ep_audit_severity(finding->id), style_on_output(f->o));
    buffer_text(f->product, ": ");
    put_message(f->product, finding);
    print(f->product, " [%s, SPEC %s]", ep_audit_name(finding->id), ep_audit_clause(finding->id));
    place_put_pointer(f->product, place_of(finding));
    buffer_byte(f->product, '\n');
}

static void put_json(findings *f, const ep_finding *finding) {
    json *object = json_object();
    buffer message = {0};
    put_message(&message, finding);
    json_members(object, "file:t severity:s id:s clause:s", f->file,
                 findings_severity(ep_audit_severity(finding->id)), ep_audit_name(finding->id),
                 ep_audit_clause(finding->id));
    place_add(object, place_of(finding));
    json_members(object, "text:t more:n message:j", finding->text, finding->more,
                 json_buffer(&message));
    json_put(f->product, object);
}

static void put_row(findings *f, const ep_finding *finding) {
    ep_severity severity = ep_audit_severity(finding->id);
    report_row row = {.severity = findings_severity(severity),
                      .code = ep_audit_name(finding->id),
                      .clause = ep_audit_clause(finding->id),
                      .title = ep_audit_title(finding->id),
                      .meaning = explanation_of_finding(finding->id),
                      .place = finding->more == 0 ? &finding->place : NULL,
                      .text = finding->text,
                      .of_all = f->of_all};
    put_message(&row.message, finding);
    report_add(f->report, f->file, &row);
}

void findings_count(findings *f, const ep_finding *finding) {
    ep_severity severity = ep_audit_severity(finding->id);
    f->worst = severity > f->worst ? severity : f->worst;
}

void findings_put(findings *f, const ep_finding *finding) {
    findings_count(f, finding);
    if (f->report != NULL) {
        put_row(f, finding);
    } else if (f->o->json) {
        put_json(f, finding);
    } else {
        put_text(f, finding);
    }
}

/* --------------------------------------------------------------- the audit of a file */

/* So many findings about members of each kind are printed for people. JSON has all, but the
 * texts are bounded: a small member can have thousands, each of which repeats its name. */
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
