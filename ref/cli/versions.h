/*
 * versions.h - schema versions, by the names that people have for them.
 */
#ifndef CLI_VERSIONS_H
#define CLI_VERSIONS_H

#include "common/buffer.h"

/* "8.20", "latest"; and a release of PyTorch, whose version it is: "torch-2.13", "2.13.0",
 * "v2.13", "torch==2.13.0+cpu". A number that is both is the schema version, behind a v the
 * release. NULL: there is none. */
const ep_version *versions_named(const char *word);

/* "; did you mean torch-2.13?", and where all are listed. */
void versions_put_nearest(buffer *b, const char *word);

#endif
