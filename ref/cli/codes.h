/*
 * codes.h - the codes of errors, and the findings of audits, by name.
 */
#ifndef CLI_CODES_H
#define CLI_CODES_H

#include "common/buffer.h"

/* "EP_TYPE" or "type", in any case; EP_OK for what is no code. */
ep_code code_named(const char *word);

/* The finding "AUDIT_UNREAD", or "unread", in any case; EP_AUDIT_NONE for what is none. */
ep_audit_id audit_named(const char *word);

/* "; did you mean EP_TYPE?", and where all are listed; with findings, one of these too. */
void codes_put_nearest(buffer *b, const char *word, bool findings);

#endif
