/*
 * refusal.h - why a file is not taken, as the commands hand it up.
 */
#ifndef COMMON_REFUSAL_H
#define COMMON_REFUSAL_H

#include "buffer.h"
#include "macros.h"
#include "status.h"

/* Each returns false, so that a function can end with it. */

/* With a code and what is wrong, which is freed; want of memory if that failed. */
bool refuse_with(failure *what, ep_code code, buffer *detail);

/* With a code and "why: NAME", or only why where the name is empty. */
bool refuse_named(failure *what, ep_code code, ep_bytes name, const char *why);

/* With a code that says all. */
bool refuse_plainly(failure *what, ep_code code);

/* As invalid, for a reason that has no code. */
bool refuse_invalid(failure *what, const char *reason);

/* For the system's reason, which is static or the C library's. */
bool refuse_io(failure *what, const char *reason);

/* For errno, which may say that memory is short. */
bool refuse_errno(failure *what);

#endif
