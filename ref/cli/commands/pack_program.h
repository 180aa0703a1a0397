/*
 * pack_program.h - epref pack with --tensors: an archive put together of a program, its
 * tensors in a file or a folder, sample inputs and extra files.
 */
#ifndef CLI_COMMANDS_PACK_PROGRAM_H
#define CLI_COMMANDS_PACK_PROGRAM_H

#include "cli/options.h"
#include "common/status.h"

status pack_program(const options *o);

#endif
