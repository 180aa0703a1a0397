/*
 * codes.h - the codes of errors by name.
 */
#ifndef CLI_CODES_H
#define CLI_CODES_H

#include "epref.h"

/* "EP_TYPE" or "type", in any case; EP_OK for what is no code. */
ep_code code_named(const char *word);

#endif
