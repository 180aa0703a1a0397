/*
 * digest_weights.h - the digest of the state of an archive: what its program computes with,
 * however it is stored. SPEC 8.6
 */
#ifndef CLI_COMMANDS_DIGEST_WEIGHTS_H
#define CLI_COMMANDS_DIGEST_WEIGHTS_H

#include "cli/source.h"
#include "common/digest.h"

/* Of an archive that is open, which has to be whole and without objects. False: *what, and the
 * source's label is where. */
bool digest_weights(const options *o, source *s, digest *d, failure *what);

/* Of an archive, from the two that it has. False as digest_of. */
bool digest_both(const digest *program, const digest *weights, digest *d);

#endif
