/*
 * recognise.h - what a file is that is no program and no archive, by its first bytes: so
 * that a refusal says more than that a byte is unexpected.
 */
#ifndef CLI_RECOGNISE_H
#define CLI_RECOGNISE_H

#include "common/status.h"

/* "it is compressed by gzip"; NULL where nothing is known. Static storage. */
const char *recognise_file(ep_bytes file);

/* Puts what a file is into the detail of an error that was found at its beginning. */
void recognise(ep_bytes file, failure *what);

#endif
