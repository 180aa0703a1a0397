/*
 * codes.h - the codes of errors, and the findings of audits, by name.
 */
#ifndef CLI_CODES_H
#define CLI_CODES_H

#include "epref.h"

/* "EP_TYPE" or "type", in any case; EP_OK for what is no code. */
ep_code code_named(const char *word);

/* The finding "AUDIT_UNREAD", or "unread", in any case; EP_AUDIT_NONE for what is none. */
ep_audit_id audit_named(const char *word);

#endif
