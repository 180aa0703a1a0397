/*
 * native.h - members that the loader of compiled models links into the process, compiles by a
 * command, or reads the command's flags from (SPEC 9.6.4).
 */
#ifndef ARCHIVE_NATIVE_H
#define ARCHIVE_NATIVE_H

#include "common/buffer.h"

/* By its ending or its folder, wherever it lies and whatever else it is taken for: loaders find
 * these by parts of the name. */
bool native_is(ep_bytes name);

#endif
