/*
 * program_digest.h - the digest of a program that was decoded.
 */
#ifndef CLI_COMMANDS_PROGRAM_DIGEST_H
#define CLI_COMMANDS_PROGRAM_DIGEST_H

#include "cli/options.h"
#include "common/digest.h"
#include "common/status.h"

/* That of its canonical form, which every valid program has. False: *what. */
bool program_digest(const options *o, const ep_program *program, failure *what, digest *d);

#endif
