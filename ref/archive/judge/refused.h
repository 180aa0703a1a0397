/*
 * refused.h - what `check` refuses, as findings of an audit (SPEC 9.8).
 */
#ifndef ARCHIVE_REFUSED_H
#define ARCHIVE_REFUSED_H

#include "common/buffer.h"
#include "common/status.h"

/* Whether a failure says something about the file: not that a limit was reached, that memory is
 * short, or that reading failed. A limit of what was looked at before is the file's, too. */
bool refused_is_of_file(const failure *what, ep_audit_id id);

/*
 * The finding: EP_AUDIT_UNREADABLE of what was not looked at, EP_AUDIT_INVALID of what was.
 * Its text is in the buffer, which the caller frees; the place is the error's, or none. False
 * for want of memory.
 */
bool refused_finding(const ep_error *error, ep_audit_id id, buffer *text, ep_finding *finding);

#endif
