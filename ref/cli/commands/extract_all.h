/*
 * extract_all.h - an archive taken apart, for epref pack to put together.
 */
#ifndef CLI_COMMANDS_EXTRACT_ALL_H
#define CLI_COMMANDS_EXTRACT_ALL_H

#include "cli/options.h"
#include "common/status.h"

/* Writes every member to a file below a folder, and last the list of them. */
status extract_all(const options *o);

#endif
