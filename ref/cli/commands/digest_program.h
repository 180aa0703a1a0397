/*
 * digest_program.h - the digest of a program that was decoded, in memory that the options
 * bound.
 */
#ifndef CLI_COMMANDS_DIGEST_PROGRAM_H
#define CLI_COMMANDS_DIGEST_PROGRAM_H

#include "cli/options.h"
#include "common/digest.h"
#include "common/status.h"

/* That of its canonical form, which every valid program has. False: *what. */
bool digest_program(const options *o, const ep_program *program, failure *what, digest *d);

#endif
