/*
 * audit/findings.c - the kinds of findings, and how they are reported: the first of each
 * kind one by one, the others by their number (SPEC 9.1).
 */
#include "audit/audit.h"

typedef struct audit_row {
    ep_severity severity;
    const char *name;
    const char *clause;
    const char *title;
} audit_row;

#define AUDIT(id, severity, clause, title)                                                         \
    [EP_AUDIT_##id] = {EP_SEVERITY_##severity, "AUDIT_" #id, clause, title},
static const audit_row rows[EP_AUDIT_COUNT] = {
#include "audit/audit.def"
};

static const audit_row *audit_row_of(ep_audit_id id) {
    return (unsigned)id < EP_AUDIT_COUNT ? &rows[id] : &rows[EP_AUDIT_NONE];
}

EP_API const char *ep_audit_name(ep_audit_id id) {
    return audit_row_of(id)->name;
}

EP_API const char *ep_audit_clause(ep_audit_id id) {
    return audit_row_of(id)->clause;
}

EP_API const char *ep_audit_title(ep_audit_id id) {
    return audit_row_of(id)->title;
}

EP_API ep_severity ep_audit_severity(ep_audit_id id) {
    return audit_row_of(id)->severity;
}

/* ------------------------------------------------------------------- telling */

void ep_audit_tell(ep_auditor *auditor, ep_audit_id id, ep_ref at, ep_bytes text, const char *why) {
    auditor->found[id]++;
    if (auditor->told[id] == EP_AUDIT_TOLD_MAX ||
        (auditor->told[id] > 0 && auditor->walked >= EP_AUDIT_WALK_MAX)) {
        return;
    }
    auditor->told[id]++;
    auditor->walked += ep_ref_offset(at);
    ep_finding finding = {.id = id, .why = why, .text = text};
    size_t offset = ep_ref_offset(at);
    ep_fault fault = {.offset = offset > 0 ? offset - 1 : 0};
    ep_error_fill(&finding.place, auditor->input, &fault);
    auditor->hear(auditor->context, &finding);
}

void ep_audit_tell_rest(ep_auditor *auditor) {
    for (size_t id = 0; id < EP_AUDIT_COUNT; id++) {
        if (auditor->found[id] > auditor->told[id]) {
            ep_finding finding = {.id = (ep_audit_id)id, .why = "more of these"};
            finding.more = auditor->found[id] - auditor->told[id];
            auditor->hear(auditor->context, &finding);
        }
    }
}
