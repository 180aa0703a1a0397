/*
 * refused.c - see refused.h.
 */
#include "refused.h"

bool refused_is_of_file(const failure *what, ep_audit_id id) {
    ep_code code = what->error.code;
    status found = status_of_code(code);
    bool limit = id == EP_AUDIT_INVALID && found == STATUS_LIMIT && code != EP_MEMORY;
    return what->reason == NULL && (found == STATUS_INVALID || limit);
}

/* "EP_TYPE, SPEC 3.4.1: a value of another type: detail" */
static void put_error(buffer *text, const ep_error *error) {
    const char *clause = ep_code_clause(error->code);
    buffer_text(text, ep_code_name(error->code));
    if (clause != NULL) {
        buffer_text(text, ", SPEC ");
        buffer_text(text, clause);
    }
    buffer_text(text, ": ");
    buffer_text(text, ep_code_message(error->code));
    if (error->detail[0] != '\0') {
        buffer_text(text, ": ");
        buffer_text(text, error->detail);
    }
}

bool refused_finding(const ep_error *error, ep_audit_id id, buffer *text, ep_finding *finding) {
    put_error(text, error);
    *finding = (ep_finding){.id = id, .place = *error, .text = buffer_bytes(text)};
    finding->place.code = EP_OK;
    finding->place.detail[0] = '\0';
    finding->why = id == EP_AUDIT_INVALID
                       ? "it is refused, though a loader may take it"
                       : "nothing in it was looked at, and a loader may read it otherwise";
    return !text->failed;
}
